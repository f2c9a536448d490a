import type { ActionSchema, Api, Controllers, HandlerKind, Match, Problem } from '@hv/router'
import type { RoutingOptions } from '@hv/router/adapter'

/** What the runtime passes beside the request: `[env, context]` on Workers, `[info]` on Deno, `[server]` on Bun. */
export type Context = readonly unknown[]

/** What the versioned router found: `params`, `version`, `format` and `route`. */
export type RouteMatch<Params = Readonly<Record<string, string>>> = Omit<Match, 'params'> & {
  readonly params: Params
}

/** Method syntax: a handler may declare narrower parameters, such as `env: Env`. */
interface Handler<Params, Own extends Context> {
  call(request: Request, match: RouteMatch<Params>, ...context: Own): Response | PromiseLike<Response>
}

/** The options of an action, next to its `handler`. */
export interface ActionOptions {
  /** What the action accepts and returns, for OpenAPI documents and typed clients. Requests are not validated. */
  readonly schema?: ActionSchema
}

/** How this adapter types handlers. */
export interface FetchKind<Own extends Context = Context> extends HandlerKind {
  readonly handler: Handler<this['params'], Own>['call']
  readonly options: ActionOptions
}

/** The table of an API: its versions, controllers and actions. */
export type TableIn<Routes> = Routes extends Api<infer Table> ? Table : never

/** The type of the controllers of an API: version → controller key → action. */
export type FetchControllers<Routes extends Api, Own extends Context = Context> = Controllers<
  TableIn<Routes>,
  FetchKind<Own>
>

/** A function that serves requests. Workers, Bun, Deno, Hono and Next.js call such functions. */
export type FetchHandler<Own extends Context = Context> = (request: Request, ...context: Own) => Promise<Response>

/** The options of `createRouter`. `Version` is what `defaultVersion` may return. */
export interface RouterOptions<Own extends Context = Context, Version extends number = never> extends RoutingOptions<
  Request,
  Version
> {
  /** Responds to requests for paths that no version has. Default: a problem document with status 404 */
  readonly fallback?: (request: Request, ...context: Own) => Response | PromiseLike<Response>
  /**
   * Responds when a handler or the `problem` hook throws or rejects. Default: the promise of the response rejects with
   * the error. The runtime responds, without `Vary`.
   */
  readonly error?: (error: unknown, request: Request, ...context: Own) => Response | PromiseLike<Response>
  /**
   * Returns a response, or a promise of it, whose body and headers replace those of the response to a request that no
   * route serves. The status stays.
   */
  readonly problem?: (problem: Problem, request: Request, ...context: Own) => Response | PromiseLike<Response>
}
