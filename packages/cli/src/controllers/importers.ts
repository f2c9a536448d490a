import { readFileSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Io, display } from '../output.ts'
import { sourcesBelow } from '../project/files.ts'
import { localImports } from '../syntax/imports.ts'
import type { Controllers } from './controllers.ts'
import type { ControllerFile } from './find.ts'
import { importedFile } from './move.ts'

/** The files of a project, besides some controllers, that import one of some others; and its map, as `map` writes it. */
export function importersOf(
  io: Io,
  { modules, folder }: Controllers,
  imported: readonly ControllerFile[],
  except: readonly ControllerFile[],
): readonly { readonly path: string; readonly imported: string }[] {
  if (imported.length === 0) return []
  const paths = new Map(imported.map(({ realPath, path }) => [realPath, path]))
  const left = new Set(except.map(({ realPath }) => realPath))
  const map = mapOf(folder.root)
  return sourcesBelow(io.cwd).flatMap((path) => {
    if (path === map || left.has(realpathSync(path)) || !readFileSync(path, 'utf8').includes('_controller')) return []
    const source = modules.read(path)
    if ('why' in source) return []
    const targets = localImports(source).map(({ specifier }) =>
      paths.get(importedFile(modules, source, specifier) ?? ''),
    )
    return [...new Set(targets)].flatMap((target) => (target === undefined ? [] : [{ path, imported: target }]))
  })
}

export const mapHeader = '// Written by hv-router map. To write it again: npx hv-router map --force'

/** The file that `map` has written beside the controllers. */
function mapOf(root: string): string | undefined {
  const folder = dirname(root)
  return readdirSync(folder)
    .filter((name) => /^map\.[mc]?[jt]s$/.test(name))
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path, 'utf8').startsWith(mapHeader))
}

/** A line that says that the map has to be written again; none without a map. */
export function staleMap(io: Io, root: string): readonly string[] {
  const map = mapOf(root)
  return map === undefined ? [] : [`${display(io, map)} is out of date. Write it again: npx hv-router map --force`]
}
