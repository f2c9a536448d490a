import { dirname, resolve } from 'node:path'
import { findControllers } from '../../controllers/find.ts'
import { type Io, UsageError, count, display, print, printJson } from '../../output.ts'
import { loadContracts } from '../../project/documents.ts'
import { writeInside } from '../../project/files.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { checkRoutes } from './check-routes.ts'
import { compareLock, notCompared } from './compare-lock.ts'
import { type Finding, groupFindings, printGroups } from './finding.ts'
import { createLock, formatLock, readLock } from './lock.ts'

export const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--update-lock', 'record all declared versions as released')
    .option(
      '--fail-on <level>',
      'which findings make it exit with 1: errors or warnings',
      cli.parser(/^(?:errors|warnings)$/, 'Allowed choices are errors, warnings.'),
      'errors',
    )
    .option(
      '--within <days>',
      'warn about versions and routes that end within this many days (default: 30)',
      cli.parser(/^\d{1,5}$/, 'Pass a whole number of days.'),
    )
    .option(...cli.jsonOption)

export type CheckOptions = cli.OptionsOf<typeof declare>

/** Prints what's wrong with a route file, and what its released versions have lost or changed. */
export async function run(io: Io, options: CheckOptions): Promise<number> {
  const isUpdated = options.updateLock === true
  if (isUpdated && process.env['CI'] === 'true')
    throw new UsageError(
      "--update-lock doesn't write in CI (CI=true), because somebody should review " +
        'what it changes. Run it on your machine, and commit the file.',
    )
  const isJson = options.json === true
  const path = lockFileOf(io, options.lock)
  const isCompared = isUpdated || options.lock !== undefined
  const lock = isCompared ? readLock(io, path, !isUpdated) : null
  const routeFile = await cli.openRouteFile(io, options)
  const documents = (await loadContracts(io, options.documents))?.documents ?? null
  const folder = findControllers(io, options)

  const within = Number(options.within ?? 30)
  const routeFindings = checkRoutes(io, routeFile, { within, folder })
  const lockFindings = lock === null ? [] : compareLock(lock, routeFile, { ...options, documents })
  const findings = isUpdated ? routeFindings : [...routeFindings, ...lockFindings]
  if (isJson) printJson(io, findings)
  else printResult(io, findings, routeFile)
  if (isUpdated)
    writeInside({ root: dirname(path), path, text: formatLock(createLock(routeFile, documents)) })
  if (isUpdated && !isJson) {
    const hasPreviews = routeFile.lives.some(({ isPreview }) => isPreview)
    const released = `all declared versions${hasPreviews ? ' except previews' : ''}`
    print(io, `${display(io, path)} records ${released} as released.`)
    if (documents === null)
      print(io, "It doesn't contain payloads. Record them with --documents <module>.")
    const dropped = groupFindings(lockFindings.filter(({ code }) => code !== notCompared))
    if (dropped.length > 0)
      print(io, `check --lock now accepts ${count(dropped.length, 'finding')}:`)
    printGroups(io, dropped)
  }
  const fails = options.failOn === 'warnings' ? findings.length > 0 : findings.some(isError)
  return fails ? 1 : 0
}

const isError = ({ level }: Finding): boolean => level === 'error'

function printResult(io: Io, findings: readonly Finding[], { rows, settings }: RouteFile): void {
  const groups = groupFindings(findings)
  printGroups(io, groups)
  const errors = groups.filter(isError).length
  const warnings = groups.length - errors
  const counts: string[] = []
  if (errors > 0) counts.push(count(errors, 'error'))
  if (warnings > 0) counts.push(count(warnings, 'warning'))
  const checked = `${count(rows.length, 'route')}, ${count(settings.versions.length, 'version')}`
  print(io, `${counts.join(', ') || 'No findings'}: ${checked}.`)
}

/** Returns the lock file's path: the file that `--lock` names, or `routes.lock.json`. */
export const lockFileOf = (io: Io, named: string | true | undefined): string =>
  resolve(io.cwd, typeof named === 'string' ? named : 'routes.lock.json')
