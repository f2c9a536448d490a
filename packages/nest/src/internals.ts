// Every import of something that Nest does not document is here. The tests run on the lowest and the newest release of each
// major version, so that a release that moves one of them is noticed.
import type { Row } from '@hv/router'
import { keepType } from '@hv/router/adapter'
import { RequestMethod, type Type, VersioningType } from '@nestjs/common'
// The keys under which decorators keep what they declare.
import { HOST_METADATA } from '@nestjs/common/constants.js'
import { GraphInspector, MetadataScanner, type ModuleRef, type NestContainer } from '@nestjs/core'
// What the explorer takes: Nest creates one for its own routes inside the application, where nothing can reach it.
import { Injector } from '@nestjs/core/injector/injector.js'
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js'
import type { Module as NestModule } from '@nestjs/core/injector/module.js'
// What `configure(consumer)` of a module receives.
import { MiddlewareBuilder } from '@nestjs/core/middleware/builder.js'
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js'
import { RouterExceptionFilters } from '@nestjs/core/router/router-exception-filters.js'
// Makes the handler of a route: guards, pipes, interceptors, filters, parameters, request scope.
import { RouterExplorer } from '@nestjs/core/router/router-explorer.js'
import { RouterProxy } from '@nestjs/core/router/router-proxy.js'

export {
  METHOD_METADATA,
  PATH_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js'
export type { InstanceWrapper, NestContainer, NestModule }
/** Decorators of methods whose loss nobody notices, by the keys of their metadata. */
export const methodDecorators: Readonly<Record<string, string>> = {
  __guards__: '@UseGuards()',
  __pipes__: '@UsePipes()',
  __interceptors__: '@UseInterceptors()',
  __exceptionFilters__: '@UseFilters()',
  __fastify_route_config__: '@RouteConfig()',
  __fastify_route_schema__: '@RouteSchema()',
}
/** Reads what `@RouteConfig()` and the like declare. An app on Express doesn't have the package that exports the keys. */
export const routeOptionOf = (
  handler: Handler,
  name: 'config' | 'constraints' | 'schema',
): object | undefined =>
  Reflect.getMetadata(`__fastify_route_${name}__`, handler) as object | undefined
/** The key of `@Param()` in the metadata of parameters: Nest's `RouteParamtypes.PARAM`. */
export const paramType = '5'

/** What Nest registers with the framework for a route. */
export type Handler = (request: unknown, response: unknown, next?: unknown) => Promise<void>

/** The modules and controllers of the app. `ModuleRef` keeps them to itself, and nothing else hands them out. */
export const containerOf = (moduleRef: ModuleRef): NestContainer => moduleRef['container']

/**
 * Creates the function that makes the handler of a row, as Nest makes those of its own routes. Nest's explorer gets a router that
 * keeps the handler.
 */
export function createExplorer(container: NestContainer) {
  const config = container.applicationConfig!
  const filters = new RouterExceptionFilters(container, config, container.getHttpAdapterRef())
  const marking = {
    create: (...about: Parameters<typeof filters.create>) => markErrors(filters.create(...about)),
  }
  // The app's own injector is out of reach. It decorates what it creates for a request.
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
  // Nest keeps the status of a method by its name: 201 if POST reaches it, otherwise 200. An action may have both.
  const [post, others] = [create(), create()]

  return ({ method, pattern, version, action }: Row, wrapper: InstanceWrapper): Handler => {
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
    const explorer = method === 'POST' ? post : others
    const host = Reflect.getMetadata(HOST_METADATA, wrapper.metatype as Type) as string
    // Nest logs the version of a route and leaves the rest to us.
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

/** Filters respond inside the handler. What they send isn't a representation of a version. */
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

/** What the modules of an app passed to `consumer.apply(…).forRoutes()`, by HTTP adapter. Nest keeps no trace of classes. */
export const middlewareRoutes = new WeakMap<object, readonly unknown[]>()

// Wrapped as soon as the package is loaded, because Nest configures middleware before it calls a hook.
const { apply } = MiddlewareBuilder.prototype
MiddlewareBuilder.prototype.apply = function applyNoted(...middleware) {
  const config = apply.apply(this, middleware)
  const { forRoutes } = config
  config.forRoutes = (...routes) => {
    middlewareRoutes.set(this.getHttpAdapter(), [
      ...(middlewareRoutes.get(this.getHttpAdapter()) ?? []),
      ...routes,
    ])
    return forRoutes.apply(config, routes)
  }
  return config
}
