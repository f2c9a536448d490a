import type { AbstractHttpAdapter } from '@nestjs/core'
import type { FastifyInstance } from 'fastify'
import type { Served } from './handlers.ts'
import { type ApplicationConfig, PATH_METADATA, type NestContainer } from './internals.ts'

export type Platform = 'express' | 'fastify'

/** Express's list of routes and middleware. */
interface ExpressApp {
  readonly _router?: { readonly stack: readonly Layer[] }
  readonly router: { readonly stack: readonly Layer[] }
}
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> }
  match(path: string): boolean
}

/** Describes the routes that Nest and the API both have. On Express Nest's comes first, on Fastify the API's. */
export function describeOverlaps(
  served: readonly Served[],
  prefix: string,
  adapter: AbstractHttpAdapter,
  platform: Platform,
): readonly string[] {
  const names = new Set(served.map(({ row }) => `${row.method} ${prefix}${row.pattern}`))
  const routes = [...names].map((name) => name.split(' ') as [method: string, path: string])
  if (platform === 'fastify') {
    const fastify = adapter.getInstance<FastifyInstance>()
    return routes
      .filter(([method, url]) => {
        const route = fastify.findRoute({ method: method as 'GET', url })
        // The parameters of a catch-all, or of `/api/:name`, are names in the path of the API.
        return route !== null && Object.values(route.params).every((value) => value?.startsWith(':'))
      })
      .map(([method, path]) => `A route of a Nest controller gets no requests, because the API has ${method} ${path}.`)
  }
  const express = adapter.getInstance<ExpressApp>()
  return (express._router ?? express.router).stack.flatMap((layer) => {
    const { path: own, methods } = layer.route ?? { path: '', methods: {} }
    const taken = routes.find(([method, path]) => (methods._all || methods[method.toLowerCase()]) && layer.match(path))
    if (taken === undefined) return []
    return [`A Nest controller's route, ${own}, responds to ${taken.join(' ')} in place of the API.`]
  })
}

/**
 * Describes the versioned classes that modules passed to `forRoutes()`, where only routes of Nest count.
 *
 * @throws Error if a class has none, so that the middleware would never run
 */
export function describeMiddleware(served: readonly Served[], named: ReadonlySet<unknown>): readonly string[] {
  const classes = new Set(served.map(({ metatype }) => metatype).filter((metatype) => named.has(metatype)))
  return [...classes].map(({ name, prototype }) => {
    const { constructor: _class, ...members } = Object.getOwnPropertyDescriptors(prototype)
    const methods = Object.values(members).map(({ value }) => value as unknown)
    const message =
      `forRoutes(${name}) does not reach the versioned routes of ${name}, so their middleware does not run. ` +
      "Name their path, as in forRoutes('api/users'), or use a guard."
    if (!methods.some((method) => typeof method === 'function' && Reflect.hasMetadata(PATH_METADATA, method)))
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
