import { type JsonSchema, isObject } from '@hv/router/adapter'
import { type Document, allowsAll, isEqual, normalize, unknownKeywords } from './normalize.ts'

/** A reason why a value that is sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value; `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** False when the comparison cannot decide. */
  readonly judged: boolean
}

/** A schema, and the document that its references mean. */
export interface Side {
  readonly document: Document
  readonly schema: unknown
}

/** A request is sent by released clients and read by the current API; a response the other way round. */
export type Direction = 'request' | 'response'

interface Context {
  readonly sent: Document
  readonly read: Document
  readonly direction: Direction
  /** The pairs of schemas that contain this one: a recursive pair is compared once. */
  readonly open: readonly string[]
}

/**
 * Finds out whether every value that is sent can be read.
 *
 * @returns no gaps if it can
 */
export const findGaps = (sent: Side, read: Side, direction: Direction): readonly Gap[] =>
  compare(sent.schema, read.schema, '', { sent: sent.document, read: read.document, direction, open: [] })

function compare(sentSchema: unknown, readSchema: unknown, at: string, context: Context): readonly Gap[] {
  const pair = JSON.stringify([sentSchema, readSchema])
  if (context.open.includes(pair)) return []
  const inner = { ...context, open: [...context.open, pair] }
  const sent = normalize(context.sent, sentSchema)
  const read = normalize(context.read, readSchema)
  if (allowsAll(read) || isNever(sent)) return []
  const alternatives = unionOf(sent)
  if (alternatives !== null)
    return alternatives.flatMap((one) => compare({ ...withoutUnion(sent), allOf: [one] }, readSchema, at, inner))
  if (unionOf(read) !== null) return compareWithUnion(sent, read, at, inner)
  const values = scalarsOf(sent)
  if (values !== null) {
    const { format, ...rest } = read // the values match a format that both sides have
    const other = format === sent['format'] ? rest : read
    return values.flatMap((value) => scalarGaps(value, other, at))
  }
  return [
    ...typeGaps(sent, read, at),
    ...boundGaps(sent, read, at),
    ...textGaps(sent, read, at),
    ...listGaps(sent, read, at, inner),
    ...objectGaps(sent, read, at, inner),
    ...unknownGaps(sent, read, at),
  ]
}

const gap = (at: string, why: string, judged = true): Gap => ({ at, why, judged })
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const shown = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')
const isNever = ({ not, type, enum: values }: JsonSchema): boolean =>
  isEqual(not, {}) || isEqual(type, []) || isEqual(values, [])

// ---- unions -------------------------------------------------------------------------------------

const unionOf = ({ anyOf, oneOf }: JsonSchema): readonly unknown[] | null =>
  (anyOf ?? oneOf ?? null) as readonly unknown[] | null
/** Of two unions, the other one is compared next. */
const withoutUnion = ({ anyOf, oneOf, ...rest }: JsonSchema): JsonSchema =>
  anyOf === undefined || oneOf === undefined ? rest : { ...rest, oneOf }

/** Every kind of value that is sent must fit one alternative whole. */
function compareWithUnion(sent: JsonSchema, read: JsonSchema, at: string, context: Context): readonly Gap[] {
  return split(sent).flatMap((one) => {
    const tries = unionOf(read)!.map((alternative) =>
      compare(one, { ...withoutUnion(read), allOf: [alternative] }, at, context),
    )
    if (tries.some((gaps) => gaps.length === 0)) return []
    const nearest = tries.toSorted((a, b) => a.length - b.length)[0] ?? [gap(at, 'matches nothing')]
    return nearest.map((each) => ({ ...each, why: `${each.why}, and no other alternative matches` }))
  })
}

function split(schema: JsonSchema): readonly JsonSchema[] {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ ...schema, enum: [value] }))
  return (type === undefined ? types.filter((one) => one !== 'integer') : [type].flat()).map((one) => ({
    ...schema,
    type: one,
  }))
}

// ---- types and values ---------------------------------------------------------------------------

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function typesOf({ type, enum: values }: JsonSchema): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : types
}
const mayBe = (schema: JsonSchema, ...wanted: readonly string[]): boolean =>
  typesOf(schema).some((type) => wanted.includes(type))

