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
import { bindActions, contentTypeOf, problemOf, varyAccept } from '@hv/router/adapter'
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import { missTarget, registerRoutes } from './register-routes.ts'

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

let registrations = 0

/**
 * Serves a versioned API as a Fastify plugin. An action's own options (`schema`, hooks, `config`, …) are
 * Fastify's, per version. Paths that no version knows stay with Fastify.
 *
 * @throws RouterError HV_MISSING_ACTIONS, HV_TOO_MANY_VERSIONS (over 30 versions of one method and path)
 * @example app.register(createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }))
 */
export function createRouter<T>(
  routes: Api<T>,
  controllers: NoInfer<FastifyControllers<T>>,
  options: RouterOptions = {},
): FastifyPluginCallback {
  const { match } = createMatcher(routes)
  const actions = bindActions(routes, controllers)

  return (app, _options, done) => {
    // find-my-way asks the strategy of each node that a path leads to; the strategy asks our matcher, once
    // a request, and lets through the one route that it chose.
    const kFound = Symbol('apiMatch')
    type Raw = IncomingMessage & { [kFound]?: Match | Miss }
    const withoutPrefix = createPrefixCutter(app.prefix)
    const find = (raw: Raw): Match | Miss =>
      (raw[kFound] ??= match(raw.method!, withoutPrefix(raw.url!), raw.headers.accept))

    const constraint = `hv${++registrations}` // stands in generated code: never the vendor string
    app.addConstraintStrategy({
      name: constraint,
      validate: () => {},
      deriveConstraint: (raw: Raw) => raw,
      storage() {
        const bits = new Map<unknown, number>()
        return {
          set: (target: unknown, bit: number) => bits.set(target, bit),
          get(target: Raw | object) {
            if (!('headers' in target)) return bits.get(target)
            const found = find(target)
            return bits.get(found.kind === 'match' ? found.route : missTarget(found)) ?? 0
          },
        }
      },
    } as never)

    acceptVendorJson(app, routes)
    app.decorateRequest('apiMatch', {
      getter(this: FastifyRequest) {
        const found = (this.raw as Raw)[kFound]
        return found?.kind === 'match' ? found : null
      },
    })
    app.addHook('onRequest', (request, reply, next) => {
      const found = find(request.raw)
      if (found.kind === 'miss') return refuse(found, request, reply)
      request.params = app.prefix.includes(':') ? { ...(request.params as object), ...found.params } : found.params
      reply.header('content-type', contentTypeOf(routes, found))
      next()
    })
    app.addHook('onSend', (request, reply, _payload, next) => {
      reply.header('vary', varyAccept(reply.getHeader('vary')?.toString()))
      if (request.apiMatch !== null) reply.header('api-version', String(request.apiMatch.version))
      next()
    })

    try {
      registerRoutes(app, routes, constraint, actions)
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
