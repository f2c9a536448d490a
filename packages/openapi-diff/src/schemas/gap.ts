// What a comparison of schemas consists of: gaps, pairs, what each pair depends on, and the words
// for it.
import type { Budget } from '../budget.ts'
import { type Json, decode, stepsOf } from '../json.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './shape.ts'

/**
 * A request is sent by clients of the older document and read by the newer API; a response the
 * other way round.
 */
export type Direction = 'request' | 'response'

/** A reason why a value that's sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value. `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** The comparison can't decide whether it breaks clients. */
  readonly isUnclear: boolean
  /**
   * What programs tell apart: only the default differs, an enum has another value, a property is
   * gone, one that has to be there is missing, or numbers are stored in a larger format.
   */
  readonly kind?: 'default' | 'new-value' | 'gone' | 'missing' | 'format' | undefined
  /** It breaks few clients. */
  readonly isMinor?: boolean | undefined
  /** The reference that the gap is behind. Null outside of references. */
  readonly component?: Component | null | undefined
}

export interface Component {
  /** `#/components/schemas/User` */
  readonly ref: string
  /** The gap at the place's name: `User/name may be null` */
  readonly cause: string
}

/** A gap of the value itself. */
export const gap = (why: string, more: Partial<Omit<Gap, 'why'>> = {}): Gap => ({
  at: '',
  why,
  isUnclear: false,
  ...more,
})

/** A difference that can't be judged. */
export const unclear = (why: string): Gap => gap(why, { isUnclear: true })

// ---- pairs --------------------------------------------------------------------------------------

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

export interface Rule {
  readonly gaps: readonly Gap[]
  readonly parts: readonly Part[]
  readonly choice?: Choice
}

/** The rule of a pair that fits in any case. */
export const noRule: Rule = { gaps: [], parts: [] }

export const ruleWith = (reason: Gap): Rule => ({ gaps: [reason], parts: [] })

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

// ---- words --------------------------------------------------------------------------------------

/** A value's start: enough of it to see what's different. */
export const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * What something was in the older document, and what it is in the newer one.
 *
 * @example was the format int64, and is int32
 */
export function became(direction: Direction, sent: string, read: string): string {
  const [was, is] = direction === 'request' ? [sent, read] : [read, sent]
  return `was ${was}, and is ${is}`
}

const mostShown = 5

/** @example "a", "b", "c", "d", "e" and 145 more */
export function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, mostShown).map(brief).join(', ')
  return values.length > mostShown ? `${texts} and ${values.length - mostShown} more` : texts
}

/** What a reference is called: by its last component or property, or else by its operation. */
export function nameOf(ref: string): string {
  const steps = stepsOf(decode(ref.slice(ref.indexOf('#') + 1)))
  const [root, first, second] = steps
  const property = steps.lastIndexOf('properties')
  if (property > 0 && property < steps.length - 1) return steps[property + 1]!
  if (root === 'components' && second !== undefined) return second
  if (root === 'paths' && second !== undefined) return `${second.toUpperCase()} ${first}`
  const last = steps.at(-1) ?? ref
  return root === 'x-files' && steps.length === 2 ? last.replace(/^.*\/|\.\w+$/g, '') : last
}
