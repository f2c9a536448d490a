// What the commands know about a route file: plain data from the worker that loads it.
import type { Explanation, Life, Row, Settings, explain } from '@hv/router'

/** A loaded route file. */
export interface RouteFile {
  readonly path: string
  /** One entry per `version()` call, in the order of the file. */
  readonly versions: readonly DeclaredVersion[]
  readonly rows: readonly Row[]
  readonly settings: Settings
  /** One entry per version number, lowest first. */
  readonly lives: readonly VersionLife[]
  /** The version of a request that names none. Null when it depends on the time, or when a version is required. */
  readonly defaultVersion: number | null
}

export interface VersionLife {
  readonly number: number
  readonly life: Life | null
  readonly isPreview: boolean
}

/** One `version()` call. */
export interface DeclaredVersion {
  readonly number: number
  /** The caches that it declares, and those that it inherits as a whole. */
  readonly caches: readonly string[]
  /** What else it declares, which no version can inherit: `users`, or `a selection of v1`. */
  readonly others: readonly string[]
}

export type ExplainRequest = Parameters<typeof explain>[1]

export interface WorkerRequest {
  readonly path: string
  readonly explain: ExplainRequest | null
}

/** What the worker answers. `isIdle`: nothing of the file runs any more, so that the worker can load another one. */
export type WorkerAnswer = { readonly isIdle?: boolean } & (
  | { readonly kind: 'loaded'; readonly routeFile: RouteFile; readonly explanation: Explanation | null }
  /** `api()` refused the declaration: the code and message of a RouterError. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'exports'; readonly names: readonly string[] }
  | { readonly kind: 'server' }
  | {
      readonly kind: 'failed'
      readonly message: string
      /** Where the syntax error is. `position` is `:line:column`, or empty when the line is not known. */
      readonly at?: { readonly path: string; readonly position: string }
    }
)
