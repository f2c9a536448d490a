import type { DiffFinding } from '@hv/openapi-diff'

/** What `check` reports. The fields are those that `check --json` prints. */
export interface Finding {
  /** Stable: `shadowed-route`, `changed-route`. */
  readonly code: string
  readonly message: string
  /** An error makes the check fail; a warning only with `--fail-on-warnings`. */
  readonly level: 'error' | 'warning' | 'note'
  readonly file?: string
  readonly line?: number
  /** Of a change in a document: `GET /users/{id}`. */
  readonly operation?: string
  /** What the change in a document has in common with those in other operations: a changed component, say. */
  readonly cause?: string
  readonly direction?: 'request' | 'response'
  /** JSON Pointer into the released document. */
  readonly pointer?: string
  readonly remedy?: string
  /** Of a difference from the lock file: what `--accept` takes. All findings of one cause share it. */
  readonly fingerprint?: string
  readonly accepted?: { readonly reason: string; readonly date: string }
}

const ofLevel =
  (level: Finding['level']) =>
  (code: string, message: string, more: Partial<Finding> = {}): Finding => ({
    code,
    message,
    level,
    ...more,
  })

export const error = ofLevel('error')
export const warning = ofLevel('warning')

/** A difference between two documents. `where` is what its message starts with: `version 1: `. */
export const documentFinding = (difference: DiffFinding, where = ''): Finding => {
  const { severity, code, message, cause, operation, direction, pointer, remedy } = difference
  return ofLevel(severity)(code, `${where}${operation}: ${message}`, {
    operation,
    direction,
    pointer,
    remedy,
    cause: where + cause,
  })
}
