// Schemas that may be, or may be made of, a change's newer one, although they aren't the same object.
// They explain what went wrong.
import type { ActionSchema, Schema } from '../types/schema.ts'
import { quoted } from '../wording.ts'
import type { Became } from './change.ts'
import { pointerTo } from './json-pointer.ts'
import { type JsonSchema, contentsOf, subschemasOf } from './json-schema.ts'
import { isObject } from '../objects.ts'
import { isLibrary, isOpaque, keywordsOf, libraryOf, schemasIn } from './library-schema.ts'
import { requestParts } from './plan.ts'
import { differenceOf } from './same-schema.ts'
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
  const { older, newer } = declared
  const changed = changedProperties(declared)
  for (const whole of schemasOf(schema).values())
    for (const part of schemasIn(whole) as ReadonlySet<JsonSchema>) {
      const library = libraryOf(part)
      const isClosed = library !== null && keywordsOf(part) === null
      if (isClosed && part !== older && mayContain(part, newer, changed))
        throw changeError(step, where, 'library', `It's a schema of ${library}`)
      if (named.has(part)) continue
      const properties = propertiesOf(part)
      const shared = changed.find(
        ([name, property]) =>
          name in properties &&
          (schemasIn(properties[name]).has(property) || isCopy(part, declared)),
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
function changedProperties({ older, newer }: Became): Properties {
  const [before, properties] = [propertiesOf(older), propertiesOf(newer)]
  const all = [...Object.values(before), ...Object.values(properties)]
  return Object.entries(properties).filter(
    ([name, property]) =>
      all.indexOf(property) === all.lastIndexOf(property) &&
      !(name in before && isAlike(property, before[name]!)),
  )
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = (keywordsOf(schema) ?? contentsOf(schema))?.['properties']
  return isObject(properties) ? (properties as Record<string, Schema>) : {}
}

/** Whether the contents of two schemas are equal, as far as their library shows them. */
function isAlike(schema: Schema, other: Schema): boolean {
  const [one, two] = [schema, other].map((part) =>
    withoutNames(contentsOf(part) ?? keywordsOf(part) ?? { part }),
  )
  return differenceOf(one, two) === null
}

/**
 * Whether a schema contains the newer one, or doesn't show its parts and may contain that, or one
 * made of it.
 */
function mayContain(schema: object, newer: Schema, changed: Properties): boolean {
  if (schemasIn(schema).has(newer)) return true
  if (!isOpaque(schema) || libraryOf(newer) !== libraryOf(schema)) return false
  const contents = isLibrary(schema) && changed.length > 0 && contentsOf(schema)
  const text = JSON.stringify(contents)
  return !contents || changed.some(([name]) => text.includes(JSON.stringify(name)))
}

/**
 * Whether JSON Schema has copies of the newer one's properties, as TypeBox's Partial makes them. With
 * TypeBox 0.34, which also copies properties into a Composite, there may be more of them.
 */
function isCopy(schema: JsonSchema, { older, newer }: Became): boolean {
  if (isAlike(schema, older) || isAlike(schema, newer)) return false
  const [properties, wanted] = [propertiesOf(schema), propertiesOf(newer)]
  const names = Object.keys(Symbol.for('TypeBox.Kind') in schema ? wanted : properties)
  const copied = Object.fromEntries(names.map((name) => [name, properties[name]]))
  return differenceOf(copied, wanted, '', undefined, true) === null
}

/** An action's schemas, by their place: `body`, `response 200`. */
function schemasOf({
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
