import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { type TsConfigJsonResolved, getTsconfig } from 'get-tsconfig'

/**
 * Returns the extension with which TypeScript imports a file: the file's own, its output's, or
 * none. CommonJS needs none, and test runners such as Jest don't find `users.ts` as `./users.js`.
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
    // It extends a package that isn't installed, for example.
  }
  const { moduleResolution = '' } = options
  if (options.allowImportingTsExtensions || options.rewriteRelativeImportExtensions)
    return extension
  const isResolved = /^(?:bundler|node|node10|classic)$/i.test(moduleResolution)
  return extension === '.ts' && (isResolved || isCommonJs(dirname(file)))
    ? ''
    : extension.replace('ts', 'js')
}

/**
 * Whether Node reads a folder's files as CommonJS. The nearest package.json decides, which in a
 * monorepo isn't always the one beside tsconfig.json.
 */
function isCommonJs(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) return !/"type"\s*:\s*"module"/.test(readFileSync(manifest, 'utf8'))
  return folder !== dirname(folder) && isCommonJs(dirname(folder))
}
