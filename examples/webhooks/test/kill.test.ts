// Kills the process between any two steps. Whatever was committed is delivered.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from '@photostructure/sqlite'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isAll, some } from '../../../tools/test-all.ts'
import { type Receivers, startReceivers, verify } from './receivers.ts'

const root = resolve(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache') // where the bundle finds its packages
const program = join(cache, `killed-process-${process.pid}.mjs`)
const folder = mkdtempSync(join(tmpdir(), 'webhooks-kill-'))
const template = join(folder, 'template')
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
let receivers: Receivers

const requests = JSON.stringify([
  ['POST', '/api/users', { name: 'Ann Lee' }],
  ['PUT', '/api/users/1', { name: 'Bea Lee' }],
])

beforeAll(async () => {
  receivers = await startReceivers()
  buildSync({
    entryPoints: [join(import.meta.dirname, 'killed-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@hv/source'],
    external: ['@photostructure/sqlite', '@sinclair/typebox', 'fastify'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
    },
    logLevel: 'error',
  })
  await run(template) // creates the tables
  const add = 'INSERT INTO endpoints (url, version, secret) VALUES'
  change(
    template,
    `${add} ('/one', 1, '${secret}'), ('/two', 2, '${secret}'), ('/too', 2, '${secret}')`,
  )
})
afterAll(async () => {
  await receivers.close()
  rmSync(program, { force: true })
  rmSync(folder, { recursive: true })
})

/** Runs the process. Returns the number of its steps, or null if it was killed. */
async function run(file: string, environment: Record<string, string> = {}): Promise<number | null> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_FILE: file, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (signal === 'SIGKILL') return null
  expect(code).toBe(0)
  return Number(output)
}

/** Reads a database while no process uses it. */
function read(file: string, table: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file)
  const rows = db.prepare(`SELECT * FROM ${table}`).all()
  db.close()
  return rows
}

/** Changes a database while no process uses it. */
function change(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

/** Copies the database. Its endpoints' paths then begin with a name. */
function copyDatabase(name: string): string {
  const file = join(folder, name)
  copyFileSync(template, file)
  change(file, `UPDATE endpoints SET url = '${receivers.origin}/${name}' || url`)
  return file
}

/** Each event that an endpoint got, once. */
function eventsAt(path: string): readonly unknown[] {
  const bodies = new Map<string, string>()
  for (const delivery of receivers.received.filter((received) => received.path === path)) {
    verify(secret, delivery)
    const { id, body } = delivery
    expect(bodies.get(id) ?? body).toBe(body)
    bodies.set(id, body)
  }
  return [...bodies.values()]
    .map((body) => JSON.parse(body))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

const created = (api_version: number, data: object) => ({ type: 'user.created', api_version, data })
const renamed = (api_version: number, data: object) => ({ type: 'user.renamed', api_version, data })

async function killAt(step: number): Promise<void> {
  const name = `step-${step}`
  const file = copyDatabase(name)
  expect(await run(file, { REQUESTS: requests, KILL_AT: `${step}` })).toBe(null)
  const [user] = read(file, 'users')
  change(file, 'UPDATE deliveries SET dueAt = 0') // when they're due
  await run(file)
  expect(read(file, 'deliveries')).toEqual([])

  const wasCreated = user !== undefined
  const wasRenamed = user?.['first'] === 'Bea'
  const two = [
    ...(wasCreated ? [created(2, { id: 1, first: 'Ann', last: 'Lee' })] : []),
    ...(wasRenamed ? [renamed(2, { id: 1, first: 'Bea', last: 'Lee' })] : []),
  ]
  expect(eventsAt(`/${name}/one`)).toEqual(
    wasCreated ? [created(1, { id: 1, name: 'Ann Lee' })] : [],
  )
  expect(eventsAt(`/${name}/two`)).toEqual(two)
  expect(eventsAt(`/${name}/too`)).toEqual(two)
}

it('delivers each event at least once, whenever the process is killed', async () => {
  const steps = (await run(copyDatabase('whole'), { REQUESTS: requests }))!
  expect(receivers.received).toHaveLength(5)
  expect(steps).toBeGreaterThan(25)
  const killed = some(
    Array.from({ length: steps }, (_, i) => i + 1),
    2,
  )
  for (const step of killed)
    await killAt(step).catch((error) => {
      throw new Error(`Killed at step ${step} of ${steps}: ${error.message}`, { cause: error })
    })
  if (isAll) {
    // Some of the processes were killed between a delivery and its record.
    const ids = receivers.received.map(({ path, id }) => `${path} ${id}`)
    expect(new Set(ids).size).toBeLessThan(ids.length)
  }
})
