import { connect } from 'node:net'
import { api, createMatcher, get, resources, version } from '@hv/router'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { createRouter } from '../src/index.ts'
import { latest, releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

/** What a handler sees of a request. */
const seen = (request: FastifyRequest) => ({
  params: request.params,
  query: request.query,
  format: request.apiMatch?.format,
  url: request.url,
  originalUrl: request.originalUrl,
})
const controllers = { index: seen, create: seen, show: seen }

/** Sends a request target as it is, and returns the status and the body. */
async function send(
  app: FastifyInstance,
  target: string,
  headers = '',
): Promise<{ status: number; body: string; head: string }> {
  if (app.server.address() === null) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), head, body })
    })
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`)
  })
}

describe.each(releases)('URLs on Fastify $version', (release) => {
  const createApp = createApps(release)
  async function serve(options = {}, mount = {}): Promise<FastifyInstance> {
    const app = createApp(options)
    await app.register(
      createRouter(routes, { 1: { users: controllers }, 2: { users: controllers } }),
      mount,
    )
    return app
  }

  it.each([
    ['/api/users', '/api/users', {}, null],
    ['/api/users/', '/api/users', {}, null],
    ['/api/users.json', '/api/users', {}, 'json'],
    ['/api/users.json/?page=2&x=/a.b', '/api/users?page=2&x=/a.b', {}, 'json'],
    ['/api/users/7', '/api/users/7', { id: '7' }, null],
    ['/api/users/7/', '/api/users/7', { id: '7' }, null],
    ['/api/users/7.json', '/api/users/7', { id: '7' }, 'json'],
    ['/api/users/7.json/', '/api/users/7', { id: '7' }, 'json'],
    ['/api/users/ann@x.org', '/api/users/ann@x.org', { id: 'ann@x.org' }, null],
    ['/api/users/ann@x.org.json', '/api/users/ann@x.org', { id: 'ann@x.org' }, 'json'],
    ['/api/users/a%2Fb%25.json', '/api/users/a%2Fb%25', { id: 'a/b%' }, 'json'],
    ['/api/users/%E2%82%AC.json', '/api/users/%E2%82%AC', { id: '€' }, 'json'],
    ['/api/users/7#/x', '/api/users/7#/x', { id: '7' }, null],
    ['/api/users/7.json#x', '/api/users/7#x', { id: '7' }, 'json'],
    ['http://other.example/api/users/7.json?a=b', '/api/users/7?a=b', { id: '7' }, 'json'],
    ['HTTPS://other.example:8080/api/users', '/api/users', {}, null],
  ])('rewrite %s as %s, for handlers and root hooks alike', async (target, url, params, format) => {
    const app = await serve()
    let atRoot: unknown
    app.addHook('onRequest', async (request) => void (atRoot = seen(request)))
    const { status, body } = await send(app, target)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ params, format, url, originalUrl: target })
    expect(JSON.parse(JSON.stringify(atRoot))).toEqual(JSON.parse(body))
  })

  it.each([
    [{ ignoreTrailingSlash: true }, '/api/users/7/', '/api/users/7', { id: '7' }, {}],
    [
      { ignoreDuplicateSlashes: true },
      '//api///users//7//?a=b',
      '/api/users/7?a=b',
      { id: '7' },
      { a: 'b' },
    ],
    [
      { useSemicolonDelimiter: true },
      '/api/users/7/;a=1',
      '/api/users/7;a=1',
      { id: '7' },
      { a: '1' },
    ],
    [{ useSemicolonDelimiter: false }, '/api/users/7;a=1', '/api/users/7;a=1', { id: '7;a=1' }, {}],
    [{ caseSensitive: false }, '/API/Users/Ann.JSON/', '/api/users/Ann', { id: 'Ann' }, {}],
  ])('follow %j: %s', async (options, target, url, params, query) => {
    const isLatest = release.fastify === latest.fastify
    const app = await serve(isLatest ? { routerOptions: options } : options)
    const response = await app.inject(target)
    expect([response.statusCode, response.json()]).toMatchObject([200, { params, query, url }])
    expect((await app.inject({ url: target, headers: { accept: accept(9) } })).statusCode).toBe(406)
    expect((await app.inject({ url: target, method: 'DELETE' })).statusCode).toBe(405)
  })

  it.each(['//api/users', '/api//users', '/api/users//', '/API/users', '/api/Users'])(
    'are exact without these options: %s',
    async (target) => {
      const app = await serve()
      expect((await send(app, target)).status).toBe(404)
    },
  )

  it('lead nowhere in asterisk form, even if a route takes every path', async () => {
    const everything = api(
      { vendorString: 'acme', path: '' },
      version(1, get('*path', { to: 'files#show' })),
    )
    const app = createApp()
    const show = (request: FastifyRequest) => request.params
    await app.register(createRouter(everything, { 1: { files: { show } } }))
    expect(await send(app, '/x')).toMatchObject({ status: 200, body: '{"path":"x"}' })
    expect((await send(app, '*')).status).toBe(404)
  })

  it('keep the letters of parameters, which constraints test, under caseSensitive: false', async () => {
    const constrained = api(
      { vendorString: 'acme' },
      version(
        1,
        get('Users/New', { to: 'xs#fresh' }),
        get('Users/:Id', { to: 'xs#show', constraints: { Id: /[A-Z]+/ } }),
      ),
    )
    const app = createApp({ caseSensitive: false })
    const show = (request: FastifyRequest) => request.params
    await app.register(
      createRouter(constrained, { 1: { xs: { show, fresh: () => 'fresh' } } } as never),
    )
    expect((await app.inject('/API/USERS/ABC')).json()).toEqual({ Id: 'ABC' })
    expect((await app.inject('/api/users/NEW')).body).toBe('fresh')
    for (const id of ['abc', '7'])
      expect((await app.inject(`/api/users/${id}`)).statusCode, `${id}`).toBe(404)
  })

  it.each([
    ['/mounted', '/mounted/api/users/7.json', { id: '7' }],
    ['/mounted/', '/mounted/api/users/7/', { id: '7' }],
    ['/tenants/:tenant', '/tenants/t%201/api/users/7.json', { tenant: 't 1', id: '7' }],
  ])('keep the prefix %s and its parameters', async (prefix, target, params) => {
    const app = await serve({}, { prefix })
    const response = await app.inject(target)
    expect(response.json()).toMatchObject({ params, url: target.replace(/(?:\.json|\/)$/, '') })
    for (const url of [
      '/mountedx/api/users/',
      '/x/api/users/',
      '/tenants/api/users/',
      '/api/users/',
    ])
      expect((await app.inject(url)).json(), `${url}`).toMatchObject({
        message: `Route GET:${url} not found`,
      })
  })

  it.each([
    '/users/%6De',
    '/users/m%65',
    '/users/%6de?x=%zz',
    '/users/an%6E',
    '/users/%6De%2F',
    '/users/%256De',
    '/line%2Ditems',
    '/%75sers/me',
    '/users/%2%35',
  ])('with escapes reach the route that they natively reach: %s', async (path) => {
    const declared = api(
      { vendorString: 'acme' },
      version(
        1,
        get('users/me', { to: 'all#me' }),
        get('users/:id', { to: 'all#show' }),
        get('line-items', { to: 'all#items' }),
      ),
    )
    const handlerOf = (name: string) => (request: FastifyRequest) => [
      name,
      request.params,
      request.url.replace('/native', '/api'),
    ]
    const all = { me: handlerOf('me'), show: handlerOf('show'), items: handlerOf('items') }
    const app = createApp()
    await app.register(
      async (scope) => {
        scope.get('/users/me', all.me)
        scope.get('/users/:id', all.show)
        scope.get('/line-items', all.items)
      },
      { prefix: '/native' },
    )
    await app.register(createRouter(declared, { 1: { all } }), { prefix: '' })
    await app.register(createRouter(declared, { 1: { all } }), { prefix: '/my-app' })
    const [native, versioned, mounted] = [
      await send(app, `/native${path}`),
      await send(app, `/api${path}`),
      await send(app, `/%6Dy-app/api${path}`),
    ]
    expect(versioned.status).toBe(native.status)
    expect(mounted.status).toBe(native.status)
    if (native.status !== 200) return
    expect(versioned.body).toBe(native.body)
    expect(mounted.body).toBe(native.body.replace('/api/', '/%6Dy-app/api/'))
  })

  it('outside of a prefix are those of other routes', async () => {
    const app = await serve({}, { prefix: '/v' })
    app.get('/api/users.json', (request) => request.raw.url)
    expect((await app.inject('/api/users.json?a=%41')).body).toBe('/api/users.json?a=%41')
  })

  it("of a prefix that repeats the API's path cause one warning, which says what to set", async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const ask = async (app: FastifyInstance, urls: readonly string[]) => {
      warn.mockClear()
      for (const url of urls) await app.inject(url)
      return warn.mock.calls.filter(
        ([, details]) => (details as { code?: string } | undefined)?.code === 'HV_MOUNT',
      )
    }
    const doubled = await ask(await serve({}, { prefix: '/api' }), [
      '/api/x',
      '/api/users/7',
      '/api/users',
    ])
    expect(doubled).toHaveLength(1)
    expect(doubled[0]![0]).toMatch(
      /mounted at '\/api'.*start with '\/api\/api' now\. Set \{ path: '' \}.*prefix/,
    )
    expect(
      await ask(await serve({}, { prefix: '/api' }), ['/api/api/users', '/api/users']),
    ).toEqual([])
    expect(
      await ask(await serve({}, { prefix: '/v' }), ['/v/users', '/users', '/v/api/users']),
    ).toEqual([])
    expect(await ask(await serve(), ['/users', '/api/users'])).toEqual([])
  })

  it('leave those of other routes alone', async () => {
    const app = await serve()
    app.get('/*', seen)
    for (const url of [
      '/other/users/',
      '/apix/users.json',
      '/api/nothing/',
      '/',
      '/api/users/7/posts.json',
    ])
      expect((await app.inject(url)).json(), `${url}`).toMatchObject({ url, originalUrl: url })
  })

  it('keep what rewriteUrl of the app has seen', async () => {
    const app = await serve({ rewriteUrl: ({ url }: { url: string }) => url.replace('/v0', '') })
    expect((await app.inject('/v0/api/users/7.json')).json()).toMatchObject({
      url: '/api/users/7',
      originalUrl: '/v0/api/users/7.json',
    })
  })

  it('with a malformed escape get a problem document with Vary', async () => {
    const app = await serve()
    for (const target of ['/api/users/%zz', '/api/users/%', '/api/users/%80.json?x=%'])
      for (const version_ of ['', accept(2), accept(9)]) {
        const response = await send(app, target, `Accept: ${version_}\r\n`)
        expect(response, `${target} ${version_}`).toMatchObject({ status: 400 })
        expect(JSON.parse(response.body)).toMatchObject({ type: 'urn:hv-router:malformed-path' })
        expect(response.head.toLowerCase()).toContain('\r\nvary: accept\r\n')
      }
  })

  it('with a parameter over maxParamLength get what a native route gets', async () => {
    const app = createApp({ maxParamLength: 20 })
    app.get('/native/:id', () => 'native')
    await app.register(
      createRouter(routes, { 1: { users: controllers }, 2: { users: controllers } }),
    )
    const long = 'x'.repeat(21)
    const native = await app.inject(`/native/${long}`)
    expect([404, 414]).toContain(native.statusCode) // Fastify 5.0 and 4: 404
    for (const one of [accept(1), accept(2), 'text/plain']) {
      const response = await app.inject({ url: `/api/users/${long}`, headers: { accept: one } })
      expect(response.statusCode).toBe(native.statusCode)
    }
    for (const id of ['x'.repeat(20), '%41'.repeat(20), `${'x'.repeat(20)}.json`])
      expect((await app.inject(`/api/users/${id}`)).statusCode, `${id}`).toBe(200)
  })

  it('that Fastify rejects because of its own prefix get the same response for every Accept header', async () => {
    const app = await serve({ maxParamLength: 20 }, { prefix: '/:tenant' })
    const inject = async (
      method: 'GET' | 'OPTIONS',
      url: string,
      headers: Record<string, string>,
    ) => {
      const { statusCode, headers: sent, body } = await app.inject({ method, url, headers })
      return { statusCode, headers: { ...sent, date: undefined }, body }
    }
    for (const tenant of ['%zz', 'x'.repeat(21)])
      for (const method of ['GET', 'OPTIONS'] as const) {
        const url = `/${tenant}/api/users`
        const plain = await inject(method, url, {})
        expect([400, 404, 414]).toContain(plain.statusCode) // Fastify 5.0 and 4: 404 instead of 414
        expect(plain.headers).not.toHaveProperty('vary')
        for (const one of [accept(1), accept(9), 'text/html'])
          expect(await inject(method, url, { accept: one })).toEqual(plain)
      }
  })
})

describe.each(releases)('any URL on Fastify $version', (release) => {
  const createApp = createApps(release)

  it('gets what the matcher decides, with the parameters that Fastify reads', async () => {
    const declared = api(
      { vendorString: 'acme' },
      version(1, resources('users', resources('posts', { only: ['index', 'show'] }))),
      version(2, get('/', { to: 'root#show' }), get('users/:name/:part', { to: 'users#show' })),
    )
    const { match } = createMatcher(declared)
    const see = (request: FastifyRequest) => [
      request.apiMatch!.row.pattern,
      request.apiMatch!.params,
      request.params,
    ]
    const all = {
      index: see,
      create: see,
      new: see,
      edit: see,
      show: see,
      update: see,
      destroy: see,
    }
    const app = createApp({ useSemicolonDelimiter: false })
    await app.register(
      createRouter(declared, {
        1: { users: all, posts: all },
        2: { root: all, users: all },
      } as never),
    )
    const segment = fc.oneof(
      fc.constantFrom('users', 'posts', 'new', 'edit', '7', 'Users', 'api', ''),
      fc
        .array(
          fc.constantFrom(
            'a',
            '.',
            '.json',
            '%2F',
            '%25',
            '%2E',
            '%E2%82%AC',
            '%zz',
            '%',
            '#',
            ';',
            '@',
            'new',
          ),
          {
            maxLength: 4,
          },
        )
        .map((parts) => parts.join('')),
    )
    const target = fc
      .tuple(
        fc.array(segment, { maxLength: 4 }),
        fc.constantFrom('', '/', '.json', '.json/', '?a=/b.c', '/?x'),
      )
      .map(([segments, end]) => `/api${segments.map((one) => `/${one}`).join('')}${end}`)
    await fc.assert(
      fc.asyncProperty(
        target,
        fc.constantFrom(accept(1), accept(2), accept(9)),
        async (url, header) => {
          const found = match('GET', url, header)
          const { status, body, head } = await send(app, url, `Accept: ${header}\r\n`)
          const served =
            found.kind === 'match' ? [found.row.pattern, found.params, found.params] : null
          expect(served && JSON.parse(body)).toEqual(served)
          const isUnknown = found.kind === 'miss' && found.code === 'unknown-path'
          // Fastify itself refuses a malformed escape in a path that no version has.
          const statuses =
            found.kind === 'match'
              ? [200]
              : isUnknown && url.includes('%')
                ? [404, 400]
                : [found.status]
          expect(statuses).toContain(status)
          expect(/\r\nvary: accept\r\n/i.test(head)).toBe(!isUnknown)
        },
      ),
      { numRuns: 100 },
    )
  })
})
