// Compares a value with a union: with the alternative that it was before, or else with each.
import { type Json, isEqual, isObject, listOf } from '../json.ts'
import {
  type Alternative,
  type Gap,
  type Pair,
  type Rule,
  type Sides,
  type Union,
  gap,
  newAlternative,
  ruleAs,
  ruleWith,
  shown,
  unclear,
} from './gap.ts'
import { both, commonTypes, commonValues, nullMeant } from './normalize.ts'
import {
  type Reader,
  allowsAll,
  hasType,
  isNever,
  listedValues,
  propertiesOf,
  propertyOf,
  refIn,
  typesOf,
  unionOf,
  unknownKeywords,
  valuesIn,
} from './shape.ts'
import { valueGaps } from './value-gaps.ts'

/**
 * Joins one of a union's alternatives with the union's sibling keywords. If the schema has both
 * `anyOf` and `oneOf`, the second one stays, and is compared next.
 */
export function withAlternative(union: Json, alternative: unknown): unknown {
  const { anyOf, oneOf, discriminator: _, ...beside } = union
  const rest = anyOf !== undefined && oneOf !== undefined ? { ...beside, oneOf } : beside
  return allowsAll(rest) ? alternative : { ...rest, allOf: [alternative] }
}

/** Checks for values that match several alternatives, which a `oneOf` rejects. */
export function overlapGaps(sent: Json, union: Union | null, sides: Sides): readonly Gap[] {
  if (!union?.isExclusive) return []
  const { readSent, readRead, isWithin, meansTheSame, budget } = sides
  const isSingle = sent['anyOf'] === undefined
  const kinds = unionOf(sent) ?? [sent]
  // A value of one of a sent `oneOf`'s alternatives is none of the others.
  const kept = new Set(isSingle ? kinds.filter(meansTheSame) : [])
  const isOverlap = kinds.some((kind, index) => {
    const others = isSingle ? kinds.toSpliced(index, 1) : []
    const open = union.alternatives.filter(({ schema }) => schema === kind || !kept.has(schema))
    if (open.length < 2 || others.includes(kind)) return false
    budget.spend(open.length / 16)
    const shape = kind === sent ? sent : readSent(withAlternative(sent, kind))
    const names = [...Object.keys(propertiesOf(shape)), ...listOf(shape['required'])] as string[]
    const isOpen =
      !isSingle ||
      unionOf(shape) !== null ||
      unknownKeywords(shape).length > 0 ||
      isObject(shape['additionalProperties'])
    // Nobody promised to send properties that a schema doesn't name.
    const named = (schema: Json): Json => {
      const properties = names.map((name) => [name, propertyOf(schema, name) ?? {}] as const)
      const closed = { properties: Object.fromEntries(properties), additionalProperties: false }
      return isOpen ? schema : { ...schema, ...closed }
    }
    const isExcluded = (inner: Json) => others.some((other) => isWithin(named(inner), other))
    const own = [named(shape), readSent] as const
    const possible = open.flatMap((alternative) =>
      haveCommon([own, [alternative.shape, readRead]]) ? [alternative.shape] : [],
    )
    return possible.some((left, position) =>
      possible
        .slice(0, position)
        .some(
          (right) =>
            haveCommon([own, [left, readRead], [right, readRead]]) &&
            !isExcluded(left) &&
            !isExcluded(right),
        ),
    )
  })
  return isOverlap ? [unclear("isn't valid if it matches several alternatives")] : []
}

/** Whether a value may match all of the schemas, as far as types, values and names tell. */
function haveCommon(shapes: readonly (readonly [Json, Reader])[], depth = 2): boolean {
  const types = commonTypes(shapes.map(([shape]) => typesOf(shape)))
  const lists = shapes.flatMap(([shape]) =>
    [listedValues(shape) ?? []].filter((list) => list.length > 0),
  )
  if (types.length === 0 || (lists.length > 0 && lists.reduce(commonValues).length === 0))
    return false
  if (types.join() !== 'object' || depth === 0) return true
  const names = shapes.flatMap(([shape]) => listOf(shape['required']) as readonly string[])
  return names.every((name) => {
    const inner = shapes.map(([shape, read]) => {
      const others = shape['additionalProperties'] === false ? { type: [] } : {}
      return [read(propertyOf(shape, name) ?? others), read] as const
    })
    return haveCommon(inner, depth - 1)
  })
}

