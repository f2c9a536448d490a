// Compares a value with a union: with the alternative that it was before, or else with each.
import { type Json, isEqual, isObject, listOf } from '../json.ts'
import {
  type Alternative,
  type Gap,
  type Item,
  type Pair,
  type Sides,
  type Union,
  gap,
  newAlternative,
  part,
  shown,
} from './gap.ts'
import type { Intern } from './intern.ts'
import { both } from './join.ts'
import { mappingOf, schemaRef } from './normalize.ts'
import {
  type Reader,
  allowsAll,
  hasType,
  isNever,
  listedValues,
  nullMeant,
  propertiesOf,
  propertyOf,
  refIn,
  typeOf,
  typesOf,
  unionOf,
  valuesIn,
} from './shape.ts'
import { single } from './text.ts'
import { valueGaps } from './value-gaps.ts'

/**
 * Joins one of a union's alternatives with the union's sibling keywords. If the schema has both
 * `anyOf` and `oneOf`, the second one stays, and is compared next.
 */
export function withAlternative(union: Json, alternative: unknown, reader: Reader): unknown {
  const { anyOf, oneOf, discriminator, ...beside } = union
  const rest = anyOf !== undefined && oneOf !== undefined ? { ...beside, oneOf } : beside
  const tagged = withTags(alternative, discriminator, reader)
  return allowsAll(rest) ? tagged : { ...rest, allOf: [tagged] }
}

/** A schema with those of its tag's values for which a discriminator names it. */
export function withTags(schema: unknown, discriminator: unknown, reader: Reader): unknown {
  if (!isObject(discriminator)) return schema
  const name = String(discriminator['propertyName'])
  const values = valuesIn(reader(schema), name, reader)
  if (values.length < 2) return schema
  const ref = refIn(schema)
  const tags: string[] = []
  for (const [tag, target] of Object.entries(mappingOf(discriminator)))
    if (schemaRef(String(target)) === ref && values.includes(tag)) tags.push(tag)
  return tags.length === 0 ? schema : { properties: { [name]: { enum: tags } }, allOf: [schema] }
}

/** Null for a schema that isn't a union. */
export function readUnion(read: Json, readRead: Reader, intern: Intern): Union | null {
  const schemas = unionOf(read)
  if (schemas === null) return null
  const alternatives: Alternative[] = []
  const types = new Set<string>()
  const constants = new Set<string>()
  const tags = new Set<string>()
  let { discriminator, [nullMeant]: isNullMeant } = read
  if (isObject(discriminator)) tags.add(String(discriminator['propertyName']))
  for (const schema of schemas) {
    const whole = intern(withAlternative(read, schema, readRead))
    const shape = readRead(whole)
    if (isNever(shape, readRead)) continue
    alternatives.push({ schema, whole, shape })
    isNullMeant ||= shape[nullMeant]
    for (const type of typesOf(shape)) types.add(type)
    for (const name of Object.keys(propertiesOf(shape)))
      if (valuesIn(shape, name, readRead).length === 1)
        (constants.has(name) ? tags : constants).add(name)
  }
  return {
    alternatives,
    shape: { type: [...types], [nullMeant]: isNullMeant },
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
  if (sentTypes.has('number')) sentTypes.delete('integer')
  const types = [...sentTypes].filter((type) => hasType(typesOf(union), type))
  if (types.length !== 1 || gaps.length > 0 || sent[nullMeant]) {
    yield* gaps
    for (const type of types) {
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
  // A discriminator leads to one alternative, even if a different one fits as well.
  const isLed = isCounterpart && isObject(readRead(pair.read)['discriminator'])
  for (const alternative of isLed ? [] : ofType)
    if (!first.includes(alternative) && newTag(alternative, certainTags) === undefined)
      candidates.push(pairOf(pair.sent, alternative.whole, isCounterpart))
  const kinds = candidates.length > 1 ? spellOut(sent, pair.sent, ofType, readSent) : null
  // Values that match several alternatives have already been looked for.
  const spelledOut = kinds && pairOf({ anyOf: kinds }, pair.read, true, true)
  if (spelledOut) candidates.push(spelledOut)
  yield { candidates, isCounterpart, explain, chosen: -1 }

  /**
   * Explains why it fits no alternative: with its tag, or with the alternatives that may have been
   * changed into it.
   */
  function explain(): Gap | readonly Pair[] {
    if (isCounterpart) return candidates.slice(0, 1)
    if (spelledOut) return [spelledOut]
    const likely = ofType.filter((alternative) => newTag(alternative, tags) === undefined)
    const newName = tags.find((name) => ofType.every((alternative) => newTag(alternative, [name])))
    if (newName !== undefined) {
      const tag = `the ${newName} ${shown(valuesIn(sent, newName, readSent))}`
      const isNew = `may have ${tag}, which no older alternative has`
      return gap(isRequest ? `may no longer have ${tag}` : isNew)
    }
    const ref = refIn(pair.sent)
    // A component with a different name is a new alternative if there are several.
    const isNew = ref !== null && ref !== refIn(pair.read)
    const siblings = pair.users.flatMap(({ rule }) => rule!.parts.filter(({ at }) => at === ''))
    const schemas = siblings.map((sibling) => sibling.pair.sent)
    const names = new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(readSent(schema)))))
    // An alternative that's still sent as well, or whose properties are, wasn't changed into another.
    const isChanged = ({ whole, shape }: Alternative) =>
      !schemas.includes(pairOf(pair.sent, whole).read) &&
      Object.keys(propertiesOf(shape)).every(
        (name) => !names.has(name) || propertyOf(sent, name) !== undefined,
      )
    const isAlone = likely.length === 1
    const changed = isAlone && ref === null ? likely : likely.filter(isChanged)
    const isKnown = isNew
      ? ofType.length === 1
      : isAlone || (siblings.length > 1 && !single.has(types[0]!))
    if (isKnown && changed.length > 0) return changed.map(({ whole }) => pairOf(pair.sent, whole))
    if (isNew) return gap(newAlternative(ref, isRequest))
    return gap(`matches no ${isRequest ? 'newer' : 'older'} alternative`)
  }
}

/**
 * The alternatives that a schema was before: the same schema or reference, a list of the same
 * references, the same tag, the same properties, or else one of them.
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
  const element = refIn(sent['items'])
  const names = Object.keys(propertiesOf(sent))
  const isNamed = (own: unknown) => ref !== null && refIn(own) === ref
  const likeness = ({ schema, shape }: Alternative) => {
    if (origin.has(schema)) return 6
    if (isNamed(schema)) return 5
    if (listOf(unionOf(shape)).some((own) => origin.has(own) || isNamed(own))) return 4
    if (element !== null && refIn(shape['items']) === element) return 4
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
  if (values.length > 1) return values.map((value) => both([{ enum: [value] }, sentSchema]))
  for (const name of listOf(sent['required']) as readonly string[]) {
    const counterparts = alternatives.map(({ shape }) => propertyOf(shape, name))
    if (counterparts.includes(undefined) || new Set(counterparts).size < 2) continue
    const property = readSent(propertyOf(sent, name))
    const kinds =
      unionOf(property)?.map((alternative) => withAlternative(property, alternative, readSent)) ??
      listedValues(property)?.map((value) => ({ ...property, enum: [value] })) ??
      []
    if (kinds.length < 2) continue
    const properties = propertiesOf(sent)
    return kinds.map((kind) => ({ ...sent, properties: { ...properties, [name]: kind } }))
  }
  return null
}
