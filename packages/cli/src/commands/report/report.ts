import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Io, count, display, print } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { writeInside } from '../../project/files.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { checkRoutes } from '../check/check-routes.ts'
import { lockFileOf } from '../check/check.ts'
import { compareLock } from '../check/compare-lock.ts'
import { readLock } from '../check/lock.ts'
import { groupFindings } from '../check/print-findings.ts'
import * as cli from '../define.ts'
import { compareContracts } from '../diff/contract.ts'
import { createMatrix } from './matrix.ts'
import { reportPage } from './page.ts'
import { readUsage } from './usage.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--lock <file>', 'the lock file (default: routes.lock.json, if it exists)')
    .option('--usage <file>', 'list the clients that called each version')
    .option('--out <file>', 'the file to write', 'report.html')

export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => report(io, options)))

/** Writes a page about all versions: their dates, resources, findings and clients. */
async function report(io: Io, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const { routeFile } = await loadRouteFile(io, options.routes)
  cli.reportRouteFile(io, routeFile)
  const now = Date.now()
  const contracts = await loadContracts(io, options.documents)
  const documents = contracts?.documents ?? null
  const lockFile = lockFileOf(io, options.lock)
  const lock = options.lock !== undefined || existsSync(lockFile) ? readLock(io, lockFile) : null
  const routeFindings = checkRoutes(io, routeFile, { now, within: 30, folder: null })
  const lockFindings =
    lock === null ? [] : compareLock(io, lock, routeFile, { ...options, documents, now })
  const findings = groupFindings([...routeFindings, ...lockFindings])
  const matrix = createMatrix(listRows(routeFile), (move) =>
    contracts === null || [move.from, move.to].some((version) => !contracts.documents[version])
      ? null
      : compareContracts(io, contracts, move, options),
  )
  const callersOf = options.usage === undefined ? null : readUsage(io, options.usage)
  const shown = { ...routeFile, path: display(io, routeFile.path) }
  const text = reportPage({ routeFile: shown, now, matrix, lock, findings, callersOf })
  const path = resolve(io.cwd, options.out)
  writeInside(dirname(path), { path, text })
  print(io, { style: 'green', text: 'write', rest: `  ${display(io, path)}` })
  const counts = [
    count(routeFile.lives.length, 'version'),
    count(matrix.resources.length, 'resource'),
    count(findings.length, 'finding'),
  ]
  print(io, `${counts.join(', ')}.`)
  return 0
}
