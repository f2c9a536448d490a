import type { ActionName } from '../declare/actions.ts'
import { type Life, joinLives } from '../declare/life.ts'
import type { ApiOptions, Constraints, Selection, SharedOptions } from '../declare/options.ts'
import { type Settings, joinPath } from '../declare/settings.ts'
import { pluralize, singularize } from '../declare/inflect.ts'
import { type ConstraintUses, findConstraint, useConstraints } from './constraint.ts'
import { type DeclaredNode, describe } from './declared-node.ts'

/** A path, and the parts of the route names below it. */
export interface Location {
  readonly path: string
  readonly names: readonly string[]
}

/** What the nodes around a node say about its routes. */
export interface Enclosing {
  /** The folder of the controllers: `admin/`, or `''`. */
  readonly folder: string
  readonly here: Location
  /** `here` without the enclosing resources: shallow members start from it. */
  readonly root: Location
  /** Below the parameter of a resource. A `scope` does not change `root` there, as in Rails. */
  readonly isNested?: boolean
  /** The nearest `only` or `except`. */
  readonly selection: Selection<ActionName>
  readonly shallow: boolean
  /** One of the enclosing resources is shallow. */
  readonly isInShallow?: boolean
  readonly patch: boolean
  /** The constraints of the enclosing nodes, the outermost first. */
  readonly constraints: readonly Constraints[]
  /** The paths to which constraints apply. All nodes of an API share it. */
  readonly uses: ConstraintUses
  readonly life: Life | null
}

/** What `api` says about the routes in it. */
export function insideApi({ prefix, namespace }: Settings, options: ApiOptions): Enclosing {
  const root: Location = { path: prefix, names: [namespace] }
  const defaults = { selection: {}, shallow: false, patch: false, constraints: [] }
  return withOptions(
    { ...defaults, folder: '', here: root, root, uses: new Map(), life: null },
    options,
  )
}

/** What encloses the nodes of a `namespace` or `scope`. A namespace takes path, name and folder from its name. */
export function insideBlock(node: DeclaredNode, enclosing: Enclosing): Enclosing {
  const { kind, name, options } = node
  const fallback = kind === 'namespace' ? name : ''
  const { path = fallback, as = fallback, module = fallback } = options
  return {
    ...withNode(enclosing, node),
    folder: module === '' ? enclosing.folder : `${enclosing.folder}${module}/`,
    here: below(enclosing.here, path, as),
    root: kind === 'scope' && enclosing.isNested ? enclosing.root : below(enclosing.root, path, as),
  }
}

const below = ({ path, names }: Location, segment: string, name: string): Location => ({
  path: joinPath(path, segment),
  names: [...names, name],
})

/** Adds the options of a node. An inner `only` or `except` replaces the outer ones; constraints are added. */
export const withOptions = (
  enclosing: Enclosing,
  options: SharedOptions & { readonly patch?: boolean },
): Enclosing => ({
  ...enclosing,
  selection: (options.only ?? options.except) ? options : enclosing.selection,
  shallow: options.shallow ?? enclosing.shallow,
  patch: options.patch ?? enclosing.patch,
  constraints: enclosing.constraints.concat(options.constraints ?? []),
})

/** Adds a node's options and life, then the life that an `inherit` gives it. */
export const withNode = (enclosing: Enclosing, node: DeclaredNode): Enclosing => ({
  ...withOptions(enclosing, node.options),
  life: joinLives(
    joinLives(enclosing.life, node.life, describe(node)),
    node.inheritedLife,
    describe(node),
  ),
})

// ---- resources ----------------------------------------------------------------------------------

/** Computes the paths and name parts of a resource from its options and what encloses it. */
export function layOut({ kind, name, options }: DeclaredNode, enclosing: Enclosing) {
  const isPlural = kind === 'resources'
  const {
    path = name,
    as = name,
    param = 'id',
    controller = isPlural ? name : pluralize(name),
  } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const { here, root } = enclosing
  const base = isPlural && enclosing.shallow ? root : here
  const nestedBase = isPlural && enclosing.shallow && enclosing.isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const memberOf = (from: Location, id: string) =>
    below(from, isPlural ? `${path}/:${id}` : path, singular)
  return {
    isPlural,
    controller,
    collection: below(here, path, plural),
    member: memberOf(base, param),
    /** Where nested routes are declared: `/posts/:post_id`. */
    nested: memberOf(nestedBase, parentParam),
    /** The name parts of the actions that have others than their collection or member. */
    names: { new: ['new', ...here.names, singular], edit: ['edit', ...base.names, singular] },
    /** The member's parameter, and what nested routes call it: `id`, `post_id`. */
    param,
    parentParam,
  }
}

/** What encloses nested nodes. Their `post_id` has the constraint of the parent's `id`. */
export function insideResource(
  { isPlural, param, parentParam, member, nested }: ReturnType<typeof layOut>,
  enclosing: Enclosing,
): Enclosing {
  const constraint = isPlural ? findConstraint(enclosing.constraints, param) : undefined
  const constraints = enclosing.constraints.concat(
    constraint === undefined ? [] : { [parentParam]: constraint },
  )
  // Whether `only` and `except` keep the routes to members does not matter.
  useConstraints(enclosing.uses, constraints, `${member.path} ${nested.path}`)
  return { ...enclosing, here: nested, isNested: true, constraints }
}
