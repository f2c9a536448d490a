import type { Api } from '@hv/router'
import { translationOf } from '@hv/router/adapter'
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
import { translationHooks } from './translate.ts'

/**
 * Registers the Fastify routes of an API: one per group, at the path of the route file, and those that refuse.
 *
 * @param strategy - the name of the constraint strategy
 */
export function registerRoutes(
  app: FastifyInstance,
  api: Api,
  strategy: string,
  groups: Iterable<Group>,
  refuse: RouteHandlerMethod,
): void {
  const translated = Array.from(groups, (group) => ({
    group,
    translation: translationOf(group.options),
  }))
  const schemas = translated.map(({ group, translation }) =>
    schemaForCompiler(group.options, translation),
  )
  const querystring = schemas.find((schema) => schema !== undefined)

  const { prefix } = api.settings
  const methods = methodsOf(app).filter((method) => method !== 'OPTIONS' && method !== 'HEAD')
  for (const url of prefix === '' ? ['/*'] : [prefix, `${prefix}/*`])
    register(refusalConstraint, [...methods], url)
  // OPTIONS routes of the app are more specific than this one and win.
  register(optionsConstraint, 'OPTIONS', '/*')

  const serializerCompiler = shareSerializers(app) as never // after the routes above, with which Fastify sets up its own
  for (const { group, translation } of translated) {
    const { method, pattern, name, constraint, options: own } = group
    app.route({
      serializerCompiler,
      ...own,
      ...translationHooks(own, translation),
      ...(own['schema'] !== undefined && {
        schema: withPlainJson(api, own['schema'] as ContentSchema),
      }),
      validatorCompiler: validatorCompilerOf(app, own, translation) as never,
      method: method as HTTPMethods,
      ...globOptions(pattern, own['onRequest']),
      constraints: { [strategy]: constraint },
      ...(method === 'GET' && { exposeHeadRoute: true }),
      prefixTrailingSlash: 'no-slash',
      handler: named(name, (own['websocket'] === true ? serveSocket : serve) as typeof serve),
    })
  }

  /** OPTIONS passes the hooks that respond to CORS preflights. Other requests are refused in `onRequest`: their body is not read. */
  function register(constraint: string, method: string | string[], url: string): void {
    app.route({
      method: method as HTTPMethods,
      url,
      constraints: { [strategy]: constraint },
      ...(method.includes('GET') && { exposeHeadRoute: true }),
      // Hidden from the documents of @fastify/swagger.
      schema: {
        hide: true,
        response: {},
        ...(constraint === refusalConstraint && querystring && { querystring }),
      } as NonNullable<RouteOptions['schema']>,
      handler: refuse,
    })
  }
}

/** Each route has its own function, named after the action: tracing tools show the name. */
const named = (name: string, handler: typeof serve): typeof serve =>
  Object.defineProperty(handler.bind(undefined), 'name', { value: name })

/** Fastify's globs have no name: their value is the parameter `*`. */
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

/** Fastify 4 does not list its methods. */
const methodsOf = ({ supportedMethods }: Partial<FastifyInstance>): readonly string[] =>
  supportedMethods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
