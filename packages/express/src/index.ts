/**
 * Serves an API with Express 4 and 5.
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
  type ApiRequest,
  type ApiRouter,
  type ExpressControllers,
  type ExpressKind,
  type Middleware,
  type RouterOptions,
  type TypedAction,
  type TypedHandler,
  type ValidatedRequest,
  action,
} from './types.ts'
export { validationErrorHandler } from './validation.ts'
