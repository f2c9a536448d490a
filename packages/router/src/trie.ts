import { type Token, parse } from 'path-to-regexp'
import { type Api, versionsOf } from './api.ts'
import { type ParamTest, createParamTest } from './constraints.ts'
import { RouterError } from './errors.ts'
import type { Row } from './table.ts'

/** A row at its place in the trie. */
export interface Entry {
  readonly row: Row
  /** Names of the params, in the order of the path. */
  readonly params: readonly string[]
  /** Per param what its value has to pass; null when no param is constrained. */
  readonly tests: readonly (ParamTest | undefined)[] | null
  /** What serves where the tests refuse: another row of the same method, path and version. */
  readonly next: Entry | null
}

/** method → index of the version → entry. */
export type Leaf = ReadonlyMap<string, readonly (Entry | undefined)[]>

/**
 * One segment of the paths of all versions. Static children win over the param, with backtracking. They stand in an
 * open hash table, so that a segment is looked up where it lies in the path, without cutting it out.
 */
export interface TrieNode {
  readonly keys: readonly (string | undefined)[]
  readonly children: readonly (TrieNode | undefined)[]
  readonly param: TrieNode | null
  readonly leaf: Leaf | null
  /** An entry of the leaf has tests: the values decide whether it is there. */
  readonly constrained: boolean
}

/** One step of the hash of a segment. */
export const hashStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

/** The static child for `path.slice(from, to)`, whose hash the caller has. */
export function childAt(node: TrieNode, path: string, from: number, to: number, hash: number): TrieNode | undefined {
  const { keys } = node
  const mask = keys.length - 1
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const key = keys[i]
    if (key === undefined) return undefined
    if (key.length === to - from && path.startsWith(key, from)) return node.children[i]
  }
}

/** One trie over the rows of all versions: what they share stands in it once. */
export function createTrie(api: Api): TrieNode {
  const root = createDraft()
  const indexOf = new Map(versionsOf(api).map((version, index) => [version, index]))
  for (const row of api.routes) addRow(root, row, indexOf.get(row.version)!, api.constraints.get(row))
  return freeze(root)
}

// ---- building -----------------------------------------------------------------------------------

interface Draft {
  readonly children: Map<string, Draft>
  param: Draft | null
  leaf: Map<string, Entry[]> | null
  constrained: boolean
}
const createDraft = (): Draft => ({ children: new Map(), param: null, leaf: null, constrained: false })

function addRow(
  root: Draft,
  row: Row,
  version: number,
  patterns: Readonly<Record<string, RegExp | string>> = {},
): void {
  let draft = root
  const params: string[] = []
  for (const { text, param } of segmentsOf(row.path)) {
    if (param) {
      params.push(text)
      draft = draft.param ??= createDraft()
    } else {
      const child = draft.children.get(text) ?? createDraft()
      draft.children.set(text, child)
      draft = child
    }
  }
  const constrained = params.some((param) => patterns[param] !== undefined)
  const tests = params.map((param) => patterns[param] && createParamTest(param, patterns[param], row.path))
  draft.constrained ||= constrained
  const entries = (draft.leaf ??= new Map<string, Entry[]>()).get(row.method) ?? []
  draft.leaf.set(row.method, entries)
  entries[version] = insert(entries[version] ?? null, {
    row,
    params,
    tests: constrained ? (tests as []) : null,
    next: null,
  })
}

/** Declared twice: a version's own row goes before an inherited one, else the first goes first. */
function insert(first: Entry | null, entry: Entry): Entry {
  if (first === null) return entry
  const goesBefore = entry.row.inheritedFrom === null && first.row.inheritedFrom !== null
  return goesBefore ? { ...entry, next: first } : { ...first, next: insert(first.next, entry) }
}

function freeze({ children, param, leaf, constrained }: Draft): TrieNode {
  let size = 1
  while (size < children.size * 2) size *= 2 // half empty: a look-up ends soon
  const keys = Array.from<string | undefined>({ length: size })
  const nodes = Array.from<TrieNode | undefined>({ length: size })
  for (const [key, child] of children) {
    let hash = 0
    for (let i = 0; i < key.length; i++) hash = hashStep(hash, key.charCodeAt(i))
    let slot = hash & (size - 1)
    while (keys[slot] !== undefined) slot = (slot + 1) & (size - 1)
    keys[slot] = key
    nodes[slot] = freeze(child)
  }
  return { keys, children: nodes, param: param && freeze(param), leaf, constrained }
}

// ---- paths --------------------------------------------------------------------------------------

interface Segment {
  readonly text: string
  readonly param: boolean
}

const formatSuffix = '(.:format)'

/** A row's path in path-to-regexp's own notation. */
export const patternOf = (path: string): string => path.slice(0, -formatSuffix.length)

/** `/api/users/:id(.:format)` → `api`, `users`, `:id`. */
function segmentsOf(path: string): readonly Segment[] {
  const segments: Segment[] = []
  for (const token of tokensOf(path)) {
    if (token.type === 'text')
      for (const text of token.value.split('/').filter(Boolean)) segments.push({ text, param: false })
    else if (token.type === 'param') segments.push({ text: token.name, param: true })
  }
  return segments
}

function tokensOf(path: string): readonly Token[] {
  try {
    return parse(patternOf(path)).tokens
  } catch (error) {
    throw new RouterError('HV_PATH', `the path ${path} cannot be read: ${(error as Error).message}`, { path })
  }
}
