import {
  api,
  cache,
  createMatcher,
  explain,
  get,
  inherit,
  member,
  namespace,
  patch,
  post,
  put,
  resources,
  routeTable,
  version,
} from '@hv/router'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ClientError, type ClientOptions, type Deprecation, createClient } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', namespace: '' },
  version(1, cache({ as: 'v1' }, resources('users', { except: ['new', 'edit'], patch: true }))),
  version(
    2,
    inherit({ from: 'v1', except: 'users' }),
    resources(
      'users',
      { except: ['new', 'edit'] },
      member(put('ban'), patch('unban')),
      resources('posts', { only: 'show' }),
    ),
    namespace('admin', { path: 'root' }, resources('users', { only: 'show' })),
    get('search', { to: 'search#run' }),
    post('search/:index', { to: 'search#run' }),
  ),
)

const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

const nativeCreate = Object.create

/** A client whose requests are answered by a function. */
const clientOf = <const V extends 1 | 2>(
  number: V,
  options: Partial<ClientOptions<V, unknown>> = {},
) =>
  createClient(routes, { baseUrl: 'http://acme.example', version: number, fetch: echo, ...options })

/** Answers with the request: method, URL, headers and body. */
const echo = async (request: Request) =>
  json({
    request: `${request.method} ${request.url.replace('http://acme.example', '')}`,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  })

const aBlob: unknown = expect.any(Blob)

interface Echo {
  request: string
  headers: Record<string, string>
  body: string
}

