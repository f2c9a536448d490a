// Everything that we import from Nest's undocumented parts is here. The tests run on each major version's lowest
// and newest release, so we notice if one of them moves.
import type { Row } from '@hv/router'
import { keepType } from '@hv/router/adapter'
import { type PipeTransform, RequestMethod, type Type, VersioningType } from '@nestjs/common'
// The keys under which decorators store what they declare.
import { HOST_METADATA } from '@nestjs/common/constants.js'
import type { RouteInfo } from '@nestjs/common/interfaces/index.js'
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
import type { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js'
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
export type { InstanceWrapper, NestContainer, NestModule, RouteInfo }
/**
 * The decorators by their metadata keys, none of which guards read. Losing a guard or a pipe is a
 * security hole; losing any other only changes responses.
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

/** What Nest registers with the framework for a route. */
export type Handler = (request: unknown, response: unknown, next?: unknown) => Promise<void>

/**
 * Returns the app's modules and controllers. `ModuleRef` keeps them private, but nothing else has
 * them.
 */
export const containerOf = (moduleRef: ModuleRef): NestContainer => moduleRef['container']

/**
 * Creates a row's handler, as Nest creates those of its routes. Nest's explorer gets a router that
 * only stores the handler.
 */
export function createHandler(
  container: NestContainer,
  { method, pattern, version, action }: Row,
  wrapper: InstanceWrapper,
  wrapPipes: WrapPipes | undefined,
): Handler {
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
  // An explorer keeps one status and one list of pipes per class and method, but each row needs its
  // own.
  const explorer = createExplorer(container)
  if (wrapPipes !== undefined) replacePipes(explorer, wrapPipes)
  explorer.applyPathsToRouterProxy(
    router as never,
    [route],
    wrapper,
    wrapper.host!.token,
    // With these options, Nest logs a route's version and leaves the rest to us.
    { ctrlPath: '', versioningOptions: { type: VersioningType.CUSTOM, extractor: () => '' } },
    Reflect.getMetadata(HOST_METADATA, wrapper.metatype!),
  )
  return handler!
}

function createExplorer(container: NestContainer): RouterExplorer {
  const config = container.applicationConfig!
  return new RouterExplorer(
    new MetadataScanner(),
    container,
    // The app's injector isn't accessible. This one decorates the instances that it creates per
    // request in the same way.
    new Injector({ preview: false, ...container.contextOptions?.instrument }),
    new RouterProxy(),
    new MarkingFilters(container, config, container.getHttpAdapterRef()),
    config,
    new RoutePathFactory(config),
    new GraphInspector(container),
  )
}

/**
 * Returns the pipes that replace a parameter's. They include those of the app and the class.
 *
 * @param type - the part of the request, by Nest's `RouteParamtypes`
 */
export type WrapPipes = (type: number | string, pipes: PipeTransform[]) => PipeTransform[]

function replacePipes(explorer: RouterExplorer, wrapPipes: WrapPipes): void {
  const context = explorer['executionContextCreator'] as RouterExecutionContext
  const createPipesFn = context.createPipesFn.bind(context)
  context.createPipesFn = (pipes, parameters) =>
    createPipesFn(
      [],
      parameters.map((parameter) => ({
        ...parameter,
        pipes: wrapPipes(parameter.type, [...pipes, ...parameter.pipes]),
      })),
    )
}

/** Filters respond inside of the handler, and what they send shouldn't get a version's type. */
class MarkingFilters extends RouterExceptionFilters {
  override create(...about: Parameters<RouterExceptionFilters['create']>) {
    const handler = super.create(...about)
    const next = handler.next.bind(handler)
    handler.next = (exception, host) => {
      keepType(host.getArgByIndex<object>(1))
      next(exception, host)
    }
    return handler
  }
}

/** A path that a module has passed to `forRoutes()`. */
export interface MiddlewareRoute extends RouteInfo {
  /** The paths that Nest makes of it, with the global prefix: `/rest/api/users`. */
  readonly mounted: readonly string[]
}
/** The controllers of all modules. */
export const controllersOf = (container: NestContainer): readonly InstanceWrapper[] =>
  [...container.getModules().values()].flatMap(({ controllers }) => [...controllers.values()])

/** The routes that Nest itself serves, with the global prefix. */
export function nestRoutesOf(container: NestContainer): readonly RouteInfo[] {
  const config = container.applicationConfig!
  const mapper = new RoutesMapper(container, config)
  const extractor = new RouteInfoPathExtractor(config)
  const routes: RouteInfo[] = []
  for (const { metatype } of controllersOf(container))
    for (const info of mapper.mapRouteToRouteInfo(metatype as Type))
      for (const path of extractor.extractPathsFrom(info))
        routes.push({ ...info, path: path.replace(/\/$/, '') })
  return routes
}

/** A module's call of `consumer.apply(…).exclude(…).forRoutes(…)`. */
interface MiddlewareCall {
  readonly middleware: readonly unknown[]
  /** What was passed to `forRoutes()`: paths and classes. */
  readonly targets: readonly unknown[]
  readonly routes: readonly MiddlewareRoute[]
  /** With the global prefix. */
  readonly excluded: readonly RouteInfo[]
}

/** By HTTP adapter. Nest doesn't keep the classes. */
export const notedMiddleware = new WeakMap<object, readonly MiddlewareCall[]>()

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
      const info = { method: -1 as RequestMethod, ...route } // Nest's own value for text
      return { ...info, mounted: this['routeInfoPathExtractor'].extractPathsFrom(info) }
    })
    const excluded: RouteInfo[] = config['excludedRoutes' as never]
    const adapter = this.getHttpAdapter()
    const calls = notedMiddleware.get(adapter) ?? []
    notedMiddleware.set(adapter, [...calls, { middleware, targets, routes, excluded }])
    return forRoutes.apply(config, given)
  }
  return config
}
