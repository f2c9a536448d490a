// Loads route files in a thread of its own, so that nothing a file does reaches the command.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import * as core from '@hv/router'
import type { JitiOptions } from 'jiti'
import { describeApi, isApi } from './describe.ts'
import type { WorkerAnswer, WorkerRequest } from './route-file.ts'

// 30 ms faster than `import`, which scans a CommonJS file for the names of its exports first.
const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti')
const port = parentPort!
const post = (answer: WorkerAnswer): void => {
  port.postMessage(answer, [])
}
process.on('uncaughtException', (error) => post(failure(error)))
port.on('message', (request: WorkerRequest) => void respond(request))

async function respond(request: WorkerRequest): Promise<void> {
  port.unref() // so that a file that waits for nothing that ever comes ends the thread
  const answer = await load(request).catch(failure)
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
  post({ ...answer, isIdle: runningResources().length === 0 })
  port.ref()
}

async function load({ path, explain: request }: WorkerRequest): Promise<WorkerAnswer> {
  // To unwrap default exports, jiti looks for `then` in them, even in null.
  const retry = (error: unknown): Promise<unknown> => {
    if (!isNullDefault(error)) throw error
    return importFile(path, { interopDefault: false })
  }
  const apis = apisIn(await importFile(path).catch(retry))
  if (await startsServer()) return { kind: 'server' }
  const [api] = apis.keys()
  if (api === undefined || apis.size > 1) return { kind: 'exports', names: [...apis.values()] }
  const explanation = request && core.explain(api, request)
  return { kind: 'loaded', routeFile: describeApi(api, path), explanation }
}

function importFile(path: string, options: JitiOptions = {}): Promise<unknown> {
  const jiti = createJiti(pathToFileURL(path).href, {
    // The route file gets this program's copy of the core, so that one version of it makes and reads the API.
    virtualModules: { '@hv/router': core },
    moduleCache: false,
    tsconfigPaths: true,
    ...options,
  })
  return jiti.import(path)
}

/** A file that left something running gets up to 100 ms: frameworks open the port a few turns after `listen()`. */
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

const isNullDefault = (error: unknown): boolean =>
  error instanceof TypeError && error.message === "Cannot read properties of null (reading 'then')"

/** Each API that the file exports, with the name of the export. A CommonJS file exports inside `default`. */
function apisIn(exported: unknown): ReadonlyMap<core.Api, string> {
  const inner = (exported as { readonly default?: unknown } | null | undefined)?.default
  const entries = [...Object.entries(exported ?? {}), ...Object.entries(inner ?? {})]
  const found = new Map<core.Api, string>()
  for (const [name, value] of entries) if (isApi(value)) found.set(value, name)
  if (isApi(inner)) found.set(inner, 'default')
  return found
}

function failure(error: unknown): WorkerAnswer {
  if (error instanceof core.RouterError) return { kind: 'refused', code: error.code, message: error.message }
  if ((error as { syscall?: unknown } | null)?.syscall === 'listen') return { kind: 'server' }
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error) }
  return (
    syntaxError(error.message) ?? { kind: 'failed', message: error.message.split('\n')[0]!.trimEnd() || error.name }
  )
}

/** A syntax error of jiti has the place on its last line: `ParseError: Unexpected token`, then `/routes.ts:3:0`. */
function syntaxError(text: string): WorkerAnswer | null {
  const found = /^(?:ParseError|undefined): (.*?)\s*\n\s*(\S.*):(\d+):(\d+)$/.exec(text)
  if (found === null) return null
  const [, message, path, line, column] = found
  const position = line === '0' ? '' : `:${line}:${Number(column) + 1}`
  return { kind: 'failed', message: message!, at: { path: path!, position } }
}
