import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { display } from '../output.ts'
import { importExtension } from '../project/tsconfig.ts'
import type { SourceFile } from '../syntax/parse.ts'

/** The path by which the file at `from` imports another one, whose extension is replaced. */
export function importPath(from: string, path: string, extension: string): string {
  const name = path.slice(0, -extname(path).length)
  const written = display({ cwd: dirname(from) }, name) + extension
  return written.startsWith('.') ? written : `./${written}`
}

/** Returns the path by which the file at `from`, which has the same extension, imports `source`. */
export function importOf(source: SourceFile, from: string, isRequired: boolean): string {
  const ownExtension = extname(source.path)
  const written = ownExtension.endsWith('ts') ? extensionOf(source, ownExtension) : ownExtension
  // Some loaders that can require TypeScript don't find `users.ts` if you require `./users.js`.
  const extension = isRequired && ownExtension === '.ts' && written === '.js' ? '' : written
  return importPath(from, source.path, extension)
}

/**
 * Returns the extension that the file's own imports use, because the project loads with it. If it
 * has no such imports, tsconfig.json decides.
 */
function extensionOf({ path, text }: SourceFile, ownExtension: string): string {
  const [, example] = /(?:from|require\()\s*['"]((?:\.\.?|[@~#])\/[^'"]+)['"]/.exec(text) ?? []
  const written = example === undefined ? '.json' : extname(example)
  if (/^\.[mc]?ts$/.test(written)) return ownExtension
  const isJavaScript = /^\.[mc]?js$/.test(written)
  if (isJavaScript && !existsSync(resolve(dirname(path), example!)))
    return ownExtension.replace('ts', 'js')
  if (!isJavaScript && written !== '.json' && ownExtension === '.ts') return ''
  return importExtension(path)
}
