import { type Json, isObject } from './json.ts'
import { isAnnotation } from './normalize.ts'

/** Reads the schemas of a document in a form without references on their first level. */
export type Reader = (schema: unknown) => Json

export const propertiesOf = (schema: Json): Json => (schema['properties'] ?? {}) as Json

/** Undefined if it is not there: `constructor` is in every object. */
export const propertyOf = (schema: Json, name: string): unknown =>
  Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined

/** The alternatives of a union, and those of unions among them. */
export function unionOf({ anyOf, oneOf }: Json): readonly unknown[] | null {
  const alternatives = (anyOf ?? oneOf ?? null) as readonly unknown[] | null
  return (
    alternatives &&
    alternatives.flatMap((one) => (isObject(one) && isPlain(one) ? unionOf(one)! : [one]))
  )
}
const isPlain = ({ discriminator, ...schema }: Json): boolean => {
  const [key, ...others] = Object.keys(schema).filter((one) => !isAnnotation(one))
  return (
    others.length === 0 &&
    (key === 'anyOf' || key === 'oneOf') &&
    Array.isArray(schema[key]) &&
    !discriminator
  )
}

/** What tells alternatives apart: the only value of a property. */
export function tagOf(schema: unknown): unknown {
  const { const: only, enum: values } = isObject(schema) ? schema : {}
  return only ?? (Array.isArray(values) && values.length === 1 ? (values[0] as unknown) : undefined)
}
