import { joinPath } from '../declare/settings.ts'
import { findConstraint, useConstraints } from './constraint.ts'
import type { Enclosing, Location } from './enclosing.ts'
import type { DeclaredNode } from './declared-node.ts'
import { pluralize, singularize } from './inflect.ts'

/** The paths and name parts of a resource. */
export interface ResourceLayout {
  readonly isPlural: boolean
  readonly controller: string
  readonly collection: Location
  readonly member: Location
  readonly newNames: readonly string[]
  readonly editNames: readonly string[]
  /** Where nested routes are declared: `/posts/:post_id`. */
  readonly nested: Location
  /** The member's parameter, and what nested routes call it: `id`, `post_id`. */
  readonly param: string
  readonly parentParam: string
}

/** Computes the paths and name parts of a resource from its options and what encloses it. */
export function layOut({ kind, name, options }: DeclaredNode, enclosing: Enclosing): ResourceLayout {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const { here, root } = enclosing
  const base = isPlural && enclosing.shallow ? root : here
  const nestedBase = isPlural && enclosing.shallow && enclosing.isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const memberPath = (from: Location, segment: string) => joinPath(from.path, path, isPlural ? `:${segment}` : '')
  return {
    isPlural,
    controller,
    collection: { path: joinPath(here.path, path), names: [...here.names, plural] },
    member: { path: memberPath(base, param), names: [...base.names, singular] },
    newNames: ['new', ...here.names, singular],
    editNames: ['edit', ...base.names, singular],
    nested: { path: memberPath(nestedBase, parentParam), names: [...nestedBase.names, singular] },
    param,
    parentParam,
  }
}

/** What encloses nested nodes. Their `post_id` has the constraint of the parent's `id`. */
export function insideResource(
  { isPlural, param, parentParam, member, nested }: ResourceLayout,
  enclosing: Enclosing,
): Enclosing {
  const constraint = isPlural ? findConstraint(enclosing.constraints, param) : undefined
  const constraints = enclosing.constraints.concat(constraint === undefined ? [] : { [parentParam]: constraint })
  // Whether `only` and `except` keep the routes to members does not matter.
  useConstraints(enclosing.uses, constraints, `${member.path} ${nested.path}`)
  return { ...enclosing, here: nested, isNested: true, constraints }
}
