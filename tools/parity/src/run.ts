// `npm run parity`: runs the tests that npm ships with Fastify and its plugins, natively and with the router, and fails if a
// difference isn't in the list. `npm run parity -- hooks` only runs the files whose path contains "hooks".
import { readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Comparison, compare } from './compare.ts'
import { differences } from './differences.ts'
import { installSuites, names, resultsFolder } from './install.ts'
import { type Mode, modes } from './modes.ts'
import { type FileRun, runFile } from './run-file.ts'

/** Fewer would mean that the router doesn't serve the routes in Fastify's tests any more. */
const fewestRoutes = 1361
/** Folders without tests of routes. */
const skipped = /^test\/(?:internals|types|bundler|build|scripts|esm)\//
const workers = Number(process.env['PARITY_WORKERS'] ?? Math.min(2, availableParallelism()))
const [part = ''] = process.argv.slice(2)

interface TestFile {
  /** Such as `fastify/test/hooks.test.js`. */
  readonly name: string
  readonly suite: string
  readonly modes: readonly Mode[]
}

const suites = installSuites()
const files = names.flatMap((suite) => filesOf(suite))
const runs = new Map<string, FileRun>()
rmSync(resultsFolder, { recursive: true, force: true })

// A file's modes run one after the other, because some tests listen on a port of their own.
const queue = [...files]
const startWorker = async () => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift())
    for (const mode of file.modes) await run(file, mode)
}
await Promise.all(Array.from({ length: workers }, startWorker))

const faults: string[] = []
for (const suite of names) for (const mode of modes.slice(1)) await report(suite, mode)
for (const file of files)
  for (const mode of file.modes)
    if (runOf(file, mode).isEnded) faults.push(`${mode}, ${file.name} took too long and was ended.`)
for (const fault of faults) console.error(`\n${fault}`)
if (faults.length > 0 || files.length === 0) process.exitCode = 1

function filesOf(suite: string): readonly TestFile[] {
  const paths = readdirSync(join(suites, suite, 'test'), { recursive: true, encoding: 'utf8' })
  return paths
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.test\.[cm]?js$/.test(path) && !skipped.test(path))
    .toSorted()
    .map((path) => ({
      name: `${suite}/${path}`,
      suite,
      modes: suite === 'fastify' ? modes : (['native', 'router'] as const),
    }))
    .filter(({ name }) => name.includes(part))
}

async function run(file: TestFile, mode: Mode): Promise<void> {
  runs.set(`${mode} ${file.name}`, await runFile(suites, file.suite, file.name, mode))
}

function runOf({ name }: TestFile, mode: Mode): FileRun {
  return runs.get(`${mode} ${name}`)!
}

function compareRuns(file: TestFile, mode: Mode): Comparison {
  const [native, inMode] = [runOf(file, 'native'), runOf(file, mode)]
  return compare(file.name, mode, native.results, inMode.results, differences)
}

/** Prints how many of a suite's tests pass in a mode, and notes what's wrong. */
async function report(suite: string, mode: Mode): Promise<void> {
  const own = files.filter((file) => file.suite === suite && file.modes.includes(mode))
  if (own.length === 0) return
  const comparisons: Comparison[] = []
  for (const file of own) {
    let comparison = compareRuns(file, mode)
    // On a busy machine, a test may miss one of its time limits, so it gets a second chance.
    if (comparison.faults.length > 0) {
      await run(file, 'native')
      await run(file, mode)
      comparison = compareRuns(file, mode)
    }
    comparisons.push(comparison)
    faults.push(...comparison.faults)
  }
  const native = sum(comparisons.map((comparison) => comparison.native))
  const passed = sum(comparisons.map((comparison) => comparison.passed))
  const routes = sum(own.map((file) => runOf(file, mode).routes))
  console.log(`${suite}, ${mode}: ${passed} of ${native} tests pass, with ${routes} routes`)
  if (suite === 'fastify' && part === '' && routes < fewestRoutes)
    faults.push(`${mode}: the router served ${routes} routes, instead of ${fewestRoutes}.`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
