// What a pair of schemas consists of: its own gaps, and the pairs that it depends on.
import { isObject } from '../json.ts'
import { discriminatorRule } from './discriminator.ts'
import { type Pair, type Rule, type Sides, gap, noRule, ruleAs, ruleWith, unclear } from './gap.ts'
import { unresolved } from './normalize.ts'
import { listRule, objectRule } from './objects.ts'
import { allowsAll, isNever, listedValues, typesOf, unionOf } from './shape.ts'
import { textsOf } from './text.ts'
import { overlapGaps, unionRule, withAlternative } from './unions.ts'
import { presenceGaps, valueGaps } from './value-gaps.ts'

/** Reads what a pair of schemas consists of. */
export function ruleOf(pair: Pair, sides: Sides): Rule {
  const { readSent, readRead, direction, pairOf } = sides
  const sent = readSent(pair.sent)
  const read = readRead(pair.read)
  if (allowsAll(read) || isNever(sent)) return noRule
  const ref = sent[unresolved] ?? read[unresolved]
  if (typeof ref === 'string')
    return ruleWith(unclear(`refers to ${ref}, which isn't in the document`))
  const sentUnion = unionOf(sent)
  const union = sides.readUnion(read)
  const texts = textsOf(sent, union?.types ?? typesOf(read), sides.form)
  if (texts)
    return { gaps: [], parts: texts.map((text) => ({ at: '', pair: pairOf(text, pair.read) })) }
  // A union of one schema is that schema, so a second alternative is new.
  if (union?.alternatives.length === 1 && !read['discriminator'])
    return ruleAs(pairOf(pair.sent, union.alternatives[0]!.whole))
  const overlaps = pair.isExclusive ? [] : overlapGaps(sent, union, sides)
  if (sentUnion !== null) {
    const named = discriminatorRule(sent, read, sides)
    const parts = sentUnion.map((alternative) => ({
      at: '',
      isAlternative: union === null && typesOf(readSent(alternative)).join() !== 'null',
      pair: pairOf(withAlternative(sent, alternative), pair.read, false, union?.isExclusive),
    }))
    return { gaps: [...named.gaps, ...overlaps], parts: [...parts, ...named.parts] }
  }
  if (isObject(read['not']) && allowsAll(read['not'])) return ruleWith(gap("isn't allowed"))
  if (isNever(read) || union?.alternatives.length === 0) {
    const age = direction === 'request' ? 'newer' : 'older'
    return ruleWith(unclear(`has no allowed value in the ${age} schema`))
  }
  if (union) {
    const rule = unionRule(sent, union, pair, sides)
    return { ...rule, gaps: [...rule.gaps, ...overlaps] }
  }
  const gaps = [...valueGaps(sent, read, sides), ...presenceGaps(sent, read, sides)]
  if (listedValues(sent) !== null) return { gaps, parts: [] }
  const inner = [
    listRule(sent, read, sides),
    objectRule(sent, read, sides),
    discriminatorRule(sent, read, sides),
  ]
  return {
    gaps: [...gaps, ...inner.flatMap((rule) => rule.gaps)],
    parts: inner.flatMap((rule) => rule.parts),
  }
}
