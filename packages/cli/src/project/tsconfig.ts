import { extname } from 'node:path'
import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

/**
 * Returns the extension with which TypeScript imports a file: the file's own, its output's, or
 * none.
 */
export function importExtension(file: string): string {
  const extension = extname(file)
  let options: TsConfigJsonResolved['compilerOptions'] = {}
  try {
    const tsconfig = getTsconfig(file)
    // Without a tsconfig.json nothing is compiled, so Node itself may load the file.
    if (tsconfig === null) return extension
    options = tsconfig.config.compilerOptions ?? {}
  } catch {
    // For example, it extends a package that isn't installed.
  }
  const { module = '', moduleResolution = /^commonjs$/i.test(module) ? 'node10' : '' } = options
  if (options.allowImportingTsExtensions || options.rewriteRelativeImportExtensions)
    return extension
  const isResolved = /^(?:bundler|node|node10|classic)$/i.test(moduleResolution)
  return isResolved && extension === '.ts' ? '' : extension.replace('ts', 'js')
}
