import { createRequire } from 'node:module'
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

export interface LoadOptions {
  /** A request to explain, too. */
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
    : `exports ${names.length} APIs: ${names.join(', ')}. Keep each in a file of its own, and name one with --routes.`
}

function startWorker(workerData: WorkerRequest): Worker {
  const options = { workerData, stdout: true, stderr: true }
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

/** Runs the worker until it answers, ends or takes too long. What the route file prints goes to stderr. */
async function askWorker(io: Io, request: WorkerRequest, timeLimit: number): Promise<WorkerAnswer> {
  const worker = startWorker(request)
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (text: Buffer) => io.err.write(String(text)))
  const failed = (message: string): WorkerAnswer => ({ kind: 'failed', message })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<WorkerAnswer>((resolve) => {
      worker.once('message', resolve)
      worker.once('error', (error: Error) => resolve(failed(error.message.split('\n')[0]!)))
      worker.once('exit', () => resolve(failed('it ends the process, or waits for something that never comes.')))
      timer = setTimeout(() => resolve(failed(`it takes longer than ${timeLimit / 1000} seconds.`)), timeLimit)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
