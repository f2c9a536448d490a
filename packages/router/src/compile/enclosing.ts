import type { ActionName } from '../declare/actions.ts'
import { pluralize, singularize } from '../declare/inflect.ts'
import type { Life } from '../declare/life.ts'
import type { ApiOptions, Constraints, Selection } from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import { type ConstraintSource, findConstraint } from './constraint.ts'
import type { DeclaredNode } from './declared-node.ts'

/** A path, and the parts of the route names below it. */
export interface Location {
  readonly path: string
  readonly names: readonly string[]
}

/** What the nodes around a node say about its routes. */
export interface Enclosing {
  /** The controllers' folder: `admin/`, or `''`. */
  readonly folder: string
  readonly here: Location
  /** `here` without the enclosing resources. Shallow members start from it. */
  readonly root: Location
  /**
   * Whether the node is below a resource's parameter. As in Rails, a `scope` doesn't change `root`
   * there.
   */
  readonly isNested?: boolean
  /** The nearest `only` or `except`. */
  readonly selection: Selection<ActionName>
  readonly shallow: boolean
  /** Whether one of the enclosing resources is shallow. */
  readonly isInShallow?: boolean
  readonly patch: boolean
  /** The constraints of the enclosing nodes, the outermost first. */
  readonly constraints: readonly ConstraintSource[]
  /** The constraints of all nodes, by the option. The whole API shares this map. */
  readonly sources: Map<Constraints, ConstraintSource>
  /** The lives of the enclosing nodes, the outermost first. */
  readonly lives: readonly Life[]
}

/** Returns what encloses the versions. */
export function insideApi({ prefix, namespace }: Settings, options: ApiOptions): Enclosing {
  const root: Location = { path: prefix, names: [namespace] }
  const enclosing: Enclosing = {
    folder: '',
    here: root,
    root,
    selection: {},
    shallow: false,
    patch: false,
    constraints: [],
    sources: new Map(),
    lives: [],
  }
  return withNode(enclosing, { options, lives: [], where: 'api()' })
}

/**
 * Returns what encloses a namespace's or scope's nodes. A namespace's path, name and folder default
 * to its name.
 */
export function insideBlock(node: DeclaredNode, enclosing: Enclosing): Enclosing {
  const { kind, name, options } = node
  const fallback = kind === 'namespace' ? name : ''
  const { path = fallback, as = fallback, module = fallback } = options
  const isRootKept = kind === 'scope' && enclosing.isNested
  return {
    ...withNode(enclosing, node),
    folder: module === '' ? enclosing.folder : `${enclosing.folder}${module}/`,
    here: below(enclosing.here, path, as),
    root: isRootKept ? enclosing.root : below(enclosing.root, path, as),
  }
}

const below = ({ path, names }: Location, segment: string, name: string): Location => ({
  path: joinPath(path, segment),
  names: [...names, name],
})

/**
 * Adds a node's options and lives. An inner `only` or `except` replaces the outer ones. Constraints
 * add up.
 */
export function withNode(
  enclosing: Enclosing,
  { options, lives, where }: Pick<DeclaredNode, 'options' | 'lives' | 'where'>,
): Enclosing {
  const { sources } = enclosing
  let { constraints } = enclosing
  if (options.constraints !== undefined) {
    // A node that several versions inherit is compiled in each, but its constraints are checked
    // once.
    const source = sources.get(options.constraints) ?? {
      constraints: options.constraints,
      where,
      paths: [],
    }
    sources.set(options.constraints, source)
    constraints = [...constraints, source]
  }
  return {
    ...enclosing,
    selection: (options.only ?? options.except) ? options : enclosing.selection,
    shallow: options.shallow ?? enclosing.shallow,
    patch: options.patch ?? enclosing.patch,
    constraints,
    lives: Object.freeze([...enclosing.lives, ...lives]),
  }
}

// ---- resources ----------------------------------------------------------------------------------

/** Computes a resource's paths and name parts from its options and what encloses it. */
export function layOut({ kind, name, options }: DeclaredNode, enclosing: Enclosing) {
  const isPlural = kind === 'resources'
  const defaultController = isPlural ? name : pluralize(name)
  const { path = name, as = name, param = 'id', controller = defaultController } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as

  const { here, root, shallow, isInShallow } = enclosing
  const memberBase = isPlural && shallow ? root : here
  const nestedBase = isPlural && shallow && isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const memberPath = isPlural ? `${path}/:${param}` : path
  const nestedPath = isPlural ? `${path}/:${parentParam}` : path
  const member = below(memberBase, memberPath, singular)
  return {
    isPlural,
    controller,
    collection: below(here, path, plural),
    member,
    /** The path of nested routes: `/posts/:post_id`. */
    nested: below(nestedBase, nestedPath, singular),
    /** The name parts of `new` and `edit`, which have their own paths. */
    singularNames: { collection: [...here.names, singular], member: member.names },
    /** The member's parameter, and what nested routes call it: `id`, `post_id`. */
    param,
    parentParam,
  }
}

/** Returns what encloses nested nodes. Their `post_id` has the constraint of the parent's `id`. */
export function insideResource(
  { isPlural, param, parentParam, member, nested }: ReturnType<typeof layOut>,
  enclosing: Enclosing,
): Enclosing {
  // A constraint applies to the members even if `only` or `except` leaves their routes out.
  for (const { paths } of enclosing.constraints) paths.push(member.path, nested.path)
  const source = isPlural ? findConstraint(enclosing.constraints, param) : undefined
  const inside = { ...enclosing, here: nested, isNested: true }
  if (source === undefined) return inside
  const { constraints, where } = source
  const parentConstraints = { [parentParam]: constraints[param]! }
  const parentSource = { constraints: parentConstraints, where, param, paths: [] }
  return { ...inside, constraints: [...enclosing.constraints, parentSource] }
}
