import rateLimit from '@fastify/rate-limit'
import { api, cache, get, inherit, post, resources, version } from '@hv/router'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { isEqual } from '../src/groups.ts'
import { createRouter } from '../src/index.ts'
import { latest, releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

const versions = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i + 1)
const manyVersions = (count: number) =>
  api(
    { vendorString: 'acme' },
    ...versions(count).map((n) => version(n, get('x', { to: 'xs#show' }))),
  ) as never
const controllersOf = (count: number, show: (n: number) => unknown): never =>
  Object.fromEntries(versions(count).map((n) => [n, { xs: { show: show(n) } }])) as never

describe.each(releases)('the routes on Fastify $version', (release) => {
  const createApp = createApps(release)

  /** Registers the router and returns the routes that Fastify lists. */
  async function register(...[api_, controllers]: Parameters<typeof createRouter>) {
    const app = createApp()
    const listed: string[] = []
    app.addHook('onRoute', ({ method, url, schema }) => {
      const hidden = (schema as { hide?: boolean } | undefined)?.hide === true
      if (!hidden) listed.push(`${String(method)} ${url}`)
    })
    await app.register(createRouter(api_, controllers))
    return { app, listed }
  }

  it("are one per action, at the route file's path", async () => {
    const handler = () => 'x'
    const users = { index: handler, create: handler, show: handler }
    const { listed } = await register(routes, { 1: { users }, 2: { users } } as never)
    expect(listed.toSorted()).toEqual([
      'GET /api/users',
      'GET /api/users/:id',
      'HEAD /api/users',
      'HEAD /api/users/:id',
      'POST /api/users',
    ])
  })

  it('refuse each method once, and OPTIONS where hooks can respond first', async () => {
    const app = createApp()
    const hidden: string[] = []
    app.addHook('onRoute', ({ method, url, schema }) => {
      if ((schema as { hide?: boolean } | undefined)?.hide !== true) return
      for (const name of [method].flat()) hidden.push(`${name} ${url}`)
    })
    await app.register(
      createRouter(
        manyVersions(1),
        controllersOf(1, () => () => 'x'),
      ),
    )
    const ofOptionsOrHead = hidden.filter((route) => /^(?:OPTIONS|HEAD) /.test(route))
    expect(ofOptionsOrHead.toSorted()).toEqual(['HEAD /api', 'HEAD /api/*', 'OPTIONS /*'])
  })

  it('are shared by versions with equal options, made by a constructor of each', async () => {
    const onRequest = async () => {}
    const schema = (max: number) => ({
      querystring: { type: 'object', properties: { page: { type: 'integer', maximum: max } } },
    })
    class Xs {
      readonly name: string
      readonly show: object
      constructor(name: string, max: number) {
        this.name = name
        this.show = {
          onRequest,
          config: { rateLimit: { max: 2 } },
          schema: schema(max),
          handler: (request: FastifyRequest) => [this.name, request.routeOptions.config],
        }
      }
    }
    const { app, listed } = await register(
      manyVersions(3),
      controllersOf(3, (n) => new Xs(`v${n}`, n < 3 ? 9 : 99).show),
    )
    expect(listed.filter((route) => route === 'GET /api/x')).toHaveLength(2)
    for (const [n, status] of [
      [1, 400],
      [2, 400],
      [3, 200],
    ] as const) {
      const response = await app.inject({ url: '/api/x?page=10', headers: { accept: accept(n) } })
      expect(response.statusCode, `version ${n}`).toBe(status)
    }
    const response = await app.inject({ url: '/api/x', headers: { accept: accept(2) } })
    expect(response.json()).toMatchObject([
      'v2',
      { rateLimit: { max: 2 }, url: '/api/x', method: 'GET' },
    ])
  })

  it("keep the controllers' schemas as they are, so that a second app has the same routes", async () => {
    const controllers = controllersOf(2, () => ({
      schema: { response: { 200: { type: 'object', properties: {} } } },
      handler: () => ({}),
    }))
    for (const _app of ['first', 'second']) {
      const registered = await register(manyVersions(2), controllers)
      await registered.app.ready()
      expect(registered.listed).toEqual(['GET /api/x', 'HEAD /api/x'])
    }
  })

  it('serve a hundred versions without options through one route', async () => {
    const { app, listed } = await register(
      manyVersions(100),
      controllersOf(100, (n) => () => ({ n })),
    )
    expect(listed).toEqual(['GET /api/x', 'HEAD /api/x'])
    for (const n of [1, 31, 100])
      expect((await app.inject({ url: '/api/x', headers: { accept: accept(n) } })).json()).toEqual({
        n,
      })
  })

  it('serve thirty versions with different options, next to a route of the app', async () => {
    const app = createApp()
    app.get('/api/x', () => 'plain')
    await app.register(
      createRouter(
        manyVersions(30),
        controllersOf(30, (n) => ({ config: { n }, handler: () => ({ n }) })),
      ),
    )
    for (const n of [1, 30])
      expect((await app.inject({ url: '/api/x', headers: { accept: accept(n) } })).json()).toEqual({
        n,
      })
  })

  it('print as path, versions and constraint', async () => {
    const { app } = await register(
      manyVersions(2),
      controllersOf(2, () => () => 'x'),
    )
    await app.ready()
    expect(app.printRoutes()).toContain('x (GET, HEAD) {"apiVersion":"v1, v2 of /api/x"}')
  })

  it('have handlers that are named after the action, for tracing tools', async () => {
    const app = createApp()
    const names: string[] = []
    app.addHook('onRoute', ({ method, url, handler }) => {
      if (url === '/api/x') names.push(`${String(method)} ${handler.name}`)
    })
    await app.register(
      createRouter(
        manyVersions(2),
        controllersOf(2, () => () => 'x'),
      ),
    )
    expect(names).toEqual(['GET show', 'HEAD show'])
  })

  it('belong to a plugin with a name', async () => {
    const { app } = await register(
      manyVersions(1),
      controllersOf(1, () => () => 'x'),
    )
    await app.ready()
    expect(app.printPlugins()).toContain('@hv/router-fastify')
  })

  it('run what an onRoute hook of the app adds, for every spelling of the path', async () => {
    const app = createApp()
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api/users'))
        route.preHandler = (_request, reply, done) => (reply.code(401), done(new Error('closed')))
    })
    const open = () => 'open'
    const users = { index: open, create: open, show: open }
    await app.register(createRouter(routes, { 1: { users }, 2: { users } }))
    for (const method of ['GET', 'HEAD'] as const)
      for (const url of [
        '/api/users',
        '/api/users/',
        '/api/users.json',
        '/api/users/7',
        '/api/users/7.json/',
      ])
        expect((await app.inject({ method, url })).statusCode, `${method} ${url}`).toBe(401)
  })

  it("serve the API's own path, in every method", async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
    const root = api(
      { vendorString: 'acme' },
      version(1, get('/', { to: 'root#any' }), post('/', { to: 'root#any' })),
      version(2, get('/', { to: 'root#any' })),
    )
    const any = () => ({ ok: true })
    const { app } = await register(root, { 1: { root: { any } }, 2: { root: { any } } } as never)
    for (const url of ['/api', '/api/', '/api.json', '/api.json/'])
      for (const method of methods)
        for (const n of [1, 2]) {
          const serves = method === 'GET' || (method === 'POST' && n === 1)
          const response = await app.inject({ method, url, headers: { accept: accept(n) } })
          expect(response.statusCode, `${method} ${url} v${n}`).toBe(serves ? 200 : 405)
        }
  })

  it.each(['/mounted', '/mounted/'])('serve the root of the prefix %s', async (prefix) => {
    const app = createApp()
    const root = api({ vendorString: 'acme', path: '' }, version(1, get('/', { to: 'root#show' })))
    await app.register(createRouter(root, { 1: { root: { show: (request) => request.url } } }), {
      prefix,
    })
    for (const url of ['/mounted', '/mounted/', '/mounted?a=/b'])
      expect((await app.inject(url)).statusCode, `GET ${url}`).toBe(200)
    for (const url of ['/mounted', '/mounted/'])
      expect((await app.inject({ url, method: 'POST' })).statusCode, `POST ${url}`).toBe(405)
  })

  it('leave wildcards, OPTIONS routes and not-found handling to the app', async () => {
    const app = createApp()
    const users = { index: () => '', create: () => '', show: () => ({ v: 1 }) }
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
    app.get('/*', () => 'wild')
    app.options('/api/users', () => 'own options')
    await app.register(createRouter(routes, { 1: { users }, 2: { users } }))
    expect((await app.inject('/api/nothing')).body).toBe('wild')
    expect((await app.inject({ url: '/api/nothing', method: 'POST' })).body).toBe('mine')
    expect((await app.inject('/api/users/7')).json()).toEqual({ v: 1 })
    expect(
      (await app.inject({ url: '/api/users/7', headers: { accept: accept(3) } })).statusCode,
    ).toBe(406)
    expect((await app.inject({ url: '/api/users', method: 'OPTIONS' })).body).toBe('own options')
    expect((await app.inject({ url: '/api/users/7', method: 'OPTIONS' })).headers['allow']).toBe(
      'GET, HEAD, OPTIONS',
    )
  })

  it('of two APIs may share a prefix, and the first that has a path responds', async () => {
    const other = api(
      { vendorString: 'other' },
      version(5, resources('users', { only: 'show' }), resources('teams', { only: 'index' })),
    )
    const app = createApp()
    const users = {
      index: () => '',
      create: () => '',
      show: (request: FastifyRequest) => request.url,
    }
    await app.register(createRouter(routes, { 1: { users }, 2: { users } }))
    await app.register(
      createRouter(other, { 5: { users: { show: () => 5 }, teams: { index: () => 5 } } }),
    )
    const ask = (url: string, type: string) => app.inject({ url, headers: { accept: type } })
    const otherType = 'application/vnd.other+json;version=5'
    for (const url of ['/api/users/7', '/api/users/7/', '/api/users/7.json']) {
      expect((await ask(url, accept(2))).body, url).toBe('/api/users/7')
      expect((await ask(url, otherType)).statusCode, url).toBe(406)
    }
    for (const url of ['/api/teams', '/api/teams/']) {
      expect((await ask(url, otherType)).json(), url).toBe(5)
      expect((await ask(url, accept(2))).statusCode, url).toBe(406)
    }
    expect((await ask('/api/nothing', otherType)).headers['vary']).toBeUndefined()
  })
})

