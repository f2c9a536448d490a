import { isObject } from '../objects.ts'
import type { Schema } from '../types/schema.ts'
import type { Path, PathStep } from './convert.ts'
import type { JsonSchema } from './json-schema.ts'
import { type View, rebuild, viewOf } from './schema-view.ts'
import { Irreversible } from './step.ts'
import { constantsOf, resolve, typesOf } from './value-types.ts'

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
 * @param made - the schemas that have been replaced. One that occurs twice has one copy, because
 *   zod allows no name twice in a schema
 * @returns the schema itself if it doesn't contain the target
 * @throws Irreversible if the schema around the target has a default, which only the newer version
 *   can use
 */
export function replaceSchema(
  view: View,
  target: View,
  by: Schema,
  open: readonly View[] = [],
  made = new Map<View, Schema>(),
): Schema {
  if (isSameSchema(view, target)) return by
  if (open.includes(view)) return view.schema
  const earlier = made.get(view)
  if (earlier !== undefined) return earlier
  const replaced = new Map<unknown, Schema>()
  for (const [child] of view.children) {
    const older = replaceSchema(child, target, by, [...open, view], made)
    if (older !== child.schema) replaced.set(child.schema, older)
  }
  if (replaced.size === 0) return view.schema
  // An empty list or text is a valid default in both versions. Any other default is a value as the
  // newer version has it.
  const fallback = JSON.stringify(view.default)
  if (![undefined, 'null', '[]', '{}', '""'].includes(fallback)) throw new Irreversible('library')
  const copy = rebuild(view, replaced)
  made.set(view, copy)
  return copy
}

/**
 * Whether two schemas describe the same thing.
 *
 * - One object is the same as itself, and as an object with the same `$id`.
 * - Two lists or unions of the same schema are the same, because people write `Type.Array(User)`
 *   wherever they need it.
 * - Two objects that were declared apart are different, even if their contents are equal. A `User`
 *   and a `Customer` may happen to have the same fields.
 * - A schema that a change has made is the same as any with equal contents, because the app has no
 *   other way to name it.
 */
export function isSameSchema(view: View, wanted: View): boolean {
  for (let copy: View | null = view; copy !== null; copy = copy.original)
    if (copy === wanted) return true
  const { keywords, library, isRebuilt } = view
  if (library !== wanted.library || keywords === null || wanted.keywords === null) return false
  const id = withoutHash(wanted.keywords['$id'])
  if (id !== null)
    return [keywords['$id'], keywords['$ref']].some((name) => withoutHash(name) === id)
  // The common case comes first: a string or a number, compared with a target that's an object.
  if (String(keywords['type']) !== String(wanted.keywords['type'])) return false

  if (!isRebuilt) {
    const shared = new Set<View>()
    if (!hasSameParts(view, wanted, shared) || shared.size === 0) return false
    if (library === null) return true
    // A library's keywords lack the default, which may be a function of the app.
    if (differenceOf(view.default, wanted.default, '/default') !== null) return false
  }
  // What we read of a library's schema lacks limits, such as a list's. Its JSON Schema has them.
  if (view.contents === null || wanted.contents === null) return !isRebuilt
  return differenceOf(view.contents, wanted.contents) === null
}

/**
 * Whether two schemas say the same and have the same schemas in them. Objects with properties are
 * only the same if they were declared once, or are copies such as `Type.Optional(User)`.
 *
 * @param shared - receives the schemas in both
 */
function hasSameParts(view: View, wanted: View, shared: Set<View>): boolean {
  const properties = view.keywords?.['properties']
  if (properties !== wanted.keywords?.['properties']) return false
  if (properties !== undefined) shared.add(view)
  if (differenceOf(view.own, wanted.own, '/') !== null) return false
  return view.children.every(([child], index) => {
    const [other] = wanted.children[index]!
    if (isSameName(child.schema, other.schema)) return true
    return child === other || child.library !== null || other.library !== null
      ? isSameSchema(child, other) && shared.add(child).size > 0
      : hasSameParts(child, other, shared)
  })
}

/**
 * Compares the contents of two schemas. Annotations don't count.
 *
 * @param path - where the two are, as a JSON Pointer
 * @param inProperties - whether the two are what the keyword `properties` has
 * @returns the first place where they differ, as a JSON Pointer; null if they're equal
 */
export function differenceOf(
  value: unknown,
  other: unknown,
  path = '',
  inProperties = false,
): string | null {
  if (value === other || (path !== '' && isSameName(value, other))) return null
  const areLists = Array.isArray(value) && Array.isArray(other)
  if (!areLists && !(isObject(value) && isObject(other))) return path
  for (const key of Object.keys({ ...value, ...other })) {
    if (!inProperties && (annotations.has(key) || (path === '' && usages.has(key)))) continue
    const [inner, otherInner] = [value[key as never], other[key as never]]
    if (!inProperties && key === 'required' && sorted(inner) === sorted(otherInner)) continue
    const areProperties = !inProperties && key === 'properties'
    const difference = differenceOf(inner, otherInner, `${path}/${key}`, areProperties)
    if (difference !== null) return difference
  }
  return null
}

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
/** Keywords about a schema's name, and how it's used in its place, rather than about its values. */
const usages = new Set('$id id $schema default nullable readOnly writeOnly'.split(' '))

const sorted = (names: unknown): string => JSON.stringify([names].flat().toSorted())

/** Whether one value is a `$ref` to the `$id` of the other, or both refer to the same `$id`. */
function isSameName(value: unknown, other: unknown): boolean {
  if (!isObject(value) || !isObject(other) || !('$ref' in value || '$ref' in other)) return false
  const name = nameOf(value)
  return name !== null && name === nameOf(other)
}

/** A schema's `$id`, or the one that it refers to. It may be an anchor, such as `#address`. */
const nameOf = (schema: JsonSchema): string | null => withoutHash(schema['$id'] ?? schema['$ref'])

const withoutHash = (id: unknown): string | null =>
  typeof id === 'string' ? id.replace(/#$/, '') : null
