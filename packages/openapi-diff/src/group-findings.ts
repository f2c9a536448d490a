import type { DiffFinding } from './finding.ts'
import { groupBy } from './json.ts'

/** The findings of one cause, such as a changed component, in any number of operations. */
export interface FindingGroup extends Pick<DiffFinding, 'cause' | 'code' | 'severity'> {
  /** The operations that have the cause, each once. */
  readonly operations: readonly string[]
  readonly findings: readonly DiffFinding[]
}

export const levels = ['error', 'warning', 'unclear'] as const

/** What a group counts as when it's printed. */
export const levelOf = ({ findings, severity }: FindingGroup): (typeof levels)[number] =>
  findings[0]!.unclear === true ? 'unclear' : severity

/**
 * Groups findings by their cause, errors first and unclear ones last.
 *
 * @example groupFindings(compareDocuments(before, after)).map(({ cause, operations }) => `${cause} (${operations.length})`)
 */
export function groupFindings(findings: readonly DiffFinding[]): readonly FindingGroup[] {
  const groups = groupBy(findings, ({ severity, code, direction, component = '', cause }) =>
    [severity, code, direction, component, cause].join(' '),
  )
  const result: FindingGroup[] = []
  for (const group of groups.values()) {
    const { cause, code, severity } = group[0]
    const operations = new Set(group.map(({ operation }) => operation))
    result.push({ cause, code, severity, operations: [...operations], findings: group })
  }
  return levels.flatMap((level) => result.filter((group) => levelOf(group) === level))
}
