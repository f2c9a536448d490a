import type { IncomingMessage } from 'node:http'
import type { ActionSchema, Controllers, HandlerKind, Match } from '@hv/router'
import type { Bivariant, RoutingOptions } from '@hv/router/adapter'
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify'

declare module 'fastify' {
  interface FastifyRequest<RouteGeneric> {
    /**
     * The route, version, path parameters and format that the versioned router found.
     * Null when no route serves the request; undefined outside the router. The type of a request of one route, such as
     * `FastifyRequest<{ Params: { id: string } }>`, has neither.
     */
    // An intersection: with a conditional type, TypeScript 5 rejects native handlers that declare their request.
    readonly apiMatch: Match | (Nullish & Declared<RouteGeneric>)
  }
}
type Nullish = null | undefined
/** `unknown` when a request type declares no part of the request. */
type Declared<Route extends RouteGenericInterface> = Route['Params'] &
  Route['Body'] &
  Route['Querystring'] &
  Route['Headers']

/** A request that a versioned route serves. */
export type ApiRequest<Params = Record<string, string>> = [keyof Params] extends [never]
  ? FastifyRequest & { readonly apiMatch: Match } // TypeScript 5: a handler may declare a body or a query without `Params`
  : FastifyRequest<{ Params: Params }>

/** A handler may declare narrower parameters, such as `FastifyRequest<{ Body: User }>`. */
type Handler<Params> = Bivariant<(request: ApiRequest<Params>, reply: FastifyReply) => unknown>

/** The route options that the plugin sets itself. */
export type PluginOptions = 'constraints' | 'exposeHeadRoute' | 'prefixTrailingSlash'

/** What Fastify reads of a schema, and what only documents read: `summary`, `tags` and so on. */
export type DocumentedSchema = FastifySchema & Omit<ActionSchema, keyof FastifySchema>

/** Method syntax, as in `Bivariant`, which has no `this`: a hook may declare `FastifyRequest<{ Body: User }>`. */
interface Hook<Native extends (...native: never) => unknown> {
  call(
    this: ThisParameterType<Native>,
    ...parameters: Matched<Parameters<Native>>
  ): ReturnType<Native>
}
type Matched<Parameters> = Parameters extends readonly [infer Request, ...infer Others]
  ? [request: Request & { readonly apiMatch: Match }, ...Others]
  : Parameters

/** One hook, or a list of hooks. */
type Hooks<Native> = Native extends readonly (infer One)[]
  ? Hooks<One>[]
  : Native extends (...native: never) => unknown
    ? Hook<Native>['call']
    : Native

/** Fastify's route options. Their hooks and their handler may declare the request, as they may in a route of Fastify. */
export type WithHooks<Native> = {
  [Name in keyof Native]: Name extends `${'on' | 'pre'}${string}` | 'handler'
    ? Hooks<Native[Name]>
    : Native[Name]
}

/**
 * The options of an action, next to its `handler`: Fastify's route options. An interface, because declaration files write
 * out a type alias: 40 kB per action.
 */
export interface ActionOptions extends WithHooks<
  Omit<RouteOptions, 'method' | 'url' | 'handler' | PluginOptions | 'schema'>
> {
  readonly schema?: DocumentedSchema
}

/** How Fastify types its handlers. */
export interface FastifyKind extends HandlerKind {
  readonly handler: Handler<this['params']>
  readonly options: ActionOptions
}

/** The type of the controllers of an API: version → controller key → action. */
export type FastifyControllers<Table> = Controllers<Table, FastifyKind>

/** The options of `createRouter`. `Version` is what `pinVersion` may return. */
export type RouterOptions<Version extends number = never> = RoutingOptions<
  FastifyRequest,
  Version,
  IncomingMessage,
  [request: FastifyRequest, reply: FastifyReply]
>
