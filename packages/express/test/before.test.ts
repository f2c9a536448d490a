import { api, became, cache, change, inherit, resources, statusBecame, version } from '@hv/router'
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { before, createRouter } from '../src/index.ts'
import { listen, send } from './listen.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const User = z.object({ fullName: z.string() })
const OlderUser = z.object({ name: z.string().min(2) })
const Problem = z.object({ reason: z.string() })
const OlderProblem = z.object({ error: z.string() })
const Query = z.object({ limit: z.coerce.number().default(10) })
const OlderQuery = z.object({ size: z.coerce.number().default(20) })
const fullName = change(
  'A user has a full name.',
  became(OlderUser, User, {
    up: ({ name }) => ({ fullName: name }),
    down: ({ fullName: name }) => ({ name: name.trim() }),
    headers: () => ({ 'x-older': 'yes' }),
  }),
  became(OlderProblem, Problem, { down: ({ reason }) => ({ error: reason }) }),
  became(OlderQuery, Query, { up: ({ size }) => ({ limit: size }) }),
)

const serve = () => {
  const v2 = {
    users: {
      index: {
        schema: { querystring: Query, response: { 200: User } },
        handler: ({ query, headers: { 'x-send': how } }: Request, res: Response): unknown => {
          const user = { fullName: JSON.stringify(query) }
          if (how === 'send') return res.send(user)
          if (how === 'jsonp') return res.jsonp(user)
          if (how === 'text') return res.send('text')
          if (how === 'bytes') return res.send(Buffer.from('bytes'))
          return how === 'wrong' ? res.json({}) : res.json(user)
        },
      },
      show: {
        schema: { response: { 404: Problem, 403: Problem } },
        use: [
          ({ headers }: Request, res: Response, next: NextFunction): unknown =>
            headers['x-send'] === 'use' ? res.status(403).json({ reason: 'forbidden' }) : next(),
        ],
        handler: (): unknown => {
          throw Object.assign(new Error('nobody'), { status: 404 })
        },
      },
      create: {
        schema: { body: User, response: { 200: User } },
        handler: ({ body }: Request, res: Response) => res.json(body),
      },
    },
  }
  const app = express().use(
    express.json(),
    createRouter(routes, { 1: before(v2, fullName), 2: v2 }),
  )
  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) =>
    res.status(error.status ?? 500).json({ reason: error.message }),
  )
  return listen(app)
}

const cases: readonly (readonly [
  what: string,
  path: string,
  how: string,
  older: unknown[],
  newer: unknown[],
])[] = [
  [
    'json',
    '/users',
    'json',
    [200, '{"name":"{\\"limit\\":20}"}'],
    [200, '{"fullName":"{\\"limit\\":10}"}'],
  ],
  [
    'send with an object',
    '/users',
    'send',
    [200, '{"name":"{\\"limit\\":20}"}'],
    [200, '{"fullName":"{\\"limit\\":10}"}'],
  ],
  [
    'jsonp',
    '/users?size=5&limit=6',
    'jsonp',
    [200, '{"name":"{\\"limit\\":5}"}'],
    [200, '{"fullName":"{\\"limit\\":6}"}'],
  ],
  ['text', '/users', 'text', [200, 'text'], [200, 'text']],
  ['bytes', '/users', 'bytes', [200, 'bytes'], [200, 'bytes']],
  [
    'middleware of the action',
    '/users/1',
    'use',
    [403, '{"error":"forbidden"}'],
    [403, '{"reason":"forbidden"}'],
  ],
  [
    'the error handler of the app',
    '/users/1',
    '',
    [404, '{"error":"nobody"}'],
    [404, '{"reason":"nobody"}'],
  ],
]
it.each(cases)('%s', async (_what, path, how, ...expected) => {
  const port = await serve()
  for (const [index, response] of expected.entries()) {
    const headers = { accept: `application/vnd.acme+json;version=${index + 1}`, 'x-send': how }
    const { status, bytes } = await send(port, { path, headers })
    expect([status, bytes.toString()]).toEqual(response)
  }
})

