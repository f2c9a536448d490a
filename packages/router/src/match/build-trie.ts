import type { Api } from '../compile/api.ts'
import { type ParamTest, createParamTest, isLazy, mayAcceptDots } from '../compile/constraint.ts'
import type { Route } from '../compile/route.ts'
import { type Formats, paramsOf } from '../declare/settings.ts'
import { type Segment, segmentsOf } from './path.ts'
import { type Candidate, type Trie, hashStep, plainTest, slotField, slotOf, slotSize, valueOrder } from './trie.ts'

interface DraftNode {
  readonly children: Map<string, number>
  paramChild: number
  globChild: number
  /** See {@link valueOrder}. */
  valueOrder: number
  readonly endpoints: DraftEndpoint[]
  isConstrained: boolean
}

interface DraftEndpoint {
  readonly method: string
  /** By version index; a version that does not have the endpoint leaves a hole. */
  readonly byVersion: (Candidate | undefined)[]
}

interface Draft {
  readonly formats: Formats
  readonly caseSensitive: boolean
  readonly nodes: DraftNode[]
  /** By constraint: equal ones share a test. */
  readonly tests: Map<string, { readonly test: ParamTest; readonly number: number }>
  /** Equal lists of parameters are one. */
  readonly paramLists: Map<string, readonly string[]>
  depth: number
}

