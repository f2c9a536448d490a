import { type Translation, createBefore } from '@hv/router/adapter'
import { isJson, properties } from './handlers.ts'
import type { RouteMatch } from './types.ts'

/**
 * Derives the controllers of a version from those of the next version and what changed. An explicit controller replaces a
 * derived one: `{ ...before(v2, fullName), teams: new TeamsController() }`.
 *
 * The router validates requests with the older schemas, then `match` is converted: the newer handler finds the converted body
 * in `match.body`. JSON responses are converted. Responses of other types are sent as they are.
 *
 * @throws RouterError HV_CHANGE when a change does not apply, is ambiguous, or lacks a direction
 * @example
 * const v2 = { users: new UsersController(store) }
 * const v1 = before(v2, listsAreEnvelopes)
 * export default { fetch: createRouter(routes, { 1: v1, 2: v2 }) }
 */
export const before = createBefore(({ handler, ...newer }, { schema, request: parts, respond }) => ({
  ...newer,
  schema,
  async handler(this: unknown, request: Request, match: RouteMatch, ...context: unknown[]): Promise<Response> {
    const newerMatch = { ...match }
    for (const [part, convert] of parts)
      Object.assign(newerMatch, { [properties[part]]: convert(match[properties[part]]) })
    const response = (await handler.call(this, ...([request, newerMatch, ...context] as never[]))) as Response
    return respond === null || !response ? response : convertResponse(response, respond)
  },
}))

async function convertResponse(response: Response, respond: NonNullable<Translation['respond']>): Promise<Response> {
  if (response.body === null || !isJson(response.headers.get('content-type'))) return response
  const text = await response.text()
  if (text === '') return new Response(null, response)
  const body: unknown = JSON.parse(text)
  const headers = new Headers(response.headers)
  const converted = respond(response.status, body, (name, value) => headers.set(name, value))
  if (converted !== body) headers.delete('content-length')
  const { status, statusText } = response
  return new Response(converted === body ? text : JSON.stringify(converted), { status, statusText, headers })
}
