import { readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { extname } from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { type SourceFile, SyntaxFault, parseFile } from '../syntax/parse.ts'

/** The files that imports lead to. Each is parsed once. */
export interface Modules {
  read(path: string): SourceFile | Unreadable
  /** The file that an import resolves to, or a message that says why there is none. */
  resolve(file: string, specifier: string): { readonly path: string } | string
}

/** Why a file cannot be read, and on which line. */
export interface Unreadable {
  readonly why: string
  readonly line: number
}

const maxSize = 1_000_000

/** Creates the cache of parsed files. */
export function createModules(): Modules {
  const files = new Map<string, SourceFile | Unreadable>()
  let resolver: ResolverFactory | undefined
  return {
    read(path) {
      let file = files.get(path)
      if (file === undefined) files.set(path, (file = readModule(path)))
      return file
    },
    resolve(file, specifier) {
      if (isBuiltin(specifier)) return `'${specifier}' is part of Node`
      resolver ??= createResolver()
      const { path } = resolver.resolveFileSync(file, specifier)
      return path === undefined ? `'${specifier}' is not found` : { path }
    },
  }
}

function readModule(path: string): SourceFile | Unreadable {
  if (!/^\.[mc]?[jt]s$/.test(extname(path))) return { why: 'it is neither TypeScript nor JavaScript', line: 1 }
  try {
    if (statSync(path).size > maxSize) return { why: 'it is too large', line: 1 }
    return parseFile(path, readFileSync(path, 'utf8'))
  } catch (error) {
    const line = error instanceof SyntaxFault ? error.place.line : 1
    return { why: (error as Error).message, line }
  }
}

/** Resolves as TypeScript and bundlers do: without extensions, `.js` for a `.ts` file, `paths` of tsconfig.json. */
const createResolver = (): ResolverFactory =>
  new ResolverFactory({
    tsconfig: 'auto',
    conditionNames: ['node', 'import', 'require', 'default'],
    extensions: ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'],
    extensionAlias: {
      '.js': ['.ts', '.js'],
      '.mjs': ['.mts', '.mjs'],
      '.cjs': ['.cts', '.cjs'],
    },
  })
