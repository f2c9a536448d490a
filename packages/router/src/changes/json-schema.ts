import { RouterError } from '../errors.ts'
import { isObject, mapValues } from '../objects.ts'
import type { Schema, SchemaDirection } from '../types/schema.ts'
import { quoted } from '../wording.ts'

/** A JSON Schema, as an object of keywords. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The id of a zod schema that a change has made. */
export const kName = Symbol.for('@hv/router.name')

/** What we read of a library's schema. */
export interface StandardSchema {
  readonly [kName]?: ZodMeta
  /** Returns a zod schema's metadata, or a copy of the schema with different metadata. */
  readonly meta?: (meta?: object) => ZodMeta | undefined
  readonly '~standard'?: {
    readonly vendor: string
    readonly jsonSchema?: Readonly<
      Record<
        SchemaDirection,
        (options: { readonly target: string; readonly libraryOptions: object }) => JsonSchema
      >
    >
  }
}

interface ZodMeta {
  readonly id?: string
}

/**
 * zod's registry, with the ids of the schemas that changes have made. zod's own doesn't have them,
 * because there they'd replace the newer schemas.
 */
export const metadata = {
  get: (schema: StandardSchema): ZodMeta => ({ ...schema.meta?.(), ...schema[kName] }),
}

/**
 * Converts any library's schema to JSON Schema.
 *
 * @param where - what has the schema, for the error message
 * @param libraryOptions - the library's own options
 * @throws RouterError HV_NO_JSON_SCHEMA for a library without Standard JSON Schema, and for a
 *   schema of a value that JSON doesn't have, such as a Date
 * @see https://standardschema.dev/json-schema
 */
export function toJsonSchema(
  schema: Schema,
  direction: SchemaDirection,
  where: string,
  libraryOptions?: object,
): JsonSchema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} }
  const standard = (schema as StandardSchema)['~standard']
  if (standard === undefined) {
    assertTypes(schema as JsonSchema, where)
    return schema as JsonSchema
  }
  const { vendor, jsonSchema } = standard
  if (jsonSchema === undefined) throw new RouterError('HV_NO_JSON_SCHEMA', { where, vendor })
  try {
    const converted = jsonSchema[direction]({
      target: 'draft-2020-12',
      libraryOptions: libraryOptions ?? (vendor === 'zod' && 'meta' in schema ? { metadata } : {}),
    })
    return direction === 'output' ? withOpenObjects(converted) : converted
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
    throw new RouterError('HV_NO_JSON_SCHEMA', { where, reason }, { cause: error })
  }
}

/** The types that JSON values have. */
export const jsonTypes = ['object', 'array', 'string', 'number', 'boolean', 'null']

/**
 * TypeBox has types that JSON Schema doesn't have: `Date`, `undefined`, `Uint8Array`, `Function`.
 */
function assertTypes(schema: JsonSchema, where: string): void {
  for (const { type = [] } of subschemasOf(schema).keys())
    for (const name of [type].flat()) {
      if (name === 'integer' || jsonTypes.includes(name as string)) continue
      const reason = `JSON has no type ${quoted(name)}`
      throw new RouterError('HV_NO_JSON_SCHEMA', { where, reason })
    }
}

/**
 * zod closes every object in an output schema. We don't, because your next release may add a field.
 */
function withOpenObjects(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema
  return mapSchema(additionalProperties === false ? rest : schema, withOpenObjects)
}

// The keywords that contain schemas, in JSON Schema 2020-12 and draft 7. Everything else is data: a
// property may be named $ref, and a default may be any value.
const mapsOfSchemas = new Set(
  'properties patternProperties $defs definitions dependentSchemas'.split(' '),
)
const schemasOrLists = new Set(
  (
    'allOf anyOf oneOf prefixItems items additionalItems additionalProperties unevaluatedItems ' +
    'unevaluatedProperties propertyNames contains contentSchema not if then else'
  ).split(' '),
)

/** The keys that lead from a schema to one in it: `'properties', 'user'`. */
export type Keys = readonly [keyword: string, ...name: string[]]

/** Copies a schema, with what `visit` returns in place of each direct subschema. */
export function mapSchema(
  schema: JsonSchema,
  visit: (subschema: JsonSchema, ...keys: Keys) => unknown,
): JsonSchema {
  const visitObject = (value: unknown, ...keys: Keys): unknown =>
    isSchemaObject(value) ? visit(value, ...keys) : value
  return mapValues(schema, (value, keyword) => {
    if (mapsOfSchemas.has(keyword) && isObject(value))
      return mapValues(value, (inner, name) => visitObject(inner, keyword, name))
    if (!schemasOrLists.has(keyword)) return value
    return Array.isArray(value)
      ? value.map((inner, index) => visitObject(inner, keyword, String(index)))
      : visitObject(value, keyword)
  })
}

/** A schema in another one, and the keys that lead to it. */
type Child = readonly [schema: JsonSchema, ...keys: Keys]

/** The schemas directly in a schema. */
export function childrenOf(schema: JsonSchema): readonly Child[] {
  const children: Child[] = []
  mapSchema(schema, (...child) => children.push(child))
  return children
}

/** A schema and every schema in it, each with the keys that lead to it. */
export function subschemasOf(schema: JsonSchema): ReadonlyMap<JsonSchema, readonly string[]> {
  const subschemas = new Map<JsonSchema, readonly string[]>([[schema, []]])
  for (const [outer, keys] of subschemas)
    // also those that it adds
    for (const [inner, ...step] of childrenOf(outer))
      if (!subschemas.has(inner)) subschemas.set(inner, [...keys, ...step])
  return subschemas
}

/** A schema's `$id`. In draft 7, an `$id` may end in `#`, and `#address` is only an anchor. */
export const idOf = ({ $id }: JsonSchema): string | null =>
  typeof $id === 'string' && !$id.startsWith('#') ? $id.replace(/#$/, '') : null

/** ArkType's schemas are functions. */
export const isSchemaObject = (schema: unknown): schema is JsonSchema =>
  isObject(schema) || typeof schema === 'function'
