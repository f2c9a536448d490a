import { type Api, type Miss, RouterError, type Row, routeTable } from '@hv/router'
import type { BoundAction } from '@hv/router/adapter'
import type { FastifyInstance, HTTPMethods } from 'fastify'

/** find-my-way keeps the handlers of one node in 31 bits; one is left for a route of the app's own. */
const maxVersions = 30

/** The constraint values of the two routes that answer misses. */
const missRoute = { answers: 'misses' }
const optionsRoute = { answers: 'OPTIONS' }
export const missTarget = ({ code }: Miss): object | null =>
  code === 'unknown-path' ? null : code === 'options' ? optionsRoute : missRoute

/** Registers every row as a route of its own, and the two that answer misses. */
export function registerRoutes(
  app: FastifyInstance,
  api: Api,
  constraint: string,
  actions: ReadonlyMap<Row, BoundAction>,
): void {
  refuseTooManyVersions(api)
  for (const row of routeTable(api)) {
    const { handler, options } = actions.get(row)!
    for (const url of urlsOf(app, api, row))
      app.route({
        ...options,
        exposeHeadRoute: true,
        method: row.method as HTTPMethods,
        url,
        constraints: { [constraint]: row },
        handler: handler as never,
      })
  }

  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false, handler: () => {} } // answered in onRequest
  const methods = app.supportedMethods.filter((method) => method !== 'OPTIONS')
  const { namespace = 'api', path = namespace } = api.options
  const base = path
    .split('/')
    .filter(Boolean)
    .map((part) => `/${part}`)
    .join('')
  for (const url of base === '' ? ['/*'] : [base, `${base}/*`])
    app.route({ ...hidden, method: methods, url, constraints: { [constraint]: missRoute } })
  // At the root of the prefix: an OPTIONS route of the app's own is nearer to any path, and wins.
  app.route({ ...hidden, method: 'OPTIONS', url: '/*', constraints: { [constraint]: optionsRoute } })
}

/** A row's path as find-my-way writes it: with and without format, with and without the trailing slash. */
function urlsOf(app: FastifyInstance, api: Api, { path }: Row): readonly string[] {
  const plain = path.replace('(.:format)', '')
  if (plain === '/') return [plain]
  const endsInParam = plain.slice(plain.lastIndexOf('/') + 1).startsWith(':') // which takes an extension along
  const urls = endsInParam || api.options.formats === false ? [plain] : [plain, `${plain}.:format`]
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  return (routerOptions?.ignoreTrailingSlash ?? ignoreTrailingSlash) ? urls : urls.flatMap((url) => [url, `${url}/`])
}

function refuseTooManyVersions(api: Api): void {
  const versions = new Map<string, number>()
  for (const { method, path } of routeTable(api)) {
    const place = `${method} ${path.replace(/:\w+/g, ':')}`
    const count = (versions.get(place) ?? 0) + 1
    versions.set(place, count)
    if (count > maxVersions)
      throw new RouterError(
        'HV_TOO_MANY_VERSIONS',
        `${method} ${path} stands in more than ${maxVersions} versions, which is what Fastify can hold on one path. ` +
          'Retire old versions, or serve them from a second Fastify instance.',
        { method, path, max: maxVersions },
      )
  }
}
