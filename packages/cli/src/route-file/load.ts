import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { extensions } from '@hv/router/controllers'
import { type Io, UsageError, display } from '../output.ts'
import { type Planned, isFile, temporaryBeside } from '../project/files.ts'
import type { RouteFile } from './route-file.ts'
import type { ExplainRequest, WorkerAnswer, WorkerRequest } from './worker.ts'

const usualPlaces = ['src/routes', 'routes', 'app/routes', 'src/api/routes', 'config/routes']

/** Finds the route file: the file that `--routes` names, or else the first in the usual places. */
export function findRouteFile({ cwd }: Io, named: string | undefined): string {
  if (named !== undefined) {
    const path = resolve(cwd, named)
    if (!isFile(path))
      throw new UsageError(`no such file: ${named}. Pass the route file with --routes <file>.`)
    return path
  }
  const path = usualPlaces
    .flatMap((place) => extensions.map((extension) => resolve(cwd, `${place}.${extension}`)))
    .find(isFile)
  if (path === undefined)
    throw new UsageError(
      `no route file found. Looked for ${usualPlaces.join(', ')} with .ts, .js and the like. ` +
        'Pass yours with --routes <file>.',
    )
  return path
}

/** Loads the route file, in TypeScript or JavaScript, within some milliseconds. */
export async function loadRouteFile(
  io: Io,
  named: string | undefined,
  {
    explain,
    timeLimit = 30_000,
  }: { readonly explain?: ExplainRequest; readonly timeLimit?: number } = {},
): Promise<RouteFile> {
  const path = findRouteFile(io, named)
  const answer = await askWorker(io, { path, cwd: io.cwd, explain }, timeLimit)
  if ('routeFile' in answer) return answer.routeFile
  const { code, message } = answer
  throw new UsageError(code === undefined ? `${display(io, path)} ${message}` : message)
}

/** Loads a route file's new text from a temporary file, so that bump never writes a broken one. */
export async function tryRouteFile(io: Io, { path, text }: Planned): Promise<void> {
  const beside = temporaryBeside(path, extname(path))
  try {
    writeFileSync(beside, text, { flag: 'wx' })
    await loadRouteFile(io, beside)
  } catch (error) {
    const why = (error as Error).message.replaceAll(display(io, beside), display(io, path))
    throw new UsageError(`with it, ${why}`)
  } finally {
    rmSync(beside, { force: true })
  }
}

function startWorker(): Worker {
  const options = { stdout: true, stderr: true }
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt) return new Worker(new URL('./worker.js', import.meta.url), options)
  // In this repository, the worker is TypeScript, which Node 20 can't load by itself.
  const require = createRequire(import.meta.url)
  const alias = { '@hv/router': require.resolve('@hv/router') }
  const script = `require(${JSON.stringify(require.resolve('jiti'))})
    .createJiti(${JSON.stringify(import.meta.url)}, ${JSON.stringify({ alias })})
    .import('./worker.ts')`
  return new Worker(script, { ...options, eval: true })
}

/** A worker that waits for the next route file, because starting one takes longer than loading a file. */
let idleWorker: Worker | undefined

/** Starts a worker ahead of time. If it can't start, `askWorker` starts another and reports why. */
export function startIdleWorker(): void {
  idleWorker = startWorker().once('error', () => {
    idleWorker = undefined
  })
}

export async function endIdleWorker(): Promise<void> {
  await idleWorker?.terminate()
  idleWorker = undefined
}

/** Asks a worker, until it answers, ends or takes too long. What the file prints goes to stderr. */
async function askWorker(io: Io, request: WorkerRequest, timeLimit: number): Promise<WorkerAnswer> {
  const worker = idleWorker ?? startWorker()
  idleWorker = undefined
  const print = (text: Buffer) => io.err.write(String(text))
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', print)
  const failed = (message: string): WorkerAnswer => ({ message: `couldn't be loaded: ${message}` })
  const waiting = new AbortController()
  const { signal } = waiting
  const answers = [
    once(worker, 'message', { signal }).then(([answer]) => answer as WorkerAnswer),
    once(worker, 'exit', { signal }).then(() =>
      failed('the file called process.exit(), or a top-level await never finished.'),
    ),
    wait(timeLimit, failed(`it was still loading after ${timeLimit / 1000} seconds.`), { signal }),
  ]
  worker.postMessage(request, [])
  const answer = await Promise.race(answers).catch((error: Error) =>
    failed(error.message.split('\n')[0]!),
  )
  waiting.abort()
  for (const stream of [worker.stdout, worker.stderr]) stream.off('data', print)
  // Node keeps the JavaScript that a thread has loaded, but `bump` loads a file that it has changed.
  if (answer.isIdle === true && /\.[mc]?ts$/.test(request.path)) idleWorker = worker
  else await worker.terminate()
  return answer
}