describe('a call', () => {
  const one = clientOf(1)
  const two = clientOf(2)
  const calls: readonly (readonly [call: () => Promise<unknown>, request: string])[] = [
    [() => one.users.index(), 'GET /users'],
    [() => one.users.show({ id: 7 }), 'GET /users/7'],
    [() => one.users.show({ id: 'a/b.c ü' }), 'GET /users/a%2Fb%2Ec%20%C3%BC'],
    [() => one.users.create({ body: {} }), 'POST /users'],
    [() => one.users.update({ id: 7, body: {} }), 'PUT /users/7'],
    [() => one.users.destroy({ id: 7 }), 'DELETE /users/7'],
    [() => two.users.unban({ id: 7 }), 'PATCH /users/7/unban'],
    [() => two.posts.show({ user_id: 7, id: 8 }), 'GET /users/7/posts/8'],
    [() => two['admin/users'].show({ id: 7 }), 'GET /root/users/7'],
    [() => two.search.run(), 'GET /search'],
    [() => two.search.run({ index: 'users' } as never), 'POST /search/users'],
    [() => one.users.index({ query: {} }), 'GET /users'],
    [() => one.users.index({ query: { a: undefined, b: null } }), 'GET /users'],
    [() => one.users.index({ query: new URLSearchParams('a=1&a=2') }), 'GET /users?a=1&a=2'],
    [() => one.users.index({ query: new Map([['a', [1, 2]]]) }), 'GET /users?a=1&a=2'],
    [() => one.users.index({ query: null as never }), 'GET /users'],
    [() => one.users.index(null as never), 'GET /users'],
    [
      () => one.users.index({ query: { q: 'a&b c', tag: ['x', 'y'], n: 0 } }),
      'GET /users?q=a%26b+c&tag=x&tag=y&n=0',
    ],
  ]
  it.each(calls)('%s', async (call, request) => {
    expect(((await call()) as Echo).request).toBe(request)
  })

  it('exists for every action of the version', () => {
    for (const number of [1, 2] as const) {
      const names = Object.entries(clientOf(number)).flatMap(([key, actions]) =>
        Object.keys(actions).map((action) => `${key}.${action}`),
      )
      const rows = routeTable(routes).filter((row) => row.version === number)
      expect(names.toSorted()).toEqual(
        [...new Set(rows.map(({ key, action }) => `${key}.${action}`))].toSorted(),
      )
    }
  })

  it('reaches the same action through the matcher', async () => {
    const { match } = createMatcher(routes)
    const seen: string[] = []
    const client = clientOf(2, {
      fetch: async (request) => {
        const found = match(
          request.method,
          new URL(request.url).pathname,
          request.headers.get('accept')!,
        )
        if (found.kind === 'match')
          seen.push(`${found.version} ${found.row.key}.${found.row.action}`)
        return json({})
      },
    })
    await client.users.ban({ id: 1 })
    await client['admin/users'].show({ id: 1 })
    expect(seen).toEqual(['2 users.ban', '2 admin/users.show'])
  })

  it("sends Accept, then the client's headers, then the request's own", async () => {
    let token = 'a'
    const client = clientOf(2, {
      headers: () => Promise.resolve({ Authorization: token, 'X-Run': '1' }),
    })
    const sent = async (headers?: Record<string, string>) =>
      ((await client.users.index(headers && { headers })) as Echo).headers
    expect(await sent()).toEqual({
      accept: 'application/vnd.acme+json;version=2',
      authorization: 'a',
      'x-run': '1',
    })
    token = 'b'
    expect(await sent({ 'x-run': '2' })).toMatchObject({ authorization: 'b', 'x-run': '2' })
    const fixed = (await clientOf(1, { headers: { authorization: 'c' } }).users.index()) as Echo
    expect(fixed.headers).toEqual({
      accept: 'application/vnd.acme+json;version=1',
      authorization: 'c',
    })
  })

  it.each([
    ['an object', { a: 1 }, 'application/json', '{"a":1}'],
    ['null', null, 'application/json', 'null'],
    ['a list', [1], 'application/json', '[1]'],
    ['text', 'a', 'text/plain;charset=UTF-8', 'a'],
    [
      'a form',
      new URLSearchParams({ a: '1' }),
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=1',
    ],
    ['a Blob', new Blob(['a'], { type: 'text/csv' }), 'text/csv', 'a'],
    ['bytes', new TextEncoder().encode('a'), undefined, 'a'],
    ['a stream', new Blob(['a']).stream(), undefined, 'a'],
    ['nothing', undefined, undefined, ''],
  ])('sends %s as a body', async (_what, body, type, text) => {
    const sent = (await clientOf(1).users.create({ body })) as Echo
    expect([sent.headers['content-type'], sent.body]).toEqual([type, text])
  })

  it.each([
    ['JSON', json({ a: 1 }), { a: 1 }],
    [
      'vendor JSON',
      new Response('{"a":1}', {
        headers: { 'content-type': 'application/vnd.acme+json; version=1' },
      }),
      { a: 1 },
    ],
    [
      'JSON as text',
      new Response('{"a":1}', { headers: { 'content-type': 'text/json;charset=utf-8' } }),
      { a: 1 },
    ],
    [
      'a sequence of JSON texts',
      new Response('1', { headers: { 'content-type': 'application/json-seq' } }),
      aBlob,
    ],
    [
      'a suffix like json',
      new Response('1', { headers: { 'content-type': 'application/geo+json-seq' } }),
      aBlob,
    ],
    [
      'a subtype that ends in json',
      new Response('1', { headers: { 'content-type': 'image/json' } }),
      aBlob,
    ],
    ['text', new Response('a'), 'a'],
    ['no content', new Response(null, { status: 204 }), undefined],
    [
      'no content of a type',
      new Response(null, { status: 204, headers: { 'content-type': 'application/pdf' } }),
      undefined,
    ],
    ['an image', new Response('a', { headers: { 'content-type': 'image/png' } }), aBlob],
  ])('returns %s', async (_what, response, expected) => {
    expect(await clientOf(1, { fetch: () => Promise.resolve(response) }).users.index()).toEqual(
      expected,
    )
  })

  it('rejects with the URL and the parse error when the JSON of a success is broken', async () => {
    const response = new Response('{"a"', { headers: { 'content-type': 'application/json' } })
    const call = clientOf(1, { fetch: () => Promise.resolve(response) }).users.index({
      query: { page: 2 },
    })
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({
      status: 200,
      body: '{"a"',
      problem: null,
      cause: expect.any(SyntaxError),
    })
    expect((error as Error).message).toMatch(
      /^users\.index: 200 The body of http:\/\/acme\.example\/users\?page=2 isn't JSON: /,
    )
  })

  it.each<[what: string, value: unknown, sent: string]>([
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['Dates', [new Date(0), 1], '1970-01-01T00:00:00.000Z&at=1'],
    ['a URL', new URL('http://a/'), 'http://a/'],
    ['false', false, 'false'],
  ])('sends %s in the query', async (_what, at, sent) => {
    let url = ''
    const fetch = (request: Request) => {
      url = request.url
      return Promise.resolve(json({}))
    }
    await clientOf(1, { fetch }).users.index({ query: { at } })
    expect(decodeURIComponent(url)).toBe(`http://acme.example/users?at=${sent}`)
  })

  it.each([[{ a: 1 }], [[['a']]], [new Date(Number.NaN)]])(
    'rejects %j in the query',
    async (at) => {
      await expect(clientOf(1).users.index({ query: { at } })).rejects.toThrow(
        "users.index can't send 'at' in the query. Pass text, a number, a Date or an array.",
      )
    },
  )

  it.each([
    ['text/csv', false],
    ['application/vnd.acme+json;version=1', false],
    ['application/vnd.acme+json;version=2, application/json', false],
    ['application/vnd.acme+json;version=22', false],
    ['application/vnd.acme+xml; version=2', true],
    ['application/vnd.acme+xml;version=2;q=1, application/vnd.acme+json;version="2";q=0.5', true],
  ])('takes an Accept header only for its own version: %s', async (accept, isTaken) => {
    const call = clientOf(2).users.index({ headers: { Accept: accept } }) as Promise<Echo>
    if (isTaken) expect((await call).headers['accept']).toBe(accept)
    else
      await expect(call).rejects.toThrow(
        `users.index: the header 'accept: ${accept}' doesn't name version 2. Remove it, or use 'application/vnd.acme+json;version=2'.`,
      )
  })

  it('returns the response with result, and an error instead of throwing it', async () => {
    const created = json({ id: 1 }, { status: 201, headers: { location: '/users/1' } })
    const missing = json({ name: 'x' }, { status: 404, statusText: 'Not Found' })
    const { create } = clientOf(1, {
      fetch: async ({ url }) => (url.includes('?no') ? missing : created),
    }).users
    expect(await create.result({ body: {} })).toEqual({
      data: { id: 1 },
      error: null,
      response: created,
    })
    const failed = await create.result({ query: { no: '' } })
    expect(failed).toMatchObject({
      data: undefined,
      error: expect.any(ClientError),
      response: missing,
    })
    expect(failed.error).toMatchObject({ status: 404, body: { name: 'x' } })
  })

  it('returns the response unread with response, whatever its status is', async () => {
    const announced: string[] = []
    const lines = ['{"id":1}\n', '{"id":2}\n']
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(sink) {
          const line = lines.shift()
          if (line === undefined) sink.close()
          else sink.enqueue(new TextEncoder().encode(line))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'content-type': 'application/x-ndjson', deprecation: '@0' }
    const client = clientOf(1, {
      fetch: async ({ method }) =>
        new Response(method === 'GET' ? stream : 'no', {
          status: method === 'GET' ? 200 : 409,
          headers,
        }),
      onDeprecated: ({ action }) => void announced.push(action),
    })
    const response = await client.users.index.response({ query: { limit: 2 } })
    expect([response.bodyUsed, lines.length]).toEqual([false, 2])
    expect(await response.text()).toBe('{"id":1}\n{"id":2}\n')
    expect(await client.users.create.response()).toMatchObject({ status: 409, bodyUsed: false })
    expect(announced).toEqual(['users.index', 'users.create'])
  })

  it('stops when its signal is aborted', async () => {
    const client = clientOf(1, {
      fetch: ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    })
    const controller = new AbortController()
    const call = client.users.index({ signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stopped')), 1)
    await expect(call).rejects.toThrow('stopped')
  })

  it('sends headers of every form that fetch takes', async () => {
    const headers = new Headers({ authorization: 'a' }) as never
    const sent = (await clientOf(1, { headers }).users.index({
      headers: [['x-run', '1']] as never,
    })) as Echo
    expect(sent.headers).toMatchObject({ authorization: 'a', 'x-run': '1' })
  })

  it("says what's wrong with its options, and with what fetch returns", async () => {
    const loose = createClient as (...args: unknown[]) => unknown
    expect(() => loose()).toThrow("The routes aren't what api() or clientTable() returns.")
    expect(() => loose(routes)).toThrow("Version NaN isn't declared. Declared versions: 1, 2.")
    expect(() => loose(routes, { version: 1 })).toThrow("Pass { baseUrl: 'https://acme.example' }.")
    for (const baseUrl of ['http://acme.example/?key=1', new URL('http://acme.example/#/api')])
      expect(() => clientOf(1, { baseUrl })).toThrow(
        'createClient() requires a baseUrl without a query.',
      )
    const nothing = clientOf(1, { fetch: () => Promise.resolve(undefined as never) })
    await expect(nothing.users.index()).rejects.toThrow(
      "users.index: fetch didn't return a Response.",
    )
    await expect(clientOf(1).users.index({ query: 'a=b' as never })).rejects.toThrow(
      "users.index can't send 'a=b' as the query. Pass an object.",
    )
  })

  it('changes no global object when a controller is called constructor', async () => {
    const odd = api({ vendorString: 'acme' }, version(1, get('x', { to: 'constructor#create' })))
    const client = createClient(odd, { baseUrl: 'http://acme.example', version: 1, fetch: echo })
    expect(((await client.constructor.create()) as Echo).request).toBe('GET /api/x')
    expect(Object.create).toBe(nativeCreate)
  })

  it('requires its path parameters and a declared version', async () => {
    // @ts-expect-error id is required
    await expect(clientOf(1).users.show()).rejects.toThrow(
      "users.show requires 'id'. Pass { id: ... }.",
    )
    expect(() => clientOf(3 as never)).toThrow("Version 3 isn't declared. Declared versions: 1, 2.")
  })

  it.each([
    'http://acme.example/gateway',
    'http://acme.example/gateway/',
    new URL('http://acme.example/gateway'),
  ])('keeps the path of %s', async (baseUrl) => {
    expect(((await clientOf(1, { baseUrl }).users.index()) as Echo).request).toBe(
      'GET /gateway/users',
    )
  })
})

describe('a status other than 2xx', () => {
  it('throws the problem document', async () => {
    const accept = 'application/vnd.acme+json;version=1'
    const body = explain(routes, { method: 'GET', path: '/root/users/7', accept }).problem
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' }
    const client = clientOf(1, { fetch: async () => json(body, { status: 404, headers }) })
    const error = await client.users.index().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({
      name: 'ClientError',
      message:
        "users.index: 404 Version 1 doesn't have this endpoint. " +
        'Send Accept: application/vnd.acme+json;version=2.',
      status: 404,
      problem: { type: 'urn:hv-router:not-in-version', availableIn: [2] },
      body,
    })
  })

  it.each([
    [
      'JSON',
      json({ error: 'UNAUTHORIZED' }, { status: 401, statusText: 'Unauthorized' }),
      { error: 'UNAUTHORIZED' },
    ],
    ['text', new Response('no', { status: 401, statusText: 'Unauthorized' }), 'no'],
    [
      "a problem document that isn't JSON",
      new Response('no', {
        status: 401,
        statusText: 'Unauthorized',
        headers: { 'content-type': 'application/problem+json' },
      }),
      'no',
    ],
  ])('throws %s', async (_what, response, body) => {
    const error = await clientOf(1, { fetch: () => Promise.resolve(response) })
      .users.index()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: 'users.index: 401 Unauthorized',
      status: 401,
      problem: null,
      body,
      response,
    })
  })

  it.each([
    ['a list', [{ detail: 'a' }]],
    ['null', null],
    ['text', 'a'],
    ['a number', 7],
  ])('has no problem document when the body is %s', async (_what, body) => {
    const headers = { 'content-type': 'application/problem+json' }
    const response = json(body, { status: 400, statusText: 'Bad Request', headers })
    const error = await clientOf(1, { fetch: () => Promise.resolve(response) })
      .users.index()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'users.index: 400 Bad Request', problem: null, body })
  })

  it("has no problem document when the type isn't the type of one", async () => {
    const headers = { 'content-type': 'application/problem+json-seq' }
    const response = json({ detail: 'a' }, { status: 400, headers })
    const error = await clientOf(1, { fetch: () => Promise.resolve(response) })
      .users.index()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ problem: null, body: aBlob })
  })

  it("ignores a detail that's not text", async () => {
    const headers = { 'content-type': 'application/problem+json' }
    const response = json({ detail: { a: 1 } }, { status: 400, statusText: 'Bad Request', headers })
    const call = clientOf(1, { fetch: () => Promise.resolve(response) }).users.index()
    await expect(call).rejects.toMatchObject({
      message: 'users.index: 400 Bad Request',
      problem: { detail: { a: 1 } },
    })
  })

  it('leaves network errors as they are', async () => {
    const failure = new TypeError('fetch failed')
    await expect(clientOf(1, { fetch: () => Promise.reject(failure) }).users.index()).rejects.toBe(
      failure,
    )
  })
})

