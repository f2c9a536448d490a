import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Io, UsageError, display } from '../../output.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { versionNumbers } from '../../route-file/route-file.ts'
import type { BumpPlan } from './plan.ts'

/** Reads the files. The function that it returns restores them, and removes the files and folders that are new. */
export function remember(paths: readonly string[]): () => void {
  const absent = paths.filter((path) => !existsSync(path))
  const files = paths.filter((path) => existsSync(path) && statSync(path).isFile())
  const newFolders = [...new Set(absent.flatMap(absentFolders))].toSorted((a, b) => b.length - a.length)
  const texts = files.map((path) => [path, readFileSync(path)] as const)
  return () => {
    for (const path of absent) if (existsSync(path)) rmSync(path)
    for (const folder of newFolders)
      if (existsSync(folder) && statSync(folder).isDirectory() && readdirSync(folder).length === 0) rmdirSync(folder)
    for (const [path, text] of texts) writeFileSync(path, text)
  }
}

/** The folders around a path that do not exist. */
function absentFolders(path: string): readonly string[] {
  const folder = dirname(path)
  return existsSync(folder) ? [] : [folder, ...absentFolders(folder)]
}

/**
 * Writes everything to temporary paths, then renames: a whole version appears with one rename.
 *
 * @throws UsageError when anything fails; then everything is as it was
 */
export function writeControllers(io: Io, root: string, { files, next }: BumpPlan, restore: () => void): void {
  const target = join(root, `v${next}`)
  let temporary: string | null = null
  try {
    // mkdtemp would make a folder that only its owner can read.
    temporary = join(root, `.hv-bump-${randomUUID()}`)
    mkdirSync(temporary)
    for (const { path, text } of files) {
      const beside = join(temporary, relative(target, path))
      mkdirSync(dirname(beside), { recursive: true })
      writeFileSync(beside, text)
    }
    if (!existsSync(target)) return renameSync(temporary, target)
    for (const { path } of files) {
      mkdirSync(dirname(path), { recursive: true })
      renameSync(join(temporary, relative(target, path)), path)
    }
  } catch (error) {
    restore()
    throw new UsageError(`nothing was written to ${display(io, target)}: ${(error as Error).message}`)
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true })
  }
}

/**
 * Writes the route file, and loads it to see the new version.
 *
 * @throws UsageError when it does not load any more; then everything is as it was
 */
export async function writeRouteFile(
  io: Io,
  path: string,
  text: string,
  next: number,
  restore: () => void,
): Promise<void> {
  try {
    writeFileSync(path, text)
    const { routeFile } = await loadRouteFile(io, path)
    if (!versionNumbers(routeFile).includes(next))
      throw new Error(`with the change it does not declare version ${next}`)
  } catch (error) {
    restore()
    const why = (error as Error).message.replace(/\.$/, '')
    throw new UsageError(
      `${display(io, path)} could not be changed, so nothing was written: ${why}. ` +
        'Add the version yourself, and run bump without --routes.',
    )
  }
}
