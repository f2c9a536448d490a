import { api, cache, del, get, inherit, patch, post, put, resources, version } from '@hv/router'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const v = (version: number) => ({ accept: `application/vnd.acme+json;version=${version}` })
const user = { id: '7', name: 'Ann', secret: 'x' }
const userSchema = (...fields: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
})

let app: FastifyInstance
afterEach(() => app.close())

describe('options of an action, per version', () => {
  it("validates with Fastify's own schema of the negotiated version", async () => {
    const handler = () => ({ ok: true })
    const body = (...required: string[]) => ({ schema: { body: { type: 'object', required } }, handler })
    app = fastify()
    app.register(
      createRouter(routes, {
        1: { users: { show: handler, create: body('name') } },
        2: { users: { show: handler, create: body('email') } },
      }),
    )
    const create = (version: number, payload: object) =>
      app.inject({ method: 'POST', url: '/api/users', headers: v(version), payload })
    expect((await create(1, { name: 'Ann' })).statusCode).toBe(200)
    expect((await create(2, { email: 'a@b' })).statusCode).toBe(200)
    const refused = await create(2, { name: 'Ann' })
    expect(refused.json()).toMatchObject({ statusCode: 400, message: "body must have required property 'email'" })
    expect(refused.headers).toMatchObject({
      vary: 'Accept',
      'api-version': '2',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it("serialises with Fastify's own schema of the negotiated version", async () => {
    const show = (...fields: string[]) => ({
      schema: { response: { 200: userSchema(...fields) } },
      handler: () => user,
    })
    app = fastify()
    app.register(
      createRouter(routes, {
        1: { users: { create: () => '', show: show('id') } },
        2: { users: { create: () => '', show: show('id', 'name') } },
      }),
    )
    expect((await app.inject({ url: '/api/users/7', headers: v(1) })).json()).toEqual({ id: '7' })
    expect((await app.inject({ url: '/api/users/7', headers: v(2) })).json()).toEqual({ id: '7', name: 'Ann' })
    expect((await app.inject({ url: '/api/users/7.json', headers: v(2) })).json()).toEqual({ id: '7', name: 'Ann' })
  })

  it('runs the hooks of the version, and of the app, and gives them its config', async () => {
    const seen: unknown[] = []
    app = fastify()
    app.addHook('onRequest', async (request) => void seen.push(`root ${JSON.stringify(request.params)}`))
    app.register(
      createRouter(routes, {
        1: { users: { create: () => '', show: () => '1' } },
        2: {
          users: {
            create: () => '',
            show: {
              config: { role: 'admin' } as object,
              preHandler: async (request: FastifyRequest) => {
                seen.push(request.params, request.routeOptions.config, request.apiMatch?.version)
              },
              handler: () => '2',
            },
          },
        },
      }),
    )
    await app.inject({ url: '/api/users/7', headers: v(1) })
    expect(seen).toHaveLength(1)
    await app.inject({ url: '/api/users/7', headers: v(2) })
    expect(seen[2]).toEqual({ id: '7' })
    expect(seen[3]).toMatchObject({ role: 'admin', url: '/api/users/:id' })
    expect(seen[4]).toBe(2)
  })
})

describe('beside routes of the app', () => {
  const served = {
    1: { users: { show: () => ({ v: 1 }), create: () => '' } },
    2: { users: { show: () => ({ v: 2 }), create: () => '' } },
  }

  it('leaves wildcards, OPTIONS and not-found handling to it', async () => {
    app = fastify()
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
    app.get('/*', () => 'wild')
    app.options('/api/users', () => 'own options')
    app.register(createRouter(routes, served))
    expect((await app.inject('/api/nothing')).body).toBe('wild')
    expect((await app.inject({ url: '/api/nothing', method: 'POST' })).body).toBe('mine')
    expect((await app.inject({ url: '/api/users/7', headers: v(2) })).json()).toEqual({ v: 2 })
    expect((await app.inject({ url: '/api/users/7', headers: v(3) })).statusCode).toBe(406)
    expect((await app.inject({ url: '/api/users', method: 'OPTIONS' })).body).toBe('own options')
    expect((await app.inject({ url: '/api/users/7', method: 'OPTIONS' })).headers['allow']).toBe('GET, HEAD, OPTIONS')
  })

  it.each([{ ignoreTrailingSlash: true }, { caseSensitive: false }, { ignoreDuplicateSlashes: true }])(
    'runs under %j',
    async (routerOptions) => {
      app = fastify({ routerOptions })
      app.register(createRouter(routes, served))
      for (const url of ['/api/users/7', '/api/users/7/', '/api/users/7.json'])
        expect((await app.inject({ url, headers: v(2) })).json(), url).toEqual({ v: 2 })
    },
  )

  it('cuts a prefix with params, and keeps them', async () => {
    app = fastify()
    const show = (request: FastifyRequest) => request.params
    app.register(createRouter(routes, { 1: { users: { show, create: show } }, 2: { users: { show, create: show } } }), {
      prefix: '/tenants/:tenant',
    })
    expect((await app.inject({ url: '/tenants/t1/api/users/7.json', headers: v(2) })).json()).toEqual({
      tenant: 't1',
      id: '7',
    })
  })

  it('serves two APIs with vendors and paths of their own', async () => {
    const other = api(
      { vendorString: 'other', path: '/other' },
      version(5, get('x', { to: 'xs#show' }), post('x', { to: 'xs#make' })),
    )
    app = fastify()
    app.register(createRouter(routes, served))
    app.register(
      createRouter(other, { 5: { xs: { show: (request) => request.apiMatch, make: (request) => request.body } } }),
    )
    expect(
      (await app.inject({ url: '/other/x', headers: { accept: 'application/vnd.other+json;version=5' } })).json(),
    ).toMatchObject({ version: 5 })
    expect((await app.inject({ url: '/other/x', headers: v(1) })).statusCode).toBe(406)
    expect((await app.inject({ url: '/api/users/7', headers: v(1) })).json()).toEqual({ v: 1 })
    expect((await app.inject({ url: '/other/x', method: 'OPTIONS' })).headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
    const made = await app.inject({
      url: '/other/x',
      method: 'POST',
      payload: '{"a":1}',
      headers: { 'content-type': 'application/vnd.other+json' },
    })
    expect(made.json()).toEqual({ a: 1 })
  })

  it("takes the app's own parser for the vendor type", async () => {
    app = fastify()
    app.addContentTypeParser('application/vnd.acme+json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, `own ${body}`),
    )
    const create = (request: FastifyRequest) => ({ body: request.body })
    app.register(
      createRouter(routes, { 1: { users: { show: create, create } }, 2: { users: { show: create, create } } }),
    )
    const headers = { 'content-type': 'application/vnd.acme+json;version=1' }
    expect((await app.inject({ url: '/api/users', method: 'POST', headers, payload: 'x' })).json()).toEqual({
      body: 'own x',
    })
  })
})

describe('however a path is written', () => {
  const both = api(
    { vendorString: 'acme' },
    version(1, get('users', { to: 'users#index' }), get('users/:id', { to: 'users#show' })),
    version(2, get('users', { to: 'users#index' }), get('users/:key', { to: 'users#show' })),
  )
  const ways = ['/api/users', '/api/users/', '/api/users.json', '/api/users.json/', '/api/users?x=1']
  const ofOne = ['/api/users/7', '/api/users/7/', '/api/users/7.json', '/api/users/7.json/', '/api/users/%37']
  const guarded = (handler: (request: FastifyRequest) => unknown) => ({
    preHandler: async (request: FastifyRequest, reply: { header(name: string, value: string): unknown }) =>
      void reply.header('guarded', JSON.stringify(request.params)),
    handler,
  })

  it('runs the action, with its options where it has some, and answers misses', async () => {
    const handler = (request: FastifyRequest) => ({ v: request.apiMatch!.version, params: request.params })
    app = fastify()
    app.register(
      createRouter(both, {
        1: { users: { index: handler, show: handler } },
        2: { users: { index: guarded(handler), show: guarded(handler) } },
      }),
    )
    for (const method of ['GET', 'HEAD'] as const)
      for (const url of [...ways, ...ofOne]) {
        const [one, two] = ofOne.includes(url) ? [{ id: '7' }, { key: '7' }] : [{}, {}]
        const first = await app.inject({ method, url, headers: v(1) })
        const second = await app.inject({ method, url, headers: v(2) })
        expect([first.statusCode, first.headers['guarded']], `${method} ${url} v1`).toEqual([200, undefined])
        expect([second.statusCode, second.headers['guarded']], `${method} ${url} v2`).toEqual([
          200,
          JSON.stringify(two),
        ])
        expect(first.headers['content-length'], url).toBe(String(JSON.stringify({ v: 1, params: one }).length))
        expect(first.body, url).toBe(method === 'HEAD' ? '' : JSON.stringify({ v: 1, params: one }))
        expect((await app.inject({ method, url, headers: v(3) })).statusCode, url).toBe(406)
        expect((await app.inject({ method: 'PUT', url, headers: v(1) })).statusCode, url).toBe(405)
      }
    // Fastify's own, see maxParamLength
    expect((await app.inject({ url: `/api/users/${'x'.repeat(200)}`, headers: v(1) })).statusCode).toBe(414)
  })

  it('meets what the app adds for its URL in an onRoute hook', async () => {
    const handler = () => 'open'
    app = fastify()
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/api/users'))
        route.preHandler = (_request, reply, done) => (reply.code(401), done(new Error('closed')))
    })
    app.register(
      createRouter(both, {
        1: { users: { index: handler, show: handler } },
        2: { users: { index: handler, show: handler } },
      }),
    )
    for (const method of ['GET', 'HEAD'] as const)
      for (const url of [...ways, ...ofOne])
        expect((await app.inject({ method, url, headers: v(2) })).statusCode, `${method} ${url}`).toBe(401)
  })

  it('tells the app of one route for each method and path, and hides the others from its documents', async () => {
    app = fastify()
    const shown: string[] = []
    app.addHook('onRoute', ({ method, url, schema }) => {
      if ((schema as { hide?: boolean } | undefined)?.hide !== true) shown.push(`${String(method)} ${url}`)
    })
    const handler = () => 'x'
    app.register(
      createRouter(both, {
        1: { users: { index: handler, show: handler } },
        2: { users: { index: handler, show: guarded(handler) } },
      }),
    )
    await app.ready()
    expect(shown.filter((route) => !route.startsWith('HEAD'))).toEqual([
      'GET /api/users',
      'GET /api/users/:id',
      'GET /api/users/:key',
    ])
  })

  it('serves the path of the API itself, in every method', async () => {
    const to = 'root#any'
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
    const root = api(
      { vendorString: 'acme' },
      version(1, get('/', { to }), post('/', { to }), put('/', { to }), patch('/', { to }), del('/', { to })),
      version(2, get('/', { to })),
    )
    const any = () => ({ ok: true })
    app = fastify()
    app.register(createRouter(root, { 1: { root: { any } }, 2: { root: { any } } }))
    for (const url of ['/api', '/api/', '/api.json', '/api.json/'])
      for (const method of methods) {
        expect((await app.inject({ method, url, headers: v(1) })).statusCode, `${method} ${url}`).toBe(200)
        const status = method === 'GET' ? 200 : 405
        expect((await app.inject({ method, url, headers: v(2) })).statusCode, `${method} ${url}`).toBe(status)
      }
  })
})

describe('at start', () => {
  const many = (count: number) =>
    api(
      { vendorString: 'acme' },
      ...Array.from({ length: count }, (_, i) => version(i + 1, get('x', { to: 'xs#show' }))),
    ) as never
  const controllers = (count: number, options: (v: number) => object) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        i + 1,
        { xs: { show: { ...options(i + 1), handler: () => ({ v: i + 1 }) } } },
      ]),
    ) as never
  const plain = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [i + 1, { xs: { show: () => ({ v: i + 1 }) } }]),
    ) as never
  const tagged = (v: number) => ({ config: { v } })

  it('serves thirty versions of one path with options of their own, beside a route of the app', async () => {
    app = fastify()
    app.get('/api/x', () => 'plain')
    app.register(createRouter(many(30), controllers(30, tagged)))
    expect((await app.inject({ url: '/api/x', headers: v(30) })).json()).toEqual({ v: 30 })
    expect((await app.inject({ url: '/api/x', headers: v(1) })).json()).toEqual({ v: 1 })
  })
  it('takes options that hold themselves', async () => {
    const cyclic = () => {
      const config: Record<string, unknown> = {}
      config['self'] = config
      return { config }
    }
    app = fastify()
    app.register(createRouter(many(2), controllers(2, cyclic)))
    expect((await app.inject({ url: '/api/x', headers: v(2) })).json()).toEqual({ v: 2 })
  })
  it('refuses more, and says what to do', async () => {
    app = fastify()
    app.register(createRouter(many(31), controllers(31, tagged)))
    await expect(app.ready().then(() => 'started')).rejects.toThrow(
      'HV_TOO_MANY_VERSIONS: GET /api/x(.:format) has options of its own in more than 30 versions, which is what Fastify can hold on one path. Retire old versions',
    )
  })
  it('serves any number of versions whose actions have no options, as one route', async () => {
    app = fastify()
    const urls: string[] = []
    app.addHook('onRoute', ({ method, url }) => void urls.push(`${String(method)} ${url}`))
    app.register(createRouter(many(100), plain(100)))
    for (const n of [1, 31, 100]) expect((await app.inject({ url: '/api/x', headers: v(n) })).json()).toEqual({ v: n })
    expect(urls.filter((url) => url === 'GET /api/x')).toHaveLength(1)
  })
  it('gives actions that are one object, in several versions, one route, and calls each with its own this', async () => {
    const show = {
      config: { shared: true },
      handler(this: { name: string }, request: FastifyRequest) {
        return [this.name, request.routeOptions.config]
      },
    }
    app = fastify()
    const urls: string[] = []
    app.addHook('onRoute', ({ method, url }) => void urls.push(`${String(method)} ${url}`))
    app.register(createRouter(many(2), { 1: { xs: { name: 'one', show } }, 2: { xs: { name: 'two', show } } } as never))
    for (const [n, name] of [
      [1, 'one'],
      [2, 'two'],
    ] as const)
      expect((await app.inject({ url: '/api/x', headers: v(n) })).json()).toEqual([
        name,
        { shared: true, url: '/api/x', method: 'GET' },
      ])
    expect(urls.filter((url) => url === 'GET /api/x')).toHaveLength(1)
  })
  it('refuses controllers that lack what the routes reach, all at once', () => {
    app = fastify()
    expect(() => createRouter(routes, { 1: { users: { show() {} } } } as never)).toThrow(
      'HV_MISSING_ACTIONS: the routes reach what the controllers lack: controllers[1].users.create, controllers[2].users.',
    )
  })
})
