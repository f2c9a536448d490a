import { joinLives, readLife } from '../declare/life.ts'
import type { Version } from '../declare/nodes.ts'
import { type SharedOptions, toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import { type AnyNode, type DeclaredNode, describe } from './declared-node.ts'
import { namedNodes, pathsOf, restOf, withNames, withoutPaths } from './select-nodes.ts'

type Nodes = readonly DeclaredNode[]

/**
 * Creates the function that takes a version's nodes out of their caches, and replaces each `inherit` by the nodes that it
 * repeats. Call it once per `version(…)`, in the order of the route file, because an `inherit` only repeats what's declared
 * above it.
 */
export function createExpander(): (version: Version) => Nodes {
  const cacheNodes = new Map<string, AnyNode>()
  /** What `inherit` can repeat: versions by number, and caches by name. */
  const sources = new Map<number | string, Nodes>()
  return expandVersion

  function expandVersion({ name: version, options, nodes }: Version): Nodes {
    const expanded = expand(nodes as readonly AnyNode[], version, `version ${version}`)
    const scoped = inScopeOf(version, options as SharedOptions, expanded)
    sources.set(version, [...(sources.get(version) ?? []), ...scoped])
    return scoped
  }

  function expand(nodes: readonly AnyNode[], version: number, where: string): Nodes {
    return nodes.flatMap((node): DeclaredNode | Nodes => {
      if (node.kind === 'inherit') return repeat(node, version)
      const place = `${describe(node)} in ${where}`
      const inner = expand(node.nodes, version, place)
      if (node.kind !== 'cache') {
        const life = readLife(node.options, place)
        return {
          ...node,
          nodes: inner,
          version,
          where: place,
          life,
          inheritedLife: null,
          without: [],
        }
      }
      if ((cacheNodes.get(node.name) ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: node.name })
      cacheNodes.set(node.name, node)
      sources.set(node.name, inner)
      return inner
    })
  }

  /** The nodes that an `inherit` repeats. They're the same objects, unless it changes them. */
  function repeat({ name, options }: AnyNode, version: number): Nodes {
    const from: readonly (number | string)[] = toList(name)
    const inherited = from.flatMap((source) => nodesOf(source, version))
    const option = options.only === undefined ? 'except' : 'only'
    const paths: readonly string[] = toList(options[option] ?? [])
    for (const path of paths) assertPath(path)
    const nodes = option === 'only' ? withNames(inherited, paths) : withoutPaths(inherited, paths)

    const where = `inherit in version ${version}`
    const life = readLife(options, where)
    if (life === null) return nodes
    return nodes.map((node) => ({
      ...node,
      inheritedLife: joinLives(node.inheritedLife, life, where),
    }))

    function assertPath(path: string): void {
      const named = namedNodes(inherited)
      const parents =
        option === 'except' ? named.filter((node) => restOf(path, node.name) !== null) : []
      const names = named.map((node) => node.name)
      const pathsInside = parents.flatMap(pathsOf)
      if (names.includes(path) || pathsInside.includes(path)) return
      const known = parents.length === 0 ? names : pathsInside
      throw new RouterError('HV_UNKNOWN_RESOURCE', { version, from, option, resource: path, known })
    }
  }

  function nodesOf(source: number | string, version: number): Nodes {
    const nodes = source === version ? undefined : sources.get(source)
    if (nodes !== undefined && (nodes.length > 0 || typeof source === 'string')) return nodes
    if (typeof source === 'string') {
      const known = [...cacheNodes.keys()]
      throw new RouterError('HV_UNKNOWN_CACHE', { version, cache: source, known })
    }
    const known = [...sources.keys()].filter(
      (key) => typeof key === 'number' && key !== version && sources.get(key)!.length > 0,
    ) as number[]
    const reason = nodes === undefined ? 'undeclared' : 'no-routes'
    throw new RouterError('HV_UNKNOWN_VERSION', {
      version: source,
      known,
      inheritedBy: version,
      reason,
    })
  }
}

/** A version's options apply to its routes as a scope's do. So they travel with the routes when another version inherits these. */
function inScopeOf(version: number, options: SharedOptions, nodes: Nodes): Nodes {
  const { only, except, shallow, constraints } = options
  if ([only, except, shallow, constraints].every((option) => option === undefined)) return nodes
  const scope = { kind: 'scope', name: '', method: '', life: null, inheritedLife: null } as const
  const where = `version ${version}`
  return [{ ...scope, options, nodes, version, where, without: [] }]
}
