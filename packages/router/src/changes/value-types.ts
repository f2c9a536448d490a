// What a schema says about its values: their JSON types and constants.
import { followFragment, partsOfRef } from './json-pointer.ts'
import { type JsonSchema, idOf, jsonTypes } from './json-schema.ts'
import { keywordsOf } from './library-schema.ts'

/** Where a schema's `$ref`s lead. */
export interface Scope {
  /** The schema that `#` in a `$ref` means. */
  readonly root: unknown
  /** The schemas that contain this one. */
  readonly open: readonly object[]
}

/**
 * The JSON types that a schema allows.
 *
 * @param scope - by default, the schema isn't part of another one
 * @param trail - the schemas on the way here. A schema that's reached a second time adds no type
 */
export function typesOf(
  schema: unknown,
  scope: Scope = { root: schema, open: [] },
  trail: readonly object[] = [],
): readonly string[] {
  const keywords = keywordsOf(schema)
  if (keywords === null) return schema === false ? [] : jsonTypes
  if (trail.includes(schema as object)) return []
  if (trail.length > 50) return jsonTypes // a library's getter that always returns a new schema
  const inner = [...trail, schema as object]
  const { type, nullable, anyOf, oneOf, allOf } = keywords
  if (type !== undefined) {
    const types = [type].flat().map((name) => (name === 'integer' ? 'number' : String(name)))
    return nullable === true ? [...types, 'null'] : types
  }
  const constants = constantsOf(keywords)
  if (constants !== null) return constants.map(jsonTypeOf)
  const union = anyOf ?? oneOf
  if (Array.isArray(union))
    return union.flatMap((alternative) => typesOf(alternative, scope, inner))
  const referred = resolve(keywords, { ...scope, open: [...scope.open, ...inner] })
  if (referred !== undefined) return typesOf(referred, scope, inner)
  const parts = listOf(allOf).map((part) => typesOf(part, scope, inner))
  return jsonTypes.filter((name) => parts.every((types) => types.includes(name)))
}

/** The JSON type of a value. JSON writes a Date as a string, and Fastify a bigint as a number. */
export function jsonTypeOf(value: unknown): string {
  if (typeof value === 'bigint') return 'number'
  if (typeof value !== 'object') return typeof value
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof Date ? 'string' : 'object'
}

/** Follows a `$ref`. A schema that several documents share is only found by its own `$id`. */
export function resolve({ $ref }: JsonSchema, { root, open }: Scope): unknown {
  if (typeof $ref !== 'string') return undefined
  const { id, fragment } = partsOfRef($ref)
  const home = id === '' ? root : open.find((schema) => idOf(schema as JsonSchema) === id)
  return followFragment(home, fragment)?.at(-1)
}

/** The only values that a schema allows, or null if it doesn't list them. */
export function constantsOf(schema: unknown): readonly unknown[] | null {
  const keywords = keywordsOf(schema) ?? {}
  if ('const' in keywords) return [keywords['const']]
  return Array.isArray(keywords['enum']) ? keywords['enum'] : null
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
