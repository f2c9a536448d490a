import { createAddHeaders } from '@hv/router/adapter'
import { createNotify, varyAccept } from '@hv/router/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refused, Routed, Routing, Served } from './routing.ts'
import type { RouterOptions } from './types.ts'

/** What Fastify sets for a JSON body when nothing has set a Content-Type. */
const fastifyJson = 'application/json; charset=utf-8'

const addHeaders = createAddHeaders<FastifyReply>(
  (reply, name) => reply.getHeader(name)?.toString(),
  (reply, name, value) => reply.header(name, value),
)

/** The handlers and hooks of the routes that the plugin registers. */
export interface Responders {
  /** The handler of every action. */
  serve(request: FastifyRequest, reply: FastifyReply): unknown
  /** The handler of an action with `websocket: true`: @fastify/websocket calls it with the socket. */
  serveSocket(socket: unknown, request: FastifyRequest): unknown
  /** An `onRequest` hook that responds when no action serves a request. */
  refuse(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** The first `onRequest` hook of every route. Undefined without `onRouted`. */
  readonly notify: ((request: FastifyRequest, reply: FastifyReply, done: () => void) => void) | undefined
  /** The last `onSend` hook of every route. */
  addResponseHeaders(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void
  /** The `onError` hook. */
  noteError(request: FastifyRequest, reply: FastifyReply, error: unknown, done: () => void): void
}
type Done = (error: null, payload: unknown) => void

/** Creates the handlers and hooks of a plugin. */
export function createResponders(
  routedOf: Routing['routedOf'],
  { problem, onRouted }: Pick<RouterOptions, 'problem' | 'onRouted'>,
): Responders {
  const notify = createNotify(onRouted, (error, request) => request.log.error(error))
  return {
    notify:
      notify &&
      ((request, _reply, done) => {
        const routed = routedOf(request.raw)
        // The route of HEAD has the hooks of GET twice.
        if (routed.found !== null && !routed.isNotified) notify(routed.found, request)
        routed.isNotified = true
        done()
      }),

    serve(request, reply) {
      const routed = routedOf(request.raw)
      const { action, type } = routed.answer as Served
      restoreContentType(request, routed)
      routed.type = type
      const result = action.handler(request as never, reply as never)
      if (result === undefined && action.handler.length < 2 && !reply.sent)
        request.log.error(
          `${request.method} ${action.group.pattern} does not respond: its handler returned undefined and takes no reply. ` +
            'Return a value, or take reply as the second parameter and call reply.send().',
        )
      return result
    },

    serveSocket(socket, request) {
      const { action } = routedOf(request.raw).answer as Served
      return action.handler(socket as never, request as never)
    },

    async refuse(request, reply) {
      const { answer, error } = routedOf(request.raw)
      if (error !== null) throw error
      const { status, problem: document, type, headers } = answer as Refused
      addHeaders(reply, headers)
      reply.code(status)
      if (document === null) return reply.send()
      const body = problem === undefined ? document : await callHook(() => problem(document, request, reply), reply)
      if (reply.sent) return reply // by the app
      if (!reply.hasHeader('content-type')) reply.type(type)
      return reply.code(status).send(body)
    },

    addResponseHeaders(request, reply, payload, done) {
      const { headers, type } = routedOf(request.raw)
      addHeaders(reply, headers)
      if (type !== null && !request.is404 && reply.getHeader('content-type') === fastifyJson) reply.type(type)
      done(null, isResponse(payload) ? withVary(payload) : payload)
    },

    noteError(request, reply, _error, done) {
      const routed = routedOf(request.raw)
      addHeaders(reply, routed.headers) // no onSend hook runs after one has failed twice
      routed.type = null
      restoreContentType(request, routed)
      done()
    },
  }
}

/** Fastify derives the status from an error as long as no other is set. */
async function callHook(hook: () => unknown, reply: FastifyReply): Promise<unknown> {
  try {
    return await hook()
  } catch (error) {
    reply.code(200)
    throw error || new Error('The problem hook failed.', { cause: error })
  }
}

/** From here on, the request shows the Content-Type that the client sent. */
function restoreContentType({ raw }: FastifyRequest, routed: Routed): void {
  if (routed.contentType === null) return
  raw.headers['content-type'] = routed.contentType
  routed.contentType = null
}

const isResponse = (payload: unknown): payload is Response =>
  typeof payload === 'object' && Object.prototype.toString.call(payload) === '[object Response]'

/** Fastify copies the headers of a `Response` after all hooks. Its Vary would replace the one that is set. */
function withVary(response: Response): Response {
  if (!response.headers.has('vary')) return response
  const { body, status, statusText } = response
  const headers = new Headers(response.headers)
  headers.set('vary', varyAccept(headers.get('vary')!))
  return new Response(body, { status, statusText, headers })
}
