// What a pair of schemas consists of: its own gaps, and the pairs on which it depends.
import { type JsonSchema, isObject } from '@hv/router/internal'
import { escapeStep } from '../json-pointer.ts'
import { childrenRule, discriminatorGaps } from './discriminator.ts'
import type { MeansTheSame } from './intern.ts'
import { allowsAll, isEqual } from './normalize.ts'
import { type Reader, propertiesOf, propertyIn, tagOf, unionOf } from './reader.ts'
import { type Choice, type Pair, type Part, type Rule, noRule } from './solve.ts'
import {
  type Gap,
  asNumber,
  gap,
  listOf,
  mayBe,
  scalarGaps,
  scalarsOf,
  typesOf,
  unknownGaps,
  valueGaps,
  valueTypes,
  withoutKept,
} from './value-gaps.ts'

/** A request is sent by released clients and read by the current API; a response the other way round. */
export type Direction = 'request' | 'response'

/** @param isOther - the pair matters only if another one does not fit, which is reported in any case */
type PairOf = (sent: unknown, read: unknown, isOther?: boolean) => Pair
interface Comparison {
  readonly direction: Direction
  readonly pairOf: PairOf
  readonly readSent: Reader
  readonly readRead: Reader
}

/** Creates the function that reads the rule of two schemas. */
export const createRules =
  (direction: Direction, readSent: Reader, readRead: Reader, pairOf: PairOf, meansTheSame: MeansTheSame) =>
  (sentSchema: unknown, readSchema: unknown): Rule => {
    const comparison: Comparison = { direction, pairOf, readSent, readRead }
    const [sent, read] = [readSent(sentSchema), readRead(readSchema)]
    if (allowsAll(read) || isNever(sent)) return noRule
    if (isNever(read)) return { ...noRule, gaps: [gap('', 'is not allowed')] }
    const alternatives = unionOf(sent)
    if (alternatives !== null) {
      const parts = alternatives.map((one) => ({ at: '', pair: pairOf(withAlternative(sent, one), readSchema) }))
      return { ...noRule, gaps: discriminatorGaps(sent, read, readSent, readRead), parts }
    }
    if (unionOf(read) !== null) return { ...noRule, choices: choicesOf(sent, read, sentSchema, readSchema, comparison) }
    const values = scalarsOf(sent)
    if (values !== null) {
      // The values match a format that was not there before, and one that both sides have.
      const { format: _, ...rest } = read
      const other = withoutKept(Array.isArray(read['enum']) ? rest : read, sent, meansTheSame)
      return { ...noRule, gaps: values.flatMap((value) => scalarGaps(value, other, '')) }
    }
    const [lists, objects] = [listRule(sent, read, comparison), objectRule(sent, read, comparison)]
    const children = childrenRule(sent, read, pairOf)
    return {
      gaps: [
        ...valueGaps(sent, read, ''),
        ...lists.gaps,
        ...objects.gaps,
        ...unknownGaps(sent, read, meansTheSame),
        ...children.gaps,
      ],
      parts: [...lists.parts, ...objects.parts, ...children.parts],
      choices: [],
    }
  }

const isNever = ({ not, type, enum: values }: JsonSchema): boolean =>
  isEqual(not, {}) || isEqual(type, []) || isEqual(values, [])

// ---- unions -------------------------------------------------------------------------------------

/** A union with one of its alternatives. Of two unions, the other one is compared next. */
function withAlternative(union: JsonSchema, alternative: unknown): JsonSchema {
  const { anyOf, oneOf, discriminator: _, ...rest } = union
  return { ...rest, ...(anyOf !== undefined && oneOf !== undefined && { oneOf }), allOf: [alternative] }
}

