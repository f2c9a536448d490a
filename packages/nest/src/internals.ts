// All imports of undocumented parts of Nest are here. The tests run on each major version's lowest
// and newest release, so we notice if one of them moves.
import type { Row } from '@hv/router'
import { keepType } from '@hv/router/adapter'
import { type PipeTransform, RequestMethod, type Type, VersioningType } from '@nestjs/common'
// The keys under which decorators store what they declare.
import { HOST_METADATA } from '@nestjs/common/constants.js'
import { GraphInspector, MetadataScanner, type ModuleRef, type NestContainer } from '@nestjs/core'
// What the explorer needs. Nest creates one for its routes inside of the application, where nothing
// can reach it.
import { Injector } from '@nestjs/core/injector/injector.js'
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js'
import type { Module as NestModule } from '@nestjs/core/injector/module.js'
// What a module's `configure(consumer)` receives.
import { MiddlewareBuilder } from '@nestjs/core/middleware/builder.js'
import { RouteInfoPathExtractor } from '@nestjs/core/middleware/route-info-path-extractor.js'
import { RoutesMapper } from '@nestjs/core/middleware/routes-mapper.js'
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js'
import { RouterExceptionFilters } from '@nestjs/core/router/router-exception-filters.js'
// Creates a route's handler: guards, pipes, interceptors, filters, parameters, request scope.
import { RouterExplorer } from '@nestjs/core/router/router-explorer.js'
import { RouterProxy } from '@nestjs/core/router/router-proxy.js'

