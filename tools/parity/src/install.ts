// Installs the packages whose tests run, together with the tools of their tests, in a folder of ours that no lock file lists.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Fastify, and plugins that ship their tests as well and need no other server for them. */
const suites = {
  fastify: '5.12.8',
  '@fastify/auth': '5.1.1',
  '@fastify/circuit-breaker': '4.0.3',
  '@fastify/cors': '11.4.3',
}
/** Test tools that were released later aren't installed, so each run has the same ones. */
const releasedBefore = '2026-11-28'

export const names: readonly string[] = Object.keys(suites)
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache')
export const resultsFolder = join(cache, 'parity-results')

/** Returns the folder that has a folder per package, named like the package. */
export function installSuites(): string {
  const wanted = JSON.stringify([suites, releasedBefore])
  const id = createHash('sha256').update(wanted).digest('hex').slice(0, 8)
  const folder = join(cache, `parity-${id}`)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    // It gets its name when it's complete, so an interrupted run doesn't leave half of it.
    const draft = mkdtempSync(join(cache, 'parity-draft-'))
    try {
      installInto(draft)
      renameSync(draft, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return join(folder, 'suites')
}

/** npm installs the test tools of workspaces only, so the packages become workspaces. */
function installInto(folder: string): void {
  writePackage(folder, {})
  install(folder, ...Object.entries(suites).map((named) => named.join('@')))
  for (const name of names) {
    const suite = join(folder, 'suites', name)
    mkdirSync(dirname(suite), { recursive: true })
    renameSync(join(folder, 'node_modules', name), suite)
  }
  rmSync(join(folder, 'node_modules'), { recursive: true })
  writePackage(folder, { workspaces: names.map((name) => `suites/${name}`) })
  install(folder)
}

function writePackage(folder: string, content: object): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...content }))
}

function install(folder: string, ...packages: string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const safe = ['--ignore-scripts', `--before=${releasedBefore}`]
  execFileSync('npm', ['install', ...quiet, ...safe, ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
