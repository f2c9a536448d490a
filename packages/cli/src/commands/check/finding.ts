import type { DiffFinding } from '@hv/openapi-diff'

/** What `check` reports. The fields are those that `check --json` prints. */
export interface Finding {
  /** Stable: `shadowed-route`, `changed-route`. */
  readonly code: string
  readonly message: string
  /** An error makes the check fail; a warning only does with `--fail-on warnings`. */
  readonly level: 'error' | 'warning'
  readonly file?: string
  readonly line?: number | undefined
  /** The operation whose document changed: `GET /users/{id}`. */
  readonly operation?: string
  /** What the change has in common with other operations' changes: a component, say. */
  readonly cause?: string
  readonly direction?: 'request' | 'response'
  /** A JSON Pointer into the released document. */
  readonly pointer?: string
  readonly remedy?: string
}

type More = Omit<Partial<Finding>, 'code' | 'message' | 'level'>

export const error = (code: string, message: string): Finding => ({ code, message, level: 'error' })

export const warning = (code: string, message: string, more: More = {}): Finding => ({
  code,
  message,
  level: 'warning',
  ...more,
})

/** A difference between two documents. Its message starts with `place`: `version 1: `. */
export function documentFinding(difference: DiffFinding, place = ''): Finding {
  const { severity, code, message, cause, operation, direction, pointer, remedy } = difference
  const where = { operation, direction, pointer, cause: place + cause }
  return { code, message: `${place}${operation}: ${message}`, level: severity, ...where, remedy }
}
