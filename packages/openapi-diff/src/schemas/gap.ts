/** A reason why a value that's sent may not be read. */
export interface Gap {
  /** JSON Pointer into the value. `*` is any element or any other property. */
  readonly at: string
  readonly why: string
  /** False if the comparison can't decide. */
  readonly judged: boolean
  /**
   * What programs tell apart: only the default differs, an enum has one more value, a property is gone, or one that has to be
   * there isn't.
   */
  readonly kind?: 'default' | 'new-value' | 'gone' | 'missing' | undefined
  /** The component that the gap is in, and the path from there: `User/name`. Null outside of components. */
  readonly component?: string | null | undefined
}

/** A gap of the value itself. */
export const gap = (why: string, judged = true): Gap => ({ at: '', why, judged })

/** A value's start. It's long, because a cause that's cut off would hide the keyword's next change. */
export const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

export const shown = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ')
