import type { RouterErrorDetails } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { differenceOf, isSameSchema } from './same-schema.ts'
import { type View, defaultOf, rebuild, viewOf } from './schema-view.ts'
import { constantsOf, resolve, typesOf } from './value-types.ts'

/** One step from a value down to values in it, or on to the value itself if it passes a test. */
export type PathStep =
  | { readonly to: 'property'; readonly name: string }
  /** The elements from an index up to, but not including, a second index. */
  | { readonly to: 'elements'; readonly from: number; readonly until: number }
  /** All properties that match a pattern, except those with these names. */
  | { readonly to: 'properties'; readonly pattern: string; readonly except: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly to: 'itself-if-type'; readonly types: readonly string[] }
  /** The value itself, if its tag, such as `kind`, has one of these values. */
  | { readonly to: 'itself-if-tagged'; readonly tag: string; readonly values: readonly unknown[] }
  /**
   * The value itself, but these properties stay unchanged, because other schemas of `allOf`
   * describe them.
   */
  | { readonly to: 'itself-keeping'; readonly names: readonly string[] }

/**
 * The steps from a value down to those that a schema describes. In `{ items: User[] }`, the path to
 * users is the property `items`, then its elements.
 */
export type Path = readonly PathStep[]

/**
 * Says why a schema can't be replaced where it is. Whoever catches it adds the change and the
 * action.
 */
export class Irreversible extends Error {
  readonly reason: RouterErrorDetails['HV_CHANGE']['reason']
  /** What to look at, such as the place where two schemas differ. */
  readonly hint: string

  constructor(reason: Irreversible['reason'], hint = '') {
    super(reason)
    this.reason = reason
    this.hint = hint
  }
}

/**
 * Finds the places of a target in a schema.
 *
 * @param open - the schemas that contain this one, from the outermost
 * @param recursive - those of them that contain themselves
 * @returns the paths to the values that it describes; `[[]]` if the schema is the target itself
 * @throws Irreversible if a value doesn't show whether the target describes it
 */
export function findSchema(
  view: View,
  target: View,
  open: readonly JsonSchema[] = [],
  recursive = new Set<JsonSchema>(),
): readonly Path[] {
  const { keywords, children, library } = view
  if (isSameSchema(view, target)) {
    const hasContents = library === null && !('$ref' in keywords!)
    const difference = hasContents ? differenceOf(keywords, target.keywords) : null
    if (difference !== null) throw new Irreversible('drifted', `They differ at ${difference}`)
    return [[]]
  }
  if (keywords === null) return [] // if the target is in it, `before` says so
  if (open.includes(keywords)) {
    recursive.add(keywords)
    return []
  }
  const inner = [...open, keywords]
  const findIn = (part: View): readonly Path[] => findSchema(part, target, inner, recursive)
  const paths: Path[] = []
  if ('$ref' in keywords) paths.push(...findIn(viewOf(resolve(keywords, inner))))
  for (const [child, keyword, name] of children) {
    const rests = visitedApart.has(keyword) ? [] : findIn(child)
    if (rests.length === 0) continue
    const step = stepInto(child, keyword, name, keywords)
    if (step === null) throw new Irreversible('ambiguous')
    for (const rest of rests) {
      const keepsAll = step.to === 'itself-keeping' && (step.names.length === 0 || rest.length > 0)
      paths.push(keepsAll ? rest : [step, ...rest])
    }
  }
  for (const union of [keywords['anyOf'], keywords['oneOf']])
    if (Array.isArray(union)) paths.push(...findInUnion(union, findIn, inner))
  if (paths.length > 0 && recursive.has(keywords)) throw new Irreversible('recursive')
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}

/**
 * Not visited as parts of a schema: definitions only apply where a `$ref` names them,
 * `contentSchema` only applies to text in a different format, and unions have their own rule.
 */
const visitedApart = new Set(['$defs', 'definitions', 'contentSchema', 'anyOf', 'oneOf'])

/**
 * The step from a schema's values to those of a schema in it.
 *
 * @returns null for a keyword that applies only under conditions, such as `if` and `not`
 */
