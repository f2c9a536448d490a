// Incidents, each played on real instances and databases. A real Prometheus says which alerts fire, and when.
import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type TestDatabase, startDatabase } from '../test/databases.ts'
import { startPrometheus } from '../test/prometheus.ts'
import { startInstance } from '../test/services.ts'
import { count, create, end, json, password } from './client.ts'

/** What an incident is played on: two instances on one database, with people who read and log in. */
interface Scene {
  readonly database: TestDatabase
  readonly instances: { child: ChildProcess; origin: string }[]
  readonly folder: string
  /** Everything that has to run until the end, such as more load. */
  readonly load: (act: () => Promise<unknown>, times?: number) => void
}

interface Incident {
  /** The alerts that the runbook expects. */
  readonly alerts: readonly string[]
  /** The settings of both instances, or those of the second one. */
  readonly environment?: Record<string, string>
  readonly second?: Record<string, string>
  /** Milliseconds by which each answer of the database is late. */
  readonly latency?: number
  /** Whether the database's files are on a small disk. */
  readonly smallDisk?: boolean
  readonly play?: (scene: Scene) => Promise<unknown>
}

const limits = { RATE_LIMIT: '1000', LOGIN_FAILURES: '5', LOGIN_RATE: '1000000' }
let guesses = 0
const anHourAhead =
  '--import=data:text/javascript,const{now}=Date;Date.now=()=>now.call(Date)+3600000'

const incidents: Readonly<Record<string, Incident>> = {
  'database-away': {
    alerts: ['DatabaseAway', 'NotReady'],
    play: ({ database }) => database.crash(),
  },
  'database-slow': {
    alerts: ['ConnectionPoolFull', 'ReadsSlow'],
    latency: 400,
    play: async ({ instances, load }) =>
      load(() => fetch(`${instances[0]!.origin}/users/1`, { headers }), 40),
  },
  'hash-queue-full': {
    alerts: ['PasswordQueueFull'],
    play: async ({ instances, load }) =>
      load(() => post(instances[0]!.origin, '/users', `new${++guesses}`, password), 150),
  },
  stuffing: {
    alerts: ['LoginsFail'],
    environment: limits,
    play: async ({ instances, load }) =>
      load(() => {
        const network = `10.${(guesses >> 16) & 255}.${(guesses >> 8) & 255}.${guesses & 255}`
        const name = `somebody${++guesses}`
        return post(instances[0]!.origin, '/users/login', name, 'password1', network).then(() =>
          wait(50),
        )
      }, 2),
  },
  'one-client': {
    alerts: ['ClientsThrottled'],
    environment: limits,
    play: async ({ instances, load }) =>
      load(async () => {
        const network = { 'x-forwarded-for': '10.9.8.7' }
        const response = await fetch(`${instances[0]!.origin}/users`, { headers: network })
        await response.text()
        await wait(5)
      }),
  },
  'different-key': {
    alerts: ['KeysDiffer', 'TokensRefused'],
    second: { ACCESS_TOKEN: 'a different secret that is long enough' },
  },
  'disk-full': {
    alerts: ['DatabaseAway'],
    environment: limits,
    smallDisk: true,
    play: async ({ folder, instances, load }) => {
      fill(folder)
      load(() =>
        post(instances[0]!.origin, '/users', `new${++guesses}`, password).then(() => wait(200)),
      )
    },
  },
  clocks: { alerts: ['ClocksDiffer', 'TokensRefused'], second: { NODE_OPTIONS: anHourAhead } },
  'blocked-loop': {
    alerts: ['EventLoopBlocked'],
    play: async ({ instances, load }) =>
      load(async () => {
        instances[0]!.child.kill('SIGSTOP')
        await wait(400)
        instances[0]!.child.kill('SIGCONT')
        await wait(100)
      }),
  },
  'instance-gone': {
    alerts: ['InstanceDown'],
    play: ({ instances }) => end(instances[1]!.child, 'SIGKILL'),
  },
  memory: {
    alerts: ['MemoryHigh'],
    play: async ({ instances, load }) => load(() => sendSlowly(instances[0]!.origin), 6000),
  },
  sunset: { alerts: ['RetiredVersionCalled'], environment: { V1_SUNSET: '2026-01-01' } },
}

/**
 * Plays incidents: `figures -- incidents clocks sunset`, or all of them. The times of the alerts are divided by ten, so that an
 * incident takes at most two minutes.
 */
export async function playIncidents(): Promise<void> {
  const names = process.argv.slice(3)
  for (const name of names.length === 0 ? Object.keys(incidents) : names)
    await playIncident(name, incidents[name]!)
}

