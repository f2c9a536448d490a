/** What `check` reports. The fields are those that `check --json` prints. */
export interface Finding {
  /** Stable: `missing-controller`, `changed-route`, or the code of a RouterError. */
  readonly code: string
  readonly message: string
  /** Only an error makes the check fail. */
  readonly level: 'error' | 'warning' | 'note'
  /** The actions that a note is about: `users#index`. */
  readonly actions?: readonly string[]
  /** Relative to the working directory. */
  readonly file?: string
  readonly line?: number
  /** Of a change in a schema: whether requests or responses changed. */
  readonly direction?: 'request' | 'response'
  /** JSON Pointer into the released document. */
  readonly pointer?: string
  readonly remedy?: string
}

export const error = (code: string, message: string): Finding => ({ code, message, level: 'error' })
export const warning = (code: string, message: string): Finding => ({ code, message, level: 'warning' })
