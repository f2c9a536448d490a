// Version 1 is version 2 with a change: what the change has to do, and what it leaves untouched.
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { createUsersController, listsAreEnvelopes } from '../controllers/api/v1/users_controller.ts'
import { UsersController } from '../controllers/api/v2/users_controller.ts'
import { UserPage } from '../src/http/schemas.ts'

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const users = fc.record({
  id: fc.integer(),
  username: fc.string(),
  name: nullable(fc.string()),
  createdAt: fc.string(),
  updatedAt: fc.string(),
})
const pages = fc.record({ items: fc.array(users), next: nullable(fc.webPath()) })

it('makes a list of version 1 from every page', () => {
  const ajv = new Ajv()
  const { older, newer, down } = listsAreEnvelopes.became[0]
  expect(newer).toBe(UserPage)
  const isConverted = (page: unknown) =>
    ajv.validate(newer, page) && ajv.validate(older, down!(page))
  fc.assert(fc.property(pages, isConverted))
})

it('changes the list alone', () => {
  const newer = new UsersController({} as never)
  const older = createUsersController(newer)
  const actions = ['index', 'show', 'create', 'update', 'destroy', 'login'] as const
  expect(actions.filter((action) => (older[action] as object) !== newer[action])).toEqual(['index'])
})
