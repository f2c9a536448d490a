// Replaces Fastify's methods that declare routes: they collect the routes, and register them together in a plugin.
import { appendFileSync } from 'node:fs'
import { isVersioned } from '@hv/router-fastify'
import type { FastifyInstance, onRouteHookHandler } from 'fastify'
import { type Mode, type Route, createRouterOf, methodsOf, ofTest, urlOf } from './modes.ts'

type Declare = (this: FastifyInstance, ...values: unknown[]) => unknown
type CreateApp = (...values: unknown[]) => FastifyInstance

const shorthands = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace', 'all']
/** Fastify's options for a route's path, which routes in a route file don't have. */
const pathOptions = ['constraints', 'version', 'exposeHeadRoute', 'prefixTrailingSlash']
/** Plain segments, and segments that are one parameter. */
const plainPath = /^(?:\/(?:[^/:*()?]|:\w+(?=\/|$))*)*$/

/** Returns Fastify's export, whose apps serve their routes in the way of the mode. */
export function translate<Fastify extends object>(fastify: Fastify, mode: Mode): Fastify {
  const create = fastify as unknown as CreateApp
  function translated(...values: unknown[]): FastifyInstance {
    const app = create(...values)
    const options = values[0] as { readonly exposeHeadRoutes?: boolean } | undefined
    translateApp(app, mode, options?.exposeHeadRoutes === false)
    return app
  }
  return Object.assign(translated, fastify, { fastify: translated, default: translated }) as never
}

/** @param hidesHead - the router adds HEAD routes though the app has none, so `onRoute` hooks don't see them */
function translateApp(app: FastifyInstance, mode: Mode, hidesHead: boolean): void {
  const route = app.route as Declare
  const addHook = app.addHook as Declare
  /** Apps that belong to a plugin of ours, whose routes are real. */
  const own = new WeakSet<FastifyInstance>()
  const collected = new WeakMap<FastifyInstance, Route[]>()
  const servedBy = new Map<string, 'router' | 'Fastify'>()

  /** Registers the routes that an app declares until its plugin is loaded. */
  function collect(on: FastifyInstance, declared: Route): FastifyInstance {
    const routes = collected.get(on)
    if (routes !== undefined) {
      routes.push(declared)
      return on
    }
    const first = [declared]
    collected.set(on, first)
    return on.register(async (plugin) => {
      collected.delete(on)
      await serve(plugin, first)
    })
  }

  async function serve(plugin: FastifyInstance, routes: readonly Route[]): Promise<void> {
    const groups = new Map<string, Route[]>()
    for (const declared of routes) {
      const shape = shapeOf(plugin.prefix + urlOf(declared))
      groups.set(shape, [...(groups.get(shape) ?? []), declared])
    }
    const routed: Route[] = []
    for (const [shape, group] of groups) {
      const isRouted = !servedBy.has(shape) && canRoute(plugin, group, mode)
      if (!servedBy.has(shape)) servedBy.set(shape, isRouted ? 'router' : 'Fastify')
      if (isRouted) routed.push(...group)
      else for (const declared of group) route.call(plugin, declared)
    }
    if (routed.length === 0) return
    countRoutes(routed.length)
    await plugin.register(async (child) => {
      own.add(child)
      await createRouterOf(routed, mode)(child, {})
    })
  }

  const declareRoute: Declare = function (...values) {
    const [declared] = values
    if (own.has(this) || !isRoute(declared) || hasStarted(app)) return route.apply(this, values)
    return collect(this, { ...declared })
  }
  const declareHook: Declare = function (...values) {
    const [name, hook] = values
    if (own.has(this) || name !== 'onRoute' || typeof hook !== 'function')
      return addHook.apply(this, values)
    const hookOfTest: onRouteHookHandler = function (declared) {
      const isHidden = hidesHead && declared.method === 'HEAD'
      const isOfTest = !isVersioned(declared) || (ofTest in declared && !isHidden)
      if (isOfTest) Reflect.apply(hook, this, [declared])
    }
    return addHook.call(this, name, hookOfTest)
  }
  Object.assign(app, { route: declareRoute, addHook: declareHook })

  for (const name of shorthands) {
    const shorthand = Reflect.get(app, name) as Declare | undefined
    if (shorthand === undefined) continue
    const declareShorthand: Declare = function (...values) {
      const declared = routeOf(app, name, values)
      if (own.has(this) || declared === undefined || hasStarted(app))
        return shorthand.apply(this, values)
      return collect(this, declared)
    }
    Reflect.set(app, name, declareShorthand)
  }
}

/** The route of `app.get(url, options, handler)` and the like; undefined if Fastify should say what's wrong. */
function routeOf(
  app: FastifyInstance,
  name: string,
  [url, options, handler]: readonly unknown[],
): Route | undefined {
  const method = name === 'all' ? [...app.supportedMethods] : name.toUpperCase()
  if (typeof options === 'function' && handler === undefined)
    return routeOf(app, name, [url, {}, options])
  if (Object.prototype.toString.call(options) !== '[object Object]') return undefined
  const own = Reflect.get(options as object, 'handler')
  if (own !== undefined && handler !== undefined) return undefined
  const declared = { ...(options as object), method, url, path: url, handler: handler ?? own }
  return isRoute(declared) ? declared : undefined
}

function isRoute(value: unknown): value is Route {
  if (typeof value !== 'object' || value === null) return false
  const { handler, url, path }: { handler?: unknown; url?: unknown; path?: unknown } = value
  return typeof handler === 'function' && typeof (url ?? path ?? '') === 'string'
}

/** After the start, Fastify refuses routes with an error of its own. */
function hasStarted(app: FastifyInstance): boolean {
  const key = Object.getOwnPropertySymbols(app).find(
    ({ description }) => description === 'fastify.state',
  )
  const state = (key && Reflect.get(app, key)) as { started: boolean; booting: boolean } | undefined
  return state !== undefined && (state.started || state.booting)
}

/** A path without its parameters' names and its trailing slash. */
const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':').replace(/\/+$/, '') || '/'

/** Whether the router can serve all of a path's routes. */
function canRoute({ prefix }: FastifyInstance, routes: readonly Route[], mode: Mode): boolean {
  if (mode === 'native') return false
  const methods = routes.flatMap(methodsOf)
  const isPlain = routes.every((declared) => {
    const url = urlOf(declared)
    const isPath =
      plainPath.test(url) && !url.includes('//') && !(url.length > 1 && url.endsWith('/'))
    const options = pathOptions.filter((name) => Reflect.get(declared, name) !== undefined)
    return isPath && prefix + url !== '' && options.length === 0
  })
  if (!isPlain || new Set(methods).size < methods.length) return false
  try {
    createRouterOf(routes, mode)
    return true
  } catch {
    return false // the router can't declare it, and says so
  }
}

function countRoutes(count: number): void {
  const file = process.env['PARITY_ROUTES']
  if (file !== undefined) appendFileSync(file, `${count}\n`)
}
