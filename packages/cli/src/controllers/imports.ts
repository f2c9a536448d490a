// The imports between the files of a project: what they lead to, and how they are written.
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import MagicString from 'magic-string'
import type { StringLiteral } from 'oxc-parser'
import type { Io } from '../output.ts'
import { sourcesBelow } from '../project/files.ts'
import { compilerOptionsFor, importExtension } from '../project/tsconfig.ts'
import { type Node, walk } from '../syntax/nodes.ts'
import { type SourceFile, isCommonJs } from '../syntax/parse.ts'
import type { Controllers } from './controllers.ts'
import type { ControllerFile } from './find.ts'
import type { Modules } from './modules.ts'

/** What a file imports or requires of its project, in its order: relative paths, and `@/` and the like. */
function localImports({ program }: SourceFile): readonly StringLiteral[] {
  const found: StringLiteral[] = []
  walk(program, (node) => {
    const source = sourceOf(node)
    if (
      source?.type === 'Literal' &&
      typeof source.value === 'string' &&
      /^(?:\.\.?|[@~#])\//.test(source.value)
    )
      found.push(source)
  })
  return found
}

/** What an import, a re-export, `import('…').T`, `import x = require('…')` or `require('…')` loads. */
function sourceOf(node: Node): Node | null | undefined {
  if ('source' in node) return node.source
  if (node.type === 'TSExternalModuleReference') return node.expression
  const isRequire =
    node.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'require'
  return isRequire ? node.arguments[0] : null
}

/** The real paths of the project's files that a file imports. */
export const importedFiles = (modules: Modules, source: SourceFile): ReadonlySet<string | null> =>
  new Set(localImports(source).map(({ value }) => modules.resolve(source.path, value)))

/** The text of a file at another place, or at its own when others have moved: its imports lead to the same files as before. */
export function movedText(
  source: SourceFile,
  to: string,
  moved: ReadonlyMap<string, string>,
  modules: Modules,
): string {
  const text = new MagicString(source.text)
  for (const { value, start, end } of localImports(source)) {
    const target = moved.get(modules.resolve(source.path, value) ?? '')
    if (target === undefined && (!value.startsWith('.') || to === source.path)) continue
    const stays = resolve(dirname(source.path), value)
    const written = target === undefined ? stays : join(dirname(target), basename(stays))
    text.update(start + 1, end - 1, importPath(dirname(to), written))
  }
  return text.toString()
}

/** A path as a file in a folder imports it. */
export function importPath(folder: string, path: string): string {
  const written = relative(folder, path).split(sep).join('/')
  return written.startsWith('.') ? written : `./${written}`
}

/** How a file imports another one: with the extension that the first of some files writes, else as the project needs it. */
export const importOf = (from: string, path: string, sources: readonly SourceFile[]): string =>
  importPath(dirname(from), path.slice(0, -extname(path).length)) + extensionOf(path, sources)

function extensionOf(path: string, sources: readonly SourceFile[]): string {
  const own = extname(path)
  for (const source of sources) {
    const written = localImports(source)
      .map(({ value }) => extname(value))
      .find((extension) => extension !== '.json')
    if (written === undefined) continue
    if (/^\.[mc]?ts$/.test(written)) return own
    return /^\.[mc]?js$/.test(written) ? own.replace('ts', 'js') : ''
  }
  if (own.endsWith('ts')) return importExtension(compilerOptionsFor(path), own)
  return own === '.js' && isCommonJs(sources[0]!) ? '' : own
}

/** The files of a project, besides its controllers, that import some of these. */
export function importersOf(
  io: Io,
  { folder, modules }: Controllers,
  imported: readonly ControllerFile[],
): readonly { readonly path: string; readonly imported: string }[] {
  if (imported.length === 0) return []
  const controllers = new Set(folder.files.map(({ realPath }) => realPath))
  return sourcesBelow(io.cwd).flatMap((path) => {
    if (controllers.has(realpathSync(path)) || !readFileSync(path, 'utf8').includes('_controller'))
      return []
    const source = modules.read(path)
    const targets = 'why' in source ? new Set() : importedFiles(modules, source)
    return imported
      .filter(({ realPath }) => targets.has(realPath))
      .map((file) => ({ path, imported: file.path }))
  })
}
