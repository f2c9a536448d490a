// Loads route files in a thread of its own, so that nothing they do reaches the command.
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import * as core from '@hv/router'
import type { JitiOptions } from 'jiti'
import { display } from '../output.ts'
import { type RouteFile, describeApi, isApi } from './route-file.ts'

export type ExplainRequest = Parameters<typeof core.explain>[1]

export interface WorkerRequest {
  readonly path: string
  /** The folder that paths in messages are relative to. */
  readonly cwd: string
  readonly explain: ExplainRequest | undefined
}

/**
 * If `isIdle`, the worker can load another file, because nothing that the last file started, such
 * as a timer, is still running.
 */
export type WorkerAnswer = { readonly isIdle?: boolean } & (
  | { readonly routeFile: RouteFile }
  /** What's wrong with the file. With a code, it's a RouterError's message, which stands alone. */
  | { readonly code?: string; readonly message: string }
)

// 30 ms faster than `import`, which scans a CommonJS file for the names of its exports first.
const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti')

const port = parentPort!
const post = (answer: WorkerAnswer): void => {
  port.postMessage(answer, [])
}
process.on('uncaughtException', (error) => post(failure(error, process.cwd())))
port.on('message', (request: WorkerRequest) => void respond(request))

async function respond(request: WorkerRequest): Promise<void> {
  // Otherwise, a file that waits for something that never comes would keep the thread alive.
  port.unref()
  const answer = await load(request).catch((error: unknown) => failure(error, request.cwd))
  const outputs = [process.stdout, process.stderr]
  await Promise.all(outputs.map((output) => new Promise((done) => output.write('', done))))
  post({ ...answer, isIdle: runningResources().length === 0 })
  port.ref()
}

const server = {
  message: "starts a server when it's loaded. Keep api(…) in a file that only exports it.",
}

async function load({ path, explain }: WorkerRequest): Promise<WorkerAnswer> {
  const exported = await importFile(path).catch((error: unknown) => {
    // To unwrap default exports, jiti looks for `then` in them, even if they're null.
    if (!String(error).endsWith("properties of null (reading 'then')")) throw error
    return importFile(path, { interopDefault: false })
  })
  const apis = apisIn(exported)
  if (await startsServer()) return server
  const [api] = apis.keys()
  if (api === undefined)
    return { message: 'exports no API. Export what api() returns: export const routes = api(…).' }
  if (apis.size > 1) {
    const names = [...apis.values()].join(', ')
    const remedy = 'Keep each in a file of its own, and choose one with --routes <file>.'
    return { message: `exports ${apis.size} APIs: ${names}. ${remedy}` }
  }
  const routeFile = describeApi(api, path)
  if (explain === undefined) return { routeFile }
  return { routeFile: { ...routeFile, explanation: core.explain(api, explain) } }
}

function importFile(path: string, options: JitiOptions = {}): Promise<unknown> {
  const jiti = createJiti(pathToFileURL(path).href, {
    // The route file gets this program's copy of the core, so that the same release makes the API
    // and reads it.
    virtualModules: { '@hv/router': core },
    moduleCache: false,
    tsconfigPaths: true,
    ...options,
  })
  return jiti.import(path)
}

/** Waits up to 100 ms, because frameworks open the port a few turns after `listen()`. */
async function startsServer(): Promise<boolean> {
  for (let turn = 0; turn < 20; turn++) {
    await wait(turn === 0 ? 0 : 5)
    const running = runningResources()
    if (running.includes('TCPServerWrap')) return true
    if (running.length === 0) return false
  }
  return false
}

const runningResources = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((resource) => resource !== 'MessagePort')

/** Each API that the file exports, with its name. CommonJS files export inside `default`. */
function apisIn(exported: unknown): ReadonlyMap<core.Api, string> {
  const inner = (exported as { readonly default?: unknown } | null | undefined)?.default
  const entries = [...Object.entries(exported ?? {}), ...Object.entries(inner ?? {})]
  const apis = new Map<core.Api, string>()
  for (const [name, value] of entries) if (isApi(value)) apis.set(value, name)
  if (isApi(inner)) apis.set(inner, 'default')
  return apis
}

function failure(error: unknown, cwd: string): WorkerAnswer {
  if (error instanceof core.RouterError) return { code: error.code, message: error.message }
  if ((error as { syscall?: unknown } | null)?.syscall === 'listen') return server
  if (!(error instanceof Error)) return { message: `couldn't be loaded: ${String(error)}` }
  // jiti puts a syntax error's place on the last line: `ParseError: …`, then `/routes.ts:3:0`.
  const syntaxError = /^(?:ParseError|undefined): (.*?)\s*\n\s*(\S.*):(\d+):(\d+)$/
  const [, text, path, line, column] = syntaxError.exec(error.message) ?? []
  if (path === undefined) {
    const [firstLine] = error.message.split('\n')
    return { message: `couldn't be loaded: ${firstLine!.trimEnd() || error.name}` }
  }
  const position = line === '0' ? '' : `:${line}:${Number(column) + 1}`
  return { message: `couldn't be loaded: ${text} (${display({ cwd }, path)}${position})` }
}
