// The service as clients see it, in several set-ups: every black-box suite runs on each.
import { type ChildProcess, spawn } from 'node:child_process'
import { type Server, Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe } from 'vitest'
import { buildApp } from '../src/app.ts'
import { createTokens, secretKey } from '../src/auth/tokens.ts'
import { openMysqlStore, openSqliteStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bundle } from './bundle.ts'
import { type StartDatabase, describeDatabases, startDatabase } from './databases.ts'

export const secret = 'a secret of the tests that is long enough'
export const tokens = createTokens([secretKey(secret)], 3600)

export interface Service {
  readonly origin: string
  close(): Promise<void>
}

/**
 * `start` gives a service without users. With SERVICE_URL, the suite asks that one instead: freshly started on an empty
 * database, without limits, and with this ACCESS_TOKEN.
 */
export function describeServices(
  title: string,
  suite: (start: () => Promise<Service>) => void,
): void {
  const given = process.env['SERVICE_URL']
  if (given !== undefined)
    return void describe(`${title} at ${given}`, () =>
      suite(async () => ({ origin: given, close: async () => {} })))
  describe(`${title} on the embedded store`, () =>
    suite(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'users-service-'))
      return serve(openSqliteStore(join(folder, 'users.db')), () =>
        rmSync(folder, { recursive: true, force: true }),
      )
    }))
  describeDatabases(title, (start) =>
    suite(async () => {
      const database = await start()
      return serve(openMysqlStore({ url: await database.createSchema() }), () => database.stop())
    }),
  )
  describeDatabases(`${title} as three instances behind a proxy`, (start) =>
    suite(() => startCluster({}, start)),
  )
}

async function serve(store: UserStore, clean: () => unknown): Promise<Service> {
  await store.migrate()
  const app = buildApp(appConfig, { store, tokens })
  return {
    origin: await app.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      await app.close()
      await store.close()
      await clean()
    },
  }
}

export interface Cluster extends Service {
  /** Of the instances themselves. */
  readonly origins: readonly string[]
  readonly instances: readonly ChildProcess[]
}

/** Three processes on one database, all started at once on empty tables, behind a small proxy that takes them in turn. */
export async function startCluster(
  environment: Record<string, string> = {},
  start: StartDatabase = startDatabase,
): Promise<Cluster> {
  const database = await start()
  const url = await database.createSchema()
  const started = await Promise.all(
    [1, 2, 3].map(() => startInstance({ DATABASE_URL: url, ...environment })),
  )
  const origins = started.map(({ origin }) => origin)
  const { origin, stop } = await startProxy(origins)
  return {
    origin,
    origins,
    instances: started.map(({ child }) => child),
    async close() {
      await stop()
      for (const { child } of started) child.kill('SIGKILL')
      await database.stop()
    },
  }
}

const users = resolve(import.meta.dirname, '..')

/** @param folder of the service: that of another checkout, for instance */
export async function startInstance(
  environment: Record<string, string>,
  folder = users,
): Promise<{ child: ChildProcess; origin: string }> {
  const { PATH = '', HOME = '' } = process.env
  const limits = {
    RATE_LIMIT: '0',
    LOGIN_RATE: '0',
    LOGIN_FAILURES: '0',
    REGISTRATION_RATE: '0',
    EXPOSE_DB_ERRORS: '0',
  }
  const child = spawn(process.execPath, [bundle(folder, 'src/main.ts')], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      ACCESS_TOKEN: secret,
      TRUST_PROXY: '127.0.0.1',
      DRAIN_TIME: '1',
      ...limits,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let i = 0; i < 6000; i++) {
    const origin = /on (http:\/\/[\d.]+:\d+)/.exec(output)?.[1]
    if (origin !== undefined) return { child, origin }
    if (child.exitCode !== null)
      throw new Error(`the instance ended with ${child.exitCode}: ${output}`)
    await wait(50)
  }
  throw new Error("the instance doesn't serve")
}

/** Takes the instances in turn, those that say they're ready; asks each ten times a second. */
async function startProxy(
  origins: readonly string[],
): Promise<{ origin: string; stop(): Promise<void> }> {
  const ready = new Set(origins)
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const checks = setInterval(() => {
    for (const origin of origins)
      void fetch(`${origin}/health/ready`)
        .then(({ ok }) => (ok ? ready.add(origin) : ready.delete(origin)))
        .catch(() => ready.delete(origin))
  }, 100)
  const server: Server = createServer((incoming, answer) => {
    const chosen = [...ready][turn++ % Math.max(ready.size, 1)]
    if (chosen === undefined) return void answer.writeHead(503).end()
    const { hostname, port } = new URL(chosen)
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    const outgoing = request(
      { hostname, port, agent, path: incoming.url, method: incoming.method, headers },
      (response) => {
        const { connection: _ours, ...rest } = response.headers
        answer.writeHead(response.statusCode!, rest)
        response.pipe(answer)
      },
    )
    outgoing.on('error', () =>
      answer.headersSent ? answer.destroy() : answer.writeHead(502).end(),
    )
    incoming.pipe(outgoing)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      clearInterval(checks)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
