// `npm run bench:fastify`: what the Fastify adapter costs next to a hand-written constraint strategy that sets the same
// headers, and how 400 resources in 10 versions start. Every sample comes from a fresh process. Requests are pipelined
// through a connection in memory, so Node's HTTP server runs and the kernel does not.
import { execFileSync } from 'node:child_process'
import { Duplex } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Api, api, cache, inherit, resources, version } from '@hv/router'
import { createRouter } from '@hv/router-fastify'

const { BENCH_ROUNDS = '7', BENCH_REQUESTS = '200000' } = process.env
const variants = ['bare', 'hand-written', 'ours'] as const
type Variant = (typeof variants)[number]
type Loose = (...args: unknown[]) => never

function compare(): void {
  console.log(`Node ${process.version}, medians of ${BENCH_ROUNDS} fresh processes each, in turn`)
  for (const count of [4, 400]) {
    const samples = new Map<Variant, number[]>(variants.map((one) => [one, []]))
    for (let round = 0; round < Number(BENCH_ROUNDS); round++)
      for (const [one, all] of samples) all.push(Number(run('cost', one, count)))
    const handWritten = median(samples.get('hand-written')!)
    console.log(`\n${count} resources in 3 versions: microseconds of CPU per request`)
    console.table(
      Object.fromEntries(
        [...samples].map(([one, all]) => [
          one,
          {
            median: median(all).toFixed(2),
            least: Math.min(...all).toFixed(2),
            'of hand-written': (median(all) / handWritten).toFixed(3),
          },
        ]),
      ),
    )
  }
  console.log('\n400 resources in 10 versions: registration, milliseconds to start, MB of heap')
  console.table(
    Object.fromEntries(
      (['hand-written', 'ours'] as const).map((one) => {
        const all = Array.from({ length: 3 }, () => JSON.parse(run('start', one, 400)) as Record<string, number>)
        return [
          one,
          Object.fromEntries(Object.keys(all[0]!).map((key) => [key, median(all.map((each) => each[key]!))])),
        ]
      }),
    ),
  )
}

const run = (...args: readonly unknown[]): string =>
  execFileSync(process.execPath, ['--expose-gc', import.meta.filename, ...args.map(String)], { encoding: 'utf8' })
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

// ---- the apps -----------------------------------------------------------------------------------

const actions = ['index', 'create', 'show', 'update', 'destroy'] as const
const answer = (id: string) => ({ id, name: 'Ada Lovelace', email: 'ada@example.org', roles: ['admin'] })
const handler = (request: FastifyRequest) => Promise.resolve(answer((request.params as { id: string }).id))
const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}s`)
const versionsOf = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1)

async function createApp(kind: Variant, count: number, versions: number): Promise<FastifyInstance> {
  const app = fastify()
  if (kind === 'ours') await app.register(createRouter(...declare(count, versions)))
  else if (kind === 'hand-written') registerByHand(app, count, versions)
  else addRoutes(app, count, {})
  await app.ready()
  return app
}

function declare(count: number, versions: number): [Api, never] {
  const routes = (api as Loose)(
    { vendorString: 'acme', except: ['new', 'edit'] },
    ...versionsOf(versions).map((n) =>
      n === 1
        ? version(1, (cache as Loose)({ as: 'v1' }, ...namesOf(count).map((name) => resources(name))))
        : version(n, (inherit as Loose)({ from: 'v1' })),
    ),
  )
  const controller = Object.fromEntries(actions.map((action) => [action, handler]))
  const all = Object.fromEntries(namesOf(count).map((name) => [name, controller]))
  return [routes, Object.fromEntries(versionsOf(versions).map((n) => [n, all])) as never]
}

/** What an app would write for itself: a strategy that reads the version, and a plugin with a hook per version. */
function registerByHand(app: FastifyInstance, count: number, versions: number): void {
  app.addConstraintStrategy({
    name: 'apiVersion',
    validate() {},
    storage: () => new Map<string, never>() as never,
    deriveConstraint: ({ headers: { accept } }) => /;\s*version=(\d+)/.exec(accept ?? '')?.[1] ?? '1',
  })
  for (const n of versionsOf(versions))
    app.register(async (scope) => {
      const headers = {
        vary: 'Accept',
        'api-version': String(n),
        'content-type': `application/vnd.acme+json; version=${n}; charset=utf-8`,
      }
      scope.addHook('onSend', (_request, reply: FastifyReply, _payload, done) => {
        reply.headers(headers)
        done()
      })
      addRoutes(scope, count, { apiVersion: String(n) })
    })
}

function addRoutes(app: FastifyInstance, count: number, constraints: Record<string, string>): void {
  for (const name of namesOf(count)) {
    app.get(`/api/${name}`, { constraints }, handler)
    app.post(`/api/${name}`, { constraints }, handler)
    app.get(`/api/${name}/:id`, { constraints }, handler)
    app.put(`/api/${name}/:id`, { constraints }, handler)
    app.delete(`/api/${name}/:id`, { constraints }, handler)
  }
}

// ---- what is measured ---------------------------------------------------------------------------

/** @returns microseconds of CPU per request, the client's small and constant part included */
async function measureCost(kind: Variant, count: number): Promise<number> {
  const app = await createApp(kind, count, 3)
  const perBatch = 50
  const batches = Array.from({ length: 32 }, (_, batch) =>
    Buffer.from(
      Array.from({ length: perBatch }, (__, i) => {
        const n = batch * perBatch + i
        const accept = `application/vnd.acme+json;version=${1 + (n % 3)}`
        return `GET /api/r${(n * 37) % count}s/${n} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\n\r\n`
      }).join(''),
    ),
  )
  let missing = 0
  let finish = (): void => {}
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf('HTTP/1.1 '); at >= 0; at = chunk.indexOf('HTTP/1.1 ', at + 9)) {
        if (chunk[at + 9] !== 50) throw new Error(chunk.toString())
        missing--
      }
      done()
      if (missing === 0) finish()
    },
  })
  app.server.emit('connection', connection)
  const send = async (requests: number): Promise<void> => {
    for (let batch = 0; batch < requests / perBatch; batch++) {
      missing = perBatch
      const finished = new Promise<void>((resolve) => (finish = resolve))
      connection.push(batches[batch % batches.length]!)
      await finished
    }
  }
  await send(Number(BENCH_REQUESTS) / 4)
  const before = process.cpuUsage()
  await send(Number(BENCH_REQUESTS))
  const { user, system } = process.cpuUsage(before)
  connection.destroy()
  return (user + system) / Number(BENCH_REQUESTS)
}

async function measureStart(kind: Variant, count: number): Promise<Record<string, number>> {
  const { gc } = globalThis as unknown as { gc(): void }
  gc()
  const heap = process.memoryUsage().heapUsed
  const start = performance.now()
  let routes = 0
  const app = fastify()
  app.addHook('onRoute', ({ method }) => void (routes += [method].flat().length))
  if (kind === 'ours') app.register(createRouter(...declare(count, 10)))
  else registerByHand(app, count, 10)
  await app.ready()
  const milliseconds = performance.now() - start
  gc()
  return {
    routes,
    milliseconds: Math.round(milliseconds),
    megabytes: Math.round((process.memoryUsage().heapUsed - heap) / 1e6),
  }
}

// ---- one sample, or all of them ------------------------------------------------------------------

const [task, variant, size] = process.argv.slice(2) as [string?, Variant?, string?]
if (task === 'cost') console.log(await measureCost(variant!, Number(size)))
else if (task === 'start') console.log(JSON.stringify(await measureStart(variant!, Number(size))))
else compare()
