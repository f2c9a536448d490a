// What an attacker can do: each figure is printed for the service as it is in this checkout.
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { startDatabase } from '../test/databases.ts'
import { startInstance } from '../test/services.ts'
import { count, create, end, json, login, memoryOf, password, processorTimeOf } from './client.ts'

/** The limits that the service has when nothing is configured. */
const defaultLimits = { RATE_LIMIT: '1000', LOGIN_RATE: '30', LOGIN_FAILURES: '5' }

/** One request over a connection of its own from this loopback address: the status and the milliseconds it took. */
function ask(
  url: string,
  localAddress: string,
  headers: Record<string, string> = {},
): Promise<{ outcome: string; time: number }> {
  const start = performance.now()
  return new Promise((resolve) => {
    const done = (outcome: string) => resolve({ outcome, time: performance.now() - start })
    request(url, { headers, localAddress, agent: false, timeout: 60_000 }, (response) =>
      response.resume().on('end', () => done(String(response.statusCode))),
    )
      .on('timeout', () => done('timeout'))
      .on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
      .end()
  })
}

/** Successful responses per second of `GET /users/<id>` on MariaDB, with 50, 100 and 200 clients at once. */
export async function goodput(): Promise<void> {
  const database = await startDatabase()
  const { child, origin } = await startInstance({ DATABASE_URL: await database.createSchema() })
  const id = await create(origin, 'ann')
  const headers = await login(origin, 'ann')
  const clients = [50, 100, 200]
  const rates = new Map<number, number[]>(clients.map((connections) => [connections, []]))
  const refused = new Map<number, number>()
  for (let round = 0; round < 4; round++)
    for (const connections of clients) {
      const result = await autocannon({
        url: `${origin}/users/${id}`,
        headers,
        connections,
        duration: 4,
      })
      if (round > 0) rates.get(connections)!.push(Math.round(result['2xx'] / result.duration))
      refused.set(connections, (refused.get(connections) ?? 0) + result.non2xx)
    }
  for (const connections of clients) {
    const median = rates.get(connections)!.toSorted((a, b) => a - b)[1]
    console.log(
      `${connections} clients: ${median} successful responses/s, ${refused.get(connections)} refusals in all`,
    )
  }
  await end(child, 'SIGKILL')
  await database.stop()
}

/** What a client with a token gets while another address floods readiness with 200 connections and no token. */
export async function flood(): Promise<void> {
  const database = await startDatabase()
  const { child, origin } = await startInstance({
    DATABASE_URL: await database.createSchema(),
    ...defaultLimits,
  })
  const id = await create(origin, 'ann')
  const headers = await login(origin, 'ann')
  const flooding = autocannon({ url: `${origin}/health/ready`, connections: 200, duration: 6 })
  await wait(1000)
  const outcomes = new Map<string, number>()
  const times: number[] = []
  const until = Date.now() + 4000
  while (Date.now() < until) {
    const { outcome, time } = await ask(`${origin}/users/${id}`, '127.0.0.2', headers)
    count(outcomes, outcome)
    times.push(time)
    await wait(20)
  }
  await flooding
  console.log(
    'a client with a token, while another address floods /health/ready:',
    Object.fromEntries(outcomes),
    `slowest ${Math.round(Math.max(...times))} ms`,
  )
  await end(child, 'SIGKILL')
  await database.stop()
}

/** Memory, and how long others wait, while 100 connections send 2000 requests each and read no response. */
export async function pipelining(): Promise<void> {
  for (const path of ['/openapi/v1.json', '/metrics', '/health/ready'])
    for (const [what, addressOf] of [
      ['one address', () => '127.0.0.3'],
      ['100 addresses', (i: number) => `127.0.1.${i + 1}`],
    ] as const) {
      const folder = mkdtempSync(join(tmpdir(), 'users-pipelining-'))
      const { child, origin } = await startInstance({
        DATABASE_FILE: join(folder, 'users.db'),
        ...defaultLimits,
      })
      const id = await create(origin, 'ann')
      const headers = await login(origin, 'ann')
      const [before, start] = [memoryOf(child), processorTimeOf(child)]
      const { hostname, port } = new URL(origin)
      const text = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2000)
      const sockets: Socket[] = Array.from({ length: 100 }, (_, i) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress: addressOf(i) })
        socket.on('error', () => {}).pause()
        socket.write(text)
        return socket
      })
      let peak = 0
      const sampling = setInterval(() => (peak = Math.max(peak, memoryOf(child))), 50)
      const times: number[] = []
      const outcomes = new Map<string, number>()
      const until = Date.now() + 15_000
      while (Date.now() < until) {
        const { outcome, time } = await ask(`${origin}/users/${id}`, '127.0.0.2', headers)
        count(outcomes, outcome)
        times.push(time)
        await wait(50)
      }
      clearInterval(sampling)
      console.log(
        `unread ${path} from ${what}: ${before} MB before, peak ${peak} MB,`,
        `${(processorTimeOf(child) - start).toFixed(1)} s of processor time; another client:`,
        Object.fromEntries(outcomes),
        `slowest ${Math.round(Math.max(...times))} ms`,
      )
      for (const socket of sockets) socket.destroy()
      await end(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
}

