import { type Token, parse } from 'path-to-regexp'
import { RouterError } from './errors.ts'
import type { Row } from './table.ts'

/** A row at its place in the trie. */
export interface Entry {
  readonly row: Row
  /** Names of the params, in the order of the path. */
  readonly params: readonly string[]
}

/** method → version → entry. */
export type Leaf = Map<string, Map<number, Entry>>

/** One segment of the paths of all versions. Static children win over the param, with backtracking. */
export interface TrieNode {
  readonly children: Map<string, TrieNode>
  param: TrieNode | null
  leaf: Leaf | null
}

const createNode = (): TrieNode => ({ children: new Map(), param: null, leaf: null })

/** One trie over the rows of all versions: what they share stands in it once. */
export function createTrie(rows: readonly Row[]): TrieNode {
  const root = createNode()
  for (const row of rows) {
    let node = root
    const params: string[] = []
    for (const { text, param } of segmentsOf(row.path)) {
      if (param) {
        params.push(text)
        node = node.param ??= createNode()
      } else {
        const child = node.children.get(text) ?? createNode()
        node.children.set(text, child)
        node = child
      }
    }
    const leaf = (node.leaf ??= new Map<string, Map<number, Entry>>())
    const versions = leaf.get(row.method) ?? new Map<number, Entry>()
    leaf.set(row.method, versions)
    const before = versions.get(row.version)
    // Declared twice: a version's own route goes before an inherited one, else the first stands.
    if (before === undefined || (before.row.inheritedFrom !== null && row.inheritedFrom === null))
      versions.set(row.version, { row, params })
  }
  return root
}

interface Segment {
  readonly text: string
  readonly param: boolean
}

const formatSuffix = '(.:format)'

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

/** A row's path in path-to-regexp's own notation. */
export const patternOf = (path: string): string => path.slice(0, -formatSuffix.length)

function tokensOf(path: string): readonly Token[] {
  try {
    return parse(patternOf(path)).tokens
  } catch (error) {
    throw new RouterError('HV_PATH', `the path ${path} cannot be read: ${(error as Error).message}`, { path })
  }
}