export {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  RENDER_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js'
export type { InstanceWrapper, NestContainer, NestModule }
/**
 * The decorators whose keys aren't ones that guards read. Losing guards or pipes opens a hole, and
 * losing the others changes responses.
 */
export const decoratorNames: Readonly<Record<string, string>> = {
  __guards__: '@UseGuards()',
  __pipes__: '@UsePipes()',
  __interceptors__: '@UseInterceptors()',
  __exceptionFilters__: '@UseFilters()',
  __headers__: '@Header()',
  __httpCode__: '@HttpCode()',
  __fastify_route_config__: '@RouteConfig()',
  __fastify_route_schema__: '@RouteSchema()',
}
/**
 * The keys that no guard reads: Nest's own, and those of swagger, class-transformer, the cache,
 * schedule, event-emitter and microservices.
 */
export const harmlessMetadata =
  /^(?:path|method|host|design:.*|swagger\/.*|class_serializer:.*|cache_module:.*|SCHEDULE.*|EVENT_LISTENER_METADATA|microservices:.*|__(?:routeArguments|customRouteArgs|redirect|renderTemplate|responsePassthrough|sse|sseOptions|version|fastify_route_constraints)__)$/
/** The key of the cache's `@CacheKey()`. */
export const CACHE_KEY_METADATA = 'cache_module:cache_key'
/**
 * Reads what `@RouteConfig()` and the like declare. It knows their keys, because an app on Express
 * doesn't have the package that exports those.
 */
export const routeOptionOf = (
  handler: object,
  name: 'config' | 'constraints' | 'schema',
): object | undefined =>
  Reflect.getMetadata(`__fastify_route_${name}__`, handler) as object | undefined

/** What Nest registers with the framework for a route. */
export type Handler = (request: unknown, response: unknown, next?: unknown) => Promise<void>

/**
 * Returns the app's modules and controllers. `ModuleRef` keeps them private, but nothing else has
 * them.
 */
export const containerOf = (moduleRef: ModuleRef): NestContainer => moduleRef['container']

/**
 * Creates the function that makes a row's handler, as Nest makes those of its routes. Nest's
 * explorer gets a router that only stores the handler.
 */
export function createExplorer(container: NestContainer) {
  const config = container.applicationConfig!
  const filters = new RouterExceptionFilters(container, config, container.getHttpAdapterRef())
  const marking = {
    create: (...about: Parameters<typeof filters.create>) => markErrors(filters.create(...about)),
  }
  // The app's injector is out of reach. This one decorates what it creates for a request in the
  // same way.
  const injector = new Injector({ preview: false, ...container.contextOptions?.instrument })
  const create = (): RouterExplorer =>
    new RouterExplorer(
      new MetadataScanner(),
      container,
      injector,
      new RouterProxy(),
      marking,
      config,
      new RoutePathFactory(config),
      new GraphInspector(container),
    )

  return (
    { method, pattern, version, action }: Row,
    wrapper: InstanceWrapper,
    wrapPipes?: WrapPipes,
  ): Handler => {
    let handler: Handler | undefined
    const router = {
      [method.toLowerCase()]: (_path: string, made: Handler) => (handler = made),
      applyVersionFilter: (made: Handler) => made,
    }
    const route = {
      path: [pattern],
      requestMethod: RequestMethod[method as keyof typeof RequestMethod],
      targetCallback: (wrapper.instance as Record<string, Handler>)[action]!,
      methodName: action,
      version: String(version),
    }
    // An explorer has one status and one list of pipes per method of a class, and rows have their own.
    const explorer = create()
    if (wrapPipes !== undefined) replacePipes(explorer, wrapPipes)
    const host = Reflect.getMetadata(HOST_METADATA, wrapper.metatype as Type) as string
    // With these options, Nest logs a route's version and leaves the rest to us.
    const about = {
      ctrlPath: '',
      versioningOptions: { type: VersioningType.CUSTOM, extractor: () => '' },
    } as const
    explorer.applyPathsToRouterProxy(
      router as never,
      [route],
      wrapper,
      wrapper.host!.token,
      about,
      host,
    )
    return handler!
  }
}

/** A decorated parameter, as Nest hands it to the function that runs pipes. */
interface PipedParameter {
  readonly type: number | string
  readonly data?: unknown
  readonly pipes: readonly PipeTransform[]
}
/** Returns the pipes that replace a parameter's. They include those of the app and the class. */
export type WrapPipes = (
  parameter: PipedParameter,
  pipes: readonly PipeTransform[],
) => readonly PipeTransform[]

function replacePipes(explorer: RouterExplorer, wrapPipes: WrapPipes): void {
  const context = explorer['executionContextCreator'] as unknown as {
    createPipesFn(pipes: readonly PipeTransform[], parameters: readonly PipedParameter[]): unknown
  }
  const createPipesFn = context.createPipesFn.bind(context)
  context.createPipesFn = (pipes, parameters) => {
    const wrapped = parameters.map((parameter) => ({
      ...parameter,
      pipes: wrapPipes(parameter, [...pipes, ...parameter.pipes]),
    }))
    return createPipesFn([], wrapped)
  }
}

/** Filters respond inside of the handler, and what they send shouldn't get a version's type. */
function markErrors<Filters extends ReturnType<RouterExceptionFilters['create']>>(
  filters: Filters,
): Filters {
  const next = filters.next.bind(filters)
  filters.next = (exception, host) => {
    keepType(host.getArgByIndex<object>(1))
    next(exception, host)
  }
  return filters
}

/** A path and its method, as Nest has them. */
export interface RouteInfo {
  readonly path: string
  readonly method: RequestMethod
}
/** A path that a module has passed to `forRoutes()`. */
export interface MiddlewareRoute extends RouteInfo {
  /** The paths that Nest makes of it, with the global prefix: `/rest/api/users`. */
  readonly mounted: readonly string[]
}
/** The routes that Nest itself serves, with the global prefix. */
export function nestRoutesOf(container: NestContainer): readonly RouteInfo[] {
  const config = container.applicationConfig!
  const mapper = new RoutesMapper(container, config)
  const extractor = new RouteInfoPathExtractor(config)
  return [...container.getModules().values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => mapper.mapRouteToRouteInfo(metatype as Type))
    .flatMap((info) =>
      extractor.extractPathsFrom(info).map((path) => ({ ...info, path: path.replace(/\/$/, '') })),
    )
}

/** What a module has said with `consumer.apply(…).exclude(…).forRoutes(…)`. */
export interface MiddlewareCall {
  readonly middleware: readonly unknown[]
  /** What was passed to `forRoutes()`: paths and classes. */
  readonly targets: readonly unknown[]
  readonly routes: readonly MiddlewareRoute[]
  /** With the global prefix. */
  readonly excluded: readonly RouteInfo[]
}

/** By HTTP adapter. Nest doesn't keep the classes. */
export const notedMiddleware = new WeakMap<object, MiddlewareCall[]>()

// This happens as soon as the package is loaded, because Nest configures middleware before it calls
// a hook.
const { apply } = MiddlewareBuilder.prototype
MiddlewareBuilder.prototype.apply = function applyNoted(...middleware) {
  const config = apply.apply(this, middleware)
  const { forRoutes } = config
  config.forRoutes = (...given) => {
    const targets = given.flat() as (RouteInfo | string | Type)[]
    const routes = targets.flatMap((target) => {
      if (typeof target === 'function') return []
      const route = typeof target === 'string' ? { path: target } : target
      const info = { method: RequestMethod.ALL, ...route }
      return { ...info, mounted: this['routeInfoPathExtractor'].extractPathsFrom(info) }
    })
    const { getExcludedRoutes } = config as { getExcludedRoutes?(): RouteInfo[] }
    const adapter = this.getHttpAdapter()
    const calls = notedMiddleware.get(adapter) ?? []
    notedMiddleware.set(adapter, calls)
    calls.push({ middleware, targets, routes, excluded: getExcludedRoutes?.call(config) ?? [] })
    return forRoutes.apply(config, given)
  }
  return config
}
