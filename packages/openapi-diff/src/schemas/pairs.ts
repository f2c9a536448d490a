import type { Json } from '../json.ts'
import type { Pair, Sides } from './gap.ts'
import { type Intern, memoized } from './intern.ts'
import { readUnion } from './unions.ts'

/**
 * Completes a comparison's sides with the pairs of their schemas, each of which exists once.
 *
 * @param isInDetour - whether what's being read is a detour, so that its parts are detours as well
 */
export function withPairs(
  given: Omit<Sides, 'pairOf' | 'readUnion'>,
  intern: Intern,
  isInDetour: () => boolean,
): Sides {
  const all = [false, true].map(() => new Map<unknown, Map<unknown, Pair>>())
  return {
    ...given,
    readUnion: memoized((schema: Json) => readUnion(schema, given.readRead)),
    pairOf(sentSchema, readSchema, isDetour = false, isExclusive = false) {
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
    },
  }
}
