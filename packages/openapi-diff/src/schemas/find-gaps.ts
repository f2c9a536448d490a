import type { Budget } from '../budget.ts'
import type { Json } from '../json.ts'
import { collectGaps } from './collect.ts'
import {
  type Direction,
  type Form,
  type Gap,
  type Pair,
  type Rule,
  type Sides,
  noRule,
  ruleWith,
  unclear,
} from './gap.ts'
import { createHomes } from './home.ts'
import { type Intern, type MeansTheSame, memoized } from './intern.ts'
import { lookAt } from './look.ts'
import { normalize } from './normalize.ts'
import { isText, withoutNull } from './text.ts'
import { withPairs } from './pairs.ts'
import { ruleOf } from './rules.ts'
import { decide } from './solve.ts'

/** A comparison's documents, interned, and what requests and responses share. */
export interface Documents {
  readonly older: Json
  readonly newer: Json
  readonly direction: Direction
  readonly form: Form
  readonly intern: Intern
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
}

/**
 * Finds out for each pair of schemas whether every value that the sender's schema allows can be
 * read with the receiver's schema. It compares each pair of schemas once, however many others lead
 * to it, and skips what means the same in both.
 *
 * @param questions - the older document's schemas, and the newer one's
 * @returns for each question, the reasons why a value may not be readable
 */
export function findGaps<
  Question extends { readonly olderSchema: unknown; readonly newerSchema: unknown },
>(
  questions: readonly Question[],
  { older, newer, direction, form, intern, meansTheSame, budget }: Documents,
): ReadonlyMap<Question, readonly Gap[]> {
  const [sent, read] = inOrder(older, newer)
  const normalizeIn = (document: Json, schema: unknown): Json =>
    isText(form) ? withoutNull(normalize(document, schema)) : normalize(document, schema)
  const readSent = memoized((schema: unknown) => intern(normalizeIn(sent, schema)))
  const readRead = memoized((schema: unknown) => intern(normalizeIn(read, schema)))
  // If an alternative has changed, any other may have taken its place, so every pair of components
  // might have to be compared. So there's a limit on these detours.
  let [detours, isInDetour] = [0, false]
  const shared = { direction, form, readSent, readRead, meansTheSame, budget }
  const inDetour = () => isInDetour
  const backwards = withPairs(
    {
      ...shared,
      direction: 'request',
      readSent: readRead,
      readRead: readSent,
      isWithin: () => false,
    },
    intern,
    inDetour,
  )
  const isWithin: Sides['isWithin'] = (inner, outer) =>
    isFit(backwards.pairOf(inner, outer, true), backwards)
  const sides = withPairs({ ...shared, isWithin }, intern, inDetour)
  const look = memoized((pair: Pair) => lookAt(pair, (part) => isFit(part, sides), direction))
  const roots = new Map(
    questions.map((question) => [
      question,
      sides.pairOf(...inOrder(question.olderSchema, question.newerSchema)),
    ]),
  )
  const gaps = collectGaps(
    new Set(roots.values()),
    look,
    createHomes(older, newer, direction, meansTheSame),
    budget,
  )
  return new Map([...roots].map(([question, root]) => [question, gaps.get(root)!]))

  /** Clients of the older document send requests, and the newer API reads them. */
  function inOrder<T>(before: T, after: T): readonly [sent: T, read: T] {
    return direction === 'request' ? [before, after] : [after, before]
  }

  function isFit(root: Pair, of: Sides): boolean {
    return decide(root, (pair) => boundedRuleOf(pair, of))
  }

  function boundedRuleOf(pair: Pair, of: Sides): Rule {
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return noRule
    const { isDetour } = pair
    if (isDetour && detours++ > 1000 + 10 * questions.length)
      return ruleWith(unclear('is too large to compare'))
    const wasInDetour = isInDetour
    isInDetour = isDetour
    const rule = ruleOf(pair, of)
    isInDetour = wasInDetour
    const size = (rule.parts.length + (rule.choice?.candidates.length ?? 0)) / 16
    // A pair costs more than any other unit.
    budget.spend(12 + size)
    if (isDetour) detours += size
    return rule
  }
}
