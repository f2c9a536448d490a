import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Io, UsageError, display, listed } from '../output.ts'
import { isFolder } from '../project/files.ts'

/** A controller file, by the naming convention. */
export interface ControllerFile {
  readonly version: number
  /** Inside its version: `users`, `admin/users`. */
  readonly key: string
  readonly path: string
  /** The path without symbolic links, as imports resolve to it. */
  readonly realPath: string
  /** It is in a folder named `base`, which holds what controllers extend. Only a route of a namespace `base` reaches it. */
  readonly isBase: boolean
}

export interface ControllerFolder {
  /** The folder that holds `v1`, `v2`, …; absolute. */
  readonly root: string
  readonly files: readonly ControllerFile[]
}

const usualPlaces = ['controllers', 'src/controllers', 'app/controllers']
const controllerName = /^(.+)_controller\.(?:ts|mts|cts|js|mjs|cjs)$/
const versionName = /^v([1-9]\d*)$/

/** Finds the folder named, or else the first of the usual places. Null when there are no controllers by version. */
export function findControllers(io: Io, named: string | undefined): ControllerFolder | null {
  const folders = (named === undefined ? usualPlaces : [named]).map((folder) =>
    resolve(io.cwd, folder),
  )
  const base = folders.find(isFolder)
  if (base === undefined) {
    if (named === undefined) return null
    throw new UsageError(
      `no such folder: ${named}. Pass the folder that contains api/v1 with --controllers <folder>.`,
    )
  }
  const roots = [base, ...foldersIn(base).map((name) => join(base, name))].filter((folder) =>
    foldersIn(folder).some((name) => versionName.test(name)),
  )
  if (roots.length > 1)
    throw new UsageError(
      `several folders contain versions: ${listed(roots.map((root) => display(io, root)))}. Choose one with --controllers <folder>.`,
    )
  const [root] = roots
  if (root === undefined) return null
  const files = foldersIn(root).flatMap((name) => {
    const version = versionName.exec(name)
    return version === null ? [] : filesIn(join(root, name), '', Number(version[1]))
  })
  return { root, files }
}

/** A link that leads to a folder around it is left out, and so is a link that leads nowhere. */
function filesIn(
  folder: string,
  prefix: string,
  version: number,
  around: readonly string[] = [],
): readonly ControllerFile[] {
  const real = realpathSync(folder)
  if (around.includes(real)) return []
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly ControllerFile[] => {
      const path = join(folder, entry.name)
      if (isFolder(path))
        return filesIn(path, `${prefix}${entry.name}/`, version, [...around, real])
      const [, name] = controllerName.exec(entry.name) ?? []
      if (name === undefined || !existsSync(path)) return []
      const isBase = /(?:^|\/)base\//.test(prefix)
      return [{ version, key: prefix + name, path, realPath: realpathSync(path), isBase }]
    })
}

const foldersIn = (path: string): readonly string[] =>
  readdirSync(path).filter((name) => isFolder(join(path, name)))

/** The class name that belongs to a controller: `admin/line_items` → `LineItemsController`. */
export function classNameOf(key: string): string {
  const words = key.slice(key.lastIndexOf('/') + 1).split(/[_-]/)
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Controller`
}
