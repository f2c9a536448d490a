// What the compiler reports about changes.
import { api, became, cache, change, inherit, resources, version } from '@hv/router'
import { Type } from '@sinclair/typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { before, createRouter } from '../src/index.ts'

const User = Type.Object({ id: Type.Integer(), fullName: Type.String() })
const OlderUser = Type.Object({ id: Type.Integer(), name: Type.String() })

describe('became', () => {
  it('types both directions by the schemas', () => {
    became(OlderUser, User, { down: ({ fullName, ...user }) => ({ ...user, name: fullName }) })
    // @ts-expect-error -- the older schema requires name
    became(OlderUser, User, { down: ({ fullName, ...user }) => ({ ...user, nam: fullName }) })
    // @ts-expect-error -- the newer schema has no name
    became(OlderUser, User, { down: ({ name, ...user }) => ({ ...user, name }) })
    // @ts-expect-error -- a number is not a name
    became(OlderUser, User, { down: ({ id }) => ({ id, name: id }) })
    // @ts-expect-error -- a misspelled option
    became(OlderUser, User, { donw: ({ id }) => ({ id, name: '' }) })
    became({ type: 'string' }, { type: 'integer' }, { down: (value) => String(value) }) // plain JSON Schema has no type
  })
})

describe('before', () => {
  const show = { schema: { response: { 200: Type.Union([User, Type.Null()]) } }, handler: () => null }
  const v2 = { users: { show, destroy: () => 'gone' } }
  const fullName = change('x', became(OlderUser, User, { down: ({ id, fullName: name }) => ({ id, name }) }))
  const routes = api(
    { vendorString: 'acme' },
    version(1, cache({ as: 'v1' }, resources('users', { only: ['show', 'destroy'] }))),
    version(2, inherit({ from: 'v1' })),
  )
  it('has the types of the older schemas, and leaves the rest', () => {
    const v1 = before(v2, fullName)
    type Output = NonNullable<(typeof v1.users.show.schema.response)[200]['~standard']['types']>['output']
    expectTypeOf<Output>().toEqualTypeOf<{ id: number; name: string } | null>()
    expectTypeOf(v1.users.destroy).toEqualTypeOf<() => string>()
    // A list without `as const` does not say which changes it has. The types of the newer schemas would be wrong.
    const list = [fullName]
    const listed = before(v2, ...list)
    type Listed = NonNullable<(typeof listed.users.show.schema.response)[200]['~standard']['types']>['output']
    expectTypeOf<Listed>().toEqualTypeOf<unknown>()
    expectTypeOf(listed.users.destroy).toEqualTypeOf<() => string>()
    createRouter(routes, { 1: listed, 2: v2 })
    // @ts-expect-error -- a change, not a became
    before(v2, fullName.became[0])
  })
})
