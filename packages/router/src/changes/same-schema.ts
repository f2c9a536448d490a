import { type JsonSchema, contentsOf, isObject } from './json-schema.ts'
import { defaultOf, isCopyOf, isLibrary, keywordsOf } from './library-schema.ts'

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
  if (!isObject(schema) || !isObject(target) || isLibrary(schema) !== isLibrary(target))
    return false
  const id = withoutHash(target['$id'])
  if (id !== null) return [schema['$id'], schema['$ref']].some((name) => withoutHash(name) === id)
  // Most schemas inside another one are a string or a number, and the one that is looked for is an object.
  const { type } = schema
  const isPlain =
    !isLibrary(schema) && typeof type === 'string' && typeof target['type'] === 'string'
  if (isPlain && type !== target['type']) return false
  if (isCopyOf(schema, target)) return true
  const [one, two] = [schema, target].map(keywordsOf)
  const shared: Shared = { hasObject: false }
  const isEqual = one && two && differenceOf(one, two, shared) === null && shared.hasObject
  if (!rebuilt.has(schema) && !(isEqual && hasSameDefault(schema, target))) return false
  if (!rebuilt.has(schema) && !isLibrary(schema)) return true
  // A library's keywords lack limits, such as those of a list.
  const contents = isLibrary(schema) ? contentsOf(schema) : schema
  const wanted = isLibrary(target) ? contentsOf(target) : target
  return contents && wanted ? differenceOf(contents, wanted) === null : !rebuilt.has(schema)
}

/** A library's keywords lack the default, which may be a function of the app. */
const hasSameDefault = (schema: object, target: object): boolean =>
  differenceOf(defaultOf(schema), defaultOf(target), undefined, 'default', '/default') === null

/** Whether schemas have an object in common. What they declare apart is then different. */
interface Shared {
  hasObject: boolean
}

/**
 * Compares the contents of two schemas, but for annotations.
 *
 * @param shared - every object with properties has to be the same, or a copy such as `Type.Optional(User)`
 * @returns the first place where they differ, as a JSON pointer; null if they are equal
 */
export function differenceOf(
  value: unknown,
  other: unknown,
  shared?: Shared,
  keyword = '',
  path = '',
): string | null {
  if (value === other) {
    if (shared) shared.hasObject ||= isObject(value)
    return null
  }
  if (path !== '' && isSameName(value, other)) return null
  const lists = Array.isArray(value) && Array.isArray(other)
  if (!lists && (!isObject(value) || !isObject(other))) return path
  const isSchema = keyword !== 'properties' && isObject(value)
  if (shared && isSchema && isLibrary(value)) {
    shared.hasObject ||= isSameSchema(value, other)
    return isSameSchema(value, other) ? null : path
  }
  if (shared && isSchema && 'properties' in value && !rebuilt.has(value))
    if (value['properties'] !== (other as JsonSchema)['properties']) return path
  const ignored = path === '' && !shared ? usesOf : []
  const keysIn = (schema: object) => keysOf(schema, keyword).filter((key) => !ignored.includes(key))
  for (const key of new Set([...keysIn(value), ...keysIn(other)])) {
    const [one, two] = [value, other].map(
      (schema) => (schema as Readonly<Record<string, unknown>>)[key],
    )
    if (keyword !== 'properties' && key === 'required' && isSameSet(one, two)) continue
    const difference = differenceOf(
      one,
      two,
      shared,
      keyword === 'properties' ? '' : key,
      `${path}/${key}`,
    )
    if (difference !== null) return difference
  }
  return null
}

/** How a schema is used where it stands. */
const usesOf = ['default', 'nullable', 'readOnly', 'writeOnly']
const isSameSet = (one: unknown, two: unknown): boolean =>
  Array.isArray(one) &&
  Array.isArray(two) &&
  JSON.stringify(one.toSorted()) === JSON.stringify(two.toSorted())

/** Two schemas with one `$id`, or one of them and a `$ref` to it. */
function isSameName(value: unknown, other: unknown): boolean {
  const [a, b] = [value, other].map((schema) =>
    isObject(schema) ? withoutHash(schema['$id'] ?? schema['$ref']) : null,
  )
  return a !== null && a === b && [value, other].some((schema) => '$ref' in (schema as object))
}

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
const keysOf = (schema: object, keyword: string): readonly string[] =>
  Object.keys(schema).filter((key) => keyword === 'properties' || !annotations.has(key))

const withoutHash = (id: unknown): string | null =>
  typeof id === 'string' ? id.replace(/#$/, '') : null
