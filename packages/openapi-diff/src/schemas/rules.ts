// What a pair of schemas consists of: its own gaps, and the pairs that it depends on.
import { isEqual } from '../json.ts'
import { childrenRule, discriminatorGaps } from './discriminator.ts'
import { allowsAll, nullableEnum, unresolved } from './normalize.ts'
import { listRule, objectRule } from './objects.ts'
import { unionOf } from './reader.ts'
import type { Sides } from './sides.ts'
import { type Rule, noRule } from './solve.ts'
import { overlapGaps, unionRule, withAlternative } from './unions.ts'
import { gap, unclear } from './gap.ts'
import { isNever, mayBe, typesOf } from './types.ts'
import {
  nullableGap,
  scalarGaps,
  scalarsOf,
  unknownGaps,
  valueGaps,
  withoutKept,
} from './value-gaps.ts'

/** Reads what a pair of schemas consists of. */
export function ruleOf(sentSchema: unknown, readSchema: unknown, sides: Sides): Rule {
  const { readSent, readRead, meansTheSame, pairOf } = sides
  const [sent, read] = [readSent(sentSchema), readRead(readSchema)]
  if (allowsAll(read) || isNever(sent)) return noRule
  const ref = sent[unresolved] ?? read[unresolved]
  if (typeof ref === 'string')
    return { ...noRule, gaps: [unclear(`refers to ${ref}, which isn't in the document`)] }
  if (isNever(read) || unionOf(read)?.length === 0) {
    if (isEqual(read['not'], {})) return { ...noRule, gaps: [gap("isn't allowed")] }
    const age = sides.direction === 'request' ? 'newer' : 'older'
    return {
      ...noRule,
      gaps: [unclear(`is compared with a schema of the ${age} document that allows nothing`)],
    }
  }
  if (sent[nullableEnum] === true && read[nullableEnum] !== true && !mayBe(read, 'null')) {
    const { gaps, ...rest } = ruleOf({ ...sent, [nullableEnum]: false }, readSchema, sides)
    return {
      ...rest,
      gaps: [...gaps, nullableGap(sides.direction === 'request')],
    }
  }

  const alternatives = unionOf(sent)
  if (alternatives !== null) {
    const parts = alternatives.map((alternative) => ({
      at: '',
      isAlternative: unionOf(read) === null && typesOf(readSent(alternative)).join() !== 'null',
      pair: pairOf(withAlternative(sent, alternative), readSchema),
    }))
    const gaps = [...discriminatorGaps(sent, read, sides), ...overlapGaps(sent, read, readRead)]
    return { gaps, parts, choices: [] }
  }
  if (unionOf(read) !== null) return unionRule({ sent, read, sentSchema, readSchema }, sides)

  const values = scalarsOf(sent)
  if (values !== null) {
    // The values match a format that wasn't there before, and one that both sides have.
    const { format: _, ...withoutFormat } = read
    const rest = Array.isArray(read['enum']) ? withoutFormat : read
    const remaining = withoutKept(rest, sent, meansTheSame)
    return { ...noRule, gaps: scalarGaps(values, remaining, sides.direction) }
  }
  const inner = [
    listRule(sent, read, sides),
    objectRule(sent, read, sides),
    childrenRule(sent, read, pairOf),
  ]
  const gaps = [
    ...valueGaps(sent, read, sides.direction),
    ...unknownGaps(sent, read, sides.direction, meansTheSame),
    ...inner.flatMap((rule) => rule.gaps),
  ]
  return { gaps, parts: inner.flatMap((rule) => rule.parts), choices: [] }
}
