import type { Api, SchemaValue } from '@hv/router'
import { type ActionsIn, type KeyOfAny, madeBy } from '@hv/router/adapter'
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
 * The default type provider. It reads TypeBox's types, and those of every library with Standard
 * Schema. With any other schema, values are `unknown`. The types are those after validation.
 * Responses aren't checked.
 */
export interface SchemaTypeProvider extends FastifyTypeProvider {
  readonly validator: SchemaValue<this['schema'], 'output'>
  readonly serializer: unknown
}

/** An action in a controller. */
export interface Action<Params> extends ActionOptions {
  readonly handler: (FastifyKind & { readonly params: Params })['handler']
}

/**
 * The path parameters' types come from `schema.params` if there is one, otherwise from the route.
 */
type RouteGeneric<Params, Schema> = Schema extends { readonly params: unknown }
  ? {}
  : unknown extends Params // the handler declares a request without parameters
    ? {}
    : { Params: Params }

/** What `action` takes: Fastify's route options and a handler, with types from the schema. */
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

/** The type of a type provider's `action`. */
export interface CreateAction<Provider extends FastifyTypeProvider = SchemaTypeProvider> {
  <const Schema extends DocumentedSchema = DocumentedSchema, Params = Record<string, string>>(
    declared: TypedAction<Params, Schema, Provider>,
  ): Action<Params> & { readonly schema: Schema }
  /** Types an action by its route: `action(routes, 'users', 'show', { handler })`. */
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
 * Creates a type provider's `action` function. The provider is a type such as `TypeBoxTypeProvider`
 * or `ZodTypeProvider`.
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
    madeBy('@hv/router-fastify', args.at(-1)) as never

/**
 * Types an action that's declared outside of `createRouter`, by its schema, and by its route if you
 * name it. Returns the action. For type providers, see {@link createAction}.
 *
 * @example
 * const show = action(routes, 'users', 'show', {
 *   handler: (request) => ({ id: request.params.id }),
 * })
 */
export const action: CreateAction = createAction()
