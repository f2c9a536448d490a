import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Io, UsageError, count, display, print, printStep } from '../../output.ts'
import { type Planned, allOrNothing, removeEmpty, replaceFile } from '../../project/files.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { tryRouteFile } from '../../route-file/load.ts'
import { retireVersion } from '../../route-file/retire-version.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import * as cli from '../define.ts'
import { type RetirePlan, planRetirement } from './plan.ts'
import { refuseUsed } from './usage.ts'

const declare = (command: cli.Command) =>
  command
    .argument('<version>', 'the version: 1', cli.parseVersion)
    .option(...cli.routesOption)
    .option(...cli.controllersOption)
    .option('--usage <file>', 'refuse while somebody called the version in the last 30 days')
    .option('--dry-run', 'print what would change, and change nothing')

export const define: cli.Define = (command, run) =>
  declare(command).action((version, options) => run((io) => retire(io, version, options)))

/** Deletes the code of a version and leaves its end in the route file: all of it, or nothing. */
async function retire(
  io: Io,
  version: number,
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  const { routeFile, controllers } = await cli.openProject(io, options)
  const isDryRun = options.dryRun === true
  const life = assertRetirable(io, routeFile, version, Date.now(), isDryRun)
  if (options.usage !== undefined) refuseUsed(io, options.usage, version, Date.now())
  const plan = controllers === null ? null : planRetirement(io, controllers, version)
  const { path } = routeFile
  const edit = { path, text: retireVersion(path, display(io, path), version, life) }
  const remedy = `Move what other versions need out of version ${version} yourself.`
  await tryRouteFile(io, edit, remedy, (edited) => {
    const [before, after] = [othersOf(routeFile, version), othersOf(edited, version)]
    const changed =
      before.find((row) => !after.includes(row)) ?? after.find((row) => !before.includes(row))
    if (changed !== undefined) throw new UsageError(`it would change another version: ${changed}`)
  })
  if (!isDryRun) write(plan ?? noFiles, edit)
  report(io, routeFile, version, plan ?? noFiles, isDryRun)
  return 0
}

/** The plan for an app whose controllers aren't in files by version. */
const noFiles: RetirePlan = { deleted: [], moved: [], updated: [], importers: [] }

function report(
  io: Io,
  routeFile: RouteFile,
  version: number,
  plan: RetirePlan,
  isDryRun: boolean,
): void {
  for (const { from, path } of plan.moved)
    printStep(io, 'move', `${display(io, from.path)} to ${display(io, path)}`)
  for (const { path } of plan.updated) printStep(io, 'update', display(io, path))
  for (const { path } of plan.deleted) printStep(io, 'delete', display(io, path))
  printStep(io, 'update', display(io, routeFile.path))
  for (const { path, imported } of plan.importers)
    printStep(
      io,
      'edit',
      `${display(io, path)} imports ${display(io, imported)}: remove version ${version} there`,
      'yellow',
    )
  for (const { path, overridden } of plan.moved.filter((file) => file.overridden.length > 0))
    printStep(
      io,
      'unused',
      `${display(io, path)}: ${overridden.join(', ')}, which later versions override`,
      'yellow',
    )
  const moved =
    plan.moved.length === 0 ? '' : `, ${plan.moved.length} moved to the version that extends it`
  const done =
    plan === noFiles
      ? "no controllers folder was found, so delete the version's controllers yourself"
      : `${count(plan.deleted.length, 'controller')} deleted${moved}`
  print(
    io,
    `Version ${version} ${isDryRun ? 'would be retired' : 'is retired'}: ${done}. Its clients get a 410 response.`,
  )
  const sunset = lifeOfVersion(routeFile, version)?.sunset ?? 0
  if (sunset > Date.now()) print(io, `It ends on ${dateOf(sunset)}: retire it then.`)
  if (routeFile.defaultVersion === version)
    print(
      io,
      `It's the default version, so requests without a version also get a 410 response. To serve them, set defaultVersion in ${display(io, routeFile.path)}.`,
    )
}

/** Returns what the options of the version lack; null when they have a sunset. */
function assertRetirable(
  io: Io,
  routeFile: RouteFile,
  version: number,
  now: number,
  isDryRun: boolean,
): string | null {
  cli.assertDeclared(routeFile, [version])
  if (!routeFile.rows.some((row) => row.version === version))
    throw new UsageError(
      `version ${version} has no routes. ${display(io, routeFile.path)} has retired it already.`,
    )
  if (routeFile.rows.every((row) => row.version === version))
    throw new UsageError(
      `version ${version} is the only version with routes. Declare its successor first.`,
    )
  const sunset = lifeOfVersion(routeFile, version)?.sunset ?? null
  if (sunset === null) {
    const next = routeFile.settings.versions.find(
      (number) => number > version && routeFile.rows.some((row) => row.version === number),
    )
    const successor =
      next === undefined || lifeOfVersion(routeFile, version)?.successor
        ? ''
        : `, successor: ${next}`
    return `sunset: '${dateOf(now - (now % 86_400_000))}'${successor}`
  }
  if (sunset > now && !isDryRun)
    throw new UsageError(
      `version ${version} ends on ${dateOf(sunset)}. Retire it then. To see what would change, add --dry-run.`,
    )
  return null
}

/** What the versions besides one serve. */
const othersOf = ({ rows }: RouteFile, version: number): readonly string[] =>
  rows
    .filter((row) => row.version !== version)
    .map(
      ({ version: number, method, path, key, action }) =>
        `${number} ${method} ${path} ${key}#${action}`,
    )

function write({ deleted, moved, updated }: RetirePlan, routeFile: Planned): void {
  const written = [...moved, ...updated, routeFile]
  const removed = [...deleted, ...moved.map(({ from }) => from)].map(({ path }) => path)
  allOrNothing('nothing was changed', [...written.map(({ path }) => path), ...removed], () => {
    for (const file of written) replaceFile(file)
    for (const path of removed) rmSync(path)
  })
  for (const path of removed) removeEmpty(dirname(path))
}
