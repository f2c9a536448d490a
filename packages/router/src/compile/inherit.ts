import type { Version } from '../declare/nodes.ts'
import { toList } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import type { AnyNode } from './node.ts'
import type { Route } from './route.ts'

/** What `inherit` can repeat: versions by number, and the nodes of caches by name. */
export type Sources = Map<number | string, readonly AnyNode[]>

/** A compiled route, and where an `inherit` finds it. */
export interface Entry {
  /** The nodes around it, as `except` names them, the outermost first: `users`, `users/posts`. */
  readonly within: readonly string[]
  /** The action of the last of these nodes: `show`, if it's called `users/posts#show`. */
  readonly action: string | null
  /** Null for a node itself, and for a route that an `only` or `except` around it leaves out. */
  readonly route: Route | null
}

const namesOf = ({ within, action }: Entry): readonly string[] =>
  action === null ? within : [...within, `${within.at(-1)!}#${action}`]

/**
 * Creates the function that gives each `inherit` of a version the nodes that it repeats, which are
 * the same objects every time. Call it once per `version(…)`, in the route file's order, because an
 * `inherit` can only repeat what's declared above it. It adds the caches to the sources.
 */
export function createExpander(sources: Sources): (version: Version) => AnyNode {
  const caches = new Map<string, AnyNode>()
  return (version) => expand(version as unknown as AnyNode, version.name)

  function expand(node: AnyNode, version: number): AnyNode {
    const { kind, name, options, method } = node
    const nodes =
      kind === 'inherit'
        ? toList<number | string>(name).flatMap((source) => nodesOf(source, version, sources))
        : node.nodes.map((child) => expand(child, version))
    if (kind === 'cache') {
      // A cache in a `const` can be used twice, but two caches can't share a name.
      if ((caches.get(name) ?? node) !== node)
        throw new RouterError('HV_DUPLICATE_CACHE', { version, cache: name })
      caches.set(name, node)
      sources.set(name, nodes)
    }
    return { kind, name, options, nodes, method, version }
  }
}

function nodesOf(source: number | string, version: number, sources: Sources): readonly AnyNode[] {
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

/**
 * Keeps what an `inherit`'s `only` names, or leaves out what its `except` names. `only` names nodes.
 * `except` can also name what's in them, and an action's name stands for every route that has the
 * action: `users#destroy` also leaves out `del('users/:email', { to: 'users#destroy' })`.
 */
export function selectEntries(
  { name, options: { only, except }, version }: AnyNode,
  entries: readonly Entry[],
): readonly Entry[] {
  const option = only === undefined ? 'except' : 'only'
  const selected: readonly string[] = toList(only ?? except ?? [])
  if (selected.length === 0 && only === undefined) return entries
  const nameable = (entry: Entry) => (option === 'only' ? entry.within.slice(0, 1) : namesOf(entry))
  const known = new Set(entries.flatMap(nameable))
  const resource = selected.find((path) => !known.has(path))
  if (resource !== undefined) {
    const from = toList<number | string>(name)
    throw new RouterError('HV_UNKNOWN_RESOURCE', {
      version,
      from,
      option,
      resource,
      known: [...known],
    })
  }
  return entries.filter(
    (entry) => nameable(entry).some((path) => selected.includes(path)) === (option === 'only'),
  )
}
