import type { Api, Row } from '@hv/router'
import type { ApiRouter } from '@hv/router-express'
import type { AbstractHttpAdapter } from '@nestjs/core'
import type { FastifyInstance } from 'fastify'
import { actionsOf } from './actions.ts'
import { type Platform, describeMiddleware, describeOverlaps, describePrefix } from './app-checks.ts'
import { assertParameters, describeOverrides, methodsOf } from './class-checks.ts'
import { createFastifyAction } from './fastify-actions.ts'
import { type Classes, createHandlers, findControllers } from './handlers.ts'
import { forgetInheritedParameters } from './inherited-parameters.ts'
import type { ApplicationConfig, Handler, NestContainer } from './internals.ts'
import { classesOf } from './middleware-classes.ts'
import type { VersionedApiOptions } from './types.ts'

/** What one `forRoot` describes. */
export interface VersionedApi {
  readonly routes: Api
  readonly classes: Classes
  readonly options: VersionedApiOptions
}

/** The app that serves it. */
export interface App {
  readonly adapter: AbstractHttpAdapter
  readonly container: NestContainer
  readonly config: ApplicationConfig
  readonly warn: (message: string) => void
}

/** Checks all APIs of an app and serves them. */
export async function serve(apis: readonly VersionedApi[], app: App, platform: Platform): Promise<void> {
  const { adapter, container, config, warn } = app
  const named = classesOf(adapter)
  const handled = apis.map(({ routes: api, classes, options: { prefix = '' } }) => {
    const served = findControllers(api, classes, container)
    const methods = methodsOf(served)
    for (const { metatype, action } of methods) forgetInheritedParameters(metatype, action)
    assertParameters(methods)
    const warnings = [
      describeMiddleware(served, named),
      describeOverrides(methods),
      describePrefix(served, prefix, config, container),
      describeOverlaps(served, prefix, adapter, platform),
    ]
    for (const warning of warnings.flat()) warn(warning)
    return createHandlers(served, container, config)
  })
  await (platform === 'express' ? serveOnExpress : serveOnFastify)(apis, handled, adapter)
}

type Serve = (
  apis: readonly VersionedApi[],
  handlers: readonly ReadonlyMap<Row, Handler>[],
  adapter: AbstractHttpAdapter,
) => Promise<void>

/** Mounts one router per prefix. APIs that share their paths are each other's fallback. */
const serveOnExpress: Serve = async (apis, handlers, adapter) => {
  const { createRouter } = await import('@hv/router-express')
  const routers = new Map<string, ApiRouter>()
  for (const [i, { routes, options }] of [...apis.entries()].toReversed()) {
    const { prefix = '', ...others } = options
    const fallback = routers.get(prefix)
    const actions = actionsOf(handlers[i]!, (handler) => handler)
    routers.set(prefix, createRouter(routes, actions as never, { json: {}, ...others, ...(fallback && { fallback }) }))
  }
  for (const [prefix, router] of routers) adapter.use(prefix || '/', router)
}

const serveOnFastify: Serve = async (apis, handlers, adapter) => {
  const { createRouter } = await import('@hv/router-fastify')
  for (const [i, { routes, options }] of apis.entries()) {
    const { prefix = '', json: _json, ...others } = options // vendor bodies are parsed like others
    const plugin = createRouter(routes, actionsOf(handlers[i]!, createFastifyAction(routes)) as never, others)
    await adapter.getInstance<FastifyInstance>().register(plugin, { prefix })
  }
}
