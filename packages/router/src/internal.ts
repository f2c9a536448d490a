/**
 * What the other packages of this repository share. Not part of the public API: it may change in
 * any release.
 *
 * @module
 */
export { followFragment, partsOfRef, stepsOf } from './changes/json-pointer.ts'
export {
  type JsonSchema,
  type StandardSchema,
  idOf,
  mapSchema,
  subschemasOf,
  toJsonSchema,
} from './changes/json-schema.ts'
export { isObject, mapValues } from './objects.ts'
export { isLibrary } from './changes/schema-view.ts'
export { rejectedAfter } from './changes/plan.ts'
export { isEvent } from './changes/actions.ts'
export { isBodiless, kHistory, responsesOf, voidStatusesOf } from './changes/translation.ts'
export { assertApi } from './compile/api.ts'
export { reachable } from './compile/precedence.ts'
export { isoOf, outageAt } from './declare/life.ts'
export { paramsOf, shapeOf } from './declare/settings.ts'
export { assertKnown, assertObject, invalidOption } from './errors.ts'
export { assertOptions } from './match/options.ts'
export { decodeUnreserved } from './match/path.ts'
export { createAnswer } from './respond/answer.ts'
export { bindActions, placeOf } from './respond/bind-actions.ts'
export { type DeclaredEvent, eventsOf } from './respond/events.ts'
export { encodeSegment, fillPattern, pathTextOf, patternFor } from './respond/fill-pattern.ts'
export { varyAccept, varyOnAccept } from './respond/headers.ts'
export { didYouMean, shortDate } from './wording.ts'
