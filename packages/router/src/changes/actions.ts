import type { ActionSchema } from '../types/schema.ts'

/** An action with a schema, as a controller has it. */
export type SchemaAction = Readonly<Record<string, unknown>> & {
  readonly handler: (...native: never[]) => unknown
  readonly schema?: ActionSchema
}
/** An action, as a controller has it. */
export type Action = SchemaAction | SchemaAction['handler']

/** Enumerable, so that a copy such as `{ ...users, show }` keeps it. */
const kOwner = Symbol.for('@hv/router.owner')

/**
 * Returns the controller that the actions of a controller were taken from. It is `this` of their handlers, because only it
 * has the private fields. For a controller that `before` has not made, it is the controller itself.
 */
export const ownerOf = (controller: object): object =>
  (controller as { readonly [kOwner]?: object })[kOwner] ?? controller

/**
 * Copies controllers and replaces their actions by what `map` returns. A controller with the same actions stays the same object.
 *
 * @param map - receives an action and its place, `users.index`
 */
export const mapActions = (
  controllers: object,
  map: (action: Action, where: string) => Action,
): object =>
  Object.fromEntries(
    Object.entries(controllers).map(([key, controller]: [string, object]) => {
      if (Object(controller) !== controller) return [key, controller] // createRouter reports it
      const actions = [...actionsOf(controller)]
      const mapped = actions.map(([name, action]) => [name, map(action, `${key}.${name}`)] as const)
      const isSame = mapped.every(([, action], index) => action === actions[index]![1])
      return [
        key,
        isSame ? controller : { ...Object.fromEntries(mapped), [kOwner]: ownerOf(controller) },
      ]
    }),
  )

/** The actions of a controller: its methods, and its objects with a handler. */
function actionsOf(controller: object): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>()
  const ends = new Set<unknown>([null, Object.prototype, Function.prototype])
  for (let at = controller; !ends.has(at); at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === 'constructor' || actions.has(name)) continue
      const action = controller[name as never] as Action | null | undefined
      const isAction = typeof action === 'function' || typeof action?.handler === 'function'
      if (isAction) actions.set(name, action)
    }
  return actions
}
