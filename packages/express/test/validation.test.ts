import { api, cache, inherit, resources, routeTable, version } from '@hv/router'
import { createValidation, validatePart } from '@hv/router/adapter'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { type } from 'arktype'
import express, { type NextFunction, type Request, type Response } from 'express'
import express4 from 'express4'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type RouterOptions,
  ValidationError,
  action,
  ajvValidator,
  createRouter,
} from '../src/index.ts'
import { jsonOf, listen, send } from './listen.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const accept = (number: number) => ({ accept: `application/vnd.acme+json;version=${number}` })
const ajv = new Ajv()
const echo = ({ params, query, body }: Request, res: Response) =>
  void res.json({ params, query, body })
const onError = (
  error: Error & { status?: number },
  _req: Request,
  res: Response,
  _next: NextFunction,
) => void res.status(error.status ?? 500).json({ name: error.name, message: error.message })

/** Serves actions as version 1; version 2 has no schemas. */
const serve = (actions: object, options: RouterOptions = {}, create: typeof express = express) => {
  const plain = { index: echo, show: echo, create: echo }
  const controllers = { 1: { users: { ...plain, ...actions } }, 2: { users: plain } }
  const app = create().use(create.json({ limit: '2mb' }))
  return listen(app.use(createRouter(routes, controllers as never, options)).use(onError))
}
const post = async (port: number, body: unknown, number = 1) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { ...accept(number), 'content-type': 'application/json' }
  const received = await send(port, { method: 'POST', path: '/api/users', headers, body: text })
  return {
    status: received.status,
    json: jsonOf(received) as { body?: unknown; name?: string; message?: string },
  }
}

describe.each([
  ['Express 5', express],
  ['Express 4', express4 as unknown as typeof express],
])('a JSON body that nothing has parsed, on %s', (_name, create) => {
  const users = {
    index: echo,
    show: echo,
    create: { schema: { body: z.object({ name: z.string() }) }, handler: echo },
  }
  const router = createRouter(routes, { 1: { users }, 2: { users } })
  const mount = 'Mount express.json() before the router.'

  it('is refused with 415, and the parser to mount', async () => {
    const port = await listen(create().use(router).use(create.json()).use(onError))
    expect(await post(port, { name: 'dora' })).toMatchObject({
      status: 415,
      json: { message: expect.stringContaining(mount) },
    })
  })
  it("isn't refused by an action that doesn't read it", async () => {
    const schema = { querystring: z.object({ dry: z.string().optional() }) }
    const create1 = { index: echo, show: echo, create: { schema, handler: echo } }
    const unread = createRouter(routes, { 1: { users: create1 }, 2: { users: create1 } })
    const port = await listen(create().use(unread).use(onError))
    expect(await post(port, { name: 'dora' })).toMatchObject({ status: 200 })
  })
  it("isn't meant when there's a parser, no body, or another type", async () => {
    const parsed = await listen(create().use(create.json(), router).use(onError))
    expect((await post(parsed, { name: 'dora' })).status).toBe(200)
    const port = await listen(create().use(router).use(onError))
    expect((await post(port, '')).status).toBe(400)
    const headers = { ...accept(1), 'content-type': 'text/plain' }
    expect(
      (await send(port, { method: 'POST', path: '/api/users', headers, body: 'dora' })).status,
    ).toBe(400)
  })
})

describe('six schema libraries', () => {
  const closed = { additionalProperties: false }
  const libraries: Record<string, object> = {
    'JSON Schema': {
      type: 'object',
      properties: { name: { type: 'string', minLength: 2 } },
      required: ['name'],
      ...closed,
    },
    'TypeBox 0.34': TypeBox034.Object({ name: TypeBox034.String({ minLength: 2 }) }, closed),
    'TypeBox 1': Type.Object({ name: Type.String({ minLength: 2 }) }, closed),
    zod: z.strictObject({ name: z.string().min(2) }),
    ArkType: type({ '+': 'reject', name: 'string >= 2' }),
    Valibot: v.strictObject({ name: v.pipe(v.string(), v.minLength(2)) }),
  }
  it.each(Object.entries(libraries))('%s', async (_name, body) => {
    const port = await serve(
      { create: { schema: { body }, handler: echo } },
      { validator: ajvValidator(ajv) },
    )
    expect(await post(port, { name: 'dora' })).toMatchObject({
      status: 200,
      json: { body: { name: 'dora' } },
    })
    for (const wrong of [{ name: 'd' }, { name: 7 }, {}, [], { name: 'dora', role: 'admin' }])
      expect(await post(port, wrong)).toMatchObject({
        status: 400,
        json: { name: 'ValidationError', message: expect.stringMatching(/^body(?:\/\w+)? \w/) },
      })
    expect((await post(port, { name: 7 }, 2)).status).toBe(200)
  })

  it.each(Object.entries(libraries))('%s reports paths of plain keys', async (_name, body) => {
    const issuesOf = async (value: unknown) => {
      const [row] = routeTable(routes)
      const [part] = createValidation(row!, { schema: { body } }, ajvValidator(ajv))
      const error: unknown = await validatePart(part!, value).catch((thrown: unknown) => thrown)
      return (error as ValidationError).issues
    }
    expect(await issuesOf({ name: 'd' })).toEqual([{ message: expect.any(String), path: ['name'] }])
    expect(await issuesOf(7)).toEqual([{ message: expect.any(String), path: [] }])
  })

  it("distinguishes an asynchronous keyword's failure from an invalid value", async () => {
    const failing = new Ajv().addKeyword({
      keyword: 'isKnown',
      async: true,
      validate: (names: string[], name: string) =>
        names.includes(name) ? Promise.resolve(false) : Promise.reject(new Error('no database')),
    })
    const body = { $async: true, isKnown: ['dora'] }
    const [row] = routeTable(routes)
    const [part] = createValidation(row!, { schema: { body } }, ajvValidator(failing))
    await expect(validatePart(part!, 'dora')).rejects.toMatchObject({ name: 'ValidationError' })
    await expect(validatePart(part!, 'ann')).rejects.toThrow(/^no database$/)
  })
})