function typeGaps(sent: JsonSchema, read: JsonSchema, at: string): readonly Gap[] {
  const known = typesOf(read)
  const others = typesOf(sent).filter(
    (type) => !known.includes(type) && !(type === 'integer' && known.includes('number')),
  )
  const values = listOf(read['enum'])
  if (others.length > 0)
    return [
      gap(
        at,
        sent['type'] === undefined && sent['enum'] === undefined
          ? `may be other than ${known.join(' or ')}`
          : `may be ${others.join(' or ')}, which is not ${known.join(' or ')}`,
      ),
    ]
  if (read['enum'] === undefined) return []
  const sentValues = sent['enum'] as readonly unknown[] | undefined
  const strange = sentValues?.filter((value) => !values.some((one) => isEqual(one, value)))
  if (strange === undefined) return [gap(at, `may be other than ${shown(values)}`)]
  return strange.length === 0 ? [] : [gap(at, `may be ${shown(strange)}`)]
}

/** The values of an enum of scalars, which can be checked one by one. */
function scalarsOf({ enum: values, type }: JsonSchema): readonly unknown[] | null {
  if (!Array.isArray(values) || values.some((value) => typeof value === 'object' && value !== null)) return null
  return type === undefined ? values : values.filter((value) => isOfType(value, [type].flat().map(String)))
}
const isOfType = (value: unknown, allowed: readonly string[]): boolean =>
  allowed.includes(typeOf(value)) || (typeof value === 'number' && allowed.includes('number'))

