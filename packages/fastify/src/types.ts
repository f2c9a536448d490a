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
     * The route, version, path parameters and format that the versioned router has found. Null if
     * no route serves the request, and undefined outside of the router. If a request's type
     * declares its parts, such as `FastifyRequest<{ Params: { id: string } }>`, it's neither.
     */
    // An intersection: with a conditional type, TypeScript 5 rejects native handlers that declare
    // their request.
    readonly apiMatch: Match | ((null | undefined) & Declared<RouteGeneric>)
  }
}
/** `unknown` if a request's type declares none of its parts. */
type Declared<Route extends RouteGenericInterface> = Route['Params'] &
  Route['Body'] &
  Route['Querystring'] &
  Route['Headers']

/** A request that a versioned route serves. */
// In TypeScript 5, it's the first of the two if a handler declares a body or a query without
// `Params`.
export type ApiRequest<Params = Record<string, string>> = [keyof Params] extends [never]
  ? WithMatch<FastifyRequest>
  : FastifyRequest<{ Params: Params }>

/** A handler can declare narrower parameters, such as `FastifyRequest<{ Body: User }>`. */
type Handler<Params> = Bivariant<(request: ApiRequest<Params>, reply: FastifyReply) => unknown>

/** The route options that the plugin sets itself. */
export type PluginOptions = 'constraints' | 'exposeHeadRoute' | 'prefixTrailingSlash'

/** What Fastify reads in a schema, and what only documents read: `summary`, `tags` and so on. */
export type DocumentedSchema = FastifySchema & Omit<ActionSchema, keyof FastifySchema>

/**
 * It has method syntax, as `Bivariant` does but without `this`, so that a hook can declare
 * `FastifyRequest<{ Body: User }>`.
 */
interface Hook<Native extends (...native: never) => unknown> {
  call(
    this: ThisParameterType<Native>,
    ...parameters: Matched<Parameters<Native>>
  ): ReturnType<Native>
}
type Matched<Parameters> = Parameters extends readonly [infer Request, ...infer Others]
  ? [request: WithMatch<Request>, ...Others]
  : Parameters
/**
 * `WithMatch<FastifyRequest>` → `FastifyRequest & { readonly apiMatch: Match }`. It has a name so that
 * the compiler infers from its argument as a whole. Otherwise, it would infer from each property of
 * a request, and then into every library's schema types.
 */
type WithMatch<Request> = Request & { readonly apiMatch: Match }

/** A hook, or a list of hooks. */
type Hooks<Native> = Native extends readonly (infer Item)[]
  ? Hooks<Item>[]
  : Native extends (...native: never) => unknown
    ? Hook<Native>['call']
    : Native

/**
 * Fastify's route options. Their hooks and their handler can declare the request, as in one of
 * Fastify's routes. A hook that several routes share knows no parameters, so they're inferred from
 * the handler alone. Its `this` is the controller, and a hook's is the app.
 */
export type WithHooks<Native> = {
  [Name in keyof Native]: Name extends 'handler'
    ? Hooks<OmitThisParameter<Native[Name]>>
    : Name extends `${'on' | 'pre'}${string}`
      ? NoInfer<Hooks<Native[Name]>>
      : Native[Name]
}

/**
 * An action's options, next to its `handler`: Fastify's route options. It's an interface because
 * declaration files write out type aliases, which would take 40 kB per action.
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

/** An API's controllers: version → controller key → action. */
export type FastifyControllers<Table> = Controllers<Table, FastifyKind>

/** The options of `createRouter`. `Version` is what `pinVersion` may return. */
export type RouterOptions<Version extends number = never> = RoutingOptions<
  FastifyRequest,
  Version,
  IncomingMessage,
  [request: FastifyRequest, reply: FastifyReply]
>
