import type { ActionName } from '../declare/actions.ts'
import { type Life, readLife } from '../declare/life.ts'
import type { ApiOptions, Constraints, Selection } from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import type { ConstraintSource } from './constraint.ts'
import type { Entry } from './inherit.ts'
import { type AnyNode, describe } from './node.ts'
import type { Route } from './route.ts'

/** A path, and the parts of the route names below it. */
export interface Location {
  readonly path: string
  readonly names: readonly string[]
}

/** What the nodes around a node say about its routes. */
export interface Enclosing {
  /** The nearest node in messages: `resources 'users' in version 1`. */
  readonly where: string
  /** The named nodes, as `except` names them, the outermost first: `admin`, `admin/users`. */
  readonly within: readonly string[]
  /** The controllers' folder: `admin/`, or `''`. */
  readonly folder: string
  readonly here: Location
  /** `here` without the enclosing resources. Shallow members start from it. */
  readonly root: Location
  /**
   * Whether the node is below a resource's parameter. As in Rails, a `scope` doesn't change `root`
   * there.
   */
  readonly isNested: boolean
  /** The nearest `only` or `except`. */
  readonly selection: Selection<ActionName>
  readonly shallow: boolean
  /** Whether one of the enclosing resources is shallow. */
  readonly isInShallow: boolean
  readonly patch: boolean
  /** The constraints of the enclosing nodes, the outermost first. */
  readonly constraints: readonly ConstraintSource[]
  /** The constraints of all nodes, by the option. The whole API shares this map. */
  readonly sources: Map<Constraints, ConstraintSource>
  /** What routes with the same pattern share. The whole API shares this map. */
  readonly patterns: Map<string, Pick<Route, 'pattern' | 'shape' | 'params'>>
  /** The lives of the enclosing nodes, the outermost first. Without the version's. */
  readonly lives: readonly Life[]
  /**
   * What's compiled already, which all versions share: 400 resources in 30 versions are 2,800
   * routes, not 84,000. Null if one of the enclosing nodes changes the routes.
   */
  readonly shared: Map<AnyNode, readonly Entry[]> | null
}

/** Returns what encloses the versions. */
export function insideApi({ prefix, namespace }: Settings, options: ApiOptions): Enclosing {
  const root: Location = { path: prefix, names: [namespace] }
  const sources: Enclosing['sources'] = new Map()
  return {
    where: '',
    within: [],
    folder: '',
    here: root,
    root,
    isNested: false,
    selection: options,
    shallow: options.shallow ?? false,
    isInShallow: false,
    patch: options.patch ?? false,
    constraints: constraintsWith([], options.constraints, 'api()', sources),
    sources,
    patterns: new Map(),
    lives: Object.freeze([]),
    shared: new Map(),
  }
}

/**
 * Returns what encloses the nodes of a version, cache, namespace or scope. A namespace's path, name
 * and folder default to its name.
 */
export function insideBlock(node: AnyNode, enclosing: Enclosing): Enclosing {
  const { kind, name, options } = node
  const inside = withNode(enclosing, node)
  if (kind === 'version' || kind === 'cache') return inside
  const fallback = kind === 'namespace' ? name : ''
  const { path = fallback, as = fallback, module = fallback } = options
  const isRootKept = kind === 'scope' && enclosing.isNested
  return {
    ...inside,
    within: kind === 'scope' ? enclosing.within : withName(enclosing, name),
    folder: module === '' ? enclosing.folder : `${enclosing.folder}${module}/`,
    here: below(enclosing.here, path, as),
    root: isRootKept ? enclosing.root : below(enclosing.root, path, as),
    shared: null,
  }
}

/** Returns what encloses the nodes that an `inherit` repeats. Its `only` and `except` name them. */
export function insideInherit(node: AnyNode, enclosing: Enclosing): Enclosing {
  const { lives } = withNode(enclosing, node)
  return {
    ...enclosing,
    within: [],
    lives,
    shared: lives === enclosing.lives ? enclosing.shared : null,
  }
}

/** What `except` calls a node: `admin/users` for `users` in the namespace `admin`. */
export const nameIn = ({ within }: Enclosing, name: string): string =>
  within.length === 0 ? name : `${within.at(-1)!}/${name}`

export const withName = (enclosing: Enclosing, name: string): readonly string[] => [
  ...enclosing.within,
  nameIn(enclosing, name),
]

export const below = ({ path, names }: Location, segment: string, name: string): Location => ({
  path: joinPath(path, segment),
  names: [...names, name],
})

/**
 * Adds a node's options and life. An inner `only` or `except` replaces the outer ones. Constraints
 * add up.
 */
export function withNode(enclosing: Enclosing, node: AnyNode): Enclosing {
  const { kind, options } = node
  const isVersion = kind === 'version'
  const where = isVersion ? describe(node) : `${describe(node)} in ${enclosing.where}`
  const life = isVersion ? null : readLife(options, where)
  const selection = (options.only ?? options.except) ? options : enclosing.selection
  const { shallow = enclosing.shallow, patch = enclosing.patch } = options
  const constraints = constraintsWith(
    enclosing.constraints,
    options.constraints,
    where,
    enclosing.sources,
  )
  const isPlain =
    selection === enclosing.selection &&
    shallow === enclosing.shallow &&
    constraints === enclosing.constraints
  return {
    ...enclosing,
    where,
    selection,
    shallow,
    patch,
    constraints,
    lives: life === null ? enclosing.lives : Object.freeze([...enclosing.lives, life]),
    shared: isPlain ? enclosing.shared : null,
  }
}

function constraintsWith(
  outer: readonly ConstraintSource[],
  constraints: Constraints | undefined,
  where: string,
  sources: Enclosing['sources'],
): readonly ConstraintSource[] {
  if (constraints === undefined) return outer
  // A node that several versions inherit is compiled in each, but its constraints are checked once.
  const source = sources.get(constraints) ?? { constraints, where, paths: [] }
  sources.set(constraints, source)
  return [...outer, source]
}
