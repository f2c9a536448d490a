import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, Server } from 'node:net'
import { relative, resolve } from 'node:path'
import { type Api, RouterError } from '@hv/router'
import { createJiti } from 'jiti'
import { type Io, UsageError } from './io.ts'

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const usual = ['src/routes', 'routes', 'app/routes', 'src/api/routes', 'config/routes']

export interface Loaded {
  readonly api: Api
  /** Absolute. */
  readonly file: string
}

/** The route file: the one named, else the first of the usual places. */
export function findRouteFile({ cwd }: Io, named: string | undefined): string {
  if (named !== undefined) {
    const file = resolve(cwd, named)
    if (!existsSync(file) || !statSync(file).isFile())
      throw new UsageError(`there is no file ${named}. Name the route file with --routes <file>.`)
    return file
  }
  const found = usual
    .flatMap((stem) => extensions.map((extension) => resolve(cwd, `${stem}.${extension}`)))
    .find((file) => existsSync(file))
  if (found === undefined)
    throw new UsageError(
      `no route file found. Looked for ${usual.join(', ')} with .ts, .js and the like. Name it with --routes <file>.`,
    )
  return found
}

/**
 * Loads the API that a route file exports, in TypeScript or JavaScript, on every Node line.
 *
 * @throws UsageError with one message for whatever is wrong with the file; RouterError where `api()` refuses it
 */
export async function loadRoutes(io: Io, named: string | undefined): Promise<Loaded> {
  const file = findRouteFile(io, named)
  const name = relative(io.cwd, file)
  const jiti = createJiti(import.meta.url, { moduleCache: false, alias: ownCore() })
  const release = refuseListening(name)
  let exported: Record<string, unknown>
  try {
    exported = await jiti.import<Record<string, unknown>>(file)
  } catch (error) {
    if (error instanceof RouterError || error instanceof UsageError) throw error
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    throw new UsageError(`${name} could not be loaded: ${message}`)
  } finally {
    release()
  }
  const found = new Map(
    [...Object.entries(exported), ...Object.entries((exported['default'] as object | undefined) ?? {})]
      .filter(([, value]) => isApi(value))
      .map(([key, value]) => [value as Api, key]),
  )
  if (isApi(exported['default'])) found.set(exported['default'], 'default')
  if (found.size === 0)
    throw new UsageError(`${name} exports no API. Export what api() returns: export const routes = api(…).`)
  if (found.size > 1)
    throw new UsageError(
      `${name} exports ${found.size} APIs: ${[...found.values()].join(', ')}. Keep each in a file of its own, and name one with --routes.`,
    )
  return { api: [...found.keys()][0]!, file }
}

/** The route file gets this program's own copy of the core: what made an API and what reads it are of one version. */
function ownCore(): Record<string, string> {
  const { resolve } = createRequire(import.meta.url)
  const entries = ['@hv/router/adapter', '@hv/router/controllers', '@hv/router']
  return Object.fromEntries(entries.map((entry) => [entry, resolve(entry)]))
}

const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'options' in value && 'versions' in value && 'table' in value

/** A route file is read, not run: one that starts a server is told so, and the server never listens. */
function refuseListening(name: string): () => void {
  // Not `Server.prototype.listen` alone: what a server inherits is looked up as it is called.
  const { prototype } = createServer().constructor as typeof Server
  const { listen } = prototype
  prototype.listen = () => {
    throw new UsageError(`${name} starts a server when it is loaded. Keep api(…) in a file that only exports it.`)
  }
  return () => {
    prototype.listen = listen
  }
}
