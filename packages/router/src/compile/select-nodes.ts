// `only` and `except` of `inherit`. A scope has no name, so its nodes are selected as if they were
// declared outside of it.
import { pluralActions, singularActions } from '../declare/actions.ts'
import { isSelected } from '../declare/options.ts'
import type { DeclaredNode } from './declared-node.ts'

type Nodes = readonly DeclaredNode[]

const isUnnamed = ({ kind }: DeclaredNode): boolean => kind === 'scope' || kind === 'extra'

/** Returns the nodes that have a name. Scopes are replaced by their nodes. */
export const namedNodes = (nodes: Nodes): Nodes =>
  nodes.flatMap((node) => (isUnnamed(node) ? namedNodes(node.nodes) : node))

const selectNodes = (nodes: Nodes, select: (node: DeclaredNode) => DeclaredNode | null): Nodes =>
  nodes.flatMap((node) => {
    if (!isUnnamed(node)) return select(node) ?? []
    const inner = selectNodes(node.nodes, select)
    return inner.length === 0 ? [] : { ...node, nodes: inner }
  })

export const withNames = (nodes: Nodes, names: readonly string[]): Nodes =>
  selectNodes(nodes, (node) => (names.includes(node.name) ? node : null))

/**
 * Leaves out what the paths name: `users`, `users#destroy`, `users/posts`, `admin/users#show`. A
 * path that names an action drops every route that has it, so `users#destroy` also drops
 * `del('users/:email', { to: 'users#destroy' })`.
 */
export const withoutPaths = (nodes: Nodes, paths: readonly string[]): Nodes =>
  paths.length === 0 ? nodes : selectNodes(nodes, (node) => withoutPathsIn(node, paths))

function withoutPathsIn(node: DeclaredNode, paths: readonly string[]): DeclaredNode | null {
  if (paths.includes(node.name)) return null
  if (node.kind === 'verb') {
    const { to } = node.options
    const isNamed = paths.includes(actionOf(node)) || (to?.includes('#') && paths.includes(to))
    return isNamed ? null : node
  }
  const below = paths.flatMap((path) => restOf(path, node.name) ?? [])
  if (below.length === 0) return node
  // Actions aren't nodes. `without` tells the resource to leave out their routes.
  return { ...node, nodes: withoutPaths(node.nodes, below), without: [...node.without, ...below] }
}

/** Returns what follows a node's name: `#destroy` in `users#destroy`, `posts` in `users/posts`. */
function restOf(path: string, name: string): string | null {
  if (!path.startsWith(name)) return null
  const rest = path.slice(name.length)
  if (rest.startsWith('#')) return rest
  return rest.startsWith('/') ? rest.slice(1) : null
}

/**
 * Lists every path that `except` can use for a node: itself, its actions, and what's nested in it.
 */
export function pathsOf({ kind, name, options, nodes, without }: DeclaredNode): readonly string[] {
  if (kind === 'verb') return options.to?.includes('#') ? [name, options.to] : [name]
  const actions = kind === 'resources' ? pluralActions : kind === 'resource' ? singularActions : []
  const kept = actions.filter(
    (action) => isSelected(action, options) && !without.includes(`#${action}`),
  )
  const below = namedNodes(nodes).flatMap((child) =>
    child.kind === 'verb' && actions.length > 0
      ? [`${name}/${child.name}`, name + actionOf(child)]
      : pathsOf(child).map((path) => `${name}/${path}`),
  )
  return [name, ...kept.map((action) => `${name}#${action}`), ...below]
}

/** `#preview`, whatever the controller. */
const actionOf = ({ name, options }: DeclaredNode): string =>
  `#${(options.to ?? name.replaceAll('-', '_')).replace(/.*#/, '')}`
