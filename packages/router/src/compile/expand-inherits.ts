import { type LifeOptions, joinLives, readLife } from '../declare/life.ts'
import { type Selection, isSelected, toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import type { AnyNode, DeclaredNode, ExpandInherits } from './declared-node.ts'
import { exceptNames, restOf, withoutNames } from './except.ts'

/** Creates the expander of one API. It remembers the caches it has seen: `inherit` finds those declared above it. */
export function createExpander(): ExpandInherits {
  const caches: Record<string, { readonly node: AnyNode; readonly nodes: readonly DeclaredNode[] }> =
    Object.create(null)
  return expand

  function expand(nodes: readonly AnyNode[], version: number): readonly DeclaredNode[] {
    return nodes.flatMap((node): readonly DeclaredNode[] => {
      if (node.kind === 'inherit') return select(toList(node.name), node.options, version)
      if (node.kind === 'scope')
        // One scope for each node, so that `only` and `except` of `inherit` can select nodes by name.
        return expand(node.nodes, version).map(([child, declaredIn]) => [
          { ...node, name: child.name, nodes: [child] },
          declaredIn,
        ])
      if (node.kind !== 'cache') return [[node, version]]
      const cached = expand(node.nodes, version)
      if ((caches[node.name]?.node ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: node.name })
      caches[node.name] = { node, nodes: cached }
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
    const except = toList(selection.except ?? [])
    for (const resource of toList(selection.only ?? []))
      if (!known.includes(resource))
        throw new RouterError('HV_UNKNOWN_RESOURCE', { version, caches: names, resource, known })
    for (const resource of except) {
      if (known.includes(resource)) continue
      const parents = available.filter(([node]) => restOf(resource, node.name) !== null)
      const below = parents.flatMap((parent) => exceptNames(parent, expand))
      if (!below.includes(resource))
        throw new RouterError('HV_UNKNOWN_RESOURCE', {
          version,
          caches: names,
          resource,
          known: parents.length === 0 ? known : below,
        })
    }
    const selected = withoutNames(
      available.filter(([node]) => isSelected(node.name, { only: selection.only })),
      except,
    )
    return withLife(selected, selection, `inherit in version ${version}`)
  }

  function nodesOf(cache: string, version: number): readonly DeclaredNode[] {
    const found = caches[cache]
    if (found === undefined) throw new RouterError('HV_UNKNOWN_CACHE', { version, cache, known: Object.keys(caches) })
    return found.nodes
  }
}

/** The nodes with the life that an `inherit` gives them. Without one they stay the same objects. */
function withLife(nodes: readonly DeclaredNode[], options: LifeOptions, where: string): readonly DeclaredNode[] {
  const life = readLife(options, where)
  if (life === null) return nodes
  return nodes.map(([node, version]): DeclaredNode => [
    { ...node, life: joinLives(node.life ?? null, life, where)! },
    version,
  ])
}
