import type { RouterErrorDetails } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import { type JsonSchema, conditions, isObject, stepsOf } from './json-schema.ts'
import { isLibrary, isSchemaObject, keywordsOf } from './library-schema.ts'
import { differenceOf, isSameSchema } from './same-schema.ts'

/** One step from a value down to a value in it. */
export type Step =
  | { readonly property: string }
  /** The elements from an index on, up to another. */
  | { readonly from: number; readonly until: number }
  /** The properties that match a pattern, or all. Those in `except` have a path of their own, or no such value. */
  | { readonly pattern: string | null; readonly except: readonly string[]; readonly exceptPatterns: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly types: readonly string[] }
  /** The value itself, if its discriminator has one of these values. */
  | { readonly discriminator: string; readonly values: readonly unknown[] }
  /** The value itself. Other schemas of `allOf` describe these properties, so they stay. */
  | { readonly keep: readonly string[] }

/** The steps from a value down to the values in it that a schema describes. */
export type Path = readonly Step[]

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
 * @param difference - of a schema with the same `$id`, the first place where it differs
 */
export type Refuse = (reason: RouterErrorDetails['HV_CHANGE']['reason'], difference?: string) => never

/**
 * Finds a schema in another one.
 *
 * @param refuse - called when values do not show which of them the schema describes
 * @returns the paths to its values; `[[]]` if the schema is the target itself
 */
export function findSchema(schema: Schema | undefined, target: Schema, refuse: Refuse): readonly Path[] {
  if (schema === undefined) return []
  const root = isObject(schema) ? schema : {}
  return visitSchema(schema, { target, root, open: [], recursive: new Set(), refuse })
}

function visitSchema(schema: unknown, visit: Visit): readonly Path[] {
  if (!isSchemaObject(schema)) return []
  if (isSameSchema(schema, visit.target)) {
    const difference = isLibrary(schema) || '$ref' in schema ? null : differenceOf(schema, visit.target)
    return difference === null ? [[]] : visit.refuse('drifted', difference)
  }
  const keywords = keywordsOf(schema)
  if (keywords === null) return contains(schema, visit.target) ? visit.refuse('library') : []
  if (isLeaf(keywords)) return []
  if (visit.open.includes(schema)) {
    visit.recursive.add(schema)
    return []
  }
  const inner = { ...visit, open: [...visit.open, schema] }
  const resolved = resolve(keywords, inner)
  const paths = unique([
    ...(resolved === undefined ? [] : visitSchema(resolved, inner)),
    ...inProperties(keywords, inner),
    ...inItems(keywords, inner),
    ...inAllOf(keywords, inner),
    ...[keywords['anyOf'], keywords['oneOf']].flatMap<Path>((union) => inUnion(listOf(union), inner)),
  ])
  const conditional = [...conditions.map((keyword) => keywords[keyword]), ...valuesOf(keywords['dependentSchemas'])]
  if (conditional.some((one) => visitSchema(one, inner).length > 0)) visit.refuse('ambiguous')
  return paths.length > 0 && visit.recursive.has(schema) ? visit.refuse('recursive') : paths
}

/** Most schemas are `{ type: 'string' }` and contain no other. */
const isLeaf = (schema: JsonSchema): boolean =>
  Object.keys(schema).every(
    (key) => key !== '$ref' && typeof schema[key] !== 'object' && typeof schema[key] !== 'function',
  )

interface Named {
  readonly name: string
  readonly rests: readonly Path[]
}
const nameOf = ({ name }: Named): string => name

function inProperties(schema: JsonSchema, visit: Visit): readonly Path[] {
  const { properties, patternProperties, additionalProperties } = schema
  const restsOf = (schemas: unknown): readonly Named[] =>
    Object.entries(isObject(schemas) ? schemas : {}).map(([name, one]) => ({ name, rests: visitSchema(one, visit) }))
  const named = restsOf(properties)
  const patterns = restsOf(patternProperties)
  const namesWith = (rest: Path, entries: readonly Named[]) =>
    entries.filter(({ rests }) => rests.some((other) => isSamePaths([other], [rest]))).map(nameOf)
  return [
    ...named.flatMap<Path>(({ name: property, rests }) => rests.map((rest): Path => [{ property }, ...rest])),
    // A property that also has another schema with this path is converted once.
    ...patterns.flatMap<Path>(({ name: pattern, rests }, i) =>
      rests.map((rest): Path => [
        { pattern, except: namesWith(rest, named), exceptPatterns: namesWith(rest, patterns.slice(0, i)) },
        ...rest,
      ]),
    ),
    ...below(
      { pattern: null, except: named.map(nameOf), exceptPatterns: patterns.map(nameOf) },
      additionalProperties,
      visit,
    ),
  ]
}

