// Bounds of numbers, and of the sizes of texts, lists and objects.
import { type Json, listOf } from '../json.ts'
import { type Gap, gap } from './gap.ts'

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** @param types - the types of the sent value */
export function boundGaps(sent: Json, read: Json, types: readonly string[]): readonly Gap[] {
  const gaps = sizes.flatMap((size) =>
    types.includes(size.type) ? sizeGaps(sent, read, size) : [],
  )
  const isNumber = types.includes('number')
  return isNumber || types.includes('integer')
    ? [...gaps, ...numberGaps(sent, read, !isNumber)]
    : gaps
}

const sizes = [
  { type: 'string', least: 'minLength', most: 'maxLength' },
  { type: 'array', least: 'minItems', most: 'maxItems' },
  { type: 'object', least: 'minProperties', most: 'maxProperties' },
]

function sizeGaps(sent: Json, read: Json, { type, least, most }: (typeof sizes)[number]) {
  const gaps: Gap[] = []
  const required = type === 'object' ? listOf(sent['required']).length : 0
  const sentLeast = Math.max(asNumber(sent[least]) ?? 0, required)
  const readLeast = asNumber(read[least]) ?? 0
  if (sentLeast < readLeast) gaps.push(gap(`may be under its ${least} of ${readLeast}`))
  const sentMost = asNumber(sent[most]) ?? Infinity
  const readMost = asNumber(read[most]) ?? Infinity
  if (sentMost > readMost) gaps.push(gap(`may be over its ${most} of ${readMost}`))
  return gaps
}

function numberGaps(sent: Json, read: Json, isWhole: boolean): readonly Gap[] {
  const beyond = ([1, -1] as const).flatMap((sign) => {
    const { end, isExcluded } = endOf(sent, sign, isWhole)
    return keywordsOf[sign].flatMap((keyword, index) => {
      const bound = asNumber(read[keyword])
      if (bound === undefined || end > sign * bound) return []
      if (end === sign * bound && (index === 0 || isExcluded)) return []
      return [gap(`may be ${sign > 0 ? 'under' : 'over'} its ${keyword} of ${bound}`)]
    })
  })
  const multipleOf = asNumber(read['multipleOf'])
  const step = asNumber(sent['multipleOf']) ?? (isWhole ? 1 : NaN)
  if (multipleOf === undefined || isMultiple(step, multipleOf)) return beyond
  return [...beyond, gap(`may not be a multiple of ${multipleOf}`)]
}

const keywordsOf = {
  1: ['minimum', 'exclusiveMinimum'],
  [-1]: ['maximum', 'exclusiveMaximum'],
} as const

/** The lowest and the highest integer of a schema. */
export const boundsOf = (schema: Json): readonly [lowest: number, highest: number] => [
  endOf(schema, 1, true).end,
  -endOf(schema, -1, true).end,
]

/**
 * Where a schema's numbers start (`sign` is 1), or where their negatives do (-1). Without a bound, that's -Infinity.
 *
 * @param isWhole - only integers count, so an exclusive bound of 0 means 1
 */
function endOf(
  schema: Json,
  sign: 1 | -1,
  isWhole: boolean,
): { readonly end: number; readonly isExcluded: boolean } {
  const [from, above] = keywordsOf[sign].map(
    (keyword) => sign * (asNumber(schema[keyword]) ?? -sign * Infinity),
  ) as [number, number]
  if (isWhole) return { end: Math.max(Math.ceil(from), Math.floor(above) + 1), isExcluded: false }
  return { end: Math.max(from, above), isExcluded: above >= from }
}

/** Whether a number is a multiple of another, as far as fractions are exact. */
function isMultiple(number: number, divisor: number): boolean {
  const quotient = number / divisor
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}