/** How many of 60 guesses at the current password are checked, for a thief who has a token and renames the account. */
export async function guesses(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'users-guesses-'))
  const { child, origin } = await startInstance({
    DATABASE_FILE: join(folder, 'users.db'),
    LOGIN_FAILURES: '5',
  })
  const id = await create(origin, 'ann')
  const headers = { ...(await login(origin, 'ann')), ...json }
  const put = async (body: object) =>
    (await fetch(`${origin}/users/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) }))
      .status
  const outcomes = new Map<string, number>()
  for (let i = 0; i < 60; i++) {
    if (i % 4 === 3) await put({ username: `ann${i}` })
    const currentPassword = i === 59 ? password : `guess ${i}`
    count(outcomes, String(await put({ password: 'taken over', currentPassword })))
  }
  console.log(
    '60 guesses at the current password with a stolen token (the last one is right):',
    Object.fromEntries(outcomes),
  )
  await end(child, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** From SIGTERM to the last connection that was accepted, for a client that opens a new one every 100 ms. */
export async function drain(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'users-drain-'))
  const { child, origin } = await startInstance({
    DATABASE_FILE: join(folder, 'users.db'),
    DRAIN_TIME: '',
  })
  await ask(`${origin}/health/live`, '127.0.0.2')
  const start = performance.now()
  const ended = new Promise<number>((resolve) =>
    child.once('exit', () => resolve(performance.now() - start)),
  )
  child.kill('SIGTERM')
  let last = 0
  const readiness = new Map<string, number>()
  for (;;) {
    const { outcome } = await ask(`${origin}/health/ready`, '127.0.0.2')
    if (outcome === 'ECONNREFUSED') break
    count(readiness, outcome)
    last = performance.now() - start
    await wait(100)
  }
  console.log(
    `last connection accepted ${Math.round(last)} ms after SIGTERM; readiness meanwhile:`,
    Object.fromEntries(readiness),
    `exit after ${Math.round(await ended)} ms`,
  )
  rmSync(folder, { recursive: true, force: true })
}

/** After how long a slow header, a slow body and a silent connection are cut. */
export async function slow(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'users-slow-'))
  const { child, origin } = await startInstance({ DATABASE_FILE: join(folder, 'users.db') })
  const { hostname, port } = new URL(origin)
  const body =
    'POST /users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n'
  const cuts = Object.entries({ header: 'GET / HTTP/1.1\r\nHost:', body }).map(
    async ([what, start]) => {
      await wait(Math.random() * 1000)
      const socket = connect(Number(port), hostname, () => socket.write(start))
      const begin = performance.now()
      const dripping = setInterval(() => socket.write(' '), 1000)
      socket.on('error', () => {}).resume()
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(dripping)
      console.log(`slow ${what}: cut after ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    },
  )
  await Promise.all(cuts)
  await end(child, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** How long logins take, before and while another network creates users on 100 connections. */
export async function registrations(): Promise<void> {
  const database = await startDatabase()
  const { child, origin } = await startInstance({
    DATABASE_URL: await database.createSchema(),
    ...defaultLimits,
    REGISTRATION_RATE: '',
  })
  await create(origin, 'ann')
  const logIn = async () => {
    const start = performance.now()
    const headers = { ...json, 'x-forwarded-for': '203.0.113.1' }
    const body = JSON.stringify({ username: 'ann', password })
    const { status } = await fetch(`${origin}/users/login`, { method: 'POST', headers, body })
    return { outcome: String(status), time: performance.now() - start }
  }
  const measure = async (what: string) => {
    const outcomes = new Map<string, number>()
    const times: number[] = []
    for (let i = 0; i < 14; i++) {
      const { outcome, time } = await logIn()
      count(outcomes, outcome)
      times.push(time)
      await wait(100)
    }
    times.sort((a, b) => a - b)
    console.log(
      `logins ${what}:`,
      Object.fromEntries(outcomes),
      `median ${Math.round(times[7]!)} ms, slowest ${Math.round(times.at(-1)!)} ms`,
    )
  }
  await measure('before')
  const flooding = { on: true }
  const statuses = new Map<string, number>()
  const clients = Array.from({ length: 100 }, async (_, client) => {
    for (let i = 0; flooding.on; i++) {
      const headers = { ...json, 'x-forwarded-for': '198.51.100.1' }
      const body = JSON.stringify({ username: `flood-${client}-${i}`, password })
      const response = await fetch(`${origin}/users`, { method: 'POST', headers, body })
      await response.text()
      count(statuses, String(response.status))
      await wait(100) // leaves this process time to measure
    }
  })
  await measure('while another network creates users on 100 connections')
  flooding.on = false
  await Promise.all(clients)
  console.log('the responses to that network:', Object.fromEntries(statuses))
  await end(child, 'SIGKILL')
  await database.stop()
}
