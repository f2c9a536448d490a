import { joinPath } from '../declare/settings.ts'
import { findConstraint, useConstraints } from './constraint.ts'
import type { Context, Location } from './context.ts'
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

/** Computes the paths and name parts of a resource from its options and its context. */
export function layOut({ kind, name, options }: DeclaredNode, context: Context): ResourceLayout {
  const isPlural = kind === 'resources'
  const { path = name, as = name, param = 'id', controller = isPlural ? name : pluralize(name) } = options
  const singular = isPlural ? (options.singular ?? singularize(as)) : as
  const plural = isPlural && singular === as ? `${as}_index` : as
  const { here, root } = context
  const base = isPlural && context.shallow ? root : here
  const nestedBase = isPlural && context.shallow && context.isInShallow ? root : here
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

/** The context of nested nodes. Their `post_id` has the constraint of the parent's `id`. */
export function nestedContext(
  { isPlural, param, parentParam, member, nested }: ResourceLayout,
  context: Context,
): Context {
  const pattern = isPlural ? findConstraint(context.constraints, param) : undefined
  const constraints = context.constraints.concat(pattern === undefined ? [] : { [parentParam]: pattern })
  // Whether `only` and `except` keep the routes to members does not matter.
  useConstraints(context.uses, constraints, `${member.path} ${nested.path}`)
  return { ...context, here: nested, isNested: true, constraints }
}
