import type { Api, Match, Row } from '@hv/router'
import { createAddHeaders } from '@hv/router/adapter'
import { createAnswer, responsesOf } from '@hv/router/internal'
import { Logger } from '@nestjs/common'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertDistinctPaths, check } from './checks.ts'
import { convertingPipes } from './convert.ts'
import { type VersionedApi, actionsOf, findControllers } from './handlers.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import {
  type Handler,
  type NestContainer,
  SSE_METADATA,
  createExplorer,
  routeOptionOf,
} from './internals.ts'

/**
 * An API, and what Nest would register for each row: a handler with guards, pipes, interceptors and
 * filters.
 */
type HandledApi = VersionedApi & { readonly handlers: ReadonlyMap<Row, Handler> }

/** Serves all of an app's APIs. */
export async function serve(
  apis: readonly VersionedApi[],
  container: NestContainer,
): Promise<void> {
  assertDistinctPaths(apis)
  const explore = createExplorer(container)
  const logger = new Logger('VersionedApiModule')
  const handled = apis.map((api) => {
    const served = findControllers(api, container)
    for (const { metatype, row } of served) forgetInheritedParameters(metatype, row.action)
    for (const warning of check(served, api, container)) logger.warn(warning)
    const handlers = new Map<Row, Handler>()
    for (const { row, wrapper, olderAction } of served) {
      const handler = explore(row, wrapper, convertingPipes(olderAction))
      // The platform's adapter converts the responses.
      handlers.set(row, Object.assign(handler, responsesOf(olderAction ?? {})))
    }
    return { ...api, handlers }
  })
  const adapter = container.getHttpAdapterRef()
  if (adapter.getType() === 'fastify') return serveOnFastify(handled, adapter.getInstance())
  const { createRouter } = await import('@hv/router-express')
  for (const { routes, options, handlers } of handled) {
    const { prefix = '', ...rest } = options
    const actions = actionsOf(handlers, (action, handler) => ({ ...handler, handler: action }))
    const router = createRouter(routes, actions as never, { json: {}, ...rest })
    adapter.use(prefix || '/', router)
  }
}

async function serveOnFastify(
  apis: readonly HandledApi[],
  fastify: FastifyInstance,
): Promise<void> {
  const { createRouter } = await import('@hv/router-fastify')
  for (const { routes, options, handlers } of apis) {
    const { prefix = '', json: _json, ...rest } = options // vendor bodies are parsed as any JSON
    const actions = actionsOf(handlers, createToAction(routes))
    await fastify.register(createRouter(routes, actions as never, rest), { prefix })
  }
}

const addHeaders = createAddHeaders<FastifyReply>(
  (reply, name) => reply.getHeader(name)?.toString(),
  (reply, name, value) => reply.header(name, value),
)

/**
 * Creates the function that gives an action the options from its `@RouteConfig()` and
 * `@RouteSchema()`.
 */
function createToAction(api: Api): (action: Handler, handler: Handler) => object {
  const { serve: answer } = createAnswer(api, { get: () => null as never })
  return (action, handler) => {
    const [config, schema] = [routeOptionOf(handler, 'config'), routeOptionOf(handler, 'schema')]
    // Nest writes events to Node's response, with the headers that the reply has at that time. No
    // onSend hook runs.
    const sendEvents = (request: FastifyRequest, reply: FastifyReply) => {
      addHeaders(reply, answer(request.apiMatch as Match).headers)
      return action(request, reply)
    }
    if (routeOptionOf(handler, 'constraints') !== undefined)
      throw new Error(
        'VersionedApiModule: @RouteConstraints() has no effect on versioned routes. Use a guard.',
      )
    const isSse = Reflect.hasMetadata(SSE_METADATA, handler)
    return {
      ...handler,
      ...(config && { config }),
      ...(schema && { schema }),
      handler: isSse ? sendEvents : action,
    }
  }
}
