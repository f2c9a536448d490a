import type { Api } from '@hv/router'
import type {
  FastifyInstance,
  HTTPMethods,
  RouteHandlerMethod,
  RouteOptions,
  onRequestHookHandler,
} from 'fastify'
import { schemaForCompiler, shareSerializers, validatorCompilerOf } from './compilers.ts'
import type { Group } from './groups.ts'
import { type ContentSchema, withPlainJson } from './plain-json.ts'
import { serve, serveSocket } from './respond.ts'
import { optionsConstraint, refusalConstraint } from './routing.ts'
import { translationHooks } from './convert-responses.ts'

/**
 * Registers an API's Fastify routes. Each group of actions gets a route at the path that the route
 * file declares. More routes respond when no action serves a request.
 *
 * @param mount - a path in front of the API's, in addition to the app's prefix
 * @param strategy - the constraint strategy's name
 */
export function registerRoutes(
  app: FastifyInstance,
  mount: string,
  api: Api,
  strategy: string,
  groups: ReadonlySet<Group>,
  refuse: RouteHandlerMethod,
): void {
  const schemas = Array.from(groups, ({ options }) => schemaForCompiler(options))
  const querystring = schemas.find((schema) => schema !== undefined)

  const prefix = mount + api.settings.prefix
  const methods = methodsOf(app).filter((method) => method !== 'OPTIONS' && method !== 'HEAD')
  for (const url of prefix === '' ? ['/*'] : [prefix, `${prefix}/*`])
    register(refusalConstraint, [...methods], url)
  // createRouting() only chooses this one if the app has no OPTIONS route for the path.
  register(optionsConstraint, 'OPTIONS', `${mount}/*`)

  // These come after the routes above, which make Fastify create its default compiler.
  const serializerCompiler = shareSerializers(app) as never
  for (const { method, pattern, name, constraint, options } of groups) {
    app.route({
      serializerCompiler,
      ...options,
      ...translationHooks(options),
      ...(options['schema'] !== undefined && {
        schema: withPlainJson(api, options['schema'] as ContentSchema),
      }),
      validatorCompiler: validatorCompilerOf(app, options) as never,
      method: method as HTTPMethods,
      ...globOptions(mount + (mount && pattern === '/' ? '' : pattern), options['onRequest']),
      constraints: { [strategy]: constraint },
      ...(method === 'GET' && { exposeHeadRoute: true }),
      prefixTrailingSlash: 'no-slash',
      handler: named(name, (options['websocket'] === true ? serveSocket : serve) as typeof serve),
    })
  }

  /**
   * Requests are refused in `onRequest`, before their body is read. OPTIONS isn't, so that hooks
   * can respond to CORS preflights.
   */
  function register(constraint: string, method: string | string[], url: string): void {
    app.route({
      method: method as HTTPMethods,
      url,
      constraints: { [strategy]: constraint },
      ...(method.includes('GET') && { exposeHeadRoute: true }),
      // Hides the routes from @fastify/swagger's documents.
      schema: {
        hide: true,
        response: {},
        ...(constraint === refusalConstraint && querystring && { querystring }),
      } as NonNullable<RouteOptions['schema']>,
      handler: refuse,
    })
  }
}

/** Gives each route a separate function with the action's name, because tracing tools show it. */
const named = (name: string, handler: typeof serve): typeof serve =>
  Object.defineProperty(handler.bind(undefined), 'name', { value: name })

/** Fastify's globs have no names, so their value is the parameter `*`. */
function globOptions(pattern: string, onRequest: unknown): Pick<RouteOptions, 'url' | 'onRequest'> {
  const url = pattern.replace(/(?<=\*)\w+$/, '')
  if (url === pattern) return { url }
  const rename: onRequestHookHandler = (request, _reply, done) => {
    const { '*': _glob, ...params } = request.params as Record<string, string>
    request.params = { ...params, ...request.apiMatch!.params }
    done()
  }
  return { url, onRequest: [rename, onRequest ?? []].flat() as onRequestHookHandler[] }
}

/** Fastify 4 doesn't list its methods. */
const methodsOf = ({ supportedMethods }: Partial<FastifyInstance>): readonly string[] =>
  supportedMethods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
