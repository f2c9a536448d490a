// Compares a value with a union: with the alternative that it was before, or else with each.
import { type Json, isEqual, isObject, listOf } from '../json.ts'
import {
  type Alternative,
  type Gap,
  type Item,
  type Pair,
  type Part,
  type Sides,
  type Union,
  gap,
  newAlternative,
  part,
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
  typeOf,
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
  for (const [index, kind] of kinds.entries()) {
    const others = isSingle ? kinds.toSpliced(index, 1) : []
    const open = union.alternatives.filter(({ schema }) => schema === kind || !kept.has(schema))
    if (open.length < 2 || others.includes(kind)) continue
    budget.spend(open.length / 16)
    const shape = kind === sent ? sent : readSent(withAlternative(sent, kind))
    const isOpen =
      !isSingle ||
      unionOf(shape) !== null ||
      unknownKeywords(shape).length > 0 ||
      isObject(shape['additionalProperties'])
    // Nobody promised to send properties that a schema doesn't name.
    const named = (schema: Json) => {
      const properties: Record<string, unknown> = {}
      const names = [...Object.keys(propertiesOf(shape)), ...listOf(shape['required'])] as string[]
      for (const name of names) properties[name] = propertyOf(schema, name) ?? {}
      return isOpen ? schema : { ...schema, properties, additionalProperties: false }
    }
    const isExcluded = (inner: Json) => others.some((other) => isWithin(named(inner), other))
    const own = [named(shape), readSent] as const
    const possible: (typeof own)[] = []
    for (const alternative of open) {
      const inner = [alternative.shape, readRead] as const
      if (!haveCommon([own, inner])) continue
      for (const other of possible)
        if (haveCommon([own, other, inner]) && !isExcluded(inner[0]) && !isExcluded(other[0]))
          return [unclear("isn't valid if it matches several alternatives")]
      possible.push(inner)
    }
  }
  return []
}

/** Whether a value may match all of the schemas, as far as types, values and names tell. */
function haveCommon(shapes: readonly (readonly [Json, Reader])[], depth = 2): boolean {
  const types = commonTypes(shapes.map(([shape]) => typesOf(shape)))
  let values: readonly unknown[] | null = null
  const required = new Set<unknown>()
  for (const [shape] of shapes) {
    const listed = listedValues(shape) ?? []
    if (listed.length > 0) values = commonValues(values ?? listed, listed)
    for (const name of listOf(shape['required'])) required.add(name)
  }
  if (types.length === 0 || values?.length === 0) return false
  if (shapes.some(([{ not }]) => forbids(not, required))) return false
  if (depth === 0) return true
  for (const [index, [shape, read]] of shapes.entries()) {
    const others = (schema: unknown) =>
      shapes.with(index, [read(withAlternative(shape, schema)), read])
    if (unionOf(shape)?.every((alternative) => !haveCommon(others(alternative), depth - 1)))
      return false
  }
  if (types.join() !== 'object') return true
  for (const name of required as Set<string>) {
    const inner = shapes.map(([shape, read]) => {
      const others = shape['additionalProperties'] === false ? { type: [] } : {}
      return [read(propertyOf(shape, name) ?? others), read] as const
    })
    if (!haveCommon(inner, depth - 1)) return false
  }
  return true
}

/** Whether a `not` is true of all objects that have these properties. */
function forbids(not: unknown, names: ReadonlySet<unknown>): boolean {
  if (!isObject(not)) return false
  const { required, properties, type: _, anyOf, ...rest } = not
  if (anyOf !== undefined) return listOf(anyOf).some((inner) => forbids(inner, names))
  const areAny = Object.values(properties ?? {}).every((inner) => isEqual(inner, {}))
  return (
    required !== undefined &&
    listOf(required).every((name) => names.has(name)) &&
    areAny &&
    allowsAll(rest)
  )
}

/** Null for a schema that isn't a union. */
export function readUnion(read: Json, readRead: Reader): Union | null {
  const schemas = unionOf(read)
  if (schemas === null) return null
  const alternatives: Alternative[] = []
  const types = new Set<string>()
  const constants = new Set<string>()
  const tags = new Set<string>()
  const { discriminator } = read
  if (isObject(discriminator)) tags.add(String(discriminator['propertyName']))
  for (const schema of schemas) {
    const whole = withAlternative(read, schema)
    const shape = readRead(whole)
    if (isNever(shape)) continue
    alternatives.push({ schema, whole, shape })
    for (const type of typesOf(shape)) types.add(type)
    for (const name of Object.keys(propertiesOf(shape)))
      if (valuesIn(shape, name, readRead).length === 1)
        (constants.has(name) ? tags : constants).add(name)
  }
  return {
    alternatives,
    shape: { type: [...types], [nullMeant]: read[nullMeant] },
    tags: [...tags],
    isExclusive: read['anyOf'] === undefined && !isObject(discriminator),
  }
}