/** Builds one trie over the routes of all versions. Versions share the routes that they inherit. */
export function buildTrie(api: Api, caseSensitive = true): Trie {
  const { formats } = api.settings
  const nodes = [createNode()]
  const draft: Draft = { formats, caseSensitive, nodes, tests: new Map(), paramLists: new Map(), depth: 0 }
  if (formats !== false) for (const { routes } of api.table) for (const route of routes) orderValues(draft, route)
  const added = new Map<Route, ReturnType<typeof addRoute>>()
  for (const { version, index, routes } of api.table)
    for (const route of routes) {
      const { candidate, endpoint } = added.get(route) ?? addRoute(draft, route)
      added.set(route, { candidate, endpoint })
      endpoint.byVersion[index] = insert(endpoint.byVersion[index] ?? null, candidate, version)
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

const numbersOf = (nodes: readonly DraftNode[], field: 'paramChild' | 'globChild' | 'valueOrder'): Int32Array =>
  Int32Array.from(nodes, (node) => node[field])
const unlessZero = (numbers: Int32Array): Int32Array | null => (numbers.some((one) => one !== 0) ? numbers : null)

const createNode = (): DraftNode => ({
  children: new Map(),
  paramChild: 0,
  globChild: 0,
  valueOrder: 0,
  endpoints: [],
  isConstrained: false,
})

/** Notes where constraints of a route may accept dots, before the candidates of its nodes are made. */
function orderValues(draft: Draft, { pattern, constraints }: Route): void {
  let mayHaveDots = false
  for (const param in constraints) mayHaveDots ||= mayAcceptDots(constraints[param]!)
  if (!mayHaveDots) return
  let node = draft.nodes[0]!
  for (const segment of segmentsOf(pattern)) {
    node = childOf(draft, node, segment)
    const constraint = segment.kind === 'static' ? undefined : constraintOf(constraints, segment.text)
    if (constraint === undefined || !mayAcceptDots(constraint)) continue
    // A listed extension is always the format. Otherwise the constraint decides, as in Rails.
    if (draft.formats === 'any' && !isLazy(constraint)) node.valueOrder = valueOrder.wholeFirst
    else node.valueOrder ||= valueOrder.stemFirst
  }
}

function addRoute(draft: Draft, route: Route): { candidate: Candidate; endpoint: DraftEndpoint } {
  let node = draft.nodes[0]!
  /** By parameter. */
  const plainTests: (number | null)[] = []
  for (const segment of segmentsOf(route.pattern)) {
    node = childOf(draft, node, segment)
    if (segment.kind === 'static') continue
    const isPlain = draft.formats === 'any' && node.valueOrder !== 0
    plainTests.push(isPlain ? plainTest[segment.kind] : null)
  }
  let endpoint = node.endpoints.find(({ method }) => method === route.method)
  if (endpoint === undefined) node.endpoints.push((endpoint = { method: route.method, byVersion: [] }))
  const params = listParams(draft, route)
  const tests = testsOf(draft, params, plainTests, route)
  node.isConstrained ||= tests !== null
  draft.depth = Math.max(draft.depth, params.length)
  return { candidate: { route, params, tests, next: null }, endpoint }
}

/** Returns the child of a node for a segment. Adds it if it is missing. */
function childOf({ nodes, caseSensitive }: Draft, node: DraftNode, { text, kind }: Segment): DraftNode {
  const append = (): number => nodes.push(createNode()) - 1
  if (kind === 'param') return nodes[(node.paramChild ||= append())]!
  if (kind === 'glob') return nodes[(node.globChild ||= append())]!
  const key = caseSensitive ? text : text.toLowerCase()
  const child = node.children.get(key) ?? append()
  node.children.set(key, child)
  return nodes[child]!
}

/** A parameter may have the name of something that every object inherits, such as `constructor`. */
const constraintOf = (constraints: Route['constraints'], name: string): RegExp | undefined =>
  Object.hasOwn(constraints, name) ? constraints[name] : undefined

/** The names of the parameters. Equal lists are one. */
function listParams({ paramLists }: Draft, { pattern }: Route): readonly string[] {
  const params = paramsOf(pattern)
  const key = params.join()
  const list = paramLists.get(key) ?? params
  paramLists.set(key, list)
  return list
}

function testsOf(
  { tests }: Draft,
  params: readonly string[],
  plainTests: readonly (number | null)[],
  { constraints }: Route,
): readonly (number | null)[] | null {
  if (!params.some((name, i) => constraintOf(constraints, name) !== undefined || plainTests[i] !== null)) return null
  return params.map((name, i) => {
    const constraint = constraintOf(constraints, name)
    if (constraint === undefined) return plainTests[i]!
    const key = String(constraint)
    const known = tests.get(key) ?? { test: createParamTest(constraint), number: tests.size }
    tests.set(key, known)
    return known.number
  })
}

/** Of two routes with the same endpoint, a version's own comes before an inherited one. Else the order of the file counts. */
function insert(first: Candidate | null, candidate: Candidate, version: number): Candidate {
  if (first === null) return candidate
  const comesFirst = candidate.route.declaredIn === version && first.route.declaredIn !== version
  return comesFirst ? { ...candidate, next: first } : { ...first, next: insert(first.next, candidate, version) }
}

/** Follows the only static child from the root, up to the first node with an endpoint or a choice. */
function commonPrefix(nodes: readonly DraftNode[]): Trie['prefix'] {
  let text = '/'
  let node = 0
  for (;;) {
    const { children, paramChild, globChild, endpoints } = nodes[node]!
    const [only] = children
    if (only === undefined || children.size > 1 || paramChild !== 0 || globChild !== 0 || endpoints.length > 0) break
    const [childText, child] = only
    if (nodes[child]!.endpoints.length > 0) break
    text += `${childText}/`
    node = child
  }
  return { text, node }
}

const codesOf = (text: string): Uint16Array => Uint16Array.from(text, (_, i) => text.charCodeAt(i))

/** Writes the static children of all nodes into one hash table. It is at most half full, which keeps searches short. */
function listChildren(nodes: readonly DraftNode[]): Pick<Trie, 'slots' | 'texts'> {
  const all = nodes.flatMap(({ children }, node) => [...children].map(([text, child]) => ({ node, text, child })))
  let size = 1
  while (size <= all.length * 2) size *= 2
  const slots = new Int32Array(size * slotSize)
  const texts: number[] = []
  for (const { node, text, child } of all) {
    const codes = codesOf(text)
    const hash = codes.reduce(hashStep, 0)
    let slot = slotOf(slots, node, hash)
    while (slots[slot + slotField.child] !== 0) slot = (slot + slotSize) % slots.length
    slots[slot + slotField.node] = node
    slots[slot + slotField.hash] = hash
    slots[slot + slotField.text] = texts.length
    slots[slot + slotField.textEnd] = texts.length + codes.length
    slots[slot + slotField.child] = child
    texts.push(...codes)
  }
  return { slots, texts: Uint16Array.from(texts) }
}

const commonParams = (candidates: readonly Candidate[]): readonly string[] | null =>
  candidates.every(({ params, tests }) => tests === null && params === candidates[0]!.params)
    ? candidates[0]!.params
    : null

function listEndpoints(
  nodes: readonly DraftNode[],
  versionCount: number,
): Pick<Trie, 'firstEndpoints' | 'methods' | 'params' | 'versionCount' | 'cells' | 'candidates'> {
  const firstEndpoints = new Int32Array(nodes.length + 1)
  for (const [node, { endpoints }] of nodes.entries())
    firstEndpoints[node + 1] = firstEndpoints[node]! + endpoints.length

  const all = nodes.flatMap(({ endpoints }) => endpoints)
  const numbers = new Map<Candidate | null, number>([[null, 0]])
  const cells = new Int32Array(all.length * versionCount)
  for (const [endpoint, { byVersion }] of all.entries())
    for (let index = 0; index < versionCount; index++) {
      const candidate = byVersion[index] ?? null
      const number = numbers.get(candidate) ?? numbers.size
      numbers.set(candidate, number)
      cells[endpoint * versionCount + index] = number
    }
  return {
    firstEndpoints,
    methods: all.map(({ method }) => method),
    params: all.map(({ byVersion }) => commonParams(byVersion.filter((one) => one !== undefined))),
    versionCount,
    cells,
    candidates: [...numbers.keys()],
  }
}
