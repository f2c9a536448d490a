import type { Formats } from '../declare/settings.ts'
import { isFormat, originOf } from './path.ts'
import { type Trie, childOf, hasEndpoints, hashStep, valueOrder } from './trie.ts'

/**
 * A request's path matches: the nodes with endpoints that its path leads to. Usually there's one,
 * but `/users/new` also matches `/users/:id`. Static segments come before parameters, and globs
 * last. All requests share this object, so that matching allocates nothing.
 */
export type PathMatches = ReturnType<typeof createPathFinder>['matches']

/**
 * Creates the function that follows a path through a trie. It reads segments in place, without
 * creating substrings, and computes the hash for looking up static children on the way.
 */
// oxlint-disable-next-line max-lines-per-function -- functions that share arrays, fastest as closures
export function createPathFinder(trie: Trie, formats: Formats) {
  const { prefix, caseSensitive, hasStaticChildren, paramChildren, globChildren, valueOrders } =
    trie
  // If every extension is a format, a parameter's value can't contain a dot.
  const dotsAllowed = formats !== 'any'
  const stride = 2 * trie.depth
  // A path leads to a node at most once, or twice if a value can be read with and without its
  // extension.
  const capacity = paramChildren.length * (valueOrders === null ? 1 : 2)
  const matches = {
    count: 0,
    /** By path match. */
    nodes: new Int32Array(capacity),
    /** By path match: where the last segment ends without its extension. */
    ends: new Int32Array(capacity),
    /** Where the last segment ends with its extension. */
    end: 0,
    /** By path match, `stride` numbers each: where its parameters' values start and end. */
    bounds: new Int32Array(capacity * stride),
    stride,
    /** Whether the path contains a percent sign after the prefix. */
    isEscaped: false,
  }
  const { nodes, ends, bounds } = matches

  return { matches, findPathMatches: caseSensitive ? findPathMatches : findInLowerCase }

  /** Fills `matches`, which are valid until the next call. */
  function findPathMatches(path: string): void {
    matches.count = 0
    matches.isEscaped = false
    if (path.startsWith(prefix.text)) walk(path, prefix.node, prefix.text.length, 0, true)
    else if (!path.startsWith('/')) findAfterOrigin(path)
  }

  function findInLowerCase(path: string): void {
    findPathMatches(inLowerCase(path))
  }

  /**
   * Follows a request target in absolute form: `http://host/api/users`, or `http://host` for the
   * root.
   */
  function findAfterOrigin(path: string): void {
    const start = originOf(path).length
    const isRoot = start === path.length
    if (start === 0 || (!isRoot && !path.startsWith(prefix.text, start))) return
    walk(path, prefix.node, isRoot ? start : start + prefix.text.length, 0, true)
  }

  /**
   * Follows a path from a node and the start of a segment. `depth` numbers in `bounds` are already
   * filled.
   */
  // oxlint-disable-next-line max-lines-per-function -- the hottest loop of all
  function walk(
    path: string,
    startNode: number,
    start: number,
    depth: number,
    withGlob: boolean,
  ): void {
    // Character codes. They cost nothing as local constants, unlike as module variables.
    const HASH = 35
    const PERCENT = 37
    const DOT = 46
    const SLASH = 47
    const ZERO = 48
    const QUESTION = 63
    // `| 0` makes V8 keep these as integers in the loop, rather than as tagged values, which saves
    // 6 ns per segment.
    let node = startNode | 0
    let from = start | 0
    let free = (matches.count * stride + depth) | 0 // in `bounds`
    for (;;) {
      // 0. A glob matches the rest of the path, but everything else that the node leads to takes
      // precedence.
      if (globChildren !== null && globChildren[node] !== 0 && (withGlob || node !== startNode)) {
        const { count } = matches
        walk(path, node, from, free - count * stride, false)
        return addGlob(path, globChildren[node]!, from, count, free)
      }

      // 1. Read the segment: its end, its dots, and its hash if it may be static. Most characters
      // are letters, which cost a single comparison.
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

      // 2. The last segment. What follows its slash only matters if the segment has a dot.
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
        if (lastDot >= 0 && acceptsDots(paramChild))
          return addBothReadings(paramChild, from, stem, count, free)
        if (isValue(from, stem, firstDot)) addValue(paramChild, from, stem, count, free)
        return
      }

      // 3. Any other segment. If a static child and the parameter match, follow both.
      if (
        paramChild !== 0 &&
        (isValue(from, to, firstDot) || (from < to && acceptsDots(paramChild)))
      ) {
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

  /** Adds a path match whose last parameter's value is from `from` to `to`. */
  function addValue(node: number, from: number, to: number, count: number, free: number): void {
    const at = copyBounds(count, free)
    bounds[at] = from
    bounds[at + 1] = to
    add(node, to)
  }

  /**
   * Adds a value with and without its extension. Constraints that accept dots choose between the
   * two later.
   */
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

  /** Whether a constraint of a parameter or a glob may accept dots. */
  function acceptsDots(node: number): boolean {
    return valueOrders !== null && valueOrders[node] !== 0
  }

  /**
   * Adds a glob's path match: the rest of the path without a trailing slash, unless it contains an
   * empty segment.
   */
  function addGlob(path: string, node: number, from: number, count: number, free: number): void {
    const end = from + path.slice(from).search(/[?#]|$/)
    const to = path.endsWith('/', end) ? end - 1 : end
    const rest = path.slice(from, to)
    if (rest.split('/').includes('')) return
    if (rest.includes('%')) matches.isEscaped = true
    const dot = path.lastIndexOf('.', to - 1)
    const last = path.lastIndexOf('/', to - 1) + 1
    const hasDot = dot >= last
    matches.end = hasDot ? to : end // as in other path matches
    // `.env` is a name without an extension.
    const stem = dot > last && isFormat(formats, path, dot + 1, to) ? dot : to
    if (hasDot && acceptsDots(node)) return addBothReadings(node, from, stem, count, free)
    const at = copyBounds(count, free)
    bounds[at] = from
    bounds[at + 1] = stem
    add(node, hasDot ? stem : end)
  }

  /**
   * Adds the static child for a segment without its extension, which is the text after the last dot
   * if that's one of the API's formats. Returns where the segment ends without it.
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

  /**
   * If there are more than `count` path matches by now, copies the values of the earlier segments
   * to the next free line of `bounds`. Returns where the next value goes.
   */
  function copyBounds(count: number, free: number): number {
    const shift = (matches.count - count) * stride
    if (shift > 0) for (let i = count * stride; i < free; i++) bounds[i + shift] = bounds[i]!
    return free + shift
  }

  function isValue(from: number, to: number, firstDot: number): boolean {
    return from < to && (dotsAllowed || to <= firstDot)
  }
}

/**
 * Whether only a query or a fragment follows. Comparing characters (`path[at]`) instead of codes
 * would double the time of a match.
 */
const isEnd = (path: string, at: number): boolean =>
  at === path.length || path.charCodeAt(at) === 63 /* ? */ || path.charCodeAt(at) === 35 /* # */

/**
 * Every character has to keep its position, because values are read from the path as sent. Some
 * characters change their length in lower case, such as `İ`, so such a path stays as it is.
 */
function inLowerCase(path: string): string {
  const lowered = path.toLowerCase()
  return lowered.length === path.length ? lowered : path
}
