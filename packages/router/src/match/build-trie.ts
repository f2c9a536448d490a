import type { Api } from '../compile/api.ts'
import { type ParamTest, createParamTest } from '../compile/constraint.ts'
import type { Route } from '../compile/route.ts'
import { segmentsOf } from './path.ts'
import { type Candidate, type Trie, hashStep, slotField, slotOf, slotSize } from './trie.ts'

interface DraftNode {
  readonly children: Map<string, number>
  paramChild: number
  readonly endpoints: DraftEndpoint[]
  isConstrained: boolean
}

interface DraftEndpoint {
  readonly method: string
  /** By version index; a version that does not have the endpoint leaves a hole. */
  readonly byVersion: (Candidate | undefined)[]
}

interface Draft {
  readonly nodes: DraftNode[]
  /** By pattern: equal constraints share a test. */
  readonly tests: Map<string, { readonly test: ParamTest; readonly number: number }>
  /** Equal lists of parameters are one. */
  readonly paramLists: Map<string, readonly string[]>
  depth: number
}

/** Builds one trie over the routes of all versions. Versions share the routes that they inherit. */
export function buildTrie(api: Api): Trie {
  const draft: Draft = { nodes: [createNode()], tests: new Map(), paramLists: new Map(), depth: 0 }
  const added = new Map<Route, ReturnType<typeof addRoute>>()
  for (const { version, index, routes } of api.table)
    for (const route of routes) {
      const { candidate, endpoint } = added.get(route) ?? addRoute(draft, route)
      added.set(route, { candidate, endpoint })
      endpoint.byVersion[index] = insert(endpoint.byVersion[index] ?? null, candidate, version)
    }
  return {
    prefix: commonPrefix(draft.nodes),
    ...listChildren(draft.nodes),
    paramChildren: Int32Array.from(draft.nodes, ({ paramChild }) => paramChild),
    isConstrained: draft.nodes.map(({ isConstrained }) => isConstrained),
    ...listEndpoints(draft.nodes, api.settings.versions.length),
    tests: [...draft.tests.values()].map(({ test }) => test),
    depth: draft.depth,
  }
}

const createNode = (): DraftNode => ({ children: new Map(), paramChild: 0, endpoints: [], isConstrained: false })

/** Adds the nodes and the endpoint of a route. */
function addRoute(draft: Draft, route: Route): { candidate: Candidate; endpoint: DraftEndpoint } {
  const { nodes } = draft
  const append = (): number => nodes.push(createNode()) - 1
  let node = nodes[0]!
  for (const { text, param } of segmentsOf(route.pattern)) {
    if (param) node = nodes[(node.paramChild ||= append())]!
    else {
      const child = node.children.get(text) ?? append()
      node.children.set(text, child)
      node = nodes[child]!
    }
  }
  let endpoint = node.endpoints.find(({ method }) => method === route.method)
  if (endpoint === undefined) node.endpoints.push((endpoint = { method: route.method, byVersion: [] }))
  const params = paramsOf(draft, route)
  const tests = testsOf(draft, params, route)
  node.isConstrained ||= tests !== null
  draft.depth = Math.max(draft.depth, params.length)
  return { candidate: { route, params, tests, next: null }, endpoint }
}

/** The names of the parameters. Equal lists are one. */
function paramsOf({ paramLists }: Draft, { pattern }: Route): readonly string[] {
  const params = segmentsOf(pattern).flatMap(({ text, param }) => (param ? [text] : []))
  const key = params.join()
  const list = paramLists.get(key) ?? params
  paramLists.set(key, list)
  return list
}

function testsOf(
  { tests }: Draft,
  params: readonly string[],
  { constraints }: Route,
): readonly (number | null)[] | null {
  if (!params.some((name) => constraints[name] !== undefined)) return null
  return params.map((name) => {
    const pattern = constraints[name]
    if (pattern === undefined) return null
    const key = String(pattern)
    const known = tests.get(key) ?? { test: createParamTest(pattern), number: tests.size }
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
    const { children, paramChild, endpoints } = nodes[node]!
    const [only] = children
    if (only === undefined || children.size > 1 || paramChild !== 0 || endpoints.length > 0) break
    const [childText, child] = only
    if (nodes[child]!.endpoints.length > 0) break
    text += `${childText}/`
    node = child
  }
  return { codes: codesOf(text), node }
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
