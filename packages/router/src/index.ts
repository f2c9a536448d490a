export type { Action } from './actions.ts'
export { type Api, type ApiOptions, api, routeTable } from './api.ts'
// The types of nodes are public because a compiler that writes declarations has to name them.
export {
  type Cache,
  type Extra,
  type Inherit,
  type Namespace,
  type NamespaceOptions,
  type Resource,
  type Resources,
  type ResourcesOptions,
  type ScopeOptions,
  type Verb,
  type VerbOptions,
  type Version,
  cache,
  collection,
  del,
  get,
  inherit,
  member,
  namespace,
  patch,
  post,
  put,
  resource,
  resources,
  version,
} from './dsl.ts'
export { RouterError, type RouterErrorCode } from './errors.ts'
export { type Explanation, explain } from './explain.ts'
export { type PathValues, hrefs, pathTo } from './href.ts'
export type { ActionOf, Controller, Controllers, HandlerKind, Hrefs, TableOf } from './infer.ts'
export { type Match, type Matcher, type Miss, type MissCode, createMatcher } from './matcher.ts'
export { mediaType } from './media-type.ts'
export type { Problem } from './problem.ts'
export type { Row } from './table.ts'
