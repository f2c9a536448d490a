/**
 * What the author of an adapter uses besides `createMatcher`.
 *
 * @module
 */
export { type RequestStep, type SchemaAction, type Translation, before, translationOf } from './changes/before.ts'
export { type JsonSchema, isObject, mapSchema, toJsonSchema } from './changes/json-schema.ts'
export { createOlderWords } from './changes/older-words.ts'
export { type Answer, createAnswer } from './respond/answer.ts'
export { type BoundAction, bindActions } from './respond/bind-actions.ts'
export { type Header, createAddHeaders, varyAccept } from './respond/headers.ts'
export { isVendorJson } from './respond/media-type.ts'
export { type RoutingOptions, type VersionOf, assertRouterOptions, createNotify } from './respond/notify.ts'
export { problemOf } from './respond/problem.ts'
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
  validatePart,
} from './respond/validation.ts'
