// Compares two schemas' keywords about the value itself: its type, enum, bounds, pattern and
// format.
import { type Json, isEqual, isObject, listOf } from '../json.ts'
import { boundGaps, formatGaps, numericFormats } from './bounds.ts'
import { type Direction, type Gap, type Sides, became, brief, gap, shown, unclear } from './gap.ts'
import { nullMeant } from './normalize.ts'
import { hasType, listedValues, mayBe, typeOf, typesOf, unknownKeywords } from './shape.ts'

export function valueGaps(sent: Json, read: Json, sides: Sides): readonly Gap[] {
  const { direction } = sides
  const values = listedValues(sent, read)
  const gaps =
    values === null
      ? [
          ...typeGaps(sent, read, direction),
          ...boundGaps(sent, read, typesOf(sent), direction),
          ...formatGaps(sent, read, direction),
          ...(mayBe(sent, 'string') && mayBe(read, 'string')
            ? textGaps(sent, read, direction)
            : []),
        ]
      : listedGaps(values, sent, read, direction)
  if (values?.length === 0) return gaps
  // A keyword that the comparison doesn't understand may or may not matter.
  for (const key of unknownKeywords(read)) {
    if (isEqual(sent[key], read[key]) && sides.meansTheSame({ [key]: read[key] })) continue
    const change = became(direction, brief(sent[key]), brief(read[key]))
    gaps.push(unclear(`differs in ${key}, which ${change}`))
  }
  return gaps
}

/**
 * Keywords that matter even where the other side has none: those that validators ignore, although
 * they say what a text contains or how XML is written, and those that allow more.
 */
export const presenceGaps = (sent: Json, read: Json, { direction, form }: Sides): readonly Gap[] =>
  [
    'contentEncoding',
    'contentMediaType',
    ...(sent['minContains'] === 0 ? ['minContains'] : []),
    ...(read['additionalProperties'] === undefined ? [] : ['patternProperties']),
    ...(form === 'xml' ? ['xml'] : []),
  ]
    .filter((key) => !isEqual(sent[key], read[key]))
    .map((key) =>
      unclear(`differs in ${key}, which ${became(direction, brief(sent[key]), brief(read[key]))}`),
    )

const objectKeywords = ['properties', 'additionalProperties', 'required']

function typeGaps(sent: Json, read: Json, direction: Direction): readonly Gap[] {
  const isRequest = direction === 'request'
  const isNullMeant = sent[nullMeant] === true && read[nullMeant] !== true
  const types = [...new Set([...typesOf(sent), ...(isNullMeant ? ['null'] : [])])]
  const readTypes = typesOf(read)
  const newTypes = types.filter((type) => !hasType(readTypes, type))
  if (read['enum'] !== undefined && newTypes.length < types.length) {
    // A range of integers may contain exactly the enum's values.
    const isUnclear = newTypes.length === 0 && 'minimum' in sent && 'maximum' in sent
    const allowed = shown(listOf(read['enum']))
    return [
      gap(isRequest ? `must be one of ${allowed} now` : `may be other than ${allowed}`, {
        isUnclear,
      }),
    ]
  }
  if (newTypes.length === 0) return []
  const names = readTypes.join(' or ')
  if (sent['type'] !== undefined) {
    const isUnclear = newTypes.join() === 'null' && (isNullMeant || read[nullMeant] === true)
    return [gap(otherType(newTypes.join(' or '), names, direction), { isUnclear })]
  }
  // Documents often leave out `type: object` if there are properties.
  const isUnclear =
    readTypes.includes('object') && objectKeywords.some((key) => sent[key] !== undefined)
  return [gap(isRequest ? `must be ${names} now` : `may be other than ${names}`, { isUnclear })]
}

const otherType = (sent: string, read: string, direction: Direction): string =>
  direction === 'request'
    ? `must be ${read} now, not ${sent}`
    : `may be ${sent}, which isn't ${read}`

/** The formats of JSON Schema 2020-12, which clients can know. */
const formats = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference ' +
    'iri iri-reference uuid uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
)

/**
 * There's no general way to tell whether one pattern matches less than another. Patterns aren't run
 * either, because one could take years, and nothing could stop it.
 *
 * @param values - the values that are sent, if they're listed
 */
