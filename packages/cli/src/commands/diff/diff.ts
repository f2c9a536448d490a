import { groupBy } from '../../group-by.ts'
import { type Io, UsageError, columns, count, print, printJson, writeLine } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { documentFinding, groupFindings, printGroups } from '../check/finding.ts'
import * as cli from '../define.ts'
import { type ComparedRoute, callOf, compareVersions } from './compare.ts'
import { type Move, compareContracts } from './contract.ts'
import { guide } from './guide.ts'

export const declare = (command: cli.Command) =>
  command
    .argument('<from>', 'a version', cli.parseVersion)
    .argument('<to>', 'a version', cli.parseVersion)
    .option(...cli.routesOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--guide', 'print an upgrade guide for clients, as Markdown')
    .option(...cli.jsonOption)

/** Prints what's new, removed and changed for a client that moves from one version to another. */
export async function run(
  io: Io,
  from: number,
  to: number,
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  if (from === to) throw new UsageError('pass two different versions.')
  const move = { from, to }
  const routeFile = await cli.openRouteFile(io, options, [from, to])
  const contracts = await loadContracts(io, options.documents)
  const contract = contracts && compareContracts(contracts, move, options)
  const routes = compareVersions(routeFile.rows, move, contract?.differences)
  if (options.json === true) {
    const lists = { added: [], removed: [], changed: [], same: [] } as Record<string, object[]>
    const names = { new: 'added', inherited: 'same', removed: 'removed', changed: 'changed' }
    for (const { status, ...route } of routes) lists[names[status]]!.push(route)
    const payloads = contract && { changes: contract.changes, contract: contract.findings }
    printJson(io, { ...move, ...lists, ...payloads })
  } else if (options.guide === true) {
    print(io, ...guide(routeFile, move, routes, contract))
    if (contract?.changes.length === 0)
      writeLine(
        io.err,
        `No changes are described, because ${options.documents} exports none between these versions: export const changes = { ${from}: [change('…', …)] }`,
      )
  } else {
    printRoutes(io, move, routes)
    if (contract === null) print(io, 'To compare payloads, pass --documents <module>.')
    else {
      print(io, ...contract.changes.map((about) => `change: ${about}`))
      printGroups(io, groupFindings(contract.findings.map((finding) => documentFinding(finding))))
    }
  }
  return 0
}

const styles = { new: 'green', removed: 'red', changed: 'yellow' } as const

/** Prints the routes that differ, and how many don't. */
function printRoutes(io: Io, { from, to }: Move, routes: readonly ComparedRoute[]): void {
  const same = routes.filter(({ status }) => status === 'inherited')
  if (same.length === routes.length) {
    print(io, `Versions ${from} and ${to} have the same ${count(same.length, 'route')}.`)
    return
  }
  const statuses = ['new', 'removed', 'changed'] as const
  const groups = statuses.map((status) => routes.filter((route) => route.status === status))
  const listed = groups.flat()
  const lines = columns(
    listed.map((route) => {
      const { status, method, pattern, differences } = route
      const directions = [...new Set(differences.map(({ direction }) => direction))].toSorted()
      const differ = directions.length > 1 ? ' differ' : ' differs'
      const payload = directions.length === 0 ? '' : `, ${directions.join(' and ')}${differ}`
      return [status, method, pattern, callOf(route) + payload]
    }),
  )
  for (const [index, text] of lines.entries()) {
    const status = listed[index]!.status as keyof typeof styles
    print(io, { style: styles[status], text })
  }
  const counts = statuses.map((status, index) => `${groups[index]!.length} ${status}`)
  for (const [version, { length }] of groupBy(same, ({ declaredIn }) => declaredIn))
    counts.push(version === to ? `${length} the same` : `${length} inherited from ${version}`)
  print(io, `Version ${to}, compared with version ${from}: ${counts.join(', ')}.`)
}
