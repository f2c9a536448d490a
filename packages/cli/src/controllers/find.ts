import { readdirSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { controllerFile, extensions } from '@hv/router/controllers'
import { type Io, UsageError, abridged, display } from '../output.ts'
import { isFile, isFolder } from '../project/files.ts'
import { findRouteFile } from '../route-file/load.ts'

/** A file whose name and place make it a controller: `api/v2/admin/users_controller.ts`. */
export interface ControllerFile {
  readonly version: number
  /** The path inside the version: `admin/users`. */
  readonly key: string
  readonly path: string
}

export interface ControllerFolder {
  /** The folder that contains `v1`, `v2` and so on. An absolute path. */
  readonly root: string
  readonly files: readonly ControllerFile[]
}

const usualPlaces = ['controllers', 'src/controllers', 'app/controllers']
const versionName = /^v([1-9]\d*)$/
const controllerName = new RegExp(`^v\\d+/(.+)_controller\\.(?:${extensions.join('|')})$`)

/**
 * Finds the controllers in the folder that `--controllers` names, or in the usual places: beside
 * the file that `--routes` names, then in the project. Null if there are no controllers by version.
 */
export function findControllers(
  io: Io,
  { controllers: folder, routes }: Partial<Record<'controllers' | 'routes', string>>,
): ControllerFolder | null {
  const beside = routes && dirname(findRouteFile(io, routes))
  const places = folder === undefined ? usualPlaces : [folder]
  const base = [beside ?? io.cwd, io.cwd]
    .flatMap((start) => places.map((place) => resolve(start, place)))
    .find(isFolder)
  if (base === undefined) {
    if (folder === undefined) return null
    throw new UsageError(
      `no such folder: ${folder}. Pass the folder that contains api/v1 with --controllers <folder>.`,
    )
  }
  const roots = [base, ...foldersIn(base).map((name) => join(base, name))].filter((root) =>
    foldersIn(root).some((name) => versionName.test(name)),
  )
  if (roots.length > 1) {
    const names = abridged(roots.map((root) => display(io, root)))
    throw new UsageError(
      `several folders contain versions: ${names}. Choose one with --controllers <folder>.`,
    )
  }
  const [root] = roots
  if (root === undefined) return null
  const files = foldersIn(root).flatMap((name) => {
    const version = versionName.exec(name)
    return version === null ? [] : controllersIn(root, name, Number(version[1]))
  })
  return { root, files }
}

/** A version's controllers: for each, the file that `loadControllers` takes. */
function controllersIn(root: string, folder: string, version: number): readonly ControllerFile[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => isFile(join(root, path)))
  const keys = paths.flatMap((path) => controllerName.exec(path)?.[1] ?? [])
  return [...new Set(keys)].toSorted().map((key) => {
    const path = controllerFile(paths, `${folder}/${key}`)!
    return { version, key, path: join(root, path) }
  })
}

const foldersIn = (path: string): readonly string[] =>
  readdirSync(path).filter((name) => isFolder(join(path, name)))
