/**
 * Serves an API with Express 4 and 5.
 *
 * @module
 */
export { type Issue, type RequestPart, ValidationError, type Validator, ajvValidator } from '@hv/router/adapter'
export { before } from './before.ts'
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
  type ValidatedRequest,
  action,
} from './types.ts'
