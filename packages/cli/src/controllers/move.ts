import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import MagicString from 'magic-string'
import { localImports } from '../syntax/imports.ts'
import type { SourceFile } from '../syntax/parse.ts'
import type { Modules } from './modules.ts'

/** The real paths of files that an import leads to. */
export const importedFile = (modules: Modules, { path }: SourceFile, specifier: string): string | null => {
  const found = modules.resolve(path, specifier)
  return typeof found === 'string' ? null : found.path
}

/**
 * The text of a file at another place, or at the same place when others move: its imports lead to the same files as before.
 *
 * @param moved - the new path of each file that moves, by its real path
 */
export function movedText(
  source: SourceFile,
  to: string,
  moved: ReadonlyMap<string, string>,
  modules: Modules,
): string {
  const text = new MagicString(source.text)
  for (const { specifier, node } of localImports(source)) {
    const target = moved.get(importedFile(modules, source, specifier) ?? '')
    if (target === undefined && (!specifier.startsWith('.') || to === source.path)) continue
    const stays = resolve(dirname(source.path), specifier)
    const written = target === undefined ? stays : join(dirname(target), basename(stays))
    text.update(node.start + 1, node.end - 1, importPath(dirname(to), written))
  }
  return text.toString()
}

/** A path as a file in a folder imports it. */
export function importPath(folder: string, path: string): string {
  const written = relative(folder, path).split(sep).join('/')
  return written.startsWith('.') ? written : `./${written}`
}
