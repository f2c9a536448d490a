/**
 * Declares an API, matches requests to its routes, and builds URLs and media types.
 *
 * @module
 */
export {
  type Became,
  type Change,
  type Conversions,
  type HeaderBecame,
  type StatusBecame,
  type Step,
  became,
  change,
  headerBecame,
  statusBecame,
} from './changes/change.ts'
export { type WithResponses, withResponses } from './changes/with-responses.ts'
export { type Api, api, routeTable } from './compile/api.ts'
export type { Row } from './compile/route.ts'
export type { ActionName } from './declare/actions.ts'
export * from './declare/helpers.ts' // what a route file is written with
// a route file's declaration file names these
export type {
  Cache,
  Extra,
  Inherit,
  Namespace,
  Resource,
  Resources,
  Scope,
  Verb,
  Version,
} from './declare/nodes.ts'
export type {
  ApiOptions,
  NamespaceOptions,
  ResourcesOptions,
  ScopeOptions,
  SharedOptions,
  VerbOptions,
  VersionOptions,
} from './declare/options.ts'
export type { Instant, Life, LifeOptions, Span } from './declare/life.ts'
export type { Settings } from './declare/settings.ts'
export { RouterError, type RouterErrorCode, type RouterErrorDetails } from './errors.ts'
export type { MatcherOptions } from './match/options.ts'
export { type Matcher, createMatcher } from './match/matcher.ts'
export type { Match, Miss, MissCode } from './match/outcome.ts'
export { createEvents, event } from './respond/events.ts'
export { type Explanation, explain } from './respond/explain.ts'
export { type PathValues, hrefs, pathTo } from './respond/href.ts'
export { type MediaTypeOptions, mediaType } from './respond/media-type.ts'
export type { Problem } from './respond/problem.ts'
export type { Before, SchemaBefore, TypedSchema } from './types/before.ts'
export type { ActionOf, Controller, Controllers, HandlerKind } from './types/controllers.ts'
export type {
  EventAction,
  EventContext,
  EventOptions,
  Events,
  EventsOf,
  PayloadOf,
} from './types/events.ts'
export type { Hrefs } from './types/hrefs.ts'
export type { ActionSchema, Schema, SchemaDirection, SchemaValue } from './types/schema.ts'
export type { TableOf } from './types/table-of.ts'
