import { type Api, versionsOf } from './api.ts'
import { type Acceptable, type Negotiation, createNegotiator } from './negotiate.ts'
import type { Row } from './table.ts'
import { type Entry, type TrieNode, createTrie } from './trie.ts'

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

const SLASH = 47

/** Where a path ended in the trie. */
interface Found {
  readonly node: TrieNode
  /** Raw values of the params, in the order of the path. */
  readonly values: readonly string[]
  readonly extension: string | null
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
  const formats = api.options.formats

  return { match }

  function match(method: string, path: string, accept: string | undefined): Match | Miss {
    const found = locate(path)
    if (found.length === 0) return { kind: 'miss', status: 404, code: 'unknown-path' }
    if (path.includes('%') && found.some(isMalformed)) return { kind: 'miss', status: 400, code: 'malformed-path' }
    if (method === 'OPTIONS') return { kind: 'miss', status: 204, code: 'options', allow: allowOf(found, supported) }

    const negotiation = negotiate(accept)
    const asked = method === 'HEAD' ? 'GET' : method
    for (const wanted of negotiation.acceptable)
      for (const place of found) {
        const entry = entryAt(place, asked, wanted.version)
        if (entry !== undefined) return createMatch(entry, place, wanted)
      }
    return explainMiss(asked, found, negotiation)
  }

  /** Every place of the trie that the path leads to, in order of preference. Empty: the path is not ours. */
  function locate(url: string): readonly Found[] {
    const found: Found[] = []
    const query = url.indexOf('?')
    let end = query < 0 ? url.length : query
    if (end === 0 || url.charCodeAt(0) !== SLASH) return found
    if (end === 1) {
      if (root.leaf !== null) found.push({ node: root, values: [], extension: null })
      return found
    }
    if (url.charCodeAt(end - 1) === SLASH) end-- // one trailing slash is accepted
    walk(root, 1, [])
    return found

    function walk(node: TrieNode, from: number, values: readonly string[]): void {
      const slash = url.indexOf('/', from)
      const isLast = slash < 0 || slash >= end
      const segment = url.slice(from, isLast ? end : slash)
      if (isLast) {
        arrive(node.children.get(segment), values, null)
        const dot = segment.lastIndexOf('.')
        const extension = segment.slice(dot + 1)
        const hasExtension = dot >= 0 && isFormat(extension)
        const stem = hasExtension ? segment.slice(0, dot) : segment
        if (hasExtension) arrive(node.children.get(stem), values, extension)
        if (isValue(stem)) arrive(node.param, [...values, stem], hasExtension ? extension : null)
      } else {
        const child = node.children.get(segment)
        if (child !== undefined) walk(child, slash + 1, values)
        if (node.param !== null && isValue(segment)) walk(node.param, slash + 1, [...values, segment])
      }
    }

    function arrive(node: TrieNode | null | undefined, values: readonly string[], extension: string | null): void {
      if (node == null || node.leaf === null) return
      const place = { node, values, extension }
      if (!node.constrained || isOpen(place)) found.push(place)
    }
  }

  /** An extension that counts: any, or one of `formats`. */
  function isFormat(extension: string): boolean {
    return formats === undefined ? extension !== '' : formats !== false && formats.includes(extension)
  }
  /** A param is not empty; it holds dots only where extensions are limited. */
  function isValue(segment: string): boolean {
    return segment !== '' && (formats !== undefined || !segment.includes('.'))
  }

  function explainMiss(method: string, found: readonly Found[], negotiation: Negotiation): Miss {
    const { acceptable, malformed } = negotiation
    const requested = negotiation.requested.length > 0 ? { requested: negotiation.requested } : {}
    if (acceptable.length === 0)
      return malformed
        ? { kind: 'miss', status: 400, code: 'malformed-accept', ...requested, supported }
        : { kind: 'miss', status: 406, code: 'not-acceptable', ...requested, supported }
    for (const { version } of acceptable) {
      const allow = allowOf(found, [version])
      if (allow.length > 0)
        return { kind: 'miss', status: 405, code: 'method-not-allowed', ...requested, supported, allow }
    }
    const availableIn = supported.filter((version) =>
      found.some((place) => entryAt(place, method, version) !== undefined),
    )
    return {
      kind: 'miss',
      status: 404,
      code: 'not-in-version',
      ...requested,
      supported,
      ...(availableIn.length > 0 && { availableIn }),
    }
  }
}

/** The methods of these places in these versions, with HEAD beside GET, and OPTIONS; empty when there are none. */
function allowOf(found: readonly Found[], versions: readonly number[]): readonly string[] {
  const methods = new Set<string>()
  for (const place of found)
    for (const method of place.node.leaf!.keys())
      if (versions.some((version) => entryAt(place, method, version) !== undefined)) {
        methods.add(method)
        if (method === 'GET') methods.add('HEAD')
      }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS']
}

const entryAt = ({ node, values }: Found, method: string, version: number): Entry | undefined =>
  node
    .leaf!.get(method)
    ?.get(version)
    ?.find((entry) => passes(entry, values))

/** Whether the constraints leave any entry at this place. */
const isOpen = ({ node, values }: Found): boolean =>
  [...node.leaf!.values()].some((versions) =>
    [...versions.values()].some((entries) => entries.some((entry) => passes(entry, values))),
  )

/** A value that cannot be decoded passes: that it is malformed is said before anything else. */
const passes = ({ tests }: Entry, values: readonly string[]): boolean =>
  tests === null ||
  tests.every((test, i) => {
    const value = decodeOrNull(values[i]!)
    return test === undefined || value === null || test(value)
  })

function createMatch({ row, params: names }: Entry, { values, extension }: Found, wanted: Acceptable): Match {
  const params: Record<string, string> = {}
  for (let i = 0; i < names.length; i++) params[names[i]!] = decode(values[i]!)
  return {
    kind: 'match',
    route: row,
    version: wanted.version,
    params,
    format: extension === null ? wanted.format : decode(extension),
    vendor: wanted.vendor,
  }
}

const decode = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)

const isMalformed = ({ values, extension }: Found): boolean =>
  [...values, extension ?? ''].some((text) => decodeOrNull(text) === null)

function decodeOrNull(text: string): string | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}
