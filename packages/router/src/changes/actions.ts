import type { ActionSchema } from '../types/schema.ts'

/** An action with a schema, as a controller has it. */
export type SchemaAction = Readonly<Record<string, unknown>> & {
  readonly handler: (...native: never[]) => unknown
  readonly schema?: ActionSchema
}
/** The actions of a controller. */
export type Actions = Readonly<Record<string, SchemaAction | SchemaAction['handler']>>

/** Enumerable, so that a copy such as `{ ...users, show }` keeps it. */
const kOwner = Symbol.for('@hv/router.owner')

/**
 * Returns the controller that the actions of a controller were taken from. It is `this` of their handlers, because only it
 * has the private fields. For a controller that `before` has not made, it is the controller itself.
 */
export const ownerOf = (controller: object): object =>
  (controller as { readonly [kOwner]?: object })[kOwner] ?? controller

/** Copies actions and records the controller that they were taken from. */
export const withOwner = <Own extends object>(actions: Own, controller: object): Own => ({
  ...actions,
  [kOwner]: ownerOf(controller),
})

/** The actions of a controller: its methods, and its objects with a handler. */
export function actionsOf(controller: Actions): Actions {
  const owner = ownerOf(controller)
  const found: Record<string, Actions[string]> = {}
  const ends = new Set<unknown>([null, Object.prototype, Function.prototype])
  for (let at: object = controller; !ends.has(at); at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === 'constructor' || Object.hasOwn(found, name)) continue
      const action = controller[name] as Actions[string] | null | undefined
      const isAction = typeof action === 'function' || typeof action?.handler === 'function'
      if (isAction) found[name] = action
    }
  return withOwner(found, owner)
}
