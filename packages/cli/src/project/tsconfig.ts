import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

export type CompilerOptions = NonNullable<TsConfigJsonResolved['compilerOptions']>

/** The compiler options for a file: those of the nearest tsconfig.json that can be read. */
export function compilerOptionsFor(file: string): CompilerOptions {
  try {
    return getTsconfig(file)?.config.compilerOptions ?? {}
  } catch {
    return {} // it extends a package that is not installed, say
  }
}

/** The extension that a relative import of a TypeScript file takes: that of the file, of its output, or none. */
export function importExtension(options: CompilerOptions, extension: string): string {
  if (
    options.allowImportingTsExtensions === true ||
    options.rewriteRelativeImportExtensions === true
  )
    return extension
  const { module = '', moduleResolution = /^commonjs$/i.test(module) ? 'node10' : '' } = options
  const hasNone = /^(?:bundler|node|node10|classic)$/i.test(moduleResolution)
  return hasNone ? '' : extension.replace('ts', 'js')
}
