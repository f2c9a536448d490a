import { type JsonSchema, isObject } from '@hv/router/internal'
import { type Document, allowsAll, isEqual, normalize } from './normalize.ts'
import {
  type Gap,
  asNumber,
  gap,
  listOf,
  mayBe,
  scalarGaps,
  scalarsOf,
  unknownGaps,
  valueGaps,
  valueTypes,
} from './value-gaps.ts'

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
    ...valueGaps(sent, read, at),
    ...listGaps(sent, read, at, inner),
    ...objectGaps(sent, read, at, inner),
    ...unknownGaps(sent, read, at),
  ]
}

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
  return (type === undefined ? valueTypes.filter((one) => one !== 'integer') : [type].flat()).map((one) => ({
    ...schema,
    type: one,
  }))
}

// ---- lists and objects --------------------------------------------------------------------------

function listGaps(sent: JsonSchema, read: JsonSchema, at: string, context: Context): readonly Gap[] {
  if (!mayBe(sent, 'array') || !mayBe(read, 'array')) return []
  const [own, known] = [listOf(sent['prefixItems']), listOf(read['prefixItems'])]
  const most = asNumber(sent['maxItems']) ?? Infinity
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
