import type { Api, Match, Row } from '@hv/router'
import { createAddHeaders } from '@hv/router/adapter'
import { createAnswer, responsesOf } from '@hv/router/internal'
import { Logger } from '@nestjs/common'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertCacheKeys } from './cache.ts'
import { assertDistinctPaths, assertParameters, checkOverrides } from './checks.ts'
import { convertingPipes } from './convert.ts'
import { type VersionedApi, arrange, findControllers } from './handlers.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { type Handler, type NestContainer, SSE_METADATA, createHandler } from './internals.ts'
import { checkMiddleware, describeSharedPaths } from './middleware.ts'

/** Serves all of an app's APIs. */
export async function serve(
  apis: readonly VersionedApi[],
  container: NestContainer,
): Promise<void> {
  assertDistinctPaths(apis)
  const adapter = container.getHttpAdapterRef()
  for (const api of apis) {
    const { prefix = '', json = {}, caseSensitive = true, ...options } = api.options
    const handlers = createHandlers(api, container)
    // Handlers that Nest creates for a method differ by row: only the one for POST responds with
    // 201.
    const run: Handler = (request, response, next) =>
      handlers.get((request as any).apiMatch.row)!(request, response, next)
    const isFastify = adapter.getType() === 'fastify'
    const toAction = isFastify
      ? createToAction(api.routes, run)
      : (handler: Handler) => ({ ...handler, handler: run })
    const actions = arrange(handlers.keys(), (row) => toAction(handlers.get(row)!)) as never
    if (isFastify) {
      // Fastify parses vendor bodies like any JSON, and has its own option for paths in any case.
      const { createRouter } = await import('@hv/router-fastify')
      const router = createRouter(api.routes, actions, options)
      // Not encapsulated, so that its routes are the app's own, like Nest's. A context of their own
      // would copy the app's middleware and parsers, and miss those that are added later.
      const unencapsulated = Object.assign(router, { [Symbol.for('skip-override')]: true })
      await adapter
        .getInstance<FastifyInstance>()
        .register(unencapsulated, { mount: prefix } as object)
    } else {
      const { createRouter } = await import('@hv/router-express')
      adapter.use(
        prefix || '/',
        createRouter(api.routes, actions, { json, caseSensitive, ...options }),
      )
    }
  }
}

/**
 * Creates what Nest would register for each row: a handler with guards, pipes, interceptors and
 * filters. It has the method's metadata.
 */
function createHandlers(api: VersionedApi, container: NestContainer): ReadonlyMap<Row, Handler> {
  const served = findControllers(api, container)
  for (const { metatype, row } of served) forgetInheritedParameters(metatype, row.action)
  assertParameters(served)
  assertCacheKeys(served, container)
  const warnings = new Set([
    ...checkOverrides(served),
    ...checkMiddleware(served, container),
    ...describeSharedPaths(served, container),
  ])
  for (const warning of warnings) Logger.warn(warning, 'VersionedApiModule')
  const handlers = new Map<Row, Handler>()
  for (const { row, wrapper, olderAction } of served) {
    const wrapPipes = olderAction && convertingPipes(olderAction)
    const handler = createHandler(container, row, wrapper, wrapPipes)
    // The platform's adapter converts the responses.
    handlers.set(row, Object.assign(handler, responsesOf(olderAction ?? {})))
  }
  return handlers
}

const addHeaders = createAddHeaders<FastifyReply>(
  (reply, name) => reply.getHeader(name)?.toString(),
  (reply, name, value) => reply.header(name, value),
)

/**
 * Creates the function that makes a Fastify action of a handler, with the options from its
 * `@RouteConfig()` and `@RouteSchema()`.
 */
function createToAction(api: Api, run: Handler): (handler: Handler) => object {
  const { serve: answer } = createAnswer(api, { get: () => null as never })
  // Nest writes events to Node's response, with the headers that the reply has at that time. No
  // onSend hook runs.
  const sendEvents = (request: FastifyRequest, reply: FastifyReply) => {
    addHeaders(reply, answer(request.apiMatch as Match).headers)
    return run(request, reply)
  }
  return (handler) => {
    // An app on Express doesn't have the package that exports these keys.
    const config = Reflect.getMetadata('__fastify_route_config__', handler)
    const schema = Reflect.getMetadata('__fastify_route_schema__', handler)
    if (Reflect.hasMetadata('__fastify_route_constraints__', handler))
      throw new Error(
        'VersionedApiModule: @RouteConstraints() has no effect on versioned routes. Use a guard.',
      )
    return {
      ...handler,
      ...(config && { config }),
      ...(schema && { schema }),
      handler: Reflect.hasMetadata(SSE_METADATA, handler) ? sendEvents : run,
    }
  }
}
