import { groupBy } from '../../group-by.ts'
import { type Io, count, listed, print } from '../../output.ts'
import type { Finding } from './finding.ts'

/** The findings with one cause. A changed component can be part of hundreds of operations. */
export type Group = readonly [Finding, ...Finding[]]

/** Groups findings by cause, errors first. */
export function groupFindings(findings: readonly Finding[]): readonly Group[] {
  const causeOf = (finding: Finding): unknown => {
    const { code, direction, cause, level } = finding
    return cause === undefined ? finding : [code, direction, cause, level].join('\n')
  }
  const groups = [...groupBy(findings, causeOf).values()]
  return groups.toSorted(([a], [b]) => a.level.localeCompare(b.level))
}

/** Prints a line for each cause: `error    lost-route  released version 1 has lost GET /users`. */
export function printFindings(io: Io, groups: readonly Group[]): void {
  for (const group of groups) {
    const [{ code, level }] = group
    const style = level === 'error' ? 'red' : 'yellow'
    print(io, { style, text: level.padEnd(7), rest: `  ${code}  ${textOf(group)}` })
  }
}

/** `User/role may be null, in 3 operations: GET /users, GET /me, GET /team` */
export function textOf([first, ...rest]: Group): string {
  if (rest.length === 0) return first.message
  const operations = [...new Set([first, ...rest].flatMap(({ operation }) => operation ?? []))]
  return `${first.cause}, in ${count(operations.length, 'operation')}: ${listed(operations)}`
}
