import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Controllers } from '../../controllers/controllers.ts'
import type { ControllerFile } from '../../controllers/find.ts'
import { CannotFold } from '../../controllers/fold/cannot-fold.ts'
import { fold } from '../../controllers/fold/fold.ts'
import { type Modules, createModules } from '../../modules/modules.ts'
import { type Io, UsageError, display } from '../../output.ts'
import { lineOf, localImports } from '../../syntax/imports.ts'
import { SyntaxFault, parseFile } from '../../syntax/parse.ts'

/** What happens to the controllers of a version. */
export interface RetirePlan {
  readonly deleted: readonly ControllerFile[]
  /** A controller of a later version, with the code of the one that it extended. */
  readonly folded: readonly { readonly path: string; readonly text: string }[]
  /** Files besides the controllers that import a deleted one. */
  readonly importers: readonly { readonly path: string; readonly imported: string }[]
}

/**
 * Plans how the controllers of a version are deleted. One that a later version extends is moved into that version.
 *
 * @throws UsageError when a controller cannot be moved
 */
export function planRetirement(io: Io, controllers: Controllers | null, version: number): RetirePlan {
  const files = controllers?.folder.files ?? []
  const deleted = files.filter((file) => file.version === version)
  const modules = createModules()
  const folded = controllers === null ? [] : foldDeleted(io, controllers, version, modules)
  return { deleted, folded, importers: importersOf(io, deleted, files, modules) }
}

/** Moves the code of each deleted controller that another version needs into the controller that imports it. */
function foldDeleted(io: Io, controllers: Controllers, version: number, modules: Modules): RetirePlan['folded'] {
  const { files } = controllers.folder
  const importsOf = new Map(
    files.map((file) => {
      const source = controllers.source(file)
      return [
        file,
        source === null ? new Set<string>() : targetsOf(modules, file.realPath, localImports(source)),
      ] as const
    }),
  )
  const lineOfImport = (importer: ControllerFile, imported: ControllerFile): number =>
    lineOf(controllers.source(importer)!, (specifier) =>
      targetsOf(modules, importer.realPath, [specifier]).has(imported.realPath),
    )

  /** The controllers whose code is needed: those of other versions, and what they import, directly or not. */
  const kept = new Set(files.filter((file) => file.version !== version))
  for (const importer of kept)
    // the loop adds to the set
    for (const file of files) if (importsOf.get(importer)!.has(file.realPath)) kept.add(file)

  return files.flatMap((file) => {
    if (file.version !== version) return []
    const importers = [...kept].filter((other) => importsOf.get(other)!.has(file.realPath))
    const [importer, ...others] = importers
    if (importer === undefined) return []
    if (others.length > 0 || importer.version === version) {
      const all = importers.map((one) => `${display(io, one.path)}:${lineOfImport(one, file)}`).join(' and ')
      const verb = others.length > 0 ? 'import' : 'imports'
      throw new UsageError(
        `${all} ${verb} ${display(io, file.path)}, so its code cannot be moved. Nothing was changed. ` +
          `Let one controller of a later version import it, and the others that one; or move the code that they share into a file of its own.`,
      )
    }
    return [{ path: importer.path, text: foldInto(io, controllers, importer, file, modules) }]
  })
}

/** The files of the project besides the controllers that import a deleted one. */
function importersOf(
  io: Io,
  deleted: readonly ControllerFile[],
  files: readonly ControllerFile[],
  modules: Modules,
): RetirePlan['importers'] {
  const deletedPaths = new Map(deleted.map(({ realPath, path }) => [realPath, path]))
  const controllerPaths = new Set(files.map(({ realPath }) => realPath))
  return sourcesBelow(io.cwd).flatMap((path) => {
    if (controllerPaths.has(realpathSync(path)) || !readFileSync(path, 'utf8').includes('_controller')) return []
    const source = modules.read(path)
    if ('why' in source) return []
    const targets = [...targetsOf(modules, path, localImports(source))]
    return targets.flatMap((target) => {
      const imported = deletedPaths.get(target)
      return imported === undefined ? [] : [{ path, imported }]
    })
  })
}

/** The files that some imports of a file resolve to. */
function targetsOf(modules: Modules, path: string, specifiers: readonly string[]): ReadonlySet<string> {
  return new Set(
    specifiers.flatMap((specifier) => {
      const found = modules.resolve(path, specifier)
      return typeof found === 'string' ? [] : [found.path]
    }),
  )
}

function foldInto(
  io: Io,
  controllers: Controllers,
  importer: ControllerFile,
  file: ControllerFile,
  modules: Modules,
): string {
  try {
    const isParent = (specifier: string): boolean => {
      const found = modules.resolve(importer.realPath, specifier)
      return typeof found !== 'string' && found.path === file.realPath
    }
    const text = fold(controllers.source(importer)!, controllers.source(file)!, isParent)
    parseFile(importer.path, text)
    return text
  } catch (error) {
    if (!(error instanceof CannotFold) && !(error instanceof SyntaxFault)) throw error
    throw new UsageError(
      `${display(io, file.path)} cannot be moved into ${display(io, importer.path)}: ${error.message} ` +
        `(${display(io, error.place.path)}:${error.place.line}). Nothing was changed. ` +
        'Change that line, or move the code by hand, and retire the version again.',
    )
  }
}

/** The source files of a project. */
function sourcesBelow(folder: string, found: string[] = []): readonly string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || ['node_modules', 'dist', 'build', 'coverage'].includes(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) sourcesBelow(path, found)
    else if (/\.[mc]?[jt]s$/.test(entry.name) && existsSync(path)) found.push(path)
  }
  return found
}
