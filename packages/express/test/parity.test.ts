// The same handler as a native route and as a versioned one. A client must see the same response,
// but for Vary, API-Version and the media type of JSON.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { api, cache, get, inherit, post, version } from '@hv/router'
import compression from 'compression'
import cors from 'cors'
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { rateLimit } from 'express-rate-limit'
import multer from 'multer'
import { afterAll, describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { type Received, type Sent, jsonOf, listen, send } from './listen.ts'

const folder = mkdtempSync(join(tmpdir(), 'parity-'))
const image = join(folder, 'pixel.png')
writeFileSync(image, Buffer.from('89504e470d0a1a0a', 'hex'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const routes = api(
  { vendorString: 'acme', formats: ['json'] },
  version(
    1,
    cache(
      { as: 'v1' },
      get('things/:id', { to: 'things#show' }),
      post('things/:id', { to: 'things#create' }),
    ),
  ),
  version(2, inherit({ from: 'v1' })),
)

/**
 * The route's JSON has the vendor type, unless the request names none and so gets the default
 * version. A response behind the route, such as the error handler's, has
 * the version's headers and keeps its type. One that's sent before the router is the native one,
 * apart from Vary.
 */
type Sender = 'route' | 'default' | 'behind' | 'before'

interface Case {
  readonly handler: RequestHandler
  /** Middleware of the route. Called for each app: rate limits count. */
  readonly use?: () => RequestHandler[]
  /** Middleware and settings of the app. */
  readonly prepare?: (app: Express) => unknown
  readonly requests?: readonly Partial<Sent>[]
  /** The status of each response. Default: 200. */
  readonly statuses?: readonly number[]
  /** Who sends each response. Default: the route. */
  readonly senders?: readonly Sender[]
}

/** What the error handler of an app does. */
const onError = (error: unknown, _req: Request, res: Response, _next: NextFunction): void => {
  const { message, status = 500 } = error as Error & { status?: number }
  res.status(status).json({ caught: message })
}

async function serveNative({ handler, use = () => [], prepare }: Case): Promise<number> {
  const app = express()
  prepare?.(app)
  app.get('/api/things/:id', ...use(), handler)
  app.post('/api/things/:id', ...use(), handler)
  app.use((_req, res) => void res.status(404).json({ fallback: true }))
  app.use(onError)
  return listen(app)
}

async function serveVersioned({ handler, use = () => [], prepare }: Case): Promise<number> {
  const app = express()
  prepare?.(app)
  const things = { show: { use: use(), handler }, create: { use: use(), handler } }
  app.use(createRouter(routes, { 1: { things }, 2: { things } }))
  app.use((_req, res) => void res.status(404).json({ fallback: true }))
  app.use(onError)
  return listen(app)
}

const vendorType = 'application/vnd.acme+json; version=2; charset=utf-8'
const varyOf = ({ vary = '' }: IncomingHttpHeaders): readonly string[] =>
  vary.split(/,\s*/).filter((name) => name !== '')
const withoutDate = ({ date: _date, vary: _vary, ...rest }: IncomingHttpHeaders) => rest
const spelled = ({ names }: Received) =>
  names.filter((name) => !/^(?:vary|api-version)$/i.test(name))

/** A versioned response as it is, but for the date and the order of headers. */
const received = (ours: Received): object => ({
  ...ours,
  names: spelled(ours).toSorted(),
  vary: varyOf(ours.headers).toSorted(),
  headers: withoutDate(ours.headers),
})

/** What a versioned response has to be if this is the native one. */
function expected(native: Received, sender: Sender): object {
  const headers = withoutDate(native.headers)
  const isJson = headers['content-type'] === 'application/json; charset=utf-8'
  return {
    ...native,
    names: spelled(native).toSorted(),
    vary: [
      ...new Set([...varyOf(native.headers), ...(sender === 'before' ? [] : ['Accept'])]),
    ].toSorted(),
    headers: {
      ...headers,
      ...(sender !== 'before' && { 'api-version': sender === 'default' ? '1' : '2' }),
      ...(sender === 'route' && isJson && { 'content-type': vendorType }),
    },
  }
}

const multipart = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--\r\n',
}
const jsonBody = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

const cases: Record<string, Case> = {
  json: { handler: (req, res) => void res.json({ id: req.params['id'], query: req.query }) },
  'json with its own type': {
    handler: (_req, res) => void res.type('application/vnd.own+json').json({}),
  },
  'json without charset': {
    handler: (_req, res) => void res.setHeader('Content-Type', 'application/json').end('{}'),
  },
  text: { handler: (_req, res) => void res.type('txt').send('text') },
  html: { handler: (_req, res) => void res.send('<p>html</p>') },
  buffer: { handler: (_req, res) => void res.send(Buffer.from([1, 2, 3])) },
  'a body without a type': { handler: (_req, res) => void res.end('bytes') },
  file: { handler: (_req, res) => res.sendFile(image) },
  'missing file': {
    statuses: [404],
    senders: ['behind'],
    handler: (_req, res) => res.sendFile(join(folder, 'missing')),
  },
  'missing download': {
    statuses: [404],
    senders: ['behind'],
    handler: (_req, res) => res.download(join(folder, 'missing')),
  },
  'a view that fails': {
    statuses: [500],
    senders: ['behind'],
    prepare: (app) =>
      app.engine('x', (_file, _options, done) => done(new Error('view'))).set('views', folder),
    handler: (_req, res) => res.render('pixel.x'),
  },
  'format without a match': {
    statuses: [406],
    senders: ['behind'],
    handler: (_req, res) => void res.format({ csv: () => void res.send('a,b') }),
  },
  // connect-timeout calls the next() of its own layer, as this does.
  'connect-timeout': {
    statuses: [503],
    senders: ['behind'],
    prepare: (app) =>
      app.use((req, _res, next) => {
        next()
        globalThis.setTimeout(() => {
          Object.assign(req, { timedout: true })
          next(Object.assign(new Error('Response timeout'), { status: 503 }))
        }, 5)
      }),
    handler: () => {},
  },
  download: { handler: (_req, res) => res.download(image, 'öwn.png') },
  range: {
    statuses: [206, 416],
    handler: (_req, res) => res.sendFile(image),
    requests: [{ headers: { range: 'bytes=2-3' } }, { headers: { range: 'bytes=90-' } }],
  },
  stream: { handler: (_req, res) => void createReadStream(image).pipe(res) },
  'a stream that fails': {
    handler: (_req, res) =>
      void Readable.from(
        (async function* () {
          yield 'start'
          await wait(5)
          throw new Error('stream')
        })(),
      )
        .on('error', () => res.destroy())
        .pipe(res),
  },
  redirect: { statuses: [301], handler: (_req, res) => res.redirect(301, '/elsewhere') },
  location: {
    statuses: [201],
    handler: (_req, res) => void res.status(201).location('/api/things/8').json({}),
  },
  204: { statuses: [204], handler: (_req, res) => void res.status(204).end() },
  sendStatus: { statuses: [418], handler: (_req, res) => void res.sendStatus(418) },
  jsonp: {
    handler: (_req, res) => void res.jsonp({ a: 1 }),
    requests: [{ path: '/api/things/7?callback=f' }],
  },
  etag: {
    statuses: [200, 304],
    handler: (_req, res) => void res.json({ a: 1 }),
    requests: [{}, { headers: { 'if-none-match': 'W/"7-n4nHQM60bXQYySSnisV5QdXpZSA"' } }],
  },
  'own etag': {
    statuses: [304],
    handler: (_req, res) => void res.set('ETag', '"own"').json({ a: 1 }),
    requests: [{ headers: { 'if-none-match': '"own"' } }],
  },
  format: {
    handler: (_req, res) =>
      void res.format({ json: () => void res.json({ a: 1 }), html: () => void res.send('<p>') }),
    requests: [{ headers: { accept: '*/*' } }],
    senders: ['default'],
  },
  writeHead: {
    statuses: [202],
    handler: (_req, res) =>
      void res.writeHead(202, { 'X-Own': 'yes', 'Content-Type': 'text/odd' }).end('written'),
  },
  'writeHead with a list': {
    statuses: [202],
    handler: (_req, res) => void res.writeHead(202, ['X-Own', 'yes']).end('written'),
  },
  cookies: {
    handler: (_req, res) => void res.cookie('a', '1', { httpOnly: true }).cookie('b', '2').json({}),
  },
  'Vary of the handler': { handler: (_req, res) => void res.set('Vary', 'Origin').json({}) },
  HEAD: { handler: (_req, res) => void res.json({ a: 1 }), requests: [{ method: 'HEAD' }] },
  'HEAD of a file': { handler: (_req, res) => res.sendFile(image), requests: [{ method: 'HEAD' }] },
  'thrown error': {
    statuses: [409],
    senders: ['behind'],
    handler: () => {
      throw Object.assign(new Error('thrown'), { status: 409 })
    },
  },
  'next(error)': {
    statuses: [500],
    senders: ['behind'],
    handler: (_req, _res, next) => next(new Error('passed')),
  },
  'an error after a header': {
    statuses: [500],
    senders: ['behind'],
    handler: (_req, res, next) => {
      res.set('X-Before', 'yes').type('text/odd')
      next(new Error('late'))
    },
  },
  'thrown undefined': {
    statuses: [404],
    senders: ['behind'],
    handler: () => {
      throw undefined // oxlint-disable-line no-throw-literal
    },
  },
  'next()': { statuses: [404], senders: ['behind'], handler: (_req, _res, next) => next() },
  "next('route')": {
    statuses: [404],
    senders: ['behind'],
    use: () => [(_req, _res, next) => next('route')],
    handler: (_req, res) => void res.json({ reached: true }),
  },
  "next('router')": {
    statuses: [404],
    senders: ['behind'],
    handler: (_req, _res, next) => next('router'),
  },
  'route and params': {
    handler: (req, res) =>
      void res.json({
        route: (req.route as { path: string }).path,
        params: req.params,
        url: req.url,
      }),
    requests: [{}, { path: '/api/things/a%20b' }],
  },
  'middleware that responds': {
    statuses: [403],
    use: () => [(_req, res) => void res.status(403).json({ forbidden: true })],
    handler: (_req, res) => void res.json({ reached: true }),
  },
  'middleware that passes data': {
    use: () => [
      (_req, res, next) => next(void (res.locals['a'] = 1)),
      (_req, res, next) => next(void res.locals['a']++),
    ],
    handler: (_req, res) => void res.json(res.locals),
  },
  'error middleware of the route': {
    statuses: [422],
    use: () => [
      () => {
        throw new Error('early')
      },
      ((error: Error, _req: Request, res: Response, _next: NextFunction) =>
        void res.status(422).json({ handled: error.message })) as never,
    ],
    handler: (_req, res) => void res.json({ reached: true }),
  },
  compression: {
    prepare: (app) => app.use(compression({ threshold: 0 })),
    handler: (_req, res) => void res.json({ long: 'x'.repeat(2000) }),
    requests: [{ headers: { 'accept-encoding': 'gzip' } }],
  },
  'compression of the route': {
    use: () => [compression({ threshold: 0 }) as RequestHandler],
    handler: (_req, res) => void res.json({ long: 'x'.repeat(2000) }),
    requests: [{ headers: { 'accept-encoding': 'gzip' } }],
  },
  CORS: {
    statuses: [200, 204],
    senders: ['route', 'before'],
    prepare: (app) =>
      app.use(cors({ origin: ['https://a.example', 'https://b.example'], credentials: true })),
    handler: (_req, res) => void res.json({}),
    requests: [
      { headers: { origin: 'https://a.example' } },
      {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
      },
    ],
  },
  multipart: {
    use: () => [multer().single('file')],
    handler: (req, res) =>
      void res.json({ name: req.file?.originalname, text: req.file?.buffer.toString() }),
    requests: [{ method: 'POST', ...multipart }],
  },
  'rate limit of the route': {
    statuses: [200, 200, 429],
    use: () => [
      rateLimit({ limit: 2, standardHeaders: true, legacyHeaders: false, validate: false }),
    ],
    handler: (_req, res) => void res.json({}),
    requests: [{}, {}, {}],
  },
  'body limit': {
    statuses: [200, 413, 400],
    senders: ['route', 'before', 'before'],
    prepare: (app) => app.use(express.json({ limit: 20 })),
    handler: (req, res) => void res.json({ body: req.body as unknown }),
    requests: [jsonBody('{"a":1}'), jsonBody('{"long":"aaaaaaaaaaaaaaaaaaaaa"}'), jsonBody('{')],
  },
  'urlencoded body of the route': {
    use: () => [express.urlencoded({ extended: false })],
    handler: (req, res) => void res.json({ body: req.body as unknown }),
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=1',
      },
    ],
  },
  timeout: {
    statuses: [503],
    handler: (_req, res) =>
      void res.setTimeout(20, () => void res.status(503).json({ timeout: true })),
  },
  'trust proxy': {
    prepare: (app) => app.set('trust proxy', true),
    handler: (req, res) =>
      void res.json({ ip: req.ip, protocol: req.protocol, host: req.hostname }),
    requests: [
      {
        headers: {
          'x-forwarded-for': '203.0.113.9',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'a.example',
        },
      },
    ],
  },
  settings: {
    prepare: (app) => app.disable('x-powered-by').set('json spaces', 2).set('etag', false),
    handler: (_req, res) => void res.json({ a: 1 }),
  },
}

