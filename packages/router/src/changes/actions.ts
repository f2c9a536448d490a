import type { ActionSchema } from '../types/schema.ts'
import { isAnyObject } from '../objects.ts'

/** An action with a schema, as a controller has it. */
export type SchemaAction = Readonly<Record<string, unknown>> & {
  readonly handler: (...native: never[]) => unknown
  readonly schema?: ActionSchema
}
/** An action, as a controller has it. */
export type Action = SchemaAction | SchemaAction['handler']

/** Whether it's an event: an action that no route leads to, which `event()` declares. */
export const isEvent = (action: unknown): boolean =>
  (action as { readonly event?: unknown } | null | undefined)?.event === true

/** It's enumerable, so copies such as `{ ...users, show }` keep it. */
const kOwner = Symbol.for('@hv/router.owner')

/**
 * The controller that a derived controller's actions come from, or else the controller itself. It's
 * `this` in their handlers, because only the original has the private fields.
 */
export const ownerOf = (controller: object): object =>
  (controller as { readonly [kOwner]?: object })[kOwner] ?? controller

/**
 * Copies controllers with other actions. A controller whose actions all stay the same isn't copied.
 *
 * @param map - receives an action and its place, such as `users.index`
 */
export function mapActions(
  controllers: object,
  map: (action: Action, where: string) => Action,
): object {
  const copies = new Map<string, object>(Object.entries(controllers))
  for (const [key, controller] of copies) {
    const actions = new Map<string, Action>()
    let isSame = true
    for (const [name, action] of actionsOf(controller)) {
      const mapped = map(action, `${key}.${name}`)
      actions.set(name, mapped)
      isSame &&= mapped === action
    }
    if (!isSame) copies.set(key, { ...Object.fromEntries(actions), [kOwner]: ownerOf(controller) })
  }
  return Object.fromEntries(copies)
}

/** A controller's actions: its methods, inherited ones included, and its objects with a handler. */
export function actionsOf(controller: object): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>()
  const ends = new Set<unknown>([null, Object.prototype, Function.prototype])
  if (!isAnyObject(controller)) return actions // createRouter reports it
  for (let at = controller; !ends.has(at); at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) {
      const isClass = name === 'constructor' && at !== controller
      if (isClass || actions.has(name)) continue
      const action = controller[name as never] as Action | null | undefined
      const isAction = typeof action === 'function' || typeof action?.handler === 'function'
      if (isAction) actions.set(name, action)
    }
  return actions
}
