import type { RouterErrorDetails } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import { type JsonSchema, isObject, isSchemaObject, mapSchema, stepsOf } from './json-schema.ts'
import { isLibrary, keywordsOf } from './library-schema.ts'
import { differenceOf, isSameSchema } from './same-schema.ts'

/** One step from a value down to a value in it. */
export type Step =
  | { readonly property: string }
  /** The elements from an index on, up to another. */
  | { readonly from: number; readonly until: number }
  /** All properties that match a pattern, but for those in `except`. */
  | { readonly pattern: string; readonly except: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly types: readonly string[] }
  /** The value itself, if its discriminator has one of these values. */
  | { readonly discriminator: string; readonly values: readonly unknown[] }
  /** The value itself. Other schemas of `allOf` describe these properties, so they stay. */
  | { readonly keep: readonly string[] }

/** The steps from a value down to the values in it that a schema describes. */
export type Path = readonly Step[]

/** Where a schema contains the newer one, and the schema with the older one instead. */
export interface Found {
  readonly paths: readonly Path[]
  readonly replaced: Schema | undefined
}

interface Visit {
  readonly target: Schema
  /** The schema that `#` in a `$ref` means. */
  readonly root: JsonSchema
  /** The schemas that contain this one. */
  readonly open: readonly object[]
  /** The schemas that contain themselves. */
  readonly recursive: Set<object>
  readonly refuse: Refuse
}

/**
 * Throws the error about a schema that cannot be replaced where it was found.
 *
 * @param hint - what to look at: where schemas differ, say
 */
export type Refuse = (reason: RouterErrorDetails['HV_CHANGE']['reason'], hint?: string) => never

/**
 * Finds a schema in another one.
 *
 * @param refuse - called when values do not show which of them the schema describes
 * @returns the paths to its values; `[[]]` if the schema is the target itself
 */
export function findSchema(
  schema: Schema | undefined,
  target: Schema,
  refuse: Refuse,
): readonly Path[] {
  if (schema === undefined) return []
  const root = isObject(schema) ? schema : {}
  return visitSchema(schema, { target, root, open: [], recursive: new Set(), refuse })
}

function visitSchema(schema: unknown, visit: Visit): readonly Path[] {
  if (!isSchemaObject(schema)) return []
  if (isSameSchema(schema, visit.target)) {
    const difference =
      isLibrary(schema) || '$ref' in schema ? null : differenceOf(schema, visit.target)
    return difference === null ? [[]] : visit.refuse('drifted', `They differ at ${difference}`)
  }
  const keywords = keywordsOf(schema)
  if (keywords === null) return contains(schema, visit.target) ? visit.refuse('library') : []
  if (visit.open.includes(schema)) {
    visit.recursive.add(schema)
    return []
  }
  const inner = { ...visit, open: [...visit.open, schema] }
  const paths = [...visitSchema(resolve(keywords, inner), inner)]
  mapSchema(keywords, (child, keyword, name = '') => {
    if (readApart.has(keyword)) return
    const rests = visitSchema(child, inner)
    if (rests.length === 0) return
    const step = stepInto(child, keyword, name, keywords) ?? visit.refuse('ambiguous')
    for (const rest of rests) {
      const keepsNothing = 'keep' in step && (step.keep.length === 0 || rest.length > 0)
      paths.push(keepsNothing ? rest : [step, ...rest])
    }
  })
  paths.push(
    ...[keywords['anyOf'], keywords['oneOf']].flatMap((union) => inUnion(listOf(union), inner)),
  )
  return paths.length > 0 && visit.recursive.has(schema) ? visit.refuse('recursive') : unique(paths)
}

/** Keywords whose schemas apply only where a `$ref` names them, or to a text in another format; and unions. */
const readApart = new Set(['$defs', 'definitions', 'contentSchema', 'anyOf', 'oneOf'])

/**
 * The step from the values of a schema to those of a schema in it.
 *
 * @param name - the name of a property, or the index of an element
 * @returns undefined for a keyword such as `if` and `not`, which applies under conditions
 */
function stepInto(
  child: object,
  keyword: string,
  name: string,
  schema: JsonSchema,
): Step | undefined {
  const { properties, patternProperties, prefixItems, items } = schema
  const [names, patterns] = [properties, patternProperties].map(keysOf)
  const element = { from: Number(name), until: Number(name) + 1 }
  switch (keyword) {
    case 'properties':
      return { property: name }
    case 'patternProperties':
      return names!.length + patterns!.length === 1 ? { pattern: name, except: [] } : undefined
    case 'additionalProperties':
      return patterns!.length === 0 ? { pattern: '', except: names! } : undefined
    case 'prefixItems':
      return element
    case 'items':
      return Array.isArray(items) ? element : { from: listOf(prefixItems).length, until: Infinity }
    case 'allOf': {
      // A conversion that returns only what its own schema has must not lose the properties of the others.
      const known = propertyNames(child)
      const others = [schema, ...listOf(schema['allOf']).filter((other) => other !== child)]
      return { keep: others.flatMap(propertyNames).filter((property) => !known.includes(property)) }
    }
  }
}

