import type { Budget } from '../budget.ts'
import { collectGaps } from './collect.ts'
import { type Intern, type MeansTheSame, memoized } from './intern.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { normalize } from './normalize.ts'
import { ruleOf } from './rules.ts'
import type { Direction } from './gap.ts'
import { createNames } from './home.ts'
import type { Sides } from './sides.ts'
import { readUnion } from './unions.ts'
import { type Pair, type Rule, createPair, decide, noRule } from './solve.ts'
import { type Gap, unclear } from './gap.ts'

/**
 * Finds out, for pairs of schemas, whether every value of the first, which is sent, can be read
 * with the second.
 *
 * @returns for each pair, the reasons why it may not. None if it can
 */
export type FindGaps = (
  pairs: readonly { readonly sent: unknown; readonly read: unknown }[],
) => readonly (readonly Gap[])[]

/**
 * What reading a pair counts towards the bound. Recursion through `allOf` may combine many schemas
 * in every way, and unions in unions with properties beside them are combined as well. Such pairs
 * are large, so only few of them are compared.
 */
function weightOf({ sent, read }: Pair): number {
  const combined = [sent, read].filter(isObject).filter(({ allOf }) => Array.isArray(allOf))
  const parts = Math.max(0, ...combined.map(({ allOf }) => listOf(allOf).length))
  if (parts > 16) return parts ** 3
  const properties = combined.map((schema) => entriesOf(schema['properties']).length)
  return properties.reduce((sum, length) => sum + length, 1)
}

/** What both directions of a comparison share. */
interface Tools {
  readonly intern: Intern
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
}

/**
 * Creates the comparison of two documents' schemas. It compares each pair of schemas once, however
 * many others lead to it, and skips what means the same in both.
 *
 * @param sent - the document of the side that sends. It's interned, like `read`.
 */
export function createFindGaps(
  sent: Json,
  read: Json,
  direction: Direction,
  { intern, meansTheSame, budget }: Tools,
): FindGaps {
  const pairs = new Map<unknown, Map<unknown, Pair>>()
  const readSent = memoized((schema) => intern(normalize(sent, schema, budget)))
  const readRead = memoized((schema) => intern(normalize(read, schema, budget)))
  const { homeOf, causeOf } = createNames(sent, read, direction)
  const sides: Sides = {
    direction,
    readSent,
    readRead,
    readUnion: memoized((schema) => readUnion(schema as Json, readRead)),
    pairOf,
    meansTheSame,
    budget,
    homeOf,
    causeOf,
  }
  // If an alternative has changed, any other may have taken its place, so every pair of components
  // may have to be compared. That's why few pairs of these detours are.
  const detours = new Set<Pair>()
  const components = [sent, read].flatMap(({ components: parts }) =>
    entriesOf(isObject(parts) ? parts['schemas'] : {}),
  )
  const mostDetours = 1000 + 20 * components.length
  let [detourCount, isInDetour] = [0, false]

  return (asked) => {
    const roots = asked.map((pair) => pairOf(pair.sent, pair.read))
    const distinct = [...new Set(roots)]
    const gaps = collectGaps(distinct, (pair) => decide(pair, boundedRuleOf), sides, budget)
    const gapsOf = new Map(distinct.map((root, index) => [root, gaps[index]!]))
    return roots.map((root) => gapsOf.get(root)!)
  }

  function pairOf(sentSchema: unknown, readSchema: unknown, isDetour = false): Pair {
    const [internedSent, internedRead] = [intern(sentSchema), intern(readSchema)]
    let bySent = pairs.get(internedSent)
    if (bySent === undefined) pairs.set(internedSent, (bySent = new Map()))
    let pair = bySent.get(internedRead)
    if (pair === undefined) {
      bySent.set(internedRead, (pair = createPair(internedSent, internedRead)))
      if ((isDetour || isInDetour) && internedSent !== internedRead) detours.add(pair)
    }
    return pair
  }

  function boundedRuleOf(pair: Pair): Rule {
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return noRule
    isInDetour = detours.has(pair)
    budget.spend(weightOf(pair))
    if (isInDetour && detourCount++ > mostDetours)
      return { ...noRule, gaps: [unclear('is too large to compare')] }
    const rule = ruleOf(pair, sides)
    const size = (rule.parts.length + (rule.choice?.candidates.length ?? 0)) / 16
    budget.spend(size)
    if (isInDetour) detourCount += size
    isInDetour = false
    return rule
  }
}
