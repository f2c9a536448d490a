import { joinLives, readLife } from '../declare/life.ts'
import { toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import { type AnyNode, type DeclaredNode, describe } from './declared-node.ts'
import { namedNodes, pathsOf, restOf, withNames, withoutPaths } from './select-nodes.ts'

/**
 * Creates the function that takes the nodes of a version out of their caches, and replaces each `inherit` by the nodes that it
 * repeats. It remembers the caches it has seen: `inherit` finds those declared above it.
 */
export function createExpander() {
  const caches: Record<
    string,
    { readonly node: AnyNode; readonly nodes: readonly DeclaredNode[] }
  > = Object.create(null)
  return expand

  function expand(
    nodes: readonly AnyNode[],
    version: number,
    where: string,
  ): readonly DeclaredNode[] {
    return nodes.flatMap((node): DeclaredNode | readonly DeclaredNode[] => {
      if (node.kind === 'inherit') return repeat(node, version)
      const place = `${describe(node)} in ${where}`
      const inner = expand(node.nodes, version, place)
      if (node.kind !== 'cache') {
        const life = readLife(node.options, place)
        return { ...node, nodes: inner, version, life, inheritedLife: null, without: [] }
      }
      if ((caches[node.name]?.node ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: node.name })
      caches[node.name] = { node, nodes: inner }
      return inner
    })
  }

  /** The nodes that an `inherit` repeats. They are the same objects, unless it changes them. */
  function repeat({ name, options }: AnyNode, version: number): readonly DeclaredNode[] {
    const cached = toList(name).flatMap((cache) => nodesOf(cache, version))
    const only: readonly string[] | null = options.only === undefined ? null : toList(options.only)
    const except: readonly string[] = toList(options.except ?? [])
    for (const path of only ?? except) assertPath(path)
    const nodes = only === null ? withoutPaths(cached, except) : withNames(cached, only)

    const where = `inherit in version ${version}`
    const life = readLife(options, where)
    if (life === null) return nodes
    return nodes.map((node) => ({
      ...node,
      inheritedLife: joinLives(node.inheritedLife, life, where),
    }))

    function assertPath(path: string): void {
      const named = namedNodes(cached)
      const parents = only === null ? named.filter((node) => restOf(path, node.name) !== null) : []
      const names = named.map((node) => node.name)
      const paths = parents.flatMap(pathsOf)
      if (!names.includes(path) && !paths.includes(path))
        throw new RouterError('HV_UNKNOWN_RESOURCE', {
          version,
          caches: toList(name),
          resource: path,
          known: parents.length === 0 ? names : paths,
        })
    }
  }

  function nodesOf(cache: string, version: number): readonly DeclaredNode[] {
    const found = caches[cache]
    if (found === undefined)
      throw new RouterError('HV_UNKNOWN_CACHE', { version, cache, known: Object.keys(caches) })
    return found.nodes
  }
}
