// How a union is compared: each of its alternatives with the one that took its place, or else with
// every other.
import { type Json, isObject, listOf } from '../json.ts'
import { type Gap, gap, nameOf, shown, unclear } from './gap.ts'
import { type Reader, propertiesOf, propertyOf, refIn, tagOf, unionOf } from './reader.ts'
import type { Sides } from './sides.ts'
import { type Choice, type Explanation, type Rule, noRule } from './solve.ts'
import { isNever, mayBe, typesOf, valueTypes } from './types.ts'
import { scalarsOf } from './value-gaps.ts'

/**
 * A union with only one of its alternatives. Of `anyOf` and `oneOf` at once, the second is compared
 * next.
 */
export function withAlternative(union: Json, alternative: unknown): Json {
  const { anyOf, oneOf, discriminator: _, ...rest } = union
  return {
    ...rest,
    ...(anyOf !== undefined && oneOf !== undefined && { oneOf }),
    allOf: [alternative],
  }
}

/** A value that matches several alternatives of a sent `anyOf` is refused by `oneOf`. */
export function overlapGaps(sent: Json, read: Json, readRead: Reader): readonly Gap[] {
  if (sent['oneOf'] !== undefined || read['oneOf'] === undefined) return []
  const alternatives = listOf(unionOf(read))
  const mayMatchBoth = (left: unknown, right: unknown): boolean => {
    const both = readRead({ allOf: [left, right] })
    const required = listOf(both['required']) as readonly string[]
    return ![both, ...required.map((name) => readRead(propertyOf(both, name)))].some(isNever)
  }
  const hasOverlap = alternatives.some((left, index) =>
    alternatives.slice(0, index).some((right) => mayMatchBoth(left, right)),
  )
  return hasOverlap ? [unclear('may match several alternatives')] : []
}

/** A pair whose read schema is a union, normalized, and as they stand in the documents. */
interface UnionPair {
  readonly sent: Json
  readonly read: Json
  readonly sentSchema: unknown
  readonly readSchema: unknown
}

/** Every kind of value that's sent has to fit one whole alternative. */
export function unionRule(union: UnionPair, sides: Sides): Rule {
  const { sent, read, sentSchema, readSchema } = union
  const { pairOf, readSent, readRead } = sides
  const alternatives = unionOf(read)!
  const tags = tagNamesIn(alternatives, read, readRead)
  const counterparts = counterpartsOf(union, alternatives, tags, sides)
  const kinds = split(sent)
  const choices = kinds.map((kind): Choice => {
    const first = counterparts.filter((counterpart) => mayBeOf(kind, readRead(counterpart)))
    const isCounterpart = first.length === 1
    const required = listOf(kind['required'])
    const certainTags = tags.filter((name) => required.includes(name))
    const rest = alternatives.filter(
      (alternative) =>
        !first.includes(alternative) &&
        newTagOf(kind, readRead(alternative), certainTags, sides) === undefined,
    )
    // A schema that's of one kind keeps its references, which say what it was before.
    const source = kinds.length === 1 ? sentSchema : kind
    const candidates = [...first, ...rest].map((alternative) => {
      const isDetour = isCounterpart && alternative !== first[0]
      return pairOf(source, withAlternative(read, alternative), isDetour)
    })
    const spelledOut = spellOut(kind, alternatives.map(readRead), readSent)
    if (spelledOut !== null) candidates.push(pairOf(spelledOut.union, readSchema, true))
    const spelledName = spelledOut === null ? null : spelledOut.name
    return { kind, source, candidates, spelledOut: spelledName, isCounterpart, chosen: -1 }
  })
  const explain = (failed: readonly Choice[]) =>
    explainUnion(failed, union, { alternatives, counterparts, tags }, sides)
  return { ...noRule, choices, explain }
}

/** Whether a value of a kind may have one of a schema's types. */
function mayBeOf(kind: Json, read: Json): boolean {
  const types = typesOf(kind)
  const isNumber = types.includes('integer') || types.includes('number')
  return mayBe(read, ...types, ...(isNumber ? ['integer', 'number'] : []))
}

/**
 * The alternatives that a schema was before: the same reference, the same tag, or the only one with
 * a common property.
 */
