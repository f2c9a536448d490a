// How a union is compared: each of its alternatives with the one that took its place, or else with every other.
import { type Json, listOf } from '../json.ts'
import { type Reader, propertiesOf, propertyOf, tagOf, unionOf } from './reader.ts'
import type { Sides } from './sides.ts'
import type { Choice } from './solve.ts'
import { type Gap, gap } from './gap.ts'
import { isNever, mayBe, typesOf, valueTypes } from './types.ts'
import { scalarsOf } from './value-gaps.ts'

/** A union with only one of its alternatives. Of `anyOf` and `oneOf` at once, the second is compared next. */
export function withAlternative(union: Json, alternative: unknown): Json {
  const { anyOf, oneOf, discriminator: _, ...rest } = union
  return {
    ...rest,
    ...(anyOf !== undefined && oneOf !== undefined && { oneOf }),
    allOf: [alternative],
  }
}

/** A value that matches several alternatives of a sent `anyOf` is refused by `oneOf`. */
export function overlapGaps(sent: Json, read: Json, readRead: Reader): readonly Gap[] {
  if (sent['oneOf'] !== undefined || read['oneOf'] === undefined) return []
  const alternatives = listOf(unionOf(read))
  const mayMatchBoth = (left: unknown, right: unknown): boolean => {
    const both = readRead({ allOf: [left, right] })
    const required = listOf(both['required']) as readonly string[]
    return ![both, ...required.map((name) => readRead(propertyOf(both, name)))].some(isNever)
  }
  const hasOverlap = alternatives.some((left, index) =>
    alternatives.slice(0, index).some((right) => mayMatchBoth(left, right)),
  )
  return hasOverlap ? [gap('may match several alternatives', false)] : []
}

/** A pair whose read schema is a union, normalized, and as they stand in the documents. */
interface UnionPair {
  readonly sent: Json
  readonly read: Json
  readonly sentSchema: unknown
  readonly readSchema: unknown
}

/** Every kind of value that's sent has to fit one whole alternative. */
export function choicesOf(
  { sent, read, sentSchema, readSchema }: UnionPair,
  { pairOf, readSent, readRead }: Sides,
): readonly Choice[] {
  const alternatives = unionOf(read)!
  const counterparts = counterpartsOf(sent, sentSchema, alternatives, readRead)
  const hasBooleans = alternatives.some((alternative) =>
    scalarsOf(readRead(alternative))?.some((value) => typeof value === 'boolean'),
  )
  return split(sent, hasBooleans).map((kind) => {
    const first = counterparts.filter((counterpart) =>
      mayBe(readRead(counterpart), ...typesOf(kind)),
    )
    const isCounterpart = first.length === 1
    const rest = alternatives.filter((alternative) => !first.includes(alternative))
    const candidates = [...first, ...rest].map((alternative) => {
      const isDetour = isCounterpart && alternative !== first[0]
      return pairOf(kind, withAlternative(read, alternative), isDetour)
    })
    const spelledOut = spellOut(kind, alternatives.map(readRead), readSent)
    if (spelledOut !== null) candidates.push(pairOf(spelledOut, readSchema, true))
    return { candidates, isSpelledOut: spelledOut !== null, isCounterpart, chosen: -1 }
  })
}

/** The alternatives that a schema was before: the same reference, the same tag, or at least a common property. */
function counterpartsOf(
  sent: Json,
  sentSchema: unknown,
  alternatives: readonly unknown[],
  readRead: Reader,
): readonly unknown[] {
  const origin = listOf((sentSchema as Json | undefined)?.['allOf'])
  const same = alternatives.filter((alternative) => origin.includes(alternative))
  if (same.length > 0) return same
  const tagged = alternatives.filter((alternative) => hasCommonTag(sent, readRead(alternative)))
  if (tagged.length > 0) return tagged
  return alternatives.filter((alternative) => hasCommonProperty(sent, readRead(alternative)))
}

const hasCommonProperty = (sent: Json, read: Json): boolean =>
  Object.keys(propertiesOf(sent)).some((name) => Object.hasOwn(propertiesOf(read), name))

/** Whether two objects have a property with the same single value, such as `kind: 'user'`. */
const hasCommonTag = (sent: Json, read: Json): boolean =>
  Object.entries(propertiesOf(sent)).some(([name, property]) => {
    const tag = tagOf(property)
    return tag !== undefined && tag === tagOf(propertiesOf(read)[name])
  })

/**
 * An object with a union or enum in a required property, as a union of objects. Null where that's of no use: the other side's
 * alternatives don't all have the property, or it's the same in all of them.
 *
 * @example { kind: 'a' | 'b' } → { kind: 'a' } | { kind: 'b' }
 */
function spellOut(sent: Json, alternatives: readonly Json[], readSent: Reader): Json | null {
  for (const name of listOf(sent['required']) as readonly string[]) {
    const counterparts = alternatives.map((alternative) => propertyOf(alternative, name))
    if (counterparts.includes(undefined) || new Set(counterparts).size < 2) continue
    const kinds = kindsOf(readSent(propertyOf(sent, name)))
    if (kinds.length < 2) continue
    const properties = propertiesOf(sent)
    return {
      oneOf: kinds.map((kind) => ({ ...sent, properties: { ...properties, [name]: kind } })),
    }
  }
  return null
}

function kindsOf(schema: Json): readonly unknown[] {
  const alternatives = unionOf(schema)
  if (alternatives !== null)
    return alternatives.map((alternative) => withAlternative(schema, alternative))
  return Array.isArray(schema['enum']) ? split(schema) : []
}

/**
 * A schema by its values, or else by its types, because each of them may fit a different alternative.
 *
 * @param hasBooleans - `true` and `false` are told apart as well
 */
function split(schema: Json, hasBooleans: boolean = false): readonly Json[] {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ ...schema, enum: [value] }))
  const types = type === undefined ? valueTypes.filter((name) => name !== 'integer') : [type].flat()
  return types.flatMap((name) =>
    name === 'boolean' && hasBooleans
      ? [true, false].map((value) => ({ ...schema, type: name, enum: [value] }))
      : [{ ...schema, type: name }],
  )
}
