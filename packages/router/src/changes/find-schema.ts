import type { RouterErrorDetails } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import { type JsonSchema, isSchemaObject, mapSchema } from './json-schema.ts'
import { isObject } from '../objects.ts'
import { isLibrary, keywordsOf } from './library-schema.ts'
import { differenceOf, isSameSchema } from './same-schema.ts'
import { type Scope, constantsOf, listOf, resolve, typesOf } from './value-types.ts'

/** One step from a value down to values in it, or on to the value itself if it passes a test. */
export type PathStep =
  | { readonly to: 'property'; readonly name: string }
  /** The elements from an index up to, but not including, a second index. */
  | { readonly to: 'elements'; readonly from: number; readonly until: number }
  /** All properties that match a pattern, except those with these names. */
  | { readonly to: 'properties'; readonly pattern: string; readonly except: readonly string[] }
  /** The value itself, if it has one of these JSON types. */
  | { readonly to: 'itself-if-type'; readonly types: readonly string[] }
  /** The value itself, if its tag, such as `kind`, has one of these values. */
  | { readonly to: 'itself-if-tagged'; readonly tag: string; readonly values: readonly unknown[] }
  /**
   * The value itself, but these properties stay unchanged, because other schemas of `allOf`
   * describe them.
   */
  | { readonly to: 'itself-keeping'; readonly names: readonly string[] }

/**
 * The steps from a value down to those that a schema describes. In `{ items: User[] }`, the path to
 * users is the property `items`, then its elements.
 */
export type Path = readonly PathStep[]

/**
 * Says why a schema can't be replaced where it is. Whoever catches it adds the change and the
 * action.
 */
export class Irreversible extends Error {
  readonly reason: RouterErrorDetails['HV_CHANGE']['reason']
  /** What to look at, such as the place where two schemas differ. */
  readonly hint: string

  constructor(reason: Irreversible['reason'], hint = '') {
    super(reason)
    this.reason = reason
    this.hint = hint
  }
}

interface Visit extends Scope {
  readonly target: Schema
  /** The schemas that contain themselves. */
  readonly recursive: Set<object>
}

/**
 * Finds the places of a target in a schema.
 *
 * @returns the paths to the values that it describes; `[[]]` if the schema is the target itself
 * @throws Irreversible if a value doesn't show whether the target describes it
 */
export const findSchema = (schema: Schema | undefined, target: Schema): readonly Path[] =>
  visitSchema(schema, { target, root: schema, open: [], recursive: new Set() })

function visitSchema(schema: unknown, visit: Visit): readonly Path[] {
  if (!isSchemaObject(schema)) return []
  if (isSameSchema(schema, visit.target)) {
    const hasContents = !isLibrary(schema) && !('$ref' in schema)
    const difference = hasContents ? differenceOf(schema, visit.target) : null
    if (difference !== null) throw new Irreversible('drifted', `They differ at ${difference}`)
    return [[]]
  }
  const keywords = keywordsOf(schema)
  if (keywords === null) return [] // if the target is in it, `before` says so
  if (visit.open.includes(schema)) {
    visit.recursive.add(schema)
    return []
  }
  const inner = { ...visit, open: [...visit.open, schema] }
  const paths = [...visitSchema(resolve(keywords, inner), inner)]
  mapSchema(keywords, (child, keyword, name = '') => {
    if (visitedApart.has(keyword)) return
    const rests = visitSchema(child, inner)
    if (rests.length === 0) return
    const step = stepInto(child, keyword, name, keywords)
    if (step === null) throw new Irreversible('ambiguous')
    for (const rest of rests) {
      const keepsAll = step.to === 'itself-keeping' && (step.names.length === 0 || rest.length > 0)
      paths.push(keepsAll ? rest : [step, ...rest])
    }
  })
  for (const union of [keywords['anyOf'], keywords['oneOf']])
    paths.push(...visitUnion(listOf(union), inner))
  if (paths.length > 0 && visit.recursive.has(schema)) throw new Irreversible('recursive')
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}

