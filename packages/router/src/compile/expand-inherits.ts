import { type Life, type LifeOptions, joinLives, readLife } from '../declare/life.ts'
import type { Node } from '../declare/nodes.ts'
import { type ResourcesOptions, type Selection, type VerbOptions, isSelected, toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'

/** A node of any kind, at run time. */
export type AnyNode = Node<string, string, ResourcesOptions & VerbOptions, AnyNode> & { readonly method: string }

/** A node, the version that declares it, and the life that an `inherit` gives it. */
export type DeclaredNode = readonly [node: AnyNode, version: number, life: Life | null]

/** Takes the nodes out of their caches, and replaces each `inherit` by the nodes that it repeats. */
export type ExpandInherits = (nodes: readonly AnyNode[], version: number) => readonly DeclaredNode[]

/** Creates the expander of one API. It remembers the caches it has seen: `inherit` finds those declared above it. */
export function createExpander(): ExpandInherits {
  const caches = new Map<string, { readonly node: AnyNode; readonly nodes: readonly DeclaredNode[] }>()

  return function expand(nodes, version) {
    return nodes.flatMap((node): readonly DeclaredNode[] => {
      if (node.kind === 'inherit') return select(toList(node.name), node.options, version)
      if (node.kind !== 'cache') return [[node, version, null]]
      const cached = expand(node.nodes, version)
      if ((caches.get(node.name)?.node ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: node.name })
      caches.set(node.name, { node, nodes: cached })
      return cached
    })
  }

  function select(
    names: readonly string[],
    selection: Selection<string> & LifeOptions,
    version: number,
  ): readonly DeclaredNode[] {
    const available = names.flatMap((name) => nodesOf(name, version))
    const known = available.map(([node]) => node.name)
    for (const resource of [...toList(selection.only ?? []), ...toList(selection.except ?? [])])
      if (!known.includes(resource))
        throw new RouterError('HV_UNKNOWN_RESOURCE', { version, caches: names, resource, known })
    const selected = available.filter(([node]) => isSelected(node.name, selection))
    const where = `inherit in version ${version}`
    const life = readLife(selection, where)
    if (life === null) return selected
    return selected.map(([node, declaredIn, own]): DeclaredNode => [node, declaredIn, joinLives(own, life, where)])
  }

  function nodesOf(cache: string, version: number): readonly DeclaredNode[] {
    const found = caches.get(cache)
    if (found === undefined) throw new RouterError('HV_UNKNOWN_CACHE', { version, cache, known: [...caches.keys()] })
    return found.nodes
  }
}
