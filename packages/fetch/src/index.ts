/**
 * Serves an API as a function from `Request` to `Response`.
 *
 * @module
 */
export {
  type Issue,
  type RequestPart,
  ValidationError,
  type Validator,
  ajvValidator,
  before,
} from '@hv/router/adapter'
export { createRouter } from './router.ts'
export {
  type ActionOptions,
  type Context,
  type FetchControllers,
  type FetchHandler,
  type FetchKind,
  type ProblemContent,
  type RouteMatch,
  type RouterOptions,
  type TypedAction,
  type ValidatedMatch,
  action,
} from './types.ts'
