// How a test's routes are served in each mode.
import { api, change, del, get, headerBecame, patch, post, put, version } from '@hv/router'
import { before, createRouter } from '@hv/router-fastify'
import type { FastifyPluginAsync, RouteHandlerMethod, RouteOptions } from 'fastify'

/**
 * - `native`: by Fastify, in a plugin of their own. The others have to behave the same.
 * - `router`: by the router, as its only version.
 * - `second`: as version 2. Version 1 has the same paths, and whatever it does fails.
 * - `derived`: as version 1, which a change derives from version 2.
 */
export const modes = ['native', 'router', 'second', 'derived'] as const
export type Mode = (typeof modes)[number]

/** Marks the routes that the test has declared. `onRoute` hooks don't see other versions' routes. */
export const ofTest = Symbol('of the test')

/** A route as a test declares it. */
export type Route = RouteOptions & { readonly path?: string | undefined }

export const urlOf = ({ url, path }: Partial<Route>): string => url ?? path ?? ''
export const methodsOf = ({ method }: Route): readonly string[] =>
  [method].flat().map((name) => String(name).toUpperCase())

const verbs: Readonly<Record<string, typeof get>> = {
  GET: get,
  POST: post,
  PUT: put,
  PATCH: patch,
  DELETE: del,
}

/**
 * Creates a router that serves the routes.
 *
 * @throws RouterError if a route can't be declared
 */
export function createRouterOf(routes: readonly Route[], mode: Mode): FastifyPluginAsync {
  const actions = routes.map((route, index) => [`action${index}`, route] as const)
  const nodes = actions.flatMap(([name, route]) =>
    methodsOf(route).map((method) => verbs[method]!(urlOf(route) || '/', { to: `routes#${name}` })),
  )
  const optionsOf = (marks: object) =>
    Object.fromEntries(actions.map(([name, route]) => [name, { ...actionOf(route), ...marks }]))
  const failing = Object.fromEntries(actions.map(([name]) => [name, { ...failure }]))
  const own = { routes: optionsOf({ [ofTest]: true }) }
  const controllers = {
    native: {},
    router: { 1: own },
    second: { 1: { routes: failing }, 2: own },
    derived: { 1: before(own as never, nothing), 2: { routes: optionsOf({}) } },
  }[mode]
  const versions = Object.keys(controllers).map((number) => version(Number(number), ...nodes))
  const defaultVersion = mode === 'second' ? 2 : 1
  const options = { vendorString: 'test', path: '', namespace: '', defaultVersion } as const
  return createRouter(api(options, ...versions) as never, controllers as never)
}

/** The router calls handlers with their controller as `this`, and Fastify with the app. */
function actionOf({ method: _method, url: _url, path: _path, ...options }: Route): object {
  const { handler } = options
  const call: RouteHandlerMethod = (request, reply) => handler.call(request.server, request, reply)
  return { ...options, handler: call }
}

const fail: RouteHandlerMethod = async (_request, reply) =>
  reply.code(599).send('a different version')
const failure = {
  handler: fail,
  onRequest: fail,
  preHandler: fail,
  errorHandler: fail,
  bodyLimit: 1,
}

/** No response has this header, so the derived version behaves as the newest does. */
const nothing = change('Nothing changes.', headerBecame('x-parity-old', 'x-parity-new'))
