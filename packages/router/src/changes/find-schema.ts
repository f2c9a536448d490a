import type { Schema } from '../types/schema.ts'
import { type JsonSchema, isObject, mapSchema } from './json-schema.ts'
import { differenceOf, isSameSchema, markRebuilt } from './same-schema.ts'

/** One step from a value down to a value in it. */
export type Step =
  | { readonly property: string }
  | { readonly index: number }
  /** The elements from an index on. */
  | { readonly itemsFrom: number }
  /** The properties that match a pattern, or all. Those in `except` have a path of their own, or no such value. */
  | { readonly pattern: string | null; readonly except: readonly string[]; readonly exceptPatterns: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly types: readonly string[] }
  /** The value itself. Other schemas of `allOf` describe these properties, so they stay. */
  | { readonly keep: readonly string[] }

/** The steps from a value down to the values in it that a schema describes. */
export type Path = readonly Step[]

/** Why a schema cannot be replaced where it was found. */
export type Obstacle = 'ambiguous' | 'recursive' | 'library' | 'drifted'

/** What a visit of a schema needs to know. */
interface Visit {
  readonly target: Schema
  /** The schema that `#` in a `$ref` means. */
  readonly root: JsonSchema
  /** The schemas that contain this one. */
  readonly open: readonly JsonSchema[]
  /** The schemas that contain themselves. */
  readonly recursive: Set<JsonSchema>
  /** `difference`: of a schema with the same `$id`, the first place where it differs. */
  readonly refuse: (obstacle: Obstacle, difference?: string) => never
}

/**
 * Finds a schema in another one.
 *
 * @param refuse - called when values do not show which of them the schema describes
 * @returns the paths to its values; `[[]]` if the schema is the target itself
 */
export function findSchema(schema: Schema | undefined, target: Schema, refuse: Visit['refuse']): readonly Path[] {
  if (schema === undefined) return []
  const root = isObject(schema) ? schema : {}
  return visitSchema(schema, { target, root, open: [], recursive: new Set(), refuse })
}

function visitSchema(schema: unknown, visit: Visit): readonly Path[] {
  if (isSameSchema(schema, visit.target)) {
    const difference = isObject(schema) && '$ref' in schema ? null : differenceOf(schema, visit.target)
    return difference === null ? [[]] : visit.refuse('drifted', difference)
  }
  if (typeof schema === 'function' || (isObject(schema) && '~standard' in schema))
    return contains(schema, visit.target) ? visit.refuse('library') : []
  if (!isObject(schema) || isLeaf(schema)) return []
  if (visit.open.includes(schema)) {
    visit.recursive.add(schema)
    return []
  }
  const inner = { ...visit, open: [...visit.open, schema] }
  const resolved = resolve(schema, inner)
  const paths = unique([
    ...(resolved === undefined ? [] : visitSchema(resolved, inner)),
    ...inProperties(schema, inner),
    ...inItems(schema, inner),
    ...inAllOf(schema, inner),
    ...[schema['anyOf'], schema['oneOf']].flatMap((union) => inUnion(listOf(union), inner)),
  ])
  for (const keyword of undecidable)
    for (const one of keyword === 'dependentSchemas' ? valuesOf(schema[keyword]) : [schema[keyword]])
      if (visitSchema(one, inner).length > 0) visit.refuse('ambiguous')
  return paths.length > 0 && visit.recursive.has(schema) ? visit.refuse('recursive') : paths
}

/** Most schemas are `{ type: 'string' }` and contain no other. */
const isLeaf = (schema: JsonSchema): boolean =>
  Object.keys(schema).every(
    (key) => key !== '$ref' && typeof schema[key] !== 'object' && typeof schema[key] !== 'function',
  )

/** Keywords whose schemas apply to a value under conditions. */
const undecidable = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'dependentSchemas',
]

function inProperties(schema: JsonSchema, visit: Visit): readonly Path[] {
  const { properties, patternProperties, additionalProperties } = schema
  const named = Object.entries(isObject(properties) ? properties : {})
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {})
  const found: { readonly name: string; readonly isPattern: boolean; readonly rest: Path }[] = []
  const paths: Path[] = []
  for (const [property, one] of named)
    for (const rest of visitSchema(one, visit)) {
      found.push({ name: property, isPattern: false, rest })
      paths.push([{ property }, ...rest])
    }
  for (const [pattern, one] of patterns)
    for (const rest of visitSchema(one, visit)) {
      // A property that also has another schema with this path is converted once.
      const known = found.filter((other) => isSamePaths([other.rest], [rest]))
      const namesOf = (isPattern: boolean) =>
        known.flatMap((other) => (other.isPattern === isPattern ? other.name : []))
      found.push({ name: pattern, isPattern: true, rest })
      paths.push([{ pattern, except: namesOf(false), exceptPatterns: namesOf(true) }, ...rest])
    }
  const [except, exceptPatterns] = [named, patterns].map((entries) => entries.map(([name]) => name))
  const additional = { pattern: null, except: except!, exceptPatterns: exceptPatterns! }
  return [...paths, ...visitSchema(additionalProperties, visit).map((rest) => [additional, ...rest])]
}

function inItems({ items, prefixItems, additionalItems }: JsonSchema, visit: Visit): readonly Path[] {
  const first = Array.isArray(items) ? items : listOf(prefixItems)
  const rest = Array.isArray(items) ? additionalItems : items
  const below = (step: Step, one: unknown) => visitSchema(one, visit).map((path) => [step, ...path])
  return [...first.flatMap((one, index) => below({ index }, one)), ...below({ itemsFrom: first.length }, rest)]
}

