import type { DiffFinding } from '@hv/openapi-diff'
import { groupBy } from '../../group-by.ts'
import { type Io, count, listed, print } from '../../output.ts'

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

export const error = (code: string, message: string): Finding => ({ code, message, level: 'error' })

export const warning = (code: string, message: string): Finding => ({
  code,
  message,
  level: 'warning',
})

/** A difference between two documents. Its message starts with `place`: `version 1: `. */
export function documentFinding(difference: DiffFinding, place = ''): Finding {
  const { severity, code, message, cause, operation, direction, pointer, remedy } = difference
  const where = { operation, direction, pointer, cause: place + cause }
  return { code, message: `${place}${operation}: ${message}`, level: severity, ...where, remedy }
}

/** The findings with one cause. A changed component can be part of hundreds of operations. */
export interface FindingGroup extends Pick<Finding, 'code' | 'level'> {
  readonly remedy: string | undefined
  /** `User/role may be null, in 3 operations: GET /users, GET /me, GET /team` */
  readonly text: string
}

/** Groups findings by cause, errors first. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const causes = groupBy(findings, (finding): unknown => {
    const { code, direction, cause, level } = finding
    return cause === undefined ? finding : [code, direction, cause, level].join('\n')
  })
  const groups = [...causes.values()].map((group): FindingGroup => {
    const [{ code, level, remedy, message, cause }] = group
    if (group.length === 1) return { code, level, remedy, text: message }
    const operations = [...new Set(group.map(({ operation }) => operation!))]
    const inOperations = `in ${count(operations.length, 'operation')}: ${listed(operations)}`
    return { code, level, remedy, text: `${cause}, ${inOperations}` }
  })
  return groups.toSorted((a, b) => a.level.localeCompare(b.level))
}

/** Prints a line for each cause: `error    lost-route  released version 1 has lost GET /users`. */
export function printGroups(io: Io, groups: readonly FindingGroup[]): void {
  for (const { code, level, text } of groups) {
    const style = level === 'error' ? 'red' : 'yellow'
    print(io, { style, text: level.padEnd(7), rest: `  ${code}  ${text}` })
  }
}
