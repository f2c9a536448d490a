/**
 * What the author of an adapter uses besides `createMatcher`.
 *
 * @module
 */
export { type RequestStep, type SchemaAction, type Translation, before, translationOf } from './changes/before.ts'
export { type Answer, createAnswer } from './respond/answer.ts'
export { type BoundAction, bindActions } from './respond/bind-actions.ts'
export { type Header, createAddHeaders } from './respond/headers.ts'
export { isVendorJson } from './respond/media-type.ts'
export { type RoutingOptions, type VersionOf, assertRouterOptions, createNotify } from './respond/notify.ts'
export {
  type Issue,
  type RequestPart,
  type Validate,
  type Validated,
  type Validation,
  ValidationError,
  type Validator,
  ajvValidator,
  createValidation,
  issuesOf,
  validatePart,
} from './respond/validation.ts'
