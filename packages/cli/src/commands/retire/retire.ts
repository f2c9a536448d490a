import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { type Io, UsageError, count, display, paint, print } from '../../output.ts'
import { dateOf, lifeOfVersion } from '../../route-file/lives.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { retireVersion } from '../../route-file/retire-version.ts'
import { type RouteFile, versionNumbers } from '../../route-file/route-file.ts'
import { remember } from '../bump/write.ts'
import { openProject } from '../context.ts'
import type { RetireOptions } from './command.ts'
import { type RetirePlan, planRetirement } from './plan.ts'
import { refuseUsed } from './usage.ts'

/** Deletes the code of a version and leaves its 410 in the route file: all of it, or nothing. */
export async function retire(io: Io, version: number, options: RetireOptions): Promise<number> {
  const { routeFile, controllers } = await openProject(io, options)
  const life = assertRetirable(io, routeFile, version, Date.now())
  if (options.usage !== undefined) refuseUsed(io, options.usage, version, Date.now())
  const plan = planRetirement(io, controllers, version)
  const text = retireVersion(routeFile.path, display(io, routeFile.path), version, life)
  await assertOthersUnchanged(io, routeFile, version, text)
  if (options.dryRun !== true) write(io, routeFile.path, plan, text)

  const mark = (word: string): string => paint(io.out, word === 'edit' ? 'yellow' : 'green', word)
  for (const { path } of plan.folded) print(io, `${mark('update')}  ${display(io, path)}`)
  for (const { path } of plan.deleted) print(io, `${mark('delete')}  ${display(io, path)}`)
  print(io, `${mark('update')}  ${display(io, routeFile.path)}`)
  for (const { path, imported } of plan.importers)
    print(
      io,
      `${mark('edit')}    ${display(io, path)} imports ${display(io, imported)}: remove version ${version} there`,
    )
  const done = options.dryRun === true ? 'would be retired' : 'is retired'
  const { length } = plan.folded
  const moved = length === 0 ? '' : `, the code of ${length} moved into the version that extends it`
  print(
    io,
    `Version ${version} ${done}: ${count(plan.deleted.length, 'controller')} deleted${moved}. Its requests get 410.`,
  )
  if (routeFile.defaultVersion === version)
    print(
      io,
      `It is the default version, so requests without a version get 410, too. To serve them, set defaultVersion in ${display(io, routeFile.path)}.`,
    )
  return 0
}

/** Returns what the options of the version lack; null when they have a sunset. */
function assertRetirable(io: Io, routeFile: RouteFile, version: number, now: number): string | null {
  const numbers = versionNumbers(routeFile)
  if (!numbers.includes(version))
    throw new UsageError(`version ${version} is not declared. Declared versions: ${numbers.join(', ')}.`)
  if (!routeFile.rows.some((row) => row.version === version))
    throw new UsageError(`version ${version} has no routes. ${display(io, routeFile.path)} has retired it already.`)
  if (routeFile.rows.every((row) => row.version === version))
    throw new UsageError(`version ${version} is the only version with routes. Declare its successor first.`)
  const sunset = lifeOfVersion(routeFile, version)?.sunset ?? null
  if (sunset === null) {
    const next = numbers.find((number) => number > version && routeFile.rows.some((row) => row.version === number))
    const successor = next === undefined || lifeOfVersion(routeFile, version)?.successor ? '' : `, successor: ${next}`
    return `sunset: '${dateOf(now - (now % 86_400_000))}'${successor}`
  }
  if (sunset > now)
    throw new UsageError(`version ${version} ends on ${dateOf(sunset)}. Retire it then, or change its sunset first.`)
  return null
}

/**
 * Loads the new text from a file beside the route file.
 *
 * @throws UsageError when it does not load, or when another version changes
 */
async function assertOthersUnchanged(io: Io, before: RouteFile, version: number, text: string): Promise<void> {
  const { dir, name, ext } = parse(before.path)
  const beside = join(dir, `.${name}.hv-retire${ext}`)
  const othersOf = ({ rows }: RouteFile): readonly string[] =>
    rows
      .filter((row) => row.version !== version)
      .map(({ version: number, method, path, key, action }) => `${number} ${method} ${path} ${key}#${action}`)
  try {
    writeFileSync(beside, text)
    const { routeFile } = await loadRouteFile(io, beside)
    const [expected, found] = [othersOf(before), othersOf(routeFile)]
    const changed = expected.find((row) => !found.includes(row)) ?? found.find((row) => !expected.includes(row))
    if (changed !== undefined) throw new UsageError(`it would change another version: ${changed}.`)
  } catch (error) {
    const why = (error as Error).message
    throw new UsageError(`${display(io, before.path)} cannot be changed, so nothing was written: ${why}`)
  } finally {
    rmSync(beside, { force: true })
  }
}

function write(io: Io, routeFile: string, { deleted, folded }: RetirePlan, text: string): void {
  const restore = remember([routeFile, ...deleted.map(({ path }) => path), ...folded.map(({ path }) => path)])
  try {
    for (const { path, text: code } of folded) writeFileSync(path, code)
    writeFileSync(routeFile, text)
    for (const { path } of deleted) rmSync(path)
  } catch (error) {
    restore()
    throw new UsageError(`nothing was changed: ${(error as Error).message}`)
  }
  for (const { path } of deleted) removeEmpty(dirname(path))
}

/** Removes a folder that is empty, and the ones around it. */
function removeEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length > 0) return
  rmSync(folder, { recursive: true })
  removeEmpty(dirname(folder))
}
