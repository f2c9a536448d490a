import type { Served } from './handlers.ts'
import { type ApplicationConfig, METHOD_METADATA, type NestContainer } from './internals.ts'

/** A route that Nest has registered. */
export interface NestRoute {
  readonly name: string
  /** `ALL`, or the method. */
  readonly method: string
  readonly path: string
}

/** The routes of the app that are Nest's own, with the global prefix and the versions of their paths. */
export const nestRoutes = (container: NestContainer): readonly NestRoute[] =>
  Object.values(container.serializedGraph.toJSON().entrypoints)
    .flat()
    .filter(({ type }) => type === 'http-endpoint')
    .map(({ className, methodName, metadata }) => {
      const { path, requestMethod } = metadata as unknown as { path: string; requestMethod: string }
      return { name: `${className}.${methodName}()`, method: requestMethod, path }
    })

/**
 * Describes the routes that Nest and the API both have. On Express Nest's comes first, on Fastify the API's, whose routes are more
 * specific than a catch-all.
 */
export function describeOverlaps(
  served: readonly Served[],
  prefix: string,
  routes: readonly NestRoute[],
  platform: 'express' | 'fastify',
): readonly string[] {
  return routes.flatMap(({ name, method, path }) => {
    const pattern = expressionOf(path)
    const overlaps = served.some(
      ({ row }) => (method === 'ALL' || method === row.method) && pattern.test(prefix + row.pattern),
    )
    if (!overlaps) return []
    if (platform === 'express')
      return [`${name} responds to ${method} ${path} in place of the versioned routes below it.`]
    return path.includes('*') ? [] : [`${name} gets no requests: ${method} ${path} is a path of the versioned API.`]
  })
}

/** The paths of a route of Nest: `/users/:id`, `/*`, `/*path`, `/{*path}`, `/(.*)`. */
function expressionOf(path: string): RegExp {
  const source = path
    .replace(/(?<=.)\/$/, '')
    .replaceAll(/\{?\/?\{?(?:\*\w*|\(\.\*\))\}*|:\w+(?:\([^)]*\))?|[\\^$.*+?()[\]{}|]/g, (part) => {
      if (part.startsWith(':')) return '[^/]+'
      return part.includes('*') ? '(?:/.*)?' : `\\${part}`
    })
  return new RegExp(`^${source}$`)
}

/**
 * Describes the versioned classes that modules passed to `forRoutes()`, where only routes of Nest count.
 *
 * @throws Error if a class has none, so that the middleware would never run
 */
export function describeMiddleware(served: readonly Served[], named: ReadonlySet<unknown>): readonly string[] {
  const classes = new Set(served.map(({ metatype }) => metatype).filter((metatype) => named.has(metatype)))
  return [...classes].map(({ name, prototype }) => {
    const methods = Object.values(Object.getOwnPropertyDescriptors(prototype)).map(({ value }) => value as unknown)
    const message =
      `forRoutes(${name}) does not reach the versioned routes of ${name}, so their middleware does not run. ` +
      "Name their path, as in forRoutes('api/users'), or use a guard."
    if (!methods.some((method) => typeof method === 'function' && Reflect.hasMetadata(METHOD_METADATA, method)))
      throw new Error(message)
    return message
  })
}

/** Describes the paths of the API that no middleware of a module reaches, because Nest looks for them behind its global prefix. */
export function describePrefix(
  served: readonly Served[],
  prefix: string,
  config: ApplicationConfig,
  container: NestContainer,
): readonly string[] {
  const global = `/${config.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')}`
  const { exclude = [] } = config.getGlobalPrefixOptions()
  const modules = [...container.getModules().values()]
  const hasMiddleware = modules.some(({ metatype }) => typeof metatype?.prototype?.configure === 'function')
  if (global === '/' || !hasMiddleware) return []
  const missed = served
    .map(({ row }) => prefix + row.pattern)
    .find((path) => !path.startsWith(`${global}/`) && !exclude.some(({ pathRegex }) => pathRegex.test(path)))
  if (missed === undefined) return []
  return [
    `Middleware of modules does not run for ${missed}, because Nest looks for it behind the global prefix. ` +
      `Exclude the API from the prefix: setGlobalPrefix('${global.slice(1)}', { exclude: ['${missed.slice(1)}', …] }).`,
  ]
}
