import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Io, UsageError, count, display, print } from '../../output.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { type Documents, loadContracts } from '../../project/documents.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { accept, applyAcceptances, withFingerprint } from './acceptances.ts'
import { type Finding, error } from './finding.ts'
import { checkLives } from './lives.ts'
import { compareLock } from './compare-lock.ts'
import { createLock, readLock } from './lock.ts'
import { groupsOf, printFindings, report } from './report.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option(
      '--accept <fingerprints>',
      'record findings as accepted in the lock file: 3f9c2a1b,07d1e55c',
      cli.parseList,
    )
    .option('--reason <text>', 'why they are accepted')
    .option('--update-lock', 'record all declared versions as released')
    .option('--fail-on-warnings', 'exit with 1 on warnings as well')
    .option(
      '--within <days>',
      'warn about versions and routes that end within this many days (default: 30)',
      cli.parser(/^\d{1,5}$/, 'Pass a whole number of days.', Number),
    )
    .option(...cli.jsonOption)

export type CheckOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => check(io, options)))

/** Reports what's wrong with a route file, a line for each cause. */
async function check(io: Io, options: CheckOptions): Promise<number> {
  const { routeFile } = await loadRouteFile(io, options.routes)
  const documents =
    options.documents === undefined ? null : (await loadContracts(io, options.documents)).documents
  const found = checkRoutes(routeFile, Date.now(), options.within)
  const lockFile = lockFileOf(io, options.lock)
  const isUpdated = options.updateLock === true
  const isCompared = isUpdated
    ? existsSync(lockFile)
    : (options.lock ?? options.accept) !== undefined
  const broken = isCompared
    ? checkLock(io, lockFile, routeFile, documents, options, Date.now())
    : []
  cli.reportRouteFile(io, routeFile, options)
  const findings = isUpdated ? found : [...found, ...broken]
  const counts = [
    count(routeFile.rows.length, 'route'),
    count(routeFile.settings.versions.length, 'version'),
  ]
  const exitCode = report(io, options, findings, counts.join(', '))
  if (!isUpdated) return exitCode
  writeJson(lockFile, createLock(routeFile, documents))
  if (options.json === true) return exitCode
  const except = routeFile.lives.some(({ isPreview }) => isPreview) ? ' except previews' : ''
  const hint =
    documents === null ? ' Payloads are not in it: record them with --documents <module>.' : ''
  print(io, `${display(io, lockFile)} records all declared versions${except} as released.${hint}`)
  const dropped = groupsOf(broken.filter(({ level }) => level === 'error'))
  if (dropped.length > 0) print(io, `It no longer reports ${count(dropped.length, 'finding')}:`)
  printFindings(io, dropped)
  return exitCode
}

/** Where the lock file is. */
export const lockFileOf = (io: Io, named: string | true | undefined): string =>
  resolve(io.cwd, typeof named === 'string' ? named : 'routes.lock.json')

/** What's wrong with a route file, without its lock. */
export const checkRoutes = (routeFile: RouteFile, now: number, within = 30): readonly Finding[] => [
  ...findShadowed(routeFile),
  ...checkLives(routeFile, within, now),
]

const writeJson = (path: string, value: object): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** What differs from the lock file. First accepts what the options name. */
export function checkLock(
  io: Io,
  path: string,
  routeFile: RouteFile,
  documents: Documents | null,
  {
    accept: fingerprints = [],
    reason = '',
    openEnums,
  }: Pick<CheckOptions, 'accept' | 'reason' | 'openEnums'>,
  now: number,
): readonly Finding[] {
  if (fingerprints.length > 0 && reason.trim() === '')
    throw new UsageError(
      '--accept needs a reason for those who read the lock file: --reason <text>.',
    )
  const lock = readLock(io, path)
  const found = compareLock(io, lock, routeFile, now, documents, {
    openEnums: openEnums === true,
  }).map(withFingerprint)
  const accepted = accept(found, lock.accepted ?? {}, fingerprints, reason, now)
  if (fingerprints.length > 0) writeJson(path, { ...lock, accepted })
  return applyAcceptances(found, accepted)
}

const findShadowed = (routeFile: RouteFile): readonly Finding[] =>
  listRows(routeFile)
    .filter(({ shadowed }) => shadowed)
    .map(({ version, method, pattern, key, action }) =>
      error(
        'shadowed-route',
        `version ${version}: ${method} ${pattern} never reaches ${key}#${action}, ` +
          'because another route with the same method and path comes first',
      ),
    )
