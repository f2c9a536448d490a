export type { Action } from './actions.ts'
export { type Api, type ApiOptions, api, routeTable } from './api.ts'
export {
  type NamespaceOptions,
  type ResourcesOptions,
  type ScopeOptions,
  type VerbOptions,
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
export { type PathValues, hrefs, pathTo } from './href.ts'
export type { ActionOf, Controller, Controllers, HandlerKind, Hrefs } from './infer.ts'
export { type Match, type Matcher, type Miss, type MissCode, createMatcher } from './matcher.ts'
export { mediaType } from './media-type.ts'
export type { Problem } from './problem.ts'
export type { Row } from './table.ts'
