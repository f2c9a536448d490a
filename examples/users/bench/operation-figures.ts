// How the service behaves in operation: stops, crashes, load.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createConnection } from 'mysql2/promise'
import { startDatabase } from '../test/databases.ts'
import { startCluster, startInstance } from '../test/services.ts'
import { count, create, end, json, login, memoryOf } from './client.ts'

/** Failed requests while two of three instances stop, under fifty keep-alive clients. */
export async function stop(): Promise<void> {
  const cluster = await startCluster()
  const id = await create(cluster.origin, 'ann')
  const headers = await login(cluster.origin, 'ann')
  const outcomes = new Map<string, number>()
  const clock = { running: true }
  const clients = Array.from({ length: 50 }, async () => {
    while (clock.running) {
      const outcome = await fetch(`${cluster.origin}/users/${id}`, { headers }).then(
        async (response) => (await response.text(), String(response.status)),
        (error: Error) => error.message,
      )
      count(outcomes, outcome)
    }
  })
  await wait(2000)
  await end(cluster.instances[0]!, 'SIGTERM')
  await wait(1000)
  await end(cluster.instances[1]!, 'SIGTERM')
  await wait(1000)
  clock.running = false
  await Promise.all(clients)
  console.log(
    'responses while two of three instances stop, one after the other:',
    Object.fromEntries(outcomes),
  )
  await cluster.close()
}

/** Acknowledged writes lost over twenty rounds of kill -9 under write load. */
export async function kill(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'users-kill-'))
  const embedded = { DATABASE_FILE: join(folder, 'users.db') }
  const database = await startDatabase()
  const url = await database.createSchema()
  for (const [what, environment] of [
    ['the service, embedded store', embedded],
    ['the service, MariaDB', { DATABASE_URL: url }],
    ['the database', { DATABASE_URL: await database.createSchema() }],
  ] as const) {
    const acknowledged: number[] = []
    let lost = 0
    for (let round = 0; round < 20; round++) {
      const { child, origin } = await startInstance(environment)
      const clock = { running: true }
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; clock.running; i++)
          await create(origin, `r${round}w${writer}n${i}`).then(
            (id) => acknowledged.push(id),
            () => wait(20),
          )
      })
      await wait(300 + Math.random() * 200)
      if (what === 'the database') {
        await database.crash()
        clock.running = false
        await Promise.all(writers)
        await database.restart()
      } else {
        await end(child, 'SIGKILL')
        clock.running = false
        await Promise.all(writers)
      }
      if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL')
    }
    const { child, origin } = await startInstance(environment)
    await create(origin, 'reader')
    const headers = await login(origin, 'reader')
    for (const id of acknowledged)
      if ((await fetch(`${origin}/users/${id}`, { headers })).status !== 200) lost++
    await end(child, 'SIGKILL')
    console.log(
      `kill -9 of ${what}: 20 rounds, ${acknowledged.length} writes acknowledged, ${lost} lost`,
    )
  }
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** From the moment that the database accepts connections again to the first successful response. */
export async function recover(): Promise<void> {
  const database = await startDatabase()
  const { child, origin } = await startInstance({ DATABASE_URL: await database.createSchema() })
  const id = await create(origin, 'ann')
  const headers = await login(origin, 'ann')
  const times: number[] = []
  const refusals = new Set<number>()
  for (let round = 0; round < 5; round++) {
    await database.crash()
    for (let i = 0; i < 10; i++)
      refusals.add((await fetch(`${origin}/users/${id}`, { headers })).status)
    await database.restart()
    const back = performance.now()
    while ((await fetch(`${origin}/users/${id}`, { headers })).status !== 200) await wait(5)
    times.push(Math.round(performance.now() - back))
  }
  console.log(
    `while the database is unavailable: ${[...refusals].join(', ')}; ms to recover once it is back: ${times.join(', ')}`,
  )
  await end(child, 'SIGKILL')
  await database.stop()
}