describe('onDeprecated', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])("doesn't lose the response when it %s", async (_what, onDeprecated) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const fetch = () => Promise.resolve(json({ id: 1 }, { headers: { deprecation: '@0' } }))
    expect(await clientOf(1, { fetch, onDeprecated }).users.index()).toEqual({ id: 1 })
    await vi.waitFor(() => expect(log.mock.calls).toEqual([[new Error('broken')]]), 300_000)
  })

  it('is called once for each action', async () => {
    const announced: Deprecation[] = []
    const client = clientOf(1, {
      fetch: async ({ method }) =>
        json(
          {},
          {
            status: method === 'DELETE' ? 404 : 200,
            headers: method === 'PUT' ? {} : { deprecation: '@0' },
          },
        ),
      onDeprecated: (deprecation) => void announced.push(deprecation),
    })
    await client.users.index()
    await client.users.index()
    await client.users.update({ id: 7 })
    await client.users.destroy({ id: 7 }).catch(() => {})
    expect(announced).toEqual(
      ['users.index', 'users.destroy'].map((action) => ({
        version: 1,
        action,
        deprecation: new Date(0),
        sunset: null,
        links: {},
      })),
    )
  })

  const date = new Date('2026-11-11T11:11:11Z')
  it("isn't called without an announcement", async () => {
    const announced: Deprecation[] = []
    const fetch = async () => json({}, { headers: { link: '</v2>; rel="successor-version"' } })
    await clientOf(1, {
      fetch,
      onDeprecated: (deprecation) => void announced.push(deprecation),
    }).users.index()
    expect(announced).toEqual([])
  })

  it.each<[string, Record<string, string>, Partial<Deprecation>]>([
    [
      'RFC 9745',
      { deprecation: '@1688169599' },
      { deprecation: new Date('2023-06-30T23:59:59Z'), sunset: null },
    ],
    ['an HTTP date', { deprecation: 'Wed, 11 Nov 2026 11:11:11 GMT' }, { deprecation: date }],
    [
      'RFC 9745 with a parameter',
      { deprecation: '@1688169599;v=1' },
      { deprecation: new Date(1688169599000) },
    ],
    ['a structured boolean', { deprecation: '?1' }, { deprecation: null }],
    ['the word true', { deprecation: 'true' }, { deprecation: null }],
    ['RFC 8594', { sunset: 'Wed, 11 Nov 2026 11:11:11 GMT' }, { deprecation: null, sunset: date }],
    ['an ISO date', { sunset: '2026-11-11T11:11:11Z' }, { sunset: date }],
    ['an unreadable date', { sunset: 'soon' }, { sunset: null }],
    [
      'links',
      {
        sunset: 'soon',
        link: '<https://acme.example/a,b;c>; type="text/html"; rel="deprecation sunset", </users>; rel=successor-version, <x>; title="no rel"',
      },
      {
        links: {
          deprecation: 'https://acme.example/a,b;c',
          sunset: 'https://acme.example/a,b;c',
          'successor-version': '/users',
        },
      },
    ],
    [
      'links of HTTP only',
      {
        sunset: 'soon',
        link: '<javascript:alert(1)>; rel=deprecation, < data:text/html,a>; rel=sunset, <//acme.example/v2>; rel=next',
      },
      { links: { next: '//acme.example/v2' } },
    ],
    [
      'a link after an open one',
      { sunset: 'soon', link: '<a <b>; rel=next' },
      { links: { next: 'b' } },
    ],
  ])('reads %s', async (_what, headers, expected) => {
    const announced: Deprecation[] = []
    const onDeprecated = (deprecation: Deprecation) => void announced.push(deprecation)
    await clientOf(1, { fetch: async () => json({}, { headers }), onDeprecated }).users.index()
    expect(announced).toMatchObject([expected])
    expect(announced[0]!.links).toEqual(expected.links ?? {})
  })
})
