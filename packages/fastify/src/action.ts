import type { Match } from '@hv/router'
import type {
  ContextConfigDefault,
  FastifySchema,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { ActionOptions, FastifyKind, PluginOptions } from './types.ts'

/** An action as a controller holds it. */
export type Action<Params> = ActionOptions & {
  readonly handler: (FastifyKind & { readonly params: Params })['handler']
}

/** Path parameters have the types of `schema.params`, if there is one. */
type RouteGeneric<Params, Schema> = Schema extends { readonly params: unknown } ? {} : { Params: Params }

type NativeOptions<Params, Schema extends FastifySchema, Provider extends FastifyTypeProvider> = RouteShorthandOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGeneric<Params, Schema>,
  ContextConfigDefault,
  Schema,
  Provider
>

type NativeHandler<Params, Schema extends FastifySchema, Provider extends FastifyTypeProvider> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGeneric<Params, Schema>,
  ContextConfigDefault,
  Schema,
  Provider
>

/** The action that `action` takes: Fastify's route options and a handler, typed by the schema. */
type TypedAction<Params, Schema extends FastifySchema, Provider extends FastifyTypeProvider> = Omit<
  NativeOptions<Params, Schema, Provider>,
  PluginOptions
> & {
  readonly handler: (
    request: Parameters<NativeHandler<Params, Schema, Provider>>[0] & { readonly apiMatch: Match },
    reply: Parameters<NativeHandler<Params, Schema, Provider>>[1],
  ) => ReturnType<NativeHandler<Params, Schema, Provider>>
}

/** The type of `action` for a type provider. */
export type CreateAction<Provider extends FastifyTypeProvider = FastifyTypeProviderDefault> = <
  const Schema extends FastifySchema = FastifySchema,
  Params = Record<string, string>,
>(
  options: TypedAction<Params, Schema, Provider>,
) => Action<Params>

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
  <Provider extends FastifyTypeProvider = FastifyTypeProviderDefault>(): CreateAction<Provider> =>
  (options) =>
    options as never

/** Types an action that is declared apart from `createRouter`. Returns its argument. For type providers, see {@link createAction}. */
export const action: CreateAction = createAction()
