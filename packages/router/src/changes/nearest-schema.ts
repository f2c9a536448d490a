import type { RouterErrorDetails } from '../errors.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'
import type { Became } from './change.ts'
import { type JsonSchema, contentsOf, isObject, mapSchema, pointerTo } from './json-schema.ts'
import { isLibrary, keywordsOf } from './library-schema.ts'
import { requestParts } from './plan.ts'
import { differenceOf } from './same-schema.ts'

type Nearest = RouterErrorDetails['HV_CHANGE']['nearest']
/** By action: `users.show`. */
type SchemaByAction = ReadonlyMap<string, { readonly schema: ActionSchema }>

/** Finds the schema of the actions that is the most like another one, for an error message. Null if none is. */
export function nearestSchema(actions: SchemaByAction, target: Schema): Nearest {
  const wanted = contentsOf(target) ?? {}
  let best = 0.4 // less in common says nothing
  let nearest: Nearest = null
  for (const { action, part, whole } of partsOf(actions))
    for (const [at, schema] of subschemasOf(contentsOf(whole) ?? {})) {
      const likeness = likenessOf(schema, wanted)
      if (likeness <= best) continue
      best = likeness
      nearest = { where: `${action}, ${part}`, at: pointerTo(at), difference: differenceOf(schema, wanted) }
    }
  return nearest
}

/** The schemas of all actions: of `body`, `response 200` and so on. */
function* partsOf(actions: SchemaByAction): Iterable<{ action: string; part: string; whole: Schema }> {
  for (const [action, { schema }] of actions) {
    for (const part of requestParts) if (schema[part] !== undefined) yield { action, part, whole: schema[part] }
    for (const status in schema.response) yield { action, part: `response ${status}`, whole: schema.response[status]! }
  }
}

/**
 * Finds what a change would leave as it is although it probably changed: a partial of the newer schema, as the body of a PATCH has,
 * and an equal schema inside one that doesn't show its parts.
 */
export function findLookalike(
  actions: SchemaByAction,
  { newer, only }: Became,
): { readonly where: string; readonly reason: 'partial' | 'library' } | null {
  const wanted = contentsOf(newer)
  if (!wanted || !isObject(wanted['properties'])) return null
  for (const { action: where, part, whole } of partsOf(actions)) {
    const isOpaque = isLibrary(whole) && keywordsOf(whole) === null
    if (only?.includes(where) === false || (part !== 'body' && !isOpaque)) continue
    for (const [, schema] of subschemasOf(contentsOf(whole) ?? {})) {
      if (!isObject(schema['properties']) || !isSameButRequired(schema, wanted)) continue
      const [some, all] = [schema, wanted].map(({ required }) => (Array.isArray(required) ? required.length : 0))
      if (isOpaque && some === all) return { where, reason: 'library' }
      if (part === 'body' && some! < all!) return { where, reason: 'partial' }
    }
  }
  return null
}

/** Whether schemas differ in nothing but what they require, and in their names. */
function isSameButRequired(schema: JsonSchema, other: JsonSchema): boolean {
  const [one, two] = [schema, other].map(
    ({ $id: _id, id: _name, $schema: _version, required: _required, ...rest }) => rest,
  )
  return differenceOf(one, two) === null
}

/** A schema and all in it, each with the keys that lead to it. */
function subschemasOf(
  schema: JsonSchema,
  at: readonly string[] = [],
  open: readonly JsonSchema[] = [],
): readonly (readonly [at: readonly string[], JsonSchema])[] {
  if (open.includes(schema)) return []
  const inner: (readonly [readonly string[], JsonSchema])[] = []
  mapSchema(schema, (one, ...keys) => void inner.push(...subschemasOf(one, [...at, ...keys], [...open, schema])))
  return [[at, schema], ...inner]
}

/** From 0 to 1: the share of properties that are in both, where equal ones count twice. */
function likenessOf(schema: JsonSchema, wanted: JsonSchema): number {
  const [one, two] = [schema, wanted].map(({ properties }) => properties)
  if (!isObject(one) || !isObject(two))
    return isObject(schema['items']) && isObject(wanted['items']) ? likenessOf(schema['items'], wanted['items']) : 0
  const names = new Set([...Object.keys(one), ...Object.keys(two)])
  const common = [...names].filter((name) => name in one && name in two)
  const equal = common.filter((name) => differenceOf(one[name], two[name]) === null)
  return (common.length + equal.length) / (2 * names.size || 1)
}
