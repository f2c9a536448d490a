// What Nest has at the API's paths: middleware that never runs there, and routes of its own.
import { shapeOf } from '@hv/router/internal'
import { RequestMethod } from '@nestjs/common'
import type { Served } from './handlers.ts'
import {
  type MiddlewareCall,
  type MiddlewareRoute,
  type NestContainer,
  type RouteInfo,
  nestRoutesOf,
  notedMiddleware,
} from './internals.ts'

/** A method and a path of the API. */
export type ApiPath = readonly [method: string, path: string]

/**
 * Finds middleware that doesn't run for the routes that it names: by class, which only reaches the
 * routes that Nest finds in it, or by a path that is one of the API's, or the start of one.
 *
 * @returns warnings about paths that cover only a part of what they start, on Fastify
 * @throws Error that says what to write
 */
export function checkMiddleware(
  served: readonly Served[],
  prefix: string,
  paths: readonly ApiPath[],
  container: NestContainer,
): string[] {
  const isFastify = isOnFastify(container)
  const global = container.applicationConfig!.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')
  const calls = notedMiddleware.get(container.getHttpAdapterRef()) ?? []
  return calls.flatMap((call) => {
    const related = calls.filter(({ middleware }) =>
      middleware.some((item) => call.middleware.includes(item)),
    )
    const isReached = (path: ApiPath): boolean =>
      isExcluded(call, path) ||
      related.some(({ routes }) => routes.some((route) => isMounted(route, path, isFastify)))
    for (const { metatype, row } of served)
      if (call.targets.includes(metatype) && !isReached([row.method, prefix + row.pattern]))
        throw new Error(
          `forRoutes(${metatype.name}) doesn't reach ${metatype.name}'s versioned routes, so their ` +
            "middleware doesn't run. Name their paths, as in forRoutes('api/*path') ('api/*' on Nest 10), or use a guard.",
        )

    return call.routes.flatMap((route) => {
      const plain = route.path.replaceAll(/^\/|\/$/g, '')
      // Patterns that only path-to-regexp understands aren't judged.
      if (plain === '' || /[?+[\]|\\]|\((?!\.\*\))/.test(plain)) return []
      const spellings = [plain, `${global}/${plain}`]
      if (plain.startsWith(`${global}/`)) spellings.push(plain.slice(global.length + 1))
      const patterns = spellings.map((spelling) => patternOf(spelling, true))
      const named = paths.filter(
        ([method, path]) =>
          hasMethod(route, method) && patterns.some((pattern) => pattern.test(path)),
      )
      if (named.length === 0) return []
      // `exclude('api/*path').forRoutes('*path')` says what it means.
      const isCatchAll = /^(?:\*\w*|\(\.\*\)|\{\*\w+\})$/.test(plain)
      const runs = (path: ApiPath): boolean =>
        isMounted(route, path, isFastify) && (isCatchAll || !isExcluded(call, path))
      if (!named.some(runs)) throw new Error(describeMissed(call, route, named[0]!, global))

      const missed = named.find((path) => !isReached(path))
      if (!isFastify || /[*:({]/.test(plain) || missed === undefined) return []
      return [
        `The middleware of forRoutes('${route.path}') doesn't run for ${missed[1]} on Fastify. To cover it, write ` +
          `forRoutes('${plain}', '${plain}/*path') ('${plain}/*' on Nest 10).`,
      ]
    })
  })
}

/** Describes Nest's own routes at the API's paths: on Express they come first, on Fastify the API. */
export function describeSharedPaths(paths: readonly ApiPath[], container: NestContainer): string[] {
  const isFastify = isOnFastify(container)
  return nestRoutesOf(container).flatMap((info) => {
    const pattern = patternOf(info.path, false)
    const shared = paths.find(
      ([method, path]) =>
        hasMethod(info, method) &&
        (isFastify ? shapeOf(info.path) === shapeOf(path) : pattern.test(path)),
    )
    if (shared === undefined) return []
    return [
      `Nest's route ${info.path} also takes ${shared.join(' ')}, which the API has. ` +
        `${isFastify ? "The API's" : "Nest's"} gets the requests.`,
    ]
  })
}

const isOnFastify = (container: NestContainer): boolean =>
  container.getHttpAdapterRef().getType() === 'fastify'

/** Nest gives paths that are text no method. */
const hasMethod = (info: RouteInfo, method: string): boolean =>
  [method, 'ALL', undefined].includes(RequestMethod[info.method])

const isMounted = (route: MiddlewareRoute, [method, path]: ApiPath, isFastify: boolean): boolean =>
  hasMethod(route, method) &&
  route.mounted.some((pattern) => patternOf(pattern, !isFastify).test(path))

const isExcluded = ({ excluded }: MiddlewareCall, [method, path]: ApiPath): boolean =>
  excluded.some((info) => hasMethod(info, method) && patternOf(info.path, false).test(path))

/**
 * Whether a middleware path, such as `api/:name/*path`, matches a path, or only the start of it.
 * Nest marks exact ones with `$`.
 */
function patternOf(path: string, isStart: boolean): RegExp {
  const source = path
    .replaceAll(/^\/|\/?\$?$/g, '')
    .replaceAll('.', '\\.')
    .replaceAll(/\(\\\.\*\)|\*\w*/g, '.*')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')?')
  const end = isStart && !path.endsWith('$') ? '(?:/|$)' : '/?$'
  return new RegExp(source === '' ? `^${end}` : `^/${source}${end}`, 'i')
}

function describeMissed(
  call: MiddlewareCall,
  { path, mounted }: MiddlewareRoute,
  apiPath: ApiPath,
  global: string,
): string {
  const what = `VersionedApiModule.forRoot(): the middleware of forRoutes('${path}') runs for no route of the API`
  if (isExcluded(call, apiPath)) return `${what}, because exclude() takes them all away.`
  const where = `${what}. Nest runs it at ${mounted.join(' and ')}, and the API has ${apiPath[1]}.`
  const [plain, apiPlain] = [path, apiPath[1]].map((text) => text.replace(/^\//, ''))
  if (global !== '' && plain!.startsWith(`${global}/`))
    return `${where} Leave the global prefix out: forRoutes('${plain!.slice(global.length + 1)}').`
  if (global !== '' && !apiPlain!.startsWith(`${global}/`))
    return (
      `${where} Exclude the API's paths from the global prefix: ` +
      `setGlobalPrefix('${global}', { exclude: ['${apiPlain}', …] }).`
    )
  return `${where} Write forRoutes('${plain}/*path') ('${plain}/*' on Nest 10), or use a guard.`
}
