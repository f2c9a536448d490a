// `npm run release -- dry`: what a release does, in a copy of the checkout and without a registry account.
// It raises the versions and writes the changelogs, builds, packs, checks the tarballs, installs them in an app and runs it.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  checkTarball,
  createApp,
  packAll,
  pnpm,
  printed,
  publishedPackages,
  root,
  run,
  smokeFiles,
} from './packed.ts'

/** How many kB a tarball may have, by the package's name without its scope: code, types, source maps and sources. */
const budgets: Readonly<Record<string, number>> = {
  'router-cli': 200,
  router: 510, // events and what reads other libraries' schemas
  'router-nest': 210,
  'openapi-diff': 320,
}
const defaultBudget = 100

const temp = mkdtempSync(join(tmpdir(), 'hv-release-'))
const copy = join(temp, 'copy')
process.on('exit', () => rmSync(temp, { recursive: true, force: true }))

const files = (
  await run(root, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
).split('\0')
for (const file of files.filter(Boolean)) {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  cpSync(join(root, file), join(copy, file))
}
await pnpm(copy, 'install', '--frozen-lockfile', '--prefer-offline')

const packages = publishedPackages(copy)
const before = [...packages.values()]
const sample = before.map(({ name }) => `'${name}': minor`).join('\n')
writeFileSync(
  join(copy, '.changeset/dry-run.md'),
  `---\n${sample}\n---\n\nA change of the dry run.\n`,
)
await run(copy, process.execPath, join(root, 'node_modules/@changesets/cli/bin.js'), 'version')
const next = nextMinor(before[0]!.version)
for (const [path, { name, version }] of publishedPackages(copy)) {
  if (version !== next) throw new Error(`${name} gets version ${version}, not ${next}.`)
  const changelog = readFileSync(join(copy, path, 'CHANGELOG.md'), 'utf8')
  if (!changelog.includes(`## ${next}\n`))
    throw new Error(`The changelog of ${name} has no section for ${next}.`)
}
console.log(
  `versions    ${packages.size} packages, ${before[0]!.version} → ${next}, each with a changelog`,
)

const tarballs = await packAll(copy, join(temp, 'packed'))
if (tarballs.length !== packages.size)
  throw new Error(`${tarballs.length} tarballs of ${packages.size} packages.`)
for (const tarball of tarballs) {
  await checkTarball(tarball)
  const name = basename(tarball).replace(/^[^-]+-|-\d.*/g, '') // without the scope, which a fork may rename
  const size = Math.ceil(statSync(tarball).size / 1000)
  const budget = budgets[name] ?? defaultBudget
  console.log(`${name.padEnd(14)} ${size} kB of ${budget} kB`)
  if (size > budget)
    throw new Error(`${name} has ${size} kB. Make it smaller, or raise its budget.`)
}

const app = join(temp, 'app')
await createApp(app, smokeFiles, [...tarballs, 'express@5', 'fastify@5'])
for (const file of Object.keys(smokeFiles)) {
  const output = await run(app, process.execPath, file)
  if (output !== printed) throw new Error(`${file} prints:\n${output}`)
}
const help = await run(app, join('node_modules', '.bin', 'hv-router'), '--help')
if (!help.includes('explain')) throw new Error(`hv-router --help prints:\n${help}`)
console.log(`smoke tests ${Object.keys(smokeFiles).join(', ')}, hv-router --help`)

function nextMinor(version: string): string {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${minor! + 1}.0`
}
