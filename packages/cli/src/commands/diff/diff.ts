import { type Io, columns, count, paint, print, printJson } from '../../output.ts'
import { groupBy } from '../../group-by.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { loadContracts } from '../../project/documents.ts'
import { documentFinding } from '../check/finding.ts'
import { groupsOf, printFindings } from '../check/report.ts'
import * as cli from '../define.ts'
import { compareContracts } from './contract.ts'
import { guide, sections } from './guide.ts'
import { type Comparison, compareVersions, noteOf } from './compare.ts'

const declare = (command: cli.Command) =>
  command
    .argument('<from>', 'a version', cli.parseVersion)
    .argument('<to>', 'a version', cli.parseVersion)
    .option(...cli.routesOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--guide', 'print an upgrade guide for clients, as Markdown')
    .option(...cli.jsonOption)

export const define: cli.Define = (command, run) =>
  declare(command).action((from, to, options) => run((io) => diff(io, from, to, options)))

/** Prints what a client that moves from one version to another finds added, gone and changed. */
async function diff(
  io: Io,
  from: number,
  to: number,
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  const { routeFile } = await loadRouteFile(io, options.routes)
  cli.assertDeclared(routeFile, [from, to])
  cli.reportRouteFile(io, routeFile, options)
  const compared = compareVersions(listRows(routeFile), from, to)
  const contracts =
    options.documents === undefined ? null : await loadContracts(io, options.documents)
  const contract =
    contracts &&
    compareContracts(io, contracts, from, to, { openEnums: options.openEnums === true })
  const { changes, examples, findings = [] } = contract ?? {}

  if (options.json === true)
    printJson(io, {
      from,
      to,
      ...compared,
      ...(contract && { changes, contract: findings, examples }),
    })
  else if (options.guide === true) print(io, ...guide(routeFile, from, to, compared, contract))
  else {
    printText(io, from, to, compared)
    for (const about of changes ?? []) print(io, `change  ${about}`)
    const byLevel = findings
      .map((finding) => documentFinding(finding))
      .toSorted((a, b) => a.level.localeCompare(b.level))
    printFindings(io, groupsOf(byLevel))
    if (contract === null)
      print(io, 'To compare requests and responses as well, pass --documents <module>.')
  }
  return 0
}

function printText(io: Io, from: number, to: number, compared: Comparison): void {
  const { added, removed, changed, same } = compared
  if (added.length + removed.length + changed.length === 0) {
    print(io, `Versions ${from} and ${to} have the same ${count(same.length, 'route')}.`)
    return
  }
  const listed = sections.flatMap(({ routes, word, color }) =>
    compared[routes].map((route) => ({ route, word, color })),
  )
  const lines = columns(
    listed.map(({ word, route }) => [word, route.method, route.pattern, noteOf(route)]),
  )
  for (const [index, line] of lines.entries()) print(io, paint(io.out, listed[index]!.color, line))
  const inherited = groupBy(same, ({ declaredIn }) => declaredIn)
  const words = [
    `${added.length} new`,
    `${removed.length} removed`,
    `${changed.length} changed`,
    ...[...inherited].map(([version, routes]) =>
      version === to ? `${routes.length} the same` : `${routes.length} inherited from ${version}`,
    ),
  ]
  print(io, `Version ${to}, compared with version ${from}: ${words.join(', ')}.`)
}
