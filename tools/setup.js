// Installs what pnpm-lock.yaml lists. Does nothing if it is installed: `npm start` then works without a network.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const lockFile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
/** pnpm keeps a copy of the lock file that it installed last. */
const installed = join(root, 'node_modules/.pnpm/lock.yaml')
const packages = [
  ...lockFile.matchAll(/^ {2}([\w./-]+):\n {4}(?:dependencies|devDependencies):/gm),
].map(([, path]) => path)
const isInstalled =
  existsSync(installed) &&
  readFileSync(installed, 'utf8') === lockFile &&
  packages.every((path) => existsSync(join(root, path, 'node_modules')))

if (!isInstalled) {
  const install = ['--yes', 'pnpm@12.21.0', 'install', '--frozen-lockfile']
  // `npm run -s` silences npx as well, which would then fail without a word.
  const env = { ...process.env, npm_config_loglevel: 'notice' }
  const { status, error } = spawnSync('npx', install, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    const reason = error?.message ?? `exit code ${status}`
    console.error(`The packages aren't installed: npx ${install.join(' ')} failed (${reason}).`)
  }
  process.exitCode = status ?? 1
}
