// Compares two schemas' keywords about the value itself: its type, enum, bounds, pattern and
// format.
import { type Json, groupBy, isEqual, isObject, listOf } from '../json.ts'
import { boundGaps, formatGaps, numericFormats } from './bounds.ts'
import { type Gap, type Sides, became, brief, gap, shown, unclear } from './gap.ts'
import {
  hasType,
  listedValues,
  mayBe,
  nullMeant,
  typeOf,
  typesOf,
  unknownKeywords,
} from './shape.ts'

export function* valueGaps(sent: Json, read: Json, isRequest: boolean): Generator<Gap> {
  const values = listedValues(sent, read)
  const isNull = values?.includes(null) ?? mayBe(sent, 'null')
  if (sent[nullMeant] && !isNull && !read[nullMeant] && !mayBe(read, 'null'))
    yield nullGap(sent, read, isRequest)
  if (values !== null) {
    // Thousands of values may have the same reason.
    const byReason = groupBy([...listedGaps(values, sent, read, isRequest)], ({ why }) => why)
    for (const [first] of byReason.values()) yield first
    return
  }
  yield* typeGaps(sent, read, isRequest)
  yield* boundGaps(sent, read, typesOf(sent), isRequest)
  yield* formatGaps(sent, read, isRequest)
  if (mayBe(sent, 'string') && mayBe(read, 'string')) yield* textGaps(sent, read, isRequest)
}

/**
 * Keywords that the comparison doesn't understand, so a difference may or may not matter. Some
 * matter even where the reader has none: those that validators ignore, although they say what a
 * text contains or how XML is written, and those that allow more.
 */
export function* keywordGaps(sent: Json, read: Json, sides: Sides): Generator<Gap> {
  const keywords = new Set(['contentEncoding', 'contentMediaType', ...unknownKeywords(read)])
  if (sent['minContains'] === 0) keywords.add('minContains')
  if (isObject(sent['unevaluatedProperties'])) keywords.add('unevaluatedProperties')
  if (read['additionalProperties'] !== undefined) keywords.add('patternProperties')
  if (sides.form === 'xml') keywords.add('xml')
  for (const key of keywords) {
    const areEqual = isEqual(sent[key], read[key])
    if (areEqual && sides.meansTheSame({ [key]: read[key] })) continue
    const change = became(sides.isRequest, brief(sent[key]), brief(read[key]))
    yield unclear(`differs in ${key}, which ${areEqual ? 'refers to something else' : change}`)
  }
}

const objectKeywords = ['properties', 'additionalProperties', 'required']

function* typeGaps(sent: Json, read: Json, isRequest: boolean) {
  const types = [...new Set(typesOf(sent))]
  const readTypes = typesOf(read)
  const newTypes = types.filter((type) => !hasType(readTypes, type))
  if (read['enum'] !== undefined && newTypes.length < types.length) {
    // A range of integers may contain exactly the enum's values.
    const isUnclear = newTypes.length === 0 && 'minimum' in sent && 'maximum' in sent
    const allowed = shown(listOf(read['enum']))
    yield gap(isRequest ? `must be one of ${allowed} now` : `may be other than ${allowed}`, {
      isUnclear,
    })
    return
  }
  if (newTypes.length === 0) return
  const names = readTypes.join(' or ')
  if (sent['type'] === undefined) {
    // Documents often leave out `type: object` if there are properties.
    const isUnclear =
      readTypes.includes('object') && objectKeywords.some((key) => sent[key] !== undefined)
    yield gap(isRequest ? `must be ${names} now` : `may be other than ${names}`, { isUnclear })
    return
  }
  if (newTypes.join() === 'null' && read[nullMeant]) yield nullGap(sent, read, isRequest)
  else yield gap(otherType(newTypes.join(' or '), names, isRequest))
}

