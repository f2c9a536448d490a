// What a request costs in processor time, which depends less than response times on what else runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import autocannon from 'autocannon'
import fastify, { type FastifyRequest } from 'fastify'
import { serializers } from '../src/http/log-serializers.ts'
import { logRequest } from '../src/http/request-log.ts'
import { openLog } from '../src/ops/readable-log.ts'
import { startDatabase } from '../test/databases.ts'
import { startInstance } from '../test/services.ts'
import { create, end, login, processorTimeOf } from './client.ts'

const rounds = 5

interface Served {
  readonly name: string
  readonly child: ChildProcess
  readonly url: string
  readonly headers: Record<string, string>
}

/**
 * `GET /users/<id>` per second of processor time, the best of five rounds: the service on both databases, and plain Fastify with
 * mysql2. BENCH_BASE is the folder of an earlier checkout, to compare with.
 */
export async function cost(): Promise<void> {
  const database = await startDatabase()
  const DATABASE_URL = await database.createSchema()
  const folder = mkdtempSync(join(tmpdir(), 'users-cost-'))
  const service = await serve('the service, MySQL or MariaDB', { DATABASE_URL })
  const logging = await serve('the service with its log, MySQL or MariaDB', {
    DATABASE_URL: await database.createSchema(),
    LOG_LEVEL: 'info',
  })
  const embedded = await serve('the service, embedded store', {
    DATABASE_FILE: join(folder, 'users.db'),
  })
  const plain = await servePlain(DATABASE_URL, service)
  const base = process.env['BENCH_BASE']
  const before =
    base === undefined
      ? []
      : [
          await serve(
            'the service of BENCH_BASE',
            { DATABASE_URL: await database.createSchema() },
            join(base, 'examples/users'),
          ),
        ]
  const served = [...before, service, logging, embedded, plain]
  const rates = new Map<Served, number[]>(served.map((server) => [server, []]))
  for (const server of served) await measure(server)
  for (let round = 0; round < rounds; round++)
    for (const server of served) rates.get(server)!.push(await measure(server))
  for (const server of served) {
    const measured = rates.get(server)!
    const [best, bestOfPlain] = [Math.max(...measured), Math.max(...rates.get(plain)!)]
    console.log(
      `${server.name}: ${best} requests per second of processor time, ${(best / bestOfPlain).toFixed(2)} of plain Fastify;`,
      `rounds: ${measured.join(' ')}`,
    )
  }
  for (const { child } of served) await end(child, 'SIGKILL')
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * What the log's line costs, and its share of a read's processor time. The difference of two services, with and without the log,
 * is lost in the noise, so this measures the line itself: 20,000 lines to a file at a time, and reads of a service without the
 * log. The least of five rounds counts, because whatever else runs on the machine can only add to it. A line takes 4 to 6 us, a
 * read some 260.
 */
export async function log(): Promise<void> {
  const line = await costOfLine()
  const read = await costOfRead()
  const share = (100 * line) / (line + read)
  console.log(
    `a line: ${(1000 * line).toFixed(1)} us, a read: ${(1000 * read).toFixed(0)} us, the line's share: ${share.toFixed(1)} %`,
  )
}

/** Milliseconds of processor time, all threads included. */
async function costOfLine(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'users-log-'))
  const file = createWriteStream(join(folder, 'log'))
  const app = fastify({ logger: { serializers, stream: await openLog(true, file) } })
  const headers = { 'user-agent': 'some-client/1.0' }
  const requests: FastifyRequest[] = []
  app.get('/users/:id', (request, reply) => {
    requests.push(request)
    reply.send()
  })
  await app.inject({ url: '/users/1', headers })
  const ended = {
    request: requests[0]!,
    route: '/users/:id',
    version: 2,
    error: undefined,
    status: 200,
  }
  const costs: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage()
    for (let i = 0; i < 20_000; i++) {
      logRequest({ ...ended, duration: i / 1000 })
      if (i % 10 === 0) await new Promise(setImmediate) // so that it's written meanwhile
    }
    const { user, system } = process.cpuUsage(start)
    costs.push((user + system) / 1000 / 20_000)
  }
  await app.close()
  rmSync(folder, { recursive: true })
  return Math.min(...costs)
}

async function costOfRead(): Promise<number> {
  const database = await startDatabase()
  const service = await serve('', { DATABASE_URL: await database.createSchema() })
  const rates: number[] = []
  for (let round = 0; round < 5; round++) rates.push(await measure(service))
  await end(service.child, 'SIGKILL')
  await database.stop()
  return 1000 / Math.max(...rates)
}

async function serve(
  name: string,
  environment: Record<string, string>,
  folder?: string,
): Promise<Served> {
  const { child, origin } = await startInstance(environment, folder)
  const id = await create(origin, 'ann')
  return { name, child, url: `${origin}/users/${id}`, headers: await login(origin, 'ann') }
}

async function servePlain(DATABASE_URL: string, { url, headers }: Served): Promise<Served> {
  const child = spawn(
    process.execPath,
    ['--conditions=@hv/source', '--import', 'tsx', 'bench/plain.ts'],
    {
      cwd: resolve(import.meta.dirname, '..'),
      env: { ...process.env, DATABASE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    name: 'plain Fastify and mysql2',
    child,
    url: line.toString().trim() + new URL(url).pathname,
    headers,
  }
}

/** Requests per second of processor time, with 20 connections for three seconds. */
async function measure({ child, url, headers, name }: Served): Promise<number> {
  const start = processorTimeOf(child)
  const { non2xx, '2xx': successful } = await autocannon({
    url,
    headers,
    connections: 20,
    duration: 3,
  })
  if (non2xx > 0) throw new Error(`${name}: ${non2xx} responses were not successful`)
  return Math.round(successful / (processorTimeOf(child) - start))
}
