/**
 * Serves an API as a function from `Request` to `Response`.
 *
 * @module
 */
export { createRouter } from './router.ts'
export type {
  ActionOptions,
  Context,
  FetchControllers,
  FetchHandler,
  FetchKind,
  RouterOptions,
  RouteMatch,
} from './types.ts'
