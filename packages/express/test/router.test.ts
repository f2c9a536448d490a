import { ServerResponse } from 'node:http'
import { runInNewContext } from 'node:vm'
import {
  type RouterError,
  api,
  cache,
  get,
  inherit,
  namespace,
  resources,
  version,
} from '@hv/router'
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import onHeaders from 'on-headers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Middleware, type RouterOptions, action, createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

/** Node's method, as it is before this package is imported. */
const native = await vi.hoisted(async () => {
  const { ServerResponse: Native } = await import('node:http')
  return { writeHead: Native.prototype.writeHead }
})

const routes = api(
  { vendorString: 'acme', formats: ['json'] },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { only: ['show', 'create'] }),
      namespace('admin', resources('logs', { only: 'index' })),
    ),
  ),
  version(2, inherit({ from: 'v1' })),
)
const accept = (number: number) => ({ accept: `application/vnd.acme+json;version=${number}` })
const vendorType = 'application/vnd.acme+json; version=2; charset=utf-8'

const ok: RequestHandler = (_req, res) => void res.json({ ok: true })
const controllersOf = (show: unknown) => {
  const all = { users: { show, create: show }, 'admin/logs': { index: show } }
  return { 1: all, 2: all } as never
}
const onError = (
  error: Error & { status?: number },
  _req: Request,
  res: Response,
  _next: NextFunction,
): void => void res.status(error.status ?? 500).json({ caught: error.message })

/** Serves one action under all routes, between middleware of the app and its error handler. */
function appOf(handler: unknown, options: RouterOptions = {}, before: RequestHandler[] = []) {
  const app = express()
  for (const middleware of before) app.use(middleware)
  app.use(createRouter(routes, controllersOf(handler), options))
  app.use('/api', (_req, res) => void res.status(404).json({ fallback: true }))
  app.use(onError)
  return listen(app)
}

it('is middleware with a name, which tracing tools show', () => {
  const router = createRouter(routes, controllersOf(ok))
  expect([router.name, router.match.name]).toEqual(['hvRouter', 'hvRouterMatch'])
})

describe('globs and constraints that accept dots', () => {
  const withGlobs = api(
    { vendorString: 'acme', formats: 'any' },
    version(
      1,
      get('files/*path', { to: 'files#show' }),
      resources('hosts', { only: 'show', constraints: { id: /[^/]+/ } }, get('enc')),
    ),
  )
  const seen: RequestHandler = (req, res) => void res.json(req.params)
  const app = () =>
    listen(
      express().use(
        createRouter(withGlobs, {
          1: { files: { show: seen }, hosts: { show: seen, enc: seen } },
        } as never),
      ),
    )
  it.each([
    ['/api/files/a/b%20c.txt', { path: 'a/b c' }],
    ['/api/hosts/web1.example.com', { id: 'web1.example.com' }],
    ['/api/hosts/web1.example.com/enc', { host_id: 'web1.example.com' }],
  ])('%s', async (path, params) => {
    expect(jsonOf(await send(await app(), { path }))).toEqual(params)
  })
})

describe('controllers', () => {
  it('must have every action of the routes', () => {
    expect(() => createRouter(routes, { 1: { users: { show: ok, create: ok } } } as never)).toThrow(
      'controllers[2].users',
    )
  })

  it('keep `this`', async () => {
    class Users {
      readonly greeting = 'hello'
      show(_req: Request, res: Response) {
        res.json(this.greeting)
      }
      create = action({ handler: (_req, res) => res.json(this.greeting) })
    }
    const all = { users: new Users(), 'admin/logs': { index: ok } }
    const port = await listen(express().use(createRouter(routes, { 1: all, 2: all })))
    for (const method of ['GET', 'POST'])
      expect(
        jsonOf(
          await send(port, { method, path: method === 'GET' ? '/api/users/7' : '/api/users' }),
        ),
      ).toBe('hello')
  })

  it('see the path parameters of an Express router that merges them', async () => {
    const tenants = express.Router({ mergeParams: true })
    tenants.use(
      createRouter(
        routes,
        controllersOf((req: Request, res: Response) => res.json(req.params)),
      ),
    )
    const port = await listen(express().use('/tenants/:tenant', tenants))
    expect(jsonOf(await send(port, { path: '/tenants/t1/api/users/7' }))).toEqual({
      tenant: 't1',
      id: '7',
    })
  })
})