describe.each([
  ['Express 4', express4 as unknown as typeof express],
  ['Express 5', express],
])('%s', (_name, create) => {
  it('validates and converts path parameters, query, headers and body, after `use`', async () => {
    const order: string[] = []
    const port = await serve(
      {
        show: action({
          schema: {
            params: z.object({ id: z.coerce.number() }),
            querystring: z.object({ limit: z.coerce.number().default(50) }),
            headers: z.object({ 'x-run': z.coerce.number() }),
          },
          use: [(req, _res, next) => next(void order.push(`use ${typeof req.params['id']}`))],
          handler: ({ params, query, headers }, res) => {
            order.push('handler')
            res.json([params, query, query, headers['x-run'], headers.accept])
          },
        }),
      },
      {},
      create,
    )
    const get = (path: string, headers = {}) =>
      send(port, { path, headers: { ...accept(1), ...headers } })
    expect(jsonOf(await get('/api/users/7?limit=2', { 'x-run': '3' }))).toEqual([
      { id: 7 },
      { limit: 2 },
      { limit: 2 },
      3,
      accept(1).accept,
    ])
    expect(order).toEqual(['use string', 'handler'])
    expect(jsonOf(await get('/api/users/7', { 'x-run': '3' }))).toContainEqual({ limit: 50 })
    for (const [path, part] of [
      ['/api/users/x', 'params/id'],
      ['/api/users/7?limit=x', 'query/limit'],
      ['/api/users/7', 'headers/x-run'],
    ])
      expect(jsonOf(await get(path!))).toMatchObject({ message: expect.stringContaining(part!) })
  })

  it('adds one step to a route, and none without schemas', async () => {
    const handler = (req: Request, res: Response) => void res.json(req.route.stack.length)
    const documented = { summary: 'Lists users', response: { 200: { type: 'array' } } }
    for (const [steps, index] of [
      [1, handler],
      [1, { schema: documented, handler }],
      [2, { schema: { ...documented, headers: z.object({}), querystring: z.object({}) }, handler }],
    ] as const) {
      const port = await serve({ index }, {}, create)
      expect(jsonOf(await send(port, { path: '/api/users', headers: accept(1) }))).toBe(steps)
    }
  })

  it('passes an instance of ValidationError to the error handler of the app', async () => {
    const controllers = {
      index: echo,
      show: echo,
      create: { schema: { body: z.object({ a: z.string() }) }, handler: echo },
    }
    const app = create().use(
      create.json(),
      createRouter(routes, { 1: { users: controllers }, 2: { users: controllers } }),
    )
    app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
      if (error instanceof ValidationError)
        res.status(422).json({ part: error.part, issues: error.issues })
    })
    const headers = { 'content-type': 'application/json' }
    const received = await send(await listen(app), {
      method: 'POST',
      path: '/api/users',
      headers,
      body: '{}',
    })
    expect(received.status).toBe(422)
    expect(jsonOf(received)).toMatchObject({ part: 'body', issues: [{ path: ['a'] }] })
  })

  it("gives the error handler zod's own issues and Ajv's errors, for an app that keeps their format", async () => {
    const zod = z.object({ name: z.string(), age: z.number().min(18) })
    const json = { type: 'object', properties: { age: { type: 'number', minimum: 18 } } }
    const sent = { age: 7 }
    const validate = ajv.compile(json)
    validate(sent)
    const [ajvError] = validate.errors!
    for (const [body, issues] of [
      [zod, zod.safeParse(sent).error!.issues],
      [json, [{ ...ajvError, path: ['age'] }]],
    ] as const) {
      const users = { index: echo, show: echo, create: { schema: { body }, handler: echo } }
      const validator = ajvValidator(ajv)
      const app = create().use(
        create.json(),
        createRouter(routes, { 1: { users }, 2: { users } }, { validator }),
      )
      app.use((error: ValidationError, _req: Request, res: Response, _next: NextFunction) => {
        res.status(422).json({ issues: error.cause })
      })
      const received = await send(await listen(app), {
        method: 'POST',
        path: '/api/users',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      expect([received.status, jsonOf(received)]).toEqual([
        422,
        { issues: JSON.parse(JSON.stringify(issues)) },
      ])
    }
  })

  it('sends 400 with the message when the app has no error handler', async () => {
    const create1 = { schema: { body: z.object({ a: z.string() }) }, handler: echo }
    const users = { index: echo, show: echo, create: create1 }
    const app = create().use(create.json(), createRouter(routes, { 1: { users }, 2: { users } }))
    app.set('env', 'production')
    const headers = { 'content-type': 'application/json' }
    const received = await send(await listen(app), {
      method: 'POST',
      path: '/api/users',
      headers,
      body: '{}',
    })
    expect(received.status).toBe(400)
  })
})

