// Joins schemas that hold at once.
import { type Json, isObject, listOf } from '../json.ts'
import { bounds, hasType, isAnnotation, propertiesOf } from './shape.ts'

export type Values = readonly unknown[]
/** The properties that a schema declares, although a closed schema of its `allOf` doesn't. */
export const refusedNames = 'x-hv-refused'

/** Joins different values of a keyword that all apply. A keyword that isn't listed can't be joined. */
const joins: Readonly<Record<string, ((values: never) => unknown) | null>> = {
  __proto__: null,
  required: (lists: readonly string[][]) => [...new Set(lists.flat())],
  type: (types: readonly (string | readonly string[])[]) =>
    commonTypes(types.map((type) => [type].flat())),
  enum: (lists: readonly Values[]) => lists.reduce(commonValues),
  properties: joinProperties,
  items: both,
  additionalProperties: (values: Values) => (values.includes(false) ? false : both(values)),
  anyOf: product,
  oneOf: product,
  uniqueItems: (values: Values) => values.includes(true),
  ...Object.fromEntries(
    bounds.map(([keyword, , sign]) => [
      keyword,
      (limits: readonly number[]) => sign * Math.max(...limits.map((limit) => sign * limit)),
    ]),
  ),
}

function joinProperties(objects: readonly Json[]) {
  const joined = new Map<string, unknown>()
  for (const properties of objects)
    for (const [name, schema] of Object.entries(properties))
      joined.set(name, joined.has(name) ? both([joined.get(name), schema]) : schema)
  return Object.fromEntries(joined)
}

export const commonTypes = (lists: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(lists.flat().filter((type) => lists.every((list) => hasType(list, type)))),
]

export function commonValues(a: Values, b: Values): Values {
  const texts = new Set(b.map((value) => JSON.stringify(value)))
  return a.filter((value) => texts.has(JSON.stringify(value)))
}

/**
 * A schema for values that match all of them. Repetitions are left out, because a recursion through
 * `allOf` would grow with every step.
 */
export function both(schemas: Values): unknown {
  const allOf = [...new Set(schemas.flatMap(partsOf))]
  return allOf.length === 1 ? allOf[0] : { allOf }
}

const partsOf = (schema: unknown): Values =>
  isObject(schema) && Array.isArray(schema['allOf']) && Object.keys(schema).length === 1
    ? schema['allOf'].flatMap(partsOf)
    : [schema]

const maxCombined = 100
export const unions = ['anyOf', 'oneOf']

/**
 * The combinations of the unions' alternatives, for values that match all of the unions. Undefined
 * if there are too many.
 */
function product([first, ...others]: readonly [Values, ...Values[]]) {
  let combined = first
  for (const union of others) {
    if (combined.length * union.length > maxCombined) return undefined
    combined = combined.flatMap((left) => union.map((right) => both([left, right])))
  }
  return combined
}

/** Joins schemas into one for values that match all of them. */
export function join(schemas: readonly Json[]) {
  const parts = schemas.filter((schema) => Object.keys(schema).length > 0)
  if (parts.length === 1) return parts[0]!
  // The values of each keyword, by their texts.
  const keywords = new Map<string, Map<string, unknown>>()
  for (const part of parts)
    for (const [key, value] of Object.entries(part)) {
      const keyword = key.replace(/^allOf /, '')
      const values = keywords.get(keyword) ?? new Map<string, unknown>()
      keywords.set(keyword, values)
      if (isAnnotation(keyword)) values.clear() // the last one counts
      for (const inner of key === keyword ? [value] : listOf(value))
        values.set(JSON.stringify(inner), inner)
    }
  const joined: Record<string, unknown> = {}
  for (const [keyword, values] of keywords) {
    const [first, ...others] = values.values()
    const result = others.length === 0 ? first : joins[keyword]?.([first, ...others] as never)
    if (result !== undefined) {
      joined[keyword] = result
      continue
    }
    // Keeps all values, sorted, because the order of `allOf` doesn't matter.
    const sorted = [...values.keys()].toSorted().map((text) => values.get(text))
    // Comparing one of the unions would be as much work as comparing all.
    if (!unions.includes(keyword)) joined[keyword] = sorted[0]
    joined[`allOf ${keyword}`] = sorted
  }
  // In an `allOf`, each schema's additionalProperties apply to what it doesn't name itself.
  const properties: Record<string, unknown> = { ...propertiesOf(joined) }
  const refused = new Set(listOf(joined[refusedNames]))
  for (const part of parts) {
    const { additionalProperties: others } = part
    for (const [name, schema] of Object.entries(others === undefined ? {} : properties))
      if (Object.hasOwn(propertiesOf(part), name)) continue
      else if (others === false) refused.add(name)
      else properties[name] = both([schema, others])
  }
  if (joined['properties'] !== undefined) joined['properties'] = properties
  if (refused.size > 0) joined[refusedNames] = [...refused].toSorted()
  return joined
}
