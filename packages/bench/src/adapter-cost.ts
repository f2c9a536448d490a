// `npm run bench -- fastify` and `npm run bench -- express`: what an adapter costs next to the framework
// alone, and how 400 resources in 10 versions start. Each sample comes from a fresh process, and
// the variants take turns. Requests are pipelined through a connection in memory, so Node's HTTP
// server runs, but the kernel isn't involved. To compare with earlier code, set BENCH_BASE to the
// folder of a built checkout. BENCH_ROUNDS makes it shorter.
import { execFileSync } from 'node:child_process'
import { type RequestListener, type Server, createServer } from 'node:http'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { pathToFileURL } from 'node:url'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as core from '@hv/router'
import * as onExpress from '@hv/router-express'
import * as onFastify from '@hv/router-fastify'
import { createReport } from './report.ts'

const { BENCH_ROUNDS = '9', BENCH_BASE } = process.env
type Framework = 'fastify' | 'express'
/** `by hand`: what an app would write for itself. It sends the same headers as the adapter. */
const variants = [
  'plain',
  'by hand',
  'ours',
  ...(BENCH_BASE === undefined ? [] : ['earlier' as const]),
] as const
type Variant = (typeof variants)[number]

function compare(framework: Framework): void {
  const report = createReport(framework, `${BENCH_ROUNDS} rounds of one fresh process each`)
  for (const count of [4, 400]) {
    const samples = new Map<Variant, number[]>(variants.map((one) => [one, []]))
    for (let round = 0; round < Number(BENCH_ROUNDS); round++)
      for (const [one, all] of samples) all.push(Number(run(framework, 'cost', one, count)))
    const byHand = samples.get('by hand')!
    report.table(
      `${count} resources in 3 versions: microseconds of CPU per request`,
      Object.fromEntries(
        [...samples].map(([one, all]) => [
          one,
          {
            median: median(all).toFixed(2),
            least: Math.min(...all).toFixed(2),
            'of by hand, median of rounds': median(
              all.map((cost, round) => cost / byHand[round]!),
            ).toFixed(3),
            'of by hand, least': (Math.min(...all) / Math.min(...byHand)).toFixed(3),
          },
        ]),
      ),
    )
  }
  report.table(
    '400 resources in 10 versions: routes of the framework, milliseconds of CPU to start, MB of heap',
    Object.fromEntries(
      variants.slice(1).map((one) => {
        const all = Array.from(
          { length: 5 },
          () => JSON.parse(run(framework, 'start', one, 400)) as object,
        )
        const keys = Object.keys(all[0]!) as never[]
        return [
          one,
          Object.fromEntries(keys.map((key) => [key, median(all.map((each) => each[key]))])),
        ]
      }),
    ),
  )
  report.end()
}

/**
 * While the app warms up, V8 enlarges the heap's young generation, in some processes more than in
 * others. That alone changes the result by a fifth, so its size is fixed.
 */
const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
const run = (...args: readonly unknown[]): string =>
  execFileSync(process.execPath, [...flags, import.meta.filename, ...args.map(String)], {
    encoding: 'utf8',
  })
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

// ---- the API ------------------------------------------------------------------------------------

const actions = ['index', 'create', 'show', 'update', 'destroy'] as const
const answer = (id: string) => ({
  id,
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  roles: ['admin'],
})
const versionsOf = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i + 1)
const pathsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `/api/r${i}s`).flatMap((path) => [
    ['get', path] as const,
    ['post', path] as const,
    ['get', `${path}/:id`] as const,
    ['put', `${path}/:id`] as const,
    ['delete', `${path}/:id`] as const,
  ])

type Loose = (...args: unknown[]) => never

/** The arguments of `createRouter`. */
function declare(
  library: typeof core,
  handler: unknown,
  count: number,
  versions: number,
): [core.Api, never] {
  const { api, cache, inherit, resources, version } = library
  const names = Array.from({ length: count }, (_, i) => `r${i}s`)
  const routes = (api as Loose)(
    { vendorString: 'acme', except: ['new', 'edit'] },
    ...versionsOf(versions).map((n) =>
      n === 1
        ? version(1, (cache as Loose)({ as: 'v1' }, ...names.map((name) => resources(name))))
        : version(n, (inherit as Loose)({ from: 'v1' })),
    ),
  )
  const controller = Object.fromEntries(actions.map((action) => [action, handler]))
  const all = Object.fromEntries(names.map((name) => [name, controller]))
  return [routes, Object.fromEntries(versionsOf(versions).map((n) => [n, all])) as never]
}

async function librariesOf<T>(kind: Variant, name: string, ours: T): Promise<[typeof core, T]> {
  if (kind !== 'earlier') return [core, ours]
  const load = (file: string) =>
    import(pathToFileURL(join(BENCH_BASE!, 'packages', file, 'dist/index.js')).href)
  return [(await load('router')) as typeof core, (await load(name)) as T]
}

const headersOf = (n: number | string) => ({
  vary: 'Accept',
  'api-version': String(n),
  'content-type': `application/vnd.acme+json; version=${n}; charset=utf-8`,
})
const versionIn = (accept: string | undefined): string =>
  /;\s*version=(\d+)/.exec(accept ?? '')?.[1] ?? '1'

// ---- the apps -----------------------------------------------------------------------------------

