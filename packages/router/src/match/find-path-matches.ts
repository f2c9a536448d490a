import type { Formats } from '../declare/settings.ts'
import { allowsDots, isFormat, originOf } from './path.ts'
import { type Trie, childOf, hasEndpoints, hashStep, valueOrder } from './trie.ts'

/**
 * The path matches of a request: the nodes with endpoints that its path leads to, static segments before
 * parameters, globs last.
 * Normally one; `/users/new` also matches `/users/:id`. All requests share one object, so that matching allocates
 * nothing.
 */
export interface PathMatches {
  count: number
  /** By path match. */
  readonly nodes: Int32Array
  /** By path match: where the last segment ends without its extension. */
  readonly ends: Int32Array
  /** Where the last segment ends with its extension. */
  end: number
  /** By path match, `stride` numbers each: where the values of its parameters start and end. */
  readonly bounds: Int32Array
  readonly stride: number
  /** A percent sign follows the prefix. */
  isEscaped: boolean
}

/**
 * Creates the walker of a trie. It reads segments in place, without cutting them out, and looks up static children by a hash
 * that it computes on the way.
 */
// oxlint-disable-next-line max-lines-per-function -- short functions that share scratch arrays; as closures they are fastest
export function createPathFinder(trie: Trie, formats: Formats) {
  const { prefix, caseSensitive, hasStaticChildren, paramChildren, globChildren, valueOrders } =
    trie
  const dotsAllowed = allowsDots(formats)
  const stride = 2 * trie.depth
  // A path leads to a node at most once, or twice where a value may be read with and without its extension.
  const capacity = paramChildren.length * (valueOrders === null ? 1 : 2)
  const matches: PathMatches = {
    count: 0,
    nodes: new Int32Array(capacity),
    ends: new Int32Array(capacity),
    end: 0,
    bounds: new Int32Array(capacity * stride),
    stride,
    isEscaped: false,
  }
  const { nodes, ends, bounds } = matches

  return { matches, findPathMatches: caseSensitive ? findPathMatches : findInLowerCase }

  /** Fills `matches`. They are valid until the next call. */
  function findPathMatches(path: string): void {
    matches.count = 0
    matches.isEscaped = false
    if (path.startsWith(prefix.text)) walk(path, prefix.node, prefix.text.length, 0, true)
    else if (!path.startsWith('/')) findAfterOrigin(path)
  }

  function findInLowerCase(path: string): void {
    findPathMatches(inLowerCase(path))
  }

  /** Follows a request target in absolute form: `http://host/api/users`, or `http://host` for the root. */
  function findAfterOrigin(path: string): void {
    const start = originOf(path).length
    const isRoot = start === path.length && prefix.text === '/'
    if (start === 0 || (!isRoot && !path.startsWith(prefix.text, start))) return
    walk(path, prefix.node, isRoot ? start : start + prefix.text.length, 0, true)
  }

  /** Follows a path from a node and the start of a segment. The values above have filled `depth` numbers of `bounds`. */
  // oxlint-disable-next-line max-lines-per-function -- one loop over the segments; it is the fast path
  function walk(
    path: string,
    startNode: number,
    start: number,
    depth: number,
    withGlob: boolean,
  ): void {
    // Character codes. As local constants they cost nothing in the loop below; as variables of the module they do.
    const HASH = 35
    const PERCENT = 37
    const DOT = 46
    const SLASH = 47
    const ZERO = 48
    const QUESTION = 63
    // With `| 0`, V8 keeps these as integers in the loop, not as tagged values. It saves 6 ns per segment.
    let node = startNode | 0
    let from = start | 0
    let free = (matches.count * stride + depth) | 0 // in `bounds`
    for (;;) {
      // 0. A glob takes the rest of the path. Everything else that the node leads to comes before it.
      if (globChildren !== null && globChildren[node] !== 0 && (withGlob || node !== startNode)) {
        const { count } = matches
        walk(path, node, from, free - count * stride, false)
        return addGlob(path, globChildren[node]!, from, count, free)
      }

      // 1. Read the segment: its end, its dots, and its hash if it may be static. Most characters are letters and cost one
      // comparison.
      let to = from
      const isHashed = hasStaticChildren[node] !== 0
      let hash = 0
      let firstDot = path.length
      let lastDot = -1
      let stemHash = 0 // of the text before the last dot
      let code = 0
      for (; to < path.length; to++) {
        code = path.charCodeAt(to)
        if (code <= QUESTION) {
          if (code < ZERO) {
            if (code === SLASH || code === HASH) break
            if (code === DOT) {
              if (lastDot < 0) firstDot = to
              lastDot = to
              stemHash = hash
            } else if (code === PERCENT) matches.isEscaped = true
          } else if (code === QUESTION) break
        }
        if (isHashed) hash = hashStep(hash, code)
      }
      const child = isHashed ? childOf(trie, node, path, from, to, hash) : 0
      const paramChild = paramChildren[node]!

      // 2. The last segment. Only a segment with a dot needs to know that nothing but a slash follows.
      if (code !== SLASH || (lastDot >= 0 && isEnd(path, to + 1))) {
        const { count } = matches
        matches.end = to
        if (from === to) return add(node, to) // after a trailing slash
        // 2a. The whole segment is static.
        if (child !== 0) add(child, to)
        // 2b. The segment without its extension is static.
        const stem = lastDot < 0 ? to : addStem(path, node, from, lastDot, stemHash, count, free)
        // 2c. The segment, usually without its extension, is the value of a parameter.
        if (paramChild === 0) return
        if (lastDot >= 0 && valueOrders !== null && valueOrders[paramChild] !== 0)
          return addBothReadings(paramChild, from, stem, count, free)
        if (isValue(from, stem, firstDot)) {
          free = copyBounds(count, free)
          bounds[free] = from
          bounds[free + 1] = stem
          add(paramChild, stem)
        }
        return
      }

      // 3. Another segment. Where a static child and the parameter match, both are followed.
      if (paramChild !== 0 && (isValue(from, to, firstDot) || acceptsDots(paramChild, from, to))) {
        if (child !== 0) {
          const { count } = matches
          walk(path, child, to + 1, free - count * stride, true)
          free = copyBounds(count, free)
        }
        bounds[free++] = from
        bounds[free++] = to
        node = paramChild
      } else if (child !== 0) node = child
      else return
      from = to + 1
    }
  }

  function add(node: number, end: number): void {
    if (!hasEndpoints(trie, node)) return
    const pathMatch = matches.count++
    nodes[pathMatch] = node
    ends[pathMatch] = end
  }

  /** Adds a path match whose last parameter has the value from `from` to `to`. */
  function addValue(node: number, from: number, to: number, count: number, free: number): void {
    const at = copyBounds(count, free)
    bounds[at] = from
    bounds[at + 1] = to
    add(node, to)
  }

  /** Adds a value with and without its extension, for constraints that accept dots. The constraints choose. */
  function addBothReadings(
    node: number,
    from: number,
    stem: number,
    count: number,
    free: number,
  ): void {
    const whole = matches.end
    const isWholeFirst = valueOrders![node] === valueOrder.wholeFirst
    const hasStem = from < stem && stem < whole
    if (hasStem && !isWholeFirst) addValue(node, from, stem, count, free)
    if (from < stem || isWholeFirst) addValue(node, from, whole, count, free)
    if (hasStem && isWholeFirst) addValue(node, from, stem, count, free)
  }

  function acceptsDots(paramChild: number, from: number, to: number): boolean {
    return from < to && valueOrders !== null && valueOrders[paramChild] !== 0
  }

  /** Adds the match of a glob with the rest of the path but for a trailing slash, unless that contains an empty segment. */
  function addGlob(path: string, node: number, from: number, count: number, free: number): void {
    const end = from + path.slice(from).search(/[?#]|$/)
    const to = path.endsWith('/', end) ? end - 1 : end
    const rest = path.slice(from, to)
    if (rest.split('/').includes('')) return
    if (rest.includes('%')) matches.isEscaped = true
    const dot = path.lastIndexOf('.', to - 1)
    const last = path.lastIndexOf('/', to - 1) + 1
    const hasDot = dot >= last
    matches.end = hasDot ? to : end // as for other path matches
    const stem = dot > last && isFormat(formats, path, dot + 1, to) ? dot : to // `.env` is a name
    if (hasDot && valueOrders !== null && valueOrders[node] !== 0)
      return addBothReadings(node, from, stem, count, free)
    const at = copyBounds(count, free)
    bounds[at] = from
    bounds[at + 1] = stem
    add(node, hasDot ? stem : end)
  }

  /**
   * Adds the static child that a segment without its extension leads to. The extension is the text after the last dot, if that is
   * a format. Returns where the segment ends without it.
   */
  function addStem(
    path: string,
    node: number,
    from: number,
    dot: number,
    hash: number,
    count: number,
    free: number,
  ): number {
    if (!isFormat(formats, path, dot + 1, matches.end)) return matches.end
    const child = childOf(trie, node, path, from, dot, hash)
    if (child === 0) return dot
    copyBounds(count, free)
    add(child, dot)
    return dot
  }

  /** If path matches were added since there were `count`, copies the values above from that line to the next free one. */
  function copyBounds(count: number, free: number): number {
    const shift = (matches.count - count) * stride
    if (shift > 0) for (let i = count * stride; i < free; i++) bounds[i + shift] = bounds[i]!
    return free + shift
  }

  function isValue(from: number, to: number, firstDot: number): boolean {
    return from < to && (dotsAllowed || to <= firstDot)
  }
}

/** Nothing but a query or a fragment follows. Reading a character as a string (`path[at]`) doubles the time of a match. */
const isEnd = (path: string, at: number): boolean =>
  at === path.length || path.charCodeAt(at) === 63 /* ? */ || path.charCodeAt(at) === 35 /* # */

/** Every character stays where it is, since values are read from the path as sent. One has no lower case of its length: `İ`. */
function inLowerCase(path: string): string {
  const lowered = path.toLowerCase()
  return lowered.length === path.length ? lowered : path
}
