/** A reason why a value that's sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value. `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** The comparison can't decide whether it breaks clients. */
  readonly isUnclear: boolean
  /**
   * What programs tell apart: only the default differs, an enum has another value, a property is gone, one that has to be there
   * is missing, or numbers are stored in a larger format.
   */
  readonly kind?: 'default' | 'new-value' | 'gone' | 'missing' | 'format' | undefined
  /** It breaks few clients. */
  readonly isMinor?: boolean | undefined
  /** The reference that the gap is behind, and the path from there. Null outside of references. */
  readonly component?: Component | null | undefined
}

export interface Component {
  /** `#/components/schemas/User` */
  readonly ref: string
  /** `/name` */
  readonly at: string
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

const mostShown = 5

/** @example "a", "b", "c", "d", "e" and 145 more */
export function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, mostShown).map(brief).join(', ')
  return values.length > mostShown ? `${texts} and ${values.length - mostShown} more` : texts
}
