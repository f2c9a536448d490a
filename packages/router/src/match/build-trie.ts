import type { Api } from '../compile/api.ts'
import { type ParamTest, createParamTest, isLazy, mayAcceptDots } from '../compile/constraint.ts'
import { comesFirst } from '../compile/precedence.ts'
import type { Route } from '../compile/route.ts'
import type { Formats } from '../declare/settings.ts'
import { type Segment, segmentsOf } from './path.ts'
import {
  type Candidate,
  type Trie,
  hashStep,
  plainTest,
  slotOf,
  slotSize,
  valueOrder,
} from './trie.ts'

const createNode = () => ({
  children: new Map<string, number>(),
  paramChild: 0,
  globChild: 0,
  /** See {@link valueOrder}. */
  valueOrder: 0,
  endpoints: new Map<string, Candidates>(), // by method
  isConstrained: false,
})
type DraftNode = ReturnType<typeof createNode>

/** By version index. A version that doesn't have the endpoint leaves a hole. */
type Candidates = (Candidate | undefined)[]

/** The node that a pattern leads to, and those of its parameters. */
interface Path {
  readonly node: DraftNode
  /** In the path's order. */
  readonly values: readonly {
    readonly node: DraftNode
    readonly name: string
    readonly kind: 'param' | 'glob'
  }[]
  /** Not frozen, as a route's are, because the matcher reads them faster. */
  readonly params: readonly string[]
}

const createDraft = (formats: Formats, caseSensitive: boolean) => ({
  formats,
  caseSensitive,
  nodes: [createNode()],
  /** By the constraint's text, because identical constraints share a test. */
  tests: new Map<string, { readonly test: ParamTest; readonly number: number }>(),
  /** By pattern. */
  paths: new Map<string, Path>(),
  /** By the parameters' names: identical lists are shared, because the matcher compares them by identity. */
  paramLists: new Map<string, readonly string[]>(),
  depth: 0,
})
type Draft = ReturnType<typeof createDraft>

/** Builds a trie of all versions' routes. Versions share the routes that they inherit. */
export function buildTrie(api: Api, caseSensitive = true): Trie {
  const draft = createDraft(api.settings.formats, caseSensitive)
  const { nodes } = draft
  // Any route may allow dots in a value, and that has to be known before the first candidate.
  for (const route of new Set(api.table.flatMap(({ routes }) => routes))) allowDots(draft, route)
  const candidates = new Map<Route, Candidate>()
  for (const { version, index, routes } of api.table)
    for (const route of routes) {
      const { endpoints } = pathOf(draft, route.pattern).node
      const byVersion = endpoints.get(route.method) ?? []
      endpoints.set(route.method, byVersion)
      const candidate = candidates.get(route) ?? createCandidate(draft, route)
      candidates.set(route, candidate)
      byVersion[index] = insert(byVersion[index] ?? null, candidate, version)
    }
  return {
    prefix: commonPrefix(nodes),
    caseSensitive,
    ...listChildren(nodes),
    hasStaticChildren: Uint8Array.from(nodes, ({ children }) => (children.size > 0 ? 1 : 0)),
    paramChildren: numbersOf(nodes, 'paramChild'),
    globChildren: unlessZero(numbersOf(nodes, 'globChild')),
    valueOrders: unlessZero(numbersOf(nodes, 'valueOrder')),
    isConstrained: nodes.map(({ isConstrained }) => isConstrained),
    ...listEndpoints(nodes, api.settings.versions.length),
    tests: [...draft.tests.values()].map(({ test }) => test),
    depth: draft.depth,
  }
}

const numbersOf = (
  nodes: readonly DraftNode[],
  field: 'paramChild' | 'globChild' | 'valueOrder',
): Int32Array => Int32Array.from(nodes, (node) => node[field])
const unlessZero = (numbers: Int32Array): Int32Array | null =>
  numbers.some((number) => number !== 0) ? numbers : null

/** Adds the nodes of a pattern, once. */
function pathOf(draft: Draft, pattern: string): Path {
  let path = draft.paths.get(pattern)
  if (path !== undefined) return path
  const values: Path['values'][number][] = []
  let node = draft.nodes[0]!
  for (const segment of segmentsOf(pattern)) {
    node = childOf(draft, node, segment)
    const { text: name, kind } = segment
    if (kind !== 'static') values.push({ node, name, kind })
  }
  draft.depth = Math.max(draft.depth, values.length)
  const names = values.map(({ name }) => name)
  const params = draft.paramLists.get(names.join()) ?? names
  draft.paramLists.set(names.join(), params)
  path = { node, values, params }
  draft.paths.set(pattern, path)
  return path
}

// A parameter could have the name of a property that every object inherits, such as `constructor`.
const constraintOf = ({ constraints }: Route, name: string): RegExp | undefined =>
  Object.hasOwn(constraints, name) ? constraints[name] : undefined