/** Null for a schema that isn't a union. */
export function readUnion(read: Json, readRead: Reader): Union | null {
  const alternatives = unionOf(read)
    ?.map((schema): Alternative => {
      const whole = withAlternative(read, schema)
      return { schema, whole, shape: readRead(whole) }
    })
    .filter(({ shape }) => !isNever(shape))
  if (!alternatives) return null
  const types = [...new Set(alternatives.flatMap(({ shape }) => typesOf(shape)))]
  const counts = new Map<string, number>()
  const { discriminator } = read
  if (isObject(discriminator)) counts.set(String(discriminator['propertyName']), 2)
  for (const { shape } of alternatives)
    for (const name of Object.keys(propertiesOf(shape)))
      if (valuesIn(shape, name, readRead).length === 1)
        counts.set(name, (counts.get(name) ?? 0) + 1)
  const tags = [...counts].filter(([, count]) => count > 1).map(([name]) => name)
  return {
    alternatives,
    types,
    tags,
    isExclusive: read['anyOf'] === undefined && !isObject(discriminator),
    isNullMeant: read[nullMeant] === true,
  }
}

/** Every type of value that's sent has to fit one whole alternative. */
export function unionRule(sent: Json, union: Union, pair: Pair, sides: Sides): Rule {
  const { readSent, readRead, pairOf, direction } = sides
  const { alternatives, tags } = union
  sides.budget.spend(alternatives.length)
  const gaps = valueGaps(sent, { type: union.types, [nullMeant]: union.isNullMeant }, sides)
  const types = typesOf(sent).filter((type) => hasType(union.types, type))
  if (types.length !== 1 || gaps.length > 0 || sent[nullMeant] === true) {
    const distinct = types.filter((type) => type !== 'integer' || !types.includes('number'))
    const parts = distinct.map((type) => ({
      at: '',
      pair: pairOf({ ...sent, type, [nullMeant]: false }, pair.read, false, pair.isExclusive),
    }))
    return { gaps, parts }
  }

  const ofType = alternatives.filter(({ shape }) =>
    typesOf(shape).some((type) => hasType([type], types[0]!)),
  )
  const first = counterpartsOf(sent, pair.sent, ofType, tags, sides)
  const isCounterpart = first.length === 1
  /** The tag that excludes an alternative, because the two have no value of it in common. */
  const newTag = ({ shape }: Alternative, names: readonly string[]) =>
    names.find((name) => {
      const values = valuesIn(sent, name, readSent)
      const others = valuesIn(shape, name, readRead)
      return values.length * others.length > 0 && !values.some((value) => others.includes(value))
    })
  const certainTags = tags.filter((name) => listOf(sent['required']).includes(name))
  const rest = ofType.filter(
    (alternative) => !first.includes(alternative) && newTag(alternative, certainTags) === undefined,
  )
  const candidates = [...first, ...rest].map(({ whole }, index) =>
    pairOf(pair.sent, whole, isCounterpart && index > 0),
  )
  const kinds = spellOut(sent, pair.sent, ofType, readSent)
  const spelledOut = kinds && pairOf({ oneOf: kinds }, pair.read, true, pair.isExclusive)
  if (spelledOut) candidates.push(spelledOut)
  return { gaps, parts: [], choice: { candidates, isCounterpart, explain, chosen: -1 } }

  /**
   * Explains why it fits no alternative: with its tag, or with the alternative that should have
   * fitted.
   */
  function explain(): Rule {
    if (!isCounterpart && spelledOut) return ruleAs(spelledOut)
    const likely = ofType.filter((alternative) => newTag(alternative, tags) === undefined)
    const ref = refIn(pair.sent)
    // A component with a different name is a new alternative if there are several, or if the only one
    // is still sent as well.
    const isStillSent = pair.users.some(({ rule }) =>
      rule!.parts.some((part) => part.pair.sent === ofType[0]!.schema),
    )
    const isAlone = likely.length === 1 && (ref === null || (ofType.length === 1 && !isStillSent))
    const target = isCounterpart ? first[0] : isAlone ? likely[0] : undefined
    if (target) return ruleAs(pairOf(pair.sent, target.whole))
    const isRequest = direction === 'request'
    if (likely.length === 0) {
      const name = newTag(ofType[0]!, tags)!
      const tag = `the ${name} ${shown(valuesIn(sent, name, readSent))}`
      return ruleWith(
        gap(
          isRequest
            ? `may no longer have ${tag}`
            : `may have ${tag}, which no older alternative has`,
        ),
      )
    }
    return ruleWith(
      gap(
        ref === null || ref === refIn(pair.read)
          ? `matches no ${isRequest ? 'newer' : 'older'} alternative`
          : newAlternative(ref, direction),
      ),
    )
  }
}

