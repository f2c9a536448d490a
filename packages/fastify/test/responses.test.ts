import { Readable } from 'node:stream'
import { get, inherit, api, cache, version } from '@hv/router'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type RouterOptions, createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps } from './setup.ts'

const vendorJson = 'application/vnd.acme+json; version=2; charset=utf-8'
const plainJson = 'application/json; charset=utf-8'
const declared = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, get('x', { to: 'xs#show' }))),
  version(2, inherit({ from: 'v1' })),
)
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

describe.each(releases)('responses on Fastify $version', (release) => {
  const createApp = createApps(release)
  async function serve(show: Handler | object, prepare = (_app: FastifyInstance): void => {}) {
    const app = createApp()
    prepare(app)
    await app.register(
      createRouter(declared, { 1: { xs: { show } }, 2: { xs: { show } } } as never),
    )
    return app
  }
  const ask = (app: FastifyInstance, n = 2, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ url: '/api/x', method, headers: { accept: accept(n) } })

  describe('keep the Content-Type that Fastify gives', () => {
    it.each<[string, Handler, string | undefined]>([
      ['an object', () => ({ a: 1 }), vendorJson],
      ['a list', () => [], vendorJson],
      ['an object from a promise', async () => ({}), vendorJson],
      ['an object that is sent', (_request, reply) => reply.send({}), vendorJson],
      ['an object with a status', (_request, reply) => reply.code(404).send({}), vendorJson],
      ['JSON as text', (_request, reply) => reply.type('application/json').send('{}'), vendorJson],
      ['a string', () => 'text', 'text/plain; charset=utf-8'],
      ['HTML', (_request, reply) => reply.type('text/html').send('<p>'), 'text/html'],
      ['a buffer', () => Buffer.from('x'), 'application/octet-stream'],
      ['a stream', () => Readable.from(['x']), undefined],
      [
        'a stream with a type',
        (_request, reply) => reply.type('image/png').send(Readable.from(['x'])),
        'image/png',
      ],
      [
        'another JSON type',
        (_request, reply) => reply.type('application/hal+json').send({}),
        'application/hal+json; charset=utf-8',
      ],
      [
        'a redirect',
        (_request, reply) => reply.code(303).header('location', '/').send(),
        undefined,
      ],
      ['nothing', (_request, reply) => reply.code(204).send(), undefined],
      [
        'a Response',
        () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
        'application/json',
      ],
      ['the not-found handler', (_request, reply) => reply.callNotFound(), plainJson],
      [
        'an error',
        () => {
          throw new Error('broken')
        },
        plainJson,
      ],
      [
        'a rejection',
        async () => {
          throw new Error('broken')
        },
        plainJson,
      ],
      ['an error that is sent', (_request, reply) => reply.send(new Error('broken')), plainJson],
    ])('to %s, but for the vendor type of JSON', async (what, show, type) => {
      const app = await serve(show)
      const response = await ask(app)
      expect(response.headers['content-type']).toBe(type)
      expect(response.headers).toMatchObject({ vary: 'Accept', 'api-version': '2' })
      // Fastify itself fails on HEAD for a Response.
      const head = await ask(app, 2, what === 'a Response' ? 'GET' : 'HEAD')
      expect([head.statusCode, head.headers['content-type']]).toEqual([response.statusCode, type])
      const plain = await app.inject('/api/x')
      expect(plain.headers['content-type']).toBe(type === vendorJson ? plainJson : type)
    })

    it('to what a hook sends before the handler runs, and to what an error handler sends', async () => {
      const refuse = (request: FastifyRequest, reply: FastifyReply) =>
        reply.code(401).send({ route: request.url })
      const early = await ask(await serve({ preHandler: refuse, handler: () => ({}) }))
      expect([early.statusCode, early.headers['content-type']]).toEqual([401, plainJson])
      const invalid = {
        schema: { querystring: { type: 'object', required: ['q'] } },
        handler: () => ({}),
      }
      const refused = await ask(await serve(invalid))
      expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, plainJson])
      const failing = {
        errorHandler: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
          reply.send({}),
        handler: () => {
          throw new Error('x')
        },
      }
      const handled = await ask(await serve(failing))
      expect([handled.statusCode, handled.headers['content-type']]).toEqual([200, plainJson])
      for (const response of [early, refused, handled])
        expect(response.headers).toMatchObject({ vary: 'Accept', 'api-version': '2' })
    })
  })

  it.each(['application/json', 'application/vnd.acme+json'])(
    'are serialized by a schema under %s, whatever version was asked for',
    async (type) => {
      const schema = { type: 'object', properties: { id: { type: 'integer' } } }
      const app = await serve({
        schema: { response: { 200: { content: { [type]: { schema } } }, '4xx': schema } },
        handler: () => ({ id: 1, secret: 'x' }),
      })
      expect((await ask(app)).json()).toEqual({ id: 1 })
      expect((await app.inject('/api/x')).json()).toEqual({ id: 1 })
    },
  )

  describe('carry Vary: Accept', () => {
    it.each<[string, Handler, string]>([
      ['a handler', (_request, reply) => reply.header('vary', 'Origin').send({}), 'Origin, Accept'],
      [
        'a handler, with Accept in it',
        (_request, reply) => reply.header('Vary', 'origin, accept').send({}),
        'origin, accept',
      ],
      [
        'a handler, in a list',
        (_request, reply) => reply.header('vary', ['A', 'B'] as never).send({}),
        'A,B, Accept',
      ],
      [
        'a handler, on the raw response',
        (_request, reply) => {
          reply.raw.setHeader('Vary', 'Origin')
          return {}
        },
        'Origin, Accept',
      ],
      [
        'a Response',
        () => new Response('x', { status: 201, headers: { vary: 'Origin', x: '1' } }),
        'Origin, Accept',
      ],
    ])('next to the Vary of %s', async (_what, show, vary) => {
      const response = await ask(await serve(show))
      expect(response.headers['vary']).toBe(vary)
    })

    it('next to the Vary of hooks that the app adds later, in the action or in an onRoute hook', async () => {
      const onSend = async (_request: FastifyRequest, reply: FastifyReply) =>
        void reply.header('vary', 'Origin')
      const late = await serve(() => ({}))
      late.addHook('onSend', onSend)
      const inAction = await serve({ onSend, handler: () => ({}) })
      const inRoute = await serve(
        () => ({}),
        (app) => app.addHook('onRoute', (route) => void (route.onSend = [onSend])),
      )
      for (const method of ['GET', 'HEAD'] as const) {
        for (const app of [late, inAction, inRoute])
          for (const n of [1, 2])
            expect((await ask(app, n, method)).headers['vary'], `v${n} ${method}`).toBe(
              'Origin, Accept',
            )
        expect((await ask(late, 9, method)).headers['vary'], `${method} without an action`).toBe(
          'Origin, Accept',
        )
      }
    })

    it('next to the rest of a Response', async () => {
      const show = () => new Response('x', { status: 201, headers: { vary: 'Origin', x: '1' } })
      const response = await ask(await serve(show))
      expect([response.statusCode, response.body, response.headers['x']]).toEqual([201, 'x', '1'])
    })

    it('when an onSend hook fails', async () => {
      const app = await serve(
        () => ({}),
        (root) => {
          root.addHook('onSend', async () => {
            throw new Error('broken hook')
          })
        },
      )
      const response = await ask(app)
      expect(response.statusCode).toBe(500)
      expect(response.headers).toMatchObject({
        vary: 'Accept',
        'api-version': '2',
        'content-type': plainJson,
      })
    })
  })

  it('keep an API-Version that the handler sets', async () => {
    const app = await serve((_request: FastifyRequest, reply: FastifyReply) =>
      reply.header('api-version', '2.1').send({}),
    )
    expect((await ask(app)).headers['api-version']).toBe('2.1')
  })

  describe('to requests that no action serves', () => {
    async function refuse(
      problem: NonNullable<RouterOptions['problem']>,
      prepare = (_app: FastifyInstance): void => {},
    ) {
      const app = createApp()
      prepare(app)
      const xs = { show: () => 'x' }
      await app.register(createRouter(declared, { 1: { xs }, 2: { xs } } as never, { problem }))
      return ask(app, 9)
    }

    it('have the body that an asynchronous problem hook returns', async () => {
      const response = await refuse(async ({ type }) => {
        await new Promise(setImmediate)
        return { mine: type }
      })
      expect([response.statusCode, response.json()]).toEqual([
        406,
        { mine: 'urn:hv-router:not-acceptable' },
      ])
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    })
    it('keep the status and the Vary, whatever the hook sets', async () => {
      const response = await refuse((_problem, _request, reply) => {
        reply.code(200).type('text/plain').header('vary', 'Origin')
        return 'mine'
      })
      expect([response.statusCode, response.body]).toEqual([406, 'mine'])
      expect(response.headers).toMatchObject({
        'content-type': 'text/plain',
        vary: 'Origin, Accept',
      })
    })
    it('may be sent by the hook', async () => {
      const response = await refuse((_problem, _request, reply) => {
        reply.send('sent')
      })
      expect([response.statusCode, response.body, response.headers['vary']]).toEqual([
        406,
        'sent',
        'Accept',
      ])
    })
    it.each<[string, RouterOptions['problem'] & {}]>([
      ['throws', () => { throw new Error('failed') }], // prettier-ignore
      ['throws nothing', () => { throw undefined }], // prettier-ignore
      ['rejects', () => Promise.reject(new Error('failed'))],
    ])('have the status 500 when the hook %s', async (_how, hook) => {
      const response = await refuse(hook)
      expect([response.statusCode, response.headers['vary']]).toEqual([500, 'Accept'])
    })
    it('end in the error handler when the hook rejects', async () => {
      const response = await refuse(
        async () => {
          throw new Error('broken hook')
        },
        (app) =>
          app.setErrorHandler((error: Error, _request, reply) =>
            reply.code(500).send({ caught: error.message }),
          ),
      )
      expect([response.statusCode, response.json()]).toEqual([500, { caught: 'broken hook' }])
      expect(response.headers).toMatchObject({ vary: 'Accept', 'content-type': plainJson })
    })
    it('come before the body is read', async () => {
      const app = await serve(() => 'x')
      const response = await app.inject({
        method: 'POST',
        url: '/api/x',
        headers: { 'content-type': 'text/odd' },
        payload: '{',
      })
      expect(response.statusCode).toBe(405)
    })
    it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)(
      'leave preflights to @fastify/cors in the hook %s',
      async (hook) => {
        const cors = { origin: 'https://app.example', methods: ['GET', 'PUT'], hook }
        const app = await serve(
          () => 'x',
          (root) => void root.register(release.cors, cors),
        )
        const headers = { origin: cors.origin, 'access-control-request-method': 'PUT' }
        const response = await app.inject({ method: 'OPTIONS', url: '/api/x', headers })
        expect(response.statusCode).toBe(204)
        expect(response.headers).toMatchObject({
          'access-control-allow-origin': cors.origin,
          'access-control-allow-methods': 'GET, PUT',
        })
      },
    )
  })
})
