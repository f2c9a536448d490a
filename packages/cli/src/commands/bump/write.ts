import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Io, UsageError, display } from '../../output.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { versionNumbers } from '../../route-file/route-file.ts'
import type { Plan } from './plan.ts'

/** Reads what the files hold. The function that it returns restores that, and removes the files that were not there. */
export function remember(paths: readonly string[]): () => void {
  const absent = paths.filter((path) => !existsSync(path))
  const files = paths.filter((path) => existsSync(path) && statSync(path).isFile())
  const texts = files.map((path) => [path, readFileSync(path)] as const)
  return () => {
    for (const path of absent) if (existsSync(path)) rmSync(path)
    for (const [path, text] of texts) writeFileSync(path, text)
  }
}

/**
 * Writes everything beside its place first, then moves it there: a whole version by one rename.
 *
 * @throws UsageError when anything fails; then everything is as it was
 */
export function writeControllers(io: Io, root: string, { files, next }: Plan, restore: () => void): void {
  const target = join(root, `v${next}`)
  let temporary: string | null = null
  try {
    temporary = mkdtempSync(join(root, '.hv-bump-'))
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
    if (!versionNumbers(routeFile).includes(next)) throw new Error(`it does not declare version ${next} then.`)
  } catch (error) {
    restore()
    throw new UsageError(
      `${display(io, path)} could not be changed, so nothing was: ${(error as Error).message} Run bump without --routes.`,
    )
  }
}