describe('errors', () => {
  const failures: Record<string, () => unknown> = {
    thrown: () => {
      throw new Error('failed')
    },
    rejected: () => Promise.reject(new Error('failed')),
    'rejected without a value': () => Promise.reject(), // oxlint-disable-line prefer-promise-reject-errors
    'rejected with null': () => Promise.reject(null), // oxlint-disable-line prefer-promise-reject-errors
    'rejected with 0': () => Promise.reject(0), // oxlint-disable-line prefer-promise-reject-errors
    'rejected by a thenable': () => ({
      // oxlint-disable-next-line unicorn/no-thenable
      then: (_: unknown, reject: (error: Error) => void) => reject(new Error('failed')),
    }),
    'rejected in another realm': () => runInNewContext("Promise.reject(new Error('failed'))"),
  }
  const all = Object.entries(failures)

  it.each(all)('of a handler reach the error handler: %s', async (name, fail) => {
    const { status, headers, ...received } = await send(await appOf(fail), {
      path: '/api/users/7',
      headers: accept(2),
    })
    expect([status, headers['vary'], headers['api-version']]).toEqual([500, 'Accept', '2'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const hasValue = !/without|null|0/.test(name)
    expect(jsonOf({ status, headers, ...received })).toEqual({
      caught: hasValue ? 'failed' : 'Rejected promise',
    })
  })

  it.each(all)('of middleware in `use` reach it too: %s', async (_name, fail) => {
    const { status } = await send(await appOf(ok, { use: [fail] }), { path: '/api/users/7' })
    expect(status).toBe(500)
  })

  it('carry our headers when Express responds to them', async () => {
    const app = express().set('env', 'test') // Express logs no errors in this environment
    app.use(createRouter(routes, controllersOf(failures['thrown'])))
    const { status, headers } = await send(await listen(app), {
      path: '/api/users/7',
      headers: accept(2),
    })
    expect([status, headers['vary'], headers['api-version']]).toEqual([500, 'Accept', '2'])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

describe('headers', () => {
  it.each<[string, (res: Response) => unknown, string]>([
    ['res.set()', (res) => res.set('Vary', 'Origin').json({}), 'Origin, Accept'],
    ['res.vary()', (res) => res.vary('Origin').json({}), 'Origin, Accept'],
    ['a list', (res) => res.set('Vary', ['Origin', 'Cookie']).json({}), 'Origin,Cookie, Accept'],
    ['writeHead()', (res) => res.writeHead(200, { vary: 'Origin' }).end(), 'Origin, Accept'],
    [
      'writeHead() with a reason',
      (res) => res.writeHead(200, 'Fine', { vary: 'Origin' }).end(),
      'Origin, Accept',
    ],
    [
      'writeHead() with a list',
      (res) => res.writeHead(200, ['vary', 'Origin']).end(),
      'Origin, Accept',
    ],
    [
      'writeHead() and flushed headers',
      (res) => (res.set('Vary', 'Origin').flushHeaders(), res.end()),
      'Origin, Accept',
    ],
    ['Accept', (res) => res.set('Vary', 'accept').json({}), 'accept'],
    ['*', (res) => res.set('Vary', '*').json({}), '*'],
    ['an empty one', (res) => res.set('Vary', '').json({}), 'Accept'],
  ])('keep a Vary that the handler sets: %s', async (_how, respond, vary) => {
    const port = await appOf((_req: Request, res: Response) => void respond(res))
    expect((await send(port, { path: '/api/users/7' })).headers['vary']).toBe(vary)
  })

  it('keep a Vary of earlier middleware, on misses too', async () => {
    const port = await appOf(ok, {}, [(_req, res, next) => next(void res.vary('Origin'))])
    for (const number of [1, 9])
      expect(
        (await send(port, { path: '/api/users/7', headers: accept(number) })).headers['vary'],
      ).toBe('Origin, Accept')
  })

  it('extend a Vary that earlier middleware sets when the head is written', async () => {
    const setsVary: RequestHandler = (_req, res, next) => {
      onHeaders(res, () => void res.setHeader('Vary', 'Origin'))
      next()
    }
    const port = await appOf(ok, {}, [setsVary])
    for (const number of [2, 9])
      expect(
        (await send(port, { path: '/api/users/7', headers: accept(number) })).headers['vary'],
      ).toBe('Origin, Accept')
  })

  it('are complete when the first attempt to write the head fails', async () => {
    const port = await appOf((_req: Request, res: Response) => {
      expect(() => res.writeHead(9999)).toThrow('9999')
      res.writeHead(200, { vary: 'Origin' }).end()
    })
    const { headers } = await send(port, { path: '/api/users/7', headers: accept(2) })
    expect([headers['vary'], headers['api-version']]).toEqual(['Origin, Accept', '2'])
  })

  it("aren't added to a head that's written already", async () => {
    const port = await appOf((_req: Request, res: Response) => {
      res.writeHead(200)
      expect(() => res.writeHead(500)).toThrow('Cannot write headers after they are sent')
      res.end()
    })
    expect((await send(port, { path: '/api/users/7' })).status).toBe(200)
  })

  it('are in responses of the app around a mounted app', async () => {
    const mounted = express().use(
      createRouter(
        routes,
        controllersOf((_req: Request, _res: Response, next: NextFunction) => next()),
      ),
    )
    const app = express()
      .use(mounted)
      .use((_req, res) => void res.status(404).json({ outer: true }))
    const { headers } = await send(await listen(app), { path: '/api/users/7', headers: accept(2) })
    expect([headers['vary'], headers['api-version']]).toEqual(['Accept', '2'])
  })

  it("leave Node's own responses alone", async () => {
    const port = await appOf((_req: Request, res: Response) => res.json({}))
    expect((await send(port, { path: '/api/users/7' })).headers['vary']).toBe('Accept')
    expect(ServerResponse.prototype.writeHead).toBe(native.writeHead)
  })

  it("are in a mock of a response, which replaces Node's methods", () => {
    const head = new Map<string, unknown>()
    const written: number[] = []
    const res = {
      writeHead: (status: number) => void written.push(status),
      getHeader: (name: string) => head.get(name),
      setHeader: (name: string, value: unknown) => head.set(name, value),
    }
    const router = createRouter(
      routes,
      controllersOf(() => res.writeHead(204)),
    )
    router(
      { method: 'GET', url: '/api/users/7', headers: accept(2), params: {} } as never,
      res as never,
      () => {},
    )
    expect([...head]).toEqual([
      ['vary', 'Accept'],
      ['api-version', '2'],
    ])
    expect(written).toEqual([204])
  })

  it('are those of each copy of this package in the same process', async () => {
    const app = express()
    const paths = ['/one', '/two', '/three']
    const copies = new Set<unknown>()
    for (const path of paths) {
      vi.resetModules()
      const copy = (await import('../src/index.ts')) as { createRouter: typeof createRouter }
      copies.add(copy.createRouter)
      const shown = version(1, get('users', { to: 'users#show' }))
      app.use(
        copy.createRouter(api({ vendorString: 'acme', path }, shown), {
          1: { users: { show: ok } },
        }),
      )
    }
    expect(copies.size).toBe(3)
    const port = await listen(app)
    for (const path of [...paths, ...paths]) {
      const { headers } = await send(port, { path: `${path}/users` })
      expect([headers['vary'], headers['api-version']], path).toEqual(['Accept', '1'])
    }
  })

  it("leave the type of a response that's sent after the route to the app", async () => {
    const port = await appOf((_req: Request, _res: Response, next: NextFunction) => next())
    const { status, headers } = await send(port, { path: '/api/users/7', headers: accept(2) })
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  })

  it('name the version in the type of JSON, whatever the status', async () => {
    const port = await appOf((_req: Request, res: Response) => void res.status(422).json({}))
    const { status, headers } = await send(port, { path: '/api/users/7', headers: accept(2) })
    expect([status, headers['content-type']]).toEqual([422, vendorType])
  })
})

describe('use', () => {
  const mark =
    (name: string): Middleware =>
    (_req, res, next) => {
      res.append('x-mark', name)
      next()
    }
  const marksOf = async (port: number, path: string, number: number) =>
    (await send(port, { path, headers: accept(number) })).headers['x-mark']

  it('runs a list before the middleware of the action', async () => {
    const port = await appOf(
      { use: [mark('action'), mark('last')], handler: ok },
      { use: [mark('router')] },
    )
    expect(await marksOf(port, '/api/users/7', 1)).toBe('router, action, last')
  })

  it('runs what a function returns for the version, namespace and action', async () => {
    const port = await appOf(ok, {
      use: (row) => [
        ...(row.version === 2 ? [mark('v2')] : []),
        ...(row.key.startsWith('admin/') ? [mark('admin')] : []),
        ...(row.action === 'show' ? [mark('show')] : []),
      ],
    })
    expect(await marksOf(port, '/api/users/7', 1)).toBe('show')
    expect(await marksOf(port, '/api/users/7', 2)).toBe('v2, show')
    expect(await marksOf(port, '/api/admin/logs', 1)).toBe('admin')
    expect(await marksOf(port, '/api/admin/logs', 2)).toBe('v2, admin')
  })

  it('calls the function once per row, at start-up', async () => {
    const rows: string[] = []
    const use: RouterOptions['use'] = (row) => (
      rows.push(`${row.version} ${row.key}#${row.action}`),
      []
    )
    const port = await appOf(ok, { use })
    const expected = [1, 2].flatMap((n) => [
      `${n} users#create`,
      `${n} users#show`,
      `${n} admin/logs#index`,
    ])
    expect(rows.toSorted()).toEqual(expected.toSorted())
    await send(port, { path: '/api/users/7' })
    expect(rows).toHaveLength(6)
  })

  it("doesn't run for a request that no route serves", async () => {
    const port = await appOf(ok, { use: [mark('router')] })
    expect(await marksOf(port, '/api/users/7', 9)).toBeUndefined()
  })

  it.each<[string, unknown, unknown, string]>([
    ['router: no list', ok, 'x', 'createRouter() requires use to be a list of middleware'],
    [
      'router: a list of something else',
      ok,
      [{}],
      'createRouter() requires use to be a list of middleware',
    ],
    ['router: one middleware', ok, ok, 'createRouter() requires use to be a list of middleware'],
    [
      'router: a function that returns no list',
      ok,
      () => ok,
      'createRouter() requires use(row) to be a list of middleware',
    ],
    [
      'action: no list',
      { use: ok, handler: ok },
      [],
      'api/v1/users#create in version 1 requires use to be a list of middleware',
    ],
  ])('must be lists of functions (%s)', (_what, handler, use, message) => {
    const create = () => createRouter(routes, controllersOf(handler), { use: use as never })
    expect(create).toThrow(
      expect.objectContaining({ code: 'HV_OPTION' } satisfies Partial<RouterError>),
    )
    expect(create).toThrow(message)
  })
})

it("rejects an option that createRouter doesn't have", () => {
  expect(() =>
    createRouter(
      routes,
      controllersOf(() => {}),
      { onRoute: () => {} } as object,
    ),
  ).toThrow(
    "HV_OPTION: createRouter() has no option 'onRoute'. Did you mean 'onRouted'? Its options: problem, ",
  )
})

describe('req.apiMatch', () => {
  const show = (req: Request, res: Response) => void res.json(req.apiMatch ?? null)

  it('holds the match in handlers and in `use`', async () => {
    const seen: unknown[] = []
    const port = await appOf(show, {
      use: [(req, _res, next) => next(void seen.push(req.apiMatch.version))],
    })
    const answer = await send(port, { path: '/api/users/7.json', headers: accept(2) })
    expect(jsonOf(answer)).toMatchObject({
      version: 2,
      params: { id: '7' },
      format: 'json',
      row: { action: 'show', inheritedFrom: 1 },
    })
    expect(seen).toEqual([2])
  })

  async function askEarly(
    path: string,
    number: number,
    between: RequestHandler = (_req, _res, next) => next(),
  ) {
    const router = createRouter(routes, controllersOf(show))
    const app = express()
    app.use(router.match, (req, res, next) => {
      res.set('x-early', String(req.apiMatch?.version))
      next()
    })
    app.use(between, router)
    const answer = await send(await listen(app), { path, headers: accept(number) })
    return [
      answer.headers['x-early'],
      answer.status,
      (jsonOf(answer) as { version?: number }).version,
    ]
  }

  it('is set ahead of the router by router.match', async () => {
    expect(await askEarly('/api/users/7', 2)).toEqual(['2', 200, 2])
  })
  it("isn't set ahead for a request that no route serves", async () => {
    expect(await askEarly('/api/users/7', 9)).toEqual(['undefined', 406, undefined])
  })
  it.each<[string, (req: Request) => unknown, status: number, version: number | undefined]>([
    ['the header', (req) => Object.assign(req.headers, accept(1)), 200, 1],
    ['the URL', (req) => (req.url = '/api/users'), 405, undefined],
    ['the method', (req) => (req.method = 'PATCH'), 405, undefined],
  ])('is found again when middleware changes %s', async (_what, changeOf, status, version) => {
    const between: RequestHandler = (req, _res, next) => next(void changeOf(req))
    expect(await askEarly('/api/users/7', 2, between)).toEqual(['2', status, version])
  })
  it('is found once for a request that stays as it is', async () => {
    const now = vi.fn<() => number>(() => 0)
    const ending = api(
      { vendorString: 'acme' },
      version(1, { sunset: '2027-07-01' }, resources('users', { only: 'show' })),
    )
    const router = createRouter(ending, { 1: { users: { show: ok } } }, { now })
    const port = await listen(express().use(router.match, router))
    const { status } = await send(port, { path: '/api/users/7', headers: accept(1) })
    expect([status, now.mock.calls.length]).toEqual([200, 1])
  })
})

describe('a problem hook', () => {
  it('may respond itself', async () => {
    const problem: RouterOptions['problem'] = (found, _req, res) =>
      res.type('txt').send(found.title)
    const { status, headers, bytes } = await send(await appOf(ok, { problem }), {
      path: '/api/users/7',
      headers: accept(9),
    })
    expect([status, headers['content-type'], bytes.toString()]).toEqual([
      406,
      'text/plain; charset=utf-8',
      'Version not acceptable',
    ])
  })

  it.each<[string, NonNullable<RouterOptions['problem']>]>([
    ['rejects without a value', () => Promise.reject()], // oxlint-disable-line prefer-promise-reject-errors
    ["returns what isn't JSON", () => 1n],
  ])("ends in the app's error handler when it %s", async (_how, problem) => {
    expect(
      (await send(await appOf(ok, { problem }), { path: '/api/users/7', headers: accept(9) }))
        .status,
    ).toBe(500)
  })

  it('leaves the status of its failure to Express', async () => {
    const app = express().set('env', 'test')
    app.use(
      createRouter(routes, controllersOf(ok), {
        problem: () => Promise.reject(new Error('failed')),
      }),
    )
    expect(
      (await send(await listen(app), { path: '/api/users/7', headers: accept(9) })).status,
    ).toBe(500)
  })
})

const odd = api({ vendorString: 'acme' }, version(1, get('a.b-c', { to: 'things#show' })))

it('get() routes respond to a path that Express would read as a pattern', async () => {
  const show = (req: Request, res: Response) => void res.json((req.route as { path: string }).path)
  const port = await listen(express().use(createRouter(odd, { 1: { things: { show } } })))
  expect(jsonOf(await send(port, { path: '/api/a.b-c' }))).toBe('/api/a.b-c')
})

it('run the layer of their Express route, which tracing tools wrap', async () => {
  const traced: string[] = []
  const routers = ('route' in express.Router ? express.Router : express.Router.prototype) as Pick<
    Router,
    'route'
  >
  const { route } = routers
  routers.route = function (this: Router, path: string) {
    const created = route.call(this, path)
    const layer = this.stack.at(-1)!
    const { handle } = layer
    layer.handle = (...args) => {
      traced.push(path)
      handle(...args)
    }
    return created
  } as Router['route']
  onTestFinished(() => void (routers.route = route))
  const things = { show: (_req: Request, res: Response) => void res.json({}) }
  const port = await listen(express().use(createRouter(odd, { 1: { things } })))
  for (let i = 0; i < 2; i++) await send(port, { path: '/api/a.b-c' })
  expect(traced).toEqual(['/api/a.b-c', '/api/a.b-c'])
})

it.each([
  ['/api/users/7', ['/api', '/api/users', '/api/users/:id 7']],
  ['/api/users.json', ['/api']],
  ['/api/users/7.json', ['/api', '/api/users', '/api/users/:id 7.json']],
  ['/api', ['/api']],
  ['/api.json', []],
])('serves %s behind the middleware that the README says', async (path, expected) => {
  const root = api(
    { vendorString: 'acme', formats: ['json'] },
    version(1, get('/', { to: 'users#index' }), resources('users', { only: ['index', 'show'] })),
  )
  const respond = (_req: Request, res: Response) => res.json({})
  const ran: string[] = []
  const app = express()
  for (const mount of ['/api', '/api/users', '/api/users/:id'])
    app.use(mount, (req: Request, _res: Response, next: NextFunction) =>
      next(void ran.push([mount, req.params['id'] ?? []].flat().join(' '))),
    )
  app.use(createRouter(root, { 1: { users: { index: respond, show: respond } } }))
  expect((await send(await listen(app), { path })).status).toBe(200)
  expect(ran).toEqual(expected)
})

it.each([false, true])(
  'serves a trailing slash behind app.use, also with strict routing: %s',
  async (isStrict) => {
    const app = express().set('strict routing', isStrict)
    const ran: string[] = []
    for (const method of ['use', 'all'] as const)
      app[method]('/api/users/:id', (_req: Request, _res: Response, next: NextFunction) =>
        next(void ran.push(method)),
      )
    app.use(
      createRouter(
        routes,
        controllersOf((_req: Request, res: Response) => res.json({})),
      ),
    )
    expect((await send(await listen(app), { path: '/api/users/7/' })).status).toBe(200)
    expect(ran).toEqual(isStrict ? ['use'] : ['use', 'all'])
  },
)

it('serves what onRouted has written to', async () => {
  const onRouted = (result: object): void =>
    void Object.assign(result, { version: 'a\r\nb', kind: 'match' })
  const router = createRouter(routes, controllersOf(ok), { onRouted })
  const port = await listen(express().use(router))
  for (const number of [2, 2, 9]) {
    const { status, headers } = await send(port, { path: '/api/users/7', headers: accept(number) })
    expect([status, headers['api-version']]).toEqual(number === 2 ? [200, '2'] : [406, undefined])
  }
})

describe('the version of an account', () => {
  const account = (req: Request): number | undefined =>
    (req as Request & { account?: number }).account
  const ask = async (options: object, path = '/api/users/7', headers = {}) => {
    const app = express()
    const router = createRouter(
      routes,
      controllersOf((req: Request, res: Response) => res.json(req.apiMatch)),
      options,
    )
    app.use(router.match)
    app.use((req, _res, next) => next(void Object.assign(req, { account: 2 })))
    app.use(router)
    app.use((_req, res) => void res.json('the next middleware'))
    app.use(
      (error: Error, _req: Request, res: Response, _next: NextFunction) =>
        void res.status(500).json(error.message),
    )
    return jsonOf(await send(await listen(app), { path, headers }))
  }

  it('counts when router.match ran before the authentication', async () => {
    expect(await ask({ pinVersion: account })).toMatchObject({ version: 2, source: 'pinned' })
    expect(await ask({ pinVersion: account }, '/api/users/7', accept(1))).toMatchObject({
      version: 1,
    })
    expect(await ask({})).toMatchObject({ version: 1, source: 'default' })
  })

  it.each([undefined, null, '', 0])('that fails with %j is an error', async (error) => {
    const pinVersion = (req: Request) => {
      if (account(req) === undefined) return undefined
      throw error // oxlint-disable-line no-throw-literal
    }
    expect(await ask({ pinVersion })).toBe('pinVersion failed')
  })
})

describe('the case of a path', () => {
  it('matters, unless the router ignores it', async () => {
    const handler: RequestHandler = (req, res) => void res.json(req.params)
    for (const [options, status, body] of [
      [{}, 404, { fallback: true }],
      [{ caseSensitive: false }, 200, { id: 'Ann' }],
    ] as const) {
      const answer = await send(await appOf(handler, options), { path: '/api/USERS/Ann' })
      expect([answer.status, jsonOf(answer)]).toEqual([status, body])
    }
  })
})
