// Bounds of numbers, and of the sizes of texts, lists and objects.
import { type Json, listOf } from '../json.ts'
import { type Gap, became, gap } from './gap.ts'
import type { Direction } from './gap.ts'

const asNumber = (value: unknown): number | undefined =>
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

function sizeGaps(sent: Json, read: Json, { least, most }: (typeof sizes)[number]) {
  const gaps: Gap[] = []
  const required = least === 'minProperties' ? listOf(sent['required']).length : 0
  const sentLeast = Math.max(asNumber(sent[least]) ?? 0, required)
  const readLeast = asNumber(read[least]) ?? 0
  if (sentLeast < readLeast) gaps.push(gap(`may be under its ${least} of ${readLeast}`))
  const sentMost = asNumber(sent[most]) ?? Infinity
  const readMost = asNumber(read[most]) ?? Infinity
  if (sentMost > readMost) gaps.push(gap(`may be over its ${most} of ${readMost}`))
  return gaps
}

function numberGaps(sent: Json, read: Json, isWhole: boolean): readonly Gap[] {
  return ([1, -1] as const).flatMap((sign) => {
    const { end, isExcluded } = endOf(sent, sign, isWhole)
    return keywordsOf[sign].flatMap((keyword, index) => {
      const bound = asNumber(read[keyword])
      if (bound === undefined || end > sign * bound) return []
      if (end === sign * bound && (index === 0 || isExcluded)) return []
      return [gap(`may be ${sign > 0 ? 'under' : 'over'} its ${keyword} of ${bound}`)]
    })
  })
}

const keywordsOf = {
  1: ['minimum', 'exclusiveMinimum'],
  [-1]: ['maximum', 'exclusiveMaximum'],
} as const

/**
 * Where a schema's numbers start (`sign` is 1), or where their negatives do (-1). Without a bound,
 * that's -Infinity.
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
  const stored = formatOf(schema)?.[sign > 0 ? 'lowest' : 'negatedHighest'] ?? -Infinity
  if (isWhole) {
    const end = Math.max(Math.ceil(from), Math.floor(above) + 1, stored)
    return { end, isExcluded: false }
  }
  return { end: Math.max(from, above, stored), isExcluded: above >= Math.max(from, stored) }
}

// ---- formats ------------------------------------------------------------------------------------

const single = 3.4028234663852886e38
/**
 * How numbers are stored, which bounds them. The bounds of an int64 are those of the nearest
 * double.
 */
export const numericFormats: Readonly<
  Record<string, { readonly lowest: number; readonly negatedHighest: number }>
> = {
  int32: { lowest: -(2 ** 31), negatedHighest: 1 - 2 ** 31 },
  int64: { lowest: -(2 ** 63), negatedHighest: -(2 ** 63) },
  float: { lowest: -single, negatedHighest: -single },
}

const formatOf = ({ format }: Json) =>
  typeof format === 'string' && Object.hasOwn(numericFormats, format)
    ? numericFormats[format]
    : undefined

/**
 * Numbers of a larger format than the one they're read with. Clients that stored a response's int32
 * may not be able to store an int64, but most values are small. A format that's new for a request
 * usually says what was always the case.
 */
export function formatGaps(sent: Json, read: Json, direction: Direction): readonly Gap[] {
  const { format: sentFormat } = sent
  const { format: readFormat } = read
  const stored = formatOf(read)
  // The values of an enum are bounds already.
  if (stored === undefined || sentFormat === readFormat || read['enum'] !== undefined) return []
  const types = new Set([sent['type']].flat())
  const isWhole = types.has('integer') && !types.has('number')
  if (!isWhole && !types.has('number')) return []
  const isWithin =
    endOf(sent, 1, isWhole).end >= stored.lowest &&
    endOf(sent, -1, isWhole).end >= stored.negatedHighest
  if (isWithin) return []
  const isMinor = direction === 'response' || formatOf(sent) === undefined
  const kind = 'format' as const
  return [
    gap(
      `may be larger: its format ${became(direction, String(sentFormat ?? 'none'), String(readFormat))}`,
      { kind, isMinor },
    ),
  ]
}
