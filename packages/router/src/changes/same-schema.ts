import { type JsonSchema, contentsOf } from './json-schema.ts'
import { isObject } from '../objects.ts'
import { defaultOf, isCopyOf, isLibrary, keywordsOf } from './library-schema.ts'

/**
 * The schemas that a change has made. The app can't refer to these objects, so they're compared by
 * their contents.
 */
const rebuilt = new WeakSet<object>()

/** Marks a schema as made by a change, and returns it. */
export function markRebuilt<S extends object>(schema: S): S {
  rebuilt.add(schema)
  return schema
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
export function isSameSchema(schema: unknown, target: unknown): boolean {
  if (schema === target) return true
  if (!isObject(schema) || !isObject(target)) return false
  const inLibrary = isLibrary(schema)
  if (inLibrary !== isLibrary(target)) return false
  const id = withoutHash(target['$id'])
  if (id !== null) return [schema['$id'], schema['$ref']].some((name) => withoutHash(name) === id)
  // The common case comes first: a string or a number, compared with a target that's an object.
  const [type, targetType] = [schema['type'], target['type']]
  if (!inLibrary && typeof type === 'string' && typeof targetType === 'string')
    if (type !== targetType) return false
  if (isCopyOf(schema, target)) return true

  const isRebuilt = rebuilt.has(schema)
  if (!isRebuilt && !hasSameParts(schema, target)) return false
  if (!isRebuilt && !inLibrary) return true
  // What we read of a library's schema lacks limits, such as a list's. Its JSON Schema has them.
  const [contents, targetContents] = inLibrary
    ? [contentsOf(schema), contentsOf(target)]
    : [schema, target]
  if (contents === null || targetContents === null) return !isRebuilt
  return differenceOf(contents, targetContents) === null
}

function hasSameParts(schema: object, target: object): boolean {
  const [keywords, targetKeywords] = [keywordsOf(schema), keywordsOf(target)]
  if (keywords === null || targetKeywords === null) return false
  const shared = { hasObject: false }
  return (
    differenceOf(keywords, targetKeywords, '', shared) === null &&
    shared.hasObject &&
    // A library's keywords lack the default, which may be a function of the app.
    differenceOf(defaultOf(schema), defaultOf(target), '/default') === null
  )
}

/**
 * Whether two schemas have an object in common. If so, what each of them declares itself is a real
 * difference.
 */
interface Shared {
  hasObject: boolean
}

/**
 * Compares the contents of two schemas. Annotations don't count.
 *
 * @param path - where the two are, as a JSON Pointer
 * @param shared - only counts objects with properties as equal if they're the same, or a copy such
 *   as `Type.Optional(User)`
 * @param inProperties - whether the two are what the keyword `properties` has
 * @returns the first place where they differ, as a JSON Pointer; null if they're equal
 */
export function differenceOf(
  value: unknown,
  other: unknown,
  path = '',
  shared?: Shared,
  inProperties = false,
): string | null {
  if (value === other) {
    if (shared) shared.hasObject ||= isObject(value)
    return null
  }
  if (path !== '' && isSameName(value, other)) return null
  const areLists = Array.isArray(value) && Array.isArray(other)
  if (!areLists && !(isObject(value) && isObject(other))) return path
  if (shared && !inProperties && isObject(value)) {
    if (isLibrary(value)) {
      const isSame = isSameSchema(value, other)
      shared.hasObject ||= isSame
      return isSame ? null : path
    }
    const isDeclared = 'properties' in value && !rebuilt.has(value)
    if (isDeclared && value['properties'] !== (other as JsonSchema)['properties']) return path
  }
  const isRoot = path === '' && !shared
  const keysIn = (schema: object) =>
    Object.keys(schema).filter(
      (key) => inProperties || !(annotations.has(key) || (isRoot && usages.has(key))),
    )
  for (const key of new Set([...keysIn(value), ...keysIn(other)])) {
    const [inner, otherInner] = [value[key as never], other[key as never]]
    if (!inProperties && key === 'required' && isSameSet(inner, otherInner)) continue
    const areProperties = !inProperties && key === 'properties'
    const difference = differenceOf(inner, otherInner, `${path}/${key}`, shared, areProperties)
    if (difference !== null) return difference
  }
  return null
}

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
/** Keywords about how a schema is used in its place, rather than about its values. */
const usages = new Set(['default', 'nullable', 'readOnly', 'writeOnly'])

const isSameSet = (list: unknown, other: unknown): boolean =>
  Array.isArray(list) &&
  Array.isArray(other) &&
  JSON.stringify(list.toSorted()) === JSON.stringify(other.toSorted())

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
