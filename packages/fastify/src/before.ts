import { type Translation, createBefore } from '@hv/router/adapter'
import type { FastifyReply, FastifyRequest } from 'fastify'

const properties = { params: 'params', querystring: 'query', headers: 'headers', body: 'body' } as const

/**
 * Derives the controllers of a version from those of the next version and what changed. An explicit controller replaces a
 * derived one: `{ ...before(v2, fullName), teams: new TeamsController() }`.
 *
 * Fastify validates and serializes with the older schemas. The request is converted first of all `preHandler` hooks of the
 * action, the response after its `preSerialization` hooks. Streams, buffers and text are sent as they are.
 *
 * @throws RouterError HV_CHANGE when a change does not apply, is ambiguous, or lacks a direction
 * @example
 * const v2 = { users: new UsersController(store) }
 * const v1 = before(v2, listsAreEnvelopes)
 * app.register(createRouter(routes, { 1: v1, 2: v2 }))
 */
export const before = createBefore((newer, { schema, request, respond }) => ({
  ...newer,
  schema,
  ...(request.length > 0 && { preHandler: [convertRequest(request), newer['preHandler'] ?? []].flat() }),
  ...(respond !== null && { preSerialization: [newer['preSerialization'] ?? [], convertResponse(respond)].flat() }),
}))

const convertRequest =
  (parts: Translation['request']) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    for (const [part, convert] of parts) {
      const property = properties[part]
      request[property] = convert(request[property]) as never
    }
    done()
  }

const convertResponse =
  (respond: NonNullable<Translation['respond']>) =>
  (
    _request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void =>
    done(
      null,
      respond(reply.statusCode, payload, (name, value) => void reply.header(name, value)),
    )
