// What would otherwise fail silently stops the app's start, or logs a warning.
import { type Row, type Settings, routeTable } from '@hv/router'
import type { Type } from '@nestjs/common'
import { type ApplicationConfig, MetadataScanner } from '@nestjs/core'
import type { FastifyInstance } from 'fastify'
import type { Served, VersionedApi } from './handlers.ts'
import { describeOverrides } from './inheritance.ts'
import {
  type NestContainer,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  middlewareRoutes,
  paramType,
} from './internals.ts'

/** An API's methods and paths. */
type Paths = readonly (readonly [method: string, path: string])[]
/** What the app's modules have passed to `forRoutes()`. */
type Named = readonly unknown[]

/**
 * Checks what serves an API, and returns the warnings.
 *
 * @throws Error for a `@Param()` that's in no path, and for middleware that would never run
 */
export function check(
  served: readonly Served[],
  api: VersionedApi,
  container: NestContainer,
): ReadonlySet<string> {
  assertParameters(served)
  const { prefix = '' } = api.options
  // Versions share most of these.
  const rows = new Map(served.map(({ row }) => [`${row.method} ${row.pattern}`, row]))
  const paths = [...rows.values()].map(({ method, pattern }) => [method, prefix + pattern] as const)
  const adapter = container.getHttpAdapterRef()
  const app = adapter.getInstance()
  const named = middlewareRoutes.get(adapter) ?? []
  return new Set([
    ...describeMiddleware(served, named),
    ...served.flatMap(describeOverrides),
    ...describePrefix(paths, named, container.applicationConfig!),
    ...(adapter.getType() === 'fastify'
      ? describeHiddenRoutes(paths, app)
      : describeLayers(paths, named, (app._router ?? app.router).stack, api.routes.settings)),
  ])
}

/**
 * Two APIs may share a prefix, but the first one responds for all methods of its paths. So a later
 * API's route with the same path would never get a request.
 *
 * @throws Error that names the first such route
 */
export function assertDistinctPaths(apis: readonly VersionedApi[]): void {
  const owners = new Map<string, { api: VersionedApi; methods: Set<string> }>() // by path
  for (const api of apis)
    for (const { method, pattern } of routeTable(api.routes)) {
      const path = (api.options.prefix ?? '') + pattern
      const shape = path.replaceAll(/(?<=\/[:*])\w+/g, '') // parameter names don't tell paths apart
      const owner = owners.get(shape) ?? { api, methods: new Set() }
      owners.set(shape, owner)
      if (owner.api === api) owner.methods.add(method)
      else
        throw new Error(
          describeShared(owner.methods.has(method) ? `${method} ${path}` : path, owner.api, api),
        )
    }
}

function describeShared(route: string, first: VersionedApi, second: VersionedApi): string {
  const [firstVendor, secondVendor] = [first, second].map(({ routes }) =>
    routes.settings.vendorType.slice('application/vnd.'.length),
  )
  const [where, remedy] =
    firstVendor === secondVendor
      ? [`in ${firstVendor} twice`, 'Import each API once.']
      : [
          `in both ${firstVendor} and ${secondVendor}`,
          'Only the first would get requests, so move one of them to a different path.',
        ]
  return `VersionedApiModule.forRoot(): ${route} is ${where}. ${remedy}`
}

/** Rejects a `@Param('id')` that's in none of its action's paths. */
function assertParameters(served: readonly Served[]): void {
  const problems = new Set<string>()
  for (const { metatype, row } of served)
    for (const name of namesOf(metatype, row.action)) {
      if (hasParameter(row, name)) continue
      const rows = served
        .filter((other) => other.metatype === metatype && other.row.action === row.action)
        .map((other) => other.row)
      if (rows.some((other) => hasParameter(other, name))) continue
      const paths = [...new Set(rows.map(({ pattern }) => pattern))].join(' and ')
      problems.add(
        `${metatype.name}.${row.action}() has @Param('${name}'), which isn't in ${paths}`,
      )
    }
  if (problems.size > 0)
    throw new Error(`VersionedApiModule.forRoot(): ${[...problems].join('; ')}.`)
}

/** Returns the names that a method's `@Param()`s ask for. */
const namesOf = (metatype: Type, action: string): string[] =>
  Object.entries<{ data?: unknown }>(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, action) ?? {},
  ).flatMap(([key, { data }]) =>
    key.startsWith(`${paramType}:`) && typeof data === 'string' ? [data] : [],
  )

const hasParameter = ({ pattern }: Row, name: string): boolean =>
  [...pattern.matchAll(/[:*](\w+)/g)].some(([, parameter]) => parameter === name)

/**
 * `forRoutes(UsersV1)` only reaches the routes that Nest finds in the class, which versioned ones
 * aren't.
 */
