// Installs what pnpm-lock.yaml lists. Does nothing if it is installed: `npm start` then works without a network.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const lockFile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
/** pnpm keeps a copy of the lock file that it installed last. */
const installed = join(root, 'node_modules/.pnpm/lock.yaml')
const packages = [...lockFile.matchAll(/^ {2}([\w./-]+):\n {4}(?:dependencies|devDependencies):/gm)].map(
  ([, path]) => path,
)
const isInstalled =
  existsSync(installed) &&
  readFileSync(installed, 'utf8') === lockFile &&
  packages.every((path) => existsSync(join(root, path, 'node_modules')))

if (!isInstalled) {
  const install = ['--yes', 'pnpm@12.21.0', 'install', '--frozen-lockfile']
  const { status } = spawnSync('npx', install, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
}
