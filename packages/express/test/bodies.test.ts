import { api, resources, version } from '@hv/router'
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { describe, expect, it } from 'vitest'
import { type RouterOptions, createRouter } from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['show', 'create', 'destroy'] })),
)
const echo: RequestHandler = (req, res) => void res.json({ body: req.body ?? null })
const caught = (
  error: Error & { status: number },
  _req: Request,
  res: Response,
  _next: NextFunction,
): void => void res.status(error.status).json({ caught: error.message })

const vendorJson = 'application/vnd.acme+json'

async function post(
  {
    before = [],
    use = [],
    ...options
  }: RouterOptions & { before?: RequestHandler[]; use?: RequestHandler[] },
  type: string,
  body: string,
  method = 'POST',
) {
  const app = express()
  for (const middleware of before) app.use(middleware)
  const users = { show: echo, create: { use, handler: echo }, destroy: echo }
  app.use(createRouter(routes, { 1: { users } }, options)).use(caught)
  const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
  const path = method === 'POST' ? '/api/users' : '/api/users/7'
  const answer = await send(await listen(app), { method, path, headers, body })
  return [answer.status, jsonOf(answer)]
}

describe('a JSON body under the vendor type', () => {
  const refused = [
    415,
    {
      caught: expect.stringMatching(
        /Send Content-Type: application\/json.*'json' option/,
      ) as string,
    },
  ]

  it.each([
    vendorJson,
    `${vendorJson}; version=1`,
    'Application/VND.Acme',
    `${vendorJson};charset=utf-8`,
  ])('is refused with 415 when nothing has read it: %s', async (type) => {
    expect(await post({}, type, '{"a":1}')).toEqual(refused)
  })
  it('is refused on DELETE too, and after a parser for other types', async () => {
    expect(await post({}, vendorJson, '{"a":1}', 'DELETE')).toEqual(refused)
    expect(await post({ before: [express.json()] }, vendorJson, '{"a":1}')).toEqual(refused)
  })
  it("is left alone when it's empty, or sent with GET", async () => {
    expect((await post({}, vendorJson, ''))[0]).toBe(200)
    expect((await post({}, vendorJson, '{"a":1}', 'GET'))[0]).toBe(200)
  })
  it('is left alone under the type of another vendor', async () => {
    expect((await post({}, 'application/vnd.acme2+json', '{"a":1}'))[0]).toBe(200)
  })

  it('is left to a parser of the app', async () => {
    const before = [
      express.json({
        type: vendorJson,
        reviver: (_key, value: unknown) => (value === 1 ? 'one' : value),
      }),
    ]
    for (const json of [undefined, false, {}] as const)
      expect(
        await post({ before, ...(json !== undefined && { json }) }, vendorJson, '{"a":1}'),
      ).toEqual([200, { body: { a: 'one' } }])
  })
  it('is left to a parser of the action', async () => {
    expect(
      await post({ use: [express.json({ type: vendorJson })] }, vendorJson, '{"a":1}'),
    ).toEqual([200, { body: { a: 1 } }])
  })

  it("is parsed with `json`'s options, before the action's middleware", async () => {
    const json = {
      limit: 10,
      reviver: (_key: string, value: unknown) => (value === 1 ? 'one' : value),
    }
    const seen: unknown[] = []
    const use: RequestHandler[] = [(req, _res, next) => next(void seen.push(req.body))]
    expect(await post({ json, use }, vendorJson, '{"a":1}')).toEqual([200, { body: { a: 'one' } }])
    expect(seen).toEqual([{ a: 'one' }])
    const [status, body] = await post({ json }, vendorJson, '{"a":"12345"}')
    expect(status).toBe(413)
    expect(JSON.stringify(body)).toContain(
      "application/vnd.acme+json bodies can have at most 10 bytes. To accept larger ones, set the router's option json.limit.",
    )
    expect((await post({ json }, vendorJson, '{'))[0]).toBe(400)
  })
  it('is parsed under that type only', async () => {
    expect(await post({ json: {} }, 'application/json', '{"a":1}')).toEqual([200, { body: null }])
  })

  it("isn't touched with `json: false`", async () => {
    const readRaw: RequestHandler = (req, _res, next) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => next(void (req.body = Buffer.concat(chunks).toString())))
    }
    expect(await post({ json: false, use: [readRaw] }, vendorJson, '{"a":1}')).toEqual([
      200,
      { body: '{"a":1}' },
    ])
  })
})

it.each([
  ['a route', '/api/users', undefined, 400, 'accept'],
  [
    "a version that doesn't exist",
    '/api/users',
    'application/vnd.acme+json;version=9',
    400,
    'accept',
  ],
  ['the app', '/other', undefined, 400, undefined],
])(
  'the error of a parser between match and the router varies as the response of %s',
  async (_of, path, accept, status, vary) => {
    const router = createRouter(routes, {
      1: { users: { show: echo, create: echo, destroy: echo } },
    })
    const app = express().use(router.match, express.json(), router).use(caught)
    const headers = { 'content-type': 'application/json', ...(accept && { accept }) }
    const port = await listen(app)
    const answer = await send(port, { method: 'POST', path, headers, body: '{' })
    expect([answer.status, answer.headers.vary?.toLowerCase()]).toEqual([status, vary])
    const sent = await send(port, {
      method: 'POST',
      path: '/api/users',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect([sent.headers.vary, sent.headers['api-version']]).toEqual(['Accept', '1'])
  },
)
