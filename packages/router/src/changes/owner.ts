/** Enumerable, so that a copy such as `{ ...users, show }` keeps it. */
const owner = Symbol.for('@hv/router.owner')

/**
 * Returns the controller that the actions of a controller were taken from. It is `this` of their handlers, because only it
 * has the private fields. For a controller that `before` has not made, it is the controller itself.
 */
export const ownerOf = (controller: object): object =>
  (controller as { readonly [owner]?: object })[owner] ?? controller

/** Copies actions and records the controller that they were taken from. */
export const withOwner = <Actions extends object>(actions: Actions, controller: object): Actions => ({
  ...actions,
  [owner]: ownerOf(controller),
})
