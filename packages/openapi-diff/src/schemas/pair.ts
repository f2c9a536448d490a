// What a comparison of schemas consists of: pairs, and what each of them depends on.
import type { Budget } from '../budget.ts'
import type { Json } from '../json.ts'
import type { Direction, Gap } from './gap.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './reader.ts'

/**
 * A pair of schemas. It fits if it has no gaps itself, all of its parts fit, and one candidate of
 * its choice fits. Parts that lead back to the pair are assumed to fit, so the result is the
 * largest set of pairs without a contradiction.
 */
export interface Pair {
  /** The schema of the side that sends, and that of the side that reads. */
  readonly sent: unknown
  readonly read: unknown
  /** It only matters if a different one, which is reported anyway, doesn't fit. */
  readonly isDetour: boolean
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

export const createPair = (sent: unknown, read: unknown, isDetour = false): Pair => ({
  sent,
  read,
  isDetour,
  rule: undefined,
  fails: false,
  hasNote: false,
  users: [],
})

export interface Rule {
  readonly gaps: readonly Gap[]
  readonly parts: readonly Part[]
  readonly choice?: Choice
}

/** The rule of a pair that fits in any case. */
export const noRule: Rule = { gaps: [], parts: [] }

export const ruleWith = (gap: Gap): Rule => ({ gaps: [gap], parts: [] })

/** The rule of what fits if a different pair does. */
export const ruleAs = (pair: Pair): Rule => ({ gaps: [], parts: [{ at: '', pair }] })

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
  /** Says why none of them fits: by a gap, or the part that should have fitted. */
  readonly explain: () => Rule
  /** The first candidate that hasn't failed yet. -1 before any has been looked at. */
  chosen: number
}

/** A union of the side that reads, as all pairs with it see it. */
export interface Union {
  /** Those that a value can fit. */
  readonly alternatives: readonly Alternative[]
  readonly types: readonly string[]
  /**
   * The properties that tell alternatives apart: a discriminator's, and those with one value in at
   * least two of them.
   */
  readonly tags: readonly string[]
}

export interface Alternative {
  readonly schema: unknown
  /** The alternative with what's beside the union, which holds for all of them. */
  readonly whole: unknown
  /** The same, normalized. */
  readonly shape: Json
}

/** The two sides of a comparison, as all of its pairs see them. */
export interface Sides {
  readonly direction: Direction
  readonly readSent: Reader
  readonly readRead: Reader
  /** Null for a schema that isn't a union. */
  readonly readUnion: (read: Json) => Union | null
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
  readonly pairOf: (sent: unknown, read: unknown, isDetour?: boolean) => Pair
}
