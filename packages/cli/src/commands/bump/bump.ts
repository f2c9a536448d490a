import { existsSync } from 'node:fs'
import { type Io, UsageError, count, display, paint, print } from '../../output.ts'
import { cachesOf, inheritCall } from '../../route-file/inheritance.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { versionNumbers } from '../../route-file/route-file.ts'
import { openControllers } from '../context.ts'
import type { BumpOptions } from './command.ts'
import { type BumpPlan, planVersion, refuseExisting } from './plan.ts'
import { remember, writeControllers, writeRouteFile } from './write.ts'

interface RouteFileEdit {
  readonly path: string
  readonly text: string
}

/** Writes the next version of every controller of the highest version: all of them, or none. */
export async function bump(io: Io, options: BumpOptions): Promise<number> {
  const controllers = await openControllers(io, options.controllers)
  const plan = planVersion(io, controllers, options)
  const { folder } = controllers!
  const edit = options.routes === undefined ? null : await planRouteFile(io, options.routes, plan)
  // Last of all: another bump may have written the version while the route file was loaded.
  if (options.force !== true) refuseExisting(io, plan)

  const existing = new Set(plan.files.map(({ path }) => path).filter((path) => existsSync(path)))
  if (options.dryRun !== true) {
    const restore = remember([...plan.files.map(({ path }) => path), ...(edit === null ? [] : [edit.path])])
    writeControllers(io, folder.root, plan, restore)
    if (edit !== null) await writeRouteFile(io, edit.path, edit.text, plan.next, restore)
  }

  const mark = (word: string): string => paint(io.out, word === 'skip' ? 'yellow' : 'green', word)
  for (const { path } of plan.files)
    print(io, `${mark(existing.has(path) ? 'update' : 'create')}  ${display(io, path)}`)
  for (const { key, version } of lastOfOthers(folder.files, plan))
    print(io, `${mark('skip')}    ${key}: its latest controller is in version ${version}`)
  if (edit !== null) print(io, `${mark('update')}  ${display(io, edit.path)}`)
  const done = options.dryRun === true ? 'would be written' : 'written'
  const counted = count(plan.files.length, 'controller')
  print(io, `${counted} of version ${plan.next} ${done}, each extending its version ${plan.base}.`)
  if (edit === null) print(io, ...(await advise(io, plan, options.dryRun === true)))
  return 0
}

/** Controllers that the base version does not have, with the last version that does. */
function lastOfOthers(
  files: readonly { readonly key: string; readonly version: number }[],
  { source, base }: BumpPlan,
): readonly { readonly key: string; readonly version: number }[] {
  const keys = new Set(source.map(({ key }) => key))
  const last = new Map<string, number>()
  for (const { key, version } of files) last.set(key, Math.max(version, last.get(key) ?? 0))
  return [...last].flatMap(([key, version]) => (keys.has(key) || version >= base ? [] : [{ key, version }]))
}

async function planRouteFile(io: Io, named: string | true, { base, next }: BumpPlan): Promise<RouteFileEdit> {
  const { routeFile } = await loadRouteFile(io, named === true ? undefined : named)
  const { addVersion } = await import('../../route-file/add-version.ts')
  const { path } = routeFile
  return { path, text: addVersion(routeFile, display(io, path), base, next, cachesOf(routeFile, base)) }
}

/** What to write into the route file, as far as it can be found and read. */
async function advise(io: Io, { base, next }: BumpPlan, isDryRun: boolean): Promise<readonly string[]> {
  let inheritance = inheritCall([`v${base}`])
  const loaded = await loadRouteFile(io, undefined).catch(() => null)
  if (loaded !== null) {
    const { routeFile } = loaded
    if (versionNumbers(routeFile).includes(next))
      return [`${display(io, routeFile.path)} declares version ${next} already.`]
    try {
      inheritance = inheritCall(cachesOf(routeFile, base))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return ['', `The route file has yet to declare version ${next}: ${error.message}`]
    }
  }
  const advice = ['', 'Add to the route file:', '', `  version(${next}, ${inheritance}),`]
  return isDryRun ? [...advice, '', 'or let --routes do it.'] : advice // a second run writes the version after this one
}