function scalarGaps(value: unknown, read: JsonSchema, at: string): readonly Gap[] {
  const { type, enum: values, pattern } = read
  const refused =
    (type !== undefined && !isOfType(value, [type].flat().map(String))) ||
    (Array.isArray(values) && !values.some((one) => isEqual(one, value))) ||
    (typeof value === 'string' && typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
  if (refused) return [gap(at, `may be ${shown([value])}, which is not allowed`)]
  const exact = schemaOf(value)
  const { format } = read
  const unjudged = typeof value === 'string' && format !== undefined
  return [
    ...boundGaps(exact, read, at),
    ...(unjudged ? [gap(at, `may be ${shown([value])}, and has the format ${String(format)}`, false)] : []),
    ...unknownGaps({}, read, at),
  ]
}

/** A schema that only this scalar matches, as far as bounds are concerned. */
function schemaOf(value: unknown): JsonSchema {
  if (typeof value === 'number') return { type: 'number', minimum: value, maximum: value, multipleOf: value }
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

function boundGaps(sent: JsonSchema, read: JsonSchema, at: string): readonly Gap[] {
  const found = sizes.flatMap(([type, lowest, highest]) => {
    if (!mayBe(sent, type)) return []
    const least = Math.max(number(sent[lowest]) ?? 0, type === 'object' ? listOf(sent['required']).length : 0)
    const low = number(read[lowest]) ?? 0
    const high = number(read[highest]) ?? Infinity
    return [
      ...(least < low ? [gap(at, `may be under its ${lowest} of ${low}`)] : []),
      ...((number(sent[highest]) ?? Infinity) > high ? [gap(at, `may be over its ${highest} of ${high}`)] : []),
    ]
  })
  return mayBe(sent, 'number', 'integer') ? [...found, ...numberGaps(sent, read, at)] : found
}

function numberGaps(sent: JsonSchema, read: JsonSchema, at: string): readonly Gap[] {
  const [from, fromExclusive] = [number(sent['minimum']) ?? -Infinity, number(sent['exclusiveMinimum']) ?? -Infinity]
  const [to, toExclusive] = [number(sent['maximum']) ?? Infinity, number(sent['exclusiveMaximum']) ?? Infinity]
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = read as Readonly<Record<string, number>>
  const step = number(sent['multipleOf'])
  return [
    ...(minimum !== undefined && Math.max(from, fromExclusive) < minimum
      ? [gap(at, `may be under its minimum of ${minimum}`)]
      : []),
    ...(exclusiveMinimum !== undefined && from <= exclusiveMinimum && fromExclusive < exclusiveMinimum
      ? [gap(at, `may be under its exclusiveMinimum of ${exclusiveMinimum}`)]
      : []),
    ...(maximum !== undefined && Math.min(to, toExclusive) > maximum
      ? [gap(at, `may be over its maximum of ${maximum}`)]
      : []),
    ...(exclusiveMaximum !== undefined && to >= exclusiveMaximum && toExclusive > exclusiveMaximum
      ? [gap(at, `may be over its exclusiveMaximum of ${exclusiveMaximum}`)]
      : []),
    ...(multipleOf !== undefined && (step === undefined || step % multipleOf !== 0)
      ? [gap(at, `may not be a multiple of ${multipleOf}`)]
      : []),
  ]
}
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Whether one pattern matches less than another is not decided. */
function textGaps(sent: JsonSchema, read: JsonSchema, at: string): readonly Gap[] {
  return (['pattern', 'format'] as const).flatMap((keyword) => {
    const [own, wanted] = [sent[keyword], read[keyword]]
    if (
      wanted === undefined ||
      own === wanted ||
      !mayBe(sent, 'string', ...(keyword === 'format' ? ['number', 'integer'] : []))
    )
      return []
    return own === undefined
      ? [gap(at, `may not match its ${keyword} ${String(wanted)}`)]
      : [gap(at, `has the ${keyword} ${String(own)}, not ${String(wanted)}`, keyword === 'format')]
  })
}

const unknownGaps = (sent: JsonSchema, read: JsonSchema, at: string): readonly Gap[] =>
  unknownKeywords(read)
    .filter((key) => !isEqual(sent[key], read[key]))
    .map((key) => gap(at, `differs in ${key}`, false))

// ---- lists and objects --------------------------------------------------------------------------

function listGaps(sent: JsonSchema, read: JsonSchema, at: string, context: Context): readonly Gap[] {
  if (!mayBe(sent, 'array') || !mayBe(read, 'array')) return []
  const [own, known] = [listOf(sent['prefixItems']), listOf(read['prefixItems'])]
  const most = number(sent['maxItems']) ?? Infinity
  const first = Array.from({ length: Math.min(Math.max(own.length, known.length), most) }, (_, index) =>
    compare(own[index] ?? sent['items'], known[index] ?? read['items'], `${at}/${index}`, context),
  )
  const rest = most === 0 ? [] : compare(sent['items'], read['items'], `${at}/*`, context)
  const isUnique = read['uniqueItems'] !== true || sent['uniqueItems'] === true || most <= 1
  return [...first.flat(), ...rest, ...(isUnique ? [] : [gap(at, 'may have equal elements')])]
}

function objectGaps(sent: JsonSchema, read: JsonSchema, at: string, context: Context): readonly Gap[] {
  if (!mayBe(sent, 'object') || !mayBe(read, 'object')) return []
  const { direction } = context
  const [own, known] = [propertiesOf(sent), propertiesOf(read)]
  const [present, required] = [listOf(sent['required']), listOf(read['required'])]
  const isHidden = (name: string): boolean => {
    const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
    return [own[name], known[name]].some((property) => isObject(property) && property[keyword] === true)
  }
  const hasDefault = (property: unknown): boolean =>
    direction === 'request' && isObject(property) && 'default' in property
  const missing = (required as readonly string[])
    .filter((name) => !present.includes(name) && !isHidden(name) && !hasDefault(known[name]))
    .map((name) =>
      gap(`${at}/${escape(name)}`, name in own ? 'may be missing, and is required' : 'is missing, and is required'),
    )
  const values = Object.keys(known)
    .filter(
      (name) => (name in own || present.includes(name) || isObject(sent['additionalProperties'])) && !isHidden(name),
    )
    .flatMap((name) =>
      compare(own[name] ?? sent['additionalProperties'], known[name], `${at}/${escape(name)}`, context),
    )
  // A field that clients sent is ignored, or a field that they read is not there any more.
  const [released, current] = direction === 'request' ? [sent, read] : [read, sent]
  const lost = Object.keys(propertiesOf(released))
    .filter((name) => !(name in propertiesOf(current)) && !required.includes(name) && !isHidden(name))
    .filter(() => !isObject(current['additionalProperties']))
    .map((name) => gap(`${at}/${escape(name)}`, 'is gone'))
  return [...missing, ...values, ...lost, ...otherPropertyGaps(sent, read, at, context)]
}

/** Clients of a response ignore properties that they do not know. */
function otherPropertyGaps(sent: JsonSchema, read: JsonSchema, at: string, context: Context): readonly Gap[] {
  const [own, others] = [sent['additionalProperties'], read['additionalProperties']]
  if (others === false)
    return context.direction === 'request' && own !== false
      ? [gap(at, 'may have other properties, which are refused')]
      : []
  if (!isObject(others)) return []
  const unnamed = Object.entries(propertiesOf(sent)).filter(([name]) => !(name in propertiesOf(read)))
  return [
    ...unnamed.flatMap(([name, property]) => compare(property, others, `${at}/${escape(name)}`, context)),
    ...(own === false ? [] : compare(own, others, `${at}/*`, context)),
  ]
}

const propertiesOf = (schema: JsonSchema): JsonSchema => (schema['properties'] ?? {}) as JsonSchema
const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
