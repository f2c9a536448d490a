// `node tools/publish.js <folder>` publishes the tarballs in a folder that npm doesn't have yet, so it can be run again after
// an interruption. With `--dry-run` it only prints their names. It's JavaScript without dependencies, because the job of the
// release workflow that's allowed to publish installs nothing.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const [folder, option] = process.argv.slice(2)
if (folder === undefined || (option !== undefined && option !== '--dry-run')) {
  console.error('Name the folder with the tarballs: node tools/publish.js tarballs [--dry-run]')
  process.exit(2)
}

const tarballs = readdirSync(folder)
  .filter((file) => file.endsWith('.tgz'))
  .map((file) => {
    const path = resolve(folder, file)
    const manifest = JSON.parse(run('tar', '-xzOf', path, 'package/package.json'))
    const { name, version, dependencies, peerDependencies } = manifest
    const scope = name.slice(0, name.indexOf('/') + 1)
    const siblings = Object.keys({ ...dependencies, ...peerDependencies }).filter((dependency) =>
      dependency.startsWith(scope),
    )
    return { path, name, version, siblings }
  })
if (tarballs.length === 0) {
  console.error(`There are no tarballs in ${folder}. Write them with npm run release -- pack.`)
  process.exit(2)
}

const pending = tarballs.filter(({ name, version }) => !isPublished(name, version))
for (const { path, name, version } of dependenciesFirst(pending)) {
  console.log(`${name}@${version}`)
  if (option === undefined) execFileSync('npm', ['publish', path], { stdio: 'inherit' })
}
if (pending.length === 0) console.error('npm has all of these versions already.')

/** Whoever installs a package during the release gets its dependencies, too. */
function dependenciesFirst(packages) {
  const names = new Set(packages.map(({ name }) => name))
  const free = packages.filter(({ siblings }) => !siblings.some((name) => names.has(name)))
  if (free.length === 0) return packages
  return [...free, ...dependenciesFirst(packages.filter((item) => !free.includes(item)))]
}

/** Only npm's E404 means that a version is missing: a registry that doesn't answer must not look like an empty one. */
function isPublished(name, version) {
  try {
    return run('npm', 'view', `${name}@${version}`, 'version', '--json').trim() !== ''
  } catch (error) {
    if (String(error.stdout).includes('E404')) return false
    throw error
  }
}

function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
