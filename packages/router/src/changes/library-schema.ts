// Reads zod's and Valibot's schemas as JSON Schema, because a search then only has to know one
// format. Only the outermost schema is read: `z.array(User)` is `{ type: 'array', items: User }`.
import { type JsonSchema, type StandardSchema, isSchemaObject } from './json-schema.ts'
import { isAnyObject, isObject } from '../objects.ts'
import type { Schema } from '../types/schema.ts'

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

/** zod 4 keeps a schema's parts in its definition, Valibot in the schema. */
const partsOf = (schema: LibrarySchema): Parts | null =>
  schema._zod?.def ?? ('~run' in schema ? schema : null)

/** What schemas of libraries without Standard Schema have: zod 3.23, Valibot 0, Joi 17, Yup 1.6. */
const marks = ['_def', '_run', '$_terms', '__isYupSchema__']

/** The library that a schema is of, such as `zod 3`. Null for JSON Schema. */
export function libraryOf(schema: Schema): string | null {
  if (!isSchemaObject(schema)) return null
  const { vendor } = (schema as StandardSchema)['~standard'] ?? {}
  if (vendor === 'zod') return '_zod' in schema ? 'zod' : 'zod 3'
  const isOlder = marks.some((mark) => mark in schema)
  return vendor ?? (isOlder ? 'a library without Standard Schema' : null)
}

/** Whether a schema doesn't show its parts: those of all libraries but zod 4 and Valibot. */
export const isOpaque = (schema: object): boolean =>
  partsOf(schema) === null && libraryOf(schema) !== null

/** A schema and what's in it. That includes the schemas in transformations and pipes. */
export function schemasIn(value: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (!isAnyObject(value) || found.has(value)) return found
  found.add(value)
  if (isOpaque(value) && Object.getPrototypeOf(value) !== Object.prototype) return found
  const parts = partsOf(value) ?? (value as Parts)
  // A lazy schema's function may return a new schema on each call.
  const isCalled = !('getter' in parts) || found.has(parts['getter'])
  // A default may be a function of the app, which zod calls.
  for (const place of Object.keys(parts))
    if (!/^(?:default|catch)Value$/.test(place)) schemasIn(parts[place], found)
  return isCalled ? found : schemasIn(parts['getter'](), found)
}

/**
 * A schema's default. What zod's `catch` and Valibot's `fallback` return may depend on the wrong
 * value, so it's `'unknown'`.
 */
export function defaultOf(schema: object): unknown {
  const parts: Parts = (isLibrary(schema) && partsOf(schema)) || schema
  if ('catchValue' in parts || 'fallback' in parts) return 'unknown'
  const { default: fallback } = parts
  return parts['defaultValue'] ?? (typeof fallback === 'function' ? fallback() : fallback)
}

/**
 * Returns a JSON Schema itself, or the keywords for a library's schema. Null for a schema that can't
 * be rebuilt, such as a transformation or Valibot's pipe, and for a boolean.
 */
export function keywordsOf(schema: unknown): JsonSchema | null {
  if (!isSchemaObject(schema)) return null
  if (libraryOf(schema) === null) return schema
  const parts = partsOf(schema)
  return parts === null || 'pipe' in parts ? null : keywordsFrom(parts)
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
  delete copy['_cachedInner'] // what zod remembers of a lazy schema
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
