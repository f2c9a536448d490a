import {
  type ActionAnswer,
  type ProblemAnswer,
  createAddHeaders,
  keepsType,
} from '@hv/router/adapter'
import { varyAccept } from '@hv/router/internal'
import type {
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  onErrorHookHandler,
  onSendHookHandler,
} from 'fastify'
import type { GroupedAction } from './groups.ts'
import { type FastifyDispatcher, type Routed, routedOf } from './routing.ts'

/** The Content-Type that Fastify sets for a JSON body if there's none. */
const fastifyJson = 'application/json; charset=utf-8'

const addHeaders = createAddHeaders<FastifyReply>(
  (reply, name) => reply.getHeader(name)?.toString(),
  (reply, name, value) => reply.header(name, value),
)

/** Every action's handler. */
export function serve(request: FastifyRequest, reply: FastifyReply): unknown {
  const routed = routedOf(request)
  const { action, type } = routed.answer as ActionAnswer<GroupedAction>
  restoreContentType(request, routed)
  routed.responseType = type
  return action.handler(request as never, reply as never)
}

/** The handler of actions with `websocket: true`. @fastify/websocket passes the socket first. */
export const serveSocket = (socket: unknown, request: FastifyRequest): unknown =>
  (routedOf(request).answer as ActionAnswer<GroupedAction>).action.handler(
    socket as never,
    request as never,
  )

/** Creates the hook that responds if no action serves a request. */
export const createRefuse =
  (replyTo: FastifyDispatcher['reply']): RouteHandlerMethod =>
  async (request, reply) => {
    const { answer } = routedOf(request)
    if (answer.kind === 'error') throw answer.error
    const { status, headers, problem } = answer as ProblemAnswer
    addHeaders(reply, headers)
    reply.code(status)
    if (problem === null) return reply.send()
    const { type, body } = await replyTo(answer as ProblemAnswer, request, reply).catch(
      (error: unknown) => {
        reply.code(200) // so that Fastify derives the status from the error
        throw error
      },
    )
    if (reply.sent) return reply // the hook has responded itself
    if (!reply.hasHeader('content-type')) reply.type(type)
    return reply.code(status).send(body)
  }

/** Every route's last `onSend` hook. */
export const addResponseHeaders: onSendHookHandler = (request, reply, payload, done) => {
  const { headers, responseType } = routedOf(request)
  addHeaders(reply, headers)
  const isVersioned = responseType !== null && !request.is404 && !keepsType(reply)
  if (isVersioned && reply.getHeader('content-type') === fastifyJson) reply.type(responseType)
  done(null, typeof payload === 'object' && isResponse(payload) ? withVary(payload) : payload)
}

/**
 * The `onError` hook. It also adds the headers, because after two failures, no `onSend` hook runs.
 */
export const noteError: onErrorHookHandler = (request, reply, _error, done) => {
  const routed = routedOf(request)
  addHeaders(reply, routed.headers)
  routed.responseType = null
  restoreContentType(request, routed)
  done()
}

/**
 * Makes the request show the Content-Type that the client sent, for the handler or the error
 * handler.
 */
function restoreContentType({ raw }: FastifyRequest, routed: Routed): void {
  if (routed.sentType !== null) raw.headers['content-type'] = routed.sentType
  routed.sentType = null
}

export const isResponse = (payload: unknown): payload is Response =>
  Object.prototype.toString.call(payload) === '[object Response]'

/**
 * Adds Accept to a `Response`'s own Vary. Fastify copies a `Response`'s headers after all hooks, so
 * its Vary would otherwise replace ours.
 */
function withVary(response: Response): Response {
  if (!response.headers.has('vary')) return response
  const copy = new Response(response.body, response) // a fetched response's headers are immutable
  copy.headers.set('vary', varyAccept(copy.headers.get('vary')!))
  return copy
}
