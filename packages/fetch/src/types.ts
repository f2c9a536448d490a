import type { ActionSchema, Api, Controllers, HandlerKind, Match, Problem } from '@hv/router'
import {
  type ActionsIn,
  type Bivariant,
  type KeyOfAny,
  type RoutingOptions,
  type TypedAction as TypedActionOf,
  type ValidatedPart,
  type ValidatorOptions,
  madeBy,
} from '@hv/router/adapter'

/**
 * What the runtime passes besides the request: `[env, context]` on Workers, `[info]` on Deno,
 * `[server]` on Bun.
 */
export type Context = readonly unknown[]

/**
 * What the versioned router has found: `params`, `version`, `format` and `row`, and the values of
 * the request parts that the action's schema has.
 */
export type RouteMatch<Params = Readonly<Record<string, string>>> = Omit<Match, 'params'> & {
  readonly params: Params
  /** The query, if the action has a `schema.querystring`. */
  readonly query?: unknown
  /** The headers, if the action has a `schema.headers`. */
  readonly headers?: unknown
  /** The body, if the action has a `schema.body`. The router has then read the request's body. */
  readonly body?: unknown
}

/** A handler can declare narrower parameters, such as `env: Env`. */
type Handler<Params, Own extends Context> = Bivariant<
  (request: Request, match: RouteMatch<Params>, ...context: Own) => Response | PromiseLike<Response>
>

/** An action's options, next to its `handler`. */
export interface ActionOptions {
  /**
   * What the action accepts and returns. The path parameters, the query, the headers and the JSON
   * body are validated before the handler, which receives them as `match.params`, `query`,
   * `headers` and `body`. Responses aren't validated.
   */
  readonly schema?: ActionSchema
}

/** How this adapter types handlers. */
export interface FetchKind<Own extends Context = Context> extends HandlerKind {
  readonly handler: Handler<this['params'], Own>
  readonly options: ActionOptions
}

/** A match after validation. */
export type ValidatedMatch<Schema, Params = Readonly<Record<string, string>>> = Omit<
  Match,
  'params'
> & {
  readonly params: ValidatedPart<Schema, 'params', Params, unknown>
  readonly query: ValidatedPart<Schema, 'querystring', undefined, unknown>
  readonly headers: ValidatedPart<Schema, 'headers', undefined, unknown>
  readonly body: ValidatedPart<Schema, 'body', undefined, unknown>
}

/** An action in a controller. Its schema has the type that clients see. */
export type TypedAction<Params, Schema, Own extends Context = Context> = TypedActionOf<
  Handler<Params, Own>,
  Schema
>

/** What `action` takes: a schema, and a handler whose types come from it. */
interface DeclaredAction<Params, Schema, Own extends Context> {
  readonly schema?: Schema
  readonly handler: (
    request: Request,
    match: ValidatedMatch<Schema, Params>,
    ...context: Own
  ) => Response | PromiseLike<Response>
}

/**
 * Types an action that's declared outside of `createRouter`: the body, the query and the path
 * parameters get their types from the schema. Returns the action.
 *
 * @example
 * const create = action({
 *   schema: { body: z.object({ name: z.string() }) },
 *   handler: (_request, { body }) => Response.json({ name: body.name }), // string
 * })
 */
export function action<
  Params = Readonly<Record<string, string>>,
  Own extends Context = Context,
  const Schema extends ActionSchema = {},
>(declared: DeclaredAction<Params, Schema, Own>): TypedAction<Params, Schema, Own>
/**
 * Types an action by its route, so that it also has the route's path parameters.
 *
 * @example
 * const show = action(routes, 'users', 'show', {
 *   handler: (_request, { params }) => Response.json({ id: params.id }),
 * })
 */
export function action<
  Table,
  const Key extends KeyOfAny<Table>,
  const Name extends keyof ActionsIn<Table, Key>,
  Own extends Context = Context,
  const Schema extends ActionSchema = {},
>(
  routes: Api<Table>,
  controller: Key,
  action: Name,
  declared: DeclaredAction<ActionsIn<Table, Key>[Name], Schema, Own>,
): TypedAction<ActionsIn<Table, Key>[Name], Schema, Own>
export function action(...args: readonly unknown[]): unknown {
  return madeBy('@hv/router-fetch', args.at(-1))
}

/** An API's table: its versions, controllers and actions. */
export type TableIn<Routes> = Routes extends Api<infer Table> ? Table : never

/** An API's controllers: version → controller key → action. */
export type FetchControllers<Routes extends Api, Own extends Context = Context> = Controllers<
  TableIn<Routes>,
  FetchKind<Own>
>

/** A function that serves requests, as Workers, Bun, Deno, Hono and Next.js call them. */
export type FetchHandler<Own extends Context = Context> = (
  request: Request,
  ...context: Own
) => Promise<Response>

/** What the `problem` hook returns. */
export interface ProblemContent {
  /** Strings and streams are sent as they are, anything else as JSON. */
  readonly body: unknown
  /**
   * Headers to add to the response's. Unless you set a Content-Type, it's
   * `application/problem+json`.
   */
  readonly headers?: Headers | Readonly<Record<string, string>>
}

/** The options of `createRouter`. `Version` is what `pinVersion` may return. */
export interface RouterOptions<Own extends Context = Context, Version extends number = never>
  extends RoutingOptions<Request, Version>, ValidatorOptions {
  /**
   * Responds to requests for paths that no version has. Default: a problem document with status 404
   */
  readonly fallback?: (request: Request, ...context: Own) => Response | PromiseLike<Response>
  /**
   * Responds if a request doesn't match its action's schema (a `ValidationError`), and if a
   * handler, the `problem` hook or `pinVersion` fails. Default: 400 with a problem document for a
   * `ValidationError`. For other errors, the promise for the response rejects, and the runtime
   * responds without `Vary`.
   */
  readonly error?: (
    error: unknown,
    request: Request,
    ...context: Own
  ) => Response | PromiseLike<Response>
  /**
   * If no route serves a request, returns what to send instead of the problem document, or a
   * promise for it. The function can't change the status.
   *
   * @example problem: ({ title }) => ({ body: { error: title } })
   */
  readonly problem?: (
    problem: Problem,
    request: Request,
    ...context: Own
  ) => ProblemContent | PromiseLike<ProblemContent>
}
