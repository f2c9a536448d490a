// One API in three versions. Version 3 is written; the older ones are what changes make of it.
import { api, became, cache, change, inherit, resources, version } from '@hv/router'
import { Type } from '@sinclair/typebox'

export const routes = api(
  { vendorString: 'acme', path: '' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { only: ['index', 'show', 'create'] }),
      resources('teams', { only: 'show' }),
    ),
  ),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }))),
  version(3, inherit({ from: 'v2' })),
)

export const closed = { additionalProperties: false }
const next = () => Type.Union([Type.String(), Type.Null()])
export const User = Type.Object({
  id: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
})
export const NewUser = Type.Object(
  { firstName: Type.String({ minLength: 1 }), lastName: Type.String({ minLength: 1 }) },
  closed,
)
export const UserPage = Type.Object({ items: Type.Array(User), next: next() })
export const Team = Type.Object({
  id: Type.String(),
  owner: Type.Optional(Type.Union([User, Type.Null()])),
})

const UserV2 = Type.Object({ id: Type.Integer(), fullName: Type.String() })
const NewUserV2 = Type.Object({ fullName: Type.String({ pattern: '^\\S+ \\S+$' }) }, closed)
const UserPageV2 = Type.Object({ items: Type.Array(UserV2), next: next() })
export const twoNames = change(
  'A user has a first name and a last name.',
  became(UserV2, User, {
    down: ({ id, firstName, lastName }) => ({ id, fullName: `${firstName} ${lastName}` }),
  }),
  became(NewUserV2, NewUser, {
    up: ({ fullName }) => {
      const [firstName = '', lastName = ''] = fullName.split(' ')
      return { firstName, lastName }
    },
  }),
)

const UserV1 = Type.Object({ id: Type.Integer(), name: Type.String() })
const NewUserV1 = Type.Object({ name: Type.String({ pattern: '^\\S+ \\S+$' }) }, closed)
export const fullName = change(
  'The name of a user is the full name.',
  became(UserV1, UserV2, { down: ({ id, fullName: name }) => ({ id, name }) }),
  became(NewUserV1, NewUserV2, { up: ({ name }) => ({ fullName: name }) }),
)
export const listsAreEnvelopes = change(
  'A list is an envelope with the URL of the next page.',
  became(Type.Array(UserV2), UserPageV2, {
    down: ({ items }) => items,
    headers: ({ next: url }) => ({ link: url === null ? undefined : `<${url}>; rel="next"` }),
  }),
)
