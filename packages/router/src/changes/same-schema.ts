import { contentsOf, isObject } from './json-schema.ts'
import { isCopyOf, isLibrary, keywordsOf } from './library.ts'

/** Schemas that a change has made from others. Nobody else has them, so they are compared by their contents. */
const rebuilt = new WeakSet<object>()

/** Marks a schema as made by a change. Returns it. */
export function markRebuilt<S extends object>(schema: S): S {
  rebuilt.add(schema)
  return schema
}

/**
 * Whether two schemas describe the same thing: one object, or objects with one `$id`. Lists and unions of one thing are the
 * same. Two declared objects are not, even with equal contents: a `User` and a `Customer` may have the same fields. What a
 * change made is compared by its contents, because only a schema with equal contents can name it.
 */
export function isSameSchema(schema: unknown, target: unknown): boolean {
  if (schema === target) return true
  if (!isObject(schema) || !isObject(target)) return false
  const id = withoutHash(target['$id'])
  if (id !== null) return [schema['$id'], schema['$ref']].some((one) => withoutHash(one) === id)
  if (isLibrary(schema) || isLibrary(target))
    return isLibrary(schema) && isLibrary(target) && isSameLibrary(schema, target)
  if (rebuilt.has(schema)) return differenceOf(schema, target) === null
  const compared = { sharesObject: false }
  return isEqual('', schema, target, compared) && compared.sharesObject
}

/** The same rules for schemas of zod and Valibot, whose contents are the JSON Schema that they convert to. */
function isSameLibrary(schema: object, target: object): boolean {
  if (isCopyOf(schema, target)) return true
  const isEqualContents = (): boolean => {
    const [one, two] = [schema, target].map(contentsOf)
    return one && two ? differenceOf(one, two) === null : !rebuilt.has(schema)
  }
  if (rebuilt.has(schema)) return isEqualContents()
  const [one, two] = [schema, target].map(keywordsOf)
  if (!one || !two || 'properties' in one) return false
  const compared = { sharesObject: false }
  return isEqual('', one, two, compared) && compared.sharesObject && isEqualContents()
}

/**
 * Compares the contents of two schemas, but for annotations.
 *
 * @returns the first place where they differ, as a JSON pointer; null if they are equal
 */
export function differenceOf(value: unknown, other: unknown, keyword = '', path = ''): string | null {
  if (value === other || (path !== '' && isSameName(value, other))) return null
  const lists = Array.isArray(value) && Array.isArray(other)
  if (!lists && (!isObject(value) || !isObject(other))) return path
  const ignored = path === '' ? usesOf : []
  const keysIn = (schema: object) => keysOf(schema, keyword).filter((key) => !ignored.includes(key))
  for (const key of new Set([...keysIn(value), ...keysIn(other)])) {
    const [one, two] = [value, other].map((schema) => (schema as Readonly<Record<string, unknown>>)[key])
    const inner = keyword === 'properties' ? '' : key
    if (keyword !== 'properties' && key === 'required' && isSameSet(one, two)) continue
    const difference = differenceOf(one, two, inner, `${path}/${key}`)
    if (difference !== null) return difference
  }
  return null
}

/** How a schema is used where it stands. */
const usesOf = ['default', 'nullable', 'readOnly', 'writeOnly']
const isSameSet = (one: unknown, two: unknown): boolean =>
  Array.isArray(one) && Array.isArray(two) && JSON.stringify(one.toSorted()) === JSON.stringify(two.toSorted())

/** Two schemas with one `$id`, or one of them and a `$ref` to it. */
function isSameName(value: unknown, other: unknown): boolean {
  const [a, b] = [value, other].map((schema) =>
    isObject(schema) ? withoutHash(schema['$id'] ?? schema['$ref']) : null,
  )
  return a !== null && a === b && [value, other].some((schema) => '$ref' in (schema as object))
}

/** @param compared - notes whether the schemas have an object in common */
function isEqual(keyword: string, value: unknown, other: unknown, compared: { sharesObject: boolean }): boolean {
  if (value === other) {
    compared.sharesObject ||= isObject(value)
    return true
  }
  if (Array.isArray(value) && Array.isArray(other))
    return value.length === other.length && value.every((one, index) => isEqual('', one, other[index], compared))
  if (!isObject(value) || !isObject(other)) return false
  if (isLibrary(value) || isLibrary(other)) {
    const isSame = isSameSchema(value, other)
    compared.sharesObject ||= isSame
    return isSame
  }
  if (keyword !== 'properties' && 'properties' in value && !rebuilt.has(value)) {
    // A copy with the same properties is the same: `Type.Optional(User)` of TypeBox is one.
    if (value['properties'] !== other['properties']) return false
  }
  const keys = keysOf(value, keyword)
  return (
    keys.length === keysOf(other, keyword).length &&
    keys.every((key) => isEqual(keyword === 'properties' ? '' : key, value[key], other[key], compared))
  )
}

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
const keysOf = (schema: object, keyword: string): readonly string[] =>
  Object.keys(schema).filter((key) => keyword === 'properties' || !annotations.has(key))

const withoutHash = (id: unknown): string | null => (typeof id === 'string' ? id.replace(/#$/, '') : null)
