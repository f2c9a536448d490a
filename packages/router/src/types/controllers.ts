/**
 * How a framework types its handlers. `handler` may refer to `this['params']`, the path parameters of the action.
 *
 * @example
 * interface MyKind extends HandlerKind {
 *   readonly handler: (request: MyRequest<this['params']>) => MyResponse
 *   readonly options: { readonly timeout?: number }
 * }
 */
export interface HandlerKind {
  readonly params: unknown
  /** The type of a handler. */
  readonly handler: unknown
  /** The options of the framework that an action may set next to its handler. */
  readonly options: unknown
}

type Handler<Kind extends HandlerKind, Params> = (Kind & { readonly params: Params })['handler']

/** An action: a method, or an object with a handler and the framework's own route options. */
export type ActionOf<Kind extends HandlerKind, Params> =
  | Handler<Kind, Params>
  | ({ readonly handler: Handler<Kind, Params> } & Kind['options'])

/** A controller: its actions by name. */
export type Controller<Kind extends HandlerKind, Actions> = {
  [Name in keyof Actions]: ActionOf<Kind, Actions[Name]>
}

/** The controllers that `createRouter` requires: version → controller key → action. */
export type Controllers<Table, Kind extends HandlerKind> = {
  [V in keyof Table]: { [Key in keyof Table[V]]: Controller<Kind, Table[V][Key]> }
}
