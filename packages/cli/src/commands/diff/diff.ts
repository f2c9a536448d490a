import { groupBy } from '../../group-by.ts'
import { type Io, UsageError, columns, count, print, printJson } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { documentFinding } from '../check/finding.ts'
import { groupFindings, printFindings } from '../check/print-findings.ts'
import * as cli from '../define.ts'
import { type Comparison, compareVersions, noteOf } from './compare.ts'
import { type Move, compareContracts } from './contract.ts'
import { guide } from './guide.ts'

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
  declare(command).action((from, to, options) => run((io) => diff(io, { from, to }, options)))

/** Prints what's new, removed and changed for a client that moves from one version to another. */
async function diff(io: Io, move: Move, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { from, to } = move
  if (from === to) throw new UsageError('pass two different versions.')
  const { routeFile } = await loadRouteFile(io, options.routes)
  cli.assertDeclared(routeFile, [from, to])
  cli.reportRouteFile(io, routeFile, options)
  const contracts = await loadContracts(io, options.documents)
  const contract = contracts && compareContracts(io, contracts, move, options)
  const compared = compareVersions(listRows(routeFile), move, contract?.differences)
  if (options.json === true) {
    const payloads = contract && { changes: contract.changes, contract: contract.findings }
    printJson(io, { ...move, ...compared, ...payloads })
    return 0
  }
  if (options.guide === true) {
    print(io, ...guide(routeFile, move, compared, contract))
    return 0
  }
  printRoutes(io, move, compared)
  if (contract === null) {
    print(io, 'To compare payloads, pass --documents <module>.')
    return 0
  }
  print(io, ...contract.changes.map((about) => `change: ${about}`))
  printFindings(io, groupFindings(contract.findings.map((finding) => documentFinding(finding))))
  return 0
}

const kinds = [
  { kind: 'added', word: 'new', style: 'green' },
  { kind: 'removed', word: 'removed', style: 'red' },
  { kind: 'changed', word: 'changed', style: 'yellow' },
] as const

/** Prints the routes that differ, and how many don't. */
function printRoutes(io: Io, { from, to }: Move, compared: Comparison): void {
  const listed = kinds.flatMap(({ kind, word, style }) =>
    compared[kind].map((route) => ({ route, word, style })),
  )
  const lines = columns(
    listed.map(({ word, route }) => [word, route.method, route.pattern, noteOf(route)]),
  )
  for (const [index, text] of lines.entries()) print(io, { style: listed[index]!.style, text })
  const { added, removed, changed, same } = compared
  if (listed.length === 0) {
    print(io, `Versions ${from} and ${to} have the same ${count(same.length, 'route')}.`)
    return
  }
  const inherited = [...groupBy(same, ({ declaredIn }) => declaredIn)].map(([version, routes]) =>
    version === to ? `${routes.length} the same` : `${routes.length} inherited from ${version}`,
  )
  const counts = [
    `${added.length} new`,
    `${removed.length} removed`,
    `${changed.length} changed`,
    ...inherited,
  ]
  print(io, `Version ${to}, compared with version ${from}: ${counts.join(', ')}.`)
}