describe('a rate limit per route', () => {
  const createApp = createApps(latest)
  const limited = api(
    { vendorString: 'acme' },
    version(1, cache({ as: 'v1' }, resources('users', { only: 'index' }))),
    version(2, inherit({ from: 'v1' })),
    version(3, inherit({ from: 'v1' })),
  )
  const index = (options: object) => ({
    config: { rateLimit: { max: 2, timeWindow: 60_000, ...options } },
    handler: () => [],
  })

  it('counts all spellings of a path, and all versions with equal options', async () => {
    const app = createApp()
    await app.register(rateLimit, { global: false })
    await app.register(
      createRouter(limited, {
        1: { users: { index: index({}) } },
        2: { users: { index: index({}) } },
        3: { users: { index: index({}) } },
      }),
    )
    const statuses: number[] = []
    for (const url of ['/api/users', '/api/users/', '/api/users.json', '/api/users.json/'])
      for (const n of [1, 2, 3])
        statuses.push((await app.inject({ url, headers: { accept: accept(n) } })).statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  /** Serves three versions with different options, so that each has a route of its own. */
  const serveDifferent = (app: FastifyInstance, limit: object) => {
    const handler = () => []
    return app.register(
      createRouter(limited, {
        1: { users: { index: { ...limit, handler } } },
        2: { users: { index: { ...limit, handler, schema: { querystring: {} } } } },
        3: { users: { index: { ...limit, handler, bodyLimit: 1000 } } },
      }),
    )
  }
  const askAll = async (app: FastifyInstance) => {
    const statuses: number[] = []
    for (const n of [1, 2, 3, 1, 2, 3])
      statuses.push(
        (await app.inject({ url: '/api/users', headers: { accept: accept(n) } })).statusCode,
      )
    return statuses
  }
  const limits = { max: 2, timeWindow: 60_000 }

  it('counts versions with different options together when they share one limiter', async () => {
    const app = createApp()
    await app.register(rateLimit, { global: false })
    await serveDifferent(app, { onRequest: app.rateLimit(limits) })
    expect(await askAll(app)).toEqual([200, 200, 429, 429, 429, 429])
  })

  it('counts versions with different options together under a groupId, in a store that routes share', async () => {
    const app = createApp()
    await app.register(rateLimit, { global: false, store: SharedStore as never })
    await serveDifferent(app, { config: { rateLimit: { ...limits, groupId: 'users' } } })
    expect(await askAll(app)).toEqual([200, 200, 429, 429, 429, 429])
  })

  it('counts each set of options apart in the default store, with a groupId too, as native routes do', async () => {
    const config = { rateLimit: { ...limits, groupId: 'users' } }
    const app = createApp()
    await app.register(rateLimit, { global: false })
    await serveDifferent(app, { config })
    for (const n of [1, 2, 3]) app.get(`/native/${n}`, { config }, () => [])
    expect(await askAll(app)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await askAll(app)).toEqual([429, 429, 429, 429, 429, 429])
    const native: number[] = []
    for (const n of [1, 2, 3, 1, 2, 3]) native.push((await app.inject(`/native/${n}`)).statusCode)
    expect(native).toEqual([200, 200, 200, 200, 200, 200])
  })
})

/** Counts by key, as a database does: the routes of an app have one store. */
class SharedStore {
  readonly #counts = new Map<string, number>()
  incr(
    key: string,
    done: (error: null, result: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const current = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, current)
    done(null, { current, ttl: timeWindow })
  }
  child(): this {
    return this
  }
}

describe('groups of versions', () => {
  const shared = () => {}
  class Options {
    readonly #limit: number
    constructor(limit: number) {
      this.#limit = limit
    }
    limit() {
      return this.#limit
    }
  }
  const options = new Options(1)
  const cyclic = (length: number) => {
    const first: Record<string, unknown> = {}
    let last = first
    for (let i = 1; i < length; i++) last = last['next'] = {} as Record<string, unknown>
    last['next'] = first
    return first
  }
  const symbol = Symbol('kind')

  it.each([
    ['plain values', { a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    ['another value', { a: { b: [1] } }, { a: { b: [2] } }, false],
    ['a missing key', { a: 1, b: undefined }, { a: 1 }, false],
    ['a longer list', [1], [1, 2], false],
    ['a list and an object', [1], { 0: 1, length: 1 }, false],
    ['null and an object', { a: null }, { a: {} }, false],
    ['the same function', { a: shared }, { a: shared }, true],
    ['functions that look alike', { a: () => 1 }, { a: () => 1 }, false],
    ['the same instance', { a: options }, { a: options }, true],
    [
      'instances, which may keep private state',
      { a: new Options(1) },
      { a: new Options(2) },
      false,
    ],
    ['values under a symbol, as TypeBox has them', { [symbol]: 1 }, { [symbol]: 1 }, true],
    ['other values under a symbol', { [symbol]: shared }, { [symbol]: () => {} }, false],
    ['NaN', { a: Number.NaN }, { a: Number.NaN }, true],
    ['objects that contain themselves', cyclic(1), cyclic(1), true],
    ['cycles of different lengths', cyclic(2), cyclic(3), true],
    ['cycles that differ', { self: cyclic(1), a: 1 }, { self: cyclic(1), a: 2 }, false],
    ['objects without a prototype', { a: Object.create(null) as object }, { a: {} }, true],
  ])('compare options: %s', (_what, a, b, equal) => {
    expect(isEqual(a, b)).toBe(equal)
    expect(isEqual(b, a)).toBe(equal)
  })

  it('number at most thirty for one method and path, whatever its parameters are called', () => {
    const create = (count: number) => () =>
      createRouter(
        api(
          { vendorString: 'acme' },
          ...versions(count).map((n) =>
            version(n, get(n % 2 === 0 ? 'x/:id' : 'x/:key', { to: 'xs#show' })),
          ),
        ) as never,
        controllersOf(count, (n) => ({ config: { n }, handler: () => '' })),
      )
    expect(create(30)).not.toThrow()
    expect(create(31)).toThrow(
      /^HV_TOO_MANY_VERSIONS: GET \/api\/x\/:\w+ has different route options in more than 30 versions/,
    )
  })
})