function counterpartsOf(
  { sent, sentSchema }: UnionPair,
  alternatives: readonly unknown[],
  tags: readonly string[],
  { readSent, readRead }: Sides,
): readonly unknown[] {
  const origin = listOf((sentSchema as Json | undefined)?.['allOf'])
  const ref = refIn(sentSchema)
  const same = alternatives.filter((alternative) => origin.includes(alternative))
  if (same.length > 0) return same
  const sameRef = alternatives.filter((alternative) => leadsTo(alternative, ref, readRead))
  if (sameRef.length > 0) return sameRef
  const tagged = alternatives.filter((alternative) =>
    tags.some((name) => {
      const tag = tagIn(sent, name, readSent)
      return tag !== undefined && tag === tagIn(readRead(alternative), name, readRead)
    }),
  )
  if (tagged.length > 0 || ref !== null) return tagged
  const names = Object.keys(propertiesOf(sent))
  const related = alternatives.filter((alternative) => {
    const properties = propertiesOf(readRead(alternative))
    return names.some((name) => Object.hasOwn(properties, name))
  })
  const alike = related.filter((alternative) => {
    const properties = propertiesOf(readRead(alternative))
    return Object.keys(properties).toSorted().join() === names.toSorted().join()
  })
  return alike.length > 0 ? alike : related
}

/** Whether an alternative is a reference, or a union with it. */
function leadsTo(alternative: unknown, ref: string | null, reader: Reader): boolean {
  if (ref === null) return false
  if (refIn(alternative) === ref) return true
  return listOf(unionOf(reader(alternative))).some((inner) => refIn(inner) === ref)
}

// ---- tags ---------------------------------------------------------------------------------------

/**
 * The properties that tell alternatives apart: a discriminator's, and those with one value in at
 * least two of them.
 */
