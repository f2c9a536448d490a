import type { Api } from '../compile/api.ts'
import { type ParamTest, createParamTest } from '../compile/constraint.ts'
import type { Route } from '../compile/route.ts'

/** A route at its place in the trie. */
export interface Entry {
  readonly route: Route
  /** Names of the params, in the order of the path. */
  readonly params: readonly string[]
  /** Per param what its value has to pass; null when no param is constrained. */
  readonly tests: readonly (ParamTest | undefined)[] | null
  /** What serves where the tests refuse: another route of the same method, path and version. */
  readonly next: Entry | null
}

/**
 * The paths of all versions, segment by segment. Nodes are numbers, the root is 0. Static children win over the param,
 * with backtracking. They stand in one open hash table over all nodes, with their texts in one array: so a segment is
 * looked up where it lies in the path, near in memory, without cutting it out.
 */
export interface Trie {
  /** Eight numbers a slot, five of them used: node, hash, start and end of the text, child. A child of 0 is an empty slot. */
  readonly slots: Int32Array
  readonly texts: Uint16Array
  /** By node: the child that takes any segment; 0 when there is none. */
  readonly params: Int32Array
  /** By node: where its endpoints begin, and with the next node's, where they end. Empty where no path ends. */
  readonly bounds: Int32Array
  /** By endpoint, which is a node and a method: the method. */
  readonly methods: readonly string[]
  /** By endpoint: names of the params, in the order of the path; null where versions name them differently, or test them. */
  readonly names: readonly (readonly string[] | null)[]
  /** By endpoint, then by index of the version: the number of the entry; 0 where the version has none. */
  readonly cells: Int32Array
  readonly entries: readonly Entry[]
  readonly versions: number
  /** By node: an entry has tests, so the values decide whether it is there. */
  readonly constrained: readonly boolean[]
}

/** One step of the hash of a segment. */
export const hashStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

