// What a pair of schemas consists of: its own gaps, and the pairs that it depends on.
import { isObject, listOf } from '../json.ts'
import { discriminatorItems } from './discriminator.ts'
import { type Item, type Pair, type Sides, gap, part, unclear } from './gap.ts'
import { both } from './join.ts'
import { isInside, unresolved } from './normalize.ts'
import { listItems, objectItems } from './objects.ts'
import { overlapGaps } from './overlaps.ts'
import {
  allowsAll,
  isNever,
  keywordsOf,
  listedValues,
  mayBe,
  nullMeant,
  typesOf,
  unionOf,
} from './shape.ts'
import { textsOf } from './text.ts'
import { unionItems, withAlternative } from './unions.ts'
import { keywordGaps, valueGaps } from './value-gaps.ts'

/** Reads what a pair of schemas consists of. */
export function itemsOf(pair: Pair, sides: Sides): Iterable<Item> {
  const { readSent, readRead, isRequest, pairOf, isWithin, meansTheSame } = sides
  const sent = readSent(pair.sent)
  const read = readRead(pair.read)
  if (allowsAll(read) || isNever(sent) || listedValues(sent)?.length === 0) return []
  const ref = sent[unresolved] ?? read[unresolved]
  const isSame = sent[unresolved] === read[unresolved]
  if (typeof ref === 'string' && !(isSame && isInside(ref)))
    return [unclear(`refers to ${ref}, which isn't in the document`)]
  const sentUnion = unionOf(sent)
  const union = sides.unionIn(readRead)(read)
  const readTypes = typesOf(union?.shape ?? read)
  const texts = textsOf(sent, readTypes, sides.form)
  if (texts) {
    const parts = texts.map((text) => part(pairOf(text, pair.read)))
    const isList = texts[0]!['type'] === 'array' && sides.form !== 'query'
    return isList
      ? [...parts, unclear(isRequest ? 'must be a list now' : 'may not be a list')]
      : parts
  }
  // A union of one schema is that schema, so a second alternative is new.
  if (union?.alternatives.length === 1 && !read['discriminator']) {
    const { whole } = union.alternatives[0]!
    const meant = read[nullMeant] ? both([whole, { nullable: true }]) : whole
    return [part(pairOf(pair.sent, meant))]
  }
  const overlaps = pair.isExclusive ? [] : overlapGaps(sent, union, sides)
  // An alternative that stays fits itself. If it's a union, its alternatives are nobody else's.
  if (union?.alternatives.some(({ whole }) => whole === pair.sent) && meansTheSame(pair.sent))
    return overlaps
  if (sentUnion !== null) {
    const isSingle = isRequest && sent['anyOf'] === undefined
    // Null that matches several alternatives was never valid.
    const isNull = (inner: unknown) =>
      !readTypes.includes('null') &&
      mayBe(readSent(inner), 'null') &&
      isWithin({ type: 'null' }, inner)
    const lost = isSingle && sentUnion.filter(isNull).length > 1 ? 'null' : ''
    const alternatives = sentUnion.flatMap((alternative) => {
      const others = sentUnion.filter((other) => isSingle && other !== alternative)
      const types = typesOf(readSent(alternative)).filter((type) => type !== lost)
      const inner = lost ? { allOf: [alternative, { type: types }] } : alternative
      const whole = withAlternative(sent, inner, readSent)
      if (isNever(readSent(whole), readSent)) return []
      // Nothing matches only one of two equal alternatives, so what's sent is of a third one.
      const isTwice = isSingle && others.length + 1 < sentUnion.length
      if (isTwice && others.some((other) => mayBe(readSent(other), ...types))) return []
      const isAlternative = union === null && types.join() !== 'null'
      const exclusive = pairOf(withoutOthers(whole, others), pair.read, false, union?.isExclusive)
      return { at: '', isAlternative, pair: exclusive }
    })
    const isMeant = sent[nullMeant] && !sentUnion.some((inner) => mayBe(readSent(inner), 'null'))
    const onlyNull = { type: [], [nullMeant]: isMeant }
    const nullGaps = valueGaps(onlyNull, union?.shape ?? read, isRequest)
    return [...alternatives, ...discriminatorItems(sent, read, sides), ...overlaps, ...nullGaps]
  }
  if (isObject(read['not']) && allowsAll(read['not'])) return [gap("isn't allowed")]
  if (isNever(read) || union?.alternatives.length === 0)
    return [unclear(`has no allowed value in the ${isRequest ? 'newer' : 'older'} schema`)]
  if (union) return [...unionItems(sent, union, pair, sides), ...overlaps]
  const gaps = [...valueGaps(sent, read, isRequest), ...keywordGaps(sent, read, sides)]
  // What's inside doesn't matter if there's a list of values, or if it may be anything else.
  if (listedValues(sent) !== null || (allowsAll(sent) && gaps.length > 0)) return gaps
  return [
    ...gaps,
    ...listItems(sent, read, sides),
    ...objectItems(sent, read, sides),
    ...discriminatorItems(sent, read, sides),
  ]
}

/** An alternative of a `oneOf`, without the properties that would make it a different one. */
function withoutOthers(whole: unknown, others: readonly unknown[]) {
  const properties: Record<string, unknown> = {}
  for (const other of others)
    if (isObject(other) && keywordsOf(other).join() === 'required') {
      const [name, more] = listOf(other['required'])
      if (more === undefined) properties[String(name)] = { not: {} }
    }
  return Object.keys(properties).length === 0 ? whole : { properties, allOf: [whole] }
}
