import type { Schema, SchemaDirection } from '@hv/router'
import { type JsonSchema, mapSchema, toJsonSchema } from '@hv/router/internal'

/**
 * A schema as documents show it: what a library adds to say no more than the type or the format already does is left out.
 *
 * @param isVoid - the schema of a response without a body, which may be one that JSON does not have: `z.void()`. It becomes null
 * @throws RouterError HV_NO_JSON_SCHEMA
 */
export function describedSchema(
  schema: Schema,
  direction: SchemaDirection,
  name: string,
  isVoid?: boolean,
): JsonSchema {
  const library =
    typeof schema === 'boolean' ? undefined : (schema as Partial<OfLibrary>)['~standard']?.vendor
  try {
    const json = toJsonSchema(schema, direction, name, { override })
    return library === undefined ? json : withoutRepetition(json, library)
  } catch (error) {
    if (isVoid) return { type: 'null' }
    throw error
  }
}

interface OfLibrary {
  readonly '~standard': { readonly vendor: string }
}

/** Formats of JSON Schema that libraries have patterns for. These are long, and may change in each release. */
const formats = new Set<unknown>('date-time date duration email hostname ipv4 ipv6 uuid'.split(' '))

/** In ArkType, a type with a format has no pattern but its own. Valibot has none. */
function withoutRepetition(schema: JsonSchema, library: string): JsonSchema {
  const isOwnPattern = library === 'arktype' && formats.has(schema['format'])
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(keyword === 'pattern' && isOwnPattern) &&
      !(keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER),
  )
  return mapSchema(Object.fromEntries(kept), (inner) => withoutRepetition(inner, library))
}

interface ZodSchema {
  readonly _zod: {
    readonly def: { readonly pattern?: RegExp; readonly checks?: readonly ZodSchema[] }
    readonly constr: new (def: object) => ZodSchema
  }
}

/** zod calls it for each schema. Removes zod's own pattern of a format, but not that of `z.email({ pattern })`. */
function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: ZodSchema
  jsonSchema: { pattern?: string; format?: string }
}) {
  const sources = [zodSchema, ...(zodSchema._zod.def.checks ?? [])].filter(
    ({ _zod }) => _zod.def.pattern,
  )
  if (formats.has(jsonSchema.format) && sources.every(hasOwnPattern)) delete jsonSchema.pattern
}

/** Whether the same schema without a pattern gets the same one. */
function hasOwnPattern({ _zod: { def, constr } }: ZodSchema): boolean {
  const { pattern, ...rest } = def
  return String(new constr(rest)._zod.def.pattern) === String(pattern)
}
