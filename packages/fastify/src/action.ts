import type { Api, SchemaValue } from '@hv/router'
import type { ActionsIn, KeyOfAny } from '@hv/router/adapter'
import type {
  ContextConfigDefault,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteShorthandOptionsWithHandler,
} from 'fastify'
import type {
  ActionOptions,
  DocumentedSchema,
  FastifyKind,
  PluginOptions,
  WithHooks,
} from './types.ts'

/**
 * The default type provider: reads the types of TypeBox 0.34 and of every library with Standard Schema. Other schemas are
 * `unknown`. The types are those after validation; responses are not checked.
 */
export interface SchemaTypeProvider extends FastifyTypeProvider {
  readonly validator: SchemaValue<this['schema'], 'output'>
  readonly serializer: unknown
}

/** An action as a controller holds it. */
export interface Action<Params> extends ActionOptions {
  readonly handler: (FastifyKind & { readonly params: Params })['handler']
}

/** Path parameters have the types of `schema.params`, if there is one. */
type RouteGeneric<Params, Schema> = Schema extends { readonly params: unknown }
  ? {}
  : unknown extends Params // the handler declares a request without them
    ? {}
    : { Params: Params }

/** The action that `action` takes: Fastify's route options and a handler, typed by the schema. */
type TypedAction<
  Params,
  Schema extends DocumentedSchema,
  Provider extends FastifyTypeProvider,
> = WithHooks<
  Omit<
    RouteShorthandOptionsWithHandler<
      RawServerDefault,
      RawRequestDefaultExpression,
      RawReplyDefaultExpression,
      RouteGeneric<Params, Schema>,
      ContextConfigDefault,
      Schema,
      Provider
    >,
    PluginOptions
  >
>

/** The type of `action` for a type provider. */
export interface CreateAction<Provider extends FastifyTypeProvider = SchemaTypeProvider> {
  <const Schema extends DocumentedSchema = DocumentedSchema, Params = Record<string, string>>(
    declared: TypedAction<Params, Schema, Provider>,
  ): Action<Params> & { readonly schema: Schema }
  /** With the path parameters of its route: `action(routes, 'users', 'show', { handler })`. */
  <
    Table,
    const Key extends KeyOfAny<Table>,
    const Name extends keyof ActionsIn<Table, Key>,
    const Schema extends DocumentedSchema = DocumentedSchema,
  >(
    routes: Api<Table>,
    controller: Key,
    action: Name,
    declared: TypedAction<ActionsIn<Table, Key>[Name], Schema, Provider>,
  ): Action<ActionsIn<Table, Key>[Name]> & { readonly schema: Schema }
}

/**
 * Creates the `action` function of a type provider, such as `TypeBoxTypeProvider` or `ZodTypeProvider`.
 *
 * @example
 * export const action = createAction<TypeBoxTypeProvider>()
 *
 * export const usersV2 = {
 *   ...usersV1,
 *   create: action({
 *     schema: { body: Type.Object({ name: Type.String() }) },
 *     handler: (request) => ({ name: request.body.name }), // string
 *   }),
 * }
 */
export const createAction =
  <Provider extends FastifyTypeProvider = SchemaTypeProvider>(): CreateAction<Provider> =>
  (...args: readonly unknown[]) =>
    args.at(-1) as never

/**
 * Types an action that is declared apart from `createRouter`: by its schema, and by its route if you name it. Returns the action.
 * For type providers, see {@link createAction}.
 *
 * @example
 * const show = action(routes, 'users', 'show', { handler: (request) => ({ id: request.params.id }) })
 */
export const action: CreateAction = createAction()
