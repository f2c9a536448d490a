import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { type Io, UsageError } from '../../output.ts'
import { isFolder } from '../../project/files.ts'
import { type PackageJson, readPackageJson } from '../../project/package-json.ts'
import { compilerOptionsFor, forbidsModuleSyntax, importExtension } from '../../project/tsconfig.ts'
import { type SourceFile, parseFile } from '../../syntax/parse.ts'
import { type Style, defaultStyle, styleOf } from '../../syntax/style.ts'
import { walk } from '../../syntax/walk.ts'

/** The framework of a project. `fetch` is every runtime and framework that calls a function with a `Request`. */
export type Framework = 'express' | 'fastify' | 'fetch'

/** What init has to know about an existing project: its framework, its module format, its style. */
export interface ProjectProfile {
  readonly framework: Framework
  /** What calls the router of the fetch adapter. Null for another framework. */
  readonly caller: 'hono' | 'next' | 'runtime' | null
  readonly vendor: string
  readonly dependencies: ReadonlySet<string>
  readonly isTypeScript: boolean
  /** It uses `import` and `export`. */
  readonly isModule: boolean
  /** It is TypeScript that uses `import x = require()` and `export =`. */
  readonly usesImportEquals: boolean
  /** The file that makes the app uses `import`, whatever the project uses. */
  readonly isEntryModule: boolean
  /** `src`, or nothing for the folder of the package. */
  readonly base: string
  /** What relative imports end in. */
  readonly importExtension: string
  readonly style: Style
  /** The file that makes the app, when it is found, and what it calls the app. */
  readonly entry: string | null
  readonly appName: string
}

/**
 * Finds out how the project is written.
 *
 * @throws UsageError when it uses no framework, or several
 */
export function inspectProject(
  io: Io,
  options: { readonly framework?: Framework | undefined; readonly vendor?: string | undefined },
): ProjectProfile {
  const manifest = readPackageJson(io)
  const framework = options.framework ?? frameworkOf(manifest)
  const { dependencies } = manifest
  const hasTypeScript = existsSync(join(io.cwd, 'tsconfig.json')) || dependencies.has('typescript')
  const base = isFolder(join(io.cwd, 'src')) ? 'src' : ''
  const caller = framework === 'fetch' ? callerOf(manifest) : null
  const entry = findEntry(io, manifest, framework, hasTypeScript)
  const isTypeScript = hasTypeScript || entry?.path.endsWith('ts') === true
  const isModule = isTypeScript || manifest.isModule || caller === 'next'
  const entryPath = entry?.path ?? ''
  const isEntryModule = entryPath.endsWith('.mjs') || (isModule && !entryPath.endsWith('.cjs'))
  const compilerOptions = isTypeScript ? compilerOptionsFor(join(io.cwd, base, 'routes.ts')) : null
  const extension = isTypeScript ? importExtension(compilerOptions, '.ts') : isModule || isEntryModule ? '.js' : ''
  return {
    framework,
    caller,
    vendor: options.vendor ?? vendorOf(manifest),
    dependencies,
    isTypeScript,
    isModule,
    usesImportEquals: forbidsModuleSyntax(compilerOptions, manifest.isModule) && !entryPath.endsWith('.mts'),
    isEntryModule,
    base,
    importExtension: caller === 'next' ? '' : extension, // Next.js finds no .ts file behind .js
    style: entry === null ? defaultStyle : styleOf(entry.source),
    entry: entry?.path ?? null,
    appName: entry?.appName ?? 'app',
  }
}

/** Packages of projects that serve with a function from `Request` to `Response`. */
const fetchPackages = ['hono', 'next', 'wrangler', '@cloudflare/workers-types', '@types/bun', '@types/deno']

const callerOf = ({ dependencies }: PackageJson) =>
  dependencies.has('next') ? 'next' : dependencies.has('hono') ? 'hono' : 'runtime'

function frameworkOf({ dependencies }: PackageJson): Framework {
  const found = (['express', 'fastify'] as const).filter((name) => dependencies.has(name))
  if (found.length === 1) return found[0]!
  if (found.length === 0 && fetchPackages.some((name) => dependencies.has(name))) return 'fetch'
  throw new UsageError(
    found.length === 0
      ? 'package.json names no framework. Pass --framework express, fastify or fetch.'
      : 'package.json has express and fastify. Pass the one to use with --framework.',
  )
}

/** `@acme/users-api` → `acme`, `users-api` → `users-api`. */
function vendorOf({ name = '' }: PackageJson): string {
  const [scope = ''] = name.replace(/^@/, '').split('/')
  return (
    scope
      .toLowerCase()
      .replace(/[^a-z\d.-]+/g, '-')
      .replace(/^[^a-z\d]+|[^a-z\d]+$/g, '') || 'acme'
  )
}

const entryNames = ['src/app', 'src/server', 'src/index', 'src/main', 'app', 'server', 'index', 'main']
const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

interface EntryFile {
  readonly path: string
  readonly source: SourceFile
  readonly appName: string
}

/** The file that calls `express()`, `fastify()` or `new Hono()`. With TypeScript, a `main` in JavaScript is built from it. */
function findEntry({ cwd }: Io, { main }: PackageJson, framework: Framework, hasTypeScript: boolean): EntryFile | null {
  const names = entryNames.flatMap((name) => extensions.map((extension) => `${name}.${extension}`))
  const isBuilt = hasTypeScript && main?.endsWith('js') === true
  for (const path of main === undefined || isBuilt ? names : [main, ...names]) {
    const source = existsSync(join(cwd, path)) ? parseQuietly(join(cwd, path)) : null
    const appName = source === null ? null : appNameIn(source, framework)
    if (source !== null && appName !== null) return { path, source, appName }
  }
  return null
}

function parseQuietly(path: string): SourceFile | null {
  try {
    return parseFile(path)
  } catch {
    return null // a folder, or a file that does not parse: only its style is lost
  }
}

/** What the file calls the app: `const app = express()`. */
function appNameIn({ program }: SourceFile, framework: Framework): string | null {
  let name: string | null = null
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return
    const init: Node | null = node.init?.type === 'AwaitExpression' ? node.init.argument : node.init
    if (init?.type !== 'CallExpression' && init?.type !== 'NewExpression') return
    const callee = framework === 'fetch' ? 'hono' : framework
    if (init.callee.type === 'Identifier' && init.callee.name.toLowerCase() === callee) name ??= node.id.name
  })
  return name
}
