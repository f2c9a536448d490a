import { groupBy } from '../../group-by.ts'
import { type Io, count, listed, paint, print, printJson } from '../../output.ts'
import type { Finding } from './finding.ts'

/** Prints the findings, a line for each cause, and what was `counted`: `12 routes, 2 controllers`. Returns the exit code. */
export function report(
  io: Io,
  { json, failOnWarnings }: { readonly json?: true; readonly failOnWarnings?: true },
  findings: readonly Finding[],
  counted: string,
): number {
  const groups = groupsOf(findings)
  const ofLevel = (level: Finding['level']) => groups.filter(([one]) => one.level === level)
  const [errors, warnings] = [ofLevel('error'), ofLevel('warning').length]
  const code = errors.length > 0 || (failOnWarnings === true && warnings > 0) ? 1 : 0
  if (json === true) {
    printJson(io, findings)
    return code
  }
  const accepted = groups.filter(([one]) => one.accepted !== undefined)
  printFindings(
    io,
    groups.filter((group) => !accepted.includes(group)),
  )
  const warned = warnings === 0 ? 'No findings' : count(warnings, 'warning')
  const last = [
    errors.length === 0 ? `${warned}: ${counted}.` : `${count(errors.length, 'finding')}.`,
    accepted.length > 0 && `${count(accepted.length, 'finding')} accepted.`,
    errors.some(([one]) => one.fingerprint !== undefined) &&
      'To accept one: --accept <fingerprint> --reason <why>.',
  ].filter(Boolean)
  print(io, last.join(' '))
  return code
}

export type Group = readonly [Finding, ...Finding[]]

/** Findings by cause: a changed component can be found in hundreds of operations. */
export const groupsOf = (findings: readonly Finding[]): readonly Group[] => {
  const causeOf = (finding: Finding): unknown => {
    const { code, direction, cause, level } = finding
    return cause === undefined ? finding : [code, direction, cause, level].join('\n')
  }
  return [...groupBy(findings, causeOf).values()]
}

/** Prints a line for each cause. */
export function printFindings(io: Io, groups: readonly Group[]): void {
  for (const group of groups) {
    const [{ code, level, fingerprint }] = group
    const end = fingerprint === undefined ? '' : paint(io.out, 'dim', `  [${fingerprint}]`)
    print(
      io,
      `${paint(io.out, level === 'error' ? 'red' : 'yellow', code)}  ${textOf(group)}${end}`,
    )
  }
}

/** The message of the findings with one cause: `User/role may be null, in 3 operations: GET /users, GET /me, GET /team`. */
export function textOf([first, ...rest]: Group): string {
  if (rest.length === 0) return first.message
  const operations = [...new Set([first, ...rest].flatMap(({ operation }) => operation ?? []))]
  return `${first.cause}, in ${count(operations.length, 'operation')}: ${listed(operations)}`
}
