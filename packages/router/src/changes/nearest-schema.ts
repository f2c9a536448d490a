import type { ActionSchema, Schema } from '../types/schema.ts'
import { type JsonSchema, contentsOf, isObject, mapSchema, pointerTo } from './json-schema.ts'
import { requestParts } from './plan.ts'
import { differenceOf } from './same-schema.ts'

/** Says in which action the schema is that is the most like another one, and where they differ. Empty if none is alike. */
export function describeNearest(
  actions: ReadonlyMap<string, ActionSchema>,
  target: Schema,
): string {
  const wanted = withoutNames(contentsOf(target) ?? {})
  let most = 0.4 // less in common says nothing
  let nearest = ''
  for (const [action, { response = {}, ...request }] of actions) {
    const parts = [
      ...requestParts.map((part) => [part, request[part]] as const),
      ...Object.entries(response).map(
        ([status, schema]) => [`response ${status}`, schema] as const,
      ),
    ]
    for (const [part, schema] of parts)
      for (const [at, one] of subschemasOf(contentsOf(schema ?? true) ?? {})) {
        const likeness = likenessOf(one, wanted)
        if (likeness <= most) continue
        most = likeness
        const place = `${action}, ${part}${at === '' ? '' : ` at ${at}`}`
        nearest = hintAt(place, differenceOf(withoutNames(one), wanted))
      }
  }
  return nearest
}

const hintAt = (place: string, difference: string | null): string =>
  difference === null
    ? `An equal schema is in ${place}, but it is another object`
    : `The nearest is in ${place}. It differs at ${difference === '' ? 'its root' : difference}`

/** Libraries add what names a schema where it is the whole one. */
const withoutNames = ({
  $id: _id,
  id: _name,
  $schema: _dialect,
  ...rest
}: JsonSchema): JsonSchema => rest

/** A schema and all in it, each with its JSON pointer. */
function subschemasOf(
  schema: JsonSchema,
  at = '',
  open: readonly JsonSchema[] = [],
): readonly (readonly [pointer: string, JsonSchema])[] {
  if (open.includes(schema)) return []
  const inner: (readonly [string, JsonSchema])[] = []
  mapSchema(
    schema,
    (one, ...keys) =>
      void inner.push(...subschemasOf(one, at + pointerTo(keys), [...open, schema])),
  )
  return [[at, schema], ...inner]
}

/** From 0 to 1: the share of properties that are in both, where equal ones count twice. */
function likenessOf(schema: JsonSchema, wanted: JsonSchema): number {
  const [one, two] = [schema, wanted].map(({ properties }) => properties)
  if (!isObject(one) || !isObject(two))
    return isObject(schema['items']) && isObject(wanted['items'])
      ? likenessOf(schema['items'], wanted['items'])
      : 0
  const names = new Set([...Object.keys(one), ...Object.keys(two)])
  const common = [...names].filter((name) => name in one && name in two)
  const equal = common.filter((name) => differenceOf(one[name], two[name]) === null)
  return (common.length + equal.length) / (2 * names.size || 1)
}