/** Mixed load for some minutes: memory, connections, errors. */
export async function load(): Promise<void> {
  const minutes = Number(process.argv[3] ?? 10)
  const database = await startDatabase()
  const url = await database.createSchema()
  const { child, origin } = await startInstance({ DATABASE_URL: url })
  const first = await create(origin, 'ann')
  const headers = await login(origin, 'ann')
  const outcomes = new Map<string, number>()
  const until = Date.now() + minutes * 60_000
  const clients = Array.from({ length: 20 }, async (_, client) => {
    for (let i = 0; Date.now() < until; i++)
      count(
        outcomes,
        await mixedRequest(origin, headers, first, `c${client}n${i}`, i).catch(String),
      )
  })
  const connection = await createConnection(url)
  const samples: string[] = []
  const every = (minutes * 60_000) / 10
  for (let i = 0; i < 10; i++) {
    await wait(every)
    const [[row]] = (await connection.query(
      'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE()',
    )) as never as [[{ n: number }]]
    samples.push(`${memoryOf(child)} MB/${Number(row.n) - 1}`)
  }
  await Promise.all(clients)
  await connection.end()
  console.log(
    `${minutes} min, 20 clients; resident memory/database connections: ${samples.join(' ')}`,
  )
  console.log(Object.fromEntries(outcomes))
  await end(child, 'SIGKILL')
  await database.stop()
}

/** One of twenty requests: creates a user, logs in, lists three times, updates once, and reads else. */
async function mixedRequest(
  origin: string,
  headers: Record<string, string>,
  id: number,
  username: string,
  i: number,
): Promise<string> {
  const kind = i % 20
  if (kind === 0) return create(origin, username).then(() => 'create 201')
  if (kind === 1) return login(origin, 'ann').then(() => 'login 200')
  const [what, path, init] =
    kind < 5
      ? (['list', '/users?limit=20', {}] as const)
      : kind === 5
        ? (['update', `/users/${id}`, { method: 'PUT', body: `{"name":"n${i}"}` }] as const)
        : (['show', `/users/${id}`, {}] as const)
  const response = await fetch(origin + path, {
    ...init,
    headers: { ...headers, ...('body' in init && json) },
  })
  await response.text()
  return `${what} ${response.status}`
}

/** `GET /users/<id>` through the router, and by the same handler in plain Fastify. */
export async function ratio(): Promise<void> {
  const database = await startDatabase()
  const url = await database.createSchema()
  const ours = await startInstance({ DATABASE_URL: url })
  const id = await create(ours.origin, 'ann')
  const headers = {
    ...(await login(ours.origin, 'ann')),
    accept: 'application/vnd.users+json;version=2',
  }
  const bare = spawn(
    process.execPath,
    ['--conditions=@hv/source', '--import', 'tsx', 'bench/bare.ts'],
    {
      cwd: resolve(import.meta.dirname, '..'),
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = (await once(bare.stdout, 'data')) as [Buffer]
  const bareOrigin = line.toString().trim()
  const rates: Record<string, number[][]> = { ours: [], bare: [] }
  for (let round = 0; round < 6; round++)
    for (const [name, origin] of [
      ['ours', ours.origin],
      ['bare', bareOrigin],
    ] as const) {
      const { requests, latency, non2xx } = await autocannon({
        url: `${origin}/users/${id}`,
        headers,
        connections: 20,
        duration: round === 0 ? 2 : 4,
      })
      if (non2xx > 0) throw new Error(`${name}: ${non2xx} responses were not successful`)
      if (round > 0) rates[name]!.push([requests.average, latency.p99])
    }
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[values.length >> 1]!
  const [a, b] = ['ours', 'bare'].map((name) =>
    [0, 1].map((i) => median(rates[name]!.map((pair) => pair[i]!))),
  ) as [number[], number[]]
  console.log(
    `GET /users/<id>: ours ${a[0]} requests/s, p99 ${a[1]} ms; bare ${b[0]}, ${b[1]} ms; ratio ${(a[0]! / b[0]!).toFixed(2)}`,
  )
  await end(bare, 'SIGKILL')
  await end(ours.child, 'SIGKILL')
  await database.stop()
}