function describeMiddleware(served: readonly Served[], named: Named): string[] {
  const classes = new Set(
    served.map(({ metatype }) => metatype).filter((metatype) => named.includes(metatype)),
  )
  return [...classes].map(({ name, prototype }) => {
    const message =
      `forRoutes(${name}) doesn't reach ${name}'s versioned routes, so their middleware ` +
      "doesn't run. Name their paths, as in forRoutes('api/*path') ('api/*' on Nest 10), or use a guard."
    const methods = new MetadataScanner().getAllMethodNames(prototype)
    if (!methods.some((method) => Reflect.hasMetadata(PATH_METADATA, prototype[method])))
      throw new Error(message)
    return message
  })
}

/** Nest puts its global prefix in front of middleware's paths, unless the app excludes them. */
function describePrefix(paths: Paths, named: Named, config: ApplicationConfig): string[] {
  const global = config.getGlobalPrefix().replaceAll(/^\/|\/$/g, '')
  const { exclude = [] } = config.getGlobalPrefixOptions()
  if (global === '' || named.length === 0) return []
  const isIncluded = (path: string): boolean =>
    !exclude.some(({ pathRegex }) => pathRegex.test(path))
  const included = paths.map(([, path]) => path).filter(isIncluded)
  const missed = included.find((path) => !path.startsWith(`/${global}/`))
  const doubled = named
    .map((route) => String((route as { path?: string }).path ?? route).replace(/^\//, ''))
    .filter((path) => path.startsWith(`${global}/`))
    .filter((path) =>
      included.some((apiPath) => `${apiPath}/`.startsWith(`/${path.replace(/\/?[*:({].*/, '')}/`)),
    )
  const warnings = doubled.map(
    (path) =>
      `forRoutes('${path}') means /${global}/${path}, because Nest adds the global prefix. ` +
      `Leave it out: forRoutes('${path.slice(global.length + 1)}').`,
  )
  if (missed !== undefined)
    warnings.push(
      `The modules' middleware doesn't run for ${missed}, because Nest expects it behind the ` +
        "global prefix. Exclude the API's paths from the prefix: " +
        `setGlobalPrefix('${global}', { exclude: ['${missed.slice(1)}', …] }).`,
    )
  return warnings
}

/** On Fastify, an API's route hides a Nest route with the same path. */
const describeHiddenRoutes = (paths: Paths, app: FastifyInstance): string[] =>
  paths.flatMap(([method, url]) => {
    const route = app.findRoute({ method: method as 'GET', url })
    // If a catch-all or `/api/:name` matches, its values are parameter names from the API's path.
    if (route === null || !Object.values(route.params).every((value) => value?.startsWith(':')))
      return []
    return [`A route of a Nest controller gets no requests, because the API has ${method} ${url}.`]
  })

/** An entry in Express's list of routes and middleware. */
interface Layer {
  readonly route?: {
    readonly path: string | RegExp
    readonly methods: Readonly<Record<string, boolean>>
    readonly stack: readonly { readonly handle: object }[]
  }
  match(path: string): boolean
}

/**
 * On Express, describes what comes before the API: routes that take its requests, and middleware
 * that misses a path with an extension.
 */
function describeLayers(
  paths: Paths,
  named: Named,
  layers: readonly Layer[],
  { formats }: Settings,
): string[] {
  const extension = formats === 'any' ? 'json' : formats && formats[0]
  return layers.flatMap((layer) => {
    if (layer.route && !isMiddleware(layer.route, named)) {
      const { path: routePath, methods } = layer.route
      const taken = paths.find(
        ([method, path]) => methods[method.toLowerCase()] && layer.match(path),
      )
      if (taken === undefined) return []
      return [
        `The route ${String(routePath)} comes before the API ` +
          `and responds to ${taken.join(' ')} instead.`,
      ]
    }
    // There may be separate middleware for the extension.
    const isCovered = (path: string): boolean =>
      layers.some(
        (other) => other.match(`${path}.${extension}`) && (other === layer || !other.match(path)),
      )
    const [, path] =
      (extension && paths.find(([, apiPath]) => layer.match(apiPath) && !isCovered(apiPath))) || []
    if (path === undefined) return []
    return [
      `Middleware for ${path} doesn't run for ${path}.${extension}, which is the same route. ` +
        "Use a guard, or middleware for every path, as in forRoutes('api/*path') " +
        "('api/*' on Nest 10), or set { formats: false } in api().",
    ]
  })
}

/**
 * Nest mounts middleware for a single method as a route, but without the metadata that its routes
 * have.
 */
const isMiddleware = ({ path, stack }: NonNullable<Layer['route']>, named: Named): boolean =>
  !Reflect.hasMetadata(PATH_METADATA, stack[0]!.handle) &&
  named.some(
    (route) =>
      typeof route === 'object' &&
      String(path).includes((route as { path: string }).path.replace(/[*:({].*/, '')),
  )
