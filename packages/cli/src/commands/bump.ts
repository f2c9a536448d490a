import { existsSync, renameSync, rmSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { type Controller, type Controllers, isController } from '../controllers/controllers.ts'
import type { ControllerFile } from '../controllers/find.ts'
import { importersOf, movedText } from '../controllers/imports.ts'
import { derivedFrom, successorOf } from '../controllers/successor.ts'
import { type Io, UsageError, count, display, print, printStep } from '../output.ts'
import { type Planned, allOrNothing, temporaryBeside, writeInside } from '../project/files.ts'
import { addVersion, cachesOf } from '../route-file/add-version.ts'
import { loadRouteFile, tryRouteFile } from '../route-file/load.ts'
import { versionCall } from '../route-file/source.ts'
import type { Place } from '../syntax/parse.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .option(...cli.controllersOption)
    .option('--only <controllers>', 'only these: users,admin/teams', cli.parseList)
    .option(
      '--to <version>',
      'the version to write (default: one above the highest)',
      cli.parseVersion,
    )
    .option('--routes [file]', 'also add the version to the route file')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--force', 'overwrite existing files')

export type BumpOptions = cli.OptionsOf<typeof declare>
export const define: cli.Define = (command, run) =>
  declare(command).action((options) => run((io) => bump(io, options)))

interface BumpPlan {
  readonly base: number
  readonly next: number
  readonly files: readonly NextFile[]
  /** Controllers that only older versions have, with the last of these. */
  readonly skipped: ReadonlyMap<string, number>
}

/** A file of the new version. */
interface NextFile extends Planned {
  /** The file of the base version, and its controller. */
  readonly file: ControllerFile
  readonly controller: Controller
  /** The new text of that file, if it's derived from the new version from now on. */
  readonly derived: string | null
}

/** Writes the next version of every controller of the highest version: all of them, or none. */
async function bump(io: Io, options: BumpOptions): Promise<number> {
  const isDryRun = options.dryRun === true
  const controllers = await cli.openControllers(io, options.controllers)
  if (controllers === null || controllers.folder.files.length === 0)
    throw new UsageError(
      'no controllers found. Put them in controllers/api/v<n>/<resource>_controller.ts, or pass another folder with --controllers <folder>.',
    )
  const plan = planVersion(io, controllers, options)
  const edit = options.routes === undefined ? null : await planRouteFile(io, options.routes, plan)
  // Last of all: another bump may have written the version while the route file was loaded.
  const existing = plan.files.map(({ path }) => path).filter((path) => existsSync(path))
  if (options.force !== true && existing.length > 0)
    throw new UsageError(
      `nothing was written, because these files exist: ${existing.map((path) => display(io, path)).join(', ')}. ` +
        'Overwrite them with --force, or choose others with --only.',
    )
  const derived = plan.files.flatMap(({ file, derived: text }) =>
    text === null ? [] : [{ path: file.path, text }],
  )
  const updated = [...derived, ...(edit === null ? [] : [edit])]
  const isFunctionNow = ({ derived: text, controller }: NextFile) =>
    text !== null && controller.kind === 'class'
  const functions = plan.files.filter(isFunctionNow).map(({ file }) => file)
  const importers = importersOf(io, controllers, functions)
  if (!isDryRun) write(io, join(controllers.folder.root, `v${plan.next}`), plan.files, updated)

  for (const { path } of plan.files)
    printStep(io, existing.includes(path) ? 'update' : 'create', display(io, path))
  for (const [key, version] of plan.skipped)
    printStep(io, 'skip', `${key}: its latest controller is in version ${version}`, 'yellow')
  for (const { path } of updated) printStep(io, 'update', display(io, path))
  for (const { path, imported } of importers)
    printStep(
      io,
      'edit',
      `${display(io, path)} imports ${display(io, imported)}, which is a function now`,
      'yellow',
    )
  const rest =
    derived.length === 0
      ? `, extending version ${plan.base}.`
      : `. Version ${plan.base} is derived from it: describe in its files what changes.`
  const done = isDryRun ? 'Would write' : 'Wrote'
  print(io, `${done} ${count(plan.files.length, 'controller')} for version ${plan.next}${rest}`)
  if (edit === null) print(io, ...(await advise(io, plan, isDryRun)))
  const nest = plan.files.filter(
    ({ controller }) => controller.kind === 'class' && controller.value.isNest,
  )
  if (nest.length > 0)
    print(
      io,
      '',
      `Add to your Nest module, in controllers and as version ${plan.next} in forRoot:`,
      '',
    )
  for (const { file, path, text } of nest)
    print(io, `  ${file.key}: ${/\bclass (\w+)/.exec(text)![1]} from ${display(io, path)}`)
  return 0
}

function planVersion(io: Io, controllers: Controllers, options: BumpOptions): BumpPlan {
  const { folder, modules, source } = controllers
  const files = folder.files
    .filter(({ isBase }) => !isBase)
    .toSorted((a, b) => a.version - b.version)
  const versions = [...new Set(files.map(({ version }) => version))]
  const next = options.to ?? versions.at(-1)! + 1
  const base = next - 1
  const all = files.filter(({ version }) => version === base)
  if (all.length === 0)
    throw new UsageError(
      `version ${base} has no controllers to start from. Versions with controllers: ${versions.join(', ')}.`,
    )
  const adapter = adapterOfBefore(files.map((file) => source(file)?.text ?? ''))
  const chosen = choose(all, options.only)
  const pathOf = (file: ControllerFile): string =>
    join(folder.root, `v${next}`, `${file.key}_controller${extname(file.path)}`)
  const moved = new Map(chosen.map((file) => [file.realPath, pathOf(file)]))
  const planned = chosen.map((file) => {
    const path = pathOf(file)
    const neighbours = all.filter((other) => other !== file).flatMap((other) => source(other) ?? [])
    const refuse = (why: string, place: Place = { path: file.path, line: 1 }): never => {
      const [name, written] = [display(io, file.path), display(io, place.path)]
      const at =
        written === name ? `${name}:${place.line}` : `${name} (see ${written}:${place.line})`
      throw new UsageError(`${at} cannot be extended: ${why}. Nothing was written.`)
    }
    const controller = controllers.read(file)
    if (controller === null)
      return refuse(
        'it exports no controller. Export one: export class UsersController { … }, as default, or by module.exports',
      )
    if (!isController(controller)) return refuse(controller.why, controller.place)
    const wanted = { file, controller, path, next, neighbours, refuse }
    const text =
      adapter === null ? successorOf(wanted) : movedText(controller.file, path, moved, modules)
    return {
      path,
      text,
      file,
      controller,
      derived: adapter === null ? null : derivedFrom(wanted, adapter),
    }
  })
  const kept = new Set(files.filter(({ version }) => version >= base).map(({ key }) => key))
  const skipped = new Map(
    files.filter(({ key }) => !kept.has(key)).map(({ key, version }) => [key, version]),
  )
  return { base, next, files: planned, skipped }
}

/** The adapter whose `before` derives controllers of this project; null when none is derived. */
const adapterOfBefore = (texts: readonly string[]): string | null =>
  /\bbefore\b[^;'"`]*?(?:from|require\()\s*['"](@hv\/router-\w+)['"]/.exec(texts.join('\n'))?.[1] ??
  null

function choose(
  files: readonly ControllerFile[],
  only: readonly string[] | undefined,
): readonly ControllerFile[] {
  if (only === undefined) return files
  const keys = files.map(({ key }) => key)
  const unknown = only.filter((key) => !keys.includes(key)).map((key) => `'${key}'`)
  if (unknown.length > 0)
    throw new UsageError(
      `version ${files[0]!.version} has no controller ${unknown.join(', ')}. It has: ${keys.join(', ')}.`,
    )
  return files.filter(({ key }) => only.includes(key))
}

async function planRouteFile(
  io: Io,
  named: string | true,
  { base, next }: BumpPlan,
): Promise<Planned> {
  const { routeFile } = await loadRouteFile(io, named === true ? undefined : named)
  const { path } = routeFile
  const edit = {
    path,
    text: addVersion(routeFile, display(io, path), base, next, cachesOf(routeFile, base)),
  }
  await tryRouteFile(
    io,
    edit,
    'Add the version yourself, and run bump without --routes.',
    (edited) => {
      if (!edited.settings.versions.includes(next))
        throw new UsageError(`it would not declare version ${next}`)
    },
  )
  return edit
}

/** What to write into the route file, as far as it can be found and read. */
async function advise(
  io: Io,
  { base, next }: BumpPlan,
  isDryRun: boolean,
): Promise<readonly string[]> {
  const loaded = await loadRouteFile(io, undefined).catch(() => null)
  if (loaded?.routeFile.settings.versions.includes(next) === true)
    return [`${display(io, loaded.routeFile.path)} declares version ${next} already.`]
  try {
    const caches = loaded === null ? [`v${base}`] : cachesOf(loaded.routeFile, base)
    const advice = ['', 'Add to the route file:', '', `  ${versionCall(next, caches)},`]
    return isDryRun ? [...advice, '', 'or let --routes do it.'] : advice // a second run writes the version after this one
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return ['', `The route file has yet to declare version ${next}: ${error.message}`]
  }
}

function write(
  io: Io,
  target: string,
  files: readonly Planned[],
  updated: readonly Planned[],
): void {
  const paths = [...files, ...updated].map(({ path }) => path)
  allOrNothing(`nothing was written to ${display(io, target)}`, paths, () => {
    writeVersion(io, target, files)
    for (const file of updated) writeInside(io.cwd, file)
  })
}

/** A whole version appears with one rename. */
function writeVersion({ cwd }: Io, target: string, files: readonly Planned[]): void {
  if (existsSync(target)) return files.forEach((file) => writeInside(cwd, file))
  const temporary = temporaryBeside(target)
  try {
    for (const { path, text } of files)
      writeInside(cwd, { path: join(temporary, relative(target, path)), text })
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
