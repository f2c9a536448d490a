import { type Api, versionsOf } from './api.ts'
import { type Place, entryAt, isMalformed, locate } from './locate.ts'
import { type Negotiation, createNegotiator } from './negotiate.ts'
import { createServe, malformedPath, unknownPath } from './serve.ts'
import type { Row } from './table.ts'
import { type TrieNode, createTrie } from './trie.ts'

/** A request that a route serves. */
export interface Match {
  readonly kind: 'match'
  readonly route: Row
  readonly version: number
  /** Percent-decoded, by name. */
  readonly params: Readonly<Record<string, string>>
  /** The extension, else the suffix of the vendor type: `json`; null when there is neither. */
  readonly format: string | null
  /** A vendor range won: the answer's Content-Type is the vendor type with the version. */
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

/** A request that no route serves; the adapter answers it with a problem document. */
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

export interface Matcher {
  /**
   * Finds what serves a request. Never throws, keeps nothing of it but the Accept header in a bounded cache.
   *
   * @param path path of the URL as sent, with or without its query
   * @param accept the Accept header; undefined when there is none
   */
  match(method: string, path: string, accept: string | undefined): Match | Miss
}

/**
 * Builds the matcher of an API, once, at start-up: one trie over all versions, no generated code.
 *
 * @example
 * const { match } = createMatcher(routes)
 * match('GET', '/api/users/7', 'application/vnd.acme+json;version=2')
 * // { kind: 'match', version: 2, params: { id: '7' }, format: 'json', route: { … }, … }
 */
export function createMatcher(api: Api): Matcher {
  const root = createTrie(api)
  const supported = Object.freeze(versionsOf(api))
  const negotiate = createNegotiator(api)
  const { formats } = api.options
  const serve = createServe(root, formats)
  const allowCache: AllowCache = new Map()

  return { match }

  function match(method: string, path: string, accept: string | undefined): Match | Miss {
    const negotiation = negotiate(accept)
    const asked = method === 'HEAD' ? 'GET' : method
    let place: TrieNode | null = null
    for (const wanted of negotiation.acceptable) {
      const served = serve(asked, path, wanted)
      if (served !== null && 'kind' in served) return served
      place = served
    }

    const places = place === null ? locate(root, path, formats) : [{ node: place, values: [], extension: null }]
    if (places.length === 0) return unknownPath
    if (path.includes('%') && places.some(isMalformed)) return malformedPath
    if (method === 'OPTIONS')
      return { kind: 'miss', status: 204, code: 'options', allow: allowOf(places, [...supported.keys()]) }
    return explainMiss(asked, places, negotiation, supported, allowCache)
  }
}

/** Allow by place and version; the sets of places and versions are those of the API, not of its requests. */
type AllowCache = Map<TrieNode, (readonly string[] | undefined)[]>

function explainMiss(
  method: string,
  places: readonly Place[],
  { acceptable, malformed, requested }: Negotiation,
  supported: readonly number[],
  allowCache: AllowCache,
): Miss {
  const miss = (status: number, code: MissCode): Writable<Miss> =>
    requested.length > 0
      ? { kind: 'miss', status, code, requested, supported }
      : { kind: 'miss', status, code, supported }
  if (acceptable.length === 0) return malformed ? miss(400, 'malformed-accept') : miss(406, 'not-acceptable')
  for (const { index } of acceptable) {
    const allow = allowIn(places, index, allowCache)
    if (allow.length > 0) {
      const refusal = miss(405, 'method-not-allowed')
      refusal.allow = allow
      return refusal
    }
  }
  const refusal = miss(404, 'not-in-version')
  const availableIn = supported.filter((_, index) => places.some((place) => entryAt(place, method, index) !== null))
  if (availableIn.length > 0) refusal.availableIn = availableIn
  return refusal
}
type Writable<T> = { -readonly [K in keyof T]: T[K] }

function allowIn(places: readonly Place[], version: number, cache: AllowCache): readonly string[] {
  const { node } = places[0]!
  if (places.length > 1 || node.constrained) return allowOf(places, [version])
  const known = cache.get(node) ?? []
  cache.set(node, known)
  return (known[version] ??= Object.freeze(allowOf(places, [version])))
}

/** The methods of these places in these versions, with HEAD beside GET, and OPTIONS; empty when there are none. */
function allowOf(places: readonly Place[], versions: readonly number[]): readonly string[] {
  const methods = new Set<string>()
  for (const place of places)
    for (const method of place.node.leaf!.keys())
      if (versions.some((version) => entryAt(place, method, version) !== null)) {
        methods.add(method)
        if (method === 'GET') methods.add('HEAD')
      }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS']
}
