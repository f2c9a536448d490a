import { joinPath } from '../declare/settings.ts'
import { findConstraint, useConstraints } from './constraint.ts'
import type { Enclosing, Location } from './enclosing.ts'
import type { DeclaredNode } from './declared-node.ts'
import { pluralize, singularize } from '../declare/inflect.ts'

/** Computes the paths and name parts of a resource from its options and what encloses it. */
export function layOut({ kind, name, options }: DeclaredNode, enclosing: Enclosing) {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const { here, root } = enclosing
  const base = isPlural && enclosing.shallow ? root : here
  const nestedBase = isPlural && enclosing.shallow && enclosing.isInShallow ? root : here
  const parentParam = `${singular}_${param}`
  const below = (from: Location, segment: string): Location => ({
    path: joinPath(from.path, path, isPlural ? `:${segment}` : ''),
    names: [...from.names, singular],
  })
  return {
    isPlural,
    controller,
    collection: { path: joinPath(here.path, path), names: [...here.names, plural] } as Location,
    member: below(base, param),
    /** Where nested routes are declared: `/posts/:post_id`. */
    nested: below(nestedBase, parentParam),
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
  const constraints = enclosing.constraints.concat(constraint === undefined ? [] : { [parentParam]: constraint })
  // Whether `only` and `except` keep the routes to members does not matter.
  useConstraints(enclosing.uses, constraints, `${member.path} ${nested.path}`)
  return { ...enclosing, here: nested, isNested: true, constraints }
}
