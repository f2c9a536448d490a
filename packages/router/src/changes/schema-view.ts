// The only file that knows schema libraries. It shows all their schemas as JSON Schema, so that
// everything else only has to know one format.
import { isAnyObject, isObject, mapValues } from '../objects.ts'
import type { Schema } from '../types/schema.ts'
import {
  type JsonSchema,
  type Keys,
  type StandardSchema,
  childrenOf,
  isSchemaObject,
  kName,
  mapSchema,
  metadata,
  toJsonSchema,
} from './json-schema.ts'

/** What we know of a schema. Only the outermost one is read: its children have views of their own. */
export interface View {
  readonly schema: Schema
  /** The schema's library, such as `zod 3`. Null for JSON Schema. */
  readonly library: string | null
  /** Where zod 4 and Valibot keep a schema's parts. Null for every other schema. */
  readonly parts: Parts | null
  /**
   * What the schema says: `{ type: 'array', items: User }` for `z.array(User)`. Null for a boolean,
   * and for a schema that can't be rebuilt, such as a transformation or Valibot's pipe.
   */
  readonly keywords: JsonSchema | null
  /** The schemas directly in it, each with the keys that lead to it: `'properties', 'user'`. */
  readonly children: readonly (readonly [View, ...Keys])[]
  /** What it says itself: its keywords, with nothing in place of the schemas in it. */
  readonly own: JsonSchema
  /** The schemas of an object's properties. */
  readonly properties: Readonly<Record<string, Schema>>
  /**
   * The whole schema as JSON Schema, to compare it with others. It's that of the input, because a
   * transformation seldom describes its output, and has none of zod's names, because two schemas
   * may have one. Null if the library can't convert it.
   */
  readonly contents: JsonSchema | null
  /**
   * Its default. What zod's `catch` and Valibot's `fallback` return may depend on the wrong value, so
   * it's `'unknown'`.
   */
  readonly default: unknown
  /** Whether a change has made the schema. */
  readonly isRebuilt: boolean
  /** The zod schema that this one is a copy of, made by `describe()`, `meta()` or `refine()`. */
  readonly original: View | null
}

interface LibrarySchema extends StandardSchema {
  readonly _zod?: { readonly def: Parts; readonly parent?: object }
  /** Returns a copy of a zod schema. */
  readonly clone?: (def: object) => object
  /** Validates with a Valibot schema. */
  readonly '~run'?: (dataset: { readonly value: unknown }, config: object) => unknown
}
type Parts = Readonly<Record<string, any>>

/** Options of zod's, with which schemas have no names and descriptions. */
const noNames = { metadata: new WeakMap() }

const views = new WeakMap<object, View>()

/** Returns a schema's view, which is made once. Whatever isn't an object has no keywords. */
export function viewOf(schema: unknown): View {
  const view = views.get(schema as object) ?? createView(schema as Schema)
  if (isAnyObject(schema)) views.set(schema, view)
  return view
}

function createView(schema: Schema, isRebuilt = false): View {
  const declared = Object(schema) as LibrarySchema
  const library = libraryOf(declared)
  const parts = partsOf(declared)
  const parent = declared._zod?.parent
  const isJson = library === null && isSchemaObject(schema)
  const keywords = isJson ? schema : parts && keywordsFrom(parts)
  let children: View['children'] | undefined
  let contents = isJson ? schema : undefined
  return {
    schema,
    library,
    parts,
    keywords,
    get children() {
      return (children ??= childrenOf(keywords ?? {}).map(([child, ...keys]) => [
        viewOf(child),
        ...keys,
      ]))
    },
    get own() {
      return mapSchema(keywords ?? {}, () => null)
    },
    get properties() {
      const properties = (keywords ?? this.contents)?.['properties']
      return isObject(properties) ? (properties as View['properties']) : {}
    },
    get contents() {
      try {
        return (contents ??= toJsonSchema(schema, 'input', '', library === 'zod' ? noNames : {}))
      } catch {
        return null
      }
    },
    get default() {
      return defaultOf(parts ?? (declared as Parts))
    },
    isRebuilt,
    original: parent ? viewOf(parent) : null,
  }
}

/** Whether a schema is a schema library's object or function, rather than JSON Schema. */
export const isLibrary = (schema: unknown): schema is object =>
  isSchemaObject(schema) && '~standard' in schema

/** What schemas of libraries without Standard Schema have: zod 3.23, Valibot 0, Joi 17, Yup 1.6. */
const marks = ['_def', '_run', '$_terms', '__isYupSchema__']

function libraryOf(schema: LibrarySchema): string | null {
  const { vendor } = schema['~standard'] ?? {}
  if (vendor === 'zod') return '_zod' in schema ? 'zod' : 'zod 3'
  const isOlder = marks.some((mark) => mark in schema)
  return vendor ?? (isOlder ? 'a library without Standard Schema' : null)
}