/** Every kind of value that is sent must fit one alternative whole. */
function choicesOf(
  sent: JsonSchema,
  read: JsonSchema,
  sentSchema: unknown,
  readSchema: unknown,
  { pairOf, readSent, readRead }: Comparison,
): readonly Choice[] {
  const alternatives = unionOf(read)!
  const origin = listOf((sentSchema as JsonSchema | undefined)?.['allOf'])
  const counterparts =
    [
      (one: unknown) => origin.includes(one),
      (one: unknown) => hasCommonTag(sent, readRead(one)),
      (one: unknown) => hasCommonProperty(sent, readRead(one)),
    ]
      .map((isCounterpart) => alternatives.filter(isCounterpart))
      .find(({ length }) => length > 0) ?? []
  const hasBooleans = alternatives.some((one) => scalarsOf(readRead(one))?.some((value) => typeof value === 'boolean'))
  return split(sent, hasBooleans).map((one) => {
    const first = counterparts.filter((alternative) => mayBe(readRead(alternative), ...typesOf(one)))
    const ordered = [...first, ...alternatives.filter((alternative) => !first.includes(alternative))]
    const spelledOut = spellOut(one, alternatives.map(readRead), readSent)
    return {
      candidates: [
        ...ordered.map((alternative) =>
          pairOf(one, withAlternative(read, alternative), first.length === 1 && alternative !== first[0]),
        ),
        ...(spelledOut === null ? [] : [pairOf(spelledOut, readSchema, true)]),
      ],
      isSpelledOut: spelledOut !== null,
      isCounterpart: first.length === 1,
      chosen: -1,
    }
  })
}

/**
 * An object with a union or enum in a required property, as a union of objects. Null where the other side has no use for it:
 * the property is not in all alternatives, or the same in all.
 */
function spellOut(sent: JsonSchema, alternatives: readonly JsonSchema[], readSent: Reader): JsonSchema | null {
  const own = propertiesOf(sent)
  const name = (listOf(sent['required']) as readonly string[]).find(
    (one) =>
      Object.hasOwn(own, one) &&
      alternatives.every((other) => Object.hasOwn(propertiesOf(other), one)) &&
      new Set(alternatives.map((other) => propertiesOf(other)[one])).size > 1 &&
      kindsOf(readSent(own[one])).length > 1,
  )
  if (name === undefined || alternatives.length === 0) return null
  const kinds = kindsOf(readSent(own[name]))
  return { anyOf: kinds.map((kind) => ({ ...sent, properties: { ...own, [name]: kind } })) }
}

const kindsOf = (schema: JsonSchema): readonly unknown[] =>
  unionOf(schema)?.map((one) => withAlternative(schema, one)) ??
  (Array.isArray(schema['enum']) ? schema['enum'].map((value: unknown) => ({ ...schema, enum: [value] })) : [])

const hasCommonProperty = (sent: JsonSchema, read: JsonSchema): boolean =>
  Object.keys(propertiesOf(sent)).some((name) => Object.hasOwn(propertiesOf(read), name))

/** Whether two objects have a property with the same single value, such as `kind: 'user'`. */
const hasCommonTag = (sent: JsonSchema, read: JsonSchema): boolean =>
  Object.entries(propertiesOf(sent)).some(([name, own]) => {
    const tag = tagOf(own)
    return tag !== undefined && tag === tagOf(propertiesOf(read)[name])
  })

/** @param booleans - split into true and false */
function split(schema: JsonSchema, booleans: boolean): readonly JsonSchema[] {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ ...schema, enum: [value] }))
  return (type === undefined ? valueTypes.filter((one) => one !== 'integer') : [type].flat()).flatMap((one) =>
    one === 'boolean' && booleans
      ? [true, false].map((value) => ({ ...schema, type: one, enum: [value] }))
      : [{ ...schema, type: one }],
  )
}

// ---- lists and objects --------------------------------------------------------------------------

type GapsAndParts = Pick<Rule, 'gaps' | 'parts'>

function listRule(sent: JsonSchema, read: JsonSchema, { pairOf }: Comparison): GapsAndParts {
  if (!mayBe(sent, 'array') || !mayBe(read, 'array')) return noRule
  const [own, known] = [listOf(sent['prefixItems']), listOf(read['prefixItems'])]
  const most = asNumber(sent['maxItems']) ?? Infinity
  const first = Array.from({ length: Math.min(Math.max(own.length, known.length), most) }, (_, index) => ({
    at: `/${index}`,
    pair: pairOf(own[index] ?? sent['items'], known[index] ?? read['items']),
  }))
  const rest = most <= first.length ? [] : [{ at: '/*', pair: pairOf(sent['items'], read['items']) }]
  const isUnique = read['uniqueItems'] !== true || sent['uniqueItems'] === true || most <= 1
  return { gaps: isUnique ? [] : [gap('', 'may have equal elements')], parts: [...first, ...rest] }
}

