import { decode, stepsOf } from '../json.ts'

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

/**
 * Names the place of a gap that's behind a reference.
 *
 * @param now - what's there now instead of the component: ` (now Bot)`
 * @param gap - as it's seen from the reference's target
 */
export function componentAt(ref: string, now: string, { at, why }: Gap): Component {
  // The properties 0, 1, 2 of an object are a list to everybody but its schema.
  const path = at.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return { ref, cause: `${nameOf(ref)}${now}${path} ${why}` }
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
