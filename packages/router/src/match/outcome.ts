import type { Row } from '../compile/route.ts'
import type { Life } from '../declare/life.ts'
import type { Source } from '../negotiate/read-range.ts'

/** A request that a route serves. */
export interface Match {
  readonly kind: 'match'
  /** The route that serves the request, as its version lists it. */
  readonly row: Row
  /** The version that serves the request. */
  readonly version: number
  /** Percent-decoded, by name. */
  readonly params: Readonly<Record<string, string>>
  /** The extension of the path, else the suffix of the vendor type: `json`. Null when there is neither. */
  readonly format: string | null
  /** The Accept header names the vendor type: the Content-Type of the response is the vendor type with the version. */
  readonly usesVendorType: boolean
  /**
   * Who chose the version: the request by its number (`'explicit'`), the default version (`'default'`), or the
   * `pinVersion` function of the router (`'pinned'`).
   */
  readonly source: Source
}

/** Why no route serves a request. */
export type MissCode =
  | 'unknown-path'
  | 'malformed-path'
  | 'options'
  | 'method-not-allowed'
  | 'not-in-version'
  | 'malformed-accept'
  | 'version-required'
  | 'not-acceptable'
  | 'version-retired'
  | 'route-retired'
  | 'brownout'

/** A request that no route serves. The adapter answers it with a problem document. */
export interface Miss {
  readonly kind: 'miss'
  /** 404, 400, 204 (OPTIONS), 405, 406 or 410. */
  readonly status: number
  /** Why no route serves the request. */
  readonly code: MissCode
  /** The versions that the Accept header names. */
  readonly requested?: readonly number[]
  /** The declared versions that are neither retired nor previews. */
  readonly supported?: readonly number[]
  /** The retired versions. Left out when there are none. */
  readonly retired?: readonly number[]
  /** The versions of `supported` that have this method and path. */
  readonly availableIn?: readonly number[]
  /** The methods of this path, for the Allow header. */
  readonly allow?: readonly string[]
  /** The life of the version or route that is retired or in a brownout. */
  readonly life?: Life
  /** The version to move to. */
  readonly successor?: number
  /** When the brownout ends, in milliseconds since 1970. */
  readonly until?: number
}

// These two carry no data: all requests share them.

/** No version has the path. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })
/** A version has the path, but the path contains an invalid escape. */
export const malformedPath: Miss = Object.freeze({
  kind: 'miss',
  status: 400,
  code: 'malformed-path',
})

/** Why a version or a route that would serve a request does not, for the time being or for good. */
export interface Outage {
  readonly version: number
  readonly what: 'version' | 'route'
  readonly life: Life
  /** When the outage ends. Infinity when it is retired. */
  readonly until: number
}
