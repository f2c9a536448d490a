import type { ParamTest } from '../compile/constraint.ts'
import type { Route } from '../compile/route.ts'

/** A route that serves an endpoint in one or more versions. */
export interface Candidate {
  readonly route: Route
  /** The parameters' names, in the path's order. */
  readonly params: readonly string[]
  /**
   * By parameter: its constraint's index in `Trie.tests`, a `plainTest`, or null. Null instead of
   * the list if all are null.
   */
  readonly tests: readonly (number | null)[] | null
  /**
   * The next route of the same endpoint and version. It's tried if this route's constraints reject
   * the values.
   */
  readonly next: Candidate | null
}

/**
 * The paths of all versions, as a tree of segments in flat arrays. README.md shows an example. A
 * node is a number, and the root is 0. An endpoint, a node together with a method, is a number as
 * well. A version's index is its position among all versions, lowest first.
 */
export interface Trie {
  /** The start that all paths share, such as `/api/`, and the node that it leads to. */
  readonly prefix: { readonly text: string; readonly node: number }
  /** If false, static segments are in lower case. */
  readonly caseSensitive: boolean

  /**
   * The static children of all nodes: a hash table with open addressing, `slotSize` numbers per
   * slot.
   */
  readonly slots: Int32Array
  /** The character codes of all static segments. */
  readonly texts: Uint16Array
  /** By node: 1 if it has static children. */
  readonly hasStaticChildren: Uint8Array
  /** By node: the child that matches any segment, or 0. */
  readonly paramChildren: Int32Array
  /**
   * By node: the child that matches all segments that follow, or 0. Null instead of the array if no
   * path has a glob.
   */
  readonly globChildren: Int32Array | null
  /**
   * By a parameter's or glob's node: its `valueOrder`, or 0. Null instead of the array if all are
   * 0.
   */
  readonly valueOrders: Int32Array | null

  /** By node: its first endpoint. A node's endpoints end where the next node's start. */
  readonly firstEndpoints: Int32Array
  /** By node: whether any route that ends there has constraints. */
  readonly isConstrained: readonly boolean[]
  /** By endpoint: `GET`. */
  readonly methods: readonly string[]

  /**
   * By endpoint: the parameters' names. Null if a candidate has constraints, or if the candidates'
   * names differ.
   */
  readonly params: readonly (readonly string[] | null)[]

  readonly versionCount: number
  /** By endpoint and version: an index in `candidates`. See `candidateOf`. */
  readonly cells: Int32Array
  /** The first is null, for versions that don't have an endpoint. */
  readonly candidates: readonly (Candidate | null)[]
  /** Every distinct constraint. */
  readonly tests: readonly ParamTest[]
  /** The number of parameters of the route that has the most. */
  readonly depth: number
}

/**
 * How to read a last segment with a dot, such as `7.json`, if a constraint may accept dots.
 * `wholeFirst` first tries the whole segment, and then the segment without its extension.
 * `stemFirst` does it the other way around. 0 means that no constraint accepts dots.
 */
export const valueOrder = { wholeFirst: 1, stemFirst: 2 } as const

/**
 * In `Candidate.tests`: what to check if a parameter or glob has no constraint, but shares its node
 * with one that accepts dots. Its value must not contain a dot that could start an extension.
 */
export const plainTest = { param: -1, glob: -2 } as const

/**
 * How many numbers a slot has: the node, the segment's hash, where its text starts and ends in
 * `texts`, and the child. If the child is 0, the slot is empty, because the root is never a child.
 * The size is a power of two, so a mask finds a slot's start, and three numbers are unused.
 */
export const slotSize = 8

/** Adds a character code to a segment's hash, which starts at 0. */
export const hashStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

/** Returns the position of the slot at which the search for a child starts. */
export function slotOf(slots: Int32Array, node: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(node, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) << 3) & (slots.length - 1)
}

/**
 * Returns a node's static child for `path.slice(from, to)`, which has the given hash, or 0 if
 * there's none.
 */
export function childOf(
  trie: Trie,
  node: number,
  path: string,
  from: number,
  to: number,
  hash: number,
): number {
  const { slots, texts } = trie
  for (let slot = slotOf(slots, node, hash); ; slot = (slot + slotSize) & (slots.length - 1)) {
    const child = slots[slot + 4]!
    if (child === 0) return 0
    if (slots[slot] !== node || slots[slot + 1] !== hash) continue
    let at = slots[slot + 2]!
    if (slots[slot + 3]! - at !== to - from) continue
    let i = from
    while (i < to && texts[at++] === path.charCodeAt(i)) i++
    if (i === to) return child
  }
}

export const hasEndpoints = ({ firstEndpoints }: Trie, node: number): boolean =>
  firstEndpoints[node]! < firstEndpoints[node + 1]!

/** Returns a node's endpoint for a method, or -1 if there's none. */
export function endpointOf(
  { methods, firstEndpoints }: Trie,
  node: number,
  method: string,
): number {
  const end = firstEndpoints[node + 1]!
  for (let endpoint = firstEndpoints[node]!; endpoint < end; endpoint++)
    if (methods[endpoint] === method) return endpoint
  return -1
}

/** Returns the methods of a node's endpoints. */
export const methodsOf = ({ methods, firstEndpoints }: Trie, node: number): readonly string[] =>
  methods.slice(firstEndpoints[node], firstEndpoints[node + 1])

/**
 * Returns an endpoint's first candidate in a version, or null if the version doesn't have the
 * endpoint.
 */
export const candidateOf = (
  { cells, candidates, versionCount }: Trie,
  endpoint: number,
  index: number,
) => (endpoint < 0 ? null : candidates[cells[endpoint * versionCount + index]!]!)
