// The schemas of zod and Valibot, read as JSON Schema: their structure as keywords, and their parts as they are.
import { type JsonSchema, isObject, isSchemaObject } from './json-schema.ts'

/** Whether a schema is the object, or the function, of a schema library. */
export const isLibrary = (schema: unknown): schema is object =>
  isSchemaObject(schema) && '~standard' in schema

interface LibrarySchema {
  readonly _zod?: { readonly def: Parts; readonly parent?: object }
  /** Returns a copy of a zod schema. */
  readonly clone?: (def: object) => object
  /** Returns the description of a zod schema, or a copy with another one. */
  readonly meta?: (meta?: object) => { readonly id?: string } | undefined
  /** Validates with a Valibot schema. */
  readonly '~run'?: (dataset: { readonly value: unknown }, config: object) => unknown
}
type Parts = Readonly<Record<string, any>>

/** zod has the parts of a schema in its definition, Valibot in the schema. A Valibot pipe or fallback can't be copied. */
function partsOf(schema: LibrarySchema): Parts | null {
  if (schema._zod !== undefined) return schema._zod.def
  return schema['~run'] !== undefined && !('pipe' in schema || 'fallback' in schema) ? schema : null
}

/** The default of a schema. It may be a function of the app. What `catch` returns isn't known without a wrong value. */
export function defaultOf(schema: object): unknown {
  const {
    defaultValue,
    default: fallback,
    catchValue,
  } = (isLibrary(schema) && partsOf(schema)) || (schema as Parts)
  return catchValue
    ? 'unknown'
    : (defaultValue ?? (typeof fallback === 'function' ? fallback() : fallback))
}

/** The keywords of schemas, by their types. What isn't here, such as a transformation, is compared as a whole. */
const readers: readonly (readonly [types: string, read: (parts: Parts) => JsonSchema])[] = [
  ['string number boolean null', ({ type }) => ({ type })],
  ['date', () => ({ type: 'string' })],
  ['any unknown', () => ({})],
  ['undefined void never', () => ({ enum: [] })],
  ['literal', ({ values, literal }) => ({ enum: values ?? [literal] })],
  ['enum', ({ entries, options }) => ({ enum: options ?? Object.values(entries) })],
  ['picklist', ({ options }) => ({ enum: options })],
  ['array', ({ element, item }) => ({ type: 'array', items: element ?? item })],
  [
    'tuple loose_tuple strict_tuple tuple_with_rest',
    ({ items, rest }) => ({ type: 'array', prefixItems: items, items: rest }),
  ],
  [
    'object loose_object strict_object object_with_rest',
    ({ shape, entries, catchall, rest }) => ({
      type: 'object',
      properties: shape ?? entries,
      additionalProperties: catchall ?? rest,
    }),
  ],
  [
    'record',
    ({ keyType, key, valueType, value }) => ({
      type: 'object',
      propertyNames: keyType ?? key,
      additionalProperties: valueType ?? value,
    }),
  ],
  ['union variant', ({ options }) => ({ anyOf: options })],
  ['intersection', ({ left, right }) => ({ allOf: [left, right] })],
  ['intersect', ({ options }) => ({ allOf: options })],
  ['lazy', ({ getter }) => ({ allOf: [getter()] })],
  [
    'nullable nullish',
    ({ innerType, wrapped }) => ({ anyOf: [innerType ?? wrapped, { type: 'null' }] }),
  ],
  [
    'optional exact_optional undefinedable nonoptional non_optional readonly default prefault catch',
    ({ innerType, wrapped }) => ({ allOf: [innerType ?? wrapped] }),
  ],
]
const readerOf = new Map<unknown, (parts: Parts) => JsonSchema>()
for (const [types, read] of readers) for (const type of types.split(' ')) readerOf.set(type, read)

/**
 * Returns the keywords of a schema: its own, or those that describe the structure of a library's schema. Null for a schema that
 * doesn't show its structure, and for a boolean.
 */
export function keywordsOf(schema: unknown): JsonSchema | null {
  if (!isLibrary(schema)) return isSchemaObject(schema) ? (schema as JsonSchema) : null
  const parts = partsOf(schema)
  return parts && (readerOf.get(parts['type'])?.(parts) ?? null)
}

/** Whether a zod schema is what `describe()`, `meta()` or `refine()` of another one returned. */
export function isCopyOf(schema: LibrarySchema, original: object): boolean {
  const parent = schema._zod?.parent
  return parent !== undefined && (parent === original || isCopyOf(parent, original))
}

/** Where zod and Valibot have other schemas. */
const places =
  'element item items rest shape entries catchall keyType key valueType value options left right innerType wrapped getter'.split(
    ' ',
  )

/**
 * Copies a library's schema and replaces each direct subschema by what `visit` returns. Refinements of the schema itself are
 * left out: they were written for the newer value, and the newer schema still checks them.
 */
export function mapLibrary(schema: LibrarySchema, visit: (subschema: object) => unknown): object {
  const parts = partsOf(schema)!
  const mapPart = (part: unknown): unknown => {
    if (isLibrary(part)) return visit(part)
    if (Array.isArray(part)) return part.map(mapPart)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, one]) => [name, mapPart(one)]))
      : part
  }
  const copy: Record<string, any> = Object.defineProperties(
    {},
    Object.getOwnPropertyDescriptors(parts),
  )
  for (const place of places) {
    const part: unknown = parts[place]
    if (part === undefined) continue
    const mapped = mapPart(place === 'getter' ? (part as () => object)() : part)
    Object.defineProperty(copy, place, {
      value: place === 'getter' ? () => mapped : mapped,
      enumerable: true,
    })
  }
  if (schema._zod !== undefined) {
    const checks = (parts['checks'] ?? []) as {
      readonly _zod: { readonly def: { readonly check: string } }
    }[]
    copy['checks'] = checks.filter(({ _zod }) => !/custom|overwrite/.test(_zod.def.check))
    const { id: _id, ...meta } = schema.meta?.() ?? {}
    const rebuilt = schema.clone!(copy) as LibrarySchema
    return rebuilt.meta?.(meta) ?? rebuilt
  }
  const validate = (value: unknown): unknown => (copy as LibrarySchema)['~run']!({ value }, {})
  return Object.defineProperty(copy, '~standard', {
    value: { version: 1, vendor: 'valibot', validate },
  })
}
