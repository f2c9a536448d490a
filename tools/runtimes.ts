// Installs Bun, Deno and workerd, which the tests run. They take 350 MB, so they are no dependencies of the workspace.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const versions = { bun: '1.4.5', deno: '2.9.6', workerd: '1.20261117.1' }
type Runtime = keyof typeof versions

const cache = resolve(import.meta.dirname, '../node_modules/.cache')

/** Installs the runtimes once per version. Returns the path of each program. */
export async function installRuntimes(): Promise<Readonly<Record<Runtime, string>>> {
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const folder = join(cache, packages.join('-'))
  if (!existsSync(folder)) await install(packages, folder)
  const programOf = (name: Runtime) => join(folder, 'node_modules/.bin', name)
  return { bun: programOf('bun'), deno: programOf('deno'), workerd: programOf('workerd') }
}

/** Installs in a folder of its own, and renames it when it is complete: another process may install at the same time. */
async function install(packages: readonly string[], folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const own = await mkdtemp(join(cache, 'runtimes-'))
  await writeFile(join(own, 'package.json'), '{ "private": true }')
  const options = ['--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: own })
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}
