import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Io, UsageError, count, display, print } from '../../output.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { findRouteFile } from '../../route-file/load.ts'
import { type Documents, loadContracts } from '../../project/documents.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { checkConstraints } from './constraints.ts'
import { checkControllers } from './controllers.ts'
import { accept, applyAcceptances } from './acceptances.ts'
import { type Finding, error, note } from './finding.ts'
import { checkLives } from './lives.ts'
import { compareLock } from './compare-lock.ts'
import { createLock, readLock } from './lock.ts'
import { type Group, groupsOf, printFindings, report } from './report.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option(...cli.documentsOption)
    .option(...cli.openEnumsOption)
    .option('--accept <fingerprints>', 'record findings as accepted in the lock file: 3f9c2a1b,07d1e55c', cli.parseList)
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

/** Reports what is wrong with a route file and its controllers, one line each. Exit code 1 when anything is. */
async function check(io: Io, options: CheckOptions): Promise<number> {
  const project = await cli.openProject(io, options).catch((refused: unknown) => {
    if (refused instanceof UsageError && typeof refused.cause === 'string')
      return error(refused.cause, refused.message.replace(`${refused.cause}: `, ''))
    throw refused
  })
  if ('code' in project) {
    cli.reportRouteFile(io, { path: findRouteFile(io, options.routes) }, options)
    return report(io, options, [project], '')
  }
  const { routeFile, controllers } = project
  const documents = options.documents === undefined ? null : (await loadContracts(io, options.documents)).documents
  const findings = await findingsOf(io, project, documents, options, Date.now())
  cli.reportRouteFile(io, routeFile, options)
  const files = controllers?.folder.files.filter(({ isBase }) => !isBase).length
  const seen = files === undefined ? 'no controllers folder found' : count(files, 'controller')
  const exitCode = report(io, options, findings, `${count(routeFile.rows.length, 'route')}, ${seen}`)
  if (options.updateLock === true) {
    const lockFile = lockFileOf(io, options.lock)
    const dropped = droppedBy(io, lockFile, routeFile, documents, options)
    writeJson(lockFile, createLock(routeFile, documents))
    const except = routeFile.lives.some(({ isPreview }) => isPreview) ? ' except previews' : ''
    const hint = documents === null ? ' Payloads are not in it: record them with --documents <module>.' : ''
    if (options.json === true) return exitCode
    print(io, `${display(io, lockFile)} records all declared versions${except} as released.${hint}`)
    if (dropped.length > 0) print(io, `It no longer reports ${count(dropped.length, 'finding')}:`)
    printFindings(io, dropped)
  }
  return exitCode
}

/** Where the lock file is. */
export const lockFileOf = (io: Io, named: string | true | undefined): string =>
  resolve(io.cwd, typeof named === 'string' ? named : 'routes.lock.json')

/** Everything that is wrong with a route file and its controllers, and what differs from the lock file. */
export async function findingsOf(
  io: Io,
  { routeFile, controllers }: cli.Project,
  documents: Documents | null,
  options: CheckOptions,
  now: number,
): Promise<readonly Finding[]> {
  return [
    ...(controllers === null
      ? noControllers(routeFile, options.controllers)
      : checkControllers(io, routeFile, controllers)),
    ...findShadowed(routeFile),
    ...(await checkConstraints(routeFile)),
    ...checkLives(routeFile, options.within ?? 30, now),
    ...checkLock(io, routeFile, documents, options, now),
  ]
}

const writeJson = (path: string, value: object): void => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** Compares with the lock file, and accepts what the options name. */
function checkLock(
  io: Io,
  routeFile: RouteFile,
  documents: Documents | null,
  { lock, accept: fingerprints = [], reason, updateLock, openEnums }: CheckOptions,
  now: number,
): readonly Finding[] {
  if ((lock === undefined && fingerprints.length === 0) || updateLock === true) return []
  if (fingerprints.length > 0 && !reason?.trim())
    throw new UsageError('--accept needs a reason for those who read the lock file: --reason <text>.')
  const path = lockFileOf(io, lock)
  const released = readLock(io, path)
  const found = compareLock(io, released, routeFile, now, documents, { openEnums: openEnums === true })
  const findings = applyAcceptances(found, released.accepted ?? {})
  if (fingerprints.length === 0) return findings
  const accepted = accept(findings, released.accepted ?? {}, fingerprints, reason!, now)
  writeJson(path, { ...released, accepted })
  return applyAcceptances(found, accepted)
}

/** The broken promises that nobody hears of any more once the lock file is written again. */
function droppedBy(
  io: Io,
  path: string,
  routeFile: RouteFile,
  documents: Documents | null,
  { openEnums }: CheckOptions,
): readonly Group[] {
  try {
    const released = existsSync(path) ? readLock(io, path) : null
    if (released === null) return []
    const found = compareLock(io, released, routeFile, Date.now(), documents, { openEnums: openEnums === true })
    return groupsOf(applyAcceptances(found, released.accepted ?? {}).filter(({ level }) => level === 'error'))
  } catch (refused) {
    if (refused instanceof UsageError) return [] // a lock file of another format
    throw refused
  }
}

/** Without controllers by version, no action can be checked: `createRouter` checks those that an app passes to it. */
function noControllers({ rows }: RouteFile, named: string | undefined): readonly Finding[] {
  const actions = [...new Set(rows.map(({ key, action }) => `${key}#${action}`))]
  const typed = 'TypeScript checks the controllers that createRouter gets'
  const message =
    named === undefined
      ? `no controllers folder found, so no action is checked. ${typed}; if yours are in files by version, pass their folder with --controllers <folder>.`
      : `not checkable here: ${named} has no v1/<resource>_controller files. ${typed}.`
  return actions.length === 0 ? [] : [note('not-checked', message, { actions })]
}

const findShadowed = (routeFile: RouteFile): readonly Finding[] =>
  listRows(routeFile, null)
    .filter(({ shadowed }) => shadowed)
    .map(({ version, method, path, controller, action }) =>
      error(
        'shadowed-route',
        `version ${version}: ${method} ${path} never reaches ${controller}#${action}, because another row with the same method and path comes first`,
      ),
    )
