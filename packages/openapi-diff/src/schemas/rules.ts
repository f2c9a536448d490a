// What a pair of schemas consists of: its own gaps, and the pairs that it depends on.
import { childrenRule, discriminatorGaps } from './discriminator.ts'
import { allowsAll } from './normalize.ts'
import { listRule, objectRule } from './objects.ts'
import { unionOf } from './reader.ts'
import type { Sides } from './sides.ts'
import { type Rule, noRule } from './solve.ts'
import { choicesOf, overlapGaps, withAlternative } from './unions.ts'
import { gap } from './gap.ts'
import { isNever } from './types.ts'
import { scalarGaps, scalarsOf, unknownGaps, valueGaps, withoutKept } from './value-gaps.ts'

/** Reads what a pair of schemas consists of. */
export function ruleOf(sentSchema: unknown, readSchema: unknown, sides: Sides): Rule {
  const { readSent, readRead, meansTheSame, pairOf } = sides
  const [sent, read] = [readSent(sentSchema), readRead(readSchema)]
  if (allowsAll(read) || isNever(sent)) return noRule
  if (isNever(read)) return { ...noRule, gaps: [gap('is not allowed')] }

  const alternatives = unionOf(sent)
  if (alternatives !== null) {
    const parts = alternatives.map((alternative) => ({
      at: '',
      pair: pairOf(withAlternative(sent, alternative), readSchema),
    }))
    const gaps = [
      ...discriminatorGaps(sent, read, readSent, readRead),
      ...overlapGaps(sent, read, readRead),
    ]
    return { gaps, parts, choices: [] }
  }
  if (unionOf(read) !== null)
    return { ...noRule, choices: choicesOf({ sent, read, sentSchema, readSchema }, sides) }

  const values = scalarsOf(sent)
  if (values !== null) {
    // The values match a format that wasn't there before, and one that both sides have.
    const { format: _, ...withoutFormat } = read
    const rest = Array.isArray(read['enum']) ? withoutFormat : read
    const remaining = withoutKept(rest, sent, meansTheSame)
    return { ...noRule, gaps: values.flatMap((value) => scalarGaps(value, remaining)) }
  }
  const inner = [
    listRule(sent, read, sides),
    objectRule(sent, read, sides),
    childrenRule(sent, read, pairOf),
  ]
  const gaps = [
    ...valueGaps(sent, read),
    ...unknownGaps(sent, read, meansTheSame),
    ...inner.flatMap((rule) => rule.gaps),
  ]
  return { gaps, parts: inner.flatMap((rule) => rule.parts), choices: [] }
}
