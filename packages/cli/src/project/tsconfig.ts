import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

export type CompilerOptions = NonNullable<TsConfigJsonResolved['compilerOptions']>

/** The compiler options for a file: those of the nearest tsconfig.json. Null if there's none. */
export function compilerOptionsFor(file: string): CompilerOptions | null {
  try {
    const tsconfig = getTsconfig(file)
    return tsconfig === null ? null : (tsconfig.config.compilerOptions ?? {})
  } catch {
    return {} // it extends a package that isn't installed, for example
  }
}

/**
 * What a relative import of a TypeScript file ends in: the file's extension, its output's, or
 * nothing.
 */
export function importExtension(options: CompilerOptions | null, extension: string): string {
  // Without a tsconfig.json nothing is compiled, so Node itself may load the file.
  if (options === null) return extension
  const { module = '', moduleResolution = /^commonjs$/i.test(module) ? 'node10' : '' } = options
  if (options.allowImportingTsExtensions || options.rewriteRelativeImportExtensions)
    return extension
  const isResolved = /^(?:bundler|node|node10|classic)$/i.test(moduleResolution)
  return isResolved && extension === '.ts' ? '' : extension.replace('ts', 'js')
}
