// Bounds of numbers, and of the sizes of texts, lists and objects.
import { type Json, listOf } from '../json.ts'
import { type Gap, became, gap } from './gap.ts'
import { bounds, mayBe, propertiesOf, typesOf } from './shape.ts'

const single = 3.4028234663852886e38
/**
 * The bounds that a number's storage format implies. An int64's are rounded to the nearest double.
 */
export const numericFormats = new Map<unknown, Json>([
  ['int32', { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['int64', { minimum: -(2 ** 63), maximum: 2 ** 63 }],
  ['float', { minimum: -single, maximum: single }],
])

/** The length of the longest text that has a format. */
const maxLengths = new Map<unknown, Json>([
  ['uuid', { maxLength: 36 }],
  ['date', { maxLength: 10 }],
  ['ipv4', { maxLength: 15 }],
  ['ipv6', { maxLength: 45 }],
])

/**
 * The lowest value that a schema allows (`sign` is 1), or the negative of the highest one (-1).
 * -Infinity if there's no bound.
 */
function startOf(schema: Json, type: string, sign: 1 | -1) {
  const { format } = schema
  const stored = numericFormats.get(format) ?? maxLengths.get(format) ?? {}
  let start = sign > 0 && type !== 'number' ? 0 : -Infinity
  if (type === 'object') start = sign > 0 ? listOf(schema['required']).length : -maxNames(schema)
  for (const [keyword, own, direction] of bounds)
    if (own === type && direction === sign)
      start = Math.max(start, startBy(schema, keyword, sign), startBy(stored, keyword, sign))
  return typesOf(schema).includes('number') ? start : Math.ceil(start)
}

/** How many properties a closed object names. */
const maxNames = (schema: Json) =>
  schema['additionalProperties'] === false && schema['patternProperties'] === undefined
    ? Object.keys(propertiesOf(schema)).length
    : Infinity

function startBy(schema: Json, keyword: string, sign: 1 | -1) {
  const bound = schema[keyword]
  if (typeof bound !== 'number') return -Infinity
  // An exclusive bound starts at the next number.
  const step = Math.max(Number.MIN_VALUE, Math.abs(bound) * Number.EPSILON)
  return sign * bound + (keyword.startsWith('exclusive') ? step : 0)
}

/** @param types - the types of the sent value */
export function* boundGaps(
  sent: Json,
  read: Json,
  types: readonly string[],
  isRequest: boolean,
): Generator<Gap> {
  for (const [keyword, type, sign] of bounds) {
    const isOfType = types.includes(type) || (type === 'number' && types.includes('integer'))
    if (!isOfType || startOf(sent, type, sign) >= startBy(read, keyword, sign)) continue
    const bound = `its ${keyword} of ${String(read[keyword])}`
    const excess = sign > 0 ? 'under' : 'over'
    yield gap(isRequest ? `must keep to ${bound} now` : `may be ${excess} ${bound}`)
  }
}

/**
 * Numbers of a larger format than the one they're read with. A client that stores a response's
 * int32 may not be able to store an int64, but most values are small. A new format in a request
 * usually just documents what was always true.
 */
export function* formatGaps(sent: Json, read: Json, isRequest: boolean): Generator<Gap> {
  const stored = numericFormats.get(read['format'])
  // An enum's values already bound the number.
  if (!stored || read['enum'] !== undefined) return
  if (sent['type'] === undefined || !mayBe(sent, 'integer', 'number')) return
  if (boundGaps(sent, stored, ['number'], isRequest).next().done) return
  const change = became(isRequest, String(sent['format'] ?? 'none'), String(read['format']))
  const isMinor = !isRequest || !numericFormats.has(sent['format'])
  const why = isRequest ? 'must fit its format, which' : 'may be larger: its format'
  yield gap(`${why} ${change}`, { kind: 'format', isMinor })
}
