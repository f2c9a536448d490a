// Decides which pairs of schemas fit, each pair once, recursive ones included.
import { isObject } from './json.ts'
import type { Gap } from './value-gaps.ts'

/**
 * A pair of schemas. It fits if it has no gaps of its own, all of its parts fit, and of each choice one candidate.
 * Parts that lead back to the pair are taken to fit: the largest set of pairs without a contradiction is the result.
 */
export interface Pair {
  /** The schema of the side that sends, and that of the side that reads. */
  readonly sent: unknown
  readonly read: unknown
  /** What the pair consists of. Undefined until somebody asks. */
  rule: Rule | undefined
  /** It does not fit. False for a pair that is not decided yet. */
  fails: boolean
  /** It or one of its parts fits only because of another candidate than the counterpart. */
  hasNote: boolean
  /** The pairs that it is a part or a candidate of. */
  readonly users: Pair[]
}

export interface Rule {
  readonly gaps: readonly Gap[]
  readonly parts: readonly Part[]
  readonly choices: readonly Choice[]
}

export type GapsAndParts = Pick<Rule, 'gaps' | 'parts'>

/** A pair, and where its values are in those of the pair around it: `/name`, `/*`, or '' for the same values. */
export interface Part {
  readonly at: string
  readonly pair: Pair
}

export interface Choice {
  /** The best first. */
  readonly candidates: readonly Pair[]
  /** The last candidate is a union of the same values, for which no single alternative needs to fit them all. */
  readonly isSpelledOut: boolean
  /** The first candidate is what the schema was before, so its gaps matter even if another one fits. */
  readonly isCounterpart: boolean
  /** The candidate that fits, as far as is known. -1 before the first has been looked at. */
  chosen: number
}

/** The rule of a pair that fits. */
export const noRule: Rule = { gaps: [], parts: [], choices: [] }

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

/**
 * Decides a pair, and returns whether it fits. Reads no more rules than it needs: of a choice, one candidate after the other;
 * of a pair that fails, no parts.
 *
 * @param ruleOf - reads what a pair consists of. It is called once per pair.
 */
export function decide(root: Pair, ruleOf: (pair: Pair) => Rule): boolean {
  if (root.rule !== undefined) return !root.fails
  const waiting = [root]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair.rule !== undefined || (pair !== root && pair.users.every(({ fails }) => fails)))
      continue
    pair.rule = ruleOf(pair)
    const { gaps, parts } = pair.rule
    // A constant that differs decides a pair, whatever the other parts lead to. What is last is read first.
    if (gaps.length === 0)
      for (const isScalar of [false, true])
        for (const part of parts) if (isScalarPair(part.pair) === isScalar) need(part.pair, pair)
    if (pair.rule.gaps.length > 0 || !fits(pair)) fail(pair)
  }
  return !root.fails

  function need(part: Pair, user: Pair): void {
    part.users.push(user)
    if (part.hasNote) note(user)
    if (part.rule === undefined) waiting.push(part)
  }

  /** Whether a pair fits, as far as is known. Moves on from the candidates that have failed. */
  function fits(pair: Pair): boolean {
    const { parts, choices } = pair.rule!
    return (
      !parts.some((part) => part.pair.fails) &&
      choices.every((choice) => {
        const { candidates, chosen } = choice
        while (candidates[choice.chosen]?.fails !== false && choice.chosen < candidates.length)
          choice.chosen++
        const next = candidates[choice.chosen]
        if (next !== undefined && choice.chosen !== chosen) need(next, pair)
        if (choice.isCounterpart && choice.chosen > 0) note(pair)
        return next !== undefined
      })
    )
  }

  function note(noted: Pair): void {
    const all = [noted]
    for (let pair = all.pop(); pair !== undefined; pair = all.pop()) {
      if (!pair.hasNote) all.push(...pair.users)
      pair.hasNote = true
    }
  }

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
