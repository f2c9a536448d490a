import type { Budget } from '../budget.ts'
import type { Json } from '../json.ts'
import { collectGaps } from './collect.ts'
import { type Gap, type Pair, type Rule, type SchemaQuestion, type Sides, unclear } from './gap.ts'
import { createHomes } from './home.ts'
import { type Intern, type MeansTheSame, memoized } from './intern.ts'
import { lookAt, withoutAsides } from './look.ts'
import { normalize } from './normalize.ts'
import { itemsOf } from './rules.ts'
import type { Reader } from './shape.ts'
import { decide } from './solve.ts'
import { sendable } from './text.ts'
import { readUnion } from './unions.ts'

/** A comparison's documents, interned, and what requests and responses share. */
export interface Documents {
  readonly older: Json
  readonly newer: Json
  readonly intern: Intern
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
}

/**
 * Finds out for each pair of schemas whether every value that the sender's schema allows can be
 * read with the receiver's schema. It compares each pair of schemas once, however many others lead
 * to it, and skips what means the same in both.
 *
 * @param questions - all of one direction and form
 * @returns for each question, the reasons why a value may not be readable
 */
export function findGaps<Asked extends SchemaQuestion>(
  questions: readonly [Asked, ...Asked[]],
  { older, newer, intern, meansTheSame, budget }: Documents,
): ReadonlyMap<Asked, readonly Gap[]> {
  const [{ direction, form }] = questions
  const isRequest = direction === 'request'
  // If an alternative has changed, any other may have taken its place, so every pair of components
  // might have to be compared. So there's a limit on these detours.
  let [detours, isInDetour] = [0, false]
  const [readOlder, readNewer] = [readerOf(older), readerOf(newer)]
  const [readSent, readRead] = isRequest ? [readOlder, readNewer] : [readNewer, readOlder]
  // Each union may be compared with many others.
  const unionIn = memoized((reader: Reader) =>
    memoized((schema: Json) => readUnion(schema, reader, intern)),
  )
  const backwards = sidesOf(true, readRead, readSent, () => false)
  const sides = sidesOf(isRequest, readSent, readRead, (inner, outer) =>
    isFit(backwards.pairOf(inner, outer, true), backwards),
  )
  const look = memoized((pair: Pair) => lookAt(pair, (part) => isFit(part, sides), isRequest))
  const roots = new Map<Asked, Pair>()
  for (const question of questions) {
    const { olderSchema, newerSchema } = question
    const root = isRequest ? [olderSchema, newerSchema] : [newerSchema, olderSchema]
    roots.set(question, sides.pairOf(root[0], root[1]))
  }
  const homeOf = createHomes(older, newer, isRequest, meansTheSame)
  const lookAround = memoized((pair: Pair) => withoutAsides(look(pair), look))
  const gaps = collectGaps(new Set(roots.values()), lookAround, homeOf, budget)
  return new Map(Array.from(roots, ([question, root]) => [question, gaps.get(root)!]))

  function readerOf(document: Json) {
    return memoized((schema) => intern(sendable(normalize(document, schema), form)))
  }

  /** The sides with the pairs of their schemas, each of which exists once. */
  function sidesOf(
    isFromClient: boolean,
    sender: Reader,
    reader: Reader,
    isWithin: Sides['isWithin'],
  ) {
    return {
      isRequest: isFromClient,
      form,
      readSent: sender,
      readRead: reader,
      unionIn,
      meansTheSame,
      budget,
      isWithin,
      pairOf: createPairs(intern, () => isInDetour),
    }
  }

  function isFit(root: Pair, of: Sides) {
    return decide(root, (pair) => ruleOf(pair, of))
  }

  function ruleOf(pair: Pair, of: Sides) {
    const rule: Rule = { gaps: [], parts: [] }
    const { isDetour } = pair
    if (pair.sent === pair.read && meansTheSame(pair.sent)) return rule
    if (isDetour && detours++ > 1000 + 10 * questions.length) {
      rule.gaps.push(unclear('is too large to compare'))
      return rule
    }
    const wasInDetour = isInDetour
    isInDetour = isDetour
    for (const item of itemsOf(pair, of))
      if ('why' in item)
        // A value that may not match a pattern isn't surely one of a sent schema.
        rule.gaps.push(of === backwards && item.isUnclear ? { ...item, isMinor: false } : item)
      else if ('pair' in item) rule.parts.push(item)
      else rule.choice = item
    isInDetour = wasInDetour
    const size = (rule.parts.length + (rule.choice?.candidates.length ?? 0)) / 16
    // A pair costs more than any other unit.
    budget.spend(12 + size)
    if (isDetour) detours += size
    return rule
  }
}

/**
 * Creates the function that finds the pair of two schemas. Each pair exists once.
 *
 * @param isInDetour - whether what's being read is a detour, so that its parts are detours as well
 */
function createPairs(intern: Intern, isInDetour: () => boolean): Sides['pairOf'] {
  const all = [false, true].map(() => new Map<unknown, Map<unknown, Pair>>())
  return (sentSchema, readSchema, isDetour = false, isExclusive = false) => {
    const pairs = all[Number(isExclusive)]!
    const sent = intern(sentSchema)
    const read = intern(readSchema)
    const bySent = pairs.get(sent) ?? new Map<unknown, Pair>()
    const pair = bySent.get(read) ?? {
      sent,
      read,
      isExclusive,
      isDetour: (isDetour || isInDetour()) && sent !== read,
      rule: undefined,
      fails: false,
      hasNote: false,
      users: [],
    }
    pairs.set(sent, bySent.set(read, pair))
    return pair
  }
}
