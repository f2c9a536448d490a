// What schemas say: their keywords, types, listed values, properties, alternatives and references.
import { type Json, isObject, listOf } from '../json.ts'

/** Keywords that are compared, one by one. */
const compared = new Set(
  (
    'type enum minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format items ' +
    'minItems maxItems uniqueItems properties required additionalProperties minProperties maxProperties anyOf oneOf'
  ).split(' '),
)
/** Keywords that only count as different. Any other keyword says nothing about a value. */
const opaque = new Set(
  (
    '$ref $dynamicRef $id allOf const not if then else multipleOf contains minContains maxContains prefixItems unevaluatedItems ' +
    'patternProperties propertyNames dependencies dependentRequired dependentSchemas unevaluatedProperties contentSchema'
  ).split(' '),
)

/** The keywords that bound a type's values, from below (1) and from above (-1). */
export const bounds = [
  ['minLength', 'string', 1],
  ['maxLength', 'string', -1],
  ['minItems', 'array', 1],
  ['maxItems', 'array', -1],
  ['minProperties', 'object', 1],
  ['maxProperties', 'object', -1],
  ['minimum', 'number', 1],
  ['exclusiveMinimum', 'number', 1],
  ['maximum', 'number', -1],
  ['exclusiveMaximum', 'number', -1],
] as const

/** A schema's keywords that say something about a value. */
export const keywordsOf = (schema: Json): readonly string[] =>
  Object.keys(schema).filter((key) => !isAnnotation(key))

/** The keywords of a normalized schema that the comparison doesn't understand. Its own have a space. */
export const unknownKeywords = (schema: Json): readonly string[] =>
  keywordsOf(schema).filter((key) => !compared.has(key))

/** Whether a schema allows every value. */
export const allowsAll = (schema: Json): boolean => keywordsOf(schema).length === 0

export const isAnnotation = (key: string): boolean =>
  !compared.has(key) && !opaque.has(key) && !key.includes(' ')

// ---- types and values ---------------------------------------------------------------------------

/**
 * Marks a schema that's `nullable: true` without effect. Since OpenAPI 3.1 there's no such keyword,
 * and in 3.0.3 it needs a type, and doesn't add null to an enum, but authors usually mean it to.
 */
export const nullMeant = 'x-hv-null'

const valueTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function typesOf({ type, enum: values }: Json): readonly string[] {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type as readonly string[]
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : valueTypes
}

/** Whether a value of the schema may have one of these types. */
export const mayBe = (schema: Json, ...types: readonly string[]): boolean =>
  typesOf(schema).some((type) => types.includes(type))

/** Whether a list of types includes a type. Every integer is also a number. */
export const hasType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

/**
 * Whether no value fits a schema.
 *
 * @param reader - to find out whether no object can have a property that it has to
 */
export const isNever = (schema: Json, reader: Reader = () => ({})): boolean => {
  const { not, type, enum: values, required } = schema
  return (
    (isObject(not) && allowsAll(not)) ||
    [type, values].some((list) => Array.isArray(list) && list.length === 0) ||
    (String(type) === 'object' &&
      listOf(required).some((name) => isNever(reader(propertyOf(schema, String(name))))))
  )
}

/**
 * All values that an enum lists and its type allows. Booleans and null are also listed if an enum
 * reads them.
 */
export function listedValues(schema: Json, read: Json = {}): readonly unknown[] | null {
  const { enum: values, type } = schema
  const types = typesOf(schema)
  if (Array.isArray(values))
    return type === undefined ? values : values.filter((value) => hasType(types, typeOf(value)))
  if (!Array.isArray(read['enum'])) return null
  const finite = types.map((name) => finiteTypes[name])
  return finite.includes(undefined) ? null : finite.flat()
}

const finiteTypes: Readonly<Record<string, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
}

/** Whether a normalized schema has only one value, as the tag of a union's alternative does. */
export const isConstant = (shape: Json): boolean =>
  listedValues(shape)?.length === 1 && !shape[nullMeant]

// ---- what's inside ------------------------------------------------------------------------------

/** Reads a document's schemas in a form without references on their first level. */
export type Reader = (schema: unknown) => Json

export const propertiesOf = (schema: Json): Json => (schema['properties'] ?? {}) as Json

/**
 * A property's schema, or undefined. Every object inherits `constructor`, so this only looks at own
 * properties.
 */
export const propertyOf = (schema: Json, name: string): unknown =>
  Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined

/**
 * The alternatives of a union, including those of an `anyOf` in an `anyOf`. Null if the schema isn't
 * a union.
 */
export function unionOf({ anyOf, oneOf }: Json): readonly unknown[] | null {
  const alternatives = anyOf ?? oneOf
  if (!Array.isArray(alternatives)) return null
  return alternatives.flatMap((alternative: unknown) => {
    // A nested union with other keywords, a discriminator or null is more than a list of
    // alternatives.
    const isList =
      isObject(alternative) &&
      anyOf !== undefined &&
      !alternative['discriminator'] &&
      !alternative['nullable'] &&
      keywordsOf(alternative).join() === 'anyOf'
    return (isList && unionOf(alternative)) || [alternative]
  })
}

/** What a schema refers to, by itself or in an `allOf`. */
export function refIn(schema: unknown): string | null {
  if (!isObject(schema)) return null
  const { $ref, allOf } = schema
  if (typeof $ref === 'string') return $ref
  for (const base of listOf(allOf)) {
    const ref = refIn(base)
    if (ref !== null) return ref
  }
  return null
}

/** All values of a property, if it's an enum. */
export function valuesIn(shape: Json, name: string, reader: Reader): readonly unknown[] {
  const property = propertyOf(shape, name)
  return property === undefined ? [] : (listedValues(reader(property)) ?? [])
}