function inItems({ items, prefixItems, additionalItems }: JsonSchema, visit: Visit): readonly Path[] {
  const first = Array.isArray(items) ? items : listOf(prefixItems)
  const rest = Array.isArray(items) ? additionalItems : items
  return [
    ...first.flatMap<Path>((one, from) => below({ from, until: from + 1 }, one, visit)),
    ...below({ from: first.length, until: Infinity }, rest, visit),
  ]
}

const below = (step: Step, schema: unknown, visit: Visit): readonly Path[] =>
  visitSchema(schema, visit).map((rest): Path => [step, ...rest])

/** A conversion that returns only what its own schema has must not lose the properties of the others. */
function inAllOf(schema: JsonSchema, visit: Visit): readonly Path[] {
  const all = listOf(schema['allOf'])
  return all.flatMap<Path>((one) => {
    const others = [schema, ...all.filter((other) => other !== one)]
    const known = propertyNames(one)
    const keep = others.flatMap(propertyNames).filter((name) => !known.includes(name))
    const paths = visitSchema(one, visit)
    return keep.length === 0 ? paths : paths.map((path) => (path.length === 0 ? [{ keep }] : path))
  })
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
  if (alternatives.every(({ paths }) => isSamePaths(paths, alternatives[0]!.paths))) return alternatives[0]?.paths ?? []
  return alternatives.flatMap<Path>((alternative) => {
    const { schema, paths, types } = alternative
    if (paths.length === 0) return []
    const rivals = alternatives.filter(
      (other) => other !== alternative && other.types.some((type) => type !== 'null' && types.includes(type)),
    )
    const rivalSchemas = rivals.map((rival) => rival.schema)
    const step = rivals.length === 0 ? { types } : discriminatorOf(schema, rivalSchemas, visit)
    return step === undefined ? visit.refuse('ambiguous') : paths.map((path) => [step, ...path])
  })
}

/** The property whose constants only one of several objects has. */
function discriminatorOf(schema: unknown, rivals: readonly unknown[], visit: Visit): Step | undefined {
  for (const [discriminator, property] of Object.entries(propertiesOf(follow(schema, visit)))) {
    const values = constantsOf(property)
    const others = rivals.map((rival) => constantsOf(propertiesOf(follow(rival, visit))[discriminator]))
    if (values && others.every((other) => other && !other.some((value) => values.includes(value))))
      return { discriminator, values }
  }
}

const follow = (schema: unknown, visit: Visit): unknown =>
  isObject(schema) && '$ref' in schema ? resolve(schema, visit) : schema

function constantsOf(schema: unknown): readonly unknown[] | null {
  const keywords = keywordsOf(schema)
  if (keywords === null) return null
  return 'const' in keywords ? [keywords['const']] : Array.isArray(keywords['enum']) ? keywords['enum'] : null
}

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The JSON types that a schema allows. */
function typesOf(schema: unknown, visit: Visit): readonly string[] {
  const keywords = keywordsOf(schema)
  if (keywords === null) return schema === false ? [] : allTypes
  const { type, nullable, anyOf, oneOf, $ref } = keywords
  const plusNull = (types: readonly string[]) => (nullable === true ? [...types, 'null'] : types)
  if (type !== undefined) return plusNull([type].flat().map((one) => (one === 'integer' ? 'number' : String(one))))
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
  typesOf(schema, { target: schema, root: schema, open: [], recursive: new Set(), refuse }).includes('null')

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
    if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value) || depth > 20) return false
    seen.add(value)
    const { _zod: zod } = value as { readonly _zod?: { readonly def?: object } }
    return Object.values((zod?.def ?? value) as object).some((one) => search(one, depth + 1))
  }
  return search(schema, 0)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const valuesOf = (value: unknown): readonly unknown[] => (isObject(value) ? Object.values(value) : [])
const isSamePaths = (a: readonly Path[], b: readonly Path[]): boolean => JSON.stringify(a) === JSON.stringify(b)
const unique = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
]
