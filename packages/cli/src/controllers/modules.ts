import { isBuiltin } from 'node:module'
import { ResolverFactory } from 'oxc-resolver'
import { type SourceFile, type Unseen, parseFile } from '../syntax/parse.ts'

/** The files that imports lead to. Each is parsed once. */
export interface Modules {
  read(path: string): SourceFile | Unseen
  /** The file that an import resolves to, or a message that says why there is none. */
  resolve(file: string, specifier: string): { readonly path: string } | string
}

export function createModules(): Modules {
  const files = new Map<string, SourceFile | Unseen>()
  let resolver: ResolverFactory | undefined
  return {
    read(path) {
      let file = files.get(path)
      if (file === undefined) files.set(path, (file = parseFile(path)))
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
