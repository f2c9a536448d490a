import type { Settings } from '../declare/settings.ts'
import { decode, isFormat } from './locate.ts'
import type { Match, Miss } from './matcher.ts'
import type { Acceptable } from '../negotiate/negotiate.ts'
import { type Row, rowOf } from '../compile/route.ts'
import { type Trie, childAt, childOf, endpointAt, entryOf, hashStep, isPlace } from './trie.ts'

const [PERCENT, DOT, SLASH, ZERO, QUESTION] = [37, 46, 47, 48, 63]

// Frozen: all requests share them.
/** No version knows the path. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })
/** A version knows it, but an escape in it cannot be decoded. */
export const malformedPath: Miss = Object.freeze({ kind: 'miss', status: 400, code: 'malformed-path' })

/**
 * Creates the quick way of the matcher: one pass over the path as it lies in the URL, static segments first, nothing
 * cut out on the way. It answers what this way alone can be sure of; where it took a static segment and a param stood
 * beside it, or where the values of params decide, it may have to give up: null, and `locate` reads the path again.
 *
 * @returns a match; a miss that holds for all versions; the only place of the path, where this version has no route;
 *   or null
 */
export function createServe(
  trie: Trie,
  settings: Settings,
): (method: string, url: string, wanted: Acceptable) => Match | Miss | number | null {
  const { formats } = settings
  const { prefix, start } = commonPrefix(trie, settings.prefix)
  // Where the params of the request at hand lie: start and end, one after the other. A call fills it before it reads it.
  const bounds: number[] = []
  /** By index of the version, then by endpoint: the rows that were asked for. */
  const rows: (Row | null)[][] = []

  return (method, url, wanted) => {
    if (!beginsWith(prefix, url)) return unknownPath
    let node = start
    let from = prefix.length
    let depth = 0
    let only = true // nothing but this way leads on
    let escaped = false

    for (;;) {
      // One segment: where it ends, its hash, its last dot. Most characters are letters: one comparison.
      let hash = 0
      let dot = -1
      let to = from
      let code = 0
      for (; to < url.length; to++) {
        code = url.charCodeAt(to)
        if (code <= QUESTION) {
          if (code < ZERO) {
            if (code === SLASH) break
            if (code === DOT) dot = to
            else if (code === PERCENT) escaped = true
          } else if (code === QUESTION) break
        }
        hash = hashStep(hash, code)
      }
      const param = trie.params[node]!
      let child = childAt(trie, node, url, from, to, hash)

      // Onwards: by its text, else as the value of a param.
      if (code === SLASH) {
        if (dot >= 0) {
          const isLast = to + 1 === url.length || url.charCodeAt(to + 1) === QUESTION
          if (isLast || (child === 0 && formats === 'any')) return null
        }
        if (child !== 0) only &&= param === 0
        else {
          if (param === 0 || to === from) return only ? unknownPath : null
          bounds[depth++] = from
          bounds[depth++] = to
          child = param
        }
        node = child
        from = to + 1
        continue
      }

      // The last one: whole, then without its extension, each by its text before it is a value. Empty: a slash at the end.
      let extension: string | null = null
      if (to === from) child = node
      else {
        let stem = to
        if (dot >= 0) {
          if (child !== 0) return null
          extension = url.slice(dot + 1, to)
          if (isFormat(extension, formats)) {
            stem = dot
            child = childOf(trie, node, url, from, stem)
          } else extension = null
        }
        if (child !== 0) only &&= param === 0
        else {
          const hasDot = dot >= 0 && formats === 'any' && (stem === to || url.lastIndexOf('.', stem - 1) >= from)
          if (param === 0 || stem === from || hasDot) return only ? unknownPath : null
          bounds[depth++] = from
          bounds[depth++] = stem
          child = param
        }
      }

      // The place: what it answers to the method in the version wanted.
      const endpoint = endpointAt(trie, child, method)
      const row = endpoint < 0 ? null : (rows[wanted.index]?.[endpoint] ?? toRow(endpoint, wanted))
      if (row === null) {
        if (only && !isPlace(trie, child)) return unknownPath
        return only && !trie.constrained[child] && !escaped ? child : null
      }
      const names = trie.names[endpoint] ?? null
      if (names === null) return null
      try {
        const params =
          depth === 2 && names[0] === 'id' ? { id: valueAt(url, 0, escaped) } : valuesOf(names, url, escaped)
        return toMatch(row, wanted, params, extension)
      } catch {
        return malformedPath
      }
    }
  }

  /** The row of an endpoint in a version, or null; made once. */
  function toRow(endpoint: number, { index }: Acceptable): Row | null {
    const entry = entryOf(trie, endpoint, index)
    const known = (rows[index] ??= trie.methods.map(() => null))
    return entry && (known[endpoint] = rowOf(settings, entry.route, index))
  }
  function valuesOf(names: readonly string[], url: string, escaped: boolean): Record<string, string> {
    const params: Record<string, string> = {}
    for (let i = 0; i < names.length; i++) params[names[i]!] = valueAt(url, i, escaped)
    return params
  }
  function valueAt(url: string, i: number, escaped: boolean): string {
    const text = url.slice(bounds[2 * i], bounds[2 * i + 1])
    return escaped ? decode(text) : text
  }
}

/** The extension says the format, else the suffix. */
export const toMatch = (
  route: Row,
  { version, format, vendor }: Acceptable,
  params: Match['params'],
  extension: string | null,
): Match => ({
  kind: 'match',
  route,
  version,
  params,
  format: extension === null ? format : decode(extension),
  vendor,
})

/** What `startsWith` says, in half its time for a few characters. */
function beginsWith(prefix: string, url: string): boolean {
  if (url.length < prefix.length) return false
  let i = 0
  while (i < prefix.length && url.charCodeAt(i) === prefix.charCodeAt(i)) i++
  return i === prefix.length
}

/** What all paths begin with, `/api/`, and the node below it: compared at once instead of walked. */
function commonPrefix(trie: Trie, path: string) {
  let prefix = '/'
  let start = 0
  for (const text of path.split('/').filter(Boolean)) {
    const child = childOf(trie, start, text)
    if (child === 0 || isPlace(trie, child)) break
    prefix += `${text}/`
    start = child
  }
  return { prefix, start }
}
