import { type Api, type Miss, RouterError, type Row, routeTable } from '@hv/router'
import type { BoundAction } from '@hv/router/adapter'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'

/** find-my-way keeps the handlers of one node in 31 bits; one is left for a route of the app's own. */
const maxVersions = 30

/** An action, and the first row of its group: the constraint value that opens the route of the group. */
export interface GroupedAction extends BoundAction {
  readonly group: Row
}

/** The constraint values of the two routes that answer misses. */
const misses = { answers: 'misses' }
const allOptions = { answers: 'OPTIONS' }
export const missGroup = ({ code }: Miss): object | undefined =>
  code === 'unknown-path' ? undefined : code === 'options' ? allOptions : misses

/**
 * Groups what Fastify need not tell apart: the versions that give one method and path the same options, or none. It runs
 * one route for each group, as its time to start grows with the square of its routes.
 */
export function groupActions(api: Api, actions: ReadonlyMap<Row, BoundAction>): ReadonlyMap<Row, GroupedAction> {
  const groups = new Map<string, Row[]>()
  return new Map(
    routeTable(api).map((row) => {
      const { handler, options } = actions.get(row)!
      const place = `${row.method} ${row.path}`
      const known = groups.get(place) ?? []
      const group = known.find((first) => actions.get(first)!.options === options) ?? row
      if (group === row) groups.set(place, [...known, row])
      return [row, { handler, options, group }]
    }),
  )
}

/** Registers the groups, with the handler that calls the action of a request, and the two routes that answer misses. */
export function registerRoutes(
  app: FastifyInstance,
  api: Api,
  constraint: string,
  actions: ReadonlyMap<Row, GroupedAction>,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  const register = (group: object, method: string | string[], url: string, options: object): void =>
    void app.route({
      ...options,
      exposeHeadRoute: true,
      method: method as HTTPMethods,
      url,
      constraints: { [constraint]: group },
      handler,
    })

  const groups = [...actions].flatMap(([row, { group, options }]) => (group === row ? [{ row, options }] : []))
  refuseTooManyVersions(groups.map(({ row }) => row))
  for (const { row, options } of groups) {
    const [url, ...others] = waysToWrite(app, api, row.path.replace('(.:format)', ''))
    register(row, row.method, url!, options)
    const schema = { ...(options['schema'] as object), ...hidden.schema }
    for (const other of others) register(row, row.method, other, { ...options, schema })
  }

  const methods = app.supportedMethods.filter((method) => method !== 'OPTIONS' && method !== 'HEAD')
  const { namespace = 'api', path = namespace } = api.options
  const base = path
    .split('/')
    .filter(Boolean)
    .map((part) => `/${part}`)
    .join('')
  for (const url of base === '' ? ['/*'] : [...waysToWrite(app, api, base), `${base}/*`])
    register(misses, methods, url, hidden)
  // At the root of the prefix: an OPTIONS route of the app's own is nearer to any path, and wins.
  register(allOptions, 'OPTIONS', '/*', hidden)
}

/** Keeps a route out of the documents that @fastify/swagger makes. */
const hidden = { schema: { hide: true } }

/** A path as find-my-way writes it: with and without format, with and without the trailing slash. */
function waysToWrite(app: FastifyInstance, api: Api, path: string): readonly string[] {
  if (path === '/') return [path]
  const endsInParam = path.slice(path.lastIndexOf('/') + 1).startsWith(':') // which takes an extension along
  const urls = endsInParam || api.options.formats === false ? [path] : [path, `${path}.:format`]
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  return (routerOptions?.ignoreTrailingSlash ?? ignoreTrailingSlash) ? urls : urls.flatMap((url) => [url, `${url}/`])
}

function refuseTooManyVersions(groups: readonly Row[]): void {
  const versions = new Map<string, number>()
  for (const { method, path } of groups) {
    const place = `${method} ${path.replace(/:\w+/g, ':')}`
    const count = (versions.get(place) ?? 0) + 1
    versions.set(place, count)
    if (count > maxVersions)
      throw new RouterError(
        'HV_TOO_MANY_VERSIONS',
        `${method} ${path} has options of its own in more than ${maxVersions} versions, which is what Fastify can hold ` +
          'on one path. Retire old versions, serve them from a second Fastify instance, or make actions plain methods.',
        { method, path, max: maxVersions },
      )
  }
}
