import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { usernamePattern } from '../store/user-store.ts'

const closed = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

const Username = Type.String({
  pattern: usernamePattern,
  description: '3 to 32 letters, digits, dots, underscores or hyphens; unique regardless of case',
})
/** Databases don't store NUL and unpaired surrogates unchanged, so they're rejected. */
const textPattern = '^[^\\u0000\\ud800-\\udfff]*$'
const Password = Type.String({ minLength: 8, maxLength: 128, pattern: textPattern })
const Name = Type.Union([Type.String({ maxLength: 200, pattern: textPattern }), Type.Null()])

/** A user, as responses show them. */
export const User = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String({ description: 'UTC, ISO 8601' }),
  updatedAt: Type.String({ description: 'UTC, ISO 8601' }),
})

export const UserPage = Type.Object({
  items: Type.Array(User),
  next: Type.Union([Type.String(), Type.Null()], { description: 'URL of the next page' }),
})

/**
 * A login only checks types and lengths, so a name that no user can have gets a 401 response, like
 * an unknown one.
 */
export const LoginRequest = closed({
  username: Type.String({ maxLength: 200 }),
  password: Type.String({ maxLength: 128 }),
})
export const NewUser = closed({ username: Username, password: Password, name: Type.Optional(Name) })
export const UserChanges = closed(
  {
    username: Type.Optional(Username),
    password: Type.Optional(Password),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'required to change your own username or password',
      }),
    ),
    name: Type.Optional(Name),
  },
  { minProperties: 1 },
)

export const Login = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  jwt: Type.String(),
})

/** The response to a write, which repeats what the database reported. */
export const WriteResult = Type.Object({
  status: Type.Literal(true),
  code: Type.Integer(),
  message: Type.Literal('success'),
  data: Type.Object({
    fieldCount: Type.Integer(),
    affectedRows: Type.Integer(),
    insertId: Type.Integer(),
    info: Type.String(),
    serverStatus: Type.Integer(),
    warningStatus: Type.Integer(),
    changedRows: Type.Optional(Type.Integer()),
  }),
})

/** A user's path parameters, after `readId` has turned the id into a number. */
export const UserId = Type.Object({ id: Type.Integer({ minimum: 1 }) })
export type UserId = Static<typeof UserId>

export const PageQuery = closed({
  limit: Type.Optional(
    Type.String({ pattern: '^(?:[1-9][0-9]?|100)$', description: '1 to 100; default: 50' }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^(?:0|[1-9][0-9]{0,14})$',
      description: 'the last id of the previous page',
    }),
  ),
})
export type PageQuery = Static<typeof PageQuery>
