import { type Token, parse } from 'path-to-regexp'
import type { Api } from './api.ts'
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
}

/** method → version → entries: the first that its constraints let through serves. */
export type Leaf = Map<string, Map<number, readonly Entry[]>>

/** One segment of the paths of all versions. Static children win over the param, with backtracking. */
export interface TrieNode {
  readonly children: Map<string, TrieNode>
  param: TrieNode | null
  leaf: Leaf | null
  /** An entry of the leaf has constraints: the values decide whether it is there. */
  constrained: boolean
}

const createNode = (): TrieNode => ({ children: new Map(), param: null, leaf: null, constrained: false })

/** One trie over the rows of all versions: what they share stands in it once. */
export function createTrie({ routes, constraints }: Api): TrieNode {
  const root = createNode()
  for (const row of routes) {
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
    const patterns = constraints.get(row)
    const tests = patterns
      ? params.map((param) =>
          patterns[param] === undefined ? undefined : createParamTest(param, patterns[param], row.path),
        )
      : null
    node.constrained ||= tests !== null
    const leaf = (node.leaf ??= new Map<string, Map<number, Entry[]>>())
    const versions = leaf.get(row.method) ?? new Map<number, readonly Entry[]>()
    leaf.set(row.method, versions)
    const entries = [...(versions.get(row.version) ?? []), { row, params, tests }]
    // Declared twice: a version's own route goes before an inherited one, else the first stands.
    const [own, inherited] = [entries.filter(isOwn), entries.filter((entry) => !isOwn(entry))]
    versions.set(row.version, [...own, ...inherited])
  }
  return root
}

const isOwn = ({ row }: Entry): boolean => row.inheritedFrom === null

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
