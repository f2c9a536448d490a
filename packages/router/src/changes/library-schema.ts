// Reads zod's and Valibot's schemas as JSON Schema, so that what looks for a schema knows one
// language. The structure becomes keywords: `z.array(User)` is `{ type: 'array', items: User }`.
// `User` stays.
import { type JsonSchema, isObject, isSchemaObject } from './json-schema.ts'

/** Whether a schema is a schema library's object or function, rather than JSON Schema. */
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

/**
 * zod keeps a schema's parts in its definition, Valibot in the schema. We can't copy Valibot's
 * pipes.
 */
function partsOf(schema: LibrarySchema): Parts | null {
  if (schema._zod !== undefined) return schema._zod.def
  return schema['~run'] !== undefined && !('pipe' in schema || 'fallback' in schema) ? schema : null
}

/**
 * A schema's default. What `catch` returns may depend on the wrong value, so it's just `'unknown'`.
 */
export function defaultOf(schema: object): unknown {
  const parts: Parts = (isLibrary(schema) && partsOf(schema)) || schema
  if (parts['catchValue']) return 'unknown'
  const { default: fallback } = parts
  return parts['defaultValue'] ?? (typeof fallback === 'function' ? fallback() : fallback)
}

/**
 * Keywords by type of schema. What isn't here, such as a transformation, is compared as a whole.
 */
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
    'optional exact_optional undefinedable nonoptional non_optional default prefault catch readonly',
    ({ innerType, wrapped }) => ({ allOf: [innerType ?? wrapped] }),
  ],
]
const readerOf = new Map<unknown, (parts: Parts) => JsonSchema>()
for (const [types, read] of readers) for (const type of types.split(' ')) readerOf.set(type, read)

/**
 * Returns a JSON Schema itself, or the keywords for a library's schema. Null for a schema that
 * doesn't show its structure, and for a boolean.
 */
export function keywordsOf(schema: unknown): JsonSchema | null {
  if (!isLibrary(schema)) return isSchemaObject(schema) ? (schema as JsonSchema) : null
  const parts = partsOf(schema)
  return parts && (readerOf.get(parts['type'])?.(parts) ?? null)
}

/** Whether a zod schema is another one with `describe()`, `meta()` or `refine()`. */
export function isCopyOf(schema: LibrarySchema, original: object): boolean {
  const parent = schema._zod?.parent
  return parent !== undefined && (parent === original || isCopyOf(parent, original))
}

/** Where zod and Valibot keep other schemas. */
const places = (
  'element item items rest shape entries catchall keyType key valueType value options left right ' +
  'innerType wrapped getter'
).split(' ')

/**
 * Copies a library's schema, with what `visit` returns in place of each direct subschema. The copy
 * has no refinements, because they were written for newer values. The newer schema still checks
 * them.
 */
export function mapLibrary(schema: LibrarySchema, visit: (subschema: object) => unknown): object {
  const parts = partsOf(schema)!
  const mapPart = (part: unknown): unknown => {
    if (isLibrary(part)) return visit(part)
    if (Array.isArray(part)) return part.map(mapPart)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, mapPart(inner)]))
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
    const checks: readonly Parts[] = parts['checks'] ?? []
    copy['checks'] = checks.filter((check) => !/custom|overwrite/.test(check['_zod'].def.check))
    const { id: _id, ...meta } = schema.meta?.() ?? {}
    const rebuilt = schema.clone!(copy) as LibrarySchema
    return rebuilt.meta?.(meta) ?? rebuilt
  }
  const validate = (value: unknown): unknown => (copy as LibrarySchema)['~run']!({ value }, {})
  return Object.defineProperty(copy, '~standard', {
    value: { version: 1, vendor: 'valibot', validate },
  })
}
