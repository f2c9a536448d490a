import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Explanation } from '@hv/router'
import { type Io, UsageError, display } from '../output.ts'
import { findRouteFile } from './find.ts'
import type { ExplainRequest, RouteFile, WorkerAnswer, WorkerRequest } from './route-file.ts'

/** `api()` refused the route file. The message begins with the code. */
export class RefusedError extends UsageError {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The options of {@link loadRouteFile}. */
export interface LoadOptions {
  /** A request to explain as well. */
  readonly explain?: ExplainRequest
  /** Milliseconds. Default: 30 seconds. */
  readonly timeLimit?: number
}

/**
 * Loads the route file, in TypeScript or JavaScript, on every supported Node.
 *
 * @param named the path that the user gave; undefined finds the file in the usual places
 * @throws RefusedError when `api()` refuses the declaration
 * @throws UsageError with one line for everything else that is wrong with the file
 */
export async function loadRouteFile(
  io: Io,
  named: string | undefined,
  { explain, timeLimit = 30_000 }: LoadOptions = {},
): Promise<{ readonly routeFile: RouteFile; readonly explanation: Explanation | null }> {
  const path = findRouteFile(io, named)
  const answer = await askWorker(io, { path, explain: explain ?? null }, timeLimit)
  if (answer.kind === 'loaded') return answer
  if (answer.kind === 'refused') throw new RefusedError(answer.code, answer.message)
  throw new UsageError(`${display(io, path)} ${faultOf(io, answer)}`)
}

function faultOf(io: Io, answer: Exclude<WorkerAnswer, { kind: 'loaded' | 'refused' }>): string {
  if (answer.kind === 'failed') {
    const { message, at } = answer
    const place = at === undefined ? '' : ` (${display(io, at.path)}${at.position})`
    return `could not be loaded: ${message}${place}`
  }
  if (answer.kind === 'server') return 'starts a server when it is loaded. Keep api(…) in a file that only exports it.'
  const { names } = answer
  return names.length === 0
    ? 'exports no API. Export what api() returns: export const routes = api(…).'
    : `exports ${names.length} APIs: ${names.join(', ')}. Keep each in a file of its own, and choose one with --routes <file>.`
}

function startWorker(): Worker {
  const options = { stdout: true, stderr: true }
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt) return new Worker(new URL('./worker.js', import.meta.url), options)
  // In this repository the worker is TypeScript, which Node 20 cannot load by itself.
  const resolve = (name: string): string => createRequire(import.meta.url).resolve(name)
  const alias = { '@hv/router': resolve('@hv/router') }
  const script = `require(${JSON.stringify(resolve('jiti'))})
    .createJiti(${JSON.stringify(import.meta.url)}, ${JSON.stringify({ alias })})
    .import('./worker.ts')`
  return new Worker(script, { ...options, eval: true })
}

/** A worker that waits for the next route file. To start one, with its compiler, costs more than to load a file. */
let idleWorker: Worker | undefined

/** One that cannot start is forgotten: the next one reports why. */
export function startIdleWorker(): void {
  idleWorker = startWorker().once('error', () => {
    idleWorker = undefined
  })
}

/** Ends the idle worker, which keeps the process alive. */
export async function endIdleWorker(): Promise<void> {
  await idleWorker?.terminate()
  idleWorker = undefined
}

/** Runs a worker until it answers, ends or takes too long. What the route file prints goes to stderr. */
async function askWorker(io: Io, request: WorkerRequest, timeLimit: number): Promise<WorkerAnswer> {
  const worker = idleWorker ?? startWorker()
  idleWorker = undefined
  const print = (text: Buffer) => io.err.write(String(text))
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', print)
  const failed = (message: string): WorkerAnswer => ({ kind: 'failed', message })
  const over = new AbortController()
  const { signal } = over
  const answers = [
    once(worker, 'message', { signal }).then(([answer]) => answer as WorkerAnswer),
    once(worker, 'exit', { signal }).then(() =>
      failed('the file called process.exit(), or a top-level await never finished.'),
    ),
    wait(timeLimit, failed(`it was still loading after ${timeLimit / 1000} seconds.`), { signal }),
  ]
  worker.postMessage(request, [])
  const answer = await Promise.race(answers).catch((error: Error) => failed(error.message.split('\n')[0]!))
  over.abort()
  for (const stream of [worker.stdout, worker.stderr]) stream.off('data', print)
  // Node keeps JavaScript that a thread has loaded; bump and retire load a file again after they have changed it.
  if (answer.isIdle === true && /\.[mc]?ts$/.test(request.path)) idleWorker = worker
  else await worker.terminate()
  return answer
}
