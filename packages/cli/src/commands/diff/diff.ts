import { resolve } from 'node:path'
import type { ContractFinding } from '@hv/router-openapi'
import { type Io, UsageError, columns, count, paint, print, printJson } from '../../output.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { type RouteFile, versionNumbers } from '../../route-file/route-file.ts'
import { loadDocuments } from '../../project/documents.ts'
import { openProject, reportRouteFile } from '../context.ts'
import type { DiffOptions } from './command.ts'
import { compareContracts, contractMarkdown } from './contract.ts'
import { type Change, type Comparison, type Override, compareVersions } from './compare.ts'

/** Prints what a client that moves from one version to another finds added, gone and changed. */
export async function diff(io: Io, from: number, to: number, options: DiffOptions): Promise<number> {
  const { routeFile, controllers } = await openProject(io, options)
  const declared = versionNumbers(routeFile)
  for (const version of [from, to])
    if (!declared.includes(version))
      throw new UsageError(`there is no version ${version}. Declared: ${declared.join(', ')}.`)
  reportRouteFile(io, routeFile, options)
  const compared = compareVersions(listRows(routeFile, controllers), from, to)

  const contract =
    options.documents === undefined
      ? null
      : compareContracts(await loadDocuments(io, resolve(io.cwd, options.documents)), from, to)

  if (options.json === true) printJson(io, { from, to, ...compared, ...(contract && { contract }) })
  else if (options.guide === true) print(io, ...guide(routeFile, from, to, compared, contract))
  else if (options.markdown === true) print(io, ...markdown(from, to, compared))
  else {
    printText(io, from, to, compared)
    for (const { code, operation, message } of contract ?? [])
      print(io, `${paint(io.out, 'yellow', code)}  ${operation}: ${message}`)
    if (controllers === null)
      print(io, 'No controllers folder found: overridden actions are not seen. Name it with --controllers.')
  }
  return 0
}

function printText(io: Io, from: number, to: number, { added, gone, overridden }: Comparison): void {
  const section = (mark: string, colour: 'green' | 'red' | 'yellow', changes: readonly (Change | Override)[]) => {
    for (const line of columns(changes.map((change) => [mark, change.method, change.pattern, noteOf(change)])))
      print(io, paint(io.out, colour, line))
  }
  section('+', 'green', added)
  section('-', 'red', gone)
  section('~', 'yellow', overridden)
  const counted = `${count(added.length, 'route')} added, ${gone.length} gone, ${overridden.length} overridden`
  print(io, `${counted} from version ${from} to ${to}.`)
}

/** What a client does to move to a later version. */
function guide(
  { settings }: RouteFile,
  from: number,
  to: number,
  compared: Comparison,
  contract: readonly ContractFinding[] | null,
): readonly string[] {
  const [title, ...changes] = markdown(from, to, compared)
  const noChanges = contract !== null && contract.length > 0 && changes.includes('No changes.')
  return [
    title!,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(noChanges ? [] : changes),
    ...contractMarkdown(contract ?? []),
  ]
}

function markdown(from: number, to: number, { added, gone, overridden }: Comparison): readonly string[] {
  const section = (title: string, changes: readonly (Change | Override)[]): readonly string[] =>
    changes.length === 0
      ? []
      : [
          '',
          `### ${title}`,
          '',
          ...changes.map((change) => `- \`${change.method} ${change.pattern}\` (${noteOf(change)})`),
        ]
  const all = [...section('Added', added), ...section('Removed', gone), ...section('Changed', overridden)]
  return [`## From version ${from} to ${to}`, ...(all.length === 0 ? ['', 'No changes.'] : all)]
}

function noteOf(change: Change | Override): string {
  if (!('was' in change)) return change.target
  return change.was === change.target
    ? `${change.target}, changed in version ${change.changedIn}`
    : `${change.target}, was ${change.was}`
}
