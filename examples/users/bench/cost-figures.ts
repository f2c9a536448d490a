// What a request costs in processor time, which depends less than response times on what else runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import autocannon from 'autocannon'
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
 * The log's share of a read's processor time: `figures -- log 5` measures five processes with the log and five without, in turns.
 * Each is a fresh one, because the compiler decides differently each time. The least of each counts, because whatever else runs
 * on the machine can only add to it.
 */
export async function log(): Promise<void> {
  const database = await startDatabase()
  const levels = ['silent', 'info'] as const
  const costs: Record<(typeof levels)[number], number[]> = { silent: [], info: [] }
  for (let round = 0; round < Number(process.argv[3] ?? 5); round++)
    for (const LOG_LEVEL of levels) {
      const DATABASE_URL = await database.createSchema()
      const { child, url, headers } = await serve(LOG_LEVEL, { DATABASE_URL, LOG_LEVEL })
      const read = (amount: number) => autocannon({ url, headers, connections: 20, amount })
      await read(4000)
      const start = processorTimeOf(child)
      await read(10_000)
      costs[LOG_LEVEL].push((processorTimeOf(child) - start) / 10)
      await end(child, 'SIGKILL')
    }
  const [silent, info] = levels.map((level) => Math.min(...costs[level])) as [number, number]
  for (const level of levels)
    console.log(`${level}: ${costs[level].map((time) => time.toFixed(3)).join(' ')} ms a read`)
  console.log(
    `the log's share of a read's processor time: ${(100 * (1 - silent / info)).toFixed(1)} %`,
  )
  await database.stop()
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