/**
 * The alternatives that a schema was before: the same schema or reference, the same tag, the same
 * properties, or else one of them.
 */
function counterpartsOf(
  sent: Json,
  sentSchema: unknown,
  alternatives: readonly Alternative[],
  tags: readonly string[],
  { readSent, readRead }: Sides,
): readonly Alternative[] {
  const { allOf } = (sentSchema ?? {}) as Json
  const origin = new Set([sentSchema, ...listOf(allOf)])
  const ref = refIn(sentSchema)
  const names = Object.keys(propertiesOf(sent))
  const likeness = ({ schema, shape }: Alternative) => {
    const inner = [schema, ...listOf(unionOf(shape))]
    if (inner.some((part) => origin.has(part))) return 5
    if (ref !== null && inner.some((part) => refIn(part) === ref)) return 4
    const isTagged = tags.some((name) => {
      const values = valuesIn(sent, name, readSent)
      return values.length === 1 && isEqual(values, valuesIn(shape, name, readRead))
    })
    if (isTagged) return 3
    const properties = propertiesOf(shape)
    const common = names.filter((name) => Object.hasOwn(properties, name)).length
    if (ref !== null || common === 0) return 0
    return common === names.length && common === Object.keys(properties).length ? 2 : 1
  }
  const likenesses = alternatives.map(likeness)
  const most = Math.max(1, ...likenesses)
  return alternatives.filter((_, index) => likenesses[index] === most)
}

/**
 * A schema as a union, for a value that no single alternative has to fit as a whole: an enum by its
 * values, or an object by those of a required property. Null if that doesn't help, because not all
 * of the other side's alternatives have the property, or because it's the same in all of them.
 *
 * @example { kind: 'a' | 'b' } → { kind: 'a' } | { kind: 'b' }
 */
function spellOut(
  sent: Json,
  sentSchema: unknown,
  alternatives: readonly Alternative[],
  readSent: Reader,
): readonly unknown[] | null {
  const values = listedValues(sent) ?? []
  if (values.length > 1 && alternatives.length > 1)
    return values.map((value) => both([sentSchema, { enum: [value] }]))
  for (const name of listOf(sent['required']) as readonly string[]) {
    const counterparts = alternatives.map(({ shape }) => propertyOf(shape, name))
    if (counterparts.includes(undefined) || new Set(counterparts).size < 2) continue
    const property = readSent(propertyOf(sent, name))
    const kinds =
      unionOf(property)?.map((alternative) => withAlternative(property, alternative)) ??
      listedValues(property)?.map((value) => ({ ...property, enum: [value] })) ??
      []
    if (kinds.length < 2) continue
    const properties = propertiesOf(sent)
    return kinds.map((kind) => ({ ...sent, properties: { ...properties, [name]: kind } }))
  }
  return null
}
