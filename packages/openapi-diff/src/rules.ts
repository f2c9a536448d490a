// What a pair of schemas consists of: its own gaps, and the pairs on which it depends.
import { childrenRule, discriminatorGaps } from './discriminator.ts'
import type { MeansTheSame } from './intern.ts'
import { type Json, isObject, isEqual, listOf, pointerTo } from './json.ts'
import { allowsAll } from './normalize.ts'
import { type Reader, propertiesOf, propertyOf, tagOf, unionOf } from './reader.ts'
import { type Choice, type GapsAndParts, type Pair, type Part, type Rule, noRule } from './solve.ts'
import {
  type Gap,
  asNumber,
  gap,
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

/** What the rules of all pairs have in common. */
export interface Rules {
  readonly direction: Direction
  readonly readSent: Reader
  readonly readRead: Reader
  readonly meansTheSame: MeansTheSame
  /** @param isOther - the pair matters only if another one does not fit, which is reported in any case */
  readonly pairOf: (sent: unknown, read: unknown, isOther?: boolean) => Pair
}

/** Reads what a pair of schemas consists of. */
export function ruleOf(sentSchema: unknown, readSchema: unknown, rules: Rules): Rule {
  const { readSent, readRead, meansTheSame, pairOf } = rules
  const [sent, read] = [readSent(sentSchema), readRead(readSchema)]
  if (allowsAll(read) || isNever(sent)) return noRule
  if (isNever(read)) return { ...noRule, gaps: [gap('is not allowed')] }
  const alternatives = unionOf(sent)
  if (alternatives !== null) {
    const parts = alternatives.map((one) => ({
      at: '',
      pair: pairOf(withAlternative(sent, one), readSchema),
    }))
    return {
      gaps: [
        ...discriminatorGaps(sent, read, readSent, readRead),
        ...overlapGaps(sent, read, readRead),
      ],
      parts,
      choices: [],
    }
  }
  if (unionOf(read) !== null)
    return { ...noRule, choices: choicesOf(sent, read, sentSchema, readSchema, rules) }
  const values = scalarsOf(sent)
  if (values !== null) {
    // The values match a format that was not there before, and one that both sides have.
    const { format: _, ...rest } = read
    const other = withoutKept(Array.isArray(read['enum']) ? rest : read, sent, meansTheSame)
    return { ...noRule, gaps: values.flatMap((value) => scalarGaps(value, other)) }
  }
  const inner = [
    listRule(sent, read, rules),
    objectRule(sent, read, rules),
    childrenRule(sent, read, pairOf),
  ]
  return {
    gaps: [
      ...valueGaps(sent, read),
      ...unknownGaps(sent, read, meansTheSame),
      ...inner.flatMap(({ gaps }) => gaps),
    ],
    parts: inner.flatMap(({ parts }) => parts),
    choices: [],
  }
}

const isNever = ({ not, type, enum: values }: Json): boolean =>
  isEqual(not, {}) || isEqual(type, []) || isEqual(values, [])

// ---- unions -------------------------------------------------------------------------------------

/** A union with one of its alternatives. Of two unions, the other one is compared next. */
function withAlternative(union: Json, alternative: unknown): Json {
  const { anyOf, oneOf, discriminator: _, ...rest } = union
  return {
    ...rest,
    ...(anyOf !== undefined && oneOf !== undefined && { oneOf }),
    allOf: [alternative],
  }
}

/** A value that matches several alternatives of `anyOf` is sent, and `oneOf` refuses it. */
function overlapGaps(sent: Json, read: Json, readRead: Reader): readonly Gap[] {
  if (sent['oneOf'] !== undefined || read['oneOf'] === undefined) return []
  const alternatives = listOf(unionOf(read))
  const mayMatchBoth = (one: unknown, other: unknown): boolean => {
    const both = readRead({ allOf: [one, other] })
    const required = listOf(both['required']) as readonly string[]
    return ![both, ...required.map((name) => readRead(propertyOf(both, name)))].some(isNever)
  }
  return alternatives.some((one, index) =>
    alternatives.slice(0, index).some((other) => mayMatchBoth(one, other)),
  )
    ? [gap('may match several alternatives', false)]
    : []
}

/** Every kind of value that is sent must fit one alternative whole. */
function choicesOf(
  sent: Json,
  read: Json,
  sentSchema: unknown,
  readSchema: unknown,
  { pairOf, readSent, readRead }: Rules,
): readonly Choice[] {
  const alternatives = unionOf(read)!
  const origin = listOf((sentSchema as Json | undefined)?.['allOf'])
  const counterparts =
    [
      (one: unknown) => origin.includes(one),
      (one: unknown) => hasCommonTag(sent, readRead(one)),
      (one: unknown) => hasCommonProperty(sent, readRead(one)),
    ]
      .map((isCounterpart) => alternatives.filter(isCounterpart))
      .find(({ length }) => length > 0) ?? []
  const hasBooleans = alternatives.some((one) =>
    scalarsOf(readRead(one))?.some((value) => typeof value === 'boolean'),
  )
  return split(sent, hasBooleans).map((one) => {
    const first = counterparts.filter((alternative) =>
      mayBe(readRead(alternative), ...typesOf(one)),
    )
    const ordered = [
      ...first,
      ...alternatives.filter((alternative) => !first.includes(alternative)),
    ]
    const spelledOut = spellOut(one, alternatives.map(readRead), readSent)
    return {
      candidates: [
        ...ordered.map((alternative) =>
          pairOf(
            one,
            withAlternative(read, alternative),
            first.length === 1 && alternative !== first[0],
          ),
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
function spellOut(sent: Json, alternatives: readonly Json[], readSent: Reader): Json | null {
  for (const name of listOf(sent['required']) as readonly string[]) {
    const others = alternatives.map((other) => propertyOf(other, name))
    const kinds =
      others.includes(undefined) || new Set(others).size < 2
        ? []
        : kindsOf(readSent(propertyOf(sent, name)))
    if (kinds.length > 1)
      return {
        oneOf: kinds.map((kind) => ({
          ...sent,
          properties: { ...propertiesOf(sent), [name]: kind },
        })),
      }
  }
  return null
}

const kindsOf = (schema: Json): readonly unknown[] =>
  unionOf(schema)?.map((one) => withAlternative(schema, one)) ??
  (Array.isArray(schema['enum']) ? split(schema) : [])

const hasCommonProperty = (sent: Json, read: Json): boolean =>
  Object.keys(propertiesOf(sent)).some((name) => Object.hasOwn(propertiesOf(read), name))

/** Whether two objects have a property with the same single value, such as `kind: 'user'`. */
const hasCommonTag = (sent: Json, read: Json): boolean =>
  Object.entries(propertiesOf(sent)).some(([name, own]) => {
    const tag = tagOf(own)
    return tag !== undefined && tag === tagOf(propertiesOf(read)[name])
  })

/** @param booleans - split into true and false */
function split(schema: Json, booleans: boolean = false): readonly Json[] {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ ...schema, enum: [value] }))
  return (
    type === undefined ? valueTypes.filter((one) => one !== 'integer') : [type].flat()
  ).flatMap((one) =>
    one === 'boolean' && booleans
      ? [true, false].map((value) => ({ ...schema, type: one, enum: [value] }))
      : [{ ...schema, type: one }],
  )
}

// ---- lists and objects --------------------------------------------------------------------------

function listRule(sent: Json, read: Json, { pairOf }: Rules): GapsAndParts {
  if (!mayBe(sent, 'array') || !mayBe(read, 'array')) return noRule
  const [own, known] = [listOf(sent['prefixItems']), listOf(read['prefixItems'])]
  const most = asNumber(sent['maxItems']) ?? Infinity
  const first = Array.from(
    { length: Math.min(Math.max(own.length, known.length), most) },
    (_, index) => ({
      at: `/${index}`,
      pair: pairOf(own[index] ?? sent['items'], known[index] ?? read['items']),
    }),
  )
  const rest =
    most <= first.length ? [] : [{ at: '/*', pair: pairOf(sent['items'], read['items']) }]
  const isUnique = read['uniqueItems'] !== true || sent['uniqueItems'] === true || most <= 1
  return { gaps: isUnique ? [] : [gap('may have equal elements')], parts: [...first, ...rest] }
}

function objectRule(sent: Json, read: Json, rules: Rules): GapsAndParts {
  if (!mayBe(sent, 'object') || !mayBe(read, 'object')) return noRule
  const isRequest = rules.direction === 'request'
  const [own, known] = [propertiesOf(sent), propertiesOf(read)]
  const required = listOf(read['required']) as readonly string[]
  const names = new Set([...required, ...Object.keys(own), ...Object.keys(known)])
  const properties = [...names].map((name) => propertyRule(name, sent, read, rules))
  const [others, allowed] = [sent['additionalProperties'], read['additionalProperties']]
  const isRefused = isRequest && allowed === false && others !== false
  return {
    gaps: [
      ...properties.flatMap(({ gaps }) => gaps),
      ...(isRefused ? [gap('may have other properties, which are refused')] : []),
    ],
    parts: [
      ...properties.flatMap(({ parts }) => parts),
      ...(isObject(allowed) && others !== false
        ? [{ at: '/*', pair: rules.pairOf(others, allowed) }]
        : []),
    ],
  }
}

/** Compares a property that at least one of two objects has. */
function propertyRule(name: string, sent: Json, read: Json, rules: Rules): GapsAndParts {
  const { direction, pairOf, readSent, readRead } = rules
  const isRequest = direction === 'request'
  const at = pointerTo([name])
  const partOf = (a: unknown, b: unknown): readonly Part[] => [{ at, pair: pairOf(a, b) }]
  const [others, allowed] = [sent['additionalProperties'], read['additionalProperties']]
  const [own, known] = [sent, read].map((schema) => propertyOf(schema, name))
  const [isOwn, isKnown] = [sent, read].map((schema) => Object.hasOwn(propertiesOf(schema), name))
  // Clients do not send what is read-only, and the API does not send what is write-only.
  const hidden = isRequest ? 'readOnly' : 'writeOnly'
  const [mine, its] = [readSent(own), readRead(known)]
  const isUnsent = mine[hidden] === true
  const isSent = isOwn && !isUnsent
  const gaps: Gap[] = []
  if (isRequest && isOwn && isKnown) {
    // What changes for a client although it may send the same values.
    const [was, is] = [mine, its].map((schema) => JSON.stringify(schema['default']))
    if (was !== is)
      gaps.push({ ...gap(`had the default ${was}, and has ${is}`), at, kind: 'default' })
    if (its[hidden] === true && !isUnsent) gaps.push({ ...gap('is read-only', false), at })
  }
  if (its[hidden] === true) return { gaps, parts: [] }
  const isPresent = !isUnsent && listOf(sent['required']).includes(name)
  if (listOf(read['required']).includes(name)) {
    const why = `${isSent ? 'may be' : 'is'} missing, and is required`
    if (!isPresent && !(isRequest && 'default' in its)) gaps.push({ ...gap(why), at })
  } else if (isUnsent) {
    if (!isRequest && isKnown) gaps.push({ ...gap('is write-only'), at })
  } else {
    // A field that clients sent is ignored, or a field that they read is not there any more.
    const isGone = isRequest
      ? isOwn && !isKnown && !isObject(allowed)
      : isKnown && (!isOwn || (isRefused(own) && !isRefused(known))) && !isObject(others)
    if (isGone) gaps.push({ ...gap('is gone'), at })
  }
  if (isKnown)
    return {
      gaps,
      parts:
        isSent || isPresent || (isObject(others) && !isUnsent) ? partOf(own ?? others, known) : [],
    }
  return { gaps, parts: isOwn && isObject(allowed) ? partOf(own, allowed) : [] }
}

const isRefused = (schema: unknown): boolean =>
  schema === false || (isObject(schema) && isObject(schema['not']) && isNever(schema))
