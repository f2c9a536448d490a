import { createCollect } from './collect.ts'
import type { Intern, MeansTheSame } from './intern.ts'
import type { Document } from './normalize.ts'
import { createReader } from './reader.ts'
import { type Direction, createRules } from './rules.ts'
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
 * Creates the comparison of two documents' schemas. It compares each pair of schemas once, whatever leads to it, and skips
 * what means the same in both.
 *
 * @param sent - the document of the side that sends. It is interned, like `read`.
 */
export function createFindGaps(
  sent: Document,
  read: Document,
  direction: Direction,
  intern: Intern,
  meansTheSame: MeansTheSame,
): GapFinder {
  const pairs = new Map<unknown, Map<unknown, Pair>>()
  const announced = new Set<Pair>()
  const results = new Map<Pair, readonly Gap[]>()
  const rules = createRules(direction, createReader(sent, intern), createReader(read, intern), pairOf, meansTheSame)
  const collect = createCollect((pair) => decide(pair, ruleOf))
  let count = 0

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

  function pairOf(sentSchema: unknown, readSchema: unknown): Pair {
    const [own, other] = [intern(sentSchema), intern(readSchema)]
    let others = pairs.get(own)
    if (others === undefined) pairs.set(own, (others = new Map()))
    let pair = others.get(other)
    if (pair === undefined) others.set(other, (pair = createPair(own, other)))
    return pair
  }

  function ruleOf(pair: Pair): Rule {
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return noRule
    if (count++ > mostPairs) return { ...noRule, gaps: [gap('', 'is too large to compare', false)] }
    return rules(pair.sent, pair.read)
  }
}