/** The older or the newer schema is meant to allow null, although it doesn't. */
function nullGap(sent: Json, read: Json, isRequest: boolean) {
  const isSent = !read[nullMeant]
  const { enum: values = [null] } = isSent ? sent : read
  const keyword = listOf(values).includes(null) ? 'type' : 'enum'
  const [verb, negation] = isSent === isRequest ? ['it was', "wasn't"] : ["it's", "isn't"]
  return unclear(`isn't clear about null: ${verb} nullable, but null ${negation} in its ${keyword}`)
}

const otherType = (sent: string, read: string, isRequest: boolean) =>
  isRequest ? `must be ${read} now, not ${sent}` : `may be ${sent}, which isn't ${read}`

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
function* textGaps(sent: Json, read: Json, isRequest: boolean, values?: readonly unknown[]) {
  for (const keyword of ['pattern', 'format']) {
    const sentRule = sent[keyword]
    const readRule = read[keyword]
    if (readRule === undefined || sentRule === readRule) continue
    const why = `${isRequest ? 'must' : 'may not'} match its ${keyword}`
    const isFormat = keyword === 'format'
    if (values) {
      // An enum's values already have the format, and a number's format doesn't apply to text.
      const isHint = isFormat && (read['enum'] ?? numericFormats.get(readRule))
      if (!isHint) yield unclear(`${why} ${String(readRule)}, so check ${shown(values)}`)
    } else if (sentRule !== undefined) {
      const change = became(isRequest, String(sentRule), String(readRule))
      // A different pattern is usually the same one, written better or for more values.
      yield gap(`${why}, which ${change}`, { isUnclear: !isFormat, isMinor: !isFormat })
    } else {
      // Validators ignore most formats. A new format usually just documents what was always true.
      const isMinor = isFormat && (isRequest || !formats.has(String(readRule)))
      // A pattern may describe the same texts as a format.
      const other = isFormat ? 'pattern' : 'format'
      const isUnclear = !isMinor && sent[other] !== undefined && sent[other] !== read[other]
      const change = `${String(readRule)}, which is ${isRequest ? 'new' : 'gone'}`
      yield gap(`${why} ${change}`, { isUnclear, isMinor: isMinor || isUnclear })
    }
  }
}

// ---- values that are listed ---------------------------------------------------------------------

/** The reasons why some of these values may not be read. */
function* listedGaps(values: readonly unknown[], sent: Json, read: Json, isRequest: boolean) {
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
    if (value === null && !isAllowed && read[nullMeant]) yield nullGap(sent, read, isRequest)
    else if (isAllowed) readable.push(value)
    else (isRead ? newValues : ofOtherTypes).push(value)
  }
  if (ofOtherTypes.length > 0)
    yield gap(otherType(shown(ofOtherTypes), readTypes.join(' or '), isRequest))
  if (newValues.length > 0) {
    const news = shown(newValues)
    const areNew = newValues.length > 1 ? 'are new' : 'is new'
    // An enum with additional values is still the same enum, but a different constant isn't the
    // same constant.
    const isGrowing =
      sent['enum'] !== undefined &&
      (allowed!.length > 1 || values.length > 1) &&
      newValues.every((value) => allowed!.some((old) => typeOf(old) === typeOf(value)))
    yield gap(
      isRequest ? `may no longer be ${news}` : `may be ${news}, which ${areNew}`,
      isGrowing ? { kind: 'new-value' } : {},
    )
  }
  const strings = readable.filter((value) => typeof value === 'string')
  if (strings.length > 0) yield* textGaps(sent, read, isRequest, strings)
  for (const value of readable) {
    if (typeof value !== 'object') {
      const { length } = [...String(value)]
      const exactly = { minLength: length, maxLength: length, minimum: value, maximum: value }
      yield* boundGaps(exactly, read, [typeOf(value)], isRequest)
    } else if (isObject(value) && read['properties'] !== undefined)
      yield unclear(`lists ${brief(value)}, which isn't compared with its properties`)
  }
}
