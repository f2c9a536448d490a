import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

const vendorTypes = [
  'application/vnd.acme+json',
  'application/vnd.ACME+json; version=2; charset=utf-8',
  'application/vnd.acme;version=1',
]
const jsonTypes = ['application/json', 'application/json; charset=utf-8', ...vendorTypes]

describe.each(releases)('JSON bodies on Fastify $version', (release) => {
  const createApp = createApps(release)
  const echo = (request: FastifyRequest) => ({
    body: request.body,
    type: request.headers['content-type'],
  })
  const controllers = (create: unknown) => {
    const users = { index: echo, show: echo, create }
    return { 1: { users }, 2: { users } } as never
  }
  async function serve(prepare: (app: FastifyInstance) => void = () => {}, create: unknown = echo) {
    const app = createApp({ bodyLimit: 100 })
    prepare(app)
    await app.register(createRouter(routes, controllers(create)))
    return app
  }
  const post = (app: FastifyInstance, type: string, payload = '{"name":"Ann"}', headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/users',
      headers: { 'content-type': type, ...headers },
      payload,
    })

  it.each(jsonTypes)(
    'are parsed, and the handler sees the type that was sent: %s',
    async (type) => {
      const app = await serve()
      expect((await post(app, type)).json()).toEqual({ body: { name: 'Ann' }, type })
      for (const [payload, code] of [
        ['{', 400],
        ['', 400],
        ['{"__proto__":{}}', 400],
        [`"${'x'.repeat(100)}"`, 413],
      ] as const)
        expect((await post(app, type, payload)).statusCode, `${payload.slice(0, 20)}`).toBe(code)
    },
  )

  it.each(jsonTypes)(
    'are parsed by the parser of the app, with its checks and its limit: %s',
    async (type) => {
      const app = await serve((root) =>
        root.addContentTypeParser(
          'application/json',
          { parseAs: 'string', bodyLimit: 20 },
          (request, body, done) => {
            if (request.headers['x-signature'] !== 'right')
              return done(Object.assign(new Error('unsigned'), { statusCode: 403 }))
            done(null, { signed: JSON.parse(body as string) as unknown })
          },
        ),
      )
      expect((await post(app, type)).statusCode).toBe(403)
      const signed = { 'x-signature': 'right' }
      expect((await post(app, type, '{"a":1}', signed)).json()).toEqual({
        body: { signed: { a: 1 } },
        type,
      })
      expect((await post(app, type, `"${'x'.repeat(20)}"`, signed)).statusCode).toBe(413)
    },
  )

  it.each(jsonTypes)(
    'pass the hooks of the app that look at application/json: %s',
    async (type) => {
      const seen: unknown[] = []
      const app = await serve((root) => {
        root.addHook(
          'preParsing',
          async (request) => void seen.push(request.headers['content-type']?.split(';')[0]),
        )
        root.addHook(
          'preValidation',
          async (request) => void seen.push(request.headers['content-type']?.split(';')[0]),
        )
        root.addHook(
          'onResponse',
          async (request) => void seen.push(request.headers['content-type']),
        )
      })
      await post(app, type)
      expect(seen).toEqual(['application/json', 'application/json', type])
    },
  )

  it.each(['application/vnd.acme+json', 'application/vnd.acme'])(
    'are parsed by the parser of the app for %s, where there is one',
    async (type) => {
      const app = await serve((root) =>
        root.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) =>
          done(null, `own ${body as string}`),
        ),
      )
      for (const sent of [type, `${type}; version=2`])
        expect((await post(app, sent, 'x')).json()).toEqual({ body: 'own x', type: sent })
    },
  )

  it('keep their type for the error handler, and in other content', async () => {
    const app = createApp()
    app.setErrorHandler((_error, request, reply) =>
      reply.code(400).send({ type: request.headers['content-type'] }),
    )
    app.post('/plain', echo)
    await app.register(createRouter(routes, controllers(echo)))
    expect((await post(app, vendorTypes[1]!, '{')).json()).toEqual({ type: vendorTypes[1] })
    for (const type of ['application/vnd.other+json', 'application/vnd.acmex+json', 'text/odd'])
      expect((await post(app, type)).json(), `${type}`).toEqual({ type })
    expect((await post(app, 'text/plain', 'text')).json()).toEqual({
      body: 'text',
      type: 'text/plain',
    })
    const plain = await app.inject({
      method: 'POST',
      url: '/plain',
      headers: { 'content-type': vendorTypes[0]! },
      payload: '{}',
    })
    expect(plain.statusCode).toBe(400)
  })

  it('are handed to the handler as a stream where the app parses them so', async () => {
    const app = await serve(
      (root) =>
        root.addContentTypeParser('application/json', (_request, payload, done) =>
          done(null, payload),
        ),
      async (request: FastifyRequest) => {
        let text = ''
        for await (const chunk of request.body as AsyncIterable<Buffer>) text += chunk.toString()
        return { text, type: request.headers['content-type'] }
      },
    )
    for (const type of jsonTypes)
      expect((await post(app, type, '{ }')).json()).toEqual({ text: '{ }', type })
  })

  it.each(jsonTypes)('are validated: %s', async (type) => {
    const app = await serve(undefined, {
      schema: { body: { type: 'object', required: ['email'] } },
      handler: echo,
    })
    expect((await post(app, type)).json()).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('email') as string,
    })
    expect((await post(app, type, '{"email":"x"}')).statusCode).toBe(200)
  })

  // Fastify 4 has no body schemas by content type.
  describe.runIf(release.version.startsWith('5'))('are validated by a schema under', () => {
    it.each(['application/json', 'application/vnd.acme+json', 'application/vnd.acme'])(
      '%s',
      async (key) => {
        const body = { content: { [key]: { schema: { type: 'object', required: ['email'] } } } }
        const app = await serve(undefined, { schema: { body }, handler: echo })
        for (const type of jsonTypes) {
          expect((await post(app, type)).statusCode, `${type}`).toBe(400)
          expect((await post(app, type, '{"email":"x"}')).statusCode, `${type}`).toBe(200)
        }
      },
    )
  })

  it("aren't read when no action serves the request", async () => {
    const app = await serve()
    const response = await post(app, vendorTypes[0]!, '{', { accept: accept(9) })
    expect(response.statusCode).toBe(406)
  })
})
