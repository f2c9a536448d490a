// Reads zod's and Valibot's schemas as JSON Schema, because a search then only has to know one
// format. Only the outermost schema is read: `z.array(User)` is `{ type: 'array', items: User }`.
import { type JsonSchema, isObject, isSchemaObject } from './json-schema.ts'

/** Whether a schema is a schema library's object or function, rather than JSON Schema. */
export const isLibrary = (schema: unknown): schema is object =>
  isSchemaObject(schema) && '~standard' in schema

interface LibrarySchema {
  readonly _zod?: { readonly def: Parts; readonly parent?: object }
  /** Returns a copy of a zod schema. */
  readonly clone?: (def: object) => object
  /** Returns a zod schema's description, or a copy of the schema with a different description. */
  readonly meta?: (meta?: object) => { readonly id?: string } | undefined
  /** Validates with a Valibot schema. */
  readonly '~run'?: (dataset: { readonly value: unknown }, config: object) => unknown
}
type Parts = Readonly<Record<string, any>>

/** zod keeps a schema's parts in its definition, Valibot in the schema. Pipes can't be copied. */
function partsOf(schema: LibrarySchema): Parts | null {
  if (schema._zod !== undefined) return schema._zod.def
  return schema['~run'] !== undefined && !('pipe' in schema || 'fallback' in schema) ? schema : null
}

/** A schema's default. What `catch` returns depends on the wrong value, so it's `'unknown'`. */
export function defaultOf(schema: object): unknown {
  const parts: Parts = (isLibrary(schema) && partsOf(schema)) || schema
  if (parts['catchValue']) return 'unknown'
  const { default: fallback } = parts
  return parts['defaultValue'] ?? (typeof fallback === 'function' ? fallback() : fallback)
}

/**
 * Returns a JSON Schema itself, or the keywords for a library's schema. Null for a schema that
 * doesn't show its structure, such as a transformation, and for a boolean.
 */
export function keywordsOf(schema: unknown): JsonSchema | null {
  if (!isLibrary(schema)) return isSchemaObject(schema) ? (schema as JsonSchema) : null
  const parts = partsOf(schema)
  return parts && keywordsFrom(parts)
}

/** zod and Valibot mostly use the same names for types, and different ones for parts. */
function keywordsFrom(parts: Parts): JsonSchema | null {
  const { type, items, rest, options, left, right } = parts
  const inner: unknown = parts['innerType'] ?? parts['wrapped'] ?? parts['getter']?.()
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type }
    case 'date':
      return { type: 'string' }
    case 'any':
    case 'unknown':
      return {}
    case 'undefined':
    case 'void':
    case 'never':
      return { enum: [] }
    case 'literal':
      return { enum: parts['values'] ?? [parts['literal']] }
    case 'enum':
    case 'picklist':
      return { enum: options ?? Object.values(parts['entries']) }
    case 'array':
      return { type: 'array', items: parts['element'] ?? parts['item'] }
    case 'tuple':
    case 'loose_tuple':
    case 'strict_tuple':
    case 'tuple_with_rest':
      return { type: 'array', prefixItems: items, items: rest }
    case 'object':
    case 'loose_object':
    case 'strict_object':
    case 'object_with_rest': {
      const properties: unknown = parts['shape'] ?? parts['entries']
      return { type: 'object', properties, additionalProperties: parts['catchall'] ?? rest }
    }
    case 'record': {
      const propertyNames: unknown = parts['keyType'] ?? parts['key']
      const additionalProperties: unknown = parts['valueType'] ?? parts['value']
      return { type: 'object', propertyNames, additionalProperties }
    }
    case 'union':
    case 'variant':
      return { anyOf: options }
    case 'intersection':
    case 'intersect':
      return { allOf: options ?? [left, right] }
    case 'nullable':
    case 'nullish':
      return { anyOf: [inner, { type: 'null' }] }
    case 'optional':
    case 'exact_optional':
    case 'undefinedable':
    case 'nonoptional':
    case 'non_optional':
    case 'readonly':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'lazy':
      return { allOf: [inner] }
    default:
      return null
  }
}

/**
 * Whether a zod schema is a copy of the other one, made by `describe()`, `meta()` or `refine()`.
 */
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
    if (typeof part === 'function') {
      const mapped = mapPart(part()) // of a lazy schema
      return () => mapped
    }
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, mapPart(inner)]))
      : part
  }
  const copy: Record<string, any> = Object.defineProperties(
    {},
    Object.getOwnPropertyDescriptors(parts),
  )
  for (const place of places)
    if (place in parts)
      Object.defineProperty(copy, place, { value: mapPart(parts[place]), enumerable: true })
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