describe('a versioned route responds as a native one:', () => {
  it.each(Object.entries(cases))('%s', async (_name, one) => {
    const [native, versioned] = await Promise.all([serveNative(one), serveVersioned(one)])
    for (const [i, sent] of (one.requests ?? [{}]).entries()) {
      const request: Sent = {
        path: '/api/things/7',
        ...sent,
        headers: { accept: 'application/vnd.acme+json;version=2', ...sent.headers },
      }
      const theirs = await send(native, request)
      const ours = await send(versioned, request)
      expect(received(ours)).toEqual(expected(theirs, one.senders?.[i] ?? 'route'))
      expect(ours.status).toBe(one.statuses?.[i] ?? 200)
    }
  })

  it('a rate limit counts all spellings of a path and all versions that share it', async () => {
    const served = await serveVersioned({ ...cases['rate limit of the route']! })
    const statuses = []
    for (const [path, n] of [
      ['/api/things/7', 1],
      ['/api/things/7/', 2],
      ['/api/things/7.json', 2],
    ] as const)
      statuses.push(
        (
          await send(served, {
            path,
            headers: { accept: `application/vnd.acme+json;version=${n}` },
          })
        ).status,
      )
    expect(statuses).toEqual([200, 200, 429])
  })

  it('middleware that logs after the response sees the route', async () => {
    const lines: string[] = []
    const log: RequestHandler = (req, res, next) => {
      res.on('finish', () =>
        lines.push(`${req.method} ${req.baseUrl}${req.route?.path} ${res.statusCode}`),
      )
      next()
    }
    const one: Case = { prepare: (app) => app.use(log), handler: (_req, res) => void res.json({}) }
    for (const served of [await serveNative(one), await serveVersioned(one)])
      await send(served, { path: '/api/things/7' })
    expect(lines).toEqual(['GET /api/things/:id 200', 'GET /api/things/:id 200'])
  })

  it("a body under the app limit of another type isn't read", async () => {
    const one: Case = {
      prepare: (app) =>
        app.use(
          express.json({
            verify: () => {
              throw Object.assign(new Error('signature'), { status: 403 })
            },
          }),
        ),
      handler: (req, res) => void res.json({ body: req.body ?? null }),
    }
    const served = await serveVersioned(one)
    const ask = async (type: string) => {
      const answer = await send(served, {
        method: 'POST',
        path: '/api/things/7',
        headers: { 'content-type': type },
        body: '{"a":1}',
      })
      return [answer.status, (jsonOf(answer) as { caught: string }).caught]
    }
    expect(await ask('application/json')).toEqual([403, 'signature'])
    expect(await ask('application/vnd.acme+json')).toEqual([
      415,
      expect.stringContaining('Send Content-Type: application/json'),
    ])
  })
})