/** A conversion that returns only what its own schema has must not lose the properties of the others. */
function inAllOf(schema: JsonSchema, visit: Visit): readonly Path[] {
  const all = listOf(schema['allOf'])
  return all.flatMap((one) => {
    const others = [schema, ...all.filter((other) => other !== one)]
    const known = propertyNames(one)
    const keep = others.flatMap(propertyNames).filter((name) => !known.includes(name))
    const paths = visitSchema(one, visit)
    return keep.length === 0 ? paths : paths.map((path) => (path.length === 0 ? [{ keep }] : path))
  })
}

const propertyNames = (schema: unknown): readonly string[] =>
  isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []

/** A value shows by its JSON type which schema of a union describes it, or the paths are the same in all of them. */
function inUnion(union: readonly unknown[], visit: Visit): readonly Path[] {
  const alternatives = union
    .map((one) => ({ paths: visitSchema(one, visit), types: typesOf(one, visit) }))
    .filter(({ types }) => types.some((type) => type !== 'null'))
  if (alternatives.every(({ paths }) => isSamePaths(paths, alternatives[0]!.paths))) return alternatives[0]?.paths ?? []
  return alternatives.flatMap(({ paths, types }, index) => {
    if (paths.length === 0) return []
    const others = new Set(alternatives.filter((_, other) => other !== index).flatMap((other) => other.types))
    if (types.some((type) => type !== 'null' && others.has(type))) visit.refuse('ambiguous')
    return paths.map((path) => [{ types }, ...path])
  })
}

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The JSON types that a schema allows. */
function typesOf(schema: unknown, visit: Visit): readonly string[] {
  if (!isObject(schema)) return schema === false ? [] : allTypes
  const { type, nullable, enum: values, anyOf, oneOf, $ref } = schema
  const plusNull = (types: readonly string[]) => (nullable === true ? [...types, 'null'] : types)
  if (type !== undefined) return plusNull([type].flat().map((one) => (one === 'integer' ? 'number' : String(one))))
  if ('const' in schema) return [jsonTypeOf(schema['const'])]
  if (Array.isArray(values)) return values.map(jsonTypeOf)
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return union.flatMap((one) => typesOf(one, visit))
  const resolved = $ref === undefined || visit.open.length > 50 ? undefined : resolve(schema, visit)
  return resolved === undefined ? allTypes : typesOf(resolved, { ...visit, open: [...visit.open, schema] })
}

/** The JSON type of a value: `object`, `array`, `string`, `number`, `boolean` or `null`. A Date is a string. */
export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof Date ? 'string' : typeof value
}

/** Whether values of a schema may be null. */
export const allowsNull = (schema: Schema, refuse: Visit['refuse']): boolean =>
  isObject(schema) &&
  !('~standard' in schema) &&
  typesOf(schema, { target: schema, root: schema, open: [], recursive: new Set(), refuse }).includes('null')

/** Follows a `$ref` inside its document. A schema that other documents share is found by its own `$id` only. */
function resolve({ $ref }: JsonSchema, { root, open }: Visit): unknown {
  if (typeof $ref !== 'string') return undefined
  const [base = '', pointer = ''] = $ref.split('#')
  const home = base === '' ? root : open.find(({ $id }) => typeof $id === 'string' && $id.replace(/#$/, '') === base)
  const steps = pointer.split('/').slice(1).map(decode)
  return steps.reduce<unknown>((at, step) => (isObject(at) || Array.isArray(at) ? at[step as never] : undefined), home)
}

const decode = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')

/** Whether the object of a schema library, such as `z.array(User)`, refers to a schema. */
function contains(schema: object, target: Schema): boolean {
  const seen = new Set<unknown>()
  const search = (value: unknown, depth: number): boolean => {
    if (value === target) return true
    if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value) || depth > 20) return false
    seen.add(value)
    const { _zod: zod } = value as { readonly _zod?: { readonly def?: object } }
    return Object.values((zod?.def ?? value) as object).some((one) => search(one, depth + 1))
  }
  return search(schema, 0)
}

/**
 * Replaces a schema in another one.
 *
 * @returns the schema itself if it does not contain the target
 */
export function replaceSchema(schema: Schema, target: Schema, by: Schema): Schema {
  if (isSameSchema(schema, target)) return by
  if (!isObject(schema) || '~standard' in schema) return schema
  let isReplaced = false
  const copy = mapSchema(schema, (inner) => {
    const replaced = replaceSchema(inner, target, by)
    isReplaced ||= replaced !== inner
    return replaced
  })
  return isReplaced ? markRebuilt(withHiddenProperties(copy, schema)) : schema
}

/** TypeBox keeps the kind of a schema under a symbol, or in a property that is not enumerable. */
function withHiddenProperties(copy: object, schema: object): object {
  for (const key of Reflect.ownKeys(schema))
    if (!Object.hasOwn(copy, key)) Object.defineProperty(copy, key, Object.getOwnPropertyDescriptor(schema, key)!)
  return copy
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const valuesOf = (value: unknown): readonly unknown[] => (isObject(value) ? Object.values(value) : [])
const isSamePaths = (a: readonly Path[], b: readonly Path[]): boolean => JSON.stringify(a) === JSON.stringify(b)
const unique = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
]