function objectRule(sent: JsonSchema, read: JsonSchema, comparison: Comparison): GapsAndParts {
  const { direction, pairOf, readSent, readRead } = comparison
  if (!mayBe(sent, 'object') || !mayBe(read, 'object')) return noRule
  const [own, known] = [propertiesOf(sent), propertiesOf(read)]
  const others = sent['additionalProperties']
  // Clients do not send what is read-only, and the API does not send what is write-only.
  const isRefused = (schema: unknown): boolean =>
    schema === false || (isObject(schema) && isObject(schema['not']) && isNever(schema))
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
  const isUnsent = (name: string): boolean => readSent(propertyIn(own, name))[keyword] === true
  const isUnread = (name: string): boolean => readRead(propertyIn(known, name))[keyword] === true
  const present = new Set((listOf(sent['required']) as readonly string[]).filter((name) => !isUnsent(name)))
  const required = (listOf(read['required']) as readonly string[]).filter((name) => !isUnread(name))
  const hasDefault = (name: string): boolean =>
    direction === 'request' && 'default' in readRead(propertyIn(known, name))
  const missing = required
    .filter((name) => !present.has(name) && !hasDefault(name))
    .map((name) =>
      gapAt(
        name,
        Object.hasOwn(own, name) && !isUnsent(name) ? 'may be missing, and is required' : 'is missing, and is required',
      ),
    )
  const values = Object.keys(known)
    .filter(
      (name) =>
        (Object.hasOwn(own, name) || present.has(name) || isObject(others)) && !isUnsent(name) && !isUnread(name),
    )
    .map((name) => ({ at: `/${escapeStep(name)}`, pair: pairOf(propertyIn(own, name) ?? others, known[name]) }))
  // A field that clients sent is ignored, or a field that they read is not there any more.
  const [released, current] = direction === 'request' ? [sent, read] : [read, sent]
  const lost = isObject(current['additionalProperties'])
    ? []
    : Object.keys(propertiesOf(released))
        .filter(
          (name) =>
            (!Object.hasOwn(propertiesOf(current), name) ||
              (direction === 'response' && isRefused(own[name]) && !isRefused(known[name]))) &&
            !required.includes(name) &&
            !isUnsent(name) &&
            !isUnread(name),
        )
        .map((name) => gapAt(name, 'is gone'))
  const unsent =
    direction === 'request'
      ? []
      : Object.keys(known)
          .filter((name) => isUnsent(name) && !isUnread(name) && !required.includes(name))
          .map((name) => gapAt(name, 'is write-only'))
  const rest = otherPropertiesRule(sent, read, comparison)
  return {
    gaps: [
      ...missing,
      ...lost,
      ...unsent,
      ...(direction === 'request' ? requestGaps(own, known, comparison) : []),
      ...rest.gaps,
    ],
    parts: [...values, ...rest.parts],
  }
}

/** What changes for a client although it may send the same values. */
const requestGaps = (sent: JsonSchema, read: JsonSchema, { readSent, readRead }: Comparison): readonly Gap[] =>
  Object.keys(sent).flatMap((name) => {
    if (!Object.hasOwn(read, name)) return []
    const [own, other] = [readSent(sent[name]), readRead(read[name])]
    const [was, is] = [own['default'], other['default']].map((value) => JSON.stringify(value))
    return [
      ...(was === is ? [] : [{ ...gapAt(name, `had the default ${was}, and has ${is}`), kind: 'default' as const }]),
      ...(other['readOnly'] === true && own['readOnly'] !== true ? [gapAt(name, 'is read-only', false)] : []),
    ]
  })

/** Clients of a response ignore properties that they do not know. */
function otherPropertiesRule(sent: JsonSchema, read: JsonSchema, { direction, pairOf }: Comparison): GapsAndParts {
  const [own, others] = [sent['additionalProperties'], read['additionalProperties']]
  if (others === false && direction === 'request' && own !== false)
    return { ...noRule, gaps: [gap('', 'may have other properties, which are refused')] }
  if (!isObject(others)) return noRule
  const unnamed = Object.entries(propertiesOf(sent)).filter(([name]) => !Object.hasOwn(propertiesOf(read), name))
  const parts = unnamed.map(([name, property]): Part => ({
    at: `/${escapeStep(name)}`,
    pair: pairOf(property, others),
  }))
  return { ...noRule, parts: own === false ? parts : [...parts, { at: '/*', pair: pairOf(own, others) }] }
}

const gapAt = (name: string, why: string, judged = true): Gap => gap(`/${escapeStep(name)}`, why, judged)
