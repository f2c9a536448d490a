import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type Io, UsageError, display } from '../output.ts'

/** A file to write. */
export interface Planned {
  /**
   * The folder that it has to be in: the project's, or one that the user typed: `--out ../docs`.
   */
  readonly root: string
  readonly path: string
  readonly text: string
}

/**
 * Whether a path is a folder, or a link to one. `existsSync` comes first, because `statSync` throws
 * for links that form a circle.
 */
export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** Returns an unused path in the same folder, for a temporary file. */
export const temporaryBeside = (path: string, extension = ''): string =>
  join(dirname(path), `.hv-${randomUUID()}${extension}`)

/**
 * Writes a file beside its place, then renames it, so that nobody reads half of it. Every command
 * writes with this function, because a repository can contain links. With `writeFileSync`, a link
 * in the place of the file, or of a folder above it, could lead the write out of `root`.
 *
 * @throws UsageError if the file is a link, or isn't really inside `root`
 */
export function writeInside({ root, path, text }: Planned): void {
  assertInside(root, path)
  const temporary = temporaryBeside(path)
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o666
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode })
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Throws what `writeInside` would throw, before anything else is written. */
export function assertInside(root: string, path: string): void {
  const name = display({ cwd: root }, path)
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new UsageError(`${name} is a symbolic link. Replace it with a file.`)
  const place = relative(realPlace(root), realPlace(dirname(path)))
  if (isAbsolute(place) || place.split(sep)[0] === '..')
    throw new UsageError(
      `${name} isn't inside the project, because a symbolic link leads out of it. Replace the link with a folder.`,
    )
}

/** Resolves a path's links, as `realpathSync` does, but the path doesn't have to exist yet. */
const realPlace = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? join(realPlace(dirname(path)), basename(path))
    : realpathSync(path)

/** Throws if one of these files exists. Commands that create files don't overwrite any. */
export function assertNew(io: Io, files: readonly Planned[], remedy = ''): void {
  const existing = files.filter(({ path }) => existsSync(path))
  if (existing.length === 0) return
  const names = existing.map(({ path }) => display(io, path)).join(', ')
  throw new UsageError(`nothing was written, because these files exist: ${names}.${remedy}`)
}

/**
 * Changes all of these files or none. If `change` throws, the files' old contents are restored, and
 * new files and folders are removed.
 */
export function allOrNothing(failure: string, files: readonly Planned[], change: () => void): void {
  const paths = files.map(({ path }) => path)
  const absent = paths.filter((path) => !existsSync(path))
  const texts = paths.filter(isFile).map((path) => [path, readFileSync(path)] as const)
  try {
    change()
  } catch (error) {
    for (const [path, text] of texts)
      if (!text.equals(readFileSync(path))) writeFileSync(path, text) // it may be read-only
    for (const path of absent) if (existsSync(path)) rmSync(path)
    for (const path of absent) removeEmpty(dirname(path))
    throw new UsageError(`${failure}: ${(error as Error).message}`)
  }
}

/** Removes a folder if it's empty, then its parent if that's empty now, and so on. */
function removeEmpty(folder: string): void {
  if (!isFolder(folder) || lstatSync(folder).isSymbolicLink()) return
  if (readdirSync(folder).length > 0) return
  rmdirSync(folder)
  removeEmpty(dirname(folder))
}