it('validates with the older schema, and passes an error of a conversion on', async () => {
  const port = await serve()
  const headers = {
    accept: 'application/vnd.acme+json;version=1',
    'content-type': 'application/json',
  }
  const post = async (body: object) => {
    const received = await send(port, {
      method: 'POST',
      path: '/users',
      headers,
      body: JSON.stringify(body),
    })
    return [received.status, received.bytes.toString(), received.headers['x-older']]
  }
  expect(await post({ name: 'Dora' })).toEqual([200, '{"name":"Dora"}', 'yes'])
  expect(await post({ name: 'D' })).toEqual([400, expect.stringContaining('body/name'), undefined])
  expect(await post({ fullName: 'Dora' })).toEqual([
    400,
    expect.stringContaining('body/name'),
    undefined,
  ])
  const wrong = await send(port, {
    path: '/users',
    headers: { accept: headers.accept, 'x-send': 'wrong' },
  })
  expect([wrong.status, wrong.bytes.toString()]).toEqual([500, expect.stringContaining('trim')])
})

it('keeps what describes the body if middleware has set the status', async () => {
  const notModified: RequestHandler = (_req, res, next) => {
    const { end } = res
    res.end = (...sent: any[]) => Reflect.apply(end, res.status(304), sent)
    next()
  }
  const index = {
    schema: { response: { 200: User } },
    use: [notModified],
    handler: (_req: Request, res: Response) => res.json({ fullName: 'Dora' }),
  }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const renamed = change('x', became(OlderUser, User, { down: ({ fullName: name }) => ({ name }) }))
  const port = await listen(express().use(createRouter(routes, { 1: before(v2, renamed), 2: v2 })))
  for (const version of [1, 2]) {
    const accept = `application/vnd.acme+json;version=${version}`
    const { status, headers } = await send(port, { path: '/users', headers: { accept } })
    expect([status, headers['content-type']]).toEqual([
      304,
      `application/vnd.acme+json; version=${version}; charset=utf-8`,
    ])
  }
})

it.each([204, 304])('sends a %i without a body, though its schema has one', async (status) => {
  const schema = { response: { '2xx': User, '3xx': User } }
  for (const body of [undefined, null, {}, { fullName: 'Dora' }]) {
    const handler = (_req: Request, res: Response) => res.status(status).json(body)
    const v2 = { users: { index: { schema, handler }, show: () => '', create: () => '' } }
    const trimmed = change(
      'x',
      became(OlderUser, User, { down: (user) => ({ name: user.fullName.trim() }) }),
    )
    const app = express().use('/native', handler)
    const port = await listen(app.use(createRouter(routes, { 1: before(v2, trimmed), 2: v2 })))
    const native = await send(port, { path: '/native' })
    expect([native.status, native.bytes.toString()]).toEqual([status, ''])
    for (const version of [1, 2]) {
      const headers = { accept: `application/vnd.acme+json;version=${version}` }
      const received = await send(port, { path: '/users', headers })
      expect([received.status, received.bytes.toString()]).toEqual([status, ''])
    }
  }
})

it("makes a stream wait that can't be converted", async () => {
  const written: boolean[] = []
  const handler = (_req: Request, res: Response) => {
    res.type('json')
    written.push(res.write('{'), res.write('}'))
    res.end()
  }
  const index = { schema: { response: { 200: User } }, handler }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const renamed = change('x', became(OlderUser, User, { down: ({ fullName: name }) => ({ name }) }))
  const app = express().set('env', 'test')
  app.use(createRouter(routes, { 1: before(v2, renamed), 2: v2 }))
  const headers = { accept: 'application/vnd.acme+json;version=1' }
  expect((await send(await listen(app), { path: '/users', headers })).status).toBe(500)
  expect(written).toEqual([false, false])
})

it("converts the error handler's response after a conversion has failed", async () => {
  const index = {
    schema: { response: { 200: User, 500: Problem } },
    handler: (_req: Request, res: Response) => res.json({}),
  }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const v1 = before(
    v2,
    change(
      'x',
      became(OlderUser, User, { down: ({ fullName: name }) => ({ name: name.trim() }) }),
      became(OlderProblem, Problem, { down: ({ reason }) => ({ error: reason }) }),
    ),
  )
  const app = express().use(createRouter(routes, { 1: v1, 2: v2 }))
  app.use((_error: Error, _req: Request, res: Response, _next: NextFunction) =>
    res.status(500).json({ reason: 'failed' }),
  )
  const headers = { accept: 'application/vnd.acme+json;version=1' }
  const { status, bytes } = await send(await listen(app), { path: '/users', headers })
  expect([status, bytes.toString()]).toEqual([500, '{"error":"failed"}'])
})

