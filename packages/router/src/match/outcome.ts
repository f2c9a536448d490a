import type { Row } from '../compile/route.ts'
import type { Life } from '../declare/life.ts'
import type { Source } from '../negotiate/read-range.ts'

/** A request that a route serves. */
export interface Match {
  readonly kind: 'match'
  /** The row of `routeTable()` that serves the request. */
  readonly row: Row
  /** The version that serves the request. */
  readonly version: number
  /** The path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The path's extension, or else the vendor type's suffix: `json`. Null if there's neither. */
  readonly format: string | null
  /**
   * Whether the request asks for the vendor type. If so, the response's Content-Type is the vendor
   * type with the version.
   */
  readonly usesVendorType: boolean
  /**
   * Who chose the version: the request (`'explicit'`), the router's `pinVersion` (`'pinned'`), or
   * neither, so that it's the default version (`'default'`).
   */
  readonly source: Source
}

/** Why no route serves a request. */
export type MissCode =
  | 'unknown-path'
  | 'malformed-path'
  | 'options'
  | 'extension'
  | 'method-not-allowed'
  | 'not-in-version'
  | 'malformed-accept'
  | 'version-required'
  | 'not-acceptable'
  | 'version-retired'
  | 'route-retired'
  | 'brownout'

/** A request that no route serves. The adapter responds with a problem document. */
export interface Miss {
  readonly kind: 'miss'
  /** 404, 400, 204 (OPTIONS), 308, 405, 406 or 410. */
  readonly status: number
  /** Why no route serves the request. */
  readonly code: MissCode
  /** The versions that the Accept header names. */
  readonly requested?: readonly number[]
  /** The declared versions, except retired ones and previews. */
  readonly supported?: readonly number[]
  /** The retired versions. Left out if there are none. */
  readonly retired?: readonly number[]
  /** The supported versions that have this method and path. */
  readonly availableIn?: readonly number[]
  /** The methods that this path supports, for the Allow header. */
  readonly allow?: readonly string[]
  /** The lifecycle of the version or route that's retired or in a brownout. */
  readonly life?: Life
  /** The version that clients should move to. */
  readonly successor?: number
  /** When the brownout ends, in milliseconds since 1970. */
  readonly until?: number
  /** The same path without its extension, relative to the one sent: `./users?page=2`. */
  readonly location?: string
}

// These two have no data of their own, so all requests share them.

/** No version has the path. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })
/** A version has the path, but it contains an invalid escape. */
export const malformedPath: Miss = Object.freeze({
  kind: 'miss',
  status: 400,
  code: 'malformed-path',
})

/** Why a version or route doesn't serve a request that it would serve at another time. */
export interface Outage {
  readonly version: number
  readonly what: 'version' | 'route'
  readonly life: Life
  /** When the outage ends. Infinity if the version or route is retired. */
  readonly until: number
}
