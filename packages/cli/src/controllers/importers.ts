import { readFileSync, realpathSync } from 'node:fs'
import type { Io } from '../output.ts'
import { sourcesBelow } from '../project/files.ts'
import { localImports } from '../syntax/imports.ts'
import type { Controllers } from './controllers.ts'
import type { ControllerFile } from './find.ts'
import { importedFile } from './move.ts'

/** The files of a project, besides some controllers, that import one of some others. */
export function importersOf(
  io: Io,
  { modules }: Controllers,
  imported: readonly ControllerFile[],
  except: readonly ControllerFile[],
): readonly { readonly path: string; readonly imported: string }[] {
  if (imported.length === 0) return []
  const paths = new Map(imported.map(({ realPath, path }) => [realPath, path]))
  const left = new Set(except.map(({ realPath }) => realPath))
  return sourcesBelow(io.cwd).flatMap((path) => {
    if (left.has(realpathSync(path)) || !readFileSync(path, 'utf8').includes('_controller')) return []
    const source = modules.read(path)
    if ('why' in source) return []
    const targets = localImports(source).map(({ specifier }) =>
      paths.get(importedFile(modules, source, specifier) ?? ''),
    )
    return [...new Set(targets)].flatMap((target) => (target === undefined ? [] : [{ path, imported: target }]))
  })
}
