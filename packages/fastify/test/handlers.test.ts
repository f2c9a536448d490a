// oxlint-disable unicorn/no-thenable -- query builders return thenables
import { Writable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

describe.each(releases)('handlers on Fastify $version', (release) => {
  const createApp = createApps(release)
  const log: { level: number; msg: string }[] = []
  const logger = {
    level: 'error',
    stream: new Writable({
      write(line: Buffer, _encoding, done) {
        log.push(JSON.parse(line.toString()) as never)
        done()
      },
    }),
  }
  async function serve(index: unknown, prepare = (_app: FastifyInstance): void => {}) {
    log.length = 0
    const app = createApp({ logger })
    prepare(app)
    app.setErrorHandler((error: Error | undefined, _request, reply) =>
      reply.code(500).send({ caught: error?.message ?? 'nothing' }),
    )
    const users = { index, create: () => '', show: () => '' }
    await app.register(createRouter(routes, { 1: { users }, 2: { users } } as never))
    return app
  }

  it.each<[string, unknown, number, unknown]>([
    [
      'throw',
      () => {
        throw new Error('thrown')
      },
      500,
      { caught: 'thrown' },
    ],
    [
      'reject',
      async () => {
        throw new Error('rejected')
      },
      500,
      { caught: 'rejected' },
    ],
    ['reject without a value', () => Promise.reject(), 500, { caught: 'nothing' }],
    [
      'reject a promise of another realm',
      () => runInNewContext("Promise.reject(new Error('foreign'))"),
      500,
      { caught: 'foreign' },
    ],
    [
      'return a thenable that rejects',
      () => ({
        then: (_: unknown, reject: (error: Error) => void) => reject(new Error('thenable')),
      }),
      500,
      { caught: 'thenable' },
    ],
    [
      'return a thenable',
      () => ({ then: (resolve: (value: object) => void) => resolve({ a: 1 }) }),
      200,
      { a: 1 },
    ],
    ['return a promise', async () => ({ a: 1 }), 200, { a: 1 }],
    [
      'reply later',
      (_request: FastifyRequest, reply: FastifyReply) =>
        void setImmediate(() => reply.send({ a: 1 })),
      200,
      { a: 1 },
    ],
    ['return null', () => null, 200, null],
  ])('may %s', async (_what, index, status, body) => {
    const app = await serve(index)
    const response = await app.inject({ url: '/api/users', headers: { accept: accept(2) } })
    expect(response.statusCode).toBe(status)
    expect(response.body === '' ? null : response.json()).toEqual(body)
    expect(response.headers).toMatchObject({ vary: 'Accept', 'api-version': '2' })
    expect(log).toEqual([])
  })

  it('may hijack the reply', async () => {
    const app = await serve(
      // As an app may do with a reply that it keeps elsewhere.
      (request: FastifyRequest & { kept: FastifyReply }) => {
        request.kept.hijack()
        request.kept.raw.end('hijacked')
      },
      (root) => {
        root.decorateRequest('kept', null)
        root.addHook(
          'onRequest',
          async (request, reply) => void ((request as unknown as { kept: unknown }).kept = reply),
        )
      },
    )
    expect((await app.inject('/api/users')).body).toBe('hijacked')
    expect(log).toEqual([])
  })

  it('receive the socket when they have `websocket: true`', async () => {
    const app = await serve(
      {
        websocket: true,
        handler: (socket: string, request: FastifyRequest) => [socket, request.apiMatch?.version],
      },
      (root) =>
        root.addHook('onRoute', (route) => {
          const { websocket, handler } = route as {
            websocket?: boolean
            handler: (...args: unknown[]) => unknown
          }
          // As @fastify/websocket does.
          if (websocket) route.handler = (request) => handler('socket', request)
        }),
    )
    const response = await app.inject({ url: '/api/users', headers: { accept: accept(2) } })
    expect(response.json()).toEqual(['socket', 2])
  })

  it('are called with their controller as this', async () => {
    class Users {
      readonly name = 'Users'
      index() {
        return { name: this.name }
      }
      create() {}
      show() {}
    }
    const app = createApp()
    await app.register(
      createRouter(routes, { 1: { users: new Users() }, 2: { users: new Users() } }),
    )
    expect((await app.inject('/api/users')).json()).toEqual({ name: 'Users' })
  })

  it("don't run when pinVersion throws: the error handler of the app responds", async () => {
    const users = { index: () => 'ok', create: () => '', show: () => '' }
    for (const [thrown, caught] of [
      [new Error('thrown by the app'), 'thrown by the app'],
      ['no error', 'nothing'],
      [undefined, 'pinVersion failed'],
    ]) {
      const pinVersion = () => {
        throw thrown
      }
      const app = createApp()
      app.setErrorHandler((error: Error, _request, reply) =>
        reply.code(500).send({ caught: error.message ?? 'nothing' }),
      )
      await app.register(
        createRouter(routes, { 1: { users }, 2: { users } } as never, { pinVersion }),
      )
      for (const [url, method] of [
        ['/api/users?a=b', 'GET'],
        ['/api/users/7', 'POST'],
      ] as const) {
        const response = await app.inject({ url, method })
        expect([response.statusCode, response.headers['vary']], `${method} ${url}`).toEqual([
          500,
          'Accept',
        ])
        expect(response.json()).toEqual({ caught })
      }
      expect((await app.inject({ url: '/api/users', headers: { accept: accept(1) } })).body).toBe(
        'ok',
      )
    }
  })

  it('give hooks and serializers apiMatch, and null where no action serves', async () => {
    const seen: unknown[] = []
    const app = await serve(
      () => ({}),
      (root) => {
        root.addHook(
          'onRequest',
          async (request) => void seen.push(request.apiMatch?.version ?? request.apiMatch),
        )
        root.get('/plain', () => ({}))
      },
    )
    for (const url of ['/api/users', '/plain']) await app.inject(url)
    await app.inject({ url: '/api/users', headers: { accept: accept(9) } })
    expect(seen).toEqual([1, undefined, null])
  })
})
