import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { addVersion, inheritanceOf } from './add-version.ts'
import { type Io, UsageError, count, paint, print } from './io.ts'
import { findRouteFile, loadRoutes } from './load-routes.ts'
import { type ControllerFile, type ControllerFolder, findControllers } from './sources.ts'
import { subclassOf } from './subclass.ts'

export interface BumpOptions {
  readonly controllers?: string
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly only?: readonly string[]
  readonly to?: number
  /** A route file, or true for the one in the usual place: the new version is written into it. */
  readonly routes?: string | true
}

interface Planned {
  readonly path: string
  readonly text: string
}

/** Writes the next version of every controller of the highest version: all of them, or none. */
export async function bump(io: Io, options: BumpOptions): Promise<number> {
  const folder = findControllers(io, options.controllers)
  if (folder === null || folder.files.length === 0)
    throw new UsageError(
      'no controllers found. They stand in controllers/api/v<n>/<resource>_controller.ts; name another folder with --controllers.',
    )
  const name = (path: string) => relative(io.cwd, path)
  const versions = [...new Set(folder.files.map(({ version }) => version))].toSorted((a, b) => a - b)
  const next = options.to ?? versions.at(-1)! + 1
  const base = next - 1
  const source = folder.files.filter(({ version }) => version === base)
  if (source.length === 0)
    throw new UsageError(`version ${base} has no controllers to start from. There are: ${versions.join(', ')}.`)
  const chosen = choose(source, options.only)
  const planned = chosen.map((file) => planFile(folder, file, next, name))
  refuseClashes(planned, options.force === true, name)

  const routeFile =
    options.routes === undefined ? null : findRouteFile(io, options.routes === true ? undefined : options.routes)
  const loaded = routeFile === null ? null : await loadRoutes(io, routeFile)
  const changed =
    loaded === null
      ? null
      : addVersion(readFileSync(loaded.file, 'utf8'), name(loaded.file), base, next, inheritanceOf(loaded.api, base))

  if (options.dryRun !== true) {
    const putBack = remember([...planned.map(({ path }) => path), ...(loaded === null ? [] : [loaded.file])])
    writeAll(folder, next, planned, name, putBack)
    if (loaded !== null && changed !== null) await changeRoutes(io, loaded.file, changed, putBack)
  }

  const mark = (word: string) => paint(io.out, word === 'skip' ? 'yellow' : 'green', word)
  for (const { path } of planned) print(io, `${mark('create')}  ${name(path)}`)
  const keys = new Set(source.map(({ key }) => key))
  for (const key of new Set(folder.files.map((file) => file.key)))
    if (!keys.has(key)) {
      const last = Math.max(...folder.files.filter((file) => file.key === key).map(({ version }) => version))
      if (last < base) print(io, `${mark('skip')}    ${key}: its last controller is of version ${last}`)
    }
  if (loaded !== null && changed !== null) print(io, `${mark('update')}  ${name(loaded.file)}`)
  const done = options.dryRun === true ? 'would be written' : 'written'
  print(io, `${count(planned.length, 'controller')} of version ${next} ${done}, each extending its version ${base}.`)
  if (loaded === null) print(io, ...(await advise(io, base, next)))
  return 0
}

/** What to write into the route file, as far as it can be found and read. */
async function advise(io: Io, base: number, next: number): Promise<readonly string[]> {
  let inheritance = `inherit({ from: 'v${base}' })`
  const found = await loadRoutes(io, undefined).catch(() => null)
  if (found !== null) {
    const { api, file } = found
    if (api.versions.some(({ name }) => name === next))
      return [`${relative(io.cwd, file)} declares version ${next} already.`]
    try {
      inheritance = inheritanceOf(api, base)
    } catch (error) {
      return ['', `The route file has yet to declare version ${next}: ${(error as Error).message}`]
    }
  }
  return ['', 'Add to the route file:', '', `  version(${next}, ${inheritance}),`, '', 'or let --routes do it.']
}

function choose(files: readonly ControllerFile[], only: readonly string[] | undefined): readonly ControllerFile[] {
  if (only === undefined) return files
  const known = files.map(({ key }) => key)
  const unknown = only.filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw new UsageError(
      `version ${files[0]!.version} has no controller ${unknown.map((key) => `'${key}'`).join(', ')}. It has: ${known.join(', ')}.`,
    )
  return files.filter(({ key }) => only.includes(key))
}

function planFile(
  { root, files }: ControllerFolder,
  file: ControllerFile,
  next: number,
  name: (path: string) => string,
): Planned {
  const neighbours = files.filter(({ version, path }) => version === file.version && path !== file.path)
  return {
    path: join(root, `v${next}`, `${file.key}_controller${extname(file.path)}`),
    text: subclassOf(file, next, neighbours, name),
  }
}

function refuseClashes(planned: readonly Planned[], force: boolean, name: (path: string) => string): void {
  const there = planned.filter(({ path }) => existsSync(path))
  if (there.length > 0 && !force)
    throw new UsageError(
      `nothing was written, because there is already: ${there.map(({ path }) => name(path)).join(', ')}. ` +
        'Write over it with --force, or choose others with --only.',
    )
}

/** Reads what the files hold. Called, it gives them that again, and removes those that were not there. */
function remember(paths: readonly string[]): () => void {
  const absent = paths.filter((path) => !existsSync(path))
  const files = paths.filter((path) => existsSync(path) && statSync(path).isFile())
  const texts = files.map((path) => [path, readFileSync(path)] as const)
  return () => {
    for (const path of absent) if (existsSync(path)) rmSync(path)
    for (const [path, text] of texts) writeFileSync(path, text)
  }
}

/** Everything is written beside its place first, then moved there: a whole version by one rename. */
function writeAll(
  { root }: ControllerFolder,
  next: number,
  planned: readonly Planned[],
  name: (path: string) => string,
  putBack: () => void,
): void {
  const target = join(root, `v${next}`)
  let temporary: string | null = null
  try {
    temporary = mkdtempSync(join(root, '.hv-bump-'))
    for (const { path, text } of planned) {
      const place = join(temporary, relative(target, path))
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, text)
    }
    if (!existsSync(target)) return renameSync(temporary, target)
    for (const { path } of planned) {
      mkdirSync(dirname(path), { recursive: true })
      renameSync(join(temporary, relative(target, path)), path)
    }
  } catch (error) {
    putBack()
    throw new UsageError(`nothing was written to ${name(target)}: ${(error as Error).message}`)
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true })
  }
}

/** Writes the route file; when it cannot be loaded any more, nothing is changed. */
async function changeRoutes(io: Io, file: string, text: string, putBack: () => void): Promise<void> {
  try {
    writeFileSync(file, text)
    await loadRoutes(io, file)
  } catch (error) {
    putBack()
    throw new UsageError(
      `${relative(io.cwd, file)} could not be changed, so nothing was: ${(error as Error).message} Run bump without --routes.`,
    )
  }
}
