// Compares the keywords that concern a value itself, and single values with a schema.
import { type Json, isEqual, listOf } from '../json.ts'
import { boundGaps, formatGaps, numericFormats } from './bounds.ts'
import { type Gap, became, brief, gap, shown, unclear } from './gap.ts'
import type { MeansTheSame } from './intern.ts'
import { nullableEnum, unknownKeywords } from './normalize.ts'
import type { Direction } from './gap.ts'
import { isOfType, mayBe, setOf, typeGaps, typeOf, typesOf } from './types.ts'

/** The gaps in the types, enums, bounds, patterns and formats of two schemas. */
export const valueGaps = (sent: Json, read: Json, direction: Direction): readonly Gap[] => [
  ...typeGaps(sent, read),
  ...boundGaps(sent, read, typesOf(sent)),
  ...formatGaps(sent, read, direction),
  ...textGaps(sent, read, direction),
]

/** The formats of JSON Schema 2020-12, which clients can know. */
const formats = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference ' +
    'iri iri-reference uuid uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
)

/** It doesn't decide whether one pattern matches less than another. */
function textGaps(sent: Json, read: Json, direction: Direction): readonly Gap[] {
  if (!mayBe(sent, 'string')) return []
  return ['pattern', 'format'].flatMap((keyword) => {
    const [sentValue, readValue] = [sent[keyword], read[keyword]]
    if (readValue === undefined || sentValue === readValue) return []
    if (sentValue === undefined) {
      // Validators take no notice of most formats. A new one usually says what was always the case.
      const isKnown = direction === 'response' && formats.has(String(readValue))
      const isMinor = keyword === 'format' && !isKnown
      return [gap(`may not match its ${keyword} ${String(readValue)}`, { isMinor })]
    }
    const change = became(direction, String(sentValue), String(readValue))
    return [
      gap(`may not match its ${keyword}, which ${change}`, { isUnclear: keyword === 'pattern' }),
    ]
  })
}

// ---- single values ------------------------------------------------------------------------------

/**
 * The values of an enum of scalars, which can be checked one by one. Null for all other schemas.
 */
export function scalarsOf(schema: Json): readonly unknown[] | null {
  const { enum: values } = schema
  if (!Array.isArray(values) || values.some((value) => typeof value === 'object' && value !== null))
    return null
  return values.filter((value) => isOfType(value, schema))
}

/** The reasons why some of an enum's values may not be read. */
export function scalarGaps(
  values: readonly unknown[],
  read: Json,
  direction: Direction,
): readonly Gap[] {
  const { enum: allowed } = read
  const allowedTexts = Array.isArray(allowed) ? setOf(allowed) : null
  const isAllowed = (value: unknown): boolean =>
    allowedTexts === null || allowedTexts.has(JSON.stringify(value))
  const ofOtherTypes = values.filter((value) => !isOfType(value, read))
  const others = values.filter((value) => !ofOtherTypes.includes(value))
  const newValues = others.filter((value) => !isAllowed(value))
  const rest = others.filter(isAllowed)

  const gaps: Gap[] = []
  if (ofOtherTypes.length > 0)
    gaps.push(gap(`may be ${shown(ofOtherTypes)}, which isn't ${typesOf(read).join(' or ')}`))
  if (newValues.length > 0) gaps.push(newValueGap(newValues, values, read, direction))
  const texts = rest.filter((value) => typeof value === 'string')
  // A pattern could take years, and nothing can stop it, so none is run.
  for (const keyword of ['pattern', 'format']) {
    const rule = read[keyword]
    if (texts.length > 0 && rule !== undefined && !(String(rule) in numericFormats))
      gaps.push(unclear(`may be ${shown(texts)}, and has the ${keyword} ${String(rule)}`))
  }
  for (const value of rest) {
    const type = typeof value === 'number' ? 'number' : typeOf(value)
    gaps.push(...boundGaps(schemaOf(value), read, [type]))
  }
  if (rest.length > 0)
    for (const key of unknownKeywords(read))
      gaps.push(unclear(`differs in ${key}: ${brief(read[key])}`))
  return gaps
}

/** @param wasMeant - the older document says so, and not the newer one */
export const nullableGap = (wasMeant: boolean): Gap =>
  unclear(
    wasMeant
      ? "may be null: it was nullable, but null wasn't in its enum"
      : "may be null: it's nullable, but null isn't in its enum",
  )

function newValueGap(
  newValues: readonly unknown[],
  values: readonly unknown[],
  read: Json,
  direction: Direction,
): Gap {
  const { enum: allowed, [nullableEnum]: isNullMeant } = read
  const areMany = newValues.length > 1
  if (isNullMeant === true && newValues.every((value) => value === null))
    return nullableGap(direction === 'response')
  const text = shown(newValues)
  const verb = areMany ? 'are' : 'is'
  const why =
    direction === 'request'
      ? `may be ${text}, which ${verb}n't allowed any more`
      : `may be ${text}, which ${verb} new`
  // An enum that gains values is still the same enum. A different constant isn't.
  const readTypes = new Set(listOf(allowed).map(typeOf))
  const isGrowing =
    (listOf(allowed).length > 1 || values.length > newValues.length) &&
    newValues.every((value) => readTypes.has(typeOf(value)))
  return gap(why, isGrowing ? { kind: 'new-value' } : {})
}

/** A schema with the bounds that only this scalar is within. */
function schemaOf(value: unknown): Json {
  if (typeof value === 'number') return { minimum: value, maximum: value, multipleOf: value }
  if (typeof value !== 'string') return {}
  const { length } = [...value]
  return { minLength: length, maxLength: length }
}

// ---- keywords that aren't understood ------------------------------------------------------------

/**
 * Reports keywords that aren't understood and differ, because it isn't clear whether they matter.
 */
export const unknownGaps = (
  sent: Json,
  read: Json,
  direction: Direction,
  meansTheSame: MeansTheSame,
): readonly Gap[] =>
  unknownKeywords(read)
    .filter((key) => !isKept(key, sent[key], read[key], meansTheSame))
    .map((key) => {
      const change = became(direction, brief(sent[key]), brief(read[key]))
      return unclear(`differs in ${key}, which ${change}`)
    })

/** Whether a keyword still holds. */
const isKept = (key: string, sent: unknown, read: unknown, meansTheSame: MeansTheSame): boolean =>
  meansTheSame({ [key]: read }) && isEqual(sent, read)

/** A schema without the pattern, format and unknown keywords that the sent schema has as well. */
export function withoutKept(read: Json, sent: Json, meansTheSame: MeansTheSame): Json {
  const keys = ['pattern', 'format', ...unknownKeywords(read)]
  const kept = new Set(keys.filter((key) => isKept(key, sent[key], read[key], meansTheSame)))
  return Object.fromEntries(Object.entries(read).filter(([key]) => !kept.has(key)))
}
