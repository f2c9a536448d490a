import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Io, UsageError } from '../output.ts'

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const usualPlaces = ['src/routes', 'routes', 'app/routes', 'src/api/routes', 'config/routes']

/**
 * Finds the route file: the one named, else the first of the usual places.
 *
 * @throws UsageError when there is none
 */
export function findRouteFile({ cwd }: Io, named: string | undefined): string {
  if (named !== undefined) {
    const path = resolve(cwd, named)
    if (!isFile(path)) throw new UsageError(`no such file: ${named}. Pass the route file with --routes <file>.`)
    return path
  }
  const found = usualPlaces
    .flatMap((place) => extensions.map((extension) => resolve(cwd, `${place}.${extension}`)))
    .find(isFile)
  if (found === undefined)
    throw new UsageError(
      `no route file found. Looked for ${usualPlaces.join(', ')} with .ts, .js and the like. Pass yours with --routes <file>.`,
    )
  return found
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
