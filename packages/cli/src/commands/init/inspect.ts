import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extensions } from '@hv/router/controllers'
import { type Io, UsageError } from '../../output.ts'
import { isFile, isFolder } from '../../project/files.ts'
import { type PackageJson, readPackageJson } from '../../project/package-json.ts'
import { compilerOptionsFor, importExtension } from '../../project/tsconfig.ts'
import { styleOf } from '../../syntax/style.ts'

/**
 * The framework of a project. `fetch` is every runtime and framework that calls a function with a
 * `Request`.
 */
export type Framework = 'express' | 'fastify' | 'fetch' | 'nest'

/** What init has to know about an existing project: its framework, module format and style. */
export type ProjectProfile = ReturnType<typeof inspectProject>

/** Finds out how the project is written. */
export function inspectProject(
  io: Io,
  options: { readonly framework?: Framework | undefined; readonly vendor?: string | undefined },
) {
  const manifest = readPackageJson(io)
  const { dependencies } = manifest
  const framework = options.framework ?? frameworkOf(manifest)
  const caller = framework === 'fetch' ? callerOf(manifest) : null
  const hasTypeScript = existsSync(join(io.cwd, 'tsconfig.json')) || dependencies.has('typescript')
  const entry = findEntry(io, manifest, framework, hasTypeScript)
  const { path = '', text = '', appName = 'app' } = entry ?? {}
  const base = isFolder(join(io.cwd, 'src')) ? 'src' : ''
  const isTypeScript = hasTypeScript || framework === 'nest' || path.endsWith('ts')
  const isModule = isTypeScript || manifest.isModule || caller === 'next'
  const isEntryModule = path.endsWith('.mjs') || (isModule && !path.endsWith('.cjs'))
  const compilerOptions = isTypeScript ? compilerOptionsFor(join(io.cwd, base, 'routes.ts')) : {}
  const extension = isTypeScript
    ? importExtension(compilerOptions, '.ts')
    : isModule || isEntryModule
      ? '.js'
      : ''
  return {
    framework,
    /** What calls the fetch adapter's router. Null for the other frameworks. */
    caller,
    vendor: options.vendor ?? vendorOf(manifest),
    dependencies,
    isTypeScript,
    isModule,
    /** Whether the file that creates the app uses `import`, whatever the project uses. */
    isEntryModule,
    /** `src`, or empty for the package's folder. */
    base,
    /** What relative imports end in. Next.js doesn't find a .ts file by the name of its output. */
    importExtension: caller === 'next' ? '' : extension,
    style: styleOf(entry === null ? [] : [text]),
    /** The file to paste the lines into, relative to the project. Null if it isn't found. */
    entry:
      caller === 'next'
        ? join(base, `app/api/[...path]/route${isTypeScript ? '.ts' : '.js'}`)
        : path || null,
    /** What that file calls the app. */
    appName,
    /** Where the app listens, as far as its file says. */
    port: /\b(?:listen|port)\b[^\d\n]*(\d{4,5})\b/i.exec(text)?.[1] ?? usualPort(dependencies),
  } as const
}

const usualPort = (dependencies: ReadonlySet<string>): string =>
  dependencies.has('wrangler') ? '8787' : dependencies.has('@types/deno') ? '8000' : '3000'

/** Packages of projects that serve requests with a function from `Request` to `Response`. */
const fetchPackages = [
  'hono',
  'next',
  'wrangler',
  '@cloudflare/workers-types',
  '@types/bun',
  '@types/deno',
]

const callerOf = ({ dependencies }: PackageJson) =>
  dependencies.has('next') ? 'next' : dependencies.has('hono') ? 'hono' : 'runtime'

function frameworkOf({ dependencies }: PackageJson): Framework {
  if (dependencies.has('@nestjs/core')) return 'nest'
  const found = (['express', 'fastify'] as const).filter((name) => dependencies.has(name))
  if (found.length === 1) return found[0]!
  if (found.length === 0 && fetchPackages.some((name) => dependencies.has(name))) return 'fetch'
  throw new UsageError(
    found.length === 0
      ? 'no Express, Fastify, Nest or Hono in package.json. Pass --framework express, fastify, fetch or nest.'
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

const entryNames = [
  'src/app',
  'src/server',
  'src/index',
  'src/main',
  'app',
  'server',
  'index',
  'main',
]

/**
 * The file that calls `express()`, `fastify()` or `new Hono()`, or Nest's `AppModule`. In a
 * TypeScript project, a `main` in JavaScript is only built from it.
 */
function findEntry(
  { cwd }: Io,
  { main }: PackageJson,
  framework: Framework,
  hasTypeScript: boolean,
) {
  const isNest = framework === 'nest'
  const names = isNest ? ['src/app.module', 'app.module'] : entryNames
  const paths = names.flatMap((name) => extensions.map((extension) => `${name}.${extension}`))
  const callee = framework === 'fetch' ? 'hono' : framework
  const assigned = isNest
    ? /\bclass (\w+)/
    : new RegExp(
        String.raw`\b(?:const|let|var) +([\w$]+)[^=;\n]*= *(?:await +|new +)?${callee}\(`,
        'i',
      )
  const isBuilt = hasTypeScript && main?.endsWith('js') === true
  for (const path of main === undefined || isBuilt ? paths : [main, ...paths]) {
    if (!isFile(join(cwd, path))) continue
    const text = readFileSync(join(cwd, path), 'utf8')
    const appName = assigned.exec(text)?.[1]
    if (appName !== undefined) return { path, text, appName }
  }
  return null
}
