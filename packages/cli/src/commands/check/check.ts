import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import { findControllers } from '../../controllers/find.ts'
import { type Io, UsageError, count, display, print, printJson } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { writeInside } from '../../project/files.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { checkRoutes } from './check-routes.ts'
import { compareLock, notCompared } from './compare-lock.ts'
import type { Finding } from './finding.ts'
import { createLock, formatLock, readLock } from './lock.ts'
import { groupFindings, printFindings } from './print-findings.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--update-lock', 'record all declared versions as released')
    .addOption(
      new Option('--fail-on <level>', 'which findings make it exit with 1')
        .choices(['errors', 'warnings'])
        .default('errors'),
    )
    .option(
      '--within <days>',
      'warn about versions and routes that end within this many days (default: 30)',
      cli.parser(/^\d{1,5}$/, 'Pass a whole number of days.', Number),
    )
    .option(...cli.jsonOption)

export type CheckOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => check(io, options)))

/** Prints what's wrong with a route file, and what its released versions have lost or changed. */
async function check(io: Io, options: CheckOptions): Promise<number> {
  const isUpdated = options.updateLock === true
  if (isUpdated && process.env['CI'] === 'true')
    throw new UsageError(
      "--update-lock doesn't write in CI (CI=true), because somebody should review " +
        'what it changes. Run it on your machine, and commit the file.',
    )
  const { routeFile } = await loadRouteFile(io, options.routes)
  const documents = (await loadContracts(io, options.documents))?.documents ?? null
  const folder = findControllers(io, options.controllers)
  const path = lockFileOf(io, options.lock)
  const isCompared = isUpdated ? existsSync(path) : options.lock !== undefined
  const lock = isCompared ? readLock(io, path) : null
  cli.reportRouteFile(io, routeFile, options)

  const now = Date.now()
  const lockFindings =
    lock === null ? [] : compareLock(io, lock, routeFile, { ...options, documents, now })
  const routeFindings = checkRoutes(io, routeFile, { now, within: options.within ?? 30, folder })
  const findings = isUpdated ? routeFindings : [...routeFindings, ...lockFindings]
  if (options.json === true) printJson(io, findings)
  else printResult(io, findings, routeFile)
  if (isUpdated) {
    writeInside(dirname(path), { path, text: formatLock(createLock(routeFile, documents)) })
    if (options.json !== true) {
      const hasPreviews = routeFile.lives.some(({ isPreview }) => isPreview)
      const released = `all declared versions${hasPreviews ? ' except previews' : ''}`
      print(io, `${display(io, path)} records ${released} as released.`)
      if (documents === null)
        print(io, "It doesn't contain payloads. Record them with --documents <module>.")
      printDropped(io, lockFindings)
    }
  }
  const failing = options.failOn === 'warnings' ? ['error', 'warning'] : ['error']
  return findings.some(({ level }) => failing.includes(level)) ? 1 : 0
}

/** Where the lock file is. */
export const lockFileOf = (io: Io, named: string | true | undefined): string =>
  resolve(io.cwd, typeof named === 'string' ? named : 'routes.lock.json')

function printResult(io: Io, findings: readonly Finding[], { rows, settings }: RouteFile): void {
  const groups = groupFindings(findings)
  printFindings(io, groups)
  const errors = groups.filter(([{ level }]) => level === 'error').length
  const warnings = groups.length - errors
  const counts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ]
  const checked = `${count(rows.length, 'route')}, ${count(settings.versions.length, 'version')}`
  print(io, `${counts.join(', ') || 'No findings'}: ${checked}.`)
}

/** Lists what a new lock file no longer finds. */
function printDropped(io: Io, lockFindings: readonly Finding[]): void {
  const dropped = groupFindings(lockFindings.filter(({ code }) => code !== notCompared))
  if (dropped.length === 0) return
  print(io, `It no longer reports ${count(dropped.length, 'finding')}:`)
  printFindings(io, dropped)
}
