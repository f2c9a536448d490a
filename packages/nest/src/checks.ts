// What would fail silently stops the start of the app, or logs a warning.
import type { Type } from '@nestjs/common'
import { type AbstractHttpAdapter, MetadataScanner } from '@nestjs/core'
import type { FastifyInstance } from 'fastify'
import type { Served } from './handlers.ts'
import { describeOverrides } from './inheritance.ts'
import { type NestContainer, PATH_METADATA, ROUTE_ARGS_METADATA, middlewareRoutes, paramType } from './internals.ts'

/**
 * Checks what serves an API. Returns the warnings.
 *
 * @param prefix - the path in front of the API's own
 * @throws Error for a `@Param()` that no path has, and for middleware that would never run
 */
export function check(served: readonly Served[], prefix: string, container: NestContainer): readonly string[] {
  assertParameters(served)
  const warnings = [
    ...describeMiddleware(served, container),
    ...served.flatMap(describeOverrides),
    ...describePrefix(served, prefix, container),
    ...describeOverlaps(served, prefix, container.getHttpAdapterRef()),
  ]
  return [...new Set(warnings)]
}

/** An action may have several paths: its `@Param('id')` has to be in one of them. */
function assertParameters(served: readonly Served[]): void {
  const problems = new Set<string>()
  for (const { metatype, row } of served)
    for (const name of namesOf(metatype, row.action)) {
      if (hasParameter(row.pattern, name)) continue
      const rows = served.filter((other) => other.metatype === metatype && other.row.action === row.action)
      const paths = [...new Set(rows.map((other) => other.row.pattern))]
      if (!paths.some((path) => hasParameter(path, name)))
        problems.add(`${metatype.name}.${row.action}() has @Param('${name}'), which is not in ${paths.join(' and ')}`)
    }
  if (problems.size > 0) throw new Error(`VersionedApiModule.forRoot(): ${[...problems].join('; ')}.`)
}

/** The names that the `@Param()` of a method ask for. */
const namesOf = (metatype: Type, action: string): readonly string[] =>
  Object.entries<{ data?: unknown }>(Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, action) ?? {}).flatMap(
    ([key, { data }]) => (key.startsWith(`${paramType}:`) && typeof data === 'string' ? [data] : []),
  )

const hasParameter = (pattern: string, name: string): boolean =>
  [...pattern.matchAll(/[:*](\w+)/g)].some(([, parameter]) => parameter === name)

/** `forRoutes(UsersV1)` reaches the routes that Nest finds in the class, and no others. */
function describeMiddleware(served: readonly Served[], container: NestContainer): readonly string[] {
  const named = middlewareRoutes.get(container.getHttpAdapterRef()) ?? []
  const classes = new Set(served.map(({ metatype }) => metatype).filter((metatype) => named.includes(metatype)))
  return [...classes].map(({ name, prototype }) => {
    const message =
      `forRoutes(${name}) does not reach the versioned routes of ${name}, so their middleware does not run. ` +
      "Name their path, as in forRoutes('api/users'), or use a guard."
    const methods = new MetadataScanner().getAllMethodNames(prototype)
    if (!methods.some((method) => Reflect.hasMetadata(PATH_METADATA, prototype[method]))) throw new Error(message)
    return message
  })
}

/** Nest puts its global prefix in front of the paths of middleware, unless it's told to exclude them. */
function describePrefix(served: readonly Served[], prefix: string, container: NestContainer): readonly string[] {
  const config = container.applicationConfig!
  const global = config.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')
  const { exclude = [] } = config.getGlobalPrefixOptions()
  const modules = [...container.getModules().values()]
  const hasMiddleware = modules.some(({ metatype }) => typeof metatype?.prototype?.configure === 'function')
  if (global === '' || !hasMiddleware) return []
  const included = served
    .map(({ row }) => prefix + row.pattern)
    .filter((path) => !exclude.some(({ pathRegex }) => pathRegex.test(path)))
  const missed = included.find((path) => !path.startsWith(`/${global}/`))
  const doubled = (middlewareRoutes.get(container.getHttpAdapterRef()) ?? [])
    .map((route) => String((route as { path?: string }).path ?? route).replace(/^\//, ''))
    .filter((path) => path.startsWith(`${global}/`))
    .filter((path) => included.some((ours) => `${ours}/`.startsWith(`/${path.replace(/\/?[*:({].*/, '')}/`)))
  return [
    ...(missed === undefined
      ? []
      : [
          `Middleware of modules does not run for ${missed}, because Nest looks for it behind the global prefix. ` +
            `Exclude the API from the prefix: setGlobalPrefix('${global}', { exclude: ['${missed.slice(1)}', …] }).`,
        ]),
    ...doubled.map(
      (path) =>
        `forRoutes('${path}') means /${global}/${path}, because Nest puts the global prefix in front of it. ` +
        `Leave it out: forRoutes('${path.slice(global.length + 1)}').`,
    ),
  ]
}

/** What is in Express's list of routes and middleware. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> }
  match(path: string): boolean
}

/** Routes that Nest and the API both have: on Express Nest's comes first, on Fastify the API's. */
function describeOverlaps(served: readonly Served[], prefix: string, adapter: AbstractHttpAdapter): readonly string[] {
  const names = new Set(served.map(({ row }) => `${row.method} ${prefix}${row.pattern}`))
  const routes = [...names].map((name) => name.split(' ') as [method: string, path: string])
  const app = adapter.getInstance()
  if (adapter.getType() === 'fastify')
    return routes.flatMap(([method, url]) => {
      const route = (app as FastifyInstance).findRoute({ method: method as 'GET', url })
      // The parameters of a catch-all, or of `/api/:name`, are names in the path of the API.
      if (route === null || !Object.values(route.params).every((value) => value?.startsWith(':'))) return []
      return [`A route of a Nest controller gets no requests, because the API has ${method} ${url}.`]
    })
  return ((app._router ?? app.router).stack as Layer[]).flatMap((layer) => {
    const { path: own, methods } = layer.route ?? { path: '', methods: {} }
    const taken = routes.find(([method, path]) => methods[method.toLowerCase()] && layer.match(path))
    return taken ? [`The route ${own} comes before the API and responds to ${taken.join(' ')} in its place.`] : []
  })
}
