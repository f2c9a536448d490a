// `npm run bench -- changes`: what a version change costs per request. A list of 50 users goes through
// 0 to 9 changes, on the adapters, and through an action that no change touches; so does a webhook's
// payload, which has one user. Requests don't use
// sockets, but whole responses are written, including their heads. Each sample comes from a fresh
// process that serves one variant, as an app would. The variants take turns, and the fastest sample
// is kept. BENCH_ROUNDS makes it shorter, and BENCH=Express measures one adapter.
import { execFileSync } from 'node:child_process'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import {
  api,
  became,
  cache,
  change,
  createEvents,
  event,
  inherit,
  resources,
  version,
} from '@hv/router'
import { type SchemaAction, before, translationOf } from '@hv/router/adapter'
import { createRouter as createExpressRouter } from '@hv/router-express'
import { createRouter as createFastifyRouter } from '@hv/router-fastify'
import { createRouter as createFetchRouter } from '@hv/router-fetch'
import express, { type Request, type Response } from 'express'
import fastify from 'fastify'

const { BENCH_ROUNDS = '5', BENCH = '' } = process.env
const hops = [0, 1, 2, 4, 9]

const schemaOf = (field: string) => ({
  type: 'object',
  properties: { id: { type: 'integer' }, [field]: { type: 'string' }, email: { type: 'string' } },
})
/** The field is renamed back and forth. */
const users = Array.from({ length: 10 }, (_, n) => schemaOf(n % 2 === 0 ? 'name' : 'fullName'))
const pageOf = (items: object) => ({
  type: 'object',
  properties: { items: { type: 'array', items }, next: { type: 'string' } },
})
const page = {
  items: Array.from({ length: 50 }, (_, id) => ({
    id,
    fullName: `User ${id}`,
    email: `user${id}@acme.example`,
  })),
  next: '/users?after=50',
}
type User = Readonly<Record<string, unknown>>
const changes = Array.from({ length: 9 }, (_, n) =>
  change(
    `Change ${n}`,
    became(users[n]!, users[n + 1]!, {
      down:
        n % 2 === 0
          ? ({ id, fullName, email }: User) => ({ id, name: fullName, email })
          : ({ id, name, email }: User) => ({ id, fullName: name, email }),
    }),
  ),
)
const index = { schema: { response: { 200: pageOf(users[9]!) } } }
const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
)
type Send = (path: string) => Promise<unknown>
const headers = { accept: 'application/vnd.acme+json;version=1' }

/** Each version is derived from the next one. */
const chain = <V extends object>(newest: V, count: number): V =>
  changes.slice(9 - count).reduceRight<V>((newer, one) => before(newer, one) as V, newest)

/** Only converts, without an adapter. */
function createPlain(count: number): Send {
  const v2 = { users: { index: { ...index, handler: (): unknown => page } as SchemaAction } }
  if (count === 0) return async () => page
  const { respond } = translationOf(chain(v2, count).users.index)
  return async () => respond(200, page, () => {})
}

/** Makes a webhook's payload and writes it. With no changes, it only writes it. */
function createWebhook(count: number): Send {
  const [user] = page.items
  const payload = { type: 'user.created', api_version: 2, data: user }
  if (count === 0) return async () => JSON.stringify(payload)
  const schema = {
    type: 'object',
    properties: { type: { const: 'user.created' }, data: users[9]! },
  }
  const v2 = { webhooks: { created: event(schema) } }
  const events = createEvents(routes, { 1: chain(v2, count), 2: v2 })
  return async () => JSON.stringify(events.webhooks.created(payload, { version: 1 }))
}

async function createFastify(count: number): Promise<Send> {
  const show = { handler: () => page.items[0] }
  const v2 = { users: { index: { ...index, handler: () => page }, show } }
  const app = fastify()
  app.register(createFastifyRouter(routes, { 1: chain(v2, count), 2: v2 }))
  await app.ready()
  return (url) => app.inject({ url, headers })
}

function createExpress(count: number): Send {
  const show = { handler: (_req: Request, res: Response) => res.json(page.items[0]) }
  const v2 = {
    users: { index: { ...index, handler: (_req: Request, res: Response) => res.json(page) }, show },
  }
  const app = express()
  app.use(createExpressRouter(routes, { 1: chain(v2, count), 2: v2 }))
  return (url) =>
    new Promise((resolve) => {
      const request = Object.assign(new IncomingMessage(new Socket()), {
        method: 'GET',
        url,
        headers: { ...headers },
      })
      const response = new ServerResponse(request).once('finish', () => resolve(null))
      response.assignSocket(new Writable({ write: (_chunk, _encoding, done) => done() }) as Socket)
      app(request as never, response as never)
    })
}

function createFetch(count: number): Send {
  const show = { handler: () => Response.json(page.items[0]) }
  const v2 = { users: { index: { ...index, handler: () => Response.json(page) }, show } }
  const handler = createFetchRouter(routes, { 1: chain(v2, count), 2: v2 })
  return async (path) => (await handler(new Request(`http://localhost${path}`, { headers }))).text()
}

const adapters = {
  'the conversion alone': createPlain,
  'a webhook': createWebhook,
  Fastify: createFastify,
  Express: createExpress,
  fetch: createFetch,
}
type Adapter = keyof typeof adapters

/**
 * Measures short slices and keeps the fastest, because even on a shared machine, some run without
 * an interruption.
 */
async function measure(adapter: Adapter, count: number, path: string): Promise<number> {
  const send = await adapters[adapter](count)
  let least = Infinity
  for (let slice = 0; slice < 40; slice++) {
    const start = process.cpuUsage()
    for (let i = 0; i < 300; i++) await send(path)
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 300)
  }
  return least
}

function compare(adapter: Adapter): void {
  const hasRoutes = adapter !== 'the conversion alone' && adapter !== 'a webhook'
  const paths = hasRoutes ? ['/users', '/users/7'] : ['/users']
  const variants = hops.flatMap((count) => paths.map((path) => `${count} ${path}`))
  const least = new Map<string, number>()
  for (let round = 0; round < Number(BENCH_ROUNDS); round++)
    for (const variant of variants)
      least.set(variant, Math.min(least.get(variant) ?? Infinity, run(adapter, variant)))
  console.log(`\n${adapter}`)
  console.table(
    hops.map((count) => {
      const cost = least.get(`${count} /users`)!
      const plain = least.get('0 /users')!
      return {
        changes: count,
        [adapter === 'a webhook' ? 'one user' : 'list of 50']: cost.toFixed(1),
        'of no changes': (cost / plain).toFixed(2),
        'per change': count === 0 ? null : ((cost - plain) / count).toFixed(1),
        'an untouched route': least.get(`${count} /users/7`)?.toFixed(1) ?? null,
      }
    }),
  )
}

const run = (adapter: Adapter, variant: string): number =>
  Number(
    execFileSync(process.execPath, [import.meta.filename, adapter, ...variant.split(' ')], {
      encoding: 'utf8',
    }),
  )

const [adapter, count, path] = process.argv.slice(2) as [Adapter?, string?, string?]
if (adapter === undefined) {
  console.log(
    `Node ${process.version}: microseconds of CPU per request, the least of ${BENCH_ROUNDS} fresh processes`,
  )
  for (const name of Object.keys(adapters) as Adapter[]) if (name.includes(BENCH)) compare(name)
} else console.log(await measure(adapter, Number(count), path!))
