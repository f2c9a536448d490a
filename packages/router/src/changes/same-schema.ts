import { isObject } from '../objects.ts'
import type { JsonSchema } from './json-schema.ts'
import { type View, defaultOf, viewOf } from './schema-view.ts'

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
    const shared = new Set<unknown>()
    const isSame = differenceOf(keywords, wanted.keywords, '', shared) === null && shared.size > 0
    if (!isSame || library === null) return isSame
    // A library's keywords lack the default, which may be a function of the app.
    if (differenceOf(defaultOf(view), defaultOf(wanted), '/default') !== null) return false
  }
  // What we read of a library's schema lacks limits, such as a list's. Its JSON Schema has them.
  if (view.contents === null || wanted.contents === null) return !isRebuilt
  return differenceOf(view.contents, wanted.contents) === null
}

/**
 * Compares the contents of two schemas. Annotations don't count.
 *
 * @param path - where the two are, as a JSON Pointer
 * @param shared - receives the objects that are the same in both. With it, what each of the two
 *   schemas declares itself is a real difference: objects with properties are only equal if they're
 *   the same, or a copy such as `Type.Optional(User)`
 * @param inProperties - whether the two are what the keyword `properties` has
 * @returns the first place where they differ, as a JSON Pointer; null if they're equal
 */
export function differenceOf(
  value: unknown,
  other: unknown,
  path = '',
  shared?: Set<unknown>,
  inProperties = false,
): string | null {
  if (value === other) {
    if (isObject(value)) shared?.add(value)
    return null
  }
  const areLists = Array.isArray(value) && Array.isArray(other)
  if (!areLists && !(isObject(value) && isObject(other))) return path
  const isReference = path !== '' && ('$ref' in value || '$ref' in other)
  const name = isReference && nameOf(value as JsonSchema)
  if (name && name === nameOf(other as JsonSchema)) return null
  if (shared && !inProperties && isObject(value)) {
    const view = viewOf(value)
    if (view.library !== null)
      return isSameSchema(view, viewOf(other)) && shared.add(value) ? null : path
    if ('properties' in value && value['properties'] !== (other as JsonSchema)['properties'])
      return path
  }
  const isRoot = path === '' && !shared
  for (const key of Object.keys({ ...value, ...other })) {
    if (!inProperties && (annotations.has(key) || (isRoot && usages.has(key)))) continue
    const [inner, otherInner] = [value[key as never], other[key as never]]
    if (!inProperties && key === 'required' && sorted(inner) === sorted(otherInner)) continue
    const areProperties = !inProperties && key === 'properties'
    const difference = differenceOf(inner, otherInner, `${path}/${key}`, shared, areProperties)
    if (difference !== null) return difference
  }
  return null
}

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
/** Keywords about a schema's name, and how it's used in its place, rather than about its values. */
const usages = new Set('$id id $schema default nullable readOnly writeOnly'.split(' '))

const sorted = (names: unknown): string => JSON.stringify([names].flat().toSorted())

/** A schema's `$id`, or the one that it refers to. It may be an anchor, such as `#address`. */
const nameOf = (schema: JsonSchema): string | null => withoutHash(schema['$id'] ?? schema['$ref'])

const withoutHash = (id: unknown): string | null =>
  typeof id === 'string' ? id.replace(/#$/, '') : null
