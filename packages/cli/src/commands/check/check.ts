import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Io, count, display, paint, print, printJson } from '../../output.ts'
import { findRouteFile } from '../../route-file/find.ts'
import { listRows } from '../../route-file/list-rows.ts'
import { RefusedError } from '../../route-file/load.ts'
import { loadContracts } from '../../project/documents.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { checkConstraints } from './constraints.ts'
import { checkControllers } from './controllers.ts'
import { type Finding, error } from './finding.ts'
import { checkLives } from './lives.ts'
import { compareLock, createLock, readLock } from './lock.ts'

const parseDays = cli.parser(/^\d{1,5}$/, 'Pass a whole number of days.')

const declare = (command: cli.Command) =>
  command
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option('--documents <module>', 'compare request and response schemas, too: a module that exports `documents`')
    .option('--update-lock', 'record all declared versions as released')
    .option('--within <days>', 'warn about versions and routes that end within this many days (default: 30)', (text) =>
      Number(parseDays(text)),
    )
    .option(...cli.jsonOption)

export type CheckOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => check(io, options)))

/** Reports what is wrong with a route file and its controllers, one line each. Exit code 1 when anything is. */
async function check(io: Io, options: CheckOptions): Promise<number> {
  const project = await cli.openProject(io, options).catch((cause: unknown) => {
    if (cause instanceof RefusedError) return cause
    throw cause
  })
  if (project instanceof RefusedError) {
    cli.reportRouteFile(io, { path: findRouteFile(io, options.routes) }, options)
    const message = project.message.slice(project.code.length + 2)
    return report(io, options, [error(project.code, message)], '')
  }
  const { routeFile, controllers } = project
  const lockFile = resolve(io.cwd, typeof options.lock === 'string' ? options.lock : 'routes.lock.json')
  const isCompared = options.lock !== undefined && options.updateLock !== true
  const contracts = options.documents === undefined ? null : await loadContracts(io, resolve(io.cwd, options.documents))
  const documents = contracts?.documents ?? null
  const findings = [
    ...(controllers === null
      ? noControllers(routeFile, options.controllers)
      : checkControllers(io, routeFile, controllers)),
    ...findShadowed(routeFile),
    ...(await checkConstraints(routeFile)),
    ...checkLives(routeFile, options.within ?? 30, Date.now()),
    ...(isCompared ? compareLock(readLock(io, lockFile), routeFile, Date.now(), documents) : []),
  ]
  cli.reportRouteFile(io, routeFile, options)
  const files = controllers?.folder.files.filter(({ isBase }) => !isBase).length
  const seen = files === undefined ? 'no controllers folder found' : count(files, 'controller')
  const code = report(io, options, findings, `${count(routeFile.rows.length, 'route')}, ${seen}`)
  if (options.updateLock === true) {
    writeFileSync(lockFile, `${JSON.stringify(createLock(routeFile, documents), null, 2)}\n`)
    const except = routeFile.lives.some(({ isPreview }) => isPreview) ? ' except previews' : ''
    if (options.json !== true) print(io, `${display(io, lockFile)} records all declared versions${except} as released.`)
  }
  return code
}

/** Without controllers by version, no action can be checked: `createRouter` checks those that an app passes to it. */
function noControllers({ rows }: RouteFile, named: string | undefined): readonly Finding[] {
  const actions = [...new Set(rows.map(({ key, action }) => `${key}#${action}`))]
  if (actions.length === 0) return []
  const message =
    named === undefined
      ? 'no controllers folder found, so no action is checked. Name it with --controllers <folder>.'
      : `not checkable here: ${named} has no v1/<resource>_controller files. TypeScript checks the controllers that createRouter gets.`
  return [{ code: 'not-checked', message, level: 'note', actions }]
}

const findShadowed = (routeFile: RouteFile): readonly Finding[] =>
  listRows(routeFile, null)
    .filter(({ listed }) => listed.shadowed)
    .map(({ row: { version, method, path, controller, action } }) =>
      error(
        'shadowed-route',
        `version ${version}: ${method} ${path} never reaches ${controller}#${action}, because another row with the same method and path comes first`,
      ),
    )

function report(io: Io, { json }: CheckOptions, findings: readonly Finding[], counted: string): number {
  const errors = findings.filter(({ level }) => level === 'error')
  const notes = findings.filter(({ level }) => level === 'note')
  const actions = notes.flatMap((note) => note.actions ?? []).length
  const constraints = notes.filter((note) => note.actions === undefined).length
  const unseen = [
    ...(actions > 0 ? [count(actions, 'action')] : []),
    ...(constraints > 0 ? [count(constraints, 'constraint')] : []),
  ]
  if (json === true) printJson(io, findings)
  else {
    for (const { code, message, level } of findings)
      print(io, `${paint(io.out, level === 'error' ? 'red' : 'yellow', code)}  ${message}`)
    const warnings = findings.length - errors.length - notes.length
    const warned = warnings === 0 ? 'No findings' : count(warnings, 'warning')
    const total = errors.length === 0 ? `${warned}: ${counted}.` : `${count(errors.length, 'finding')}.`
    print(io, unseen.length === 0 ? total : `${total} ${unseen.join(' and ')} not checked.`)
  }
  return errors.length === 0 ? 0 : 1
}
