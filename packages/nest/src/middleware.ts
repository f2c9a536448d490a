// Finds what clashes with the API's paths: middleware that never runs there, and Nest's own routes.
import { shapeOf } from '@hv/router/internal'
import { RequestMethod } from '@nestjs/common'
import type { Served } from './handlers.ts'
import {
  type MiddlewareRoute,
  type NestContainer,
  type RouteInfo,
  nestRoutesOf,
  notedMiddleware,
} from './internals.ts'

const remedy =
  "Pass forRoutes() the API's paths without the global prefix, as in 'api/*path' ('api/*' on " +
  "Nest 10). If the API isn't below that prefix, list its paths in setGlobalPrefix()'s `exclude` " +
  'as well. Or use a guard.'

/**
 * Finds middleware that doesn't run for the routes that it names: by class, which only reaches the
 * routes that Nest finds in it, or by a path that is one of the API's, or the start of one.
 *
 * @returns warnings about paths that cover only a part of what they start, on Fastify
 * @throws Error that says what to write
 */
export function checkMiddleware(endpoints: readonly Served[], container: NestContainer): string[] {
  const isFastify = container.getHttpAdapterRef().getType() === 'fastify'
  const global = container.applicationConfig!.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')
  const calls = notedMiddleware.get(container.getHttpAdapterRef()) ?? []
  // Nest mounts text with Express's use(), which also runs below it. With a method, even ALL, and
  // on Fastify, middleware runs at its path alone.
  const runsBelow = ({ method }: MiddlewareRoute) => !isFastify && !(method in RequestMethod)
  const isMounted = (route: MiddlewareRoute, endpoint: Served) =>
    route.mounted.some((path) => matches({ ...route, path }, endpoint, runsBelow(route)))

  return calls.flatMap((call) => {
    const related = calls.filter(({ middleware }) =>
      middleware.some((item) => call.middleware.includes(item)),
    )
    const isExcluded = (endpoint: Served) =>
      call.excluded.some((info) => matches(info, endpoint, false))
    const isReached = (endpoint: Served) =>
      isExcluded(endpoint) ||
      related.some(({ routes }) => routes.some((route) => isMounted(route, endpoint)))
    const coversAny = (route: MiddlewareRoute) =>
      endpoints.some((endpoint) => !isExcluded(endpoint) && isMounted(route, endpoint))
    for (const endpoint of endpoints)
      if (call.targets.includes(endpoint.metatype) && !isReached(endpoint))
        throw new Error(
          `forRoutes(${endpoint.metatype.name}) doesn't reach its versioned routes, so their ` +
            `middleware doesn't run. ${remedy}`,
        )

    return call.routes.flatMap((route) => {
      const plain = route.path.replaceAll(/^\/|\/$/g, '')
      // Patterns that only path-to-regexp understands aren't checked.
      if (/[?+[\]|\\]|\((?!\.\*\))/.test(plain)) return []
      if (plain === '' && !runsBelow(route)) return [] // the root alone
      const withoutGlobal = plain.startsWith(`${global}/`) ? plain.slice(global.length + 1) : plain
      const named = endpoints.filter((endpoint) =>
        [plain, withoutGlobal, `${global}/${plain}`].some((path) =>
          matches({ ...route, path }, endpoint, true),
        ),
      )
      const [first] = named
      if (!first) return []
      // `exclude('api/*path').forRoutes('*path')` says what it means.
      const isCatchAll = /^(?:\*\w*|\(\.\*\)|\{\*\w+\})?$/.test(plain)
      const covered = isCatchAll ? named : named.filter((endpoint) => !isExcluded(endpoint))
      const what = `middleware of forRoutes('${route.path}')`
      // exclude() may take away one path of several.
      if (isExcluded(first) && call.routes.some(coversAny)) return []
      if (!covered.some((endpoint) => isMounted(route, endpoint))) {
        const why = isExcluded(first)
          ? ', because exclude() takes them all away.'
          : `. Nest runs it at ${route.mounted.join(' and ')}, and the API has ${first.path}. ${remedy}`
        throw new Error(
          `VersionedApiModule.forRoot(): the ${what} runs for no route of the API${why}`,
        )
      }

      const missed = named.find((endpoint) => !isReached(endpoint))
      if (!isFastify || /[*:({]/.test(plain) || !missed) return []
      return [`The ${what} doesn't run for ${missed.path} on Fastify. ${remedy}`]
    })
  })
}

/**
 * Describes Nest's own routes at the API's paths: on Express they come first, on Fastify the API.
 */
export function describeSharedPaths(
  endpoints: readonly Served[],
  container: NestContainer,
): string[] {
  const isFastify = container.getHttpAdapterRef().getType() === 'fastify'
  return nestRoutesOf(container).flatMap((info) => {
    const shared = endpoints.find(
      (endpoint) =>
        matches(info, endpoint, false) &&
        (!isFastify || shapeOf(info.path) === shapeOf(endpoint.path)),
    )
    if (!shared) return []
    return [
      `Nest's route ${info.path} also takes ${shared.row.method} ${shared.path}, which the API has. ` +
        `${isFastify ? "The API's" : "Nest's"} gets the requests.`,
    ]
  })
}

/**
 * Whether Nest's path, such as `api/:name/*path`, matches an endpoint's path, or only the start of
 * it. Nest marks exact paths with `$`, and leaves out the method of paths that were passed as text.
 */
function matches(info: RouteInfo, { row, path }: Served, isStart: boolean): boolean {
  if (![row.method, 'ALL', undefined].includes(RequestMethod[info.method])) return false
  const source = info.path
    .replaceAll(/^\/|\/?\$?$/g, '')
    .replaceAll('.', '\\.')
    .replaceAll(/\(\\\.\*\)|\*\w*/g, '.*')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')?')
  const end = isStart && !info.path.endsWith('$') ? '(?:/|$)' : '/?$'
  return new RegExp(`^${source && '/'}${source}${end}`, 'i').test(path)
}
