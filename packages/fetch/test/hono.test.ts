// What a versioned route does in Hono, compared with the same route written natively.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { api, get, post, version } from '@hv/router'
import { type Context, Hono } from 'hono'
import { cloneRawRequest } from 'hono/request'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { action, createRouter } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    get('users/me', { to: 'users#me' }),
    get('users/:id', { to: 'users#show' }),
    get('line-items', { to: 'users#items' }),
    post('plain', { to: 'bodies#plain' }),
    post('schema', { to: 'bodies#schema' }),
    post('unread', { to: 'bodies#unread' }),
    post('broken', { to: 'bodies#broken' }),
  ),
)
const handler = createRouter(routes, {
  1: {
    users: {
      me: () => new Response('me'),
      show: (_request, { params }) => new Response(`show ${params.id}`),
      items: () => new Response('items'),
    },
    bodies: {
      plain: async (request) => Response.json(await request.json()),
      schema: action({
        schema: { body: z.object({ n: z.number() }) },
        handler: (_request, { body }) => Response.json(body),
      }),
      unread: () => new Response('unread'),
      broken() {
        throw new TypeError('something else')
      },
    },
  },
})

describe('a path with escapes in Hono', () => {
  const app = new Hono()
    .get('/native/users/me', (c) => c.text('me'))
    .get('/native/users/:id', (c) => c.text(`show ${c.req.param('id')}`))
    .get('/native/line-items', (c) => c.text('items'))
    .all('/api/*', (c) => handler(c.req.raw))

  it.each([
    '/users/%6De',
    '/users/m%65',
    '/users/%6de?x=%zz',
    '/users/an%6E',
    '/users/a%2Fb',
    '/line%2Ditems',
    '/%75sers/me',
  ])('reaches the route that it natively reaches: %s', async (path) => {
    const [native, versioned] = await Promise.all(
      ['/native', '/api'].map(async (prefix) => (await app.request(prefix + path)).text()),
    )
    expect(versioned).toBe(native)
  })
})

describe('a body that middleware has read', () => {
  const createApp = (
    read: (c: Context) => Promise<unknown>,
    forward: (c: Context) => Response | Promise<Response>,
  ) => {
    const app = new Hono()
    app.onError((error, c) =>
      c.json({ name: error.name, message: error.message, cause: String(error.cause) }, 500),
    )
    app.use(async (c, next) => {
      await read(c)
      await next()
    })
    return app.all('/api/*', forward)
  }
  const send = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"n":1}' }
  const message =
    "The body of POST http://localhost/api/plain was read before the router got the request, so it can't be read again. " +
    "In Hono, pass the router a copy: handler(await cloneRawRequest(c.req)), from 'hono/request'. " +
    'Elsewhere, read request.clone() instead of the request.'

  it('causes an error that says what to do', async () => {
    const app = createApp(
      (c) => c.req.text(),
      (c) => handler(c.req.raw),
    )
    const response = await app.request('/api/plain', send)
    expect([response.status, await response.json()]).toEqual([
      500,
      { name: 'TypeError', message, cause: expect.stringMatching(/^TypeError: Body is unusable/) },
    ])
    const validated = await app.request('/api/schema', send)
    expect(await validated.json()).toMatchObject({ message: message.replace('plain', 'schema') })
  })

  it('causes it on a server as well', async () => {
    const app = createApp(
      (c) => c.req.text(),
      (c) => handler(c.req.raw),
    )
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server
    onTestFinished(() => void server.close())
    if (!server.listening) await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const name of ['plain', 'schema']) {
      const response = await fetch(`${origin}/api/${name}`, send)
      expect(await response.json()).toMatchObject({
        message: message.replace('http://localhost/api/plain', `${origin}/api/${name}`),
      })
    }
  })

  it('causes no other error', async () => {
    const app = createApp(
      (c) => c.req.text(),
      (c) => handler(c.req.raw),
    )
    expect(await (await app.request('/api/unread', send)).text()).toBe('unread')
    expect(await (await app.request('/api/broken', send)).json()).toMatchObject({
      message: 'something else',
    })
  })

  it.each<[string, (c: Context) => Promise<unknown>]>([
    ['text', (c) => c.req.text()],
    ['json', (c) => c.req.json()],
    ['arrayBuffer', (c) => c.req.arrayBuffer()],
    ['nothing', () => Promise.resolve()],
  ])('is read again from a copy: %s()', async (_name, read) => {
    const app = createApp(read, async (c) => handler(await cloneRawRequest(c.req)))
    for (const name of ['plain', 'schema']) {
      const response = await app.request(`/api/${name}`, send)
      expect([response.status, await response.json()]).toEqual([200, { n: 1 }])
    }
  })

  it("can't be copied if it was read from c.req.raw", async () => {
    const app = createApp(
      (c) => c.req.raw.text(),
      async (c) => handler(await cloneRawRequest(c.req)),
    )
    expect((await app.request('/api/plain', send)).status).toBe(500)
    const careful = createApp(
      (c) => c.req.raw.clone().text(),
      (c) => handler(c.req.raw),
    )
    expect((await careful.request('/api/plain', send)).status).toBe(200)
  })
})

describe('server-sent events', () => {
  const headers = { accept: 'text/event-stream' } // what EventSource sends, and can't change
  it.each([
    [false, 200],
    [true, 406],
  ])('under strict: %s get %i', async (strict, status) => {
    const declared = api(
      { vendorString: 'acme', strict },
      version(1, get('events', { to: 'x#show' })),
    )
    const show = () =>
      new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } })
    const response = await createRouter(declared, { 1: { x: { show } } })(
      new Request('http://localhost/api/events', { headers }),
    )
    expect(response.status).toBe(status)
    if (status === 200) expect(response.headers.get('content-type')).toBe('text/event-stream')
  })
})
