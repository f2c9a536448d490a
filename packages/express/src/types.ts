import type { ActionSchema, Api, Controllers, HandlerKind, Match, Row } from '@hv/router'
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
import type { NextFunction, Request, RequestHandler, Response, json } from 'express'

declare global {
  namespace Express {
    interface Request {
      /** The route, version, path parameters and format that the versioned router has found. */
      apiMatch?: Match
    }
  }
}

/** A request that a versioned route serves. */
export type ApiRequest<Params = Record<string, string>> = Request<{
  [Name in keyof Params]: string
}> & {
  apiMatch: Match
}

/** A handler can declare narrower parameters, such as `Request<{ id: string }, unknown, Body>`. */
type Handler<Params> =
  | Bivariant<(req: ApiRequest<Params>, res: Response, next: NextFunction) => unknown>
  | TypedHandler<{ [Name in keyof Params]: string }>

/**
 * A handler that declares the types of its query or locals, which `app.get()` accepts as well. The
 * second signature keeps TypeScript from typing a function's parameters by this type: their types
 * come from the other one, so `req.query` isn't any.
 */
export interface TypedHandler<Params> {
  (req: Request<Params, any, any, any, any>, res: Response<any, any>, next: NextFunction): unknown
  <_>(
    req: Request<Params, any, any, any, any>,
    res: Response<any, any>,
    next: NextFunction,
  ): unknown
}

/** Express middleware that runs between the match and the handler. */
export type Middleware = Handler<Record<string, string>>

/** An action's options, next to its `handler`. */
export interface ActionOptions {
  /** Middleware for this action in this version. It runs after the router's `use`. */
  readonly use?: readonly Middleware[]
  /**
   * What the action accepts and returns. The path parameters, the query, the headers and the body
   * are validated after `use`, and replaced by the validated values. Responses aren't validated.
   */
  readonly schema?: ActionSchema
}

/** How Express types its handlers. */
export interface ExpressKind extends HandlerKind {
  readonly handler: Handler<this['params']>
  readonly options: ActionOptions
}

/** An API's controllers: version → controller key → action. */
export type ExpressControllers<T> = Controllers<T, ExpressKind>

/** A request after validation. */
export type ValidatedRequest<Schema, Params = Record<string, string>> = Request<
  ValidatedPart<Schema, 'params', { [Name in keyof Params]: string }>,
  any,
  ValidatedPart<Schema, 'body', any>,
  ValidatedPart<Schema, 'querystring', Request['query']>
> & { apiMatch: Match }

/** An action in a controller. Its schema has the type that clients see. */
export type TypedAction<Params, Schema> = Omit<ActionOptions, 'schema'> &
  TypedActionOf<Handler<Params>, Schema>

/** What `action` takes: an action's options, and a handler whose types come from the schema. */
type DeclaredAction<Params, Schema> = Omit<ActionOptions, 'schema'> & {
  readonly schema?: Schema
  readonly handler:
    | ((req: ValidatedRequest<Schema, Params>, res: Response, next: NextFunction) => unknown)
    | (Schema extends { readonly body: unknown } | { readonly querystring: unknown }
        ? never
        : TypedHandler<{ [Name in keyof Params]: string }>)
}

/**
 * Types an action that's declared outside of `createRouter`: the body, the query and the path
 * parameters get their types from the schema. Returns the action.
 *
 * @example
 * const create = action({
 *   schema: { body: z.object({ name: z.string() }) },
 *   use: [requireAdmin],
 *   handler: (req, res) => res.json({ name: req.body.name }), // string
 * })
 */
export function action<Params = Record<string, string>, const Schema extends ActionSchema = {}>(
  declared: DeclaredAction<Params, Schema>,
): TypedAction<Params, Schema>
/**
 * Types an action by its route, so that it also has the route's path parameters.
 *
 * @example
 * const show = action(routes, 'users', 'show', {
 *   handler: (req, res) => res.json({ id: req.params.id }),
 * })
 */
export function action<
  Table,
  const Key extends KeyOfAny<Table>,
  const Name extends keyof ActionsIn<Table, Key>,
  const Schema extends ActionSchema = {},
>(
  routes: Api<Table>,
  controller: Key,
  action: Name,
  declared: DeclaredAction<ActionsIn<Table, Key>[Name], Schema>,
): TypedAction<ActionsIn<Table, Key>[Name], Schema>
export function action(...args: readonly unknown[]): unknown {
  return madeBy('@hv/router-express', args.at(-1))
}

/** The options of `createRouter`. `Version` is what `pinVersion` may return. */
export interface RouterOptions<Version extends number = never>
  extends
    RoutingOptions<Request, Version, Request, [req: Request, res: Response]>,
    ValidatorOptions {
  /**
   * Middleware that runs between the match and the handler: a list for all routes, or a function
   * that returns a route's list. The function is called once per row, at start-up.
   *
   * @example use: (row) => (row.key.startsWith('admin/') ? [requireAdmin] : [])
   */
  readonly use?: readonly Middleware[] | ((row: Row) => readonly Middleware[])
  /**
   * Parses JSON bodies with the vendor type. Takes `express.json()`'s options, except `type`.
   * `false` leaves these bodies to the app. By default, a body that the app's parsers haven't read
   * gets a 415 response.
   */
  readonly json?: Omit<NonNullable<Parameters<typeof json>[0]>, 'type'> | false
  /**
   * Whether `/API/Users` and `/api/users` are different paths. Express's own routes ignore case.
   *
   * @default true
   */
  readonly caseSensitive?: boolean
}

/** The middleware that `createRouter` returns. */
export interface ApiRouter extends RequestHandler {
  /**
   * Middleware that sets `req.apiMatch` before the router runs, for middleware that comes first,
   * such as authentication.
   */
  readonly match: RequestHandler
}