/** Notes where a route's constraints may accept dots. */
function allowDots(draft: Draft, route: Route): void {
  for (const { node, name } of pathOf(draft, route.pattern).values) {
    const constraint = constraintOf(route, name)
    if (constraint === undefined || !mayAcceptDots(constraint)) continue
    // An extension that's listed in `formats` is always the format. With 'any', the constraint
    // decides, as in Rails.
    if (draft.formats === 'any' && !isLazy(constraint)) node.valueOrder = valueOrder.wholeFirst
    else node.valueOrder ||= valueOrder.stemFirst
  }
}

function createCandidate(draft: Draft, route: Route): Candidate {
  const { formats, tests } = draft
  const { node, values, params } = pathOf(draft, route.pattern)
  const numbers = values.map(({ node: { valueOrder: order }, name, kind }) => {
    const constraint = constraintOf(route, name)
    if (constraint === undefined) return formats === 'any' && order !== 0 ? plainTest[kind] : null
    const key = String(constraint)
    const entry = tests.get(key) ?? { test: createParamTest(constraint), number: tests.size }
    tests.set(key, entry)
    return entry.number
  })
  const isTested = numbers.some((number) => number !== null)
  node.isConstrained ||= isTested
  return { route, params, tests: isTested ? numbers : null, next: null }
}

/** Returns a node's child for a segment. Adds it if it doesn't exist yet. */
function childOf(
  { nodes, caseSensitive }: Draft,
  node: DraftNode,
  { text, kind }: Segment,
): DraftNode {
  const append = () => nodes.push(createNode()) - 1
  if (kind === 'param') return nodes[(node.paramChild ||= append())]!
  if (kind === 'glob') return nodes[(node.globChild ||= append())]!
  const key = caseSensitive ? text : text.toLowerCase()
  const child = node.children.get(key) ?? append()
  node.children.set(key, child)
  return nodes[child]!
}

/** Inserts a candidate into an endpoint's list, which is in order of precedence. */
function insert(first: Candidate | null, candidate: Candidate, version: number): Candidate {
  if (first === null) return candidate
  return comesFirst(version, candidate.route.declaredIn, first.route.declaredIn)
    ? { ...candidate, next: first }
    : { ...first, next: insert(first.next, candidate, version) }
}

/**
 * Follows the root's only child, and so on, up to the first node with an endpoint or with more than
 * one child.
 */
function commonPrefix(nodes: readonly DraftNode[]): Trie['prefix'] {
  let text = '/'
  let node = 0
  for (;;) {
    const { children, paramChild, globChild, endpoints } = nodes[node]!
    const isChoice = children.size !== 1 || paramChild !== 0 || globChild !== 0
    if (isChoice || endpoints.size > 0) return { text, node }
    const [[childText, child]] = children as unknown as [[string, number]]
    if (nodes[child]!.endpoints.size > 0) return { text, node }
    text += `${childText}/`
    node = child
  }
}

/**
 * Writes the static children of all nodes into one hash table. It's at most half full, which keeps
 * searches short.
 */
function listChildren(nodes: readonly DraftNode[]) {
  const all = nodes.flatMap(({ children }, node) =>
    [...children].map(([text, child]) => ({ node, text, child })),
  )
  let size = 1
  while (size <= all.length * 2) size *= 2
  const slots = new Int32Array(size * slotSize)
  const texts: number[] = []
  for (const { node, text, child } of all) {
    const codes = Uint16Array.from(text, (_, i) => text.charCodeAt(i))
    const hash = codes.reduce(hashStep, 0)
    let slot = slotOf(slots, node, hash)
    // A slot with a child is taken.
    while (slots[slot + 4] !== 0) slot = (slot + slotSize) % slots.length
    slots.set([node, hash, texts.length, texts.length + codes.length, child], slot)
    texts.push(...codes)
  }
  return { slots, texts: Uint16Array.from(texts) }
}

const commonParams = (candidates: readonly Candidate[]): readonly string[] | null =>
  candidates.every(({ params, tests }) => tests === null && params === candidates[0]!.params)
    ? candidates[0]!.params
    : null

function listEndpoints(nodes: readonly DraftNode[], versionCount: number) {
  const firstEndpoints = new Int32Array(nodes.length + 1)
  for (const [node, { endpoints }] of nodes.entries())
    firstEndpoints[node + 1] = firstEndpoints[node]! + endpoints.size

  const all = nodes.flatMap(({ endpoints }) => [...endpoints])
  const numbers = new Map<Candidate | null, number>()
  const cells = new Int32Array(all.length * versionCount)
  for (const [endpoint, [, byVersion]] of all.entries())
    for (let index = 0; index < versionCount; index++) {
      const candidate = byVersion[index] ?? null
      const number = numbers.get(candidate) ?? numbers.size
      numbers.set(candidate, number)
      cells[endpoint * versionCount + index] = number
    }
  return {
    firstEndpoints,
    methods: all.map(([method]) => method),
    params: all.map(([, byVersion]) =>
      commonParams(byVersion.filter((first) => first !== undefined)),
    ),
    versionCount,
    cells,
    candidates: [...numbers.keys()],
  }
}
