import { createCollect } from './collect.ts'
import { type Intern, type MeansTheSame, memoized } from './intern.ts'
import { type Json, isObject, listOf } from './json.ts'
import { normalize } from './normalize.ts'
import type { Reader } from './reader.ts'
import { type Direction, type Rules, ruleOf } from './rules.ts'
import { type Pair, type Rule, createPair, decide, noRule } from './solve.ts'
import { type Gap, gap } from './value-gaps.ts'

/**
 * Finds out whether every value of one schema, which is sent, can be read with another.
 *
 * @returns no gaps if it can
 */
export type FindGaps = (sent: unknown, read: unknown) => readonly Gap[]

interface GapFinder {
  readonly find: FindGaps
  /** Announces what is asked for later, and finds nothing: gaps are found at once for all that is known. */
  readonly announce: FindGaps
}

/** A comparison that reads more pairs of schemas stops. Histories of the largest public documents need a tenth of it. */
const mostPairs = 1_000_000

/**
 * Of many schemas at once, which a recursion through allOf may combine in every way, few pairs are compared. So are few of
 * unions in unions with properties beside them, which are combined as well: they are large.
 */
const weightOf = ({ sent, read }: Pair): number => {
  const combined = [sent, read].filter(isObject).filter(({ allOf }) => Array.isArray(allOf))
  const parts = Math.max(0, ...combined.map(({ allOf }) => listOf(allOf).length))
  const properties = combined.map((one) => Object.keys(one['properties'] ?? {}).length)
  return parts > 16 ? parts ** 3 : properties.reduce((sum, length) => sum + length, 1)
}

/**
 * Creates the comparison of two documents' schemas. It compares each pair of schemas once, whatever leads to it, and skips
 * what means the same in both.
 *
 * @param sent - the document of the side that sends. It is interned, like `read`.
 */
export function createFindGaps(
  sent: Json,
  read: Json,
  direction: Direction,
  intern: Intern,
  meansTheSame: MeansTheSame,
): GapFinder {
  const pairs = new Map<unknown, Map<unknown, Pair>>()
  const announced = new Set<Pair>()
  const results = new Map<Pair, readonly Gap[]>()
  const [readSent, readRead] = [sent, read].map((document) =>
    memoized((schema) => intern(normalize(document, schema))),
  ) as [Reader, Reader]
  const rules: Rules = { direction, readSent, readRead, pairOf, meansTheSame }
  const collect = createCollect((pair) => decide(pair, boundedRuleOf))
  const others = new Set<Pair>()
  // Other alternatives for those that have changed may lead to every pair of components, so few of these are compared.
  const components = [sent, read].map(
    (document) => (isObject(document['components']) && document['components']['schemas']) || {},
  )
  const mostOthers = 1000 + 20 * components.flatMap(Object.keys).length
  let [count, otherCount, isInOther] = [0, 0, false]

  return { find, announce }

  function find(sentSchema: unknown, readSchema: unknown): readonly Gap[] {
    const root = pairOf(sentSchema, readSchema)
    if (!results.has(root)) {
      const roots = [...announced.add(root)]
      for (const [index, gaps] of collect(roots).entries()) results.set(roots[index]!, gaps)
      announced.clear()
    }
    return results.get(root)!
  }

  function announce(sentSchema: unknown, readSchema: unknown): readonly Gap[] {
    announced.add(pairOf(sentSchema, readSchema))
    return []
  }

  function pairOf(sentSchema: unknown, readSchema: unknown, isOther = false): Pair {
    const [own, other] = [intern(sentSchema), intern(readSchema)]
    let known = pairs.get(own)
    if (known === undefined) pairs.set(own, (known = new Map()))
    let pair = known.get(other)
    if (pair === undefined) {
      known.set(other, (pair = createPair(own, other)))
      if ((isOther || isInOther) && own !== other) others.add(pair)
    }
    return pair
  }

  function boundedRuleOf(pair: Pair): Rule {
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return noRule
    isInOther = others.has(pair)
    count += weightOf(pair)
    if (count > mostPairs || (isInOther && otherCount++ > mostOthers))
      return { ...noRule, gaps: [gap('is too large to compare', false)] }
    const rule = ruleOf(pair.sent, pair.read, rules)
    const size =
      rule.choices.reduce((sum, { candidates }) => sum + candidates.length, rule.parts.length) / 16
    count += size
    if (isInOther) otherCount += size
    isInOther = false
    return rule
  }
}
