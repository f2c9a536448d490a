import type { ContractFinding } from './report.ts'

/** The findings that one cause has, such as a changed component, in any number of operations. */
export interface FindingGroup extends Pick<ContractFinding, 'cause' | 'code' | 'severity'> {
  /** How many operations it is found in. */
  readonly operations: number
  readonly first: ContractFinding
}

/**
 * Groups findings by their cause, errors first.
 *
 * @example groupFindings(compareDocuments(released, current)).map(({ cause, operations }) => `${cause} (${operations})`)
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
      const first = group[0]!
      const { cause, code, severity } = first
      return { cause, code, severity, operations: new Set(group.map(({ operation }) => operation)).size, first }
    })
    .toSorted((a, b) => a.severity.localeCompare(b.severity))
}