interface Prepared {
  /** The number of the framework's routes. Express only creates ours on their first request. */
  readonly routes: number
  readonly server: Server
}
/** Starts the app. All modules are already loaded. */
type Start = () => Promise<Prepared>

async function prepareFastify(kind: Variant, count: number, versions: number): Promise<Start> {
  const handler = (request: FastifyRequest) =>
    Promise.resolve(answer((request.params as { id: string }).id))
  const [library, adapter] = await librariesOf(kind, 'fastify', onFastify)
  return async () => {
    const app = fastify()
    let routes = 0
    app.addHook('onRoute', ({ method }) => void (routes += [method].flat().length))
    if (kind === 'plain') addRoutes(app, {})
    else if (kind === 'by hand') addVersions(app)
    else app.register(adapter.createRouter(...declare(library, handler, count, versions)))
    await app.ready()
    return { routes, server: app.server }
  }

  /** A strategy that reads the version, and a plugin with a hook per version. */
  function addVersions(app: FastifyInstance): void {
    app.addConstraintStrategy({
      name: 'apiVersion',
      validate() {},
      storage: () => new Map<string, never>() as never,
      deriveConstraint: ({ headers: { accept } }) => versionIn(accept),
    })
    for (const n of versionsOf(versions))
      app.register(async (scope) => {
        const headers = headersOf(n)
        scope.addHook('onSend', (_request, reply: FastifyReply, _payload, done) => {
          reply.headers(headers)
          done()
        })
        addRoutes(scope, { apiVersion: String(n) })
      })
  }

  function addRoutes(app: FastifyInstance, constraints: Record<string, string>): void {
    for (const [method, path] of pathsOf(count)) app[method](path, { constraints }, handler)
  }
}

async function prepareExpress(kind: Variant, count: number, versions: number): Promise<Start> {
  const handler = (req: Request, res: Response) => void res.json(answer(req.params['id'] as string))
  const [library, adapter] = await librariesOf(kind, 'express', onExpress)
  return () => {
    const app = express()
    if (kind === 'plain') addRoutes(app)
    else if (kind === 'by hand') addVersions(app)
    else app.use(adapter.createRouter(...declare(library, handler, count, versions)))
    const isOurs = kind === 'ours' || kind === 'earlier'
    const routes = isOurs ? 0 : pathsOf(count).length * (kind === 'plain' ? 1 : versions)
    return Promise.resolve({ routes, server: createServer(app as RequestListener) })
  }

  /** Middleware that picks an Express router per version. */
  function addVersions(app: Express): void {
    const routers = new Map(
      versionsOf(versions).map((n) => {
        const router = express.Router()
        addRoutes(router)
        return [String(n), { router, headers: headersOf(n) }] as const
      }),
    )
    app.use((req, res, next) => {
      const { router, headers } = routers.get(versionIn(req.headers.accept))!
      res.set(headers)
      router(req, res, next)
    })
  }

  function addRoutes(
    app: Record<'get' | 'post' | 'put' | 'delete', (path: string, one: RequestHandler) => unknown>,
  ) {
    for (const [method, path] of pathsOf(count)) app[method](path, handler)
  }
}

const prepare = { fastify: prepareFastify, express: prepareExpress }

// ---- what is measured ---------------------------------------------------------------------------

/**
 * @returns microseconds of CPU time per request, including the client's, which is small and
 *   constant
 */
async function measureCost(framework: Framework, kind: Variant, count: number): Promise<number> {
  const start = await prepare[framework](kind, count, 3)
  const { server } = await start()
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
  server.emit('connection', connection)
  const send = async (requests: number): Promise<void> => {
    for (let batch = 0; batch < requests / perBatch; batch++) {
      missing = perBatch
      const finished = new Promise<void>((resolve) => (finish = resolve))
      connection.push(batches[batch % batches.length]!)
      await finished
    }
  }
  // Measures short slices and keeps the fastest, because even on a shared machine, some run without
  // an interruption. Each requests every resource.
  const perSlice = framework === 'fastify' ? 1600 : 400
  await send(perSlice * 20)
  let least = Infinity
  for (let slice = 0; slice < 40; slice++) {
    const before = process.cpuUsage()
    await send(perSlice)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / perSlice)
  }
  connection.destroy()
  return least
}

async function measureStart(
  framework: Framework,
  kind: Variant,
  count: number,
): Promise<Record<string, number>> {
  const { gc } = globalThis as unknown as { gc(): void }
  const start = await prepare[framework](kind, count, 10)
  gc()
  const heap = process.memoryUsage().heapUsed
  const before = process.cpuUsage()
  const { routes, server } = await start()
  const { user, system } = process.cpuUsage(before)
  gc()
  const megabytes = Math.round((process.memoryUsage().heapUsed - heap) / 1e5) / 10
  server.close() // keeps the app until here
  return { routes, milliseconds: Math.round((user + system) / 1000), megabytes }
}

// ---- one sample, or all of them -----------------------------------------------------------------

const [framework, task, variant, size] = process.argv.slice(2) as [
  Framework,
  string?,
  Variant?,
  string?,
]
if (task === 'cost') console.log(await measureCost(framework, variant!, Number(size)))
else if (task === 'start')
  console.log(JSON.stringify(await measureStart(framework, variant!, Number(size))))
else compare(framework)
