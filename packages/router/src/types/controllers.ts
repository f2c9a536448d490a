/**
 * How a framework types its handlers. `handler` can refer to `this['params']`, the action's path
 * parameters.
 *
 * @example
 * interface MyKind extends HandlerKind {
 *   readonly handler: (request: MyRequest<this['params']>) => MyResponse
 *   readonly options: { readonly timeout?: number }
 * }
 */
export interface HandlerKind {
  readonly params: unknown
  readonly handler: unknown
  /** The framework's options that an action can set beside its handler. */
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

/** The controllers that `createRouter` needs: version → controller key → action. */
export type Controllers<Table, Kind extends HandlerKind> = {
  [V in keyof Table]: ControllersOf<Table[V], Kind>
}
type ControllersOf<Keys, Kind extends HandlerKind> = {
  [Key in keyof Keys]: Controller<Kind, Keys[Key]>
}

/**
 * What `createRouter` requires its `this` to be. Nobody sets it. If a version has no controllers,
 * it's a message, because TypeScript checks `this` first, and reports it without printing the types
 * of all controllers.
 *
 * @example
 * Complete<{ 1: …; 2: … }, 1 | 2> // unknown
 * Complete<{ 1: …; 2: … }, 1> // 'version 2 has no controllers'
 */
export type Complete<Table, Given> = MessageOf<RequiredKey<Table, Exclude<keyof Table, Given>>>
type MessageOf<Missing> = [Missing] extends [never]
  ? unknown
  : `version ${Missing & number} has no controllers`
/** Versions that may be undeclared may lack controllers too. */
type RequiredKey<Table, Version extends keyof Table> = Version extends Version
  ? {} extends Pick<Table, Version>
    ? never
    : Version
  : never
/** Tells TypeScript which versions are `Given`, unless the API has the type `Api<unknown>`. */
export type GivenVersions<Given extends PropertyKey> = [Given] extends [never]
  ? unknown
  : { readonly [_ in Given]?: unknown }
