import type { ActionSchema, Api, Controllers, HandlerKind, Match, Problem } from '@hv/router'
import type {
  ActionsIn,
  Bivariant,
  KeyOfAny,
  RoutingOptions,
  TypedAction as TypedActionOf,
  ValidatedPart,
  ValidatorOptions,
} from '@hv/router/adapter'

/** What the runtime passes beside the request: `[env, context]` on Workers, `[info]` on Deno, `[server]` on Bun. */
export type Context = readonly unknown[]

/**
 * What the versioned router found: `params`, `version`, `format` and `row`, and the values of the parts of the request that
 * the schema of the action has.
 */
export type RouteMatch<Params = Readonly<Record<string, string>>> = Omit<Match, 'params'> & {
  readonly params: Params
  /** With `schema.querystring`. */
  readonly query?: unknown
  /** With `schema.headers`. */
  readonly headers?: unknown
  /** With `schema.body`. The router has read the body of the request. */
  readonly body?: unknown
}

/** A handler may declare narrower parameters, such as `env: Env`. */
type Handler<Params, Own extends Context> = Bivariant<
  (request: Request, match: RouteMatch<Params>, ...context: Own) => Response | PromiseLike<Response>
>

/** The options of an action, next to its `handler`. */
export interface ActionOptions {
  /**
   * What the action accepts and returns. The path parameters, the query, the headers and the JSON body are validated before
   * the handler, which receives them as `match.params`, `query`, `headers` and `body`. Responses are not validated.
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

/** An action as a controller holds it. The type of its schema is the type that a client sees. */
export type TypedAction<Params, Schema, Own extends Context = Context> = TypedActionOf<
  Handler<Params, Own>,
  Schema
>

/** What `action` takes: a schema, and a handler that it types. */
interface DeclaredAction<Params, Schema, Own extends Context> {
  readonly schema?: Schema
  readonly handler: (
    request: Request,
    match: ValidatedMatch<Schema, Params>,
    ...context: Own
  ) => Response | PromiseLike<Response>
}

/**
 * Types an action that is declared apart from `createRouter`: the body, the query and the path parameters have the types
 * of its schema. Returns the action.
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
 * The same, with the path parameters of its route.
 *
 * @example
 * const show = action(routes, 'users', 'show', { handler: (_request, { params }) => Response.json({ id: params.id }) })
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
  return args.at(-1)
}

/** The table of an API: its versions, controllers and actions. */
export type TableIn<Routes> = Routes extends Api<infer Table> ? Table : never

/** The type of the controllers of an API: version → controller key → action. */
export type FetchControllers<Routes extends Api, Own extends Context = Context> = Controllers<
  TableIn<Routes>,
  FetchKind<Own>
>

/** A function that serves requests. Workers, Bun, Deno, Hono and Next.js call such functions. */
export type FetchHandler<Own extends Context = Context> = (
  request: Request,
  ...context: Own
) => Promise<Response>

/** What the `problem` hook returns. */
export interface ProblemContent {
  /** A text or a stream is sent as it is, anything else as JSON. */
  readonly body: unknown
  /** Added to the response's. Content-Type is `application/problem+json` unless you set another. */
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
   * Responds when a request does not match the schema of its action (a `ValidationError`), and when a handler, the `problem`
   * hook or `pinVersion` fails. Default: 400 with a problem document for a `ValidationError`; for other errors, the promise
   * of the response rejects. The runtime responds then, without `Vary`.
   */
  readonly error?: (
    error: unknown,
    request: Request,
    ...context: Own
  ) => Response | PromiseLike<Response>
  /**
   * Returns what to send in place of the problem document when no route serves a request, or a promise of it. The status stays.
   *
   * @example problem: ({ title }) => ({ body: { error: title }, headers: { 'content-type': 'application/json' } })
   */
  readonly problem?: (
    problem: Problem,
    request: Request,
    ...context: Own
  ) => ProblemContent | PromiseLike<ProblemContent>
}
