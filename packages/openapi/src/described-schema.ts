import type { Schema, SchemaDirection } from '@hv/router'
import { type JsonSchema, type StandardSchema, mapSchema, toJsonSchema } from '@hv/router/internal'

/**
 * A schema as documents show it. Keywords that libraries add although the type or format already
 * says it are left out, such as the bounds of safe integers.
 *
 * @param isVoid - the response has no body, so its schema may be one that JSON doesn't have, such
 *   as `z.void()`. It becomes null
 * @throws RouterError HV_NO_JSON_SCHEMA
 */
export function describedSchema(
  schema: Schema,
  direction: SchemaDirection,
  name: string,
  isVoid?: boolean,
): JsonSchema {
  const library = (schema as StandardSchema)['~standard']?.vendor
  try {
    const json = toJsonSchema(schema, direction, name)
    return library === undefined ? json : withoutRepetition(json, library)
  } catch (error) {
    if (isVoid) return { type: 'null' }
    throw error
  }
}

/**
 * Formats that zod and ArkType add long patterns for, which may change with each of their releases.
 */
const formats = new Set<unknown>('date-time date duration email hostname ipv4 ipv6 uuid'.split(' '))

function withoutRepetition(schema: JsonSchema, library: string): JsonSchema {
  const isAdded = library !== 'valibot' && formats.has(schema['format'])
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(keyword === 'pattern' && isAdded) &&
      !(keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER),
  )
  return mapSchema(Object.fromEntries(kept), (inner) => withoutRepetition(inner, library))
}
