import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { display } from '../output.ts'
import { importExtension } from '../project/tsconfig.ts'
import type { SourceFile } from '../syntax/parse.ts'

/** A path as a file in a folder imports it. */
export function importPath(folder: string, path: string): string {
  const written = display({ cwd: folder }, path)
  return written.startsWith('.') ? written : `./${written}`
}

/** Returns the path by which the file at `from`, which has the same extension, imports `source`. */
export function importOf(source: SourceFile, from: string, isRequired: boolean): string {
  const own = extname(source.path)
  const written = own.endsWith('ts') ? extensionOf(source, own) : own
  // Not every loader that requires TypeScript finds a .ts file by the name of its output.
  const extension = isRequired && own === '.ts' && written === '.js' ? '' : written
  return importPath(dirname(from), source.path.slice(0, -own.length)) + extension
}

/**
 * Returns the extension that the file's own imports have, because the project loads with it. If
 * they don't show any, tsconfig.json decides.
 */
function extensionOf({ path, text }: SourceFile, own: string): string {
  const [, example] = /(?:from|require\()\s*['"]((?:\.\.?|[@~#])\/[^'"]+)['"]/.exec(text) ?? []
  const written = example === undefined ? '.json' : extname(example)
  if (/^\.[mc]?ts$/.test(written)) return own
  const isJavaScript = /^\.[mc]?js$/.test(written)
  if (isJavaScript && !existsSync(resolve(dirname(path), example!))) return own.replace('ts', 'js')
  if (!isJavaScript && written !== '.json' && own === '.ts') return ''
  return importExtension(path)
}
