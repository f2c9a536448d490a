import { became, change, createEvents } from '@hv/router'
import { before } from '@hv/router-fastify'
import { Type } from '@sinclair/typebox'
import { Name, endpoints, users } from './controllers.ts'
import { routes } from './routes.ts'
import { User, webhooks } from './webhooks.ts'

const UserV1 = Type.Object({ id: Type.Integer(), name: Type.String() })
const NameV1 = Type.Object({ name: Type.String({ minLength: 1 }) })
const twoNames = change(
  'A user has a first and a last name instead of one name.',
  became(UserV1, User, {
    down: ({ id, first, last }) => ({ id, name: `${first} ${last}`.trim() }),
  }),
  became(NameV1, Name, {
    up: ({ name }) => ({ first: name.replace(/ .*/, ''), last: name.replace(/^\S* ?/, '') }),
  }),
)

export const v2 = { users, endpoints, webhooks }
const derived = before(v2, twoNames)
// Version 1's receivers don't know about renamed users, so they don't get this event.
const { userRenamed: _, ...webhooksV1 } = derived.webhooks
export const v1 = { ...derived, webhooks: webhooksV1 }

export const events = createEvents(routes, { 1: v1, 2: v2 })
