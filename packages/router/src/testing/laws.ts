import { type Change, isChange } from '../changes/change.ts'
import { invalidOption } from '../errors.ts'
import { type JsonSchema, toJsonSchema } from '../changes/json-schema.ts'
import type { Schema } from '../types/schema.ts'

/** What must hold for one direction of a change: it converts every value of `from` to a value of `to`. */
export interface Law {
  /** `A list is an envelope (down)` */
  readonly name: string
  readonly from: JsonSchema
  readonly to: JsonSchema
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
    if (!isChange(change)) throw invalidOption('lawsOf()', 'every change', 'what change() returns', change)
    const { about, became } = change
    const name = about.replace(/\.$/, '')
    const schemas = became.filter((step) => 'newer' in step)
    return schemas.flatMap(({ older, newer, up, down }) => [
      ...(up === undefined ? [] : [lawOf(`${name} (up)`, older, newer, up)]),
      ...(down === undefined ? [] : [lawOf(`${name} (down)`, newer, older, down)]),
    ])
  })

const lawOf = (name: string, from: Schema, to: Schema, convert: (value: never) => unknown): Law => ({
  name,
  from: toJsonSchema(from, 'output', name),
  to: toJsonSchema(to, 'output', name),
  convert: convert as Law['convert'],
})
