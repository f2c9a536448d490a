import type { Match, Miss } from './matcher.ts'
import { type Formats, endOfPath, isFormat } from './locate.ts'
import type { Acceptable } from './negotiate.ts'
import { type Entry, type TrieNode, childAt, hashStep } from './trie.ts'

const [PERCENT, DOT, SLASH] = [37, 46, 47]

/** No version knows the path. Frozen: all requests share it. */
export const unknownPath: Miss = Object.freeze({ kind: 'miss', status: 404, code: 'unknown-path' })

/**
 * Creates the quick way of the matcher: the route of the best version, found where it lies in the path, with nothing
 * allocated on the way. It gives null for all that is not that simple (an escape, another version, another method),
 * which `locate` sorts out; what it gives, `locate` would give, too.
 */
export function createServe(
  root: TrieNode,
  formats: Formats,
): (method: string, url: string, wanted: Acceptable) => Match | Miss | null {
  // The request at hand, and where its params lie. A call fills them, and nothing else runs before it ends: no
  // closure, no array is made for a request.
  let method = ''
  let url = ''
  let end = 0
  let wanted: Acceptable
  /** A place was reached, or may be: the path is not simply unknown. */
  let reached = false
  const starts: number[] = []
  const ends: number[] = []

  return (askedMethod, askedUrl, acceptable) => {
    method = askedMethod
    url = askedUrl
    wanted = acceptable
    end = endOfPath(url)
    if (end === 0) return unknownPath
    reached = false
    const found = end === 1 ? arrive(root, 0, null) : walk(root, 1, 0)
    return found ?? (reached ? null : unknownPath)
  }

  function walk(node: TrieNode, from: number, depth: number): Match | null {
    let hash = 0
    let dot = -1
    let to = from
    for (; to < end; to++) {
      const code = url.charCodeAt(to)
      if (code === SLASH) break
      if (code === PERCENT) {
        reached = true
        return null
      }
      if (code === DOT) dot = to
      hash = hashStep(hash, code)
    }
    if (to === end) return finish(node, from, dot, hash, depth)

    const child = childAt(node, url, from, to, hash)
    const found = child === undefined ? null : walk(child, to + 1, depth)
    if (found !== null || node.param === null || to === from || (dot >= 0 && formats === undefined)) return found
    starts[depth] = from
    ends[depth] = to
    return walk(node.param, to + 1, depth + 1)
  }

  /** The last segment: whole, then without its extension. */
  function finish(node: TrieNode, from: number, dot: number, hash: number, depth: number): Match | null {
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

  function arrive(node: TrieNode | null | undefined, depth: number, extension: string | null): Match | null {
    if (node == null || node.leaf === null) return null
    reached = true
    let entry = node.leaf.get(method)?.[wanted.index] ?? null
    while (entry !== null && entry.tests !== null && !passes(entry)) entry = entry.next
    if (entry === null) return null
    const names = entry.params
    const params: Record<string, string> = {}
    for (let i = 0; i < depth; i++) params[names[i]!] = url.slice(starts[i], ends[i])
    return {
      kind: 'match',
      route: entry.row,
      version: wanted.version,
      params,
      format: extension ?? wanted.format,
      vendor: wanted.vendor,
    }
  }

  function passes({ tests }: Entry): boolean {
    return tests!.every((test, i) => test === undefined || test(url.slice(starts[i], ends[i])))
  }
  function hashOf(from: number, to: number): number {
    let hash = 0
    for (let i = from; i < to; i++) hash = hashStep(hash, url.charCodeAt(i))
    return hash
  }
}