function textGaps(
  sent: Json,
  read: Json,
  direction: Direction,
  values?: readonly unknown[],
): readonly Gap[] {
  const gaps: Gap[] = []
  const isRequest = direction === 'request'
  for (const keyword of ['pattern', 'format']) {
    const sentRule = sent[keyword]
    const readRule = read[keyword]
    if (readRule === undefined || sentRule === readRule) continue
    const why = `${isRequest ? 'must' : 'may not'} match its ${keyword}`
    if (values) {
      // An enum's values already have the format, and a number's format doesn't apply to text.
      const isHint = keyword === 'format' && (read['enum'] ?? numericFormats.get(readRule))
      if (!isHint) gaps.push(unclear(`${why} ${String(readRule)}, so check ${shown(values)}`))
    } else if (sentRule !== undefined) {
      const change = became(direction, String(sentRule), String(readRule))
      gaps.push(gap(`${why}, which ${change}`, { isUnclear: keyword === 'pattern' }))
    } else {
      // Validators ignore most formats. A new format usually just documents what was always true.
      const isMinor = keyword === 'format' && (isRequest || !formats.has(String(readRule)))
      gaps.push(
        gap(`${why} ${String(readRule)}, which is ${isRequest ? 'new' : 'gone'}`, { isMinor }),
      )
    }
  }
  return gaps
}

// ---- values that are listed ---------------------------------------------------------------------

/** The reasons why some of these values may not be read. */
function listedGaps(
  values: readonly unknown[],
  sent: Json,
  read: Json,
  direction: Direction,
): Gap[] {
  const gaps: Gap[] = []
  const readTypes = typesOf(read)
  const allowed = Array.isArray(read['enum']) ? read['enum'] : null
  const texts = new Set(allowed?.map((value) => JSON.stringify(value)))
  const ofOtherTypes: unknown[] = []
  const newValues: unknown[] = []
  const readable: unknown[] = []
  for (const value of values) {
    const isRead = hasType(readTypes, typeOf(value))
    const isAllowed = isRead && (allowed === null || texts.has(JSON.stringify(value)))
    // According to OpenAPI 3.0.3, `nullable` doesn't add null to an enum, but authors usually mean
    // it to.
    const isMeant = sent[nullMeant] !== read[nullMeant] && (!isAllowed || read[nullMeant])
    // If the types of both have null, and the enums of both don't, nothing has changed.
    if (value === null && sent[nullMeant] && isRead && !isAllowed) continue
    if (value === null && isMeant) {
      const wasMeant = (direction === 'request') === (sent[nullMeant] === true)
      const [verb, negation] = wasMeant ? ['it was', "wasn't"] : ["it's", "isn't"]
      gaps.push(
        unclear(`isn't clear about null: ${verb} nullable, but null ${negation} in its enum`),
      )
    } else if (isAllowed) readable.push(value)
    else (isRead ? newValues : ofOtherTypes).push(value)
  }
  if (ofOtherTypes.length > 0)
    gaps.push(gap(otherType(shown(ofOtherTypes), readTypes.join(' or '), direction)))
  if (newValues.length > 0) {
    const news = shown(newValues)
    const why =
      direction === 'request'
        ? `may no longer be ${news}`
        : `may be ${news}, which ${newValues.length > 1 ? 'are' : 'is'} new`
    // An enum with additional values is still the same enum, but a different constant isn't the
    // same constant.
    const isGrowing =
      sent['enum'] !== undefined &&
      (allowed!.length > 1 || values.length > 1) &&
      newValues.every((value) => allowed!.some((old) => typeOf(old) === typeOf(value)))
    gaps.push(gap(why, isGrowing ? { kind: 'new-value' } : {}))
  }
  const strings = readable.filter((value) => typeof value === 'string')
  if (strings.length > 0) gaps.push(...textGaps(sent, read, direction, strings))
  for (const value of readable) {
    if (typeof value !== 'object') {
      const { length } = [...String(value)]
      const exactly = { minLength: length, maxLength: length, minimum: value, maximum: value }
      gaps.push(...boundGaps(exactly, read, [typeOf(value)], direction))
    } else if (isObject(value) && read['properties'] !== undefined)
      gaps.push(unclear(`lists ${brief(value)}, which isn't compared with its properties`))
  }
  // Thousands of values may have the same reason.
  return [...new Map(gaps.map((inner) => [inner.why, inner])).values()]
}
