import { extname } from 'node:path'
import { isCommonJs } from '../modules/read-exports.ts'
import { compilerOptionsFor, importExtension } from '../project/tsconfig.ts'
import { localImports } from '../syntax/imports.ts'
import type { SourceFile } from '../syntax/parse.ts'

/** What a relative import of a controller ends in: as the first of some files writes it, else as the project needs it. */
export function importExtensionOf(path: string, sources: readonly SourceFile[]): string {
  const own = extname(path)
  for (const source of sources) {
    const written = localImports(source)
      .map((specifier) => extname(specifier))
      .find((extension) => extension !== '.json')
    if (written === undefined) continue
    if (/^\.[mc]?ts$/.test(written)) return own
    return /^\.[mc]?js$/.test(written) ? own.replace('ts', 'js') : ''
  }
  if (own.endsWith('ts')) return importExtension(compilerOptionsFor(path), own)
  return own === '.js' && isCommonJs(sources[0]!) ? '' : own
}