function stepInto(
  child: View,
  keyword: string,
  name: string | undefined,
  schema: JsonSchema,
): PathStep | null {
  const names = Object.keys(schema['properties'] ?? {})
  const patterns = Object.keys(schema['patternProperties'] ?? {})
  const { length } = Object.keys(schema['prefixItems'] ?? {})
  switch (keyword) {
    case 'properties':
      return { to: 'property', name: name! }
    case 'patternProperties':
      if (names.length + patterns.length > 1) return null
      return { to: 'properties', pattern: name!, except: [] }
    case 'additionalProperties':
      return patterns.length > 0 ? null : { to: 'properties', pattern: '', except: names }
    case 'prefixItems':
    case 'items': // of a tuple, in draft 7
      if (name === undefined) return { to: 'elements', from: length, until: Infinity }
      return { to: 'elements', from: Number(name), until: Number(name) + 1 }
    case 'allOf': {
      // A conversion may return nothing but its own schema's properties, so the step keeps the
      // properties that the other schemas describe.
      const described = Object.keys(child.properties)
      const parts = [schema, schema['allOf']].flat()
      const kept = parts.flatMap((part) => Object.keys(viewOf(part).properties))
      return { to: 'itself-keeping', names: kept.filter((key) => !described.includes(key)) }
    }
    default:
      return null
  }
}

/**
 * Finds the target in the schemas of a union. A value's JSON type or one of its properties has to
 * show which of the schemas describes it, unless the paths are the same in all of them.
 */
function findInUnion(
  union: readonly unknown[],
  findIn: (view: View) => readonly Path[],
  open: readonly JsonSchema[],
): readonly Path[] {
  const alternatives = union
    .map(viewOf)
    .map((view) => ({ view, paths: findIn(view), types: typesOf(view, open) }))
    .filter(({ types }) => types.some((type) => type !== 'null'))
  const texts = new Set(alternatives.map(({ paths }) => JSON.stringify(paths)))
  if (texts.size < 2) return alternatives[0]?.paths ?? []
  return alternatives.flatMap<Path>((alternative) => {
    const { view, paths, types } = alternative
    if (paths.length === 0) return []
    const rivals = alternatives.filter(
      (other) =>
        other !== alternative &&
        other.types.some((type) => type !== 'null' && types.includes(type)),
    )
    const step: PathStep | null =
      rivals.length === 0 ? { to: 'itself-if-type', types } : tagOf(view, rivals, open)
    if (step === null) throw new Irreversible('ambiguous')
    return paths.map((path) => [step, ...path])
  })
}

/**
 * Finds a property whose constants no other schema of a union has: `kind` in `{ kind: 'circle' }`.
 */
function tagOf(
  view: View,
  rivals: readonly { readonly view: View }[],
  open: readonly JsonSchema[],
): PathStep | null {
  const propertiesBehind = ({ keywords, schema }: View): View['properties'] =>
    viewOf(resolve(keywords ?? {}, open) ?? schema).properties
  for (const [tag, property] of Object.entries(propertiesBehind(view))) {
    const values = constantsOf(viewOf(property))
    const isOwn = rivals.every((rival) => {
      const taken = constantsOf(viewOf(propertiesBehind(rival.view)[tag]))
      return taken !== null && !taken.some((value) => values?.includes(value))
    })
    if (values !== null && isOwn) return { to: 'itself-if-tagged', tag, values }
  }
  return null
}

/**
 * Replaces the target wherever it is in a schema.
 *
 * @param open - the schemas that contain this one
 * @returns the schema itself if it doesn't contain the target
 * @throws Irreversible if the schema around the target has a default, which only the newer version
 *   can use
 */
export function replaceSchema(
  view: View,
  target: View,
  by: Schema,
  open: readonly View[] = [],
): Schema {
  if (isSameSchema(view, target)) return by
  if (open.includes(view)) return view.schema
  const replaced = new Map<unknown, Schema>()
  for (const [child] of view.children) {
    const older = replaceSchema(child, target, by, [...open, view])
    if (older !== child.schema) replaced.set(child.schema, older)
  }
  if (replaced.size === 0) return view.schema
  // An empty list or text is a valid default in both versions. Any other default is a value as the
  // newer version has it.
  const fallback = JSON.stringify(defaultOf(view))
  if (![undefined, 'null', '[]', '{}', '""'].includes(fallback)) throw new Irreversible('library')
  return rebuild(view, replaced)
}
