// `except` of `inherit`: 'users', 'users#destroy', 'users/posts', 'admin/users#show'.
import { pluralActions, singularActions } from '../declare/actions.ts'
import { isSelected } from '../declare/options.ts'
import type { AnyNode, DeclaredNode, ExpandInherits } from './declared-node.ts'

/** The nodes without those that the names exclude. A node that the names do not concern stays the same object. */
export function withoutNames(nodes: readonly DeclaredNode[], names: readonly string[] = []): readonly DeclaredNode[] {
  if (names.length === 0) return nodes
  const kept: DeclaredNode[] = []
  for (const declared of nodes) {
    const [node, version] = declared
    const rest = withoutNamesIn(node, names)
    if (rest !== null) kept.push(rest === node ? declared : [rest, version])
  }
  return kept
}

function withoutNamesIn(node: AnyNode, names: readonly string[]): AnyNode | null {
  const { kind, name } = node
  if (kind === 'scope' || kind === 'extra') {
    const nodes: AnyNode[] = []
    for (const child of node.nodes) {
      const rest = withoutNamesIn(child, names)
      if (rest !== null) nodes.push(rest)
    }
    const isSame = nodes.length === node.nodes.length && nodes.every((child, i) => child === node.nodes[i])
    if (isSame) return node
    return nodes.length === 0 ? null : { ...node, nodes }
  }
  if (names.includes(name) || (kind === 'verb' && names.includes(actionName(node)))) return null
  const below: string[] = []
  for (const one of names) {
    const rest = restOf(one, name)
    if (rest !== null) below.push(rest)
  }
  return below.length === 0 ? node : { ...node, without: [...(node.without ?? []), ...below] }
}

/** What follows the name of a node: `users#destroy` → `#destroy`, `users/posts` → `posts`. */
export function restOf(path: string, name: string): string | null {
  if (!path.startsWith(name)) return null
  const rest = path.slice(name.length)
  if (rest.startsWith('#')) return rest
  return rest.startsWith('/') ? rest.slice(1) : null
}

/** Every name that `except` may use for a node: itself, its actions, and what is nested in it. */
export function exceptNames([node, version]: DeclaredNode, expand: ExpandInherits): readonly string[] {
  const { kind, name, options, without = [] } = node
  if (kind === 'verb') return [name]
  if (kind === 'scope') return node.nodes.flatMap((child) => exceptNames([child, version], expand))
  const isResource = kind !== 'namespace'
  const actions = kind === 'resources' ? pluralActions : singularActions
  const below = [
    ...(isResource ? actions.filter((action) => isSelected(action, options)).map((action) => `#${action}`) : []),
    ...(isResource
      ? node.nodes.flatMap((child) => namesInside(child, version, expand))
      : expand(node.nodes, version).flatMap((child) => exceptNames(child, expand))),
  ].filter((one) => !without.some((gone) => one === gone || restOf(one, gone) !== null))
  return [name, ...below.map((one) => (one.startsWith('#') ? name + one : `${name}/${one}`))]
}

const namesInside = (child: AnyNode, version: number, expand: ExpandInherits): readonly string[] => {
  if (child.kind === 'verb') return [child.name, actionName(child)]
  if (child.kind === 'extra' || child.kind === 'scope')
    return child.nodes.flatMap((one) => namesInside(one, version, expand))
  return exceptNames([child, version], expand)
}

/** `#preview`, whatever the controller. */
const actionName = ({ name, options }: AnyNode): string =>
  `#${(options.to ?? name.replaceAll('-', '_')).replace(/.*#/, '')}`
