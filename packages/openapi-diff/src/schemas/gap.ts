// What a comparison of schemas consists of: gaps, pairs, what each pair depends on, and the words
// for it.
import type { Budget } from '../budget.ts'
import { type Json, abridged, decode, stepsOf } from '../json.ts'
import type { MeansTheSame } from './intern.ts'
import type { Reader } from './shape.ts'

/**
 * A client of the older document sends requests, which the newer API reads. For responses, it's the
 * other way round.
 */
export type Direction = 'request' | 'response'

/**
 * How values are written. In a `text`, such as a header, nothing but text exists, and in a `path`,
 * it's never empty. A `query` also repeats a name for each element of a list, so a list of one looks
 * like its element.
 */
export type Form = 'json' | 'text' | 'path' | 'query' | 'xml'

/** Two schemas to compare. */
export interface SchemaQuestion {
  readonly direction: Direction
  readonly form: Form
  /** The schemas of the older and the newer document. */
  readonly olderSchema: unknown
  readonly newerSchema: unknown
}

/** A reason why a value that's sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value. `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** Whether the comparison can't tell if it breaks clients. */
  readonly isUnclear: boolean
  /**
   * For programs: only the default differs, an enum has a new value, a property is gone, a required
   * property is missing, or numbers are stored in a larger format.
   */
  readonly kind?: 'default' | 'new-value' | 'gone' | 'missing' | 'format' | undefined
  /** Whether it breaks few clients. */
  readonly isMinor?: boolean
  /** Whether it's only worth reporting if nothing else is wrong with the value. */
  readonly isAside?: boolean
  /** The component that contains the gap. Null outside of components. */
  readonly component?: Component | null
}

export interface Component {
  /** `#/components/schemas/User` */
  readonly ref: string
  /** The gap with its place in the component: `User/name may be null` */
  readonly cause: string
}

/** A gap of the value itself. */
export const gap = (why: string, more: Partial<Omit<Gap, 'why'>> = {}): Gap => ({
  at: '',
  why,
  isUnclear: false,
  ...more,
})

/** A difference that may or may not break clients. */
export const unclear = (why: string): Gap => gap(why, { isUnclear: true })

// ---- pairs --------------------------------------------------------------------------------------

/**
 * A pair of schemas. It fits if it has no gaps itself, all of its parts fit, and one candidate of
 * its choice fits. A recursive pair is assumed to fit until something contradicts that, so the
 * result is the largest set of fitting pairs (a greatest fixed point).
 */
export interface Pair {
  /** The schema of the side that sends, and that of the side that reads. */
  readonly sent: unknown
  readonly read: unknown
  /**
   * Whether the sent schema is an alternative of a union, which has already been checked for values
   * that match several alternatives of the read `oneOf`.
   */
  readonly isExclusive: boolean
  /** Whether it's only tried because a different pair, which is reported anyway, doesn't fit. */
  readonly isDetour: boolean
  /** What the pair consists of. Undefined until it's decided. */
  rule: Rule | undefined
  /** Whether it doesn't fit. False until it's decided. */
  fails: boolean
  /**
   * Whether it fits, but it or one of its parts has something to report: a minor gap, or a
   * candidate that isn't the counterpart.
   */
  hasNote: boolean
  /** The pairs that have it as a part or a candidate. */
  readonly users: Pair[]
}

export interface Rule {
  readonly gaps: Gap[]
  readonly parts: Part[]
  choice?: Choice
}

/** What a rule consists of, one by one. */
export type Item = Gap | Part | Choice

/**
 * A pair inside another one, and where its values are: `/name`, `/*`, or '' for the same values.
 */
export interface Part {
  readonly at: string
  readonly pair: Pair
  /** Whether it's an alternative of a union that's compared with a schema that isn't one. */
  readonly isAlternative?: boolean
}

export const part = (pair: Pair, at = ''): Part => ({ at, pair })

/** Pairs of which one has to fit. */
export interface Choice {
  /** The best first. */
  readonly candidates: readonly Pair[]
  /**
   * Whether the first candidate is the schema's counterpart in the other document. If so, its gaps
   * matter even if a different candidate fits.
   */
  readonly isCounterpart: boolean
  /**
   * Explains why none of them fits: with a gap, or with the pairs of which one should have fitted.
   */
  readonly explain: () => Gap | readonly Pair[]
  /** The first candidate that hasn't failed yet. -1 before any has been looked at. */
  chosen: number
}

/** A union of the side that reads. All pairs with it share this. */
export interface Union {
  /** The alternatives that a value can fit. */
  readonly alternatives: readonly Alternative[]
  /** The types of all alternatives, as a schema. */
  readonly shape: Json
  /**
   * The properties that tell alternatives apart: the discriminator's, and each that's a constant in
   * at least two of them.
   */
  readonly tags: readonly string[]
  /** Whether it's a `oneOf`, which rejects what matches several alternatives. */
  readonly isExclusive: boolean
}

export interface Alternative {
  readonly schema: unknown
  /** The alternative, joined with the union's sibling keywords, which apply to all alternatives. */
  readonly whole: unknown
  /** The same, normalized. */
  readonly shape: Json
}

/** The two sides of a comparison. All of its pairs share this. */
export interface Sides {
  /** Whether clients send it. If not, the API does. */
  readonly isRequest: boolean
  /** Whether all values are sent as text. */
  readonly form: Form
  readonly readSent: Reader
  readonly readRead: Reader
  /** A side's schema as a union. Null for a schema that isn't one. */
  readonly unionIn: (reader: Reader) => (schema: Json) => Union | null
  readonly meansTheSame: MeansTheSame
  readonly budget: Budget
  /** Whether every value of a read schema is also one of a sent schema. */
  readonly isWithin: (read: unknown, sent: unknown) => boolean
  readonly pairOf: (sent: unknown, read: unknown, isDetour?: boolean, isExclusive?: boolean) => Pair
}

/** Clients don't send what's read-only, and the API doesn't send what's write-only. */
export const hiddenIn = ({ isRequest }: Sides): string => (isRequest ? 'readOnly' : 'writeOnly')

// ---- words --------------------------------------------------------------------------------------

/** A value's start, which is enough to see what's different. */
export const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * What something was in the older document, and what it is in the newer one.
 *
 * @example was the format int64, and is int32
 */
export const became = (isRequest: boolean, sent: string, read: string): string =>
  isRequest ? `was ${sent}, and is ${read}` : `was ${read}, and is ${sent}`

/** @example may be Team, which is new */
export const newAlternative = (ref: string, isRequest: boolean): string =>
  isRequest ? `may no longer be ${nameOf(ref)}` : `may be ${nameOf(ref)}, which is new`

/** @example "a", "b", "c", "d", "e" and 145 more */
export const shown = (values: readonly unknown[]): string => abridged(values, 5, brief)

/** A reference's name for readers: its last component or property, or else its operation. */
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
