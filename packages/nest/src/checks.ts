// What would otherwise fail silently stops the app's start, or logs a warning.
import { routeTable } from '@hv/router'
import { shapeOf } from '@hv/router/internal'
import type { Type } from '@nestjs/common'
import type { FastifyInstance } from 'fastify'
import { assertCacheKeys } from './cache.ts'
import type { Served, VersionedApi } from './handlers.ts'
import { findLosses } from './inheritance.ts'
import {
  type NestContainer,
  type NotedMiddleware,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  notedMiddleware,
  paramType,
} from './internals.ts'
import { type Paths, checkClasses, checkReach } from './middleware.ts'

/**
 * Checks what serves an API, and returns the warnings.
 *
 * @throws Error for a `@Param()` that's in no path, for overrides that lose guards, pipes or
 *   metadata, for middleware that would never run, and for a cache that mixes versions up
 */
export function check(
  served: readonly Served[],
  api: VersionedApi,
  container: NestContainer,
): ReadonlySet<string> {
  assertParameters(served)
  const losses = served.map(findLosses)
  const errors = new Set(losses.flatMap((loss) => loss.errors))
  if (errors.size > 0) throw new Error(`VersionedApiModule.forRoot(): ${[...errors].join('\n')}`)
  const config = container.applicationConfig!
  assertCacheKeys(served, config)

  const { prefix = '' } = api.options
  // Versions share most of these.
  const rows = new Map(served.map(({ row }) => [`${row.method} ${row.pattern}`, row]))
  const paths = [...rows.values()].map(({ method, pattern }) => [method, prefix + pattern] as const)
  const adapter = container.getHttpAdapterRef()
  const app = adapter.getInstance()
  const isFastify = adapter.getType() === 'fastify'
  const noted = notedMiddleware.get(adapter) ?? { classes: [], routes: [] }
  return new Set([
    ...checkClasses(served, noted),
    ...losses.flatMap(({ warnings }) => warnings),
    ...checkReach(paths, noted, config, isFastify),
    ...(isFastify
      ? describeHiddenRoutes(paths, app)
      : describeEarlierRoutes(paths, noted, (app._router ?? app.router).stack)),
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
      const shape = shapeOf(path) // parameter names don't tell paths apart
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
      if (row.params.includes(name)) continue
      const rows = served
        .filter((other) => other.metatype === metatype && other.row.action === row.action)
        .map((other) => other.row)
      if (rows.some(({ params }) => params.includes(name))) continue
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

/** On Express, describes the routes that come before the API and take its requests. */
const describeEarlierRoutes = (
  paths: Paths,
  noted: NotedMiddleware,
  layers: readonly Layer[],
): string[] =>
  layers.flatMap((layer) => {
    if (layer.route === undefined || isMiddleware(layer.route, noted)) return []
    const { path: routePath, methods } = layer.route
    const taken = paths.find(([method, path]) => methods[method.toLowerCase()] && layer.match(path))
    if (taken === undefined) return []
    return [
      `The route ${String(routePath)} comes before the API ` +
        `and responds to ${taken.join(' ')} instead.`,
    ]
  })

/**
 * Nest mounts middleware for a single method as a route, but without the metadata that its routes
 * have.
 */
const isMiddleware = (
  { path, stack }: NonNullable<Layer['route']>,
  { routes }: NotedMiddleware,
): boolean =>
  !Reflect.hasMetadata(PATH_METADATA, stack[0]!.handle) &&
  routes.some((route) => String(path).includes(route.path.replace(/[*:({].*/, '')))
