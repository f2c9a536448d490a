import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { loadContracts } from '../../project/documents.ts'
import { type Io, count, display, paint, print } from '../../output.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import * as cli from '../define.ts'
import { checkLock, checkRoutes, lockFileOf } from '../check/check.ts'
import { readLock } from '../check/lock.ts'
import { groupsOf } from '../check/report.ts'
import { compareContracts } from '../diff/contract.ts'
import { readUsage } from './usage.ts'
import { createMatrix } from './matrix.ts'
import { reportPage } from './page.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--lock <file>', 'the lock file (default: routes.lock.json, if it exists)')
    .option('--usage <file>', 'list the clients that called each version')
    .option('--out <file>', 'the file to write', 'report.html')
    .option(
      '--now <time>',
      'report about this time: 2027-07-01 (default: now)',
      cli.parser(
        /^\d{4}-\d\d-\d\d(?:T.*Z)?$/,
        'Pass a day, or a time in UTC: 2027-07-01T12:00Z.',
        Date.parse,
      ),
    )

export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => report(io, options)))

/** Writes a page about all versions: their dates, resources, findings and clients. */
async function report(io: Io, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { routeFile } = await loadRouteFile(io, options.routes)
  cli.reportRouteFile(io, routeFile, {})
  const now = options.now ?? Date.now()
  const contracts =
    options.documents === undefined ? null : await loadContracts(io, options.documents)
  const lockFile = lockFileOf(io, options.lock)
  const lock = options.lock !== undefined || existsSync(lockFile) ? readLock(io, lockFile) : null
  const broken =
    lock === null
      ? []
      : checkLock(io, lockFile, routeFile, contracts?.documents ?? null, options, now)
  const findings = groupsOf([...checkRoutes(routeFile, now), ...broken])
  const callersOf = options.usage === undefined ? null : readUsage(io, options.usage)
  const matrix = createMatrix(listRows(routeFile), (from, to) =>
    contracts?.documents[from] === undefined || contracts.documents[to] === undefined
      ? null
      : compareContracts(io, contracts, from, to, { openEnums: options.openEnums === true }),
  )
  const path = resolve(io.cwd, options.out)
  const shown = { ...routeFile, path: display(io, routeFile.path) }
  const page = reportPage({ routeFile: shown, now, matrix, lock, findings, callersOf })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
  print(io, `${paint(io.out, 'green', 'write')}  ${display(io, path)}`)
  const counts = [
    count(routeFile.lives.length, 'version'),
    count(matrix.resources.length, 'resource'),
  ]
  print(io, `${counts.join(', ')}, ${count(findings.length, 'finding')}.`)
  return 0
}
