import type { ActionSchema, Controllers, HandlerKind, Match, Problem } from '@hv/router'
import type { FastifyReply, FastifyRequest, FastifySchema, RouteGenericInterface, RouteShorthandOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest<RouteGeneric> {
    /**
     * The route, version, path parameters and format that the versioned router found.
     * Null when no route serves the request; undefined outside the router. The type of a request of one route, such as
     * `FastifyRequest<{ Params: { id: string } }>`, has neither.
     */
    readonly apiMatch: RouteGenericInterface extends RouteGeneric ? Match | null | undefined : Match
  }
}

/** A request that a versioned route serves. */
export type ApiRequest<Params = Record<string, string>> = FastifyRequest<{ Params: Params }>

/** Method syntax: a handler may declare narrower parameters, such as `FastifyRequest<{ Body: User }>`. */
interface Handler<Params> {
  call(request: ApiRequest<Params>, reply: FastifyReply): unknown
}

/** The route options that the plugin sets itself. */
export type PluginOptions = 'constraints' | 'exposeHeadRoute' | 'prefixTrailingSlash'

/** What Fastify reads of a schema, and what only documents read: `summary`, `tags` and so on. */
export type DocumentedSchema = FastifySchema & Omit<ActionSchema, keyof FastifySchema>

/** The options of an action, next to its `handler`: Fastify's route options. */
export type ActionOptions = Omit<RouteShorthandOptions, PluginOptions | 'schema'> & {
  readonly schema?: DocumentedSchema
}

/** How Fastify types its handlers. */
export interface FastifyKind extends HandlerKind {
  readonly handler: Handler<this['params']>['call']
  readonly options: ActionOptions
}

/** The type of the controllers of an API: version → controller key → action. */
export type FastifyControllers<Table> = Controllers<Table, FastifyKind>

/** The options of `createRouter`. */
export interface RouterOptions {
  /**
   * Returns the body of a response to a request that no route serves, or a promise of it. The status stays.
   * It may set headers on `reply`. Content-Type is `application/problem+json` unless it sets another.
   */
  readonly problem?: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => unknown
}