async function playIncident(name: string, incident: Incident): Promise<void> {
  const { environment = {}, second = {}, play, latency, smallDisk } = incident
  const folder = join(tmpdir(), `users-incident-${process.pid}`)
  mkdirSync(folder)
  if (smallDisk) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=220m', 'tmpfs', folder])
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  const database = await startDatabase({ serverOptions: ['--log-bin'] })
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  const url = await database.createSchema()
  const delayed = latency === undefined ? undefined : await delay(url, latency)
  const settings = { DATABASE_URL: url, LOG_LEVEL: 'error', ...environment }
  const instances = [await startInstance(settings), await startInstance({ ...settings, ...second })]
  if (delayed) instances.push(...(await restartOn(delayed.url, instances.splice(0), settings)))
  const origins = instances.map(({ origin }) => origin)
  const causes = new Map<string, number>()
  for (const { child } of instances)
    child.stdout!.on('data', (chunk: Buffer) => {
      for (const [, cause] of chunk
        .toString()
        .matchAll(/"cause":\{"type":"\w+","message":"(.*?)"/g))
        count(causes, cause!)
    })
  const clock = { running: true }
  const tasks: Promise<void>[] = []
  const load = (act: () => Promise<unknown>, times = 1) => {
    for (let i = 0; i < times; i++)
      tasks.push(
        (async () => {
          while (clock.running) await act().catch(() => wait(20))
        })(),
      )
  }
  await create(origins[0]!, 'ann').catch(() => {})
  const prometheus = await startPrometheus(origins, shortened())
  load(() => useService(origins), 4)
  load(() =>
    Promise.all(origins.map((origin) => fetch(`${origin}/health/ready`))).then(() => wait(300)),
  )
  await wait(2000)
  const start = performance.now()
  await play?.({ database, instances, folder, load })
  const fired = new Map<string, number>()
  const expected = new Set(incident.alerts)
  while (performance.now() - start < 130_000) {
    for (const { labels, state, annotations } of await prometheus.alerts())
      if (state === 'firing' && !fired.has(labels['alertname']!)) {
        fired.set(labels['alertname']!, Math.round((performance.now() - start) / 1000))
        expected.delete(labels['alertname']!)
        console.log(
          `${name}: ${labels['alertname']} after ${fired.get(labels['alertname']!)} s: ${annotations['summary']}`,
        )
      }
    if (expected.size === 0 && performance.now() - start > 20_000) break
    await wait(500)
  }
  console.log(
    expected.size === 0
      ? `${name}: as expected`
      : `${name}: ${[...expected].join(', ')} did NOT fire`,
  )
  const shown =
    'sum by (method, route, status, error, api_version) (rate(http_requests_total{route!="/metrics"}[20s])) > 0'
  for (const { metric, value } of await prometheus.query(shown))
    console.log('  ', Object.values(metric).join(' '), Number(value[1]).toFixed(2))
  for (const { metric, value } of await prometheus.query('waiting_calls > 0'))
    console.log('  ', metric['instance'], 'waiting', metric['queue'], value[1])
  console.log('  ', 'causes in the log:', Object.fromEntries(causes))
  clock.running = false
  await Promise.all(tasks)
  await prometheus.stop()
  delayed?.stop()
  for (const { child } of instances)
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL')
  await (name === 'database-away' ? undefined : database.crash())
  if (smallDisk) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
}

let headers = {}

/** Somebody logs in on one of the instances, and reads from both. */
async function useService(origins: readonly string[]): Promise<void> {
  const [here, there] = [origins[0]!, origins.at(-1)!]
  const answer = await post(Math.random() < 0.5 ? here : there, '/users/login', 'ann', password)
  const { jwt } = JSON.parse(answer) as { jwt?: string }
  if (jwt !== undefined) headers = { authorization: `Bearer ${jwt}` }
  for (let i = 0; i < 10; i++) {
    const version = { accept: `application/vnd.users+json;version=${1 + (i % 2)}` }
    for (const origin of [here, there])
      await fetch(`${origin}/users/1`, { headers: { ...headers, ...version } })
        .then((response) => response.text())
        .catch(() => {})
    await wait(200)
  }
}

const post = (origin: string, path: string, username: string, word: string, network = '10.9.8.7') =>
  fetch(origin + path, {
    method: 'POST',
    headers: {
      ...json,
      accept: 'application/vnd.users+json;version=2',
      'x-forwarded-for': network,
    },
    body: JSON.stringify({ username, password: word }),
  }).then((response) => response.text())

/** Sends a body that never ends, until the service cuts it off. */
async function sendSlowly(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  await wait(5000 * Math.random())
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).resume()
  socket.write(
    `POST /users/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.8.${guesses++ % 256}.1\r\n` +
      `Content-Type: application/json\r\nContent-Length: 65000\r\n\r\n${'['.repeat(64_000)}`,
  )
  await new Promise((closed) => socket.once('close', closed))
}

/** The alerts, with a tenth of their times. */
const shortened = (): string =>
  readFileSync(resolve(import.meta.dirname, '../operations/alerts.yaml'), 'utf8').replaceAll(
    /(\[|for: )(\d+)m/g,
    (_, before: string, minutes: string) => `${before}${6 * Number(minutes)}s`,
  )

/** A proxy in front of a database that holds every answer back. */
async function delay(url: string, time: number) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream])
      sockets.add(
        socket.on('error', () => {}).on('close', () => [client.destroy(), upstream.destroy()]),
      )
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => setTimeout(() => client.write(chunk), time))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const own = String((server.address() as { port: number }).port)
  return {
    url: Object.assign(new URL(url), { port: own }).href,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function restartOn(
  url: string,
  instances: Scene['instances'],
  settings: Record<string, string>,
) {
  await create(instances[0]!.origin, 'ann')
  for (const { child } of instances) await end(child, 'SIGKILL')
  return [
    await startInstance({ ...settings, DATABASE_URL: url }),
    await startInstance({ ...settings, DATABASE_URL: url }),
  ]
}

function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - 4096))
}
