/** Enumerable, so that a copy such as `{ ...users, show }` keeps it. */
const owner = Symbol.for('@hv/router.owner')

/**
 * The controller that the actions were taken from, and `this` of their handlers: private fields exist on it alone.
 * It is the controller itself unless `before` has made it.
 */
export const ownerOf = (controller: object): object =>
  (controller as { readonly [owner]?: object })[owner] ?? controller

export const withOwner = <Actions extends object>(actions: Actions, controller: object): Actions => ({
  ...actions,
  [owner]: ownerOf(controller),
})