/** Every type of value that's sent has to fit one whole alternative. */
export function* unionItems(
  sent: Json,
  { alternatives, tags, shape: union }: Union,
  pair: Pair,
  { readSent, readRead, pairOf, isRequest, budget }: Sides,
): Generator<Item> {
  budget.spend(alternatives.length)
  const gaps = [...valueGaps(sent, union, isRequest)]
  const sentTypes = new Set(listedValues(sent)?.map(typeOf) ?? typesOf(sent))
  const types = [...sentTypes].filter((type) => hasType(typesOf(union), type))
  if (types.length !== 1 || gaps.length > 0 || sent[nullMeant] === true) {
    yield* gaps
    for (const type of types) {
      if (type === 'integer' && types.includes('number')) continue
      const ofType = { ...sent, type, [nullMeant]: false }
      yield part(pairOf(ofType, pair.read, false, pair.isExclusive))
    }
    return
  }

  const ofType = alternatives.filter(({ shape }) => hasType(typesOf(shape), types[0]!))
  const first = counterpartsOf(sent, pair.sent, ofType, tags, readSent, readRead)
  const isCounterpart = first.length === 1
  /** The tag that excludes an alternative, because the two have no value of it in common. */
  const newTag = ({ shape }: Alternative, names: readonly string[]) =>
    names.find((name) => {
      const values = valuesIn(sent, name, readSent)
      const others = valuesIn(shape, name, readRead)
      return values.length * others.length > 0 && !values.some((value) => others.includes(value))
    })
  const certainTags = tags.filter((name) => listOf(sent['required']).includes(name))
  const candidates = first.map(({ whole }) => pairOf(pair.sent, whole))
  for (const alternative of ofType)
    if (!first.includes(alternative) && newTag(alternative, certainTags) === undefined)
      candidates.push(pairOf(pair.sent, alternative.whole, isCounterpart))
  const kinds = spellOut(sent, pair.sent, ofType, readSent)
  const spelledOut = kinds && pairOf({ oneOf: kinds }, pair.read, true, pair.isExclusive)
  if (spelledOut) candidates.push(spelledOut)
  yield { candidates, isCounterpart, explain, chosen: -1 }

  /**
   * Explains why it fits no alternative: with its tag, or with the alternative that should have
   * fitted.
   */
  function explain(): Gap | Part {
    if (!isCounterpart && spelledOut) return part(spelledOut)
    const likely = ofType.filter((alternative) => newTag(alternative, tags) === undefined)
    const ref = refIn(pair.sent)
    // A component with a different name is a new alternative if there are several, or if the only one
    // is still sent as well.
    const isStillSent = pair.users.some(({ rule }) =>
      rule!.parts.some((sibling) => sibling.pair.sent === ofType[0]!.schema),
    )
    const isAlone = likely.length === 1 && (ref === null || (ofType.length === 1 && !isStillSent))
    const target = isCounterpart ? first[0] : isAlone ? likely[0] : undefined
    if (target) return part(pairOf(pair.sent, target.whole))
    if (likely.length === 0) {
      const name = newTag(ofType[0]!, tags)!
      const tag = `the ${name} ${shown(valuesIn(sent, name, readSent))}`
      const isNew = `may have ${tag}, which no older alternative has`
      return gap(isRequest ? `may no longer have ${tag}` : isNew)
    }
    if (ref !== null && ref !== refIn(pair.read)) return gap(newAlternative(ref, isRequest))
    return gap(`matches no ${isRequest ? 'newer' : 'older'} alternative`)
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
  readSent: Reader,
  readRead: Reader,
) {
  const { allOf } = (sentSchema ?? {}) as Json
  const origin = new Set([sentSchema, ...listOf(allOf)])
  const ref = refIn(sentSchema)
  const names = Object.keys(propertiesOf(sent))
  const likeness = ({ schema, shape }: Alternative) => {
    const inner = [schema, ...listOf(unionOf(shape))]
    if (inner.some((own) => origin.has(own))) return 5
    if (ref !== null && inner.some((own) => refIn(own) === ref)) return 4
    for (const name of tags) {
      const values = valuesIn(sent, name, readSent)
      if (values.length === 1 && isEqual(values, valuesIn(shape, name, readRead))) return 3
    }
    const properties = propertiesOf(shape)
    const common = names.filter((name) => Object.hasOwn(properties, name)).length
    if (ref !== null || common === 0) return 0
    return common === names.length && common === Object.keys(properties).length ? 2 : 1
  }
  let most = 1
  let closest: Alternative[] = []
  for (const alternative of alternatives) {
    const own = likeness(alternative)
    if (own > most) closest = []
    most = Math.max(most, own)
    if (own === most) closest.push(alternative)
  }
  return closest
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
) {
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
