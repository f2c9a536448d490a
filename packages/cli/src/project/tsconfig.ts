import { dirname, resolve } from 'node:path'
import { type TsConfigJsonResolved, createFilesMatcher, getTsconfig, parseTsconfig } from 'get-tsconfig'

export type CompilerOptions = NonNullable<TsConfigJsonResolved['compilerOptions']>

/** The compiler options for a file: of the nearest tsconfig.json, or of the referenced project that includes the file. */
export function compilerOptionsFor(file: string): CompilerOptions | null {
  const found = nearest(file)
  if (found === null) return null
  for (const { path } of found.config.references ?? []) {
    const referenced = readReference(dirname(found.path), path)
    if (referenced !== null && createFilesMatcher(referenced)(file) !== undefined)
      return referenced.config.compilerOptions ?? {}
  }
  return found.config.compilerOptions ?? {}
}

function nearest(file: string): ReturnType<typeof getTsconfig> {
  try {
    return getTsconfig(file)
  } catch {
    return null // it extends a package that is not installed, say
  }
}

function readReference(folder: string, reference: string): ReturnType<typeof getTsconfig> {
  const named = resolve(folder, reference)
  const path = named.endsWith('.json') ? named : resolve(named, 'tsconfig.json')
  try {
    return { path, config: parseTsconfig(path) }
  } catch {
    return null
  }
}

/**
 * Whether TypeScript accepts no `import` and `export` in a file of the package, but `import x = require()` and `export =`:
 * the file becomes CommonJS, and `verbatimModuleSyntax` lets the compiler rewrite nothing.
 */
export function forbidsModuleSyntax(options: CompilerOptions | null, isModulePackage: boolean): boolean {
  const module = options?.module?.toLowerCase() ?? ''
  const isCommonJs = module === 'commonjs' || (module.startsWith('node') && !isModulePackage)
  return options?.verbatimModuleSyntax === true && isCommonJs
}

/** The extension that a relative import of a TypeScript file takes: that of the file, of its output, or none. */
export function importExtension(options: CompilerOptions | null, extension: string): string {
  if (options?.allowImportingTsExtensions === true || options?.rewriteRelativeImportExtensions === true)
    return extension
  const resolution = options?.moduleResolution?.toLowerCase() ?? ''
  if (['bundler', 'node', 'node10', 'classic'].includes(resolution)) return ''
  return extension.replace('ts', 'js')
}
