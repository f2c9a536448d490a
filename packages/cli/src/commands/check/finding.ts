/** What `check` reports. The fields are those that `check --json` prints. */
export interface Finding {
  /** Stable: `missing-controller`, `changed-route`, or the code of a RouterError. */
  readonly code: string
  readonly message: string
  /** A note does not make the check fail. */
  readonly level: 'error' | 'note'
  /** The actions that a note is about: `users#index`. */
  readonly actions?: readonly string[]
  /** Relative to the working directory. */
  readonly file?: string
  readonly line?: number
}

export const error = (code: string, message: string): Finding => ({ code, message, level: 'error' })
