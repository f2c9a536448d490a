// What holds for every request: the limiter, the headers, and the one shape of errors.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { createHttpServer } from '../src/http/server.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, password, register, send } from './client.ts'
import { tokens } from './services.ts'

const folder = mkdtempSync(join(tmpdir(), 'users-app-'))
const apps: FastifyInstance[] = []
let store: UserStore
let jwt: string
let origin: string
beforeAll(async () => {
  store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  origin = await serve({})
  jwt = (await register(origin, 'ann')).jwt
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(config: Partial<Config>, from = store, logTo?: Writable): Promise<string> {
  const app = buildApp({ ...appConfig, ...config }, { store: from, tokens }, undefined, logTo)
  apps.push(app)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** Writes text to a socket and returns what arrives until the service closes the connection. */
function raw(text: string, at = origin): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(at).port), '127.0.0.1', () => socket.write(text))
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', (chunk) => (answer += chunk.toString())).on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

it('answers requests of app.inject', async () => {
  const app = buildApp(appConfig, { store, tokens })
  apps.push(app)
  expect((await app.inject('/users')).statusCode).toBe(401)
  expect((await app.inject('/health/ready')).statusCode).toBe(200)
})

it.each(['gzip', 'GZIP', 'br', 'identity, gzip', 'x'])(
  'refuses a body with Content-Encoding: %s, as RFC 9110 says',
  async (encoding) => {
    const body = { username: 'ann', password }
    const login = (headers: Record<string, string>) =>
      send(origin, 'POST', '/users/login', body, headers)
    const { status, headers, body: problem } = await login({ 'content-encoding': encoding })
    expect([status, problem.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(headers.get('accept-encoding')).toBe('identity') // section 12.5.3
    expect((await login({ 'content-encoding': 'identity' })).status).toBe(200)
  },
)

it("sends Helmet's headers", async () => {
  const expected: Record<string, string> = {}
  const collector = {
    setHeader: (name: string, value: string) => void (expected[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  // Over plain HTTP, the documentation page couldn't load its scripts otherwise.
  const directives = { upgradeInsecureRequests: null }
  helmet({ contentSecurityPolicy: { directives } })({} as never, collector as never, () => {})
  const { headers } = await send(origin, 'GET', '/health/live')
  expect(Object.fromEntries(headers)).toMatchObject(expected)
  expect(Object.keys(expected).length).toBeGreaterThan(10)
})

it('shows a user with one call of the store', async () => {
  const calls: string[] = []
  const recorded = new Proxy(store, {
    get(target, method: keyof UserStore) {
      calls.push(method)
      return target[method]
    },
  })
  const { id } = await register(origin, 'shown')
  const at = await serve({}, recorded)
  calls.length = 0
  expect((await send(at, 'GET', `/users/${id}`, undefined, bearer(jwt))).status).toBe(200)
  expect((await send(at, 'GET', '/users/999', undefined, bearer(jwt))).status).toBe(404)
  expect((await send(at, 'GET', '/users/x', undefined, bearer(jwt))).status).toBe(400)
  expect(calls).toEqual(Array(3).fill('findActorAndUser'))
  // A token is refused only after a second look, on a server that takes writes.
  expect(
    (await send(at, 'GET', '/users/x', undefined, bearer(tokens.sign({ id, tokenVersion: 9 }))))
      .status,
  ).toBe(401)
  expect(calls).toEqual(Array(5).fill('findActorAndUser'))
})

describe('the rate limit', () => {
  const v9 = { accept: 'application/vnd.users+json;version=9' }
  it.each<
    [what: string, method: string, path: string, headers: Record<string, string>, status: number]
  >([
    ['a request without a token', 'GET', '/users', {}, 401],
    ['an unknown path', 'GET', '/nothing', {}, 404],
    ["a path that can't be decoded", 'GET', '/%zz', {}, 400],
    ['an unknown method', 'PATCH', '/users', {}, 405],
    ['an unknown version', 'GET', '/users', v9, 406],
    ['OPTIONS', 'OPTIONS', '/users', {}, 204],
    ['readiness', 'GET', '/health/ready', {}, 200],
    ['metrics', 'GET', '/metrics', {}, 200],
    ['the documentation page', 'GET', '/docs', {}, 200],
    ['an OpenAPI document', 'GET', '/openapi/v1.json', {}, 200],
    ['the key set', 'GET', '/.well-known/jwks.json', {}, 200],
  ])('counts %s', async (_what, method, path, headers, status) => {
    const at = await serve({ rateLimit: 2 })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++)
      statuses.push((await send(at, method, path, undefined, headers)).status)
    expect(statuses).toEqual([status, status, 429])
    const refused = await send(at, 'GET', '/users')
    expect([refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      'TOO_MANY_REQUESTS',
      true,
    ])
  })
  it("doesn't count liveness", async () => {
    const at = await serve({ rateLimit: 1 })
    for (let i = 0; i < 3; i++) expect((await send(at, 'GET', '/health/live')).status).toBe(200)
    expect((await send(at, 'GET', '/metrics')).status).toBe(200)
    expect((await send(at, 'GET', '/health/live')).status).toBe(200)
  })
  it.each([
    ['without Host', 'GET /users HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'with an unknown Expect',
      'GET /users HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n',
    ],
  ])('counts a request %s', async (_what, request) => {
    const at = await serve({ rateLimit: 1 })
    await raw(request, at)
    expect(await raw(request, at)).toMatch(/^HTTP\/1\.1 429 /)
  })
  it('refuses a request before the database is asked', async () => {
    let statements = 0
    const counting: UserStore = {
      ...store,
      findActorAndUser: (...args) => (statements++, store.findActorAndUser(...args)),
    }
    const at = await serve({ rateLimit: 2 }, counting)
    for (let i = 0; i < 5; i++) await send(at, 'GET', '/users', undefined, bearer(jwt))
    expect(statements).toBe(2)
  })
})

describe('readiness', () => {
  it('asks the database once for many callers', async () => {
    let pings = 0
    const counting: UserStore = { ...store, ping: () => (pings++, store.ping()) }
    const at = await serve({}, counting)
    const statuses = async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => send(at, 'GET', '/health/ready')),
      )
      return new Set(answers.map(({ status }) => status))
    }
    // The second for which an answer holds passes only where the test says so, however long the requests take.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    expect([await statuses(), pings]).toEqual([new Set([200]), 1])
    vi.advanceTimersByTime(1000)
    expect([await statuses(), pings]).toEqual([new Set([200]), 2])
  })
})

describe('error responses', () => {
  const get = (path: string, ...lines: string[]) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`
  const post = (type: string, body: string, length = body.length) =>
    `POST /users/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`
  it.each<[what: string, status: number, error: string, request: string]>([
    ["a path that isn't valid percent-encoding", 400, 'BAD_REQUEST', get('/users/%zz')],
    ["any path that can't be decoded", 400, 'BAD_REQUEST', get('/%zz')],
    ['a missing Host', 400, 'BAD_REQUEST', 'GET /users HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an unknown Expect', 401, 'UNAUTHORIZED', get('/users', 'Expect: x')],
    ['an id of 101 digits', 401, 'UNAUTHORIZED', get(`/users/${'1'.repeat(101)}`)],
    ["bytes that aren't HTTP", 400, 'BAD_REQUEST', 'nonsense\r\n\r\n'],
    ['headers over 16 KB', 431, 'HEADERS_TOO_LARGE', get('/users', `X: ${'x'.repeat(20_000)}`)],
    ['an unknown path', 404, 'NOT_FOUND', get('/nothing')],
    [
      'an unknown version',
      406,
      'NOT_ACCEPTABLE',
      get('/users', 'Accept: application/vnd.users+json;version=9'),
    ],
    [
      'a malformed version',
      400,
      'BAD_REQUEST',
      get('/users', 'Accept: application/vnd.users+json;version=x'),
    ],
    ['a missing token', 401, 'UNAUTHORIZED', get('/users')],
    ['a malformed body', 400, 'BAD_REQUEST', post('application/json', '{')],
    ['an unknown content type', 415, 'UNSUPPORTED_MEDIA_TYPE', post('text/plain', 'x')],
    ['a large body', 413, 'PAYLOAD_TOO_LARGE', post('application/json', '', 70_000)],
  ])(
    'for %s have the shape and the headers of all others',
    async (_what, status, error, request) => {
      const [head, body] = (await raw(request)).split('\r\n\r\n') as [string, string]
      const [line, ...fields] = head.split('\r\n')
      const headers = new Headers(
        fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]),
      )
      const parsed = JSON.parse(body) as Record<string, unknown>
      expect(line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(parsed).toMatchObject({ status: false, code: status, error })
      expect(Object.keys(parsed).slice(0, 5)).toEqual([
        'status',
        'code',
        'message',
        'error',
        'requestId',
      ])
      expect(headers.get('x-request-id')).toBe(parsed['requestId'])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('vary')).toContain('Accept')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
  it('have the shape of the service for a long id with a token', async () => {
    expect(
      await send(origin, 'GET', `/users/${'1'.repeat(101)}`, undefined, bearer(jwt)),
    ).toMatchObject({
      status: 400,
      body: { error: 'BAD_REQUEST', code: 400 },
    })
  })
})

describe('requests', () => {
  it.each([
    [
      'Authorization',
      (token: string) => ['Authorization: Bearer x', `Authorization: Bearer ${token}`],
    ],
    [
      'Authorization, the valid one first',
      (token: string) => [`Authorization: Bearer ${token}`, 'Authorization: x'],
    ],
    [
      'Authorization, far apart,',
      (token: string) => [
        `Authorization: Bearer ${token}`,
        ...Array<string>(2000).fill('X:'),
        'Authorization: x',
      ],
    ],
    ['Host', (token: string) => ['Host: y', `Authorization: Bearer ${token}`]],
  ])('with two %s headers are refused', async (_what, lines) => {
    const head = `GET /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    expect(await raw(`${head}Authorization: Bearer ${jwt}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(`${head}${lines(jwt).join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  })
  it('that are slow are cut within 15 seconds, the interval of the check included', () => {
    const { requestTimeout, headersTimeout } = apps[0]!.server
    expect([requestTimeout, headersTimeout].map((time) => time > 0 && time <= 14_500)).toEqual([
      true,
      true,
    ])
  })
  it("whose responses aren't read don't keep their connection for ever", () => {
    expect(apps[0]!.server.timeout).toBe(72_000)
  })
  it.each(['/health/ready', '/users/%zz'])(
    'that are pipelined to %s without end close their connection',
    async (path) => {
      const one = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      const last = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const answers = async (requests: string) =>
        (await raw(requests)).match(/HTTP\/1\.1 \d+ /g)?.length ?? 0
      expect(await answers(one.repeat(19) + last)).toBe(20)
      expect(await answers(one.repeat(500) + last)).toBeLessThan(21)
    },
  )
  it("that are pipelined without end aren't even parsed after their connection is closed", async () => {
    let parsed = 0
    const server = createHttpServer(() => {}) // never responds
      .on('request', () => parsed++)
      .on('dropRequest', () => parsed++)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000)),
    )
    await once(
      socket.on('error', () => {}),
      'close',
    )
    expect(parsed).toBeGreaterThan(20)
    expect(parsed).toBeLessThan(200)
    server.close()
  })
  it('that one connection may carry are all served, also when more are pipelined', async () => {
    const held: (() => void)[] = []
    const server = createHttpServer((_request, response) => {
      held.push(() => response.end())
      if (held.length === 10) for (const respond of held.splice(0)) setImmediate(respond)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const pipeline = (count: number) =>
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count))
    let answers = 0
    const socket = connect(port, '127.0.0.1', () => pipeline(10)).on('data', (chunk) => {
      answers += chunk.toString().match(/HTTP\/1\.1 200 /g)?.length ?? 0
      if (answers % 10 === 0) pipeline(answers === 90 ? 15 : 10)
    })
    await once(
      socket.on('error', () => {}),
      'close',
    )
    expect(answers).toBe(100)
    server.close()
  })
  it("that arrive while responses aren't read are served when the client reads again", async () => {
    const large = 'x'.repeat(32 * 1024 * 1024) // more than the buffers of both sockets hold
    const server = createHttpServer(({ url }, response) =>
      url === '/large' ? response.end(large) : setImmediate(() => response.end('small')),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').pause()
    const get = (path: string, line = '') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1500)}\r\n${line}\r\n`
    socket.write(get('/large'))
    await once(server, 'request')
    socket.write(get('/small').repeat(8) + get('/small', 'Connection: close\r\n'))
    await wait(100)
    let answer = ''
    await once(socket.on('data', (chunk) => (answer += chunk.toString('latin1'))).resume(), 'close')
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(10)
    server.close()
  })
})

describe('responses', () => {
  it("with a token or user data aren't stored by caches", async () => {
    for (const answer of [
      await send(origin, 'POST', '/users/login', { username: 'ann', password: 'correct horse' }),
      await send(origin, 'GET', '/users', undefined, bearer(jwt)),
      await send(origin, 'GET', '/users/1', undefined, bearer(jwt)),
    ])
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })
})

describe('the log', () => {
  let lines: string[] = []
  const stream = () =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => (done(), void lines.push(chunk.toString())),
    })
  let at: string
  beforeAll(async () => {
    at = await serve({ logLevel: 'info', loginFailures: 5 }, store, stream())
  })
  beforeEach(() => void (lines = []))
  /** What has been logged about requests, without what differs in every run. */
  async function requests(count: number): Promise<Record<string, unknown>[]> {
    const read = () =>
      lines.map((line) => JSON.parse(line)).filter(({ status }) => status !== undefined)
    await expect.poll(() => read().length).toBe(count)
    for (const { reqId, ms, time } of read()) {
      expect(reqId).toMatch(/^[\da-f-]{36}$/)
      expect(typeof time).toBe('number')
      if (ms !== undefined) expect(ms).toBeGreaterThan(0)
    }
    const keys = ['method', 'route', 'path', 'status', 'version', 'client', 'network', 'user']
    return read().map((entry) =>
      Object.fromEntries(keys.flatMap((key) => (key in entry ? [[key, entry[key]]] : []))),
    )
  }
  const common = { method: 'GET', client: 'acme', network: '127.0.0.1' }
  const headers = { 'user-agent': 'acme/1.0', accept: 'application/vnd.users+json;version=2' }

  it('has one line per request', async () => {
    const id = tokens.verify(jwt)!.id
    await send(at, 'GET', '/users?limit=1', undefined, { ...headers, ...bearer(jwt) })
    expect(await requests(1)).toEqual([
      { ...common, route: '/users', path: '/users', status: 200, version: 2, user: id },
    ])
  })
  it('has no query, token, password or body', async () => {
    await send(at, 'GET', '/users?access_token=from-the-query', undefined, bearer(jwt))
    await send(at, 'GET', '/nothing?access_token=from-the-query')
    await send(at, 'GET', '/users/%zz?access_token=from-the-query')
    await send(at, 'POST', '/users/login', { username: 'ann', password })
    await send(at, 'POST', '/users/login', '{"username":"in-the-body')
    const targets = ['http://ann:from-the-url@x/users?from-the-query', '/users#from-the-url']
    for (const target of [...targets, 'http://x?a/from-the-query'])
      await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, at)
    expect((await requests(8)).slice(5).map(({ path }) => path)).toEqual(['/users', '/users', ''])
    const text = lines.join('')
    for (const word of ['from-the-', 'in-the-body', password, jwt, '$argon2'])
      expect(text).not.toContain(word)
  })
  it('stays one line of JSON, whatever a client sends', async () => {
    const forged = '/users/"}%0a{"audit":"login.right"'
    await raw(
      `GET ${forged} HTTP/1.1\r\nHost: x\r\nUser-Agent: a"}{"b/1\r\nConnection: close\r\n\r\n`,
      at,
    )
    expect(await requests(1)).toMatchObject([{ path: forged }])
    expect(lines.join('').match(/\n/g)).toHaveLength(lines.length)
  })
  it('cuts the path at 200 characters', async () => {
    await send(at, 'GET', `/users/${'9'.repeat(1000)}`, undefined, headers)
    const [entry] = await requests(1)
    expect(entry!['path']).toBe(`/users/${'9'.repeat(193)}`)
  })
  it('shows a client that leaves before its response', async () => {
    const request = [
      'POST /users HTTP/1.1',
      'Host: x',
      'User-Agent: acme/1.0',
      'Content-Type: application/json',
      'Content-Length: 50',
      '',
      '{',
    ]
    const socket = connect(Number(new URL(at).port), '127.0.0.1', () => {
      socket.write(request.join('\r\n'))
      setTimeout(() => socket.destroy(), 100)
    })
    const entry = { ...common, method: 'POST', route: '/users', path: '/users', version: 1 }
    expect(await requests(1)).toEqual([{ ...entry, status: 499 }])
  })
  it('shows a request that was cut off as its client sees it', async () => {
    const impatient = await serve({ logLevel: 'info' }, store, stream())
    const { server } = apps.at(-1)!
    server.headersTimeout = server.requestTimeout = 300
    lines = []
    const head = 'POST /users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const slow = await raw(`${head}Content-Length: 50\r\n\r\n{`, impatient)
    const malformed = await raw(`${head}Transfer-Encoding: chunked\r\n\r\nx`, impatient)
    expect([slow.slice(9, 12), malformed.slice(9, 12)]).toEqual(['408', '400'])
    expect(await requests(2)).toMatchObject([
      { path: '/users', status: 408 },
      { path: '/users', status: 400 },
    ])
    expect(lines.map((line) => JSON.parse(line).error)).toEqual(['TIMEOUT', 'BAD_REQUEST'])
  })
  it.each([
    [
      'a malformed request',
      'GARBAGE\r\n\r\n',
      { status: 400, route: 'none', network: '127.0.0.1' },
    ],
    [
      'a malformed path',
      'GET /users/%zz HTTP/1.1\r\nHost: x\r\n\r\n',
      { status: 400, path: '/users/%zz' },
    ],
    [
      'an unknown path',
      'GET /x HTTP/1.1\r\nHost: x\r\n\r\n',
      { status: 404, route: 'none', path: '/x' },
    ],
  ])('shows %s', async (_what, request, entry) => {
    await raw(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), at)
    expect(await requests(1)).toMatchObject([entry])
  })
})

it('closes the connection of a request without Host', async () => {
  const answer = await raw('GET /users HTTP/1.1\r\n\r\nGET /users HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  expect(answer.toLowerCase()).toContain('connection: close')
})
