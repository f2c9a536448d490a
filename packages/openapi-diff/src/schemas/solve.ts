// Decides which pairs of schemas fit: each pair once, recursive ones included.
import { isObject } from '../json.ts'
import type { Gap } from './gap.ts'

/**
 * A pair of schemas. It fits if it has no gaps itself, all of its parts fit, and one candidate of
 * each choice fits. Parts that lead back to the pair are assumed to fit, so the result is the
 * largest set of pairs without a contradiction.
 */
export interface Pair {
  /** The schema of the side that sends, and that of the side that reads. */
  readonly sent: unknown
  readonly read: unknown
  /** What the pair consists of. Undefined until it's decided. */
  rule: Rule | undefined
  /** It doesn't fit. False for a pair that isn't decided yet. */
  fails: boolean
  /**
   * It fits, but there's something to say about it or one of its parts: a minor gap, or a candidate
   * that isn't the counterpart.
   */
  hasNote: boolean
  /** The pairs that have it as a part or a candidate. */
  readonly users: Pair[]
}

export interface Rule {
  readonly gaps: readonly Gap[]
  readonly parts: readonly Part[]
  readonly choice?: Choice
}

/**
 * A pair inside another one, and where its values are: `/name`, `/*`, or '' for the same values.
 */
export interface Part {
  readonly at: string
  readonly pair: Pair
  /** It's an alternative for what isn't a union on the other side. */
  readonly isAlternative?: boolean
}

/** Pairs of which one has to fit. */
export interface Choice {
  /** The best first. */
  readonly candidates: readonly Pair[]
  /**
   * The first candidate is what the schema was before, so its gaps matter even if a different one
   * fits.
   */
  readonly isCounterpart: boolean
  /** Says why none of them fits. */
  readonly explain: () => Explanation
  /** The first candidate that hasn't failed yet. -1 before any has been looked at. */
  chosen: number
}

/** A gap, or the pair that has the gaps: the alternative that should have fitted. */
export type Explanation = { readonly gap: Gap } | { readonly pair: Pair }

/** The rule of a pair that fits in any case. */
export const noRule: Rule = { gaps: [], parts: [] }

export const createPair = (sent: unknown, read: unknown): Pair => ({
  sent,
  read,
  rule: undefined,
  fails: false,
  hasNote: false,
  users: [],
})

const nesting = '$ref allOf anyOf oneOf properties additionalProperties items prefixItems'.split(
  ' ',
)
const isScalarPair = ({ sent, read }: Pair): boolean =>
  [sent, read].every((schema) => !isObject(schema) || !nesting.some((key) => key in schema))

/** Values that only lose a default or an optional field still fit. */
export const isMajor = ({ isMinor, kind }: Gap): boolean => isMinor !== true && kind !== 'default'

/**
 * Decides a pair, and returns whether it fits. It reads no more rules than necessary: a choice's
 * candidates one after the other, and no parts of a pair that has gaps.
 *
 * @param ruleOf - reads what a pair consists of. It's called once per pair.
 */
export function decide(root: Pair, ruleOf: (pair: Pair) => Rule): boolean {
  if (root.rule !== undefined) return !root.fails
  const waiting = [root]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair.rule !== undefined || (pair !== root && pair.users.every(({ fails }) => fails)))
      continue
    pair.rule = ruleOf(pair)
    const { gaps, parts } = pair.rule
    // A different constant decides a pair, whatever else is in it, so scalars are read first:
    // they're pushed last.
    if (!gaps.some(isMajor))
      for (const isScalar of [false, true])
        for (const part of parts) if (isScalarPair(part.pair) === isScalar) need(part.pair, pair)
    if (pair.rule.gaps.some(isMajor) || !fits(pair)) fail(pair)
    else if (pair.rule.gaps.length > 0) note(pair)
  }
  return !root.fails

  function need(part: Pair, user: Pair): void {
    part.users.push(user)
    if (part.hasNote) note(user)
    if (part.rule === undefined) waiting.push(part)
  }

  /** Whether a pair fits, as far as it's decided. Moves on from candidates that have failed. */
  function fits(pair: Pair): boolean {
    const { parts, choice } = pair.rule!
    if (parts.some((part) => part.pair.fails)) return false
    if (choice === undefined) return true
    const { candidates, chosen } = choice
    while (candidates[choice.chosen]?.fails !== false && choice.chosen < candidates.length)
      choice.chosen++
    const next = candidates[choice.chosen]
    if (next !== undefined && choice.chosen !== chosen) need(next, pair)
    if (choice.isCounterpart && choice.chosen > 0) note(pair)
    return next !== undefined
  }

  /** Notes a doubt about a pair, and about everything that depends on it. */
  function note(noted: Pair): void {
    const open = [noted]
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      if (!pair.hasNote) open.push(...pair.users)
      pair.hasNote = true
    }
  }

  /** Marks a pair as failed, and everything that can't fit without it. */
  function fail(failing: Pair): void {
    failing.fails = true
    const failed = [failing]
    for (let pair = failed.pop(); pair !== undefined; pair = failed.pop())
      for (const user of pair.users) {
        if (user.fails || fits(user)) continue
        user.fails = true
        failed.push(user)
      }
  }
}
