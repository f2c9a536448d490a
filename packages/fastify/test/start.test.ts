import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

it('says so in an app of a different framework', async () => {
  const users = { index: () => 'x', create: () => 'x', show: () => 'x' }
  const router = createRouter(routes, { 1: { users }, 2: { users } })
  // Express calls its middleware with the request and the response.
  await expect(router({ headers: {} } as never, {})).rejects.toThrow(
    'HV_OPTION: @hv/router-fastify requires the app to be a Fastify app.',
  )
})

describe.each(releases)('the start on Fastify $version', (release) => {
  const createApp = createApps(release)
  const users = { index: () => 'x', create: () => 'x', show: () => 'x' }
  const router = () => createRouter(routes, { 1: { users }, 2: { users } })

  // The plugin rewrites URLs in a constraint strategy. No documentation says that Fastify reads them afterwards.
  it.each([
    ['synchronous', (_request: object, _context: unknown) => 1],
    [
      'asynchronous',
      (_request: object, _context: unknown, done: (error: null, value: number) => void) =>
        void setImmediate(done, null, 1),
    ],
  ])(
    'looks up the URL that a strategy has written, beside a strategy that is %s',
    async (_what, deriveConstraint) => {
      const app = createApp()
      const strategy = { validate() {}, storage: () => new Map() }
      const rewrite = (request: { url: string }) => (request.url = '/written').length
      app.addConstraintStrategy({
        name: 'rewriting',
        ...strategy,
        deriveConstraint: rewrite,
      } as never)
      app.addConstraintStrategy({ name: 'other', ...strategy, deriveConstraint } as never)
      app.get('/written', { constraints: { rewriting: 8, other: 1 } }, () => 'written')
      expect((await app.inject('/sent')).body).toBe('written')
    },
  )

  it('works beside strategies of the app that read the URL, before or after', async () => {
    const app = createApp()
    const read = ({ url }: { url: string }) => url.length
    const strategy = { validate() {}, storage: () => new Map(), deriveConstraint: read }
    for (const name of ['before', 'after'])
      app.addConstraintStrategy({ name, ...strategy } as never)
    app.get('/before', { constraints: { before: 7 } }, () => 'before')
    app.register(router())
    app.after(() => app.get('/after', { constraints: { after: 6 } }, () => 'after'))
    expect((await app.inject('/api/users/')).body).toBe('x')
    expect((await app.inject('/before')).body).toBe('before')
    expect((await app.inject('/after')).body).toBe('after')
  })

  it.each([
    ['a compiled router', { routerOptions: { compile: true } }, {}],
    ['rewriteUrl', { rewriteUrl: ({ url }: { url: string }) => url.replace('/v0', '') }, {}],
    [
      'a strategy that reads the URL',
      {},
      { deriveConstraint: ({ url }: { url: string }) => url.length },
    ],
    [
      'a strategy that requires a header',
      {},
      {
        deriveConstraint: ({ headers }: { headers: Record<string, string> }) =>
          headers['x-tenant']!.length,
      },
    ],
    [
      'an asynchronous strategy',
      {},
      {
        deriveConstraint: (
          _request: object,
          _context: unknown,
          done: (error: null, value: number) => void,
        ) => void setTimeout(done, 5, null, 1),
      },
    ],
  ])('works next to %s', async (_what, options, strategy) => {
    const app = createApp(options as FastifyServerOptions)
    if ('deriveConstraint' in strategy) {
      app.addConstraintStrategy({
        name: 'tenant',
        validate() {},
        storage: () => new Map(),
        ...strategy,
      } as never)
      app.get('/tenant', { constraints: { tenant: 7 } }, () => 'tenant')
    }
    app.register(router())
    const headers = { accept: accept(2), 'x-tenant': 'acme' }
    expect((await app.inject({ url: '/api/users/7.json', headers })).body).toBe('x')
  })

  it('fails when the controllers lack actions, all at once', () => {
    expect(() =>
      createRouter(routes, { 1: { users: { index: () => '', show() {} } } } as never),
    ).toThrow(
      "HV_MISSING_ACTIONS: the routes require actions that the controllers don't have:\n  controllers[1].users.create\n  controllers[2].users\n",
    )
  })

  it("rejects an option that createRouter doesn't have", () => {
    expect(() => createRouter(routes, {} as never, { prefix: '/v' } as object)).toThrow(
      "HV_OPTION: createRouter() has no option 'prefix'. Its options: problem, ",
    )
  })

  it("ends in an error, not in a crash, when a route can't be registered", async () => {
    const app = createApp()
    const invalid = { schema: { body: { type: 'nonsense' } }, handler: () => 'x' }
    app.register(
      createRouter(routes, { 1: { users: { ...users, create: invalid } }, 2: { users } }),
    )
    await expect(app.ready().then(() => 'started')).rejects.toThrow(
      'Failed building the validation schema',
    )
  })

  it.each<[what: string, schema: object, set: string]>([
    ['a body of zod', { body: z.object({ name: z.string() }) }, 'setValidatorCompiler'],
    [
      'a response of zod',
      { response: { 201: z.object({ name: z.string() }) } },
      'setSerializerCompiler',
    ],
    [
      'another library',
      { body: Object.assign(() => null, { '~standard': { version: 1, vendor: 'arktype' } }) },
      'setValidatorCompiler',
    ],
  ])('says which compiler is missing for %s', async (_what, schema, set) => {
    const app = createApp()
    const create = { schema, handler: () => 'x' }
    app.register(
      createRouter(routes, { 1: { users: { ...users, create } }, 2: { users } } as never),
    )
    await expect(app.ready().then(() => 'started')).rejects.toThrow(
      `POST: /api/users, due to error the app has no compiler for the schema. Call app.${set}() with the schema library's compiler`,
    )
  })

  it('says so beside routes that Fastify compiles', async () => {
    const app = createApp()
    app.post('/json', { schema: { body: { type: 'object' } } }, () => 'json')
    const create = { schema: { body: z.object({ name: z.string() }) }, handler: () => 'x' }
    app.register(
      createRouter(routes, { 1: { users: { ...users, create } }, 2: { users } } as never),
    )
    await expect(app.ready().then(() => 'started')).rejects.toThrow(
      'Call app.setValidatorCompiler() with',
    )
  })

  describe('with schemas of responses', () => {
    const same = { type: 'object', properties: { id: { type: 'integer' } } }
    const other = { type: 'object', properties: { id: { type: 'string' } } }
    /** Serves two versions, and returns the serializer of each request. */
    async function serializersOf(set: (app: FastifyInstance) => void): Promise<unknown[]> {
      const app = createApp()
      const serializers: unknown[] = []
      set(app)
      app.addHook('onRequest', async (_request, reply) => {
        serializers.push(reply.getSerializationFunction('200'))
        expect(reply.compileSerializationSchema(same)({ id: 7 })).toBe('{"id":7}')
      })
      const show = (schema: object) => ({
        schema: { response: { 200: schema } },
        handler: () => ({ id: 7 }),
      })
      const on = (index: object, one: object) => ({
        users: { ...users, index: show(index), show: show(one) },
      })
      app.register(createRouter(routes, { 1: on(same, same), 2: on(other, same) }))
      const send = (url: string, n: number) => app.inject({ url, headers: { accept: accept(n) } })
      expect((await send('/api/users', 1)).body).toBe('{"id":7}')
      expect((await send('/api/users', 2)).body).toBe('{"id":"7"}')
      await send('/api/users/7', 1)
      return serializers
    }

    it('compiles each once, for all versions and routes', async () => {
      const [first, second, third] = await serializersOf(() => {})
      expect(first).toBe(third)
      expect(first).not.toBe(second)
    })

    it("calls the app's own compiler for each", async () => {
      const compile =
        ({ schema }: { schema: object }) =>
        ({ id }: { id: number }) =>
          JSON.stringify({ id: schema === other ? String(id) : id })
      const [first, , third] = await serializersOf((app) =>
        app.setSerializerCompiler(compile as never),
      )
      expect(first).not.toBe(third)
    })

    it('fails when one is invalid, in any version', async () => {
      const app = createApp()
      const index = { schema: { response: { 200: { type: 'nonsense' } } }, handler: () => 'x' }
      app.register(createRouter(routes, { 1: { users }, 2: { users: { ...users, index } } }))
      await expect(app.ready().then(() => 'started')).rejects.toThrow(
        'Failed building the serialization schema for',
      )
    })
  })

  it("uses the compilers of the app, also when they're set after the router", async () => {
    const app = createApp()
    const create = { schema: { body: z.object({ name: z.string() }) }, handler: () => 'x' }
    app.register(
      createRouter(routes, { 1: { users: { ...users, create } }, 2: { users } } as never),
    )
    const validatorCompiler =
      ({ schema }: { schema: z.ZodType }) =>
      (body: unknown) => {
        const { success, data, error } = schema.safeParse(body)
        return success ? { value: data } : { error }
      }
    app.setValidatorCompiler(validatorCompiler as never)
    const send = async (payload: object) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/users',
          payload,
          headers: { accept: accept(1) },
        })
      ).statusCode
    expect([await send({ name: 'Ada' }), await send({ name: 7 })]).toEqual([200, 400])
  })
})
