import { type Io, columns, count, paint, print, printJson } from '../../output.ts'
import { listRows } from '../../route-file/list-rows.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { loadContracts } from '../../project/documents.ts'
import { documentFinding } from '../check/finding.ts'
import { groupsOf, printFindings } from '../check/report.ts'
import * as cli from '../define.ts'
import { type Contract, compareContracts, contractMarkdown } from './contract.ts'
import { type Example, changesBetween, examplesOf, examplesMarkdown } from './examples.ts'
import { type ComparedRoute, type Comparison, compareVersions } from './compare.ts'

const declare = (command: cli.Command) =>
  command
    .argument('<from>', 'a version', cli.parseVersion)
    .argument('<to>', 'a version', cli.parseVersion)
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--guide', 'print an upgrade guide for clients, as Markdown')
    .option('--markdown', 'print Markdown for a changelog')
    .option(...cli.jsonOption)

export const define: cli.Define = (command, run) =>
  declare(command).action((from, to, options) => run((io) => diff(io, from, to, options)))

/** Prints what a client that moves from one version to another finds added, gone and changed. */
async function diff(io: Io, from: number, to: number, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { routeFile, controllers } = await cli.openProject(io, options)
  cli.assertDeclared(routeFile, [from, to])
  cli.reportRouteFile(io, routeFile, options)
  const compared = compareVersions(listRows(routeFile, controllers), from, to)

  const contracts = options.documents === undefined ? null : await loadContracts(io, options.documents)
  const contract =
    contracts && compareContracts(io, contracts.documents, from, to, { openEnums: options.openEnums === true })
  const changes = contracts && changesBetween(contracts.changes, from, to)
  const examples = contracts && examplesOf(contracts.recordings, from, to)

  if (options.json === true)
    printJson(io, { from, to, ...compared, ...(contracts && { changes, contract: contract!.findings, examples }) })
  else if (options.guide === true)
    print(io, ...guide(routeFile, from, to, compared, contract, changes ?? [], examples ?? []))
  else if (options.markdown === true) print(io, ...markdown(from, to, compared))
  else {
    printText(io, from, to, compared)
    for (const about of changes ?? []) print(io, `change  ${about}`)
    const findings = contract?.findings.map((finding) => documentFinding(finding)) ?? []
    printFindings(io, groupsOf(findings.toSorted((a, b) => a.level.localeCompare(b.level))))
    const derived = compared.derived.length
    if (contracts === null && derived > 0)
      print(
        io,
        `Version ${Math.min(from, to)} derives ${count(derived, 'action')} from a later version by changes, so requests and responses may differ. ` +
          'Pass the documents to see how: --documents <module>',
      )
    if (controllers === null)
      print(
        io,
        'No controllers folder found, so overridden actions are not detected. Pass it with --controllers <folder>.',
      )
  }
  return 0
}

function printText(io: Io, from: number, to: number, { added, gone, overridden }: Comparison): void {
  const section = (mark: string, color: 'green' | 'red' | 'yellow', routes: readonly ComparedRoute[]) => {
    for (const line of columns(routes.map((route) => [mark, route.method, route.pattern, noteOf(route)])))
      print(io, paint(io.out, color, line))
  }
  section('+', 'green', added)
  section('-', 'red', gone)
  section('~', 'yellow', overridden)
  const counted = `${count(added.length, 'route')} added, ${gone.length} gone, ${overridden.length} overridden`
  print(io, `${counted} from version ${from} to ${to}.`)
  if (overridden.length > 0)
    print(
      io,
      'Other inherited actions can differ too, where they call a method that is overridden: --documents <module> shows it.',
    )
}

/** What a client does to move to a later version. */
function guide(
  { settings }: RouteFile,
  from: number,
  to: number,
  compared: Comparison,
  contract: Contract | null,
  about: readonly string[],
  examples: readonly Example[],
): readonly string[] {
  const [title, ...routes] = markdown(from, to, compared)
  const rest = [
    ...(about.length === 0 ? [] : ['', '### Changes', '', ...about.map((line) => `- ${line}`)]),
    ...(compared.added.length + compared.gone.length + compared.overridden.length === 0 ? [] : routes),
    ...(contract === null ? [] : contractMarkdown(contract)),
    ...examplesMarkdown(examples, from, to),
  ]
  return [
    title!,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(rest.length === 0 ? ['', 'No changes.'] : rest),
  ]
}

function markdown(from: number, to: number, { added, gone, overridden }: Comparison): readonly string[] {
  const section = (title: string, routes: readonly ComparedRoute[]): readonly string[] =>
    routes.length === 0
      ? []
      : ['', `### ${title}`, '', ...routes.map((route) => `- \`${route.method} ${route.pattern}\` (${noteOf(route)})`)]
  const all = [...section('Added', added), ...section('Removed', gone), ...section('Changed', overridden)]
  return [`## From version ${from} to ${to}`, ...(all.length === 0 ? ['', 'No changes.'] : all)]
}

function noteOf({ target, was, changedIn }: ComparedRoute): string {
  if (was === undefined) return target
  return was === target ? `${target}, changed in version ${changedIn}` : `${target}, was ${was}`
}
