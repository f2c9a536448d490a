// Compares the keywords that concern a value itself, and single values with a schema.
import { type Json, isEqual, listOf } from '../json.ts'
import { boundGaps } from './bounds.ts'
import { type Gap, brief, gap, shown } from './gap.ts'
import type { MeansTheSame } from './intern.ts'
import { conflictOf, isConflict, unknownKeywords } from './normalize.ts'
import { isOfType, mayBe, typeGaps, typeOf, typesOf } from './types.ts'

/** The gaps in the types, enums, bounds, patterns and formats of two schemas. */
export const valueGaps = (sent: Json, read: Json): readonly Gap[] => [
  ...typeGaps(sent, read),
  ...boundGaps(sent, read, typesOf(sent)),
  ...textGaps(sent, read),
]

/** It doesn't decide whether one pattern matches less than another. Numeric formats only say how numbers are stored. */
function textGaps(sent: Json, read: Json): readonly Gap[] {
  if (!mayBe(sent, 'string')) return []
  return ['pattern', 'format'].flatMap((keyword) => {
    const [sentValue, readValue] = [sent[keyword], read[keyword]]
    const alsoSent = listOf(sent[conflictOf(keyword)])
    if (readValue === undefined || sentValue === readValue || alsoSent.includes(readValue))
      return []
    if (sentValue === undefined) return [gap(`may not match its ${keyword} ${String(readValue)}`)]
    const why = `has the ${keyword} ${String(sentValue)}, not ${String(readValue)}`
    return [gap(why, keyword === 'format')]
  })
}

// ---- single values ------------------------------------------------------------------------------

/** The values of an enum of scalars, which can be checked one by one. Null for all other schemas. */
export function scalarsOf(schema: Json): readonly unknown[] | null {
  const { enum: values } = schema
  if (!Array.isArray(values) || values.some((value) => typeof value === 'object' && value !== null))
    return null
  return values.filter((value) => isOfType(value, schema))
}

/** The reasons why a single value may not be read. */
export function scalarGaps(value: unknown, read: Json): readonly Gap[] {
  const { enum: values, pattern, format } = read
  const isText = typeof value === 'string'
  const matches = isText && typeof pattern === 'string' ? matchesPattern(value, pattern) : true
  const isOther = matches === false || !isOfType(value, read)
  const readValues = listOf(values)
  const isNew = Array.isArray(values) && !values.some((readValue) => isEqual(readValue, value))
  if (isOther || isNew) {
    // A single value is a constant, which tells objects apart.
    const isNewValue =
      !isOther &&
      readValues.length > 1 &&
      readValues.some((readValue) => typeOf(readValue) === typeOf(value))
    const refused = gap(`may be ${shown([value])}, which is not allowed`)
    return [{ ...refused, kind: isNewValue ? 'new-value' : undefined }]
  }
  const unclear = (keyword: string, wanted: unknown): Gap =>
    gap(`may be ${shown([value])}, and has the ${keyword} ${String(wanted)}`, false)
  return [
    ...boundGaps(schemaOf(value), read, [typeof value === 'number' ? 'number' : typeOf(value)]),
    ...(matches === null ? [unclear('pattern', pattern)] : []),
    ...(isText && format !== undefined ? [unclear('format', format)] : []),
    ...unknownKeywords(read).map((key) => gap(`differs in ${key}: ${brief(read[key])}`, false)),
  ]
}

/** Null for a pattern that isn't a JavaScript regular expression. Some, such as `[\w-.]`, are only without the flag `u`. */
function matchesPattern(text: string, pattern: string): boolean | null {
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags).test(text)
    } catch {
      // the next flags
    }
  return null
}

/** A schema with the bounds that only this scalar is within. */
function schemaOf(value: unknown): Json {
  if (typeof value === 'number') return { minimum: value, maximum: value, multipleOf: value }
  if (typeof value !== 'string') return {}
  const { length } = [...value]
  return { minLength: length, maxLength: length }
}

// ---- keywords that aren't understood ------------------------------------------------------------

/** Reports keywords that aren't understood and differ, because it isn't clear whether they matter. */
export const unknownGaps = (sent: Json, read: Json, meansTheSame: MeansTheSame): readonly Gap[] =>
  unknownKeywords(read)
    .filter((key) => !isKept(key, sent[key], read[key], meansTheSame))
    .map((key) =>
      gap(`differs in ${key}: ${brief(sent[key])} is sent, ${brief(read[key])} is read`, false),
    )

/** Whether a keyword still holds. Of values that hold at once, more may be sent than are read. */
function isKept(key: string, sent: unknown, read: unknown, meansTheSame: MeansTheSame): boolean {
  if (!meansTheSame({ [key]: read })) return false
  if (!isConflict(key)) return isEqual(sent, read)
  return listOf(read).every((entry) => listOf(sent).some((other) => isEqual(entry, other)))
}

/** A schema without the pattern, format and unknown keywords that the sent schema has as well. */
export function withoutKept(read: Json, sent: Json, meansTheSame: MeansTheSame): Json {
  const keys = ['pattern', 'format', ...unknownKeywords(read)]
  const kept = new Set(keys.filter((key) => isKept(key, sent[key], read[key], meansTheSame)))
  return Object.fromEntries(Object.entries(read).filter(([key]) => !kept.has(key)))
}
