// Runs a test file in a process of its own.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFolder } from './install.ts'
import type { Mode } from './modes.ts'
import type { Result } from './reporter.ts'

/** In milliseconds. */
const testLimit = 15_000
const fileLimit = 120_000

export interface FileRun {
  readonly results: readonly Result[]
  /** How many routes the router has served. */
  readonly routes: number
  /** Whether the process was ended, because the file took too long. */
  readonly isEnded: boolean
}

/**
 * Runs a file in a mode.
 *
 * @param file - such as `fastify/test/hooks.test.js`
 */
export async function runFile(
  suites: string,
  suite: string,
  file: string,
  mode: Mode,
): Promise<FileRun> {
  const folder = join(resultsFolder, mode)
  mkdirSync(folder, { recursive: true })
  const results = join(folder, file.replaceAll('/', '_'))
  const routes = `${results}.routes`
  for (const path of [results, routes]) rmSync(path, { force: true })

  const isEnded = await runProcess(join(suites, suite), join(suites, file), {
    PARITY_MODE: mode,
    PARITY_FASTIFY: join(suites, 'fastify/fastify.js'),
    PARITY_RESULTS: results,
    PARITY_ROUTES: routes,
    PARITY_TEST_LIMIT: String(testLimit),
  })
  return {
    results: linesOf(results).map((line) => JSON.parse(line) as Result),
    routes: linesOf(routes).reduce((sum, count) => sum + Number(count), 0),
    isEnded,
  }
}

/** Returns whether the time limit has ended the process. */
function runProcess(cwd: string, file: string, parity: Record<string, string>): Promise<boolean> {
  const [preload, reporter] = ['preload.cjs', 'reporter.js'].map((name) =>
    join(import.meta.dirname, name),
  ) as [string, string]
  const { NODE_OPTIONS: _ours, ...env } = process.env
  const child = spawn(
    process.execPath,
    // Without --test, a reporter that isn't Node's own delays the tests.
    ['--test', '--test-reporter', reporter, '--require', preload, file],
    { cwd, env: { ...env, ...parity }, stdio: 'ignore', detached: true },
  )
  return new Promise((done, fail) => {
    let isEnded = false
    const timer = setTimeout(() => {
      isEnded = true
      process.kill(-child.pid!, 'SIGKILL') // with the file's own process
    }, fileLimit)
    child.on('error', fail)
    child.on('exit', () => {
      clearTimeout(timer)
      done(isEnded)
    })
  })
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
