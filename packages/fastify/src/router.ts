import { type Api, createMatcher, routeTable } from '@hv/router'
import { type VersionOf, createDispatcher } from '@hv/router/adapter'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { groupActions } from './groups.ts'
import { addResponseHeaders, createRefuse, noteError } from './respond.ts'
import { registerRoutes } from './routes.ts'
import { type FastifyDispatcher, createRouting, refusalConstraint, routedOf } from './routing.ts'
import type { FastifyControllers, RouterOptions } from './types.ts'

/**
 * Creates a Fastify plugin that serves a versioned API. An action may have Fastify's route options (`schema`, hooks,
 * `config`, …), different ones in each version. A request for a path that no version has is left to the app.
 *
 * @throws RouterError HV_MISSING_ACTIONS when the controllers lack an action of the routes; HV_OPTION;
 *   HV_TOO_MANY_VERSIONS when one method and path has different options in more than thirty versions
 * @example app.register(createRouter(routes, { 1: { users: new UsersV1() }, 2: { users: new UsersV2() } }))
 */
export function createRouter<Table>(
  api: Api<Table>,
  controllers: NoInfer<FastifyControllers<Table>>,
  options: RouterOptions<NoInfer<VersionOf<Table>>> = {},
): FastifyPluginAsync {
  const dispatcher: FastifyDispatcher = createDispatcher(api, controllers, options, {
    prepare: (actions) => groupActions(api, actions),
    log: (error, request) => request.log.error(error),
  })
  const { actions, dispatch, dispatchWith, notify, reply } = dispatcher
  const groups = new Set(routeTable(api).map((row) => actions.get(row)!.group))
  const refuse = createRefuse(reply)
  const notifyFirst =
    notify &&
    ((request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      notify(routedOf(request).answer, request)
      done()
    })
  const ours = new Set<unknown>([notifyFirst, refuse, addResponseHeaders])
  /** The hooks of a route, in a list. The route of HEAD has those of GET already, with ours. */
  const othersOf = (hooks: unknown): unknown[] =>
    [hooks ?? []].flat().filter((hook) => !ours.has(hook))

  const plugin: FastifyPluginAsync = async (app) => {
    const { caseSensitive = true } = { ...app.initialConfig, ...app.initialConfig.routerOptions }
    const findRoute = caseSensitive
      ? dispatch
      : dispatchWith(createMatcher(api, { ...options, caseSensitive }).match)
    const strategy = addStrategy(app, createRouting(app, api, findRoute))
    app.decorateRequest('apiMatch', {
      getter(this: FastifyRequest) {
        const { answer } = routedOf(this)
        return answer.kind === 'action' ? answer.match : null
      },
    })
    app.addHook('onError', noteError)
    app.addHook('onRoute', (route) => {
      const constraint = route.constraints?.[strategy] as string | undefined
      if (constraint === undefined) return
      // Added here, they run around the hooks of the route, and around those that plugins such as rate limiters add to it.
      const last = constraint === refusalConstraint ? [refuse] : []
      route.onRequest = [notifyFirst ?? [], othersOf(route.onRequest), last].flat() as never
      route.onSend = [...othersOf(route.onSend), addResponseHeaders] as never
    })
    registerRoutes(app, api, strategy, groups, refuse)
  }
  return fastifyPlugin(plugin, {
    name: '@hv/router-fastify',
    fastify: '^4.26.0 || ^5.0.0',
    encapsulate: true,
  })
}

/** Adds a constraint strategy to the app and returns its name: `apiVersion`, or `apiVersion2` in a second router. */
function addStrategy(
  app: FastifyInstance,
  deriveConstraint: ReturnType<typeof createRouting>,
): string {
  let name = 'apiVersion'
  for (let i = 2; app.hasConstraintStrategy(name); i++) name = `apiVersion${i}`
  // The type requires a storage of functions; find-my-way stores bit masks.
  app.addConstraintStrategy({
    name,
    validate() {},
    storage: () => new Map<string, number>(),
    deriveConstraint,
  } as never)
  return name
}

/**
 * Returns whether a Fastify route belongs to a versioned API. Tools that list routes, such as @fastify/swagger, see one
 * version of each path.
 *
 * @param route - the options of the route
 * @example transform: ({ schema, url, route }) => ({ url, schema: isVersioned(route) ? { hide: true } : schema })
 */
export const isVersioned = ({ constraints = {} }: { readonly constraints?: object }): boolean =>
  Object.keys(constraints).some((name) => /^apiVersion\d*$/.test(name))
