// Middleware that a module has meant for the API, and that never runs for it.
import type { Type } from '@nestjs/common'
import { type ApplicationConfig, MetadataScanner } from '@nestjs/core'
import type { Served } from './handlers.ts'
import { type MiddlewareRoute, type NotedMiddleware, PATH_METADATA } from './internals.ts'

/** An API's methods and paths. */
export type Paths = readonly (readonly [method: string, path: string])[]

/**
 * `forRoutes(UsersV1)` only reaches the routes that Nest finds in the class, which versioned ones
 * aren't.
 *
 * @returns warnings
 * @throws Error if the class has no other routes
 */
export function checkClasses(served: readonly Served[], { classes }: NotedMiddleware): string[] {
  const named = new Set<Type>(
    served.map(({ metatype }) => metatype).filter((metatype) => classes.includes(metatype)),
  )
  return [...named].map(({ name, prototype }) => {
    const message =
      `forRoutes(${name}) doesn't reach ${name}'s versioned routes, so their middleware ` +
      "doesn't run. Name their paths, as in forRoutes('api/*path') ('api/*' on Nest 10), or use a guard."
    const methods = new MetadataScanner().getAllMethodNames(prototype)
    if (!methods.some((method) => Reflect.hasMetadata(PATH_METADATA, prototype[method])))
      throw new Error(message)
    return message
  })
}

/**
 * Finds middleware whose path is one of the API's, or the start of one, and that runs for none of
 * them. On Fastify, a path without a wildcard doesn't cover the paths below it.
 *
 * @returns warnings about paths that cover only a part of what they start
 * @throws Error that says what to write
 */
export function checkReach(
  paths: Paths,
  { routes }: NotedMiddleware,
  config: ApplicationConfig,
  isFastify: boolean,
): string[] {
  const global = config.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')
  return routes.flatMap((route) => {
    const { path, method } = route
    const plain = path.replaceAll(/^\/|\/$/g, '')
    // Patterns that only path-to-regexp understands aren't judged.
    if (plain === '' || /[?+[\]|\\]|\((?!\.\*\))/.test(path)) return []
    const concerned = paths
      .filter(([pathMethod]) => method === 'ALL' || method === pathMethod)
      .map(([, apiPath]) => apiPath)
    const spellings = [plain, `${global}/${plain}`]
    if (plain.startsWith(`${global}/`)) spellings.push(plain.slice(global.length + 1))
    const named = concerned.filter((apiPath) =>
      spellings.some((spelling) => covers(spelling, apiPath, true)),
    )
    if (named.length === 0) return []
    if (!named.some((apiPath) => runsFor(route, apiPath, isFastify)))
      throw new Error(describeMissed(route, named[0]!, global))

    if (!isFastify || /[*:({]/.test(plain)) return []
    const missed = named.find(
      (apiPath) => !route.siblings.some((sibling) => runsFor(sibling, apiPath, true)),
    )
    if (missed === undefined) return []
    return [
      `The middleware of forRoutes('${path}') doesn't run for ${missed} on Fastify. To cover it, write ` +
        `forRoutes('${plain}', '${plain}/*path') ('${plain}/*' on Nest 10).`,
    ]
  })
}

/** Whether middleware runs for one of the API's paths. */
function runsFor(
  { path, mounted, excluded }: MiddlewareRoute,
  apiPath: string,
  isFastify: boolean,
): boolean {
  // `exclude('api/*path').forRoutes('*path')` says what it means.
  const isCatchAll = /^\/?(?:\*\w*|\(\.\*\)|\{\*\w+\})$/.test(path)
  if (!isCatchAll && excluded.some((exclusion) => covers(exclusion, apiPath, false))) return false
  return mounted.some((pattern) => covers(pattern, apiPath, !isFastify))
}

/**
 * Whether a middleware path, such as `api/:name/*path`, matches a path, or only the start of it.
 * Nest marks exact ones with `$`.
 */
function covers(pattern: string, path: string, isStart: boolean): boolean {
  const source = pattern
    .replaceAll(/^\/|\/?\$?$/g, '')
    .replaceAll('.', '\\.')
    .replaceAll(/\(\\\.\*\)|\*\w*/g, '.*')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')?')
  const end = isStart && !pattern.endsWith('$') ? '(?:/|$)' : '/?$'
  return new RegExp(source === '' ? `^${end}` : `^/${source}${end}`, 'i').test(path)
}

function describeMissed(
  { path, excluded }: MiddlewareRoute,
  apiPath: string,
  global: string,
): string {
  const what = `VersionedApiModule.forRoot(): the middleware of forRoutes('${path}') runs for no route of the API`
  const plain = path.replace(/^\//, '')
  if (excluded.some((exclusion) => covers(exclusion, apiPath, false)))
    return `${what}, because exclude() takes them all away.`
  if (global !== '' && plain.startsWith(`${global}/`))
    return (
      `${what}. It means /${global}/${plain}, because Nest adds the global prefix. ` +
      `Leave that out: forRoutes('${plain.slice(global.length + 1)}').`
    )
  if (global !== '' && !`${apiPath}/`.startsWith(`/${global}/`))
    return (
      `${what}, because Nest expects ${apiPath} behind the global prefix. Exclude the API's paths ` +
      `from it: setGlobalPrefix('${global}', { exclude: ['${apiPath.slice(1)}', …] }).`
    )
  return `${what}. Write forRoutes('${plain}/*path') ('${plain}/*' on Nest 10), or use a guard.`
}
