import { dirname, resolve } from 'node:path'
import { type Io, count, display, print, printStep } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { writeInside } from '../../project/files.ts'
import { checkRoutes } from '../check/check-routes.ts'
import { lockFileOf } from '../check/check.ts'
import { compareLock } from '../check/compare-lock.ts'
import { groupFindings } from '../check/finding.ts'
import { readLock } from '../check/lock.ts'
import * as cli from '../define.ts'
import { compareContracts } from '../diff/contract.ts'
import { createMatrix } from './matrix.ts'
import { reportPage } from './page.ts'
import { readUsage } from './usage.ts'

export const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--lock <file>', 'the lock file (default: routes.lock.json, if it exists)')
    .option('--usage <file>', 'list the clients that called each version')
    .option('--out <file>', 'the file to write', 'report.html')

/** Writes a page about all versions: their dates, resources, findings and clients. */
export async function run(io: Io, options: cli.OptionsOf<typeof declare>): Promise<number> {
  const routeFile = await cli.openRouteFile(io, options)
  const contracts = await loadContracts(io, options.documents)
  const documents = contracts?.documents ?? null
  const lock = readLock(io, lockFileOf(io, options.lock), options.lock !== undefined)
  const findings = checkRoutes(io, routeFile, { within: 30, folder: null }).concat(
    lock === null ? [] : compareLock(lock, routeFile, { ...options, documents }),
  )
  const groups = groupFindings(findings)
  const matrix = createMatrix(routeFile.rows, (move) =>
    documents?.[move.from] === undefined || documents[move.to] === undefined
      ? null
      : compareContracts(contracts!, move, options),
  )
  const callersOf = options.usage === undefined ? null : readUsage(io, options.usage)
  const text = reportPage({ routeFile, matrix, lock, findings: groups, callersOf })
  const path = resolve(io.cwd, options.out)
  writeInside({ root: dirname(path), path, text })
  printStep(io, 'green', 'write', display(io, path))
  const counts = [
    count(routeFile.lives.length, 'version'),
    count(matrix.resources.length, 'resource'),
    count(groups.length, 'finding'),
  ]
  print(io, `${counts.join(', ')}.`)
  return 0
}
