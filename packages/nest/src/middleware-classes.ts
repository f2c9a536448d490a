import { MiddlewareBuilder } from './internals.ts'

/** The classes that modules passed to `forRoutes()`, by HTTP adapter: one per app. */
const classes = new WeakMap<object, Set<unknown>>()
let isWatching = false

/**
 * Notes the classes that `consumer.apply(...).forRoutes(UsersV1)` names. Nest looks for `@Get()` and so on in them, finds nothing,
 * and the middleware never runs; it keeps no trace of the class. So the method is wrapped, once, before the first app is created.
 */
export function watchMiddleware(): void {
  if (isWatching) return
  isWatching = true
  const { prototype } = MiddlewareBuilder
  const { apply } = prototype
  prototype.apply = function applyWatched(...middleware) {
    const config = apply.apply(this, middleware)
    const forRoutes = config.forRoutes.bind(config)
    const named = classesOf(this.getHttpAdapter())
    config.forRoutes = (...routes) => {
      for (const route of routes) named.add(route)
      return forRoutes(...routes)
    }
    return config
  }
}

/** What the modules of an app passed to `forRoutes()`. */
export function classesOf(adapter: object): Set<unknown> {
  const known = classes.get(adapter) ?? new Set()
  classes.set(adapter, known)
  return known
}