const propertiesOf = (schema: unknown): JsonSchema => {
  const properties = keywordsOf(schema)?.['properties']
  return isObject(properties) ? properties : {}
}
const propertyNames = (schema: unknown): readonly string[] => Object.keys(propertiesOf(schema))

/** A value shows by its JSON type or its discriminator which schema of a union describes it, or the paths are the same in all. */
function inUnion(union: readonly unknown[], visit: Visit): readonly Path[] {
  const alternatives = union
    .map((schema) => ({ schema, paths: visitSchema(schema, visit), types: typesOf(schema, visit) }))
    .filter(({ types }) => types.some((type) => type !== 'null'))
  if (alternatives.every(({ paths }) => isSamePaths(paths, alternatives[0]!.paths)))
    return alternatives[0]?.paths ?? []
  return alternatives.flatMap<Path>((alternative) => {
    const { schema, paths, types } = alternative
    if (paths.length === 0) return []
    const rivals = alternatives.filter(
      (other) =>
        other !== alternative &&
        other.types.some((type) => type !== 'null' && types.includes(type)),
    )
    const rivalSchemas = rivals.map((rival) => rival.schema)
    const step = rivals.length === 0 ? { types } : discriminatorOf(schema, rivalSchemas, visit)
    return step === undefined ? visit.refuse('ambiguous') : paths.map((path) => [step, ...path])
  })
}

/** The property whose constants only one of several objects has. */
function discriminatorOf(
  schema: unknown,
  rivals: readonly unknown[],
  visit: Visit,
): Step | undefined {
  for (const [discriminator, property] of Object.entries(propertiesOf(follow(schema, visit)))) {
    const values = constantsOf(property)
    const others = rivals.map((rival) =>
      constantsOf(propertiesOf(follow(rival, visit))[discriminator]),
    )
    if (values && others.every((other) => other && !other.some((value) => values.includes(value))))
      return { discriminator, values }
  }
}

const follow = (schema: unknown, visit: Visit): unknown =>
  isObject(schema) && '$ref' in schema ? resolve(schema, visit) : schema

function constantsOf(schema: unknown): readonly unknown[] | null {
  const keywords = keywordsOf(schema)
  if (keywords === null) return null
  return 'const' in keywords
    ? [keywords['const']]
    : Array.isArray(keywords['enum'])
      ? keywords['enum']
      : null
}

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The JSON types that a schema allows. */
function typesOf(schema: unknown, visit: Visit): readonly string[] {
  const keywords = keywordsOf(schema)
  if (keywords === null) return schema === false ? [] : allTypes
  const { type, nullable, anyOf, oneOf, $ref } = keywords
  const plusNull = (types: readonly string[]) => (nullable === true ? [...types, 'null'] : types)
  if (type !== undefined)
    return plusNull([type].flat().map((one) => (one === 'integer' ? 'number' : String(one))))
  const constants = constantsOf(keywords)
  if (constants) return constants.map(jsonTypeOf)
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return union.flatMap((one) => typesOf(one, visit))
  if (visit.open.length > 50) return allTypes
  const inner = { ...visit, open: [...visit.open, keywords] }
  const resolved = $ref === undefined ? undefined : resolve(keywords, visit)
  if (resolved !== undefined) return typesOf(resolved, inner)
  const all = listOf(keywords['allOf']).map((one) => typesOf(one, inner))
  return allTypes.filter((one) => all.every((types) => types.includes(one)))
}

/** The JSON type of a value: `object`, `array`, `string`, `number`, `boolean` or `null`. A Date is a string. */
export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof Date ? 'string' : typeof value
}

/** Whether values of a schema may be null. */
export const allowsNull = (schema: Schema, refuse: Refuse): boolean =>
  isObject(schema) &&
  typesOf(schema, {
    target: schema,
    root: schema,
    open: [],
    recursive: new Set(),
    refuse,
  }).includes('null')

/** Follows a `$ref` inside its document. A schema that other documents share is found by its own `$id` only. */
function resolve({ $ref }: JsonSchema, { root, open }: Visit): unknown {
  if (typeof $ref !== 'string') return undefined
  const [base = '', pointer = ''] = $ref.split('#')
  const isHome = (schema: object): boolean => {
    const { $id } = schema as JsonSchema
    return typeof $id === 'string' && $id.replace(/#$/, '') === base
  }
  const home = base === '' ? root : open.find(isHome)
  return stepsOf(decodeURIComponent(pointer)).reduce<unknown>(
    (at, step) => (isObject(at) || Array.isArray(at) ? at[step as never] : undefined),
    home,
  )
}

/** Whether the object of a schema library, such as `z.array(User)`, refers to a schema. */
function contains(schema: object, target: Schema): boolean {
  const seen = new Set<unknown>()
  const search = (value: unknown, depth: number): boolean => {
    if (value === target) return true
    if (
      value === null ||
      !['object', 'function'].includes(typeof value) ||
      seen.has(value) ||
      depth > 20
    )
      return false
    seen.add(value)
    const { _zod: zod } = value as { readonly _zod?: { readonly def?: object } }
    return Object.values((zod?.def ?? value) as object).some((one) => search(one, depth + 1))
  }
  return search(schema, 0)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const keysOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : [])
const isSamePaths = (a: readonly Path[], b: readonly Path[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)
const unique = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
]
