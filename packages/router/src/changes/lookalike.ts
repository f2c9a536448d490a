// Schemas that look like a change's newer one, but aren't the same object. They explain what went
// wrong.
import type { ActionSchema, Schema } from '../types/schema.ts'
import { pointerTo } from './json-pointer.ts'
import { type JsonSchema, contentsOf, isObject, subschemasOf } from './json-schema.ts'
import { isLibrary, keywordsOf } from './library-schema.ts'
import { requestParts } from './plan.ts'
import { differenceOf } from './same-schema.ts'

/** Whether a body contains a partial of a schema, as a PATCH's body does. */
export const hasPartial = (body: Schema, target: Schema): boolean =>
  hasLookalike(body, target, (required, ofTarget) => required < ofTarget)

/** Whether a schema that doesn't show its parts contains a schema that's equal to the target. */
export const hidesEqual = (schema: Schema | undefined, target: Schema): boolean =>
  isLibrary(schema) &&
  keywordsOf(schema) === null &&
  hasLookalike(schema, target, (required, ofTarget) => required === ofTarget)

/** @param isWanted - receives how many properties each of the two schemas requires */
function hasLookalike(
  schema: Schema,
  target: Schema,
  isWanted: (required: number, ofTarget: number) => boolean,
): boolean {
  const { required: ofTarget, ...wanted } = withoutNames(contentsOf(target) ?? {})
  if (!isObject(wanted['properties'])) return false
  return [...subschemasOf(contentsOf(schema) ?? {}).keys()].some((subschema) => {
    const { required, ...keywords } = withoutNames(subschema)
    return (
      isObject(keywords['properties']) &&
      isWanted(lengthOf(required), lengthOf(ofTarget)) &&
      differenceOf(keywords, wanted) === null
    )
  })
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** An action's schemas, by their place: `body`, `response 200`. */
export function schemasOf({
  response,
  ...request
}: ActionSchema): ReadonlyMap<string, Schema | undefined> {
  const schemas = new Map<string, Schema | undefined>()
  for (const part of requestParts) schemas.set(part, request[part])
  for (const [status, body] of Object.entries(response ?? {}))
    schemas.set(`response ${status}`, body)
  return schemas
}

/**
 * Says which action's schema is the most similar to the target, and where the two differ. Empty if
 * no schema is similar.
 */
export function describeNearest(
  actions: ReadonlyMap<string, ActionSchema>,
  target: Schema,
): string {
  const wanted = withoutNames(contentsOf(target) ?? {})
  let most = 0.4 // with less in common, a hint would only confuse
  let hint = ''
  for (const [action, schemas] of actions)
    for (const [part, schema = true] of schemasOf(schemas))
      for (const [subschema, keys] of subschemasOf(contentsOf(schema) ?? {})) {
        const likeness = likenessOf(subschema, wanted)
        if (likeness <= most) continue
        most = likeness
        const place = `${action}, ${part}${keys.length === 0 ? '' : ` at ${pointerTo(keys)}`}`
        const difference = differenceOf(withoutNames(subschema), wanted)
        hint =
          difference === null
            ? `An equal schema is in ${place}, but it's a different object`
            : `The nearest is in ${place}. It differs at ${difference || 'its root'}`
      }
  return hint
}

/** Libraries only give a name to a schema that's a whole document. */
function withoutNames(schema: JsonSchema): JsonSchema {
  const { $id: _id, id: _name, $schema: _dialect, ...keywords } = schema
  return keywords
}

/**
 * The share of properties that two schemas have in common, from 0 to 1. Equal properties count
 * twice.
 */
function likenessOf(schema: JsonSchema, wanted: JsonSchema): number {
  const { properties } = schema
  const { properties: wantedProperties } = wanted
  if (!isObject(properties) || !isObject(wantedProperties))
    return isObject(schema['items']) && isObject(wanted['items'])
      ? likenessOf(schema['items'], wanted['items'])
      : 0
  const all = new Set([...Object.keys(properties), ...Object.keys(wantedProperties)])
  const common = [...all].filter((name) => name in properties && name in wantedProperties)
  const equal = common.filter(
    (name) => differenceOf(properties[name], wantedProperties[name]) === null,
  )
  return (common.length + equal.length) / (2 * all.size || 1)
}
