import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

export type CompilerOptions = NonNullable<TsConfigJsonResolved['compilerOptions']>

/** Returns the compiler options in the nearest tsconfig.json. Null if there's no such file. */
export function compilerOptionsFor(file: string): CompilerOptions | null {
  try {
    const tsconfig = getTsconfig(file)
    return tsconfig === null ? null : (tsconfig.config.compilerOptions ?? {})
  } catch {
    return {} // it extends a package that isn't installed, for example
  }
}

/**
 * Returns the extension with which TypeScript imports a file: the file's own, its output's, or
 * none.
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
