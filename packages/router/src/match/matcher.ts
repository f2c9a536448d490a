import { createAcceptCache } from '../negotiate/accept-cache.ts'
import type { Api } from '../compile/api.ts'
import type { Settings } from '../declare/settings.ts'
import { type Place, decode, entryAt, isMalformed, locate } from './locate.ts'
import { type Acceptable, type Negotiation, createNegotiator } from '../negotiate/negotiate.ts'
import { createServe, malformedPath, toMatch, unknownPath } from './serve.ts'
import { type Row, rowOf } from '../compile/route.ts'
import { type Trie, createTrie, endpointAt, endpointsAt, entryOf } from './trie.ts'

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
  const trie = createTrie(api)
  const supported = api.settings.versions
  const negotiate = createNegotiator(api.settings)
  const known = createAcceptCache(negotiate)
  const withoutHeader = negotiate('')
  const { settings } = api
  const { formats } = settings
  const serve = createServe(trie, settings)
  const explain = createExplain(trie, supported)

  return { match }

  function match(method: string, path: string, accept: string | undefined): Match | Miss {
    const negotiation = accept ? known(accept) : withoutHeader
    const { acceptable } = negotiation
    const asked = method === 'HEAD' ? 'GET' : method
    let places: readonly Place[] | null = null
    let only = -1 // the only place of the path, once it is known that there is no other
    for (let i = 0; i < acceptable.length && places === null; i++) {
      const wanted = acceptable[i]!
      if (only >= 0 && entryOf(trie, endpointAt(trie, only, asked), wanted.index) === null) continue
      const found = serve(asked, path, wanted)
      if (found === null) places = locate(trie, path, formats)
      else if (typeof found === 'number') only = found
      else return found
    }
    if (only >= 0 && method !== 'OPTIONS')
      return explain(asked, [{ node: only, values: [], extension: null }], negotiation)
    places ??= locate(trie, path, formats)
    if (places.length === 0) return unknownPath
    if (places.some(isMalformed)) return malformedPath
    if (method === 'OPTIONS')
      return { kind: 'miss', status: 204, code: 'options', allow: allowOf(trie, places, [...supported.keys()]) }
    return matchAt(trie, asked, places, acceptable, settings) ?? explain(asked, places, negotiation)
  }
}

/** The best version that has the method at one of the places, in their order. */
function matchAt(
  trie: Trie,
  method: string,
  places: readonly Place[],
  acceptable: readonly Acceptable[],
  settings: Settings,
): Match | null {
  for (const wanted of acceptable)
    for (const place of places) {
      const entry = entryAt(trie, place, method, wanted.index)
      if (entry === null) continue
      const { values, extension } = place
      const params = Object.fromEntries(entry.params.map((name, i) => [name, decode(values[i]!)]))
      return toMatch(rowOf(settings, entry.route, wanted.index), wanted, params, extension)
    }
  return null
}

/** Says why no version serves a method at the places of a path. What it says of a lone place, it keeps. */
function createExplain(trie: Trie, supported: readonly number[]) {
  const allowed = new Map<number, readonly string[]>()
  const available = new Map<number, readonly number[]>()

  return (method: string, places: readonly Place[], { acceptable, malformed, requested }: Negotiation): Miss => {
    const miss = (status: number, code: MissCode): Writable<Miss> =>
      requested.length > 0
        ? { kind: 'miss', status, code, requested, supported }
        : { kind: 'miss', status, code, supported }
    if (acceptable.length === 0) return malformed ? miss(400, 'malformed-accept') : miss(406, 'not-acceptable')
    const { node } = places[0]!
    const isLone = places.length === 1 && !trie.constrained[node]
    for (const { index } of acceptable) {
      const allow = kept(allowed, isLone, node * trie.versions + index, () => allowOf(trie, places, [index]))
      if (allow.length > 0) {
        const refusal = miss(405, 'method-not-allowed')
        refusal.allow = allow
        return refusal
      }
    }
    const refusal = miss(404, 'not-in-version')
    const availableIn = kept(available, isLone, endpointAt(trie, node, method), () =>
      supported.filter((_, index) => places.some((place) => entryAt(trie, place, method, index) !== null)),
    )
    if (availableIn.length > 0) refusal.availableIn = availableIn
    return refusal
  }
}

/** A frozen list, made once for a key where it may be kept. */
function kept<T>(
  lists: Map<number, readonly T[]>,
  mayKeep: boolean,
  key: number,
  make: () => readonly T[],
): readonly T[] {
  const known = mayKeep ? lists.get(key) : undefined
  if (known !== undefined) return known
  const list = Object.freeze(make())
  if (mayKeep) lists.set(key, list)
  return list
}
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The methods of these places in these versions, with HEAD beside GET, and OPTIONS; empty when there are none. */
function allowOf(trie: Trie, places: readonly Place[], versions: readonly number[]): readonly string[] {
  const methods = new Set<string>()
  for (const place of places)
    for (const method of endpointsAt(trie, place.node).map((endpoint) => trie.methods[endpoint]!))
      if (versions.some((version) => entryAt(trie, place, method, version) !== null)) {
        methods.add(method)
        if (method === 'GET') methods.add('HEAD')
      }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS']
}
