/**
 * What the author of an adapter uses besides the types of the API.
 *
 * @module
 */
export type { SchemaAction } from './changes/actions.ts'
export { before } from './changes/before.ts'
export type { RequestPart, RequestStep } from './changes/plan.ts'
export {
  type MutableHeaders,
  type OlderResponse,
  type Translation,
  finishHead,
  translationOf,
} from './changes/translation.ts'
export type { ActionAnswer, Answer, ProblemAnswer } from './respond/answer.ts'
export {
  type SentText,
  changeOfText,
  convertText,
  isJson,
  prepareForError,
  unconvertible,
} from './respond/convert-text.ts'
export {
  type Guard,
  type GuardOptions,
  type NodeResponse,
  guardBody,
  newerStatusOf,
} from './respond/guard-body.ts'
export { type BoundAction, madeBy } from './respond/bind-actions.ts'
export {
  type AdapterParts,
  type Dispatcher,
  type DispatcherOptions,
  type Reply,
  createDispatcher,
} from './respond/dispatcher.ts'
export { type Header, createAddHeaders, keepType, keepsType } from './respond/headers.ts'
export { isVendorJson } from './respond/media-type.ts'
export type { RoutingOptions, VersionOf } from './respond/notify.ts'
export * from './respond/ajv-validator.ts'
export * from './respond/validation.ts'
export { type Issue, ValidationError, propertyOf } from './respond/validation-error.ts'
export type { Bivariant, TypedAction, ValidatedPart } from './types/action.ts'
export type { Complete, GivenVersions } from './types/controllers.ts'
export type { ActionsIn, KeyOfAny } from './types/hrefs.ts'