/** The static child of a node for `path.slice(from, to)`, whose hash the caller has; 0 when there is none. */
export function childAt({ slots, texts }: Trie, node: number, path: string, from: number, to: number, hash: number) {
  for (let slot = slotOf(node, hash, slots.length); ; slot = (slot + 8) & (slots.length - 1)) {
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

/** The same for a caller that has no hash. */
export function childOf(trie: Trie, node: number, path: string, from = 0, to = path.length): number {
  let hash = 0
  for (let i = from; i < to; i++) hash = hashStep(hash, path.charCodeAt(i))
  return childAt(trie, node, path, from, to, hash)
}

/** Where the look-up begins. */
function slotOf(node: number, hash: number, length: number): number {
  const mixed = Math.imul(hash ^ Math.imul(node, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) << 3) & (length - 1)
}

export const isPlace = ({ bounds }: Trie, node: number): boolean => bounds[node]! < bounds[node + 1]!

/** The number of the endpoint of a node and a method; -1 when there is none. */
export function endpointAt({ methods, bounds }: Trie, node: number, method: string): number {
  const end = bounds[node + 1]!
  for (let i = bounds[node]!; i < end; i++) if (methods[i] === method) return i
  return -1
}

/** What an endpoint answers in a version. */
export const entryOf = ({ cells, entries, versions }: Trie, endpoint: number, version: number): Entry | null =>
  (endpoint < 0 ? undefined : entries[cells[endpoint * versions + version]!]) ?? null

/** The numbers of all endpoints of a node. */
export const endpointsAt = ({ bounds }: Trie, node: number): readonly number[] =>
  Array.from({ length: bounds[node + 1]! - bounds[node]! }, (_, i) => bounds[node]! + i)

/** One trie over the routes of all versions: what they share stands in it once. */
export function createTrie(api: Api): Trie {
  const drafts = [createDraft()]
  const places = new Map<Route, Place>()
  for (const { version, index, routes } of api.table)
    for (const route of routes) {
      const place = places.get(route) ?? addRoute(drafts, route)
      places.set(route, place)
      place.entries[index] = insert(place.entries[index] ?? null, place.entry, version)
    }
  return {
    ...listChildren(drafts),
    params: Int32Array.from(drafts, ({ param }) => param),
    ...listEndpoints(drafts, api.settings.versions.length),
    constrained: drafts.map(({ constrained }) => constrained),
  }
}

// ---- building -----------------------------------------------------------------------------------

interface Draft {
  readonly children: Map<string, number>
  param: number
  readonly endpoints: { readonly method: string; readonly entries: Entry[] }[]
  constrained: boolean
}
const createDraft = (): Draft => ({ children: new Map(), param: 0, endpoints: [], constrained: false })

/** Where a route stands, for all versions that have it. */
interface Place {
  readonly entry: Entry
  readonly entries: Entry[]
}

function addRoute(drafts: Draft[], route: Route): Place {
  const append = (): number => drafts.push(createDraft()) - 1
  let draft = drafts[0]!
  const params: string[] = []
  for (const { text, param } of segmentsOf(route.pattern)) {
    if (param) {
      params.push(text)
      draft = drafts[(draft.param ||= append())]!
    } else {
      const child = draft.children.get(text) ?? append()
      draft.children.set(text, child)
      draft = drafts[child]!
    }
  }
  const { constraints, method } = route
  const constrained = Object.keys(constraints).length > 0
  const tests = params.map((param) => constraints[param] && createParamTest(constraints[param]))
  draft.constrained ||= constrained
  let endpoint = draft.endpoints.find((one) => one.method === method)
  if (endpoint === undefined) draft.endpoints.push((endpoint = { method, entries: [] }))
  return { entry: { route, params, tests: constrained ? (tests as []) : null, next: null }, entries: endpoint.entries }
}

/** Declared twice: a version's own route goes before an inherited one, else the first goes first. */
function insert(first: Entry | null, entry: Entry, version: number): Entry {
  if (first === null) return entry
  const goesBefore = entry.route.declaredIn === version && first.route.declaredIn !== version
  return goesBefore ? { ...entry, next: first } : { ...first, next: insert(first.next, entry, version) }
}

/** Puts the static children of all nodes into one table, half empty: a look-up ends soon. */
function listChildren(drafts: readonly Draft[]): Pick<Trie, 'slots' | 'texts'> {
  const all = drafts.flatMap(({ children }, node) => [...children].map(([text, child]) => ({ node, text, child })))
  let size = 1
  while (size <= all.length * 2) size *= 2
  const slots = new Int32Array(size * 8)
  const texts: number[] = []
  for (const { node, text, child } of all) {
    const codes = Array.from(text, (_, i) => text.charCodeAt(i))
    const hash = codes.reduce(hashStep, 0)
    let slot = slotOf(node, hash, slots.length)
    while (slots[slot + 4] !== 0) slot = (slot + 8) % slots.length
    slots.set([node, hash, texts.length, texts.length + codes.length, child], slot)
    texts.push(...codes)
  }
  return { slots, texts: Uint16Array.from(texts) }
}

function listEndpoints(
  drafts: readonly Draft[],
  versions: number,
): Pick<Trie, 'bounds' | 'methods' | 'names' | 'cells' | 'entries' | 'versions'> {
  const all = drafts.flatMap((draft) => draft.endpoints)
  const bounds = new Int32Array(drafts.length + 1)
  for (const [node, draft] of drafts.entries()) bounds[node + 1] = bounds[node]! + draft.endpoints.length

  const numbers = new Map<Entry | undefined, number>([[undefined, 0]])
  const cells = new Int32Array(all.length * versions)
  for (const [endpoint, { entries }] of all.entries())
    for (let version = 0; version < versions; version++) {
      const entry = entries[version]
      if (!numbers.has(entry)) numbers.set(entry, numbers.size)
      cells[endpoint * versions + version] = numbers.get(entry)!
    }

  const lists = new Map<string, readonly string[]>() // equal lists of names are one
  const names = all.map(({ entries }) => {
    const present = entries.filter(Boolean) // an array with holes, where versions lack the route
    const { params } = present[0]!
    const key = params.join()
    if (!lists.has(key)) lists.set(key, params)
    return present.every((entry) => entry.tests === null && entry.params.join() === key) ? lists.get(key)! : null
  })
  return {
    bounds,
    methods: all.map(({ method }) => method),
    names,
    cells,
    entries: [...numbers.keys()] as Entry[],
    versions,
  }
}

// ---- paths --------------------------------------------------------------------------------------

export interface Segment {
  readonly text: string
  readonly param: boolean
}

/** `/api/users/:id` → `api`, `users`, `:id`. A param is a whole segment. */
export const segmentsOf = (path: string): readonly Segment[] =>
  path
    .split('/')
    .filter(Boolean)
    .map((text) => (text.startsWith(':') ? { text: text.slice(1), param: true } : { text, param: false }))
