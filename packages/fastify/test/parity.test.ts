// The same handlers, natively and versioned, over real sockets: responses and logs may differ only in Vary, API-Version
// and the media type of JSON.
import { type IncomingHttpHeaders, request as send } from 'node:http'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import files from '@fastify/static'
import { api, get, post, version } from '@hv/router'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'

type Action = { handler: (request: never, reply: never) => unknown } & Record<string, unknown>
const plain = (handler: (request: FastifyRequest, reply: FastifyReply) => unknown): Action => ({
  handler,
})
const user = { id: 7, name: 'Ann' }

/** By path below /api; those of the second list are POST routes. */
const reads: Record<string, Action> = {
  json: plain(() => user),
  text: plain(() => 'text'),
  html: plain((_request, reply) => reply.type('text/html').send('<p>')),
  file: plain((_request, reply) => reply.sendFile('picture.png')),
  download: plain((_request, reply) => reply.download('picture.png', 'other.png')),
  stream: plain(() => Readable.from(['a', 'b'])),
  typed: plain((_request, reply) => reply.type('text/csv').send(Readable.from(['a,b\n']))),
  webstream: plain((_request, reply) => reply.send(new Blob(['web']).stream())),
  redirect: plain((_request, reply) => reply.redirect('/elsewhere', 307)),
  nothing: plain((_request, reply) => reply.code(204).send()),
  empty: plain(async () => {}),
  status: plain((_request, reply) => reply.code(402).send({ pay: true })),
  thrown: plain(() => {
    throw Object.assign(new Error('thrown'), { statusCode: 418 })
  }),
  rejected: plain(async () => {
    throw new Error('rejected')
  }),
  valueless: plain(() => Promise.reject()), // oxlint-disable-line prefer-promise-reject-errors
  sent: plain((_request, reply) => void reply.send(new Error('sent'))),
  unknown: plain((_request, reply) => reply.callNotFound()),
  cookie: plain((request, reply) =>
    reply.setCookie('a', 'b', { httpOnly: true }).send(request.cookies),
  ),
  large: plain(() => ({ text: 'x'.repeat(2000) })),
  proxied: plain(({ ip, ips, protocol, host, hostname }) => ({
    ip,
    ips,
    protocol,
    host,
    hostname,
  })),
  limited: { ...plain(() => ({})), config: { rateLimit: { max: 9, timeWindow: 60_000 } } },
  exhausted: { ...plain(() => ({})), config: { rateLimit: { max: 0, timeWindow: 60_000 } } },
  slow: { ...plain(() => new Promise(() => {})), handlerTimeout: 30 },
  queried: {
    ...plain(({ query }) => query),
    schema: {
      querystring: {
        type: 'object',
        required: ['page'],
        properties: { page: { type: 'integer' } },
      },
    },
  },
  filtered: {
    ...plain(() => user),
    schema: { response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } } },
  },
  'items/:id/parts/:part': plain(({ params, url, originalUrl, routeOptions, method, query }) => ({
    params,
    url,
    originalUrl,
    route: routeOptions.url,
    method,
    query,
  })),
}
const writes: Record<string, Action> = {
  echo: plain(({ body }) => ({ body })),
  upload: plain(async (request) => {
    const parts: unknown[] = []
    for await (const part of request.parts())
      parts.push(
        part.type === 'file' ? [part.filename, (await part.toBuffer()).length] : part.value,
      )
    return parts
  }),
  small: { ...plain(({ body }) => ({ body })), bodyLimit: 10 },
  valid: {
    ...plain(({ body }) => ({ body })),
    schema: { body: { type: 'object', required: ['name'] } },
  },
}

interface RunningApp {
  readonly app: FastifyInstance
  readonly log: Record<string, unknown>[]
}

async function serve(register: (app: FastifyInstance) => void): Promise<RunningApp> {
  const log: Record<string, unknown>[] = []
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      log.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  })
  const app = fastify({
    logger: { level: 'info', stream },
    trustProxy: true,
    forceCloseConnections: true,
  })
  await app.register(cookie)
  await app.register(cors, { origin: ['https://app.example'], methods: ['GET', 'POST'] })
  await app.register(compress, { threshold: 1000 })
  await app.register(etag)
  await app.register(multipart)
  await app.register(rateLimit, { global: false })
  await app.register(files, { root: join(import.meta.dirname, 'files'), serve: false })
  app.addHook('onResponse', async ({ routeOptions, params, log: logger }, { statusCode }) =>
    logger.info(
      { route: routeOptions.url, method: routeOptions.method, params, statusCode },
      'route',
    ),
  )
  register(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, log }
}

function registerNative(app: FastifyInstance): void {
  for (const [method, actions] of [
    ['GET', reads],
    ['POST', writes],
  ] as const)
    for (const [path, action] of Object.entries(actions))
      app.route({ ...action, method: method as HTTPMethods, url: `/api/${path}` } as never)
}

function registerVersioned(app: FastifyInstance): void {
  const nameOf = (path: string): string => path.replaceAll(/\W/g, '')
  const routes = api(
    { vendorString: 'acme' },
    version(
      1,
      ...Object.keys(reads).map((path) => get(path, { to: `xs#${nameOf(path)}` })),
      ...Object.keys(writes).map((path) => post(path, { to: `xs#${nameOf(path)}` })),
    ),
  )
  const xs = Object.fromEntries(
    Object.entries({ ...reads, ...writes }).map(([path, action]) => [nameOf(path), action]),
  )
  app.register(createRouter(routes as never, { 1: { xs } } as never))
}

interface Exchange {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | FormData
  /** Default: 200. */
  readonly status?: number
}

