// The schemas of zod and Valibot, read as JSON Schema: their structure as keywords, and their parts as they are.
import { type JsonSchema, isObject } from './json-schema.ts'

/** The schemas of ArkType are functions. */
export const isSchemaObject = (schema: unknown): schema is object => isObject(schema) || typeof schema === 'function'

/** Whether a schema is the object, or the function, of a schema library. */
export const isLibrary = (schema: unknown): schema is object => isSchemaObject(schema) && '~standard' in schema

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

/** A default may be a function, which is called only where it matters. What `catch` returns isn't known without a wrong value. */
const defaultOf = ({ defaultValue, default: fallback, catchValue }: Parts): unknown =>
  catchValue ? 'unknown' : (defaultValue ?? (typeof fallback === 'function' ? fallback() : fallback))

const objectOf = ({ shape, entries, catchall, rest }: Parts): JsonSchema => ({
  type: 'object',
  properties: shape ?? entries,
  additionalProperties: catchall ?? rest,
})
const tupleOf = ({ items, rest }: Parts): JsonSchema => ({ type: 'array', prefixItems: items, items: rest })
const unionOf = ({ options }: Parts): JsonSchema => ({ anyOf: options })
const wrapperOf = (parts: Parts): JsonSchema => ({
  allOf: [parts['innerType'] ?? parts['wrapped']],
  get default() {
    return defaultOf(parts)
  },
})
const nullableOf = (parts: Parts): JsonSchema => ({
  anyOf: [parts['innerType'] ?? parts['wrapped'], { type: 'null' }],
  get default() {
    return defaultOf(parts)
  },
})
const nothing = (): JsonSchema => ({ enum: [] })
const anything = (): JsonSchema => ({})
const scalarOf = ({ type }: Parts): JsonSchema => ({ type })

/** By the type of a schema: its keywords. What isn't here, such as a transformation, is compared as a whole. */
const readers: Readonly<Record<string, (parts: Parts) => JsonSchema>> = {
  string: scalarOf,
  number: scalarOf,
  boolean: scalarOf,
  null: scalarOf,
  date: () => ({ type: 'string' }),
  any: anything,
  unknown: anything,
  undefined: nothing,
  void: nothing,
  never: nothing,
  literal: ({ values, literal }) => ({ enum: values ?? [literal] }),
  enum: ({ entries, options }) => ({ enum: options ?? Object.values(entries) }),
  picklist: ({ options }) => ({ enum: options }),
  array: ({ element, item }) => ({ type: 'array', items: element ?? item }),
  tuple: tupleOf,
  loose_tuple: tupleOf,
  strict_tuple: tupleOf,
  tuple_with_rest: tupleOf,
  object: objectOf,
  loose_object: objectOf,
  strict_object: objectOf,
  object_with_rest: objectOf,
  record: ({ keyType, key, valueType, value }) => ({
    type: 'object',
    propertyNames: keyType ?? key,
    additionalProperties: valueType ?? value,
  }),
  union: unionOf,
  variant: unionOf,
  intersection: ({ left, right }) => ({ allOf: [left, right] }),
  intersect: ({ options }) => ({ allOf: options }),
  lazy: ({ getter }) => ({ allOf: [getter()] }),
  nullable: nullableOf,
  nullish: nullableOf,
  optional: wrapperOf,
  exact_optional: wrapperOf,
  undefinedable: wrapperOf,
  nonoptional: wrapperOf,
  non_optional: wrapperOf,
  readonly: wrapperOf,
  default: wrapperOf,
  prefault: wrapperOf,
  catch: wrapperOf,
}

/**
 * Returns the keywords of a schema: its own, or those that describe the structure of a library's schema. Null for a schema that
 * doesn't show its structure, and for a boolean.
 */
export function keywordsOf(schema: unknown): JsonSchema | null {
  if (!isLibrary(schema)) return isSchemaObject(schema) ? (schema as JsonSchema) : null
  const parts = partsOf(schema)
  const type = String(parts?.['type'])
  return parts !== null && Object.hasOwn(readers, type) ? readers[type]!(parts) : null
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
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([name, one]) => [name, mapPart(one)])) : part
  }
  const copy: Record<string, any> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(parts))
  for (const place of places) {
    const part: unknown = parts[place]
    const mapped = place === 'getter' && part ? mapGetter(part as () => object, visit) : mapPart(part)
    if (part !== undefined) Object.defineProperty(copy, place, { value: mapped, enumerable: true })
  }
  if (schema._zod !== undefined) {
    const checks = (parts['checks'] ?? []) as { readonly _zod: { readonly def: { readonly check: string } } }[]
    copy['checks'] = checks.filter(({ _zod }) => !/custom|overwrite/.test(_zod.def.check))
    const { id: _id, ...meta } = schema.meta?.() ?? {}
    const rebuilt = schema.clone!(copy) as LibrarySchema
    return rebuilt.meta?.(meta) ?? rebuilt
  }
  const validate = (value: unknown): unknown => (copy as LibrarySchema)['~run']!({ value }, {})
  return Object.defineProperty(copy, '~standard', { value: { version: 1, vendor: 'valibot', validate } })
}

function mapGetter(getter: () => object, visit: (subschema: object) => unknown): () => unknown {
  const mapped = visit(getter())
  return () => mapped
}