/** zod 4 keeps a schema's parts in its definition, Valibot in the schema. */
const partsOf = (schema: LibrarySchema): Parts | null =>
  schema._zod?.def ?? ('~run' in schema ? schema : null)

/** TypeBox 0.34 copies the properties of the schemas that a Composite is made of. */
export const copiesProperties = (schema: object): boolean => Symbol.for('TypeBox.Kind') in schema

/** What the functions of lazy schemas have returned, because they may return a new one each time. */
const lazySchemas = new WeakMap<object, unknown>()

function innerOf({ innerType, wrapped, getter }: Parts): unknown {
  if (typeof getter !== 'function') return innerType ?? wrapped
  if (!lazySchemas.has(getter)) lazySchemas.set(getter, getter())
  return lazySchemas.get(getter)
}

function defaultOf(parts: Parts): unknown {
  if ('catchValue' in parts || 'fallback' in parts) return 'unknown'
  const { default: fallback } = parts
  return parts['defaultValue'] ?? (typeof fallback === 'function' ? fallback() : fallback)
}

/** zod and Valibot mostly use the same names for types, and different ones for parts. */
function keywordsFrom(parts: Parts): JsonSchema | null {
  if ('pipe' in parts) return null
  const { type, values, literal, options, entries, element, item, items, rest } = parts
  const { shape, catchall, keyType, key, valueType, value, left, right } = parts
  const inner = innerOf(parts)
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
    case 'enum':
    case 'picklist':
      return { enum: values ?? options ?? Object.values(entries ?? [literal]) }
    case 'array':
    case 'tuple':
    case 'loose_tuple':
    case 'strict_tuple':
    case 'tuple_with_rest':
      return { type: 'array', prefixItems: items, items: element ?? item ?? rest }
    case 'object':
    case 'loose_object':
    case 'strict_object':
    case 'object_with_rest':
    case 'record':
      return {
        type: 'object',
        properties: shape ?? entries,
        propertyNames: keyType ?? key,
        additionalProperties: catchall ?? valueType ?? value ?? rest,
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

/** Where zod and Valibot keep other schemas. */
const places = (
  'element item items rest shape entries catchall keyType key valueType value options left right ' +
  'innerType wrapped getter'
).split(' ')

/**
 * Copies a schema, with other children. A library's copy has no refinements, because they were
 * written for newer values. The newer schema still checks them.
 */
export function rebuild(view: View, replaced: ReadonlyMap<unknown, Schema>): Schema {
  const { schema, parts, keywords } = view
  const older = (part: unknown): unknown => replaced.get(part) ?? part
  const copy = parts
    ? rebuildLibrary(schema as LibrarySchema, parts, older)
    : copyWith(schema as object, mapSchema(keywords!, older))
  views.set(copy, createView(copy, true))
  return copy
}

function rebuildLibrary(
  schema: LibrarySchema,
  parts: Parts,
  older: (part: unknown) => unknown,
): object {
  const rebuildPart = (part: unknown): unknown => {
    const rebuilt = older(part)
    if (rebuilt !== part || isLibrary(part)) return rebuilt
    if (Array.isArray(part)) return part.map(rebuildPart)
    if (typeof part === 'function') return () => older(innerOf(parts)) // of a lazy schema
    return isObject(part) ? mapValues(part, rebuildPart) : part
  }
  const changed: Record<string, unknown> = { _cachedInner: undefined } // zod's, of a lazy schema
  for (const place of places) if (place in parts) changed[place] = rebuildPart(parts[place])
  if (schema._zod === undefined) {
    const validate = (value: unknown): unknown => copy['~run']({ value }, {})
    changed['~standard'] = { version: 1, vendor: 'valibot', validate }
    const copy = copyWith(schema, changed)
    return copy
  }
  changed['checks'] = parts['checks']?.filter(
    (check: Parts) => !/custom|overwrite/.test(check['_zod'].def.check),
  )
  const { id, ...meta } = metadata.get(schema)
  const copy = schema.clone!(copyWith(parts, changed)) as LibrarySchema
  return Object.assign(copy.meta?.(meta) ?? copy, id !== undefined && { [kName]: { id } })
}

/** TypeBox keeps a schema's kind under a symbol, or in a property that isn't enumerable. */
const copyWith = (original: object, changed: object): any =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(original),
      ...Object.getOwnPropertyDescriptors(changed),
    },
  )

/**
 * A schema and what's in it. That includes the schemas in transformations and pipes.
 */
export function schemasIn(value: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (!isAnyObject(value) || found.has(value)) return found
  found.add(value)
  const shown = partsOf(value)
  const isInstance = Object.getPrototypeOf(value) !== Object.prototype
  if (shown === null && libraryOf(value) !== null && isInstance) return found
  const parts = shown ?? (value as Parts)
  // A default may be a function of the app, which zod calls.
  for (const place of Object.keys(parts))
    if (!/^(?:default|catch)Value$/.test(place)) schemasIn(parts[place], found)
  return schemasIn(innerOf(parts), found)
}
