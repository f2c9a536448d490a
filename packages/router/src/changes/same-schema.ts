import { isObject } from './json-schema.ts'

/** Schemas that a change has made from others. Nobody else has them, so they are compared by their contents. */
const rebuilt = new WeakSet<object>()

/** Marks a schema as made by a change. Returns it. */
export function markRebuilt<S extends object>(schema: S): S {
  rebuilt.add(schema)
  return schema
}

/**
 * Whether two schemas describe the same thing: one object, or objects with one `$id`. Lists and unions of one thing are the
 * same. Two declared objects are not, even with equal contents: a `User` and a `Customer` may have the same fields.
 */
export function isSameSchema(schema: unknown, target: unknown): boolean {
  if (schema === target) return true
  if (!isObject(schema) || !isObject(target)) return false
  const id = withoutHash(target['$id'])
  if (id !== null) return [schema['$id'], schema['$ref']].some((one) => withoutHash(one) === id)
  if ('~standard' in schema || '~standard' in target) return false
  const compared = { sharesObject: false }
  return isEqual('', schema, target, compared) && (compared.sharesObject || rebuilt.has(schema))
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
  if (keyword !== 'properties' && isDeclared(value) && value['properties'] !== other['properties']) return false
  const keys = keywordsOf(value, keyword)
  return (
    keys.length === keywordsOf(other, keyword).length &&
    keys.every((key) => isEqual(keyword === 'properties' ? '' : key, value[key], other[key], compared))
  )
}

/** A copy with the same properties is the same: `Type.Optional(User)` of TypeBox is one. */
const isDeclared = (schema: object): boolean => 'properties' in schema && !rebuilt.has(schema)

const annotations = new Set(['title', 'description', 'examples', '$comment', 'deprecated'])
const keywordsOf = (schema: object, keyword: string): readonly string[] =>
  Object.keys(schema).filter((key) => keyword === 'properties' || !annotations.has(key))

const withoutHash = (id: unknown): string | null => (typeof id === 'string' ? id.replace(/#$/, '') : null)
