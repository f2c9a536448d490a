import type { Budget } from '../budget.ts'
import { type Json, entriesOf, isObject, listOf } from '../json.ts'
import { collectGaps } from './collect.ts'
import { type Direction, type Gap, unclear } from './gap.ts'
import { createHomes } from './home.ts'
import { type Intern, type MeansTheSame, memoized } from './intern.ts'
import { lookAt } from './look.ts'
import { normalize } from './normalize.ts'
import { type Pair, type Rule, type Sides, createPair, noRule, ruleWith } from './pair.ts'
import { ruleOf } from './rules.ts'
import { decide } from './solve.ts'
import { readUnion } from './unions.ts'

/**
 * What reading a pair counts towards the bound. Recursion through `allOf` may combine many schemas
 * in every way, and unions in unions with properties beside them are combined as well. Such pairs
 * are large, so only few of them are compared.
 */
function weightOf({ sent, read }: Pair): number {
  let weight = 1
  for (const schema of [sent, read]) {
    if (!isObject(schema) || !Array.isArray(schema['allOf'])) continue
    const parts = listOf(schema['allOf']).length
    weight += entriesOf(schema['properties']).length + (parts > 16 ? parts ** 3 : 0)
  }
  return weight
}

/** The documents of a comparison, interned, and what both of its directions share. */
export interface Documents {
  readonly sent: Json
  readonly read: Json
  readonly direction: Direction
  readonly intern: Intern
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
}

/**
 * Finds out, for pairs of schemas, whether every value of the first, which is sent, can be read
 * with the second. It compares each pair of schemas once, however many others lead to it, and skips
 * what means the same in both.
 *
 * @returns for each pair, the reasons why it may not. None if it can
 */
export function findGaps(
  asked: readonly { readonly sent: unknown; readonly read: unknown }[],
  { sent, read, direction, intern, meansTheSame, budget }: Documents,
): readonly (readonly Gap[])[] {
  const pairs = new Map<unknown, Map<unknown, Pair>>()
  const readSent = memoized((schema: unknown) => intern(normalize(sent, schema, budget)))
  const readRead = memoized((schema: unknown) => intern(normalize(read, schema, budget)))
  const sides: Sides = {
    direction,
    readSent,
    readRead,
    readUnion: memoized((schema: Json) => readUnion(schema, readRead)),
    pairOf,
    meansTheSame,
    budget,
  }
  // If an alternative has changed, any other may have taken its place, so every pair of components
  // may have to be compared. That's why few pairs of these detours are.
  const components = [sent, read].flatMap(({ components: parts }) =>
    entriesOf(isObject(parts) ? parts['schemas'] : {}),
  )
  const mostDetours = 1000 + 20 * components.length
  let [detours, isInDetour] = [0, false]

  const [older, newer] = direction === 'request' ? [sent, read] : [read, sent]
  const isUnchanged = ($ref: string): boolean => meansTheSame(intern({ $ref }))
  const homeOf = createHomes(older, newer, direction, isUnchanged)
  const look = memoized((pair: Pair) => lookAt(pair, isFit, direction))
  const roots = asked.map((pair) => pairOf(pair.sent, pair.read))
  const gaps = collectGaps(new Set(roots), look, homeOf, budget)
  return roots.map((root) => gaps.get(root)!)

  function pairOf(sentSchema: unknown, readSchema: unknown, isDetour = false): Pair {
    const [left, right] = [intern(sentSchema), intern(readSchema)]
    const bySent = pairs.get(left) ?? new Map<unknown, Pair>()
    const pair =
      bySent.get(right) ?? createPair(left, right, (isDetour || isInDetour) && left !== right)
    pairs.set(left, bySent.set(right, pair))
    return pair
  }

  function isFit(pair: Pair): boolean {
    return decide(pair, boundedRuleOf)
  }

  function boundedRuleOf(pair: Pair): Rule {
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return noRule
    budget.spend(weightOf(pair))
    const { isDetour } = pair
    if (isDetour && detours++ > mostDetours) return ruleWith(unclear('is too large to compare'))
    isInDetour = isDetour
    const rule = ruleOf(pair, sides)
    isInDetour = false
    const size = (rule.parts.length + (rule.choice?.candidates.length ?? 0)) / 16
    budget.spend(size)
    if (isDetour) detours += size
    return rule
  }
}
