import { type Change, isChange } from '../changes/change.ts'
import { invalidOption } from '../errors.ts'
import { type JsonSchema, toJsonSchema } from '../changes/json-schema.ts'
import type { Schema, SchemaDirection } from '../types/schema.ts'

/** What must hold for one direction of a change: it converts every value of `from` to a value of `to`. */
export interface Law {
  /** `A list is an envelope (down)` */
  readonly name: string
  /** The schema of the values to convert: JSON Schema, whatever library the change's schemas are from. */
  readonly from: JsonSchema
  /** The schema that each converted value has to match, as JSON Schema. */
  readonly to: JsonSchema
  /** The change's `up` or `down`. */
  readonly convert: (value: unknown) => unknown
}

/**
 * Lists what must hold for changes, for any property-based test: every valid older request converts to a valid newer one,
 * and every valid newer response to a valid older one.
 *
 * @throws RouterError HV_NO_JSON_SCHEMA
 * @example
 * it.each(lawsOf(fullName, listsAreEnvelopes))('$name', ({ from, to, convert }) =>
 *   fc.assert(fc.property(valuesOf(from), (value) => ajv.validate(to, convert(value)))))
 */
export const lawsOf = (...changes: readonly Change[]): readonly Law[] =>
  changes.flatMap((change) => {
    if (!isChange(change))
      throw invalidOption('lawsOf()', 'every change', 'what change() returns', change)
    const { about, became } = change
    const name = about.replace(/\.$/, '')
    const schemas = became.filter((step) => 'newer' in step)
    return schemas.flatMap(({ older, newer, up, down }) => [
      // The newer schema validates what `up` returns as if a client had sent it.
      ...(up === undefined ? [] : [lawOf(`${name} (up)`, older, newer, 'input', up)]),
      ...(down === undefined ? [] : [lawOf(`${name} (down)`, newer, older, 'output', down)]),
    ])
  })

const lawOf = (
  name: string,
  from: Schema,
  to: Schema,
  direction: SchemaDirection,
  convert: (value: never) => unknown,
): Law => ({
  name,
  from: plainSchema(from, 'output', name),
  to: plainSchema(to, direction, name),
  convert: convert as Law['convert'],
})

/** Without `$schema`: Ajv knows only one version of JSON Schema at a time, and rejects the names of others. */
function plainSchema(schema: Schema, direction: SchemaDirection, where: string): JsonSchema {
  const json = toJsonSchema(schema, direction, where)
  const { $schema: version, ...keywords } = json
  return version === undefined ? json : keywords
}
