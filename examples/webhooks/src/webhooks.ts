import { type EventContext, event } from '@hv/router'
import { type Static, Type } from '@sinclair/typebox'

export const User = Type.Object({ id: Type.Integer(), first: Type.String(), last: Type.String() })
export type User = Static<typeof User>

/** The newest version's events. */
export const webhooks = {
  userCreated: userEvent('user.created', 'A user was created.'),
  userRenamed: userEvent('user.renamed', 'A user has a new name.'),
}

function userEvent<const Name extends string>(type: Name, summary: string) {
  const Payload = Type.Object({ type: Type.Literal(type), api_version: Type.Integer(), data: User })
  const handler = (data: User, { version }: EventContext) => ({ type, api_version: version, data })
  return event(Payload, { summary, handler })
}
