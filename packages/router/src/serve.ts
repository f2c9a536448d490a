import type { Match, Miss } from './matcher.ts'
import { type Formats, decode, endOfPath, isFormat } from './locate.ts'
import type { Acceptable } from './negotiate.ts'
import { type Entry, type TrieNode, childAt, hashStep } from './trie.ts'

const [PERCENT, DOT, SLASH] = [37, 46, 47]

// Frozen: all requests share them.
/** No version knows the path. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })
/** A version knows it, but an escape in it cannot be decoded. */
export const malformedPath: Miss = Object.freeze({ kind: 'miss', status: 400, code: 'malformed-path' })

/**
 * Creates the quick way of the matcher: the route of one version, found where it lies in the path, with nothing
 * allocated on the way. Where this version has no route, but the path is known, it gives the one place that the path
 * leads to, or null when there are several or a constraint decides: `locate` lists them then.
 */
export function createServe(
  root: TrieNode,
  formats: Formats,
): (method: string, url: string, wanted: Acceptable) => Match | Miss | TrieNode | null {
  // The request at hand, and where its params lie. A call fills them, and nothing else runs before it ends: no
  // closure, no array is made for a request.
  let method = ''
  let url = ''
  let end = 0
  let wanted: Acceptable
  /** The place that the path leads to, and how many there are. None: no version knows the path. */
  let place: TrieNode = root
  let places = 0
  /** A percent sign stands in the path: always in a param or an extension, as no static segment has one. */
  let escaped = false
  const starts: number[] = []
  const ends: number[] = []
  const { prefix, start } = commonPrefix(root)

  return (askedMethod, askedUrl, acceptable) => {
    method = askedMethod
    url = askedUrl
    wanted = acceptable
    end = endOfPath(url)
    if (end === 0) return unknownPath
    places = 0
    escaped = false
    if (end > 1 && (end < prefix.length || !url.startsWith(prefix))) return unknownPath
    const found = end === 1 ? arrive(root, 0, null) : walk(start, prefix.length, 0)
    if (found !== null) return found
    if (places === 0) return unknownPath
    return places === 1 && !place.constrained && !escaped ? place : null
  }

  function walk(node: TrieNode, from: number, depth: number): Match | Miss | null {
    const path = url // here and below: what stands in a local is at hand in the loop
    const stop = end
    let hash = 0
    let dot = -1
    let to = from
    for (; to < stop; to++) {
      const code = path.charCodeAt(to)
      if (code === SLASH) break
      if (code === PERCENT) escaped = true
      if (code === DOT) dot = to
      hash = hashStep(hash, code)
    }
    if (to === stop) return finish(node, from, dot, hash, depth)

    const child = childAt(node, path, from, to, hash)
    const found = child === undefined ? null : walk(child, to + 1, depth)
    if (found !== null || node.param === null || to === from || (dot >= 0 && formats === undefined)) return found
    starts[depth] = from
    ends[depth] = to
    return walk(node.param, to + 1, depth + 1)
  }

  /** The last segment: whole, then without its extension. */
  function finish(node: TrieNode, from: number, dot: number, hash: number, depth: number): Match | Miss | null {
    const found = arrive(childAt(node, url, from, end, hash), depth, null)
    if (found !== null) return found
    let stem = end
    let extension: string | null = null
    if (dot >= 0) {
      extension = url.slice(dot + 1, end)
      if (isFormat(extension, formats)) {
        stem = dot
        const found = arrive(childAt(node, url, from, stem, hashOf(from, stem)), depth, extension)
        if (found !== null) return found
      } else extension = null
      if (formats === undefined && url.lastIndexOf('.', stem - 1) >= from) return null
    }
    if (stem === from) return null
    starts[depth] = from
    ends[depth] = stem
    return arrive(node.param, depth + 1, extension)
  }

  function arrive(node: TrieNode | null | undefined, depth: number, extension: string | null): Match | Miss | null {
    if (node == null || node.leaf === null) return null
    places++
    place = node
    let entry = node.leaf.get(method)?.[wanted.index] ?? null
    while (entry !== null && entry.tests !== null && !passes(entry)) entry = entry.next
    if (entry === null) return null
    const names = entry.params
    let params: Record<string, string> = {}
    try {
      if (depth === 1 && names[0] === 'id') params = { id: valueAt(0) }
      else for (let i = 0; i < depth; i++) params[names[i]!] = valueAt(i)
      return {
        kind: 'match',
        route: entry.row,
        version: wanted.version,
        params,
        format: extension === null ? wanted.format : escaped ? decode(extension) : extension,
        vendor: wanted.vendor,
      }
    } catch {
      return malformedPath
    }
  }

  /** A value that cannot be decoded passes: that it is malformed is said before anything else. */
  function passes({ tests }: Entry): boolean {
    return tests!.every((test, i) => {
      try {
        return test === undefined || test(valueAt(i))
      } catch {
        return true
      }
    })
  }
  function valueAt(i: number): string {
    const text = url.slice(starts[i], ends[i])
    return escaped ? decode(text) : text
  }
  function hashOf(from: number, to: number): number {
    let hash = 0
    for (let i = from; i < to; i++) hash = hashStep(hash, url.charCodeAt(i))
    return hash
  }
}

/** What all paths begin with, `/api/`, and the node below it: compared at once instead of walked. */
function commonPrefix(root: TrieNode): { readonly prefix: string; readonly start: TrieNode } {
  let prefix = '/'
  let start = root
  for (;;) {
    const keys = start.keys.filter((key) => key !== undefined)
    const child = start.children.find((child) => child !== undefined)
    if (keys.length !== 1 || start.param !== null || child === undefined || child.leaf !== null)
      return { prefix, start }
    prefix += `${keys[0]}/`
    start = child
  }
}
