// Schemas that may be, or may be made of, a change's newer one, although they aren't the same object.
// They explain what went wrong.
import type { ActionSchema, Schema } from '../types/schema.ts'
import { quoted } from '../wording.ts'
import { pointerTo } from './json-pointer.ts'
import { type JsonSchema, subschemasOf } from './json-schema.ts'
import { isObject } from '../objects.ts'
import { differenceOf } from './find-schema.ts'
import { type View, copiesProperties, schemasIn, viewOf } from './schema-view.ts'
import { type ChangeStep, changeError } from './step.ts'

/**
 * Rejects a schema that a step left as it is, although its values may have changed.
 *
 * @param where - the action: `users.index`
 * @param schema - the action's schema without the changes
 * @param named - the schemas that the changes name
 * @throws RouterError HV_CHANGE
 */
export function assertNoneMissed(
  where: string,
  schema: ActionSchema,
  step: ChangeStep,
  named: ReadonlySet<unknown>,
): void {
  const { declared } = step
  if (!('newer' in declared) || declared.only?.includes(where) === false) return
  const [older, newer] = [viewOf(declared.older), viewOf(declared.newer)]
  const changed = changedProperties(older, newer)
  for (const [, whole] of schemasOf(schema))
    for (const part of schemasIn(whole)) {
      const view = viewOf(part)
      if (view !== older && mayContain(view, newer, changed))
        throw changeError(step, where, 'library', `It's a schema of ${view.library}`)
      if (named.has(part)) continue
      const shared = changed.find(
        ([name, property]) =>
          name in view.properties &&
          (schemasIn(view.properties[name]).has(property) || isCopy(view, older, newer)),
      )
      if (shared !== undefined)
        throw changeError(step, where, 'derived', `Both have the property ${quoted(shared[0])}`)
    }
}

type Properties = readonly (readonly [name: string, schema: Schema])[]

/**
 * The properties that a change removes or alters. One whose schema is used twice, such as
 * `const string = { type: 'string' }`, doesn't show where it comes from.
 */
function changedProperties({ properties: before }: View, { properties }: View): Properties {
  const all = [...Object.values(before), ...Object.values(properties)]
  return Object.entries(properties).filter(
    ([name, property]) =>
      all.indexOf(property) === all.lastIndexOf(property) &&
      !(name in before && isAlike(viewOf(property), viewOf(before[name]))),
  )
}

/** Whether the contents of two schemas are equal, as far as their library shows them. */
function isAlike(view: View, other: View): boolean {
  const [one, two] = [view, other].map(
    ({ schema, contents, keywords }) => contents ?? keywords ?? schema,
  )
  return differenceOf(one, two) === null
}

/**
 * Whether a schema that can't be rebuilt contains the newer one, or doesn't show its parts and may
 * contain that, or one made of it.
 */
function mayContain(view: View, newer: View, changed: Properties): boolean {
  if (view.library === null || view.keywords !== null) return false
  if (schemasIn(view.schema).has(newer.schema)) return true
  if (view.parts !== null || view.library !== newer.library) return false
  const contents = changed.length > 0 && view.contents
  const text = JSON.stringify(contents)
  return !contents || changed.some(([name]) => text.includes(JSON.stringify(name)))
}

/**
 * Whether JSON Schema has copies of the newer one's properties, as TypeBox's Partial makes them. With
 * TypeBox 0.34, which also copies properties into a Composite, there may be more of them.
 */
function isCopy(view: View, older: View, newer: View): boolean {
  if (isAlike(view, older) || isAlike(view, newer)) return false
  const { schema, properties } = view
  const names = Object.keys(copiesProperties(schema as object) ? newer.properties : properties)
  const copied = Object.fromEntries(names.map((name) => [name, properties[name]]))
  return differenceOf({ properties: copied }, { properties: newer.properties }) === null
}

/** An action's schemas, and their places: `body`, `response 200`. */
function schemasOf({ params, querystring, headers, body, response }: ActionSchema) {
  const bodies = Object.entries(response ?? {}).map(([status, schema]) => [
    `response ${status}`,
    schema,
  ])
  return Object.entries<unknown>({
    params,
    querystring,
    headers,
    body,
    ...Object.fromEntries(bodies),
  })
}

/**
 * Says which action's schema is the most similar to the target, and where the two differ. Empty if
 * no schema is similar.
 */
export function describeNearest(
  actions: readonly (readonly [where: string, schema: ActionSchema])[],
  target: Schema,
): string {
  const wanted = viewOf(target).contents ?? {}
  let most = 0.4 // with less in common, a hint would only confuse
  let hint = ''
  for (const [action, schemas] of actions)
    for (const [part, schema] of schemasOf(schemas))
      for (const [subschema, keys] of subschemasOf(viewOf(schema).contents ?? {})) {
        const likeness = likenessOf(subschema, wanted)
        if (likeness <= most) continue
        most = likeness
        const place = `${action}, ${part}${keys.length === 0 ? '' : ` at ${pointerTo(keys)}`}`
        const difference = differenceOf(subschema, wanted)
        hint =
          difference === null
            ? `An equal schema is in ${place}, but it's a different object`
            : `The nearest is in ${place}. It differs at ${difference || 'its root'}`
      }
  return hint
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
  const common = Object.keys(properties).filter((name) => name in wantedProperties)
  const equal = common.filter(
    (name) => differenceOf(properties[name], wantedProperties[name]) === null,
  )
  const all = Object.keys({ ...properties, ...wantedProperties })
  return (common.length + equal.length) / (2 * all.length || 1)
}
