import { type Api, createEvents, routeTable } from '@hv/router'
import type { VersionOf } from '@hv/router/adapter'
import { assertApi, assertKnown, assertObject, assertOptions } from '@hv/router/internal'
import type { DynamicModule, FactoryProvider, InjectionToken, ModuleMetadata } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import type { VersionedApi } from './handlers.ts'
import {
  type NestContainer,
  type NestModule,
  PATH_METADATA,
  SSE_METADATA,
  containerOf,
} from './internals.ts'
import { serve } from './serve.ts'
import type { NestControllers, VersionedApiOptions } from './types.ts'

/** The providers' keys. Copies of the package share them. */
const VERSIONED_API = Symbol.for('@hv/router-nest.api')
const OPTIONS = Symbol.for('@hv/router-nest.options')
/** What errors are about. */
const FOR_ROOT = 'VersionedApiModule.forRoot()'
const optionNames = Object.keys({
  pinVersion: true,
  onRouted: true,
  problem: true,
  json: true,
  prefix: true,
  caseSensitive: true,
  now: true,
} satisfies Record<Exclude<keyof VersionedApiOptions, 'eventsToken'>, true>)
let count = 0

/** How `forRootAsync` creates the options. */
type AsyncOptions<Version extends number> = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<VersionedApiOptions<Version>>, 'inject' | 'useFactory'> & {
    readonly eventsToken?: InjectionToken | undefined
  }

/**
 * Serves a versioned API with the app's controllers. List them in their modules' `controllers`, as
 * always. Their methods need no `@Get()`. Import it once for each API.
 *
 * @example
 * @Module({ imports: [UsersModule, VersionedApiModule.forRoot(routes, { 1: { users: UsersV1 }, 2: {
 *   users: UsersV2 } })] }) export class AppModule {}
 */
export class VersionedApiModule {
  /**
   * The app doesn't start if a class is in no module, lacks a method, or has a `@Param()` that
   * isn't in its path, or if two APIs have the same path.
   *
   * @param controllers - version → controller key → class
   */
  static forRoot<Table>(
    routes: Api<Table>,
    controllers: NoInfer<NestControllers<Table>>,
    options: VersionedApiOptions<NoInfer<VersionOf<Table>>> = {},
  ): DynamicModule {
    const { eventsToken, ...others } = options
    const useFactory = () => others
    return VersionedApiModule.forRootAsync(routes, controllers, { eventsToken, useFactory })
  }

  /**
   * Creates the options from providers.
   *
   * @param options - what to import and inject, and the options' factory
   * @example
   * VersionedApiModule.forRootAsync(routes, controllers, {
   *   imports: [AccountsModule],
   *   inject: [AccountsService],
   *   useFactory: (accounts: AccountsService) => ({
   *     pinVersion: (request) => accounts.versionOf(request),
   *   }),
   * })
   */
  static forRootAsync<Table>(
    routes: Api<Table>,
    controllers: NoInfer<NestControllers<Table>>,
    {
      imports = [],
      inject = [],
      useFactory,
      eventsToken = Symbol('events'),
    }: AsyncOptions<NoInfer<VersionOf<Table>>>,
  ): DynamicModule {
    const api = {
      routes: assertApi(routes as Api, FOR_ROOT),
      classes: controllers as VersionedApi['classes'],
    }
    assertObject(FOR_ROOT, 'controllers', 'the classes by version', controllers)
    hideEventRoutes(api)
    const hooks = {
      provide: VERSIONED_API,
      inject: [ModuleRef],
      useFactory: (moduleRef: ModuleRef) => createHooks(api, containerOf(moduleRef)),
    }
    // Nest takes two dynamic modules with equal values for the same module, and Nest 10 compares
    // functions by their text. With a number of its own, no module equals another one.
    const options = { provide: OPTIONS, inject, useFactory, number: count++ }
    const events = {
      provide: eventsToken,
      useFactory: () => createEvents(api.routes, api.classes),
    }
    return {
      module: VersionedApiModule,
      global: true, // services of any module can inject the events
      imports,
      providers: [options, hooks, events],
      exports: [eventsToken],
    }
  }
}

/**
 * The app's first API serves all of them. On Express it does so after Nest has registered its
 * middleware and routes, and before Nest's 404 handler. On Fastify, it's after Nest has set its
 * error handler, which plugins inherit.
 */
function createHooks(api: Omit<VersionedApi, 'options'>, container: NestContainer): object {
  const modules = [...container.getModules().values()].filter(({ providers }) =>
    providers.has(VERSIONED_API),
  )
  // Nest calls the most distant modules' hooks first. So on Express, the API comes right after
  // Nest's own routes, before what other modules add.
  for (const module of modules) module.distance = Number.MAX_VALUE
  const serveOn = async (platform: string) => {
    const type = container.getHttpAdapterRef()?.getType()
    if (type === undefined) return // in a microservice and in an application context
    if (type !== 'express' && type !== 'fastify')
      throw new Error(
        `VersionedApiModule serves on Express and Fastify. This app's HTTP adapter is '${type}'.`,
      )
    const isFirst = modules[0]!.providers.get(VERSIONED_API)!.instance === hooks
    if (type === platform && isFirst) await serve(modules.map(apiOf), container)
  }
  const hooks = {
    ...api,
    onModuleInit: () => serveOn('express'),
    onApplicationBootstrap: () => serveOn('fastify'),
  }
  return hooks
}

function apiOf({ providers }: NestModule): VersionedApi {
  const options = providers.get(OPTIONS)!
  if (!options.isDependencyTreeStatic())
    throw new Error(
      "VersionedApiModule.forRootAsync() can't inject request-scoped providers, " +
        'because it runs before any request.',
    )
  const api = providers.get(VERSIONED_API)!.instance as VersionedApi
  const given = options.instance as VersionedApiOptions
  assertOptions(FOR_ROOT, given)
  assertKnown(FOR_ROOT, given, optionNames)
  return { ...api, options: given }
}

/** `@Sse()` without a path also declares the path '/', where Nest would serve the method. */
function hideEventRoutes({ routes, classes }: Omit<VersionedApi, 'options'>): void {
  for (const { version, key, action } of routeTable(routes)) {
    const method = Object(classes[version]?.[key]?.prototype?.[action])
    if (
      Reflect.hasMetadata(SSE_METADATA, method) &&
      Reflect.getMetadata(PATH_METADATA, method) === '/'
    )
      Reflect.deleteMetadata(PATH_METADATA, method)
  }
}
