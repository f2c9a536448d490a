import type { Row } from '../compile/route.ts'

/** A request that a route serves. */
export interface Match {
  readonly kind: 'match'
  readonly route: Row
  readonly version: number
  /** Percent-decoded, by name. */
  readonly params: Readonly<Record<string, string>>
  /** The extension of the path, else the suffix of the vendor type: `json`. Null when there is neither. */
  readonly format: string | null
  /** The Accept header names the vendor type: the Content-Type of the response is the vendor type with the version. */
  readonly vendor: boolean
}

export type MissCode =
  | 'unknown-path'
  | 'malformed-path'
  | 'options'
  | 'method-not-allowed'
  | 'not-in-version'
  | 'malformed-accept'
  | 'not-acceptable'

/** A request that no route serves. The adapter answers it with a problem document. */
export interface Miss {
  readonly kind: 'miss'
  /** 404, 400, 204 (OPTIONS), 405 or 406. */
  readonly status: number
  readonly code: MissCode
  /** The versions that the Accept header names. */
  readonly requested?: readonly number[]
  /** The declared versions. */
  readonly supported?: readonly number[]
  /** The versions that have this method and path. */
  readonly availableIn?: readonly number[]
  /** The methods of this path, for the Allow header. */
  readonly allow?: readonly string[]
}

// These two carry no data: all requests share them.

/** No version has the path. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })
/** A version has the path, but the path contains an invalid escape. */
export const malformedPath: Miss = Object.freeze({ kind: 'miss', status: 400, code: 'malformed-path' })
