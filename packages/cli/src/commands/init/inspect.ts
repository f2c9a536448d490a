import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extensions } from '@hv/router/controllers'
import { type Io, UsageError } from '../../output.ts'
import { isFile, isFolder } from '../../project/files.ts'
import { type PackageJson, readPackageJson } from '../../project/package-json.ts'
import { importExtension } from '../../project/tsconfig.ts'

/**
 * The framework of a project. `fetch` is every runtime and framework that calls a function with a
 * `Request`.
 */
export type Framework = 'express' | 'fastify' | 'fetch' | 'nest'

/** What init has to know about an existing project: its framework, language and module format. */
export type ProjectProfile = ReturnType<typeof inspectProject>

/** Finds out how the project is written. */
export function inspectProject(
  io: Io,
  options: { readonly framework?: Framework | undefined; readonly vendor?: string | undefined },
) {
  const manifest = readPackageJson(io)
  const { dependencies } = manifest
  const framework = options.framework ?? frameworkOf(manifest)
  const runtime = dependencies.has('next') ? 'next' : dependencies.has('hono') ? 'hono' : 'runtime'
  const caller = framework === 'fetch' ? runtime : null
  const hasTypeScript = existsSync(join(io.cwd, 'tsconfig.json')) || dependencies.has('typescript')
  const { path, text, appName } = findEntry(io, manifest, framework, hasTypeScript)
  const base = isFolder(join(io.cwd, 'src')) ? 'src' : ''
  const isTypeScript = hasTypeScript || framework === 'nest' || path.endsWith('ts')
  const isModule = isTypeScript || manifest.isModule || caller === 'next'
  const isEntryModule = path.endsWith('.mjs') || (isModule && !path.endsWith('.cjs'))
  const extension = isTypeScript ? importExtension(join(io.cwd, base, 'routes.ts')) : '.js'
  const usualPort = dependencies.has('wrangler')
    ? '8787'
    : dependencies.has('@types/deno')
      ? '8000'
      : '3000'
  return {
    framework,
    /** The framework or runtime that calls the fetch adapter, such as Hono. Otherwise null. */
    caller,
    vendor: options.vendor ?? vendorOf(manifest),
    dependencies,
    isTypeScript,
    isModule,
    /**
     * Whether the file that creates the app uses `import`. If it's a .cjs or .mjs file, it can
     * differ from the rest of the project.
     */
    isEntryModule,
    /** `src`, or empty for the package's folder. */
    base,
    /**
     * The extension in relative imports. Empty for Next.js, which can't import `routes.ts` as
     * `./routes.js`.
     */
    importExtension: caller === 'next' ? '' : extension,
    /** The file to paste the lines into, relative to the project. Null if it isn't found. */
    entry:
      caller === 'next'
        ? join(base, `app/api/[...path]/route${isTypeScript ? '.ts' : '.js'}`)
        : path || null,
    /** The app's variable in that file, such as `server`. */
    appName,
    /** The port in that file, or the usual port if the file doesn't mention any. */
    port: /\b(?:listen|port)\b[^\d\n]*(\d{4,5})\b/i.exec(text)?.[1] ?? usualPort,
  } as const
}

/** Packages of projects that serve requests with a function from `Request` to `Response`. */
const fetchPackages = [
  'hono',
  'next',
  'wrangler',
  '@cloudflare/workers-types',
  '@types/bun',
  '@types/deno',
]

function frameworkOf({ dependencies }: PackageJson): Framework {
  if (dependencies.has('@nestjs/core')) return 'nest'
  const frameworks = (['express', 'fastify'] as const).filter((name) => dependencies.has(name))
  if (frameworks.length === 1) return frameworks[0]!
  if (frameworks.length === 0 && fetchPackages.some((name) => dependencies.has(name)))
    return 'fetch'
  throw new UsageError(
    frameworks.length === 0
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
 * Finds the file that calls `express()`, `fastify()` or `new Hono()`, or that declares Nest's
 * `AppModule`. In a TypeScript project, package.json's `main` is ignored if it's JavaScript,
 * because that file is the build's output. The path is empty if there's no such file.
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
  return { path: '', text: '', appName: 'app' }
}
