// What a schema says about its values: their JSON types and constants.
import { followFragment, partsOfRef } from './json-pointer.ts'
import { type JsonSchema, idOf, jsonTypes } from './json-schema.ts'
import { type View, viewOf } from './schema-view.ts'

/**
 * The JSON types that a schema allows.
 *
 * @param open - the schemas that contain this one. By default, none do
 * @param trail - the schemas on the way here. A schema that's reached a second time adds no type
 */
export function typesOf(
  view: View,
  open: readonly JsonSchema[] = [],
  trail: readonly JsonSchema[] = [],
): readonly string[] {
  const { keywords, schema } = view
  if (keywords === null) return schema === false ? [] : jsonTypes
  if (trail.includes(keywords)) return []
  const inner = [...trail, keywords]
  const { type, nullable, anyOf, oneOf, allOf } = keywords
  if (type !== undefined)
    return [type, nullable === true ? 'null' : []]
      .flat()
      .map((name) => (name === 'integer' ? 'number' : String(name)))
  const constants = constantsOf(view)
  if (constants !== null) return constants.map(jsonTypeOf)
  const union = anyOf ?? oneOf
  if (Array.isArray(union))
    return union.flatMap((alternative) => typesOf(viewOf(alternative), open, inner))
  const referred = resolve(keywords, [...open, ...inner])
  if (referred !== undefined) return typesOf(viewOf(referred), open, inner)
  const parts = [allOf].flat().map((part) => typesOf(viewOf(part), open, inner))
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

/**
 * Follows a `$ref`. A schema that several documents share is only found by its own `$id`.
 *
 * @param open - the schemas around the `$ref`. In it, `#` means the outermost
 */
export function resolve({ $ref }: JsonSchema, open: readonly JsonSchema[]): unknown {
  if (typeof $ref !== 'string') return undefined
  const { id, fragment } = partsOfRef($ref)
  const home = id === '' ? open[0] : open.find((schema) => idOf(schema) === id)
  return followFragment(home, fragment)?.at(-1)
}

/** The only values that a schema allows, or null if it doesn't list them. */
export function constantsOf({ keywords }: View): readonly unknown[] | null {
  if (keywords && 'const' in keywords) return [keywords['const']]
  return Array.isArray(keywords?.['enum']) ? keywords['enum'] : null
}
