// Compares the keywords of two schemas that concern a value itself: types, enums, bounds, patterns, formats.
import type { MeansTheSame } from './intern.ts'
import { type Json, isEqual, listOf } from './json.ts'
import { conflictOf, isConflict, unknownKeywords } from './normalize.ts'

/** A reason why a value that is sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value; `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** False when the comparison cannot decide. */
  readonly judged: boolean
  /** Only the default differs, or an enum has one more value. */
  readonly kind?: 'default' | 'new-value' | undefined
  /** The component that the gap is in, and the path from there: `User/name`. Null outside of components. */
  readonly component?: string | null | undefined
}

/** A gap of the value itself. */
export const gap = (why: string, judged = true): Gap => ({ at: '', why, judged })
/** The start of a value: an accepted change of a keyword must not hide its next one. */
export const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)
const shown = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ')

/** The gaps that the types, enums, bounds, patterns and formats of a value show. */
export const valueGaps = (sent: Json, read: Json): readonly Gap[] => [
  ...typeGaps(sent, read),
  ...boundGaps(sent, read),
  ...textGaps(sent, read),
]

// ---- types and values ---------------------------------------------------------------------------

export const valueTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function typesOf({ type, enum: values }: Json): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : valueTypes
}

/** Whether a value of the schema may have one of these types. */
export const mayBe = (schema: Json, ...wanted: readonly string[]): boolean =>
  typesOf(schema).some((type) => wanted.includes(type))

function typeGaps(sent: Json, read: Json): readonly Gap[] {
  const known = typesOf(read)
  const others = typesOf(sent).filter(
    (type) => !known.includes(type) && !(type === 'integer' && known.includes('number')),
  )
  const isAny = sent['type'] === undefined && sent['enum'] === undefined
  if (others.length > 0 && isAny) return [gap(`may be other than ${known.join(' or ')}`)]
  if (others.length > 0)
    return [gap(`may be ${others.join(' or ')}, which is not ${known.join(' or ')}`)]
  if (read['enum'] === undefined) return []
  const values = listOf(read['enum'])
  const strange = finiteValuesOf(sent)?.filter(
    (value) => !values.some((one) => isEqual(one, value)),
  )
  if (strange === undefined) return [gap(`may be other than ${shown(values)}`)]
  return strange.length === 0 ? [] : [gap(`may be ${shown(strange)}`)]
}

const mostValues = 100
/** All values of a schema, if these are few: of an enum, of booleans and null, of a range of integers. */
function finiteValuesOf(schema: Json): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum']
  const lists = typesOf(schema).map((type): readonly unknown[] | undefined => {
    if (type === 'null') return [null]
    if (type === 'boolean') return [true, false]
    const [from, to] = [endOf(schema, 1, true).end, -endOf(schema, -1, true).end]
    if (type !== 'integer' || !(to - from < mostValues)) return undefined
    return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index)
  })
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

/** The values of an enum of scalars, which can be checked one by one. */
export function scalarsOf({ enum: values, type }: Json): readonly unknown[] | null {
  if (!Array.isArray(values) || values.some((value) => typeof value === 'object' && value !== null))
    return null
  return type === undefined
    ? values
    : values.filter((value) => isOfType(value, [type].flat().map(String)))
}
const isOfType = (value: unknown, allowed: readonly string[]): boolean =>
  allowed.includes(typeOf(value)) || (typeof value === 'number' && allowed.includes('number'))

/** Why one value may not be read: its gaps, or none. */
export function scalarGaps(value: unknown, read: Json): readonly Gap[] {
  const { type, enum: values, pattern, format } = read
  const isText = typeof value === 'string'
  const matches = isText && typeof pattern === 'string' ? matchesPattern(value, pattern) : true
  const isOther =
    matches === false || (type !== undefined && !isOfType(value, [type].flat().map(String)))
  const isNew = Array.isArray(values) && !values.some((known) => isEqual(known, value))
  if (isOther || isNew) {
    // One value is a constant, which tells objects apart.
    const isNewValue =
      !isOther &&
      listOf(values).length > 1 &&
      listOf(values).some((known) => typeOf(known) === typeOf(value))
    return [
      {
        ...gap(`may be ${shown([value])}, which is not allowed`),
        kind: isNewValue ? 'new-value' : undefined,
      },
    ]
  }
  const unjudged = (keyword: string, wanted: unknown): Gap =>
    gap(`may be ${shown([value])}, and has the ${keyword} ${String(wanted)}`, false)
  return [
    ...boundGaps(schemaOf(value), read),
    ...(matches === null ? [unjudged('pattern', pattern)] : []),
    ...(isText && format !== undefined ? [unjudged('format', format)] : []),
    ...unknownKeywords(read).map((key) => gap(`differs in ${key}: ${brief(read[key])}`, false)),
  ]
}

/** Null for a pattern that is not a regular expression of JavaScript. Some, such as `[\w-.]`, are only without the flag `u`. */
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
  if (typeof value === 'number')
    return { type: 'number', minimum: value, maximum: value, multipleOf: value }
  if (typeof value !== 'string') return { type: typeOf(value) }
  const { length } = [...value]
  return { type: 'string', minLength: length, maxLength: length }
}

