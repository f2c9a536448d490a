import { Readable } from 'node:stream'
import { type Step, became, change, headerBecame, statusBecame } from '@hv/router'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { describe, expect, it } from 'vitest'
import { before, createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

const User = Type.Object({ fullName: Type.String() })
const OlderUser = Type.Object({ name: Type.String() })
const Problem = Type.Object({ reason: Type.String() })
const OlderProblem = Type.Object({ error: Type.String() })
const fullName = change(
  'A user has a full name.',
  became(OlderUser, User, {
    up: ({ name }) => ({ fullName: name }),
    down: ({ fullName: name }) => ({ name: name.trim() }),
    headers: () => ({ 'x-older': 'yes' }),
  }),
  became(OlderProblem, Problem, { down: ({ reason }) => ({ error: reason }) }),
)

describe.each(releases)('before on Fastify $version', (release) => {
  const createApp = createApps(release)
  const order: string[] = []

  async function serve(
    index: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): Promise<FastifyInstance> {
    order.length = 0
    const schema = { response: { 200: User, '4xx': Problem } }
    const create = {
      schema: { body: User, response: { 200: User } },
      preValidation: async ({ body }: FastifyRequest) =>
        void order.push(`preValidation ${JSON.stringify(body)}`),
      preHandler: async ({ body }: FastifyRequest) =>
        void order.push(`preHandler ${JSON.stringify(body)}`),
      preSerialization: async (_request: unknown, _reply: unknown, payload: object) => {
        order.push(`preSerialization ${JSON.stringify(payload)}`)
        return payload
      },
      handler: async ({ body }: FastifyRequest) => body,
    }
    const v2 = { users: { index: { schema, handler: index }, create, show: () => 'text' } }
    const app = createApp()
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ reason: error.message }),
    )
    await app.register(createRouter(routes, { 1: before(v2, fullName), 2: v2 } as never))
    return app
  }
  const get = async (app: FastifyInstance, version: number, method: 'GET' | 'HEAD' = 'GET') => {
    const response = await app.inject({
      method,
      url: '/api/users',
      headers: { accept: accept(version) },
    })
    return [response.statusCode, response.body, response.headers['x-older']]
  }

  it('converts requests after validation, and responses after all other hooks', async () => {
    const app = await serve(() => null)
    const post = (payload: object) =>
      app.inject({ method: 'POST', url: '/api/users', headers: { accept: accept(1) }, payload })
    expect((await post({ name: 'Dora' })).json()).toEqual({ name: 'Dora' })
    expect(order).toEqual([
      'preValidation {"name":"Dora"}',
      'preHandler {"fullName":"Dora"}',
      'preSerialization {"fullName":"Dora"}',
    ])
    expect((await post({ fullName: 'Dora' })).statusCode).toBe(400)
  })

  it('converts the errors that the schema declares', async () => {
    const app = await serve((_request, reply) => reply.code(404).send({ reason: 'nobody' }))
    expect(await get(app, 1)).toEqual([404, '{"error":"nobody"}', undefined])
    expect(await get(app, 2)).toEqual([404, '{"reason":"nobody"}', undefined])
  })

  it.each<[how: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown]>([
    ['returned', () => null],
    ['resolved', async () => null],
    ['sent', (_request, reply) => reply.send(null)],
    ['sent with a type', (_request, reply) => reply.type('application/json').send(null)],
  ])('converts null that is %s, where the newer schema allows it', async (_how, handler) => {
    const Maybe = Type.Union([User, Type.Null()])
    const always = change(
      'Nobody is null.',
      became(OlderUser, Maybe, {
        down: (user) => ({ name: user === null ? 'nobody' : user.fullName }),
      }),
    )
    const index = { schema: { response: { 200: Maybe } }, handler }
    const v2 = { users: { index, create: () => '', show: () => '' } }
    const app = createApp()
    await app.register(createRouter(routes, { 1: before(v2, always), 2: v2 } as never))
    expect(await get(app, 1)).toEqual([200, '{"name":"nobody"}', undefined])
    expect(await get(app, 2)).toEqual([200, 'null', undefined])
  })

  it('answers HEAD, and an error of a conversion', async () => {
    const app = await serve(() => ({ fullName: 'Dora' }))
    expect(await get(app, 1, 'HEAD')).toEqual([200, '', 'yes'])
    const failing = await serve(() => ({}))
    expect(await get(failing, 1)).toEqual([500, expect.stringContaining('trim'), undefined])
  })

  it('adds a route only where something changed', async () => {
    const app = createApp()
    const added: string[] = []
    app.addHook('onRoute', ({ method, url }) => void added.push(`${String(method)} ${url}`))
    const index = { schema: { response: { 200: User } }, handler: () => ({ fullName: 'Dora' }) }
    const v2 = {
      users: { index, create: { preHandler: async () => {}, handler: () => '' }, show: () => '' },
    }
    await app.register(
      createRouter(routes, { 1: before(v2, change('x', fullName.became[0])), 2: v2 } as never),
    )
    const count = (route: string) => added.filter((one) => one === route).length
    expect([
      count('GET /api/users'),
      count('POST /api/users'),
      count('GET /api/users/:id'),
    ]).toEqual([2, 1, 1])
  })

  it('has one hook, however many changes convert a response', async () => {
    const users = Array.from({ length: 10 }, (_, n) => Type.Object({ [`name${n}`]: Type.String() }))
    const renames = users
      .slice(1)
      .map((newer, n) =>
        change(
          `Change ${n}`,
          became(users[n]!, newer, { down: (user) => ({ [`name${n}`]: user[`name${n + 1}`]! }) }),
        ),
      )
    const app = createApp()
    const hooks: number[] = []
    app.addHook(
      'onRoute',
      ({ preSerialization = [] }) => void hooks.push([preSerialization].flat().length),
    )
    const index = { schema: { response: { 200: users[9]! } }, handler: () => ({ name9: 'Dora' }) }
    const newest = { users: { index, create: () => '', show: () => '' } }
    const oldest = renames.reduceRight((newer, rename) => before(newer, rename) as never, newest)
    await app.register(createRouter(routes, { 1: oldest, 2: newest } as never))
    expect((await get(app, 1))[1]).toBe('{"name0":"Dora"}')
    expect(Math.max(...hooks)).toBe(1)
  })

  it('lets the older serializer check responses, and refuses headers that no response can have', async () => {
    const Older = Type.Object({ name: Type.String() })
    const Newer = Type.Object({ fullName: Type.String() })
    const index = {
      schema: { response: { 200: Newer } },
      handler: async () => ({ fullName: 'Dora' }),
    }
    const v2 = { users: { index, create: () => '', show: () => '' } }
    const serveOlder = async (down: () => unknown, headers = {}) => {
      const app = createApp()
      const v1 = before(
        v2,
        change('x', became(Older, Newer, { down: down as never, headers: () => headers })),
      )
      await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
      const response = await app.inject({ url: '/api/users', headers: { accept: accept(1) } })
      return [response.statusCode, response.body, response.headers['vary']]
    }
    const error = (text: string) => [500, expect.stringContaining(text), 'Accept']
    expect(await serveOlder(() => ({ name: 'Dora', password: 'secret' }))).toEqual([
      200,
      '{"name":"Dora"}',
      'Accept',
    ])
    expect(await serveOlder(() => ({}))).toEqual(error('is required'))
    expect(await serveOlder(() => Promise.reject(new Error('no')))).toEqual(
      error('its conversion returns a promise'),
    )
    expect(await serveOlder(() => ({}), { 'x-a': 'a\r\nx-b: b' })).toEqual(
      error("sets 'x-a' to what no header can have"),
    )
    expect(await serveOlder(() => ({}), { 'api-version': '9' })).toEqual(
      error("can't set the header 'api-version'"),
    )
  })

  const renamed = headerBecame('X-Older', 'X-Newer')
  const was = (older: number, newer: number) =>
    statusBecame(older, newer, { only: ['users.index'] })
  async function serveDerived(
    step: Step,
    index: () => unknown,
    { onSend }: { onSend?: onSendHookHandler } = {},
  ): Promise<FastifyInstance> {
    const v2 = { users: { index, create: () => '', show: () => '' } }
    const app = createApp()
    if (onSend) app.addHook('onSend', onSend)
    await app.register(createRouter(routes, { 1: before(v2, change('x', step)), 2: v2 } as never))
    return app
  }

  it.each([204, 205, 304])('responds to HEAD with %i as the newer version does', async (status) => {
    const index = (_request: FastifyRequest, reply: FastifyReply) => reply.code(status).send()
    const app = await serveDerived(renamed, index as never)
    expect(await get(app, 1, 'HEAD')).toEqual([status, '', undefined])
    expect(await get(app, 1, 'HEAD')).toEqual(await get(app, 2, 'HEAD'))
  })

  it.each(['GET', 'HEAD'] as const)(
    'drops the body of a 200 that was a 204: %s',
    async (method) => {
      const app = await serveDerived(was(204, 200), () => ({ a: 1 }))
      expect(await get(app, 1, method)).toEqual([204, '', undefined])
    },
  )
  it('has no body at a 200 that became a 204, whatever its schema and its handler say', async () => {
    const required = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
    const handler = (_request: FastifyRequest, reply: FastifyReply) => reply.code(204).send({})
    const index = { schema: { response: { '2xx': required } }, handler }
    const app = await serveDerived(was(200, 204), index as never)
    expect(await get(app, 1)).toEqual([200, '', undefined])
  })

  it("changes a Response's own status and headers", async () => {
    const headers = { 'content-type': 'text/plain', 'x-newer': 'yes' }
    const index = (status: number) => () => new Response('text', { status, headers })
    expect(await get(await serveDerived(was(204, 200), index(404)), 1)).toEqual([
      404,
      'text',
      undefined,
    ])
    expect(await get(await serveDerived(was(200, 201), index(201)), 1)).toEqual([
      200,
      'text',
      undefined,
    ])
    expect(await get(await serveDerived(renamed, index(410)), 1)).toEqual([410, 'text', 'yes'])
  })

  it.each(['GET', 'HEAD'] as const)(
    "keeps what describes the body if the app's hook has set the status: %s",
    async (method) => {
      const app = await serveDerived(renamed, () => ({ a: 1 }), {
        onSend: (_request, reply, _payload, done) => {
          reply.code(304)
          done(null, method === 'HEAD' ? '' : null)
        },
      })
      const heads = await Promise.all(
        [1, 2].map(async (n) => {
          const { statusCode, headers } = await app.inject({
            method,
            url: '/api/users',
            headers: { accept: accept(n) },
          })
          return [statusCode, headers['content-type'], headers['content-length']]
        }),
      )
      const length = method === 'HEAD' ? '0' : undefined
      expect(heads).toEqual(
        [1, 2].map((n) => [304, `application/vnd.acme+json; version=${n}; charset=utf-8`, length]),
      )
    },
  )

  // Fastify 4 doesn't look for it.
  it.runIf(release.version.startsWith('5')).each([renamed, was(204, 200)])(
    'leaves a Response whose body is used to Fastify: %s',
    async (step) => {
      const index = async () => {
        const response = new Response('text')
        await response.text()
        return response
      }
      const app = await serveDerived(step, index)
      const [older, newer] = await Promise.all([1, 2].map((n) => get(app, n)))
      expect(older).toEqual(newer)
      expect(older).toEqual([500, expect.stringContaining('BODY_CONSUMED'), undefined])
    },
  )

  it.each([
    [204, 'GET'],
    [204, 'HEAD'],
    [304, 'GET'],
    [304, 'HEAD'],
  ] as const)(
    'sends a %i without a body, though its schema has one: %s',
    async (status, method) => {
      const schema = { response: { '2xx': User, '3xx': User } }
      for (const body of [undefined, { fullName: 'Dora' }]) {
        const handler = (_request: FastifyRequest, reply: FastifyReply) =>
          reply.code(status).send(body)
        const v2 = { users: { index: { schema, handler }, create: () => '', show: () => '' } }
        const app = createApp()
        app.get('/native', { schema }, handler)
        const v1 = before(
          v2,
          change('x', became(OlderUser, User, { down: ({ fullName: name }) => ({ name }) })),
        )
        await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
        const native = await app.inject({ method, url: '/native' })
        expect(native.statusCode).toBe(status)
        for (const n of [1, 2])
          expect(await get(app, n, method)).toEqual([status, native.body, undefined])
      }
    },
  )

  it('closes a body that it drops', async () => {
    const closed: string[] = []
    const sources: Record<string, () => unknown> = {
      'a stream': () =>
        new Readable({
          read() {},
          destroy: (_error, done) => (closed.push('a stream'), done(new Error('closed early'))),
        }),
      'a web stream': () => new ReadableStream({ cancel: () => void closed.push('a web stream') }),
      'a Response': () =>
        new Response(new ReadableStream({ cancel: () => void closed.push('a Response') })),
    }
    for (const open of Object.values(sources)) {
      const app = await serveDerived(was(204, 200), open)
      expect(await get(app, 1)).toEqual([204, '', undefined])
    }
    expect(closed).toEqual(Object.keys(sources))
  })
})
