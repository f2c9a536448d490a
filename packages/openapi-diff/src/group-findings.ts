import type { ContractFinding } from './report.ts'

/** The findings that one cause has, such as a changed component, in any number of operations. */
export interface FindingGroup extends Pick<ContractFinding, 'cause' | 'code' | 'severity'> {
  /** The operations that it is found in, each once. */
  readonly operations: readonly string[]
  readonly findings: readonly ContractFinding[]
}

/**
 * Groups findings by their cause, errors first.
 *
 * @example groupFindings(compareDocuments(released, current)).map(({ cause, operations }) => `${cause} (${operations.length})`)
 */
export function groupFindings(findings: readonly ContractFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, ContractFinding[]>()
  for (const finding of findings) {
    const key = [finding.severity, finding.code, finding.direction, finding.cause].join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  return [...groups.values()]
    .map((group): FindingGroup => {
      const { cause, code, severity } = group[0]!
      return {
        cause,
        code,
        severity,
        operations: [...new Set(group.map(({ operation }) => operation))],
        findings: group,
      }
    })
    .toSorted((a, b) => a.severity.localeCompare(b.severity))
}
