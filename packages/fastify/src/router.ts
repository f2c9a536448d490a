import { type Api, createMatcher, routeTable } from '@hv/router'
import {
  type Complete,
  type GivenVersions,
  type VersionOf,
  createDispatcher,
} from '@hv/router/adapter'
import { assertObject } from '@hv/router/internal'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { groupActions } from './groups.ts'
import { addResponseHeaders, createRefuse, noteError } from './respond.ts'
import { registerRoutes } from './routes.ts'
import { type FastifyDispatcher, createRouting, refusalConstraint, routedOf } from './routing.ts'
import type { FastifyControllers, RouterOptions } from './types.ts'

/**
 * Creates a Fastify plugin that serves a versioned API. An action can have Fastify's route options
 * (`schema`, hooks, `config`, …), which may differ between versions. Requests for paths that no
 * version has are left to the app.
 *
 * @throws RouterError HV_MISSING_ACTIONS if the controllers lack one of the routes' actions;
 *   HV_OPTION; HV_TOO_MANY_VERSIONS if a method and path has different options in more than thirty
 *   versions
 * @example app.register(createRouter(routes, { 1: { users: usersV1 }, 2: { users: usersV2 } }))
 */
export function createRouter<Table, Given extends keyof Table>(
  this: Complete<Table, Given>,
  api: Api<Table>,
  controllers: GivenVersions<Given> & NoInfer<FastifyControllers<Table>>,
  options: RouterOptions<NoInfer<VersionOf<Table>>> = {},
): FastifyPluginAsync {
  const dispatcher: FastifyDispatcher = createDispatcher(api, controllers, options, {
    name: '@hv/router-fastify',
    prepare: (actions) => groupActions(api, actions),
    servesExtensions: true, // the URL is rewritten before any hook
    log: (error, request) => request.log.error(error),
  })
  const { actions, dispatch, dispatchWith, notify, reply } = dispatcher
  const groups = new Set(routeTable(api).map((row) => actions.get(row)!.group))
  const refuse = createRefuse(reply)
  const notifyFirst: onRequestHookHandler | undefined =
    notify &&
    ((request, _reply, done) => {
      notify(routedOf(request).answer, request)
      done()
    })
  const routerHooks = new Set<unknown>([notifyFirst, refuse, noteError, addResponseHeaders])
  /**
   * Lists a route's hooks without those of this plugin, because HEAD routes inherit GET's hooks,
   * ours included.
   */
  const routeHooks = (hooks: unknown) =>
    [hooks ?? []].flat().filter((hook) => !routerHooks.has(hook))

  const plugin: FastifyPluginAsync<{ mount?: string }> = async (app, { mount = '' }) => {
    assertObject('@hv/router-fastify', 'the app', 'a Fastify app', app.initialConfig)
    const { caseSensitive = true } = { ...app.initialConfig, ...app.initialConfig.routerOptions }
    const findRoute = caseSensitive
      ? dispatch
      : dispatchWith(createMatcher(api, { ...options, caseSensitive }).match)
    const strategy = addStrategy(app, createRouting(app, mount, api, findRoute))
    if (!app.hasRequestDecorator('apiMatch'))
      app.decorateRequest('apiMatch', {
        getter(this: FastifyRequest) {
          const routed = routedOf(this)
          if (routed === undefined) return undefined // a route of the app beside the router
          return routed.answer.kind === 'action' ? routed.answer.match : null
        },
      })
    app.addHook('onRoute', (route) => {
      const constraint = route.constraints?.[strategy] as string | undefined
      if (constraint === undefined) return
      // Hooks that are added here run around the route's, and around those that plugins such as
      // rate limiters add to it.
      const last = constraint === refusalConstraint ? [refuse] : []
      route.onRequest = [notifyFirst ?? [], routeHooks(route.onRequest), last].flat() as never
      route.onError = [noteError, ...routeHooks(route.onError)] as never
      route.onSend = [...routeHooks(route.onSend), addResponseHeaders] as never
    })
    registerRoutes(app, mount, api, strategy, groups, refuse)
  }
  return fastifyPlugin(plugin, {
    name: '@hv/router-fastify',
    fastify: '^4.26.0 || ^5.0.0',
    encapsulate: true,
  })
}

/**
 * Adds a constraint strategy to the app and returns its name: `apiVersion`, or `apiVersion2` for
 * the second router.
 */
function addStrategy(
  app: FastifyInstance,
  deriveConstraint: ReturnType<typeof createRouting>,
): string {
  let name = 'apiVersion'
  for (let i = 2; app.hasConstraintStrategy(name); i++) name = `apiVersion${i}`
  // The type requires a storage of functions, but find-my-way stores bit masks.
  app.addConstraintStrategy({
    name,
    validate() {},
    storage: () => new Map<string, number>(),
    deriveConstraint,
  } as never)
  return name
}

/**
 * Whether a Fastify route belongs to a versioned API. Tools that list routes, such as
 * @fastify/swagger, only see one of each path's versions.
 *
 * @param route - the route's options
 * @example
 * transform: ({ schema, url, route }) => ({
 *   url,
 *   schema: isVersioned(route) ? { hide: true } : schema,
 * })
 */
export const isVersioned = ({ constraints = {} }: { readonly constraints?: object }): boolean =>
  Object.keys(constraints).some((name) => /^apiVersion\d*$/.test(name))
