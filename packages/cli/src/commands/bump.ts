import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { type ControllerFolder, findControllers } from '../controllers/find.ts'
import { successorOf } from '../controllers/successor.ts'
import { type Io, UsageError, count, display, print, printFiles, printStep } from '../output.ts'
import {
  type Planned,
  allOrNothing,
  assertInside,
  assertNew,
  temporaryBeside,
  writeInside,
} from '../project/files.ts'
import { addVersion, versionCall } from '../route-file/add-version.ts'
import { loadRouteFile, tryRouteFile } from '../route-file/load.ts'
import { parseFile } from '../syntax/parse.ts'
import * as cli from './define.ts'

export const declare = (command: cli.Command) =>
  command.option(...cli.controllersOption).option(...cli.routesOption)

export type BumpOptions = cli.OptionsOf<typeof declare>

/** How bump edits the route file. */
interface Edit {
  /** The file with the new version. It's empty if you have to add the version yourself. */
  readonly files: readonly Planned[]
  /** Why you have to, and what to add. */
  readonly lines: readonly string[]
  readonly exitCode: 0 | 1
}

/**
 * Writes the next version of every controller of the highest version, and adds it to the route
 * file.
 */
export async function run(io: Io, options: BumpOptions): Promise<number> {
  const folder = findControllers(io, options)
  if (folder === null || folder.files.length === 0) return bumpRouteFile(io, options)
  const base = Math.max(...folder.files.map(({ version }) => version))
  const next = base + 1
  const target = join(folder.root, `v${next}`)
  const root = resolve(io.cwd, options.controllers ?? '')
  const files: Planned[] = []
  const skipped: string[] = []
  for (const file of folder.files) {
    if (file.version !== base) continue
    const source = parseFile(file.path)
    const path = join(target, `${file.key}_controller${extname(file.path)}`)
    if ('why' in source) skipped.push(`${display(io, file.path)}:${source.line}: ${source.why}`)
    else files.push({ root, path, text: successorOf(source, file, path) })
  }
  // Without controllers, an app wouldn't start with the new version.
  const edit = files.length === 0 ? null : await planEdit(io, options, base)
  if (edit !== null) writeVersion(io, target, files, edit.files)

  printFiles(io, 'create', files)
  for (const text of skipped) printStep(io, 'yellow', 'skip  ', text)
  if (edit === null) {
    print(io, `Wrote nothing, because no controller of version ${base} can be parsed.`)
    return 1
  }
  printFiles(io, 'update', edit.files)
  const written = `Wrote ${count(files.length, 'controller')} for version ${next}`
  if (skipped.length === 0) print(io, `${written}, with everything in version ${base}.`)
  else print(io, `${written}, which also needs those that were skipped. Write them yourself.`)
  print(io, `Unless your app uses loadControllers, add them where it lists version ${base}'s.`)
  print(io, ...edit.lines)
  printDerivation(io, folder, base)
  return skipped.length > 0 ? 1 : edit.exitCode
}

/** Only adds a version to the route file, because the project has no controllers folder. */
async function bumpRouteFile(io: Io, options: BumpOptions): Promise<number> {
  const { settings } = await loadRouteFile(io, options.routes)
  const base = settings.versions.at(-1)!
  const edit = await planEdit(io, options, base)
  edit.files.forEach(writeInside)
  printFiles(io, 'update', edit.files)
  print(io, ...edit.lines)
  print(
    io,
    `Add its controllers to what you pass to createRouter or forRoot: ${base + 1}: { ...v${base} }. Or move version ${base}'s code to version ${base + 1}, and export before(…) in its place.`,
  )
  return edit.exitCode
}

/**
 * Adds the version after `base` to the route file's text, and loads the result, so that bump never
 * writes a route file that doesn't load.
 */
async function planEdit(io: Io, { routes }: BumpOptions, base: number): Promise<Edit> {
  const next = base + 1
  try {
    const routeFile = await loadRouteFile(io, routes)
    const { path, name, settings } = routeFile
    if (settings.versions.includes(next))
      return byHand(
        `${name} already declares version ${next}. With everything in version ${base}, it would be:`,
        next,
      )
    const root = routes === undefined ? io.cwd : dirname(path)
    assertInside(root, path)
    const edit = { root, path, text: addVersion(routeFile, base) }
    await tryRouteFile(io, edit)
    return { files: [edit], lines: [], exitCode: 0 }
  } catch (error) {
    // Its folder is read-only, for example.
    const isUnwritable = error instanceof Error && 'syscall' in error
    if (!(error instanceof UsageError || isUnwritable)) throw error
    const why = error.message.replace(/\.$/, '')
    const reason = `Version ${next} isn't in the route file yet: ${why}. Add it yourself:`
    return byHand(reason, next, isUnwritable ? 1 : 0)
  }
}

const byHand = (reason: string, version: number, exitCode: Edit['exitCode'] = 0): Edit => ({
  files: [],
  lines: ['', ...reason.split('\n'), '', `  ${versionCall(version)},`],
  exitCode,
})

/**
 * If older versions are already derived from newer ones, explains how to derive `base` from the new
 * version as well.
 */
function printDerivation(io: Io, { files }: ControllerFolder, base: number): void {
  const usesBefore = /\bbefore\b[^;'"`]*?(?:from|require\()\s*['"]@hv\/router-\w+['"]/
  const derived = files.find(({ path }) => usesBefore.test(readFileSync(path, 'utf8')))
  if (derived === undefined) return
  print(
    io,
    `Version ${derived.version} is derived with before(). To derive version ${base} from version ${base + 1} in the same way, move version ${base}'s code to version ${base + 1}, and export before(…) in its place.`,
  )
}

/**
 * Writes a version's controllers and the route file, or nothing. If the version has no folder yet,
 * the files go into a temporary folder, which is then renamed, so that nobody sees half of a
 * version.
 */
function writeVersion(
  io: Io,
  target: string,
  files: readonly Planned[],
  updated: readonly Planned[],
): void {
  assertNew(io, files)
  assertInside(files[0]!.root, target)
  allOrNothing(`nothing was written to ${display(io, target)}`, [...files, ...updated], () => {
    const isNew = !existsSync(target)
    const folder = isNew ? temporaryBeside(target) : target
    try {
      for (const file of files)
        writeInside({ ...file, path: join(folder, relative(target, file.path)) })
      if (isNew) renameSync(folder, target)
    } finally {
      if (isNew) rmSync(folder, { recursive: true, force: true })
    }
    for (const file of updated) writeInside(file)
  })
}
