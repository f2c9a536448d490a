import type { Schema, SchemaDirection } from '@hv/router'
import { type JsonSchema, mapSchema, toJsonSchema } from '@hv/router/internal'

/**
 * A schema as documents show it: what a library adds to say no more than the type or the format already does is left out.
 *
 * @param isEmpty - the schema of a response without a body, which may be one that JSON does not have: `z.void()`
 * @throws RouterError HV_NO_JSON_SCHEMA
 */
export function describedSchema(
  schema: Schema,
  direction: SchemaDirection,
  name: string,
  isEmpty: boolean = false,
): JsonSchema {
  const isOfLibrary = typeof schema !== 'boolean' && '~standard' in schema
  try {
    const json = toJsonSchema(schema, direction, name)
    return isOfLibrary ? withoutRepetition(json) : json
  } catch (error) {
    if (isEmpty) return {}
    throw error
  }
}

/** Formats of JSON Schema 2020-12. A library's pattern for one is long, and may change in each of its releases. */
const formats = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid ' +
    'uri-template json-pointer relative-json-pointer'
  ).split(' '),
)

function withoutRepetition(schema: JsonSchema): JsonSchema {
  const hasFormat = formats.has(String(schema['format']))
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(keyword === 'pattern' && hasFormat) &&
      !(keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER),
  )
  return mapSchema(Object.fromEntries(kept), withoutRepetition)
}
