import type { DiffFinding } from '@hv/openapi-diff'
import { groupBy } from '../../group-by.ts'
import { type Io, abridged, count, printStep } from '../../output.ts'

/** What `check` reports. The fields are those that `check --json` prints. */
export interface Finding {
  /** A stable identifier, such as `shadowed-route`. */
  readonly code: string
  readonly message: string
  /** Errors make the check fail. Warnings only do so with `--fail-on warnings`. */
  readonly level: 'error' | 'warning'
  readonly file?: string
  readonly line?: number | undefined
  /** The operation whose document changed: `GET /users/{id}`. */
  readonly operation?: string
  /** The change behind the finding. Operations that share a changed component share the cause. */
  readonly cause?: string
  readonly direction?: 'request' | 'response'
  /** JSON Pointers into the released document and the current one. Null where it's new or gone. */
  readonly before?: string | null
  readonly after?: string | null
  readonly remedy?: string
}

const createFinding =
  (level: Finding['level']) =>
  (code: string, message: string): Finding => ({ code, message, level })

export const error = createFinding('error')
export const warning = createFinding('warning')

/**
 * Turns a difference between two documents into a finding. `place`, such as `version 1: `, starts
 * its message.
 */
export function documentFinding(difference: DiffFinding, place = ''): Finding {
  const { severity, code, operation, direction, before, after, remedy } = difference
  const message = `${place}${operation}: ${difference.message}`
  const cause = place + difference.cause
  return { code, message, level: severity, operation, direction, before, after, cause, remedy }
}

/**
 * The first of the findings with one cause. A changed component can be part of hundreds of
 * operations.
 */
export interface FindingGroup extends Finding {
  /** `User/role may be null, in 3 operations: GET /users, GET /me, GET /team` */
  readonly text: string
}

/** Groups findings by cause: errors first, and unclear changes last. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const causes = groupBy(findings, (finding): unknown => {
    const { code, direction, cause, level } = finding
    return cause === undefined ? finding : [code, direction, cause, level].join('\n')
  })
  const groups = [...causes.values()].map((group): FindingGroup => {
    const [finding] = group
    if (group.length === 1) return { ...finding, text: finding.message }
    const operations = [...new Set(group.map(({ operation }) => operation!))]
    const inOperations = `in ${count(operations.length, 'operation')}: ${abridged(operations)}`
    return { ...finding, text: `${finding.cause}, ${inOperations}` }
  })
  const rankOf = ({ code, level }: FindingGroup) => (code === 'unclear-change' ? 'z' : level)
  return groups.toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)))
}

/** Prints a line for each cause: `error    lost-route  released version 1 has lost GET /users`. */
export function printGroups(io: Io, groups: readonly FindingGroup[]): void {
  for (const { code, level, text } of groups) {
    const style = level === 'error' ? 'red' : 'yellow'
    printStep(io, style, level.padEnd(7), `${code}  ${text}`)
  }
}