describe('a JSON Schema', () => {
  const schema = { body: { type: 'object' } }
  it('requires a validator at start-up', () => {
    const users = { index: echo, show: echo, create: { schema, handler: echo } }
    expect(() => createRouter(routes, { 1: { users }, 2: { users } })).toThrow(
      'HV_NO_VALIDATOR: api/v1/users#create in version 1 declares its body as JSON Schema, and nothing validates it.',
    )
  })
  it("isn't validated with `validator: false`", async () => {
    expect(
      (await post(await serve({ create: { schema, handler: echo } }, { validator: false }), []))
        .status,
    ).toBe(200)
  })
  it('may be asynchronous', async () => {
    const taken = {
      async: true,
      type: 'string',
      validate: async (_: unknown, name: string) => name !== 'dora',
    } as const
    const validator = ajvValidator(new Ajv().addKeyword({ keyword: 'isFree', ...taken }))
    const name = { type: 'string', isFree: true }
    const body = { $async: true, type: 'object', properties: { name }, required: ['name'] }
    const port = await serve({ create: { schema: { body }, handler: echo } }, { validator })
    expect(await post(port, { name: 'ada' })).toMatchObject({
      status: 200,
      json: { body: { name: 'ada' } },
    })
    expect(await post(port, {})).toMatchObject({ status: 400, json: { name: 'ValidationError' } })
    expect(await post(port, { name: 'dora' })).toMatchObject({
      status: 400,
      json: { message: 'body/name must pass "isFree" keyword validation' },
    })
  })
  it('stops the start when a part is misspelled', () => {
    const users = {
      index: { schema: { query: schema.body }, handler: echo },
      show: echo,
      create: echo,
    }
    const validator = ajvValidator(ajv)
    expect(() =>
      createRouter(routes, { 1: { users }, 2: { users } } as never, { validator }),
    ).toThrow("HV_OPTION: the schema of api/v1/users#index in version 1 has no option 'query'.")
  })
  it.each([
    ['type', { type: 'strin' }, 'data/type must be equal to one of the allowed values'],
    ['keyword', { type: 'string', foo: 1 }, 'strict mode: unknown keyword: "foo"'],
  ])('stops the start when Ajv rejects a %s', (_what, body, reason) => {
    const users = { index: echo, show: echo, create: { schema: { body }, handler: echo } }
    const message =
      'HV_INVALID_SCHEMA: api/v1/users#create in version 1 declares its body as JSON Schema that the validator rejects: '
    expect(() =>
      createRouter(routes, { 1: { users }, 2: { users } }, { validator: ajvValidator(ajv) }),
    ).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(RegExp(`^${message}.*${reason}.* Correct the schema\\.$`)),
        cause: expect.any(Error),
      }),
    )
  })
  it.each(['schemas', 'shcema', 'config'])(
    'stops the start when an action has the property %s',
    (property) => {
      const users = {
        index: { [property]: { body: schema.body }, handler: echo },
        show: echo,
        create: echo,
      }
      expect(() => createRouter(routes, { 1: { users }, 2: { users } } as never)).toThrow(
        `HV_OPTION: api/v1/users#index in version 1 has no option '${property}'.${property === 'config' ? '' : " Did you mean 'schema'?"} Its options: use, schema, handler.`,
      )
    },
  )
  it("stops the start when an action has a schema that's undefined", () => {
    const users = { index: { schema: undefined, handler: echo }, show: echo, create: echo }
    expect(() => createRouter(routes, { 1: { users }, 2: { users } } as never)).toThrow(
      'HV_OPTION: api/v1/users#index in version 1 requires schema to be an object. Received: undefined.',
    )
  })
  it("is validated with the Ajv instance's options", async () => {
    const page = { type: 'object', properties: { limit: { type: 'integer', default: 5 } } }
    const validator = ajvValidator(new Ajv({ coerceTypes: true, useDefaults: true }))
    const port = await serve(
      { index: { schema: { querystring: page }, handler: echo } },
      { validator },
    )
    const get = async (path: string) => jsonOf(await send(port, { path, headers: accept(1) }))
    expect(await get('/api/users?limit=7')).toMatchObject({ query: { limit: 7 } })
    expect(await get('/api/users')).toMatchObject({ query: { limit: 5 } })
    expect(await get('/api/users?limit=x')).toMatchObject({
      message: 'query/limit must be integer',
    })
  })
})

