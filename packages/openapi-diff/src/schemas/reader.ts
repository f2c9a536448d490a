import { type Json, isObject, listOf } from '../json.ts'
import { onlyKeyword } from './normalize.ts'

/** Reads a document's schemas in a form without references on their first level. */
export type Reader = (schema: unknown) => Json

export const propertiesOf = (schema: Json): Json => (schema['properties'] ?? {}) as Json

/**
 * A property's schema, or undefined. `constructor` is in every object, so only own properties
 * count.
 */
export const propertyOf = (schema: Json, name: string): unknown =>
  Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined

/**
 * The alternatives of a union, including those of unions among them. Null if the schema is no
 * union.
 */
export function unionOf({ anyOf, oneOf }: Json): readonly unknown[] | null {
  const alternatives = (anyOf ?? oneOf ?? null) as readonly unknown[] | null
  if (alternatives === null) return null
  return alternatives.flatMap((alternative) => {
    // One that says something else, or has a discriminator, isn't only a list of alternatives.
    if (!isObject(alternative) || alternative['discriminator']) return [alternative]
    const key = onlyKeyword(alternative)
    const isUnion = (key === 'anyOf' || key === 'oneOf') && Array.isArray(alternative[key])
    return isUnion ? unionOf(alternative)! : [alternative]
  })
}

/**
 * What tells alternatives apart: the only value of a property, such as `'card'` of `{ const: 'card'
 * }`.
 */
export function tagOf(schema: unknown): unknown {
  const { const: constant, enum: values } = isObject(schema) ? schema : {}
  if (constant !== undefined && constant !== null) return constant
  return Array.isArray(values) && values.length === 1 ? (values[0] as unknown) : undefined
}

/** What a schema refers to, by itself or in an `allOf`. */
export function refIn(schema: unknown): string | null {
  if (!isObject(schema)) return null
  const { $ref, allOf } = schema
  if (typeof $ref === 'string') return $ref
  for (const part of listOf(allOf)) {
    const ref = refIn(part)
    if (ref !== null) return ref
  }
  return null
}
