// Bounds of numbers, and of the sizes of texts, lists and objects.
import { type Json, listOf } from '../json.ts'
import { type Direction, type Gap, became, gap } from './gap.ts'
import { bounds, mayBe, typesOf } from './shape.ts'

const single = 3.4028234663852886e38
/**
 * The bounds that a number's storage format implies. An int64's are rounded to the nearest double.
 */
export const numericFormats = new Map<unknown, Json>([
  ['int32', { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['int64', { minimum: -(2 ** 63), maximum: 2 ** 63 }],
  ['float', { minimum: -single, maximum: single }],
])

/**
 * The lowest value that a schema allows (`sign` is 1), or the negative of the highest one (-1).
 * -Infinity if there's no bound.
 */
function startOf(schema: Json, { type, sign, keywords }: (typeof bounds)[number]): number {
  const starts = keywords.map((keyword) => startBy(schema, keyword, sign))
  if (type !== 'number') {
    const required = type === 'object' ? listOf(schema['required']).length : 0
    return sign > 0 ? Math.max(required, ...starts) : starts[0]!
  }
  const stored = numericFormats.get(schema['format']) ?? {}
  const start = Math.max(...starts, startBy(stored, keywords[0], sign))
  return typesOf(schema).includes('number') ? start : Math.ceil(start)
}

function startBy(schema: Json, keyword: string, sign: 1 | -1): number {
  const bound = schema[keyword]
  if (typeof bound !== 'number') return -Infinity
  // An exclusive bound starts at the next number.
  const step = Math.max(Number.MIN_VALUE, Math.abs(bound) * Number.EPSILON)
  return sign * bound + (keyword.startsWith('exclusive') ? step : 0)
}

/** @param types - the types of the sent value */
export function boundGaps(
  sent: Json,
  read: Json,
  types: readonly string[],
  direction: Direction,
): readonly Gap[] {
  const gaps: Gap[] = []
  for (const limit of bounds) {
    const { type, sign, keywords } = limit
    if (!types.includes(type) && !(type === 'number' && types.includes('integer'))) continue
    const start = startOf(sent, limit)
    for (const keyword of keywords) {
      if (start >= startBy(read, keyword, sign)) continue
      const bound = `its ${keyword} of ${String(read[keyword])}`
      const excess = sign > 0 ? 'under' : 'over'
      gaps.push(
        gap(direction === 'request' ? `must keep to ${bound} now` : `may be ${excess} ${bound}`),
      )
    }
  }
  return gaps
}

/**
 * Numbers of a larger format than the one they're read with. A client that stores a response's
 * int32 may not be able to store an int64, but most values are small. A new format in a request
 * usually just documents what was always true.
 */
export function formatGaps(sent: Json, read: Json, direction: Direction): readonly Gap[] {
  const stored = numericFormats.get(read['format'])
  if (!stored || sent['type'] === undefined || !mayBe(sent, 'integer', 'number')) return []
  // An enum's values already bound the number.
  if (read['enum'] !== undefined || boundGaps(sent, stored, ['number'], direction).length === 0)
    return []
  const change = became(direction, String(sent['format'] ?? 'none'), String(read['format']))
  const isMinor = direction === 'response' || !numericFormats.has(sent['format'])
  const why = direction === 'request' ? 'must fit its format, which' : 'may be larger: its format'
  return [gap(`${why} ${change}`, { kind: 'format', isMinor })]
}
