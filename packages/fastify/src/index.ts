import type { IncomingMessage } from 'node:http'
import {
  type Api,
  type Controllers,
  type HandlerKind,
  type Match,
  type Miss,
  type Problem,
  createMatcher,
} from '@hv/router'
import { bindActions, createContentTypeOf, problemOf, varyAccept } from '@hv/router/adapter'
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import { type GroupedAction, groupActions, missGroup, registerRoutes } from './register-routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the versioned router found: version, route, params and format. Null for a miss. */
    apiMatch: Match | null
  }
}

/** Written as a method: a handler may narrow what its schema has checked, `FastifyRequest<{ Body: … }>`. */
interface Handler<P> {
  call(request: FastifyRequest<{ Params: P }>, reply: FastifyReply): unknown
}

export interface FastifyKind extends HandlerKind {
  readonly handler: Handler<this['params']>['call']
  readonly options: Omit<RouteShorthandOptions, 'handler' | 'constraints'>
}

/** What the controllers of an API are, written as a type. */
export type FastifyControllers<T> = Controllers<T, FastifyKind>

export interface RouterOptions {
  /**
   * Replaces the body of the answer when no route serves the request; the status stays.
   * It may set headers on `reply`: the Content-Type is `application/problem+json` unless it sets another.
   */
  readonly problem?: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => unknown
}

/** What became of a request. */
interface Routed {
  readonly found: Match | Miss
  /** Null for a miss. */
  readonly action: GroupedAction | null
}

let registrations = 0

/**
 * Serves a versioned API as a Fastify plugin. An action's own options (`schema`, hooks, `config`, …) are
 * Fastify's, per version. Paths that no version knows stay with Fastify.
 *
 * @throws RouterError HV_MISSING_ACTIONS, HV_TOO_MANY_VERSIONS (one method and path has options of its own in over 30 versions)
 * @example app.register(createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }))
 */
export function createRouter<T>(
  routes: Api<T>,
  controllers: NoInfer<FastifyControllers<T>>,
  options: RouterOptions = {},
): FastifyPluginCallback {
  const { match } = createMatcher(routes)
  const contentTypeOf = createContentTypeOf(routes)
  const actions = groupActions(routes, bindActions(routes, controllers))

  return (app, _options, done) => {
    const withoutPrefix = createPrefixCutter(app.prefix)
    const prefixHasParams = app.prefix.includes(':')

    // Fastify asks the strategy once a request, before it looks for a route; what our matcher says stays with the request.
    const kRouted = Symbol('routed')
    type Raw = IncomingMessage & { [kRouted]?: Routed }
    const routedOf = (raw: IncomingMessage): Routed => ((raw as Raw)[kRouted] ??= route(raw))
    const route = ({ method, url, headers }: IncomingMessage): Routed => {
      const found = match(method!, withoutPrefix(url!), headers.accept)
      return { found, action: found.kind === 'match' ? actions.get(found.route)! : null }
    }

    const constraint = `hv${++registrations}` // stands in generated code: never the vendor string
    app.addConstraintStrategy({
      name: constraint,
      validate: () => {},
      storage: () => new Map<object, number>(),
      deriveConstraint(raw: IncomingMessage) {
        const { found, action } = routedOf(raw)
        return action === null ? missGroup(found as Miss) : action.group
      },
    } as never)

    acceptVendorJson(app, routes)
    app.decorateRequest('apiMatch', {
      getter(this: FastifyRequest) {
        const found = (this.raw as Raw)[kRouted]?.found
        return found?.kind === 'match' ? found : null
      },
    })
    app.addHook('onRequest', (request, reply, next) => {
      const { found } = routedOf(request.raw)
      if (found.kind === 'miss') return refuse(found, request, reply)
      request.params = prefixHasParams ? { ...(request.params as object), ...found.params } : found.params
      reply.header('content-type', contentTypeOf(found))
      next()
    })
    app.addHook('onSend', ({ raw }, reply, _payload, next) => {
      const { found } = routedOf(raw)
      reply.header('vary', varyAccept(reply.getHeader('vary')?.toString()))
      if (found.kind === 'match') reply.header('api-version', String(found.version))
      next()
    })

    try {
      registerRoutes(app, routes, constraint, actions, (request, reply) =>
        routedOf(request.raw).action!.handler(request as never, reply as never),
      )
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  function refuse(miss: Miss, request: FastifyRequest, reply: FastifyReply): void {
    const problem = problemOf(miss, routes.options.vendorString)
    if (problem.allow !== undefined) reply.header('allow', problem.allow.join(', '))
    reply.code(problem.status)
    if (problem.status === 204) return void reply.send()
    const body = options.problem === undefined ? problem : options.problem(problem, request, reply)
    if (!reply.hasHeader('content-type')) reply.type('application/problem+json; charset=utf-8')
    reply.code(problem.status).send(body)
  }
}

/** Bodies under the vendor type are parsed as Fastify parses JSON, unless the app has a parser for them. */
function acceptVendorJson(app: FastifyInstance, { options: { vendorString } }: Api): void {
  if (app.hasContentTypeParser(`application/vnd.${vendorString}+json`)) return
  const vendor = vendorString.replace(/\W/g, '\\$&')
  const type = new RegExp(`^application/vnd\\.${vendor}(?:\\+json)?\\s*(?:;|$)`, 'i')
  app.addContentTypeParser(type, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))
}

/** Cuts the plugin's prefix off a URL; a prefix with params is cut by its number of segments. */
function createPrefixCutter(prefix: string): (url: string) => string {
  if (!prefix.includes(':')) return (url) => url.slice(prefix.length)
  const depth = prefix.split('/').length
  return (url) => {
    let at = -1
    for (let slash = 0; slash < depth; slash++) at = url.indexOf('/', at + 1)
    return at < 0 ? '' : url.slice(at)
  }
}
