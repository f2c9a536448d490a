import { type Api, type Match } from '@hv/router'
import { createAddHeaders } from '@hv/router/adapter'
import { createAnswer } from '@hv/router/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  FASTIFY_ROUTE_CONFIG_METADATA,
  FASTIFY_ROUTE_SCHEMA_METADATA,
  type Handler,
  SSE_METADATA,
} from './internals.ts'

const addHeaders = createAddHeaders<FastifyReply>(
  (reply, name) => reply.getHeader(name)?.toString(),
  (reply, name, value) => reply.header(name, value),
)

/** Creates the function that gives an action the options of its `@RouteConfig()` and `@RouteSchema()`. */
export function createFastifyAction(api: Api): (handler: Handler, decorated: Handler) => object {
  const answerTo = createAnswer(api, { get: () => null as never })
  return (handler, decorated) => {
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, decorated) as object | undefined
    const schema = Reflect.getMetadata(FASTIFY_ROUTE_SCHEMA_METADATA, decorated) as object | undefined
    const options = { ...(config && { config }), ...(schema && { schema }) }
    if (!Reflect.hasMetadata(SSE_METADATA, decorated)) return { ...options, handler }
    return {
      ...options,
      // Nest writes events to Node's response, with the headers that the reply has by then. No onSend hook runs.
      handler(request: FastifyRequest, reply: FastifyReply) {
        addHeaders(reply, answerTo(request.apiMatch as Match).headers)
        return handler(request, reply)
      },
    }
  }
}