/** A response without what must or may differ. */
async function exchange(
  { app }: RunningApp,
  { path, method = 'GET', headers = {}, body }: Exchange,
): Promise<object> {
  const payload = body === undefined ? null : new Response(body)
  const type = payload?.headers.get('content-type')?.replace(/boundary=.*/, 'boundary=x')
  const text = (await payload?.text())?.replaceAll(/-+formdata-undici-\d+/g, (found) =>
    found.startsWith('--') ? '--x' : 'x',
  )
  const { port } = app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    const sent = send({
      host: '127.0.0.1',
      port,
      path: `/api/${path}`,
      method,
      headers: {
        host: 'localhost',
        accept: 'application/vnd.acme+json;version=1',
        ...(type && { 'content-type': type }),
        ...headers,
      },
    })
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: response.statusCode,
            headers: comparable(response.headers),
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        )
    })
    sent.end(text)
  })
}

function comparable({
  date: _date,
  vary,
  'api-version': _version,
  'content-type': type,
  ...headers
}: IncomingHttpHeaders): object {
  const others = vary?.split(/, */).filter((name) => name !== 'Accept')
  return {
    ...headers,
    vary: others?.length ? others : undefined,
    'content-type': type?.replace('vnd.acme+json; version=1', 'json'),
    'last-modified': undefined,
  }
}

const comparableLog = (log: RunningApp['log']): unknown[] =>
  log.splice(0).map(({ req, res, msg, level, route, method, params, statusCode, err }) => {
    const { method: asked, url, host } = (req ?? {}) as Record<string, unknown>
    const { type, message } = (err ?? {}) as Record<string, unknown>
    return { msg, level, asked, url, host, res, route, method, params, statusCode, type, message }
  })

const form = (): FormData => {
  const data = new FormData()
  data.append('name', 'Ann')
  data.append('photo', new Blob(['12345']), 'photo.png')
  return data
}
const json = { 'content-type': 'application/json' }
const statuses: Record<string, number> = {
  redirect: 307,
  nothing: 204,
  status: 402,
  thrown: 418,
  rejected: 500,
  valueless: 500,
  sent: 500,
  unknown: 404,
  exhausted: 429,
  slow: 503,
  queried: 400,
}
const exchanges: readonly Exchange[] = [
  ...Object.keys(reads).flatMap((path) => {
    const url = path.replace(':id', 'a%2Fb').replace(':part', '%E2%82%AC')
    const one = { path: url, status: statuses[path] ?? 200 }
    return [one, { ...one, method: 'HEAD' }]
  }),
  { path: 'items/1/parts/2?x=1&x=2' },
  { path: 'queried?page=2' },
  { path: 'queried?page=two', status: 400 },
  { path: 'file', headers: { range: 'bytes=0-3' }, status: 206 },
  { path: 'file', headers: { range: 'bytes=900-' }, status: 416 },
  { path: 'json', headers: { 'if-none-match': '"0"' } },
  { path: 'large', headers: { 'accept-encoding': 'gzip' } },
  { path: 'large', headers: { 'accept-encoding': 'br' } },
  { path: 'stream', headers: { 'accept-encoding': 'gzip' } },
  { path: 'cookie', headers: { cookie: 'a=1; b=2' } },
  { path: 'json', headers: { origin: 'https://app.example' } },
  { path: 'json', headers: { origin: 'https://other.example' } },
  {
    path: 'json',
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    status: 204,
  },
  {
    path: 'proxied',
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example',
    },
  },
  { path: 'echo', method: 'POST', headers: json, body: '{"a":1}' },
  { path: 'echo', method: 'POST', headers: json, body: '{', status: 400 },
  { path: 'echo', method: 'POST', headers: json, status: 400 },
  { path: 'echo', method: 'POST' },
  { path: 'echo', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text' },
  {
    path: 'echo',
    method: 'POST',
    headers: { 'content-type': 'text/odd' },
    body: 'text',
    status: 415,
  },
  { path: 'small', method: 'POST', headers: json, body: '{"a":"12345678"}', status: 413 },
  { path: 'valid', method: 'POST', headers: json, body: '{}', status: 400 },
  { path: 'upload', method: 'POST', body: form() },
]

describe('a versioned route', () => {
  let native: RunningApp
  let versioned: RunningApp
  beforeAll(async () => {
    native = await serve(registerNative)
    versioned = await serve(registerVersioned)
  })
  afterAll(async () => {
    await native.app.close()
    await versioned.app.close()
  })

  it.each(exchanges.map((one) => [one.method ?? 'GET', one.path, one] as const))(
    'responds and logs as a native route does: %s %s',
    async (_method, _path, one) => {
      native.log.length = 0
      versioned.log.length = 0
      const expected = await exchange(native, one)
      expect(expected).toMatchObject({ status: one.status ?? 200 })
      expect(await exchange(versioned, one)).toEqual(expected)
      await new Promise((resolve) => setTimeout(resolve, 5)) // the log line after the response
      const lines = comparableLog(native.log)
      expect(lines.length).toBeGreaterThan(1)
      expect(comparableLog(versioned.log)).toEqual(lines)
    },
  )

  it('revalidates with the ETag of its response', async () => {
    const { headers } = (await exchange(versioned, { path: 'json' })) as {
      headers: Record<string, string>
    }
    const again = { path: 'json', headers: { 'if-none-match': headers['etag']! } }
    const expected = await exchange(native, again)
    expect(expected).toMatchObject({ status: 304, body: '' })
    expect(await exchange(versioned, again)).toEqual(expected)
  })
})
