import { became, change } from '@hv/router'
import { before } from '@hv/router-fastify'
import { Type } from '@sinclair/typebox'
import { User, UserPage } from '../../../src/http/schemas.ts'
import type { UsersController } from '../v2/users_controller.ts'

export const listsAreEnvelopes = change(
  'A list of users is an object with the URL of the next page.',
  became(Type.Array(User), UserPage, {
    down: ({ items }) => items,
    headers: ({ next }) => ({ link: next === null ? undefined : `<${next}>; rel="next"` }),
  }),
)

/** Version 1's users: version 2's, except that a list is an array. */
export const createUsersController = (users: UsersController) =>
  before({ users }, listsAreEnvelopes).users
