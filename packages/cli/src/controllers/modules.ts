import { isBuiltin } from 'node:module'
import { ResolverFactory } from 'oxc-resolver'
import { type SourceFile, type Unseen, parseFile } from '../syntax/parse.ts'

/** The files that imports lead to. */
export interface Modules {
  /** Parses a file, once. */
  read(path: string): SourceFile | Unseen
  /** The real path of the file that an import leads to; null when it leads to none, as to a module of Node. */
  resolve(file: string, specifier: string): string | null
}

export function createModules(): Modules {
  const files = new Map<string, SourceFile | Unseen>()
  // As TypeScript and bundlers do: without extensions, `.js` for a `.ts` file, `paths` of tsconfig.json.
  const resolver = new ResolverFactory({
    tsconfig: 'auto',
    conditionNames: ['node', 'import', 'require', 'default'],
    extensions: ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'],
    extensionAlias: { '.js': ['.ts', '.js'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'] },
  })
  return {
    read(path) {
      let file = files.get(path)
      if (file === undefined) files.set(path, (file = parseFile(path)))
      return file
    },
    resolve: (file, specifier) =>
      isBuiltin(specifier) ? null : (resolver.resolveFileSync(file, specifier).path ?? null),
  }
}