function tagNamesIn(
  alternatives: readonly unknown[],
  { discriminator }: Json,
  reader: Reader,
): readonly string[] {
  const counts = new Map<string, number>()
  for (const alternative of alternatives) {
    const shape = reader(alternative)
    for (const name of Object.keys(propertiesOf(shape)))
      if (tagIn(shape, name, reader) !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name)
  const hinted = isObject(discriminator) ? String(discriminator['propertyName']) : undefined
  return hinted === undefined || names.includes(hinted) ? names : [hinted, ...names]
}

/** The only value of a property, also behind references. */
function tagIn(shape: Json, name: string, reader: Reader): unknown {
  const property = propertyOf(shape, name)
  return property === undefined ? undefined : tagOf(reader(property))
}

/**
 * The tag by which a kind of values can't be an alternative: they have no value of it in common.
 */
const newTagOf = (
  kind: Json,
  alternative: Json,
  tags: readonly string[],
  { readSent, readRead }: Sides,
): string | undefined =>
  tags.find((name) => {
    const values = valuesIn(kind, name, readSent)
    const others = valuesIn(alternative, name, readRead)
    return values.length * others.length > 0 && !values.some((value) => others.includes(value))
  })

/** All values of a property, if it's an enum. */
function valuesIn(shape: Json, name: string, reader: Reader): readonly unknown[] {
  const property = propertyOf(shape, name)
  return property === undefined ? [] : (scalarsOf(reader(property)) ?? [])
}

// ---- why nothing fits ---------------------------------------------------------------------------

interface Alternatives {
  readonly alternatives: readonly unknown[]
  readonly counterparts: readonly unknown[]
  readonly tags: readonly string[]
}

/**
 * Says why kinds of values fit no alternative: their type, their tag, or the alternative that
 * should have fitted.
 */
function explainUnion(
  failed: readonly Choice[],
  union: UnionPair,
  { alternatives, counterparts, tags }: Alternatives,
  sides: Sides,
): readonly Explanation[] {
  const { sent, read, sentSchema } = union
  const { direction, readSent, pairOf } = sides
  // What's beside a union holds for all of its alternatives, and may make some of them impossible.
  const shapes = new Map(
    alternatives.map((alternative) => [
      alternative,
      sides.readRead(withAlternative(read, alternative)),
    ]),
  )
  const readRead = (alternative: unknown): Json => shapes.get(alternative)!
  const possible = alternatives.filter((alternative) => !isNever(readRead(alternative)))
  const age = direction === 'request' ? 'newer' : 'older'
  const explanations: Explanation[] = []
  const ofOtherTypes: Json[] = []
  /** The values of an enum that should have fitted an alternative. */
  const valuesFor = new Map<unknown, unknown[]>()
  for (const { kind, source, candidates, spelledOut } of failed) {
    const ofType = possible.filter((alternative) => mayBeOf(kind, readRead(alternative)))
    const first = counterparts.filter((alternative) => ofType.includes(alternative))
    const counterpart = first.length === 1 ? first[0] : undefined
    const newTag = (alternative: unknown): string | undefined =>
      newTagOf(kind, readRead(alternative), tags, sides)
    const likely = ofType.filter((alternative) => newTag(alternative) === undefined)
    const ofEnum = likely.filter((alternative) => scalarsOf(readRead(alternative)) !== null)
    // Among several, a component with a different name is a new alternative.
    const isAlone = likely.length === 1 && (ofType.length === 1 || refIn(sentSchema) === null)
    const certain = counterpart ?? (isAlone ? likely[0] : undefined)
    const target = certain ?? (ofEnum.length === 1 ? ofEnum[0] : undefined)
    const values = scalarsOf(kind)
    const isByTag = counterpart === undefined && spelledOut !== null && tags.includes(spelledOut)
    if (isByTag) explanations.push({ pair: candidates.at(-1)! })
    else if (ofType.length === 0) ofOtherTypes.push(kind)
    else if (target !== undefined && values !== null && ofEnum.includes(target))
      valuesFor.set(target, [...(valuesFor.get(target) ?? []), ...values])
    else if (target !== undefined)
      explanations.push({ pair: pairOf(source, withAlternative(read, target)) })
    else if (likely.length === 0) {
      const name = newTag(ofType[0])!
      const tag = shown(valuesIn(kind, name, readSent))
      explanations.push({
        gap: gap(`may have the ${name} ${tag}, which no ${age} alternative has`),
      })
    } else if (spelledOut !== null) explanations.push({ pair: candidates.at(-1)! })
    else {
      const ref = refIn(sentSchema)
      const what = ref === null ? 'match' : `be ${nameOf(ref)}, which matches`
      explanations.push({ gap: gap(`may ${what} no ${age} alternative`) })
    }
  }
  for (const [target, values] of valuesFor) {
    // The values that the alternative has already show whether its enum has grown.
    const present = listOf(readRead(target)['enum']).filter((value) =>
      listOf(sent['enum']).includes(value),
    )
    const kind = { ...sent, enum: [...new Set([...present, ...values])] }
    explanations.push({ pair: pairOf(kind, withAlternative(read, target)) })
  }
  if (ofOtherTypes.length > 0)
    explanations.push({ gap: otherTypesGap(ofOtherTypes, alternatives.map(readRead)) })
  return explanations
}

function otherTypesGap(kinds: readonly Json[], alternatives: readonly Json[]): Gap {
  const readTypes = [...new Set(alternatives.flatMap(typesOf))]
  const types = [...new Set(kinds.flatMap(typesOf))]
  return gap(`may be ${types.join(' or ')}, which isn't ${readTypes.join(' or ')}`)
}

// ---- kinds of values ----------------------------------------------------------------------------

/**
 * An object with a union or enum in a required property, as a union of objects. Null where that's
 * of no use: the other side's alternatives don't all have the property, or it's the same in all of
 * them.
 *
 * @example { kind: 'a' | 'b' } → { kind: 'a' } | { kind: 'b' }
 */
function spellOut(
  sent: Json,
  alternatives: readonly Json[],
  readSent: Reader,
): { readonly name: string; readonly union: Json } | null {
  for (const name of listOf(sent['required']) as readonly string[]) {
    const counterparts = alternatives.map((alternative) => propertyOf(alternative, name))
    if (counterparts.includes(undefined) || new Set(counterparts).size < 2) continue
    const kinds = kindsOf(readSent(propertyOf(sent, name)))
    if (kinds.length < 2) continue
    const properties = propertiesOf(sent)
    const oneOf = kinds.map((kind) => ({ ...sent, properties: { ...properties, [name]: kind } }))
    return { name, union: { oneOf } }
  }
  return null
}

function kindsOf(schema: Json): readonly unknown[] {
  const alternatives = unionOf(schema)
  if (alternatives !== null)
    return alternatives.map((alternative) => withAlternative(schema, alternative))
  return Array.isArray(schema['enum']) ? split(schema) : []
}

/** A schema by its values, or else by its types, because each of them may fit an alternative. */
function split(schema: Json): readonly Json[] {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value: unknown) => ({ ...schema, enum: [value] }))
  const types = type === undefined ? valueTypes.filter((name) => name !== 'integer') : [type].flat()
  return types.map((name) => ({ ...schema, type: name }))
}
