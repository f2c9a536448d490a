import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Io, UsageError } from '../../output.ts'
import { isFolder } from '../../project/files.ts'
import { type PackageJson, readPackageJson } from '../../project/package-json.ts'
import { compilerOptionsFor, forbidsModuleSyntax, importExtension } from '../../project/tsconfig.ts'
import { type Style, styleOf } from '../../syntax/style.ts'

/** The framework of a project. `fetch` is every runtime and framework that calls a function with a `Request`. */
export type Framework = 'express' | 'fastify' | 'fetch' | 'nest'

/** What init has to know about an existing project: its framework, its module format, its style. */
export interface ProjectProfile {
  readonly framework: Framework
  /** What calls the router of the fetch adapter. Null for another framework. */
  readonly caller: 'hono' | 'next' | 'runtime' | null
  readonly vendor: string
  readonly dependencies: ReadonlySet<string>
  readonly isTypeScript: boolean
  readonly isModule: boolean
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
  /** Where the app listens, as far as its file says. */
  readonly port: string
}

/** Finds out how the project is written. */
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
  const isTypeScript = hasTypeScript || framework === 'nest' || entry?.path.endsWith('ts') === true
  const isModule = isTypeScript || manifest.isModule || caller === 'next'
  const entryPath = entry?.path ?? ''
  const isEntryModule = entryPath.endsWith('.mjs') || (isModule && !entryPath.endsWith('.cjs'))
  const compilerOptions = isTypeScript ? compilerOptionsFor(join(io.cwd, base, 'routes.ts')) : {}
  if (forbidsModuleSyntax(compilerOptions, manifest.isModule))
    throw new UsageError(
      'verbatimModuleSyntax forbids import and export in CommonJS files. Write "type": "module" into package.json, or turn it off in tsconfig.json.',
    )
  const extension = isTypeScript ? importExtension(compilerOptions, '.ts') : isModule || isEntryModule ? '.js' : ''
  return {
    framework,
    caller,
    vendor: options.vendor ?? vendorOf(manifest),
    dependencies,
    isTypeScript,
    isModule,
    isEntryModule,
    base,
    importExtension: caller === 'next' ? '' : extension, // Next.js finds no .ts file behind .js
    style: styleOf(entry === null ? [] : [entry.text]),
    entry: entry?.path ?? null,
    appName: entry?.appName ?? 'app',
    port: /\b(?:listen|port)\b[^\d\n]*(\d{4,5})\b/i.exec(entry?.text ?? '')?.[1] ?? usualPort(dependencies),
  }
}

const usualPort = (dependencies: ReadonlySet<string>): string =>
  dependencies.has('wrangler') ? '8787' : dependencies.has('@types/deno') ? '8000' : '3000'

/** Packages of projects that serve with a function from `Request` to `Response`. */
const fetchPackages = ['hono', 'next', 'wrangler', '@cloudflare/workers-types', '@types/bun', '@types/deno']

const callerOf = ({ dependencies }: PackageJson) =>
  dependencies.has('next') ? 'next' : dependencies.has('hono') ? 'hono' : 'runtime'

function frameworkOf({ dependencies }: PackageJson): Framework {
  if (dependencies.has('@nestjs/core')) return 'nest'
  const found = (['express', 'fastify'] as const).filter((name) => dependencies.has(name))
  if (found.length === 1) return found[0]!
  if (found.length === 0 && fetchPackages.some((name) => dependencies.has(name))) return 'fetch'
  throw new UsageError(
    found.length === 0
      ? 'package.json names no framework. Pass --framework express, fastify, fetch or nest.'
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
  readonly text: string
  readonly appName: string
}

/** The file that calls `express()`, `fastify()` or `new Hono()`, or Nest's `AppModule`. With TypeScript, a `main` in JavaScript is built from it. */
function findEntry({ cwd }: Io, { main }: PackageJson, framework: Framework, hasTypeScript: boolean): EntryFile | null {
  const names = (framework === 'nest' ? ['src/app.module', 'app.module'] : entryNames).flatMap((name) =>
    extensions.map((extension) => `${name}.${extension}`),
  )
  const isBuilt = hasTypeScript && main?.endsWith('js') === true
  const callee = framework === 'fetch' ? 'hono' : framework
  const assigned =
    framework === 'nest'
      ? /\bclass (\w+)/
      : new RegExp(String.raw`\b(?:const|let|var) +([\w$]+)[^=;\n]*= *(?:await +|new +)?${callee}\(`, 'i')
  for (const path of main === undefined || isBuilt ? names : [main, ...names]) {
    if (!existsSync(join(cwd, path)) || isFolder(join(cwd, path))) continue
    const text = readFileSync(join(cwd, path), 'utf8')
    const appName = assigned.exec(text)?.[1]
    if (appName !== undefined) return { path, text, appName }
  }
  return null
}