// ---- bounds and text ----------------------------------------------------------------------------

const sizes = [
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['object', 'minProperties', 'maxProperties'],
] as const

function boundGaps(sent: Json, read: Json): readonly Gap[] {
  const found = sizes.flatMap(([type, lowest, highest]) => {
    if (!mayBe(sent, type)) return []
    const least = Math.max(
      asNumber(sent[lowest]) ?? 0,
      type === 'object' ? listOf(sent['required']).length : 0,
    )
    const low = asNumber(read[lowest]) ?? 0
    const high = asNumber(read[highest]) ?? Infinity
    return [
      ...(least < low ? [gap(`may be under its ${lowest} of ${low}`)] : []),
      ...((asNumber(sent[highest]) ?? Infinity) > high
        ? [gap(`may be over its ${highest} of ${high}`)]
        : []),
    ]
  })
  return mayBe(sent, 'number', 'integer') ? [...found, ...numberGaps(sent, read)] : found
}

function numberGaps(sent: Json, read: Json): readonly Gap[] {
  const isWhole = !mayBe(sent, 'number')
  const beyond = ([1, -1] as const).flatMap((sign) => {
    const { end, isExcluded } = endOf(sent, sign, isWhole)
    return keywordsOf[sign].flatMap((keyword, index) => {
      const bound = read[keyword] as number | undefined
      const isWithin =
        bound === undefined ||
        end > sign * bound ||
        (end === sign * bound && (index === 0 || isExcluded))
      return isWithin
        ? []
        : [gap(`may be ${sign > 0 ? 'under' : 'over'} its ${keyword} of ${bound}`)]
    })
  })
  const multipleOf = read['multipleOf'] as number | undefined
  const step = asNumber(sent['multipleOf']) ?? (isWhole ? 1 : NaN)
  if (multipleOf === undefined || isMultiple(step, multipleOf)) return beyond
  return [...beyond, gap(`may not be a multiple of ${multipleOf}`)]
}

const keywordsOf = {
  1: ['minimum', 'exclusiveMinimum'],
  [-1]: ['maximum', 'exclusiveMaximum'],
} as const

/**
 * Where the numbers of a schema start (`sign` is 1), or where their negatives do (-1). Without a bound, that's -Infinity.
 * An integer above 0 is at least 1.
 */
function endOf(
  schema: Json,
  sign: 1 | -1,
  isWhole: boolean,
): { readonly end: number; readonly isExcluded: boolean } {
  const [from, above] = keywordsOf[sign].map(
    (keyword) => sign * (asNumber(schema[keyword]) ?? -sign * Infinity),
  )
  if (isWhole) return { end: Math.max(Math.ceil(from!), Math.floor(above!) + 1), isExcluded: false }
  return { end: Math.max(from!, above!), isExcluded: above! >= from! }
}

/** Whether one number is a multiple of another, as far as fractions are exact. */
function isMultiple(number: number, of: number): boolean {
  const quotient = number / of
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** Does not decide whether one pattern matches less than another. Formats of numbers only say how they are stored. */
function textGaps(sent: Json, read: Json): readonly Gap[] {
  return (['pattern', 'format'] as const).flatMap((keyword) => {
    const [own, wanted] = [sent[keyword], read[keyword]]
    const others = listOf(sent[conflictOf(keyword)])
    if (wanted === undefined || own === wanted || others.includes(wanted) || !mayBe(sent, 'string'))
      return []
    return own === undefined
      ? [gap(`may not match its ${keyword} ${String(wanted)}`)]
      : [gap(`has the ${keyword} ${String(own)}, not ${String(wanted)}`, keyword === 'format')]
  })
}

/** Reports the keywords that are not compared and differ: nothing decides whether they matter. */
export const unknownGaps = (sent: Json, read: Json, meansTheSame: MeansTheSame): readonly Gap[] =>
  unknownKeywords(read)
    .filter((key) => !isKept(key, sent[key], read[key], meansTheSame))
    .map((key) =>
      gap(`differs in ${key}: ${brief(sent[key])} is sent, ${brief(read[key])} is read`, false),
    )

/** Of values that hold at once, more may be sent than are read. */
function isKept(key: string, sent: unknown, read: unknown, meansTheSame: MeansTheSame): boolean {
  if (!meansTheSame({ [key]: read })) return false
  if (!isConflict(key)) return isEqual(sent, read)
  return listOf(read).every((one) => listOf(sent).some((other) => isEqual(one, other)))
}

/** A schema without the pattern, format and unknown keywords that the values of another one fulfil already. */
export function withoutKept(read: Json, sent: Json, meansTheSame: MeansTheSame): Json {
  const keys = ['pattern', 'format', ...unknownKeywords(read)]
  const kept = new Set(keys.filter((key) => isKept(key, sent[key], read[key], meansTheSame)))
  return Object.fromEntries(Object.entries(read).filter(([key]) => !kept.has(key)))
}