describe('a hostile body', () => {
  const tree = {
    $id: 'tree',
    type: ['object', 'array'],
    items: { $ref: 'tree' },
    additionalProperties: { $ref: 'tree' },
  }
  const closed = {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'integer' } } },
    required: ['name'],
    additionalProperties: false,
  }
  const Tree: z.ZodType = z.lazy(() => z.union([z.array(Tree), z.record(z.string(), Tree)]))
  const schemas: Record<string, object> = {
    'JSON Schema': closed,
    'JSON Schema, recursive': tree,
    zod: z.strictObject({ name: z.string(), tags: z.array(z.int()).optional() }),
    'zod, recursive': z.strictObject({ name: Tree }),
    ArkType: type({ '+': 'reject', name: 'string', 'tags?': 'number.integer[]' }),
    Valibot: v.strictObject({
      name: v.string(),
      tags: v.optional(v.array(v.pipe(v.number(), v.integer()))),
    }),
  }
  const nested = (depth: number, open: string, close: string) =>
    open.repeat(depth) + close.repeat(depth)
  const bodies: Record<string, string> = {
    ['__proto__']: '{"name":"x","__proto__":{"isAdmin":true}}',
    'constructor.prototype': '{"name":"x","constructor":{"prototype":{"isAdmin":true}}}',
    'arrays in arrays': `{"name":${nested(20_000, '[', ']')}}`,
    'objects in objects': `{"name":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    'a list of wrong values': `{"name":1,"tags":[${'"x",'.repeat(20_000)}"x"]}`,
    'many unknown keys': `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`,
    'a wrong type': '{"name":{"toString":"x"}}',
    null: 'null',
  }
  const cases = Object.entries(schemas).flatMap(([library, body]) =>
    Object.entries(bodies).map(([what, text]) => ({ library, what, body, text })),
  )
  it.each(cases)('$library, $what', async ({ body, text }) => {
    // Not with allErrors: the time of Ajv then grows with the square of the errors.
    const validator = ajvValidator(new Ajv({ allowUnionTypes: true }))
    const port = await serve({ create: { schema: { body }, handler: echo } }, { validator })
    const { status, json } = await post(port, text)
    expect(status).toBe(400)
    expect(json.message!.length).toBeLessThan(1000)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect((await post(port, { name: [] }, 2)).status).toBe(200) // the server is alive
  })
})

it("types an action's request by its schema", () => {
  action({
    schema: {
      params: type({ id: 'string.numeric.parse' }),
      querystring: TypeBox034.Object({ limit: TypeBox034.Optional(TypeBox034.String()) }),
      body: z.object({ name: z.string(), age: z.coerce.number<string>() }),
    },
    handler: (req) => {
      expectTypeOf(req.params).toEqualTypeOf<{ id: number }>()
      expectTypeOf(req.query).toEqualTypeOf<{ limit?: string }>()
      expectTypeOf(req.body).toEqualTypeOf<{ name: string; age: number }>()
      expectTypeOf(req.apiMatch.version).toEqualTypeOf<number>()
    },
  })
  action({
    handler: (req, res) => {
      expectTypeOf(req.params).toEqualTypeOf<{ [x: string]: string }>()
      expectTypeOf(req.query).toEqualTypeOf<Request['query']>()
      expectTypeOf(res).toEqualTypeOf<Response>()
    },
  })
  action<{ id: string }>({
    handler: (req) => expectTypeOf(req.params).toEqualTypeOf<{ id: string }>(),
  })
  const create = action({
    schema: { body: z.object({ name: z.string() }) },
    handler: (req) => req.body.name,
  })
  expectTypeOf<z.infer<typeof create.schema.body>>().toEqualTypeOf<{ name: string }>()
  const users = { index: echo, show: echo, create }
  expect(createRouter(routes, { 1: { users }, 2: { users } })).toBeTypeOf('function')
})