/**
 * Not visited as parts of a schema: definitions only apply where a `$ref` names them,
 * `contentSchema` only applies to text in a different format, and unions have their own rule.
 */
const visitedApart = new Set(['$defs', 'definitions', 'contentSchema', 'anyOf', 'oneOf'])

/**
 * The step from a schema's values to those of a schema in it.
 *
 * @param name - the name of a property, or the index of an element
 * @returns null for a keyword that applies only under conditions, such as `if` and `not`
 */
function stepInto(
  child: object,
  keyword: string,
  name: string,
  schema: JsonSchema,
): PathStep | null {
  const names = Object.keys(schema['properties'] ?? {})
  const patterns = Object.keys(schema['patternProperties'] ?? {})
  const element: PathStep = { to: 'elements', from: Number(name), until: Number(name) + 1 }
  switch (keyword) {
    case 'properties':
      return { to: 'property', name }
    case 'patternProperties':
      if (names.length + patterns.length > 1) return null
      return { to: 'properties', pattern: name, except: [] }
    case 'additionalProperties':
      return patterns.length > 0 ? null : { to: 'properties', pattern: '', except: names }
    case 'prefixItems':
      return element
    case 'items': {
      if (Array.isArray(schema['items'])) return element // the tuples of draft 7
      return { to: 'elements', from: listOf(schema['prefixItems']).length, until: Infinity }
    }
    case 'allOf': {
      // A conversion may return nothing but its own schema's properties, so the step keeps the
      // properties that the other schemas describe.
      const described = Object.keys(propertiesOf(child))
      const others = [schema, ...listOf(schema['allOf']).filter((other) => other !== child)]
      const kept = others.flatMap((other) => Object.keys(propertiesOf(other)))
      return { to: 'itself-keeping', names: kept.filter((key) => !described.includes(key)) }
    }
    default:
      return null
  }
}

/**
 * Finds the target in the schemas of a union. A value's JSON type or one of its properties has to
 * show which of the schemas describes it, unless the paths are the same in all of them.
 */
function visitUnion(union: readonly unknown[], visit: Visit): readonly Path[] {
  const alternatives = union
    .map((schema) => ({ schema, paths: visitSchema(schema, visit), types: typesOf(schema, visit) }))
    .filter(({ types }) => types.some((type) => type !== 'null'))
  const texts = new Set(alternatives.map(({ paths }) => JSON.stringify(paths)))
  if (texts.size < 2) return alternatives[0]?.paths ?? []
  return alternatives.flatMap<Path>((alternative) => {
    const { schema, paths, types } = alternative
    if (paths.length === 0) return []
    const rivals = alternatives
      .filter((other) => other !== alternative)
      .filter((other) => other.types.some((type) => type !== 'null' && types.includes(type)))
      .map((rival) => rival.schema)
    const step: PathStep | null =
      rivals.length === 0 ? { to: 'itself-if-type', types } : tagOf(schema, rivals, visit)
    if (step === null) throw new Irreversible('ambiguous')
    return paths.map((path) => [step, ...path])
  })
}

/**
 * Finds a property whose constants no other schema of a union has: `kind` in `{ kind: 'circle' }`.
 */
function tagOf(schema: unknown, rivals: readonly unknown[], visit: Visit): PathStep | null {
  const propertiesBehind = (alternative: unknown): JsonSchema =>
    propertiesOf((isObject(alternative) ? resolve(alternative, visit) : null) ?? alternative)
  for (const [tag, property] of Object.entries(propertiesBehind(schema))) {
    const values = constantsOf(property)
    const isOwn = rivals.every((rival) => {
      const taken = constantsOf(propertiesBehind(rival)[tag])
      return taken !== null && !taken.some((value) => values?.includes(value))
    })
    if (values !== null && isOwn) return { to: 'itself-if-tagged', tag, values }
  }
  return null
}

function propertiesOf(schema: unknown): JsonSchema {
  const properties = keywordsOf(schema)?.['properties']
  return isObject(properties) ? properties : {}
}