const isExpress4 = 'del' in express.application
const user = { fullName: 'Dora' }
const older = '{"name":"Dora"}'
/** Handlers in ways that TypeScript refuses, and what they send to a client of version 1, for which a 202 was a 201. */
const untyped: [what: string, handler: (res: any) => unknown, status: number, text: string][] = [
  ["statusCode = '202'", (res) => Object.assign(res, { statusCode: '202' }).json(user), 201, older],
  [
    "writeHead('202')",
    (res) => res.writeHead('202', { 'content-type': 'application/json' }).end(JSON.stringify(user)),
    201,
    older,
  ],
  [
    "statusCode = '202' for text",
    (res) => Object.assign(res, { statusCode: '202' }).send('text'),
    201,
    'text',
  ],
  [
    'json(status, body)',
    (res) => res.json(202, user),
    ...(isExpress4 ? ([201, older] as const) : ([200, '202'] as const)),
  ],
  ['json(body, status)', (res) => res.json(user, 202), isExpress4 ? 201 : 200, older],
  [
    'jsonp(status, body)',
    (res) => res.jsonp(202, user),
    ...(isExpress4 ? ([201, older] as const) : ([200, '202'] as const)),
  ],
  [
    'send(status, body)',
    (res) => res.send(202, user),
    ...(isExpress4 ? ([201, older] as const) : ([200, '202'] as const)),
  ],
]
it.each(untyped)('converts %s', async (_what, handler, status, text) => {
  const schema = { response: { 200: User, 202: User } }
  const index = { schema, handler: (_req: Request, res: Response) => handler(res) }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const down = ({ fullName: name }: { fullName: string }) => ({ name })
  const steps = [
    became(OlderUser, User, { down }),
    statusBecame(201, 202, { only: ['users.index'] }),
  ]
  const app = express().use(createRouter(routes, { 1: before(v2, change('x', ...steps)), 2: v2 }))
  const headers = { accept: 'application/vnd.acme+json;version=1' }
  const received = await send(await listen(app), { path: '/users', headers })
  expect([received.status, received.bytes.toString()]).toEqual([status, text])
})

it('keeps the status if writeHead() is called twice, as Node does', async () => {
  let end: unknown[] = []
  const index = (_req: Request, res: Response) => {
    res.writeHead(200)
    try {
      res.writeHead(404)
    } catch (error) {
      end = [(error as NodeJS.ErrnoException).code, res.statusCode]
    }
    res.end()
  }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const v1 = before(v2, change('x', statusBecame(201, 202, { only: ['users.index'] })))
  const app = express().use(createRouter(routes, { 1: v1, 2: v2 }))
  await send(await listen(app), { path: '/users' })
  expect(end).toEqual(['ERR_HTTP_HEADERS_SENT', 200])
})

const json = JSON.stringify(user)
it.each<
  [what: string, handler: (res: Response) => unknown, length: string | undefined, body?: string]
>([
  ['end(text)', (res) => res.end(json), '15'],
  ['end(base64)', (res) => res.end(Buffer.from(json).toString('base64'), 'base64'), '15'],
  ['end(text, callback)', (res) => res.end(json, () => {}), '15'],
  ['a length and end(text)', (res) => res.set('Content-Length', '19').end(json), '15'],
  ['a trailer', (res) => res.set('Trailer', 'X-Hash').end(json), undefined],
  ['end(bytes, base64)', (res) => res.end(Buffer.from(json), 'base64'), '15'],
  ['end(null, utf8)', (res) => res.end(null, 'utf8'), '0', ''],
])('sends the length as Node does: %s', async (_what, handler, length, body = older) => {
  const index = { schema: { response: { 200: User } }, handler: sendsJson }
  function sendsJson(_req: Request, res: Response) {
    handler(res.type('json'))
  }
  const v2 = { users: { index, show: () => '', create: () => '' } }
  const down = ({ fullName: name }: { fullName: string }) => ({ name })
  const step = became(OlderUser, User, { down, only: ['users.index'] })
  const app = express().use(createRouter(routes, { 1: before(v2, change('x', step)), 2: v2 }))
  const accept = 'application/vnd.acme+json;version=1'
  const received = await send(await listen(app), { path: '/users', headers: { accept } })
  expect(received).toMatchObject({ status: 200, bytes: Buffer.from(body) })
  expect(received.headers['content-length']).toBe(length)
})
