// What the compiler reports about changes.
import { became, change } from '@hv/router'
import { Type } from '@sinclair/typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { before } from '../src/index.ts'

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
  it('has the types of the older schemas, and leaves the rest', () => {
    const v1 = before(v2, fullName)
    type Output = NonNullable<(typeof v1.users.show.schema.response)[200]['~standard']['types']>['output']
    expectTypeOf<Output>().toEqualTypeOf<{ id: number; name: string } | null>()
    expectTypeOf(v1.users.destroy).toEqualTypeOf<() => string>()
    // @ts-expect-error -- a change, not a became
    before(v2, fullName.became[0])
  })
})
