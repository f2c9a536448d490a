import type { Api } from '@hv/router'
import type { VersionOf } from '@hv/router/adapter'
import { assertRouterOptions, bindActions, createAnswer } from '@hv/router/internal'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { checkRoutingOrder } from './check-routing-order.ts'
import { groupActions } from './groups.ts'
import { createResponders } from './respond.ts'
import { registerRoutes } from './routes.ts'
import { type Routing, createRouting, refusalConstraint } from './routing.ts'
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
  assertRouterOptions(options, [])
  const actions = groupActions(api, bindActions(api, controllers))
  const answer = createAnswer(api, actions)
  const groups = new Set(Array.from(actions.values(), ({ group }) => group))

  const plugin: FastifyPluginAsync = async (app) => {
    const { deriveConstraint, routedOf } = createRouting(app, api, answer, options)
    const { notify, addResponseHeaders, noteError, ...handlers } = createResponders(routedOf, options)
    const first = notify === undefined ? [] : [notify]
    const strategy = addStrategy(app, deriveConstraint)

    app.decorateRequest('apiMatch', {
      getter(this: FastifyRequest) {
        const { found } = routedOf(this.raw)
        return found?.kind === 'match' ? found : null
      },
    })
    app.addHook('onError', noteError)
    app.addHook('onRoute', (route) => {
      const constraint = route.constraints?.[strategy] as string | undefined
      if (constraint === undefined) return
      // Added here, they run around the hooks of the route, and around those that plugins such as rate limiters add to it.
      const last = constraint === refusalConstraint ? [handlers.refuse] : []
      route.onRequest = [...first, ...toList(route.onRequest), ...last] as never
      route.onSend = [...toList(route.onSend), addResponseHeaders] as never
    })
    registerRoutes(app, api, strategy, groups, handlers)
  }
  return fastifyPlugin(plugin, { name: '@hv/router-fastify', fastify: '^4.26.0 || ^5.0.0', encapsulate: true })
}

/** Adds a constraint strategy to the app and returns its name: `apiVersion`, or `apiVersion2` in a second router. */
function addStrategy(app: FastifyInstance, deriveConstraint: Routing['deriveConstraint']): string {
  let name = 'apiVersion'
  for (let i = 2; app.hasConstraintStrategy(name); i++) name = `apiVersion${i}`
  const strategy = { name, validate() {}, storage: () => new Map<string, number>(), deriveConstraint }
  // The type requires a storage of functions; find-my-way stores bit masks.
  app.addConstraintStrategy(strategy as never)
  app.addHook('onReady', () => checkRoutingOrder(app, strategy))
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

const toList = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]
