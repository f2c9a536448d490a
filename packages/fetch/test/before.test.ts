import {
  type Step,
  api,
  became,
  cache,
  change,
  headerBecame,
  inherit,
  resources,
  statusBecame,
  version,
} from '@hv/router'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { action, before, createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const User = z.object({ fullName: z.string() })
const OlderUser = z.object({ name: z.string().min(2) })
const Query = z.object({ limit: z.coerce.number().default(10) })
const OlderQuery = z.object({ size: z.coerce.number().default(20) })
const fullName = change(
  'A user has a full name.',
  became(OlderUser, User, {
    up: ({ name }) => ({ fullName: name }),
    down: ({ fullName: name }) => ({ name: name.trim() }),
    headers: () => ({ 'x-older': 'yes' }),
  }),
  became(OlderQuery, Query, { up: ({ size }) => ({ limit: size }) }),
)

const v2 = {
  users: {
    greeting: 'hello',
    index: action({
      schema: { querystring: Query, response: { 200: User } },
      handler: (_request, { query }) => Response.json({ fullName: JSON.stringify(query) }),
    }),
    show: {
      schema: { response: { 200: User } },
      handler({ headers }: Request): Response {
        const how = headers.get('x-send')
        if (how === 'text') return new Response('{"fullName":"text"}')
        if (how === 'nothing') return new Response(null, { status: 204 })
        if (how === 'unmodified')
          return new Response(null, { status: 304, headers: { ...json, etag: '"1"' } })
        if (how === 'empty') return new Response('', { headers: json })
        if (how === 'missing')
          return new Response('{ "fullName": 1.0 }', { status: 404, headers: json })
        return new Response('{}', { headers: json }) // not a user
      },
    },
    create: action({
      schema: { body: User, response: { 201: User } },
      handler(this: { greeting: string }, _request, { body }) {
        const headers = { 'x-greeting': this.greeting, 'content-length': '99' }
        return Response.json({ fullName: ` ${body.fullName}` }, { status: 201, headers })
      },
    }),
  },
}
const json = { 'content-type': 'application/json; charset=utf-8' }
const handler = createRouter(
  routes,
  { 1: before(v2, fullName), 2: v2 },
  {
    error: (error) => new Response((error as Error).message, { status: 500 }),
  },
)
const ask = async (number: number, path: string, init: RequestInit = {}) => {
  const headers = { accept: `application/vnd.acme+json;version=${number}`, ...init.headers }
  const response = await handler(new Request(`http://localhost${path}`, { ...init, headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it.each([
  [1, '/users', '{"name":"{\\"limit\\":20}"}'],
  [2, '/users', '{"fullName":"{\\"limit\\":10}"}'],
  [1, '/users?size=5&limit=6', '{"name":"{\\"limit\\":5}"}'],
  [2, '/users?size=5&limit=6', '{"fullName":"{\\"limit\\":6}"}'],
])('converts the query and the response: version %i of %s', async (number, path, text) => {
  expect(await ask(number, path)).toMatchObject({ status: 200, text })
})

it('converts the body and sets headers of older responses, for HEAD too', async () => {
  const post = (number: number, body: object) =>
    ask(number, '/users', { method: 'POST', headers: json, body: JSON.stringify(body) })
  const older = await post(1, { name: 'Dora' })
  expect([older.status, older.text, older.headers.get('x-older')]).toEqual([
    201,
    '{"name":"Dora"}',
    'yes',
  ])
  expect([older.headers.get('x-greeting'), older.headers.get('content-length')]).toEqual([
    'hello',
    null,
  ])
  expect(older.headers.get('content-type')).toBe(
    'application/vnd.acme+json; version=1; charset=utf-8',
  )
  const newer = await post(2, { fullName: 'Dora' })
  expect([newer.text, newer.headers.get('x-older')]).toEqual(['{"fullName":" Dora"}', null])
  expect(await post(1, { name: 'D' })).toMatchObject({
    text: expect.stringContaining('body/name') as string,
  })
  expect((await ask(1, '/users', { method: 'HEAD' })).headers.get('x-older')).toBe('yes')
})

it.each([
  ['text', 200, '{"fullName":"text"}'],
  ['nothing', 204, ''],
  ['unmodified', 304, ''],
  ['empty', 200, ''],
  ['missing', 404, '{ "fullName": 1.0 }'],
])('leaves other responses as they are: %s', async (how, status, text) => {
  expect(await ask(1, '/users/7', { headers: { 'x-send': how } })).toMatchObject({ status, text })
})

it('passes an error of a conversion on', async () => {
  expect(await ask(1, '/users/7')).toMatchObject({
    status: 500,
    text: expect.stringContaining('trim') as string,
  })
})

it('reads and writes a body once, however many changes convert it', async () => {
  const users = Array.from({ length: 10 }, (_, n) => z.object({ [`name${n}`]: z.string() }))
  const renames = users
    .slice(1)
    .map((newer, n) =>
      change(
        `Change ${n}`,
        became(users[n]!, newer, { down: (user) => ({ [`name${n}`]: user[`name${n + 1}`]! }) }),
      ),
    )
  const index = {
    schema: { response: { 200: users[9]! } },
    handler: () => new Response('{"name9":"Dora"}', { headers: json }),
  }
  const newest = { users: { ...v2.users, index } }
  const oldest = renames.reduceRight((newer, rename) => before(newer, rename) as never, newest)
  const serve = createRouter(routes, { 1: oldest, 2: newest })
  const request = new Request('http://localhost/users', {
    headers: { accept: 'application/vnd.acme+json;version=1' },
  })
  const calls = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')]
  onTestFinished(() => void calls.forEach((call) => call.mockRestore()))
  expect(await (await serve(request)).text()).toBe('{"name0":"Dora"}')
  expect(calls.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it.each(['GET', 'HEAD'])('cancels a body that it drops: %s', async (method) => {
  let isCancelled = false
  const cancel = () => void (isCancelled = true)
  const show = () => new Response(new ReadableStream({ cancel }), { status: 200 })
  const newer = { users: { ...v2.users, show } }
  const older = before(newer, change('x', statusBecame(204, 200, { only: ['users.show'] })))
  const serve = createRouter(routes, { 1: older, 2: newer })
  const headers = { accept: 'application/vnd.acme+json;version=1' }
  const response = await serve(new Request('http://localhost/users/7', { method, headers }))
  expect([response.status, response.body, isCancelled]).toEqual([204, null, true])
})

/** The response of the oldest version to `GET /users/7`. */
async function askOlder(respond: () => Response, ...steps: readonly Step[]): Promise<Response> {
  const show = { schema: { response: { 200: User } }, handler: respond }
  const newer = { users: { ...v2.users, show } }
  const serve = createRouter(routes, { 1: before(newer, change('x', ...steps)), 2: newer })
  const headers = { accept: 'application/vnd.acme+json;version=1' }
  return serve(new Request('http://localhost/users/7', { headers }))
}
const only = ['users.show']

it.each([
  ['stays', 200, 'Fine'],
  ['changes', 202, ''],
])('keeps the status text, unless the status %s', async (_what, status, text) => {
  const show = () => new Response('x', { status, statusText: 'Fine' })
  const { statusText } = await askOlder(show, statusBecame(201, 202, { only }))
  expect(statusText).toBe(text)
})

it('renames the headers of a response whose headers are immutable', async () => {
  const show = () => Response.redirect('https://acme.example/', 307)
  const { status, headers } = await askOlder(show, headerBecame('X-To', 'Location', { only }))
  const names = ['x-to', 'location'].map((name) => headers.get(name))
  expect([status, ...names]).toEqual([307, 'https://acme.example/', null])
})

it('returns the response itself if nothing of it changes', async () => {
  const sent = new Response('text')
  const step = became(OlderUser, User, { down: () => ({ name: 'Dora' }), only })
  expect(await askOlder(() => sent, step)).toBe(sent)
})

it("returns a Worker's 101 response itself, which can't be copied", async () => {
  const sent = Object.defineProperty(new Response(null), 'status', { value: 101 }) // Node has none
  expect(await askOlder(() => sent, headerBecame('X-Old', 'X-New', { only }))).toBe(sent)
})
