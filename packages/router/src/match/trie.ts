import type { ParamTest } from '../compile/constraint.ts'
import type { Route } from '../compile/route.ts'

/** A route that serves an endpoint in one or more versions. */
export interface Candidate {
  readonly route: Route
  /** The names of the parameters, in the order of the path. */
  readonly params: readonly string[]
  /** By parameter: the index of its constraint in `Trie.tests`, or a `plainTest`. Null when no parameter has one. */
  readonly tests: readonly (number | null)[] | null
  /** The next route of the same endpoint and version, for values that the constraints of this one refuse. */
  readonly next: Candidate | null
}

/**
 * The paths of all versions, as a tree of segments in flat arrays. A node is a number; the root is 0. An endpoint is
 * a node and a method, and a number too. A version index is the position of a version among all, lowest first.
 */
export interface Trie {
  /** The start that all paths have in common, `/api/`, and the node that it leads to. */
  readonly prefix: { readonly text: string; readonly node: number }
  /** With false, static segments are in lower case. */
  readonly caseSensitive: boolean

  /** The static children of all nodes: an open hash table, `slotSize` numbers per slot. */
  readonly slots: Int32Array
  /** The character codes of all static segments. */
  readonly texts: Uint16Array
  /** By node: 1 when it has static children. */
  readonly hasStaticChildren: Uint8Array
  /** By node: the child that matches any segment; 0 when there is none. */
  readonly paramChildren: Int32Array
  /** By node: the child that matches all segments that follow; 0 when there is none. Null when no path has a glob. */
  readonly globChildren: Int32Array | null
  /** By node of a parameter or glob: see `valueOrder`. Null when all are 0. */
  readonly valueOrders: Int32Array | null

  /** By node: its first endpoint. The endpoints of a node end where those of the next node start. */
  readonly firstEndpoints: Int32Array
  /** By node: whether a route that ends here has constraints. */
  readonly isConstrained: readonly boolean[]
  /** By endpoint. */
  readonly methods: readonly string[]

  /** By endpoint: the parameters; null when a candidate has constraints, or when candidates differ in their parameters. */
  readonly params: readonly (readonly string[] | null)[]

  readonly versionCount: number
  /** By endpoint and version index, see `candidateOf`: an index of `candidates`. */
  readonly cells: Int32Array
  /** Starts with null, for versions that do not have the endpoint. */
  readonly candidates: readonly (Candidate | null)[]
  /** Each distinct constraint once. */
  readonly tests: readonly ParamTest[]
  /** The most parameters that a route has. */
  readonly depth: number
}

/**
 * What a value with a dot means where a constraint may accept dots. 0: nothing accepts them. `wholeFirst`: the whole
 * segment is tried, then the segment without its extension. `stemFirst`: the other way around.
 */
export const valueOrder = { wholeFirst: 1, stemFirst: 2 } as const

/**
 * In `Candidate.tests`: the check of a parameter without a constraint whose node has a `valueOrder`, and of such a glob.
 * The value contains no dot that could start an extension.
 */
export const plainTest = { param: -1, glob: -2 } as const

// The numbers of a slot. `text` and `textEnd` are positions in `texts`. A child of 0 marks an empty slot: the root is
// never a child. The size is a power of two, so that a slot
// starts where a mask says: three of its eight numbers are unused.
export const slotSize = 8
export const slotField = { node: 0, hash: 1, text: 2, textEnd: 3, child: 4 } as const

/** Adds a character code to the hash of a segment, which starts at 0. */
export const hashStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

/** Returns the position of the slot where the search for a child starts. */
export function slotOf(slots: Int32Array, node: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(node, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) << 3) & (slots.length - 1)
}

/** Returns the static child of a node for `path.slice(from, to)`, which has the given hash; 0 when there is none. */
export function childOf(
  trie: Trie,
  node: number,
  path: string,
  from: number,
  to: number,
  hash: number,
): number {
  const { slots, texts } = trie
  // The fast path has the numbers of `slotField`.
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

/** Returns the endpoint of a node and a method; -1 when there is none. */
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

export const endpointsOf = ({ firstEndpoints }: Trie, node: number): readonly number[] =>
  Array.from(
    { length: firstEndpoints[node + 1]! - firstEndpoints[node]! },
    (_, i) => firstEndpoints[node]! + i,
  )

/** Returns the first candidate of an endpoint in a version; null when the version does not have the endpoint. */
export const candidateOf = (
  { cells, candidates, versionCount }: Trie,
  endpoint: number,
  index: number,
) => (endpoint < 0 ? null : candidates[cells[endpoint * versionCount + index]!]!)
