// What a conversion makes of a request is validated like a request of the newer version, ahead of every preHandler hook.
import { became, change } from '@hv/router'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { before, createRouter } from '../src/index.ts'
import { releases } from './releases.ts'
import { accept, createApps, routes } from './setup.ts'

const closed = { additionalProperties: false }
const User = Type.Object(
  {
    fullName: Type.String({ maxLength: 20 }),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    age: Type.Optional(Type.Integer()),
  },
  closed,
)
const OlderUser = Type.Object({ name: Type.String() })
type Older = { name: string } & Record<string, unknown>
const rename = ({ name, ...rest }: Older): never => ({ fullName: name, ...rest }) as never
const long = 'x'.repeat(21)
const refused = "body is rejected after the change 'A name is a fullName.'"
const tooLong = `${refused}: fullName must NOT have more than 20 characters`

interface Setup {
  readonly up?: (older: Older) => unknown
  readonly action?: object
  readonly options?: FastifyServerOptions
  readonly prepare?: (app: FastifyInstance) => void
}

describe.each(releases)('a converted request on Fastify $version', (release) => {
  const createApp = createApps(release)

  async function serve({ up = rename, action = {}, options = {}, prepare = () => {} }: Setup = {}) {
    const create = {
      schema: { body: User },
      handler: async ({ body }: FastifyRequest) => ({ handled: body }),
      ...action,
    }
    const v2 = { users: { index: () => '', create, show: () => '' } }
    const v1 = before(
      v2,
      change('A name is a fullName.', became(OlderUser, User, { up: up as never })),
    )
    const app = createApp(options)
    prepare(app)
    await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
    return async (payload: object, version = 1) => {
      const response = await app.inject({
        method: 'POST',
        url: '/api/users',
        headers: { accept: accept(version) },
        payload,
      })
      return [
        response.statusCode,
        response.json<{ message: string }>().message ?? response.json(),
        response.headers['vary'],
      ]
    }
  }

  it('is refused in the name of the change', async () => {
    const post = await serve()
    expect(await post({ name: 'Dora' })).toEqual([200, { handled: { fullName: 'Dora' } }, 'Accept'])
    expect(await post({ name: long })).toEqual([400, tooLong, 'Accept'])
    expect(await post({ name: 'Dora', tags: ['a', 'b', 'c', 'd'] })).toEqual([
      400,
      `${refused}: tags must NOT have more than 3 items`,
      'Accept',
    ])
    expect(await post({ name: 7 })).toEqual([200, { handled: { fullName: '7' } }, 'Accept'])
    expect(await post({})).toEqual([400, "body must have required property 'name'", 'Accept'])
  })

  it('is refused in the name of the change when it lacks a newer property', async () => {
    const post = await serve({ up: () => ({}) })
    const message = `${refused}: must have required property 'fullName'`
    expect(await post({ name: 'Dora' })).toEqual([400, message, 'Accept'])
  })

  it('loses the properties that the newer version removes, and is coerced as it coerces', async () => {
    const post = await serve()
    const handled = { handled: { fullName: 'Dora', age: 7 } }
    expect(await post({ name: 'Dora', age: '7', role: 'admin' })).toEqual([200, handled, 'Accept'])
    expect(await post({ fullName: 'Dora', age: '7', role: 'admin' }, 2)).toEqual([
      200,
      handled,
      'Accept',
    ])
    const strict = await serve({ options: { ajv: { customOptions: { removeAdditional: false } } } })
    const message = `${refused}: must NOT have additional properties`
    expect(await strict({ name: 'Dora', role: 'admin' })).toEqual([400, message, 'Accept'])
    expect(await strict({ fullName: 'Dora', role: 'admin' }, 2)).toEqual([
      400,
      expect.any(String),
      'Accept',
    ])
  })

  it('may become a number, and is coerced as it coerces', async () => {
    const [Older, Count] = [Type.Object({ count: Type.String() }), Type.Integer()]
    const up = ({ count }: { readonly count: string }) => count as never
    const schema = { body: Count }
    const create = { schema, handler: async ({ body }: FastifyRequest) => ({ handled: body }) }
    const v2 = { users: { index: () => '', create, show: () => '' } }
    const v1 = before(v2, change('A count is a number.', became(Older, Count, { up })))
    const app = createApp()
    await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
    const response = await app.inject({
      method: 'POST',
      url: '/api/users',
      headers: { accept: accept(1) },
      payload: { count: '7' },
    })
    expect(response.json()).toEqual({ handled: 7 })
  })

  it('is seen by every preHandler hook: of the app, of the plugin and of the action', async () => {
    const seen: unknown[] = []
    const note = async ({ body }: FastifyRequest): Promise<void> => void seen.push(body)
    const app = createApp()
    app.addHook('preHandler', note)
    const create = { schema: { body: User }, preHandler: note, handler: async () => ({}) }
    const v2 = { users: { index: () => '', create, show: () => '' } }
    const v1 = before(v2, change('x', became(OlderUser, User, { up: rename })))
    await app.register(async (plugin) => {
      plugin.addHook('preHandler', note)
      await plugin.register(createRouter(routes, { 1: v1, 2: v2 } as never))
    })
    await app.inject({
      method: 'POST',
      url: '/api/users',
      headers: { accept: accept(1) },
      payload: { name: 'Dora' },
    })
    expect(seen).toEqual([{ fullName: 'Dora' }, { fullName: 'Dora' }, { fullName: 'Dora' }])
  })

  it('needs no other route with a schema', async () => {
    const app = createApp()
    const create = { schema: { body: User }, handler: async ({ body }: FastifyRequest) => body }
    const v2 = { users: { index: () => '', create, show: () => '' } }
    const any = change(
      'x',
      became(Type.Union([Type.String(), Type.Null()]), User, {
        up: (older) => ({ fullName: String(older) }),
      }),
    )
    const v1 = before(v2, any)
    await app.register(
      createRouter(routes, {
        1: v1,
        2: { ...v2, users: { ...v2.users, create: () => '' } },
      } as never),
    )
    const post = async (payload: string) => {
      const headers = { accept: accept(1), 'content-type': 'application/json' }
      return (await app.inject({ method: 'POST', url: '/api/users', headers, payload })).body
    }
    expect(await post('"Dora"')).toBe('{"fullName":"Dora"}')
    expect(await post(`"${long}"`)).toContain('more than 20 characters')
  })

  // Fastify 4 has no body schemas by content type.
  it.runIf(release.version.startsWith('5'))(
    'needs no other schema than those of its media types',
    async () => {
      const typed = (schema: object) => ({
        content: { 'application/json': { schema }, 'text/plain': { schema: {} } },
      })
      const create = {
        schema: { body: typed(User) },
        handler: async ({ body }: FastifyRequest) => ({ handled: body }),
      }
      const v2 = { users: { index: () => '', create, show: () => '' } }
      const app = createApp()
      const renamed = change('A name is a fullName.', became(OlderUser, User, { up: rename }))
      const v1 = before(v2, renamed)
      await app.register(
        createRouter(routes, {
          1: v1,
          2: { ...v2, users: { ...v2.users, create: () => '' } },
        } as never),
      )
      const post = async (payload: object) =>
        (
          await app.inject({
            method: 'POST',
            url: '/api/users',
            headers: { accept: accept(1) },
            payload,
          })
        ).body
      expect(await post({ name: 'Dora' })).toBe('{"handled":{"fullName":"Dora"}}')
      expect(await post({ name: long })).toContain(tooLong)
    },
  )

  it('goes to the formatter, the error handler and the compiler of the action', async () => {
    const formatted = await serve({
      action: {
        schemaErrorFormatter: ([one]: { instancePath: string }[]) =>
          new Error(`formatted ${one?.instancePath}`),
      },
    })
    expect(await formatted({ name: long })).toEqual([400, 'formatted ', 'Accept'])
    const handled = await serve({
      action: {
        errorHandler: (
          error: { validation: object[] },
          _: unknown,
          reply: { send(body: object): void },
        ) => reply.send({ message: error.validation.length }),
      },
    })
    expect(await handled({ name: long })).toEqual([200, 1, 'Accept'])
    const compiled = await serve({
      action: {
        validatorCompiler: () => (value: { fullName?: string }) =>
          value.fullName === long ? { error: new Error('compiled') } : { value },
      },
    })
    const message = "is rejected after the change 'A name is a fullName.': compiled"
    expect(await compiled({ name: long })).toEqual([400, message, 'Accept'])
    expect(await compiled({ name: 'Dora' })).toEqual([
      200,
      { handled: { fullName: 'Dora' } },
      'Accept',
    ])
  })

  it('leaves refusals to an action with attachValidation, and no failures', async () => {
    const handler = async ({ body, validationError }: FastifyRequest) => ({
      message: validationError?.message ?? body,
    })
    const attach = { attachValidation: true, handler }
    const post = await serve({ action: attach })
    expect(await post({ name: 'Dora' })).toEqual([200, { fullName: 'Dora' }, 'Accept'])
    expect(await post({ name: long })).toEqual([200, tooLong, 'Accept'])
    const failing = await serve({ action: attach, up: () => { throw new Error('failed') } }) // prettier-ignore
    expect(await failing({ name: 'Dora' })).toEqual([500, 'failed', 'Accept'])
  })

  const failures: readonly (readonly [what: string, message: string, up: () => unknown])[] = [
    ['an error', 'failed', () => { throw new Error('failed') }], // prettier-ignore
    // oxlint-disable-next-line no-throw-literal -- that is the test
    ['undefined', "the change 'A name is a fullName.' threw undefined", () => { throw undefined }], // prettier-ignore
    [
      'a promise',
      "the change 'A name is a fullName.' can't be undone: its conversion returns a promise",
      () => Promise.reject(new Error('no')),
    ],
    ['null', "the change 'A name is a fullName.' converts a request to null", () => null],
  ]
  it.each(failures)(
    'is an error with status 500 when the conversion makes %s of it',
    async (_what, message, up) => {
      const User2 = Type.Union([User, Type.Null()])
      const create = { schema: { body: User2 }, handler: async () => ({ message: 'handled' }) }
      const v2 = { users: { index: () => '', create, show: () => '' } }
      const app = createApp()
      const v1 = before(
        v2,
        change('A name is a fullName.', became(OlderUser, User2, { up: up as never })),
      )
      await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
      const headers = { accept: accept(1) }
      const response = await app.inject({
        method: 'POST',
        url: '/api/users',
        headers,
        payload: { name: 'Dora' },
      })
      expect([
        response.statusCode,
        response.json<{ message: string }>().message,
        response.headers['vary'],
      ]).toEqual([500, expect.stringContaining(message), 'Accept'])
    },
  )

  it('may be any part of the request, headers with capital letters included', async () => {
    const parts = {
      params: [
        Type.Object({ id: Type.String() }),
        Type.Object({ id: Type.Integer({ maximum: 9 }) }),
        { id: '5' },
        { id: '10' },
      ],
      querystring: [
        Type.Object({ size: Type.Integer() }),
        Type.Object({ limit: Type.Integer({ maximum: 9 }) }),
        { size: 5 },
        { size: 10 },
      ],
      headers: [
        Type.Object({ 'X-Team': Type.String() }),
        {
          type: 'object',
          properties: { 'X-Group': { type: 'string', maxLength: 2 } },
          required: ['X-Group'],
        },
        { 'x-team': 'a' },
        { 'x-team': 'abc' },
      ],
    } as const
    const ups = {
      params: (value: object) => value,
      querystring: ({ size }: { size: number }) => ({ limit: size }),
      headers: (value: Record<string, string>) => ({ ...value, 'x-group': value['x-team'] }),
    }
    const show = {
      schema: {
        params: parts.params[1],
        querystring: parts.querystring[1],
        headers: parts.headers[1],
      },
      handler: async ({ params, query, headers }: FastifyRequest) => ({
        params,
        query,
        group: headers['x-group'],
      }),
    }
    const v2 = { users: { index: () => '', create: () => '', show } }
    const names = ['params', 'querystring', 'headers'] as const
    const v1 = before(
      v2,
      ...names.map((name) =>
        change(name, became(parts[name][0], parts[name][1], { up: ups[name] as never })),
      ),
    )
    const app = createApp()
    await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
    const ask = async (wrong?: (typeof names)[number]) => {
      const [params, query, headers] = names.map((name) => parts[name][name === wrong ? 3 : 2]) as [
        { id: string },
        Record<string, number>,
        Record<string, string>,
      ]
      const url = `/api/users/${params.id}?${new URLSearchParams(query as never)}`
      return (await app.inject({ url, headers: { accept: accept(1), ...headers } })).json()
    }
    expect(await ask()).toEqual({ params: { id: 5 }, query: { limit: 5 }, group: 'a' })
    expect(await ask('params')).toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/^params.* must be <= 9$/),
    })
    expect(await ask('querystring')).toMatchObject({
      statusCode: 400,
      message: "querystring is rejected after the change 'querystring': limit must be <= 9",
    })
    expect(await ask('headers')).toMatchObject({
      statusCode: 400,
      message:
        "headers is rejected after the change 'headers': x-group must NOT have more than 2 characters",
    })
  })

  it('goes through every version on its way, also of a chain that before() was called for twice', async () => {
    const Newest = Type.Object({ title: Type.String() })
    const create = {
      schema: { body: Newest, response: { 200: Newest } },
      handler: async ({ body }: FastifyRequest) => body,
    }
    const v3 = { users: { index: () => '', create, show: () => '' } }
    const title = change(
      'A fullName is a title.',
      became(User, Newest, {
        up: ({ fullName }) => ({ title: fullName.trim() }),
        down: ({ title: text }) => ({ fullName: text }),
      }),
    )
    const name = change(
      'A name is a fullName.',
      became(OlderUser, User, { up: rename, down: ({ fullName }) => ({ name: fullName }) }),
    )
    for (const v1 of [before(before(v3, title), name), before(v3, name, title)]) {
      const app = createApp()
      await app.register(createRouter(routes, { 1: v1, 2: v3 } as never))
      const post = async (payload: object) =>
        (
          await app.inject({
            method: 'POST',
            url: '/api/users',
            headers: { accept: accept(1) },
            payload,
          })
        ).json()
      expect(await post({ name: ' Dora' })).toEqual({ name: 'Dora' })
      expect(await post({ name: long })).toMatchObject({
        message: tooLong,
      })
    }
  })

  it('is validated by the schema library of the app', async () => {
    const NewUser = z.strictObject({ fullName: z.string().max(20) })
    const Loose = z.looseObject({ name: z.string() })
    const create = { schema: { body: NewUser }, handler: async ({ body }: FastifyRequest) => body }
    const v2 = { users: { index: () => '', create, show: () => '' } }
    const app = createApp()
    app.setValidatorCompiler(validatorCompiler as never)
    app.setSerializerCompiler(serializerCompiler as never)
    const v1 = before(v2, change('x', became(Loose, NewUser, { up: rename as never })))
    await app.register(createRouter(routes, { 1: v1, 2: v2 } as never))
    const post = async (payload: object) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/users',
          headers: { accept: accept(1) },
          payload,
        })
      ).body
    expect(await post({ name: 'Dora' })).toBe('{"fullName":"Dora"}')
    expect(await post({ name: long })).toContain(
      "body is rejected after the change 'x': fullName Too big",
    )
    expect(await post({ name: 'Dora', role: 'admin' })).toContain("after the change 'x'")
  })
})
