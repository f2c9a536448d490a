// Decides which pairs of schemas fit: each pair once, recursive ones included.
import type { Gap, Pair, Rule } from './gap.ts'

/** Whether a gap keeps values from fitting. One about a default or an optional field doesn't. */
export const isMajor = ({ isMinor }: Gap): boolean => isMinor !== true

/**
 * Decides a pair, and returns whether it fits. It's lazy: it tries a choice's candidates one after
 * the other, and doesn't read the parts of a pair that has gaps.
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
    const isRefused = gaps.some(isMajor)
    if (!isRefused) for (const part of parts) need(part.pair, pair)
    if (isRefused || !fits(pair)) fail(pair)
    else if (gaps.length > 0) note(pair)
  }
  return !root.fails

  function need(part: Pair, user: Pair) {
    part.users.push(user)
    if (part.hasNote) note(user)
    if (part.rule === undefined) waiting.push(part)
  }

  /** Whether a pair fits, as far as it's decided. Moves on from candidates that have failed. */
  function fits(pair: Pair) {
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
  function note(noted: Pair) {
    const open = [noted]
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      if (!pair.hasNote) for (const user of pair.users) open.push(user)
      pair.hasNote = true
    }
  }

  /** Marks a pair as failed, and everything that can't fit without it. */
  function fail(failing: Pair) {
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
