import { groupBy } from '../../group-by.ts'
import { type Io, count, inOperations, paint, print, printJson } from '../../output.ts'
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
  const [errors, warnings] = [ofLevel('error').length, ofLevel('warning').length]
  const code = errors > 0 || (failOnWarnings === true && warnings > 0) ? 1 : 0
  if (json === true) {
    printJson(io, findings)
    return code
  }
  for (const group of groups) {
    const [{ code: name, level, fingerprint, accepted }] = group
    const end = fingerprint === undefined ? '' : paint(io.out, 'dim', `  [${fingerprint}]`)
    if (accepted === undefined)
      print(io, `${paint(io.out, level === 'error' ? 'red' : 'yellow', name)}  ${textOf(group)}${end}`)
  }
  const warned = warnings === 0 ? '' : count(warnings, 'warning')
  const total = errors === 0 ? `${warned || 'No findings'}: ${counted}.` : `${count(errors, 'finding')}.`
  const isAcceptable = groups.some(([{ level, fingerprint }]) => level === 'error' && fingerprint !== undefined)
  const hint = isAcceptable ? ['To accept one: --accept <fingerprint> --reason <why>.'] : []
  print(io, [total, ...uncounted(findings), ...hint].join(' '))
  return code
}

export type Group = readonly [Finding, ...Finding[]]

/** Findings by cause: a changed component can be found in hundreds of operations. */
export const groupsOf = (findings: readonly Finding[]): readonly Group[] => {
  const groups = groupBy(findings, (finding) =>
    finding.fingerprint === undefined ? finding : `${finding.fingerprint} ${finding.level}`,
  )
  return [...groups.values()]
}

/** The message of the findings with one cause. */
export function textOf([first, ...rest]: Group): string {
  if (rest.length === 0) return first.message
  const operations = [...new Set([first, ...rest].flatMap(({ operation }) => operation ?? []))]
  return inOperations(first.cause ?? first.message, operations)
}

/** What the last line says of findings that don't count. */
function uncounted(findings: readonly Finding[]): readonly string[] {
  const accepted = groupsOf(findings.filter((one) => one.accepted !== undefined)).length
  const notes = findings.filter((one) => one.level === 'note' && one.accepted === undefined)
  const actions = notes.flatMap((note) => note.actions ?? []).length
  const constraints = notes.filter((note) => note.actions === undefined).length
  const unseen = [
    ...(actions > 0 ? [count(actions, 'action')] : []),
    ...(constraints > 0 ? [count(constraints, 'constraint')] : []),
  ]
  return [
    ...(unseen.length > 0 ? [`${unseen.join(' and ')} not checked.`] : []),
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted.`] : []),
  ]
}
