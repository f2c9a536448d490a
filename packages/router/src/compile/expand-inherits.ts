import { readLife } from '../declare/life.ts'
import type { Version } from '../declare/nodes.ts'
import { type SharedOptions, toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import { type AnyNode, type DeclaredNode, describe } from './declared-node.ts'
import { namedNodes, pathsOf, withNames, withoutPaths } from './select-nodes.ts'

type Nodes = readonly DeclaredNode[]
/** What `inherit` can repeat: the nodes of versions by number, and those of caches by name. */
type Sources = Map<number | string, Nodes>

/**
 * Creates the function that takes a version's nodes out of their caches, and replaces each
 * `inherit` by the nodes that it repeats. Call it once per `version(…)`, in the route file's order,
 * because an `inherit` can only repeat what's declared above it.
 */
export function createExpander(): (version: Version) => Nodes {
  const sources: Sources = new Map()
  const cacheNodes = new Map<string, AnyNode>()
  return expandVersion

  function expandVersion({ name: version, options, nodes }: Version): Nodes {
    const expanded = expand(nodes as readonly AnyNode[], version, `version ${version}`)
    const scoped = inScopeOf(version, options as SharedOptions, expanded)
    sources.set(version, [...(sources.get(version) ?? []), ...scoped])
    return scoped
  }

  function expand(nodes: readonly AnyNode[], version: number, where: string): Nodes {
    return nodes.flatMap((node): DeclaredNode | Nodes => {
      if (node.kind === 'inherit') return repeat(node, version, sources)
      const place = `${describe(node)} in ${where}`
      const inner = expand(node.nodes, version, place)
      if (node.kind !== 'cache') {
        const life = readLife(node.options, place)
        const lives = life === null ? [] : [life]
        return { ...node, nodes: inner, version, where: place, lives, without: [] }
      }
      // A cache in a `const` can be used twice, but two caches can't share a name.
      if ((cacheNodes.get(node.name) ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: node.name })
      cacheNodes.set(node.name, node)
      sources.set(node.name, inner)
      return inner
    })
  }
}

/**
 * A version's options apply to its routes as a scope's do, so they travel with the routes that
 * another version inherits.
 */
function inScopeOf(version: number, options: SharedOptions, nodes: Nodes): Nodes {
  const { only, except, shallow, constraints } = options
  const isPlain = [only, except, shallow, constraints].every((option) => option === undefined)
  // A scope without nodes would look as if the version had routes to inherit.
  if (isPlain || nodes.length === 0) return nodes
  const scope = { kind: 'scope', name: '', method: '', lives: [] } as const
  return [{ ...scope, options, nodes, version, where: `version ${version}`, without: [] }]
}

/**
 * Returns the nodes that an `inherit` repeats. They're the same objects unless the `inherit`
 * changes them.
 */
function repeat({ name, options }: AnyNode, version: number, sources: Sources): Nodes {
  const from: readonly (number | string)[] = toList(name)
  const inherited = from.flatMap((source) => nodesOf(source, version, sources))
  const option = options.only === undefined ? 'except' : 'only'
  const paths: readonly string[] = toList(options[option] ?? [])
  const namesFor = (node: DeclaredNode) => (option === 'only' ? node.name : pathsOf(node))
  const known = paths.length === 0 ? [] : [...new Set(namedNodes(inherited).flatMap(namesFor))]
  for (const resource of paths)
    if (!known.includes(resource))
      throw new RouterError('HV_UNKNOWN_RESOURCE', { version, from, option, resource, known })
  const nodes = option === 'only' ? withNames(inherited, paths) : withoutPaths(inherited, paths)

  const life = readLife(options, `inherit() in version ${version}`)
  return life === null ? nodes : nodes.map((node) => ({ ...node, lives: [life, ...node.lives] }))
}

function nodesOf(source: number | string, version: number, sources: Sources): Nodes {
  const nodes = source === version ? undefined : sources.get(source)
  if (typeof source === 'string') {
    if (nodes !== undefined) return nodes
    const known = [...sources.keys()].filter((key) => typeof key === 'string')
    throw new RouterError('HV_UNKNOWN_CACHE', { version, cache: source, known })
  }
  if (nodes !== undefined && nodes.length > 0) return nodes
  const hasNodes = (key: number | string): key is number =>
    typeof key === 'number' && key !== version && sources.get(key)!.length > 0
  const known = [...sources.keys()].filter(hasNodes)
  const reason = nodes === undefined ? 'undeclared' : 'no-routes'
  throw new RouterError('HV_UNKNOWN_VERSION', {
    version: source,
    known,
    inheritedBy: version,
    reason,
  })
}
