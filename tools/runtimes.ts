// Installs Bun, Deno, workerd and releases of Node, which the tests run. They are large, so the workspace doesn't depend on them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const versions = { bun: '1.4.5', deno: '2.9.6', workerd: '1.20261117.1' }
/** The oldest supported release of Node, and the latest of each major version. */
export const nodeVersions = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'] as const

/** The path of each program. */
export type Runtimes = Readonly<Record<keyof typeof versions, string>>

const cache = resolve(import.meta.dirname, '../node_modules/.cache')

/** Installs Bun, Deno and workerd once per version. */
export async function installRuntimes(): Promise<Runtimes> {
  const bin = join(
    await installOnce(Object.entries(versions).map((named) => named.join('@'))),
    '.bin',
  )
  return { bun: join(bin, 'bun'), deno: join(bin, 'deno'), workerd: join(bin, 'workerd') }
}

/** Installs a Node release once. Returns the path of the program. */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  return join(await installOnce([`${name}@${version}`]), name, 'bin/node')
}

/** Installs packages in a folder for these versions, unless they are there. Returns its `node_modules`. */
export async function installOnce(packages: readonly string[], overrides = {}): Promise<string> {
  const folder = join(cache, packages.join('-').replaceAll('/', '+'))
  if (!existsSync(folder)) await install(packages, overrides, folder)
  return join(folder, 'node_modules')
}

/** Installs in a folder of its own, and renames it when it is complete: another process may install at the same time. */
async function install(
  packages: readonly string[],
  overrides: object,
  folder: string,
): Promise<void> {
  await mkdir(cache, { recursive: true })
  const own = await mkdtemp(join(cache, 'runtimes-'))
  await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, overrides }))
  const options = ['--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: own })
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}
