import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

/**
 * Returns the extension with which TypeScript imports a file: the file's own, its output's, or
 * none. CommonJS needs none, and test runners such as Jest don't find `users.ts` as `./users.js`.
 */
export function importExtension(file: string): string {
  const extension = extname(file)
  let options: TsConfigJsonResolved['compilerOptions'] = {}
  let isCommonJs = false
  try {
    const tsconfig = getTsconfig(file)
    // Without a tsconfig.json nothing is compiled, so Node itself may load the file.
    if (tsconfig === null) return extension
    options = tsconfig.config.compilerOptions ?? {}
    const manifest = readFileSync(join(dirname(tsconfig.path), 'package.json'), 'utf8')
    isCommonJs = !/"type":\s*"module"/.test(manifest)
  } catch {
    // It extends a package that isn't installed, for example, or there's no package.json beside it.
  }
  const { module = '', moduleResolution = /^commonjs$/i.test(module) ? 'node10' : '' } = options
  if (options.allowImportingTsExtensions || options.rewriteRelativeImportExtensions)
    return extension
  const isResolved = /^(?:bundler|node|node10|classic)$/i.test(moduleResolution)
  return (isResolved || isCommonJs) && extension === '.ts' ? '' : extension.replace('ts', 'js')
}
