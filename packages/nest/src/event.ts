import { event as coreEvent } from '@hv/router'
import { invalidOption, kHistory } from '@hv/router/internal'
import { schemaOf } from './dto-schema.ts'

/**
 * Declares an event: something that the API sends without being asked, such as a webhook. It's the
 * same as the core's `event`, but its payload can also be a DTO class, or a list of one. Put events
 * in objects of their own, beside the controller classes.
 *
 * @param dto - the payload in this version: `UserCreated`, `[UserCreated]`, or a library's schema
 * @throws RouterError HV_OPTION
 * @example
 * const webhooks = { userCreated: event(UserCreated, { summary: 'A user signed up.' }) }
 * export const v2 = { users: UsersV2, webhooks }
 * export const v1 = before(v2, fullName)
 */
export const event: typeof coreEvent = (dto, options) => {
  if (Object(dto) !== dto)
    throw invalidOption('event()', 'dto', 'a DTO class, a list such as [User], or a schema', dto)
  const isDto = typeof dto === 'function' || Array.isArray(dto)
  const { handler } = coreEvent({}, options as object)
  return lazyEvent(handler, () => coreEvent(isDto ? schemaOf(dto, unreadable) : dto, options))
}
const unreadable = 'its payload has no type that can be read. Use a DTO class'

/**
 * Creates an event that reads its DTO when somebody needs the schema. Before that, the compiler
 * plugin may still be describing the DTO.
 */
export const lazyEvent = (handler: unknown, read: () => any): any => ({
  event: true,
  handler,
  get schema() {
    return read().schema
  },
  get [kHistory]() {
    return read()[kHistory]
  },
})
