import { compareDocuments } from '@hv/openapi-diff'
import {
  type Api,
  api,
  cache,
  collection,
  get,
  inherit,
  member,
  namespace,
  patch,
  post,
  resources,
  version,
} from '@hv/router'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type as TypeBox034 } from '@sinclair/typebox'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { type OpenApiDocument, type OpenApiOptions, openapi } from '../src/index.ts'

const info = { title: 'Acme', version: '1.0.0' }
const handler = () => {}
const validator = new Validator()

/** The document as JSON, after the checks that every document has to pass. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read documents of every shape
async function validDocument<T>(
  routes: Api<T>,
  controllers: object,
  options: Partial<OpenApiOptions> = {},
): Promise<any> {
  const document = openapi(routes as Api, controllers, {
    info,
    ...options,
    version: (options.version ?? 1) as never,
  })
  const json = JSON.parse(JSON.stringify(document)) as OpenApiDocument
  expect(json).toEqual(document)
  const { valid, errors } = await validator.validate(structuredClone(json) as never)
  expect([valid, errors]).toEqual([true, undefined])
  expect(danglingRefs(json)).toEqual([])
  return json
}

/** Every `$ref` that doesn't resolve inside the document. */
function danglingRefs(document: OpenApiDocument): readonly string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
  return refs.filter((ref) => {
    const path = ref.slice(2).split('/')
    return (
      path.reduce<unknown>(
        (at, key) => (at as Record<string, unknown> | undefined)?.[key],
        document,
      ) === undefined
    )
  })
}

/** The document of one action, `POST /api/users`. */
const documentOf = async (schema: object, options: Partial<OpenApiOptions> = {}) => {
  const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
  const document = await validDocument(
    routes,
    { 1: { users: { create: { schema, handler } } } },
    options,
  )
  return { ...document, operation: document.paths['/api/users'].post }
}
const vendorJson = 'application/vnd.acme+json'

describe('a document', () => {
  const routes = api(
    { vendorString: 'acme' },
    version(
      1,
      cache(
        { as: 'v1' },
        resources(
          'users',
          { except: ['new', 'edit'], constraints: { id: /\d+/ }, patch: true },
          member(get('avatar')),
          resources('posts', { only: 'index' }),
        ),
        namespace('admin', resources('users', { only: 'index' }, collection(post('import')))),
      ),
    ),
    version(2, inherit({ from: 'v1' })),
  )
  const User = TypeBox034.Object(
    { id: TypeBox034.Integer(), name: TypeBox034.String() },
    { $id: 'User' },
  )
  const users = {
    index: {
      schema: {
        summary: 'Lists users',
        tags: ['people'],
        querystring: TypeBox034.Object({
          limit: TypeBox034.Integer({ description: 'Page size.' }),
        }),
        headers: TypeBox034.Object({ 'x-run': TypeBox034.String(), Accept: TypeBox034.String() }),
        response: { 200: TypeBox034.Array(User) },
      },
      handler,
    },
    show: {
      schema: {
        params: { type: 'object', properties: { id: { type: 'integer' } } },
        response: { 200: User },
      },
      handler,
    },
    create: {
      schema: { security: [], body: User, response: { 201: User, 409: { type: 'object' } } },
      handler,
    },
    update: { schema: { body: User, response: { '2xx': User } }, handler },
    destroy: {
      schema: { deprecated: true, response: { 204: { type: 'null', description: 'Deleted.' } } },
      handler,
    },
    avatar: {
      schema: {
        response: {
          200: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
        },
      },
      handler,
    },
  }
  const controllersOf = () => ({
    users,
    posts: { index: handler },
    'admin/users': {
      index: { schema: { hide: true }, handler },
      import: { schema: { consumes: ['text/csv'], body: { type: 'string' } }, handler },
    },
  })
  const controllers = { 1: controllersOf(), 2: controllersOf() }

  it.each([1, 2])('describes what version %i serves', async (number) => {
    const document = await validDocument(routes, controllers, {
      version: number,
      servers: [{ url: 'https://api.acme.example' }],
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    })
    const mediaType = `${vendorJson};version=${number}`
    expect(document.info).toEqual({ ...info, description: `Send \`Accept: ${mediaType}\`.` })
    const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    )
    expect(operations).toEqual([
      'get /api/users/{id}/avatar users.avatar',
      'get /api/users/{user_id}/posts posts.index',
      'get /api/users users.index',
      'post /api/users users.create',
      'get /api/users/{id} users.show',
      'put /api/users/{id} users.update',
      'patch /api/users/{id} users.update.patch',
      'delete /api/users/{id} users.destroy',
      'post /api/admin/users/import admin.users.import',
    ])
    expect(document.tags.map(({ name }: { name: string }) => name)).toEqual([
      'users',
      'posts',
      'people',
      'admin/users',
    ])

    const user = { $ref: '#/components/schemas/User' }
    const headers = { 'API-Version': { $ref: '#/components/headers/API-Version' } }
    expect(document.components.headers['API-Version'].schema.const).toBe(number)
    expect(document.components.schemas.User).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      required: ['id', 'name'],
    })
    const { get: index, post: create } = document.paths['/api/users']
    expect(index).toEqual({
      operationId: 'users.index',
      tags: ['people'],
      summary: 'Lists users',
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: true,
          description: 'Page size.',
          schema: { type: 'integer' },
        },
        { name: 'x-run', in: 'header', required: true, schema: { type: 'string' } },
      ],
      responses: {
        200: {
          description: 'Successful response',
          headers,
          content: { [mediaType]: { schema: { type: 'array', items: user } } },
        },
        400: { $ref: '#/components/responses/MalformedRequest' },
        406: { $ref: '#/components/responses/NotAcceptable' },
      },
    })
    expect(create.security).toEqual([])
    expect(create.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: user }, [vendorJson]: { schema: user } },
    })
    expect(create.responses[409].content).toEqual({
      'application/json': { schema: { type: 'object' } },
      [mediaType]: { schema: { type: 'object' } },
    })
    const { get: show, delete: destroy, put } = document.paths['/api/users/{id}']
    expect(show.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ])
    expect(destroy.parameters[0].schema).toEqual({ type: 'string', pattern: '^(?:\\d+)$' })
    expect(destroy.deprecated).toBe(true)
    expect(destroy.responses[204]).toEqual({ description: 'Deleted.', headers })
    expect(put.responses['2XX'].content).toEqual({ [mediaType]: { schema: user } })
    const { responses } = document.paths['/api/users/{id}/avatar'].get
    expect(Object.keys(responses[200].content)).toEqual(['image/png'])
    expect(
      document.paths['/api/users/{user_id}/posts'].get.responses['2XX'].content,
    ).toBeUndefined()
    const { content } = document.paths['/api/admin/users/import'].post.requestBody
    expect(Object.keys(content)).toEqual(['text/csv'])
  })

  it('has other responses in place of the problem documents', async () => {
    const { components, operation } = await documentOf(
      { response: { 201: {} } },
      {
        responses: { default: { $ref: '#/components/responses/Error' } },
        components: { responses: { Error: { description: 'Any error' } } },
      },
    )
    expect(Object.keys(operation.responses)).toEqual(['201', 'default'])
    expect(components).toMatchObject({
      responses: { Error: { description: 'Any error' } },
      schemas: {},
    })
  })

  it('marks every operation as deprecated on request', async () => {
    expect((await documentOf({}, { deprecated: true })).operation.deprecated).toBe(true)
    expect(
      (await documentOf({ deprecated: false }, { deprecated: true })).operation.deprecated,
    ).toBeUndefined()
  })

  describe('of a version that ends', () => {
    const routesOf = (life: object, own: object = {}) =>
      api(
        { vendorString: 'acme', path: '' },
        version(
          1,
          life,
          cache({ as: 'v1' }, get('a', { to: 'a#show' }), get('b', { to: 'b#show', ...own })),
        ),
        version(2, inherit({ from: 'v1' })),
      )
    const show = {
      schema: { response: { 200: { type: 'object' }, 404: { type: 'object' } } },
      handler,
    }
    const actions = { 1: { a: { show }, b: { show } }, 2: { a: { show }, b: { show } } }
    const announced = {
      deprecated: '2027-01-01',
      sunset: '2027-07-01',
      docs: 'https://docs.example/v1',
    }

    it('says when, and how it refuses then', async () => {
      const { paths, components } = await validDocument(routesOf(announced), actions)
      for (const { get: operation } of Object.values<any>(paths)) {
        // oxlint-disable-line typescript/no-explicit-any
        expect(operation.deprecated).toBe(true)
        expect(operation.responses[200].headers).toEqual({
          'API-Version': { $ref: '#/components/headers/API-Version' },
          Deprecation: {
            description: expect.stringContaining('See https://docs.example/v1'),
            schema: { type: 'string' },
            example: '@1798761600',
          },
          Sunset: expect.objectContaining({ example: 'Thu, 01 Jul 2027 00:00:00 GMT' }),
        })
        expect(operation.responses[410]).toEqual({ $ref: '#/components/responses/Gone' })
      }
      expect(Object.keys(components.responses)).toContain('Gone')
    })

    it('says nothing of it for the other versions', async () => {
      const { paths, components } = await validDocument(routesOf(announced), actions, {
        version: 2,
      })
      expect(JSON.stringify([paths, components])).not.toMatch(/deprecat|sunset|"410"|Gone/i)
    })

    it.each<[what: string, version: object, route: object, expected: unknown[]]>([
      [
        'a route that ends',
        {},
        { sunset: '2027-07-01' },
        [undefined, true, ['200', '400', '404', '406', '410']],
      ],
      [
        "an end that isn't enforced",
        {},
        { sunset: '2027-07-01', retire: 'serve' },
        [undefined, true, ['200', '400', '404', '406']],
      ],
      [
        'brownouts',
        { deprecated: '2027-01-01' },
        { brownouts: [['2027-02-01', '2027-02-02']] },
        [true, true, ['200', '400', '404', '406', '410']],
      ],
      [
        'a successor only',
        {},
        { successor: 2 },
        [undefined, undefined, ['200', '400', '404', '406']],
      ],
    ])('describes %s', async (_what, life, own, expected) => {
      const { paths } = await validDocument(routesOf(life, own), actions)
      const [a, b] = [paths['/a'].get, paths['/b'].get]
      expect([a.deprecated, b.deprecated, Object.keys(b.responses)]).toEqual(expected)
    })

    it('leaves the decision to the app', async () => {
      const { paths } = await validDocument(routesOf(announced), actions, {
        deprecated: false,
        responses: {},
      })
      expect(paths['/a'].get.deprecated).toBeUndefined()
      expect(Object.keys(paths['/a'].get.responses)).toEqual(['200', '404'])
    })

    it('keeps its promises when the end is called off', () => {
      const documentIn = (life: object) => openapi(routesOf(life), actions, { info, version: 1 })
      expect(compareDocuments(documentIn(announced), documentIn({}))).toEqual([])
    })
  })

  it('lists the path that a request reaches, under one set of parameter names', async () => {
    const twice = api(
      { vendorString: 'acme', path: '' },
      version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }))),
      version(
        2,
        inherit({ from: 'v1' }),
        resources('accounts', { only: 'show', path: 'users', param: 'name' }),
        get('health', { to: 'health#show' }),
        patch('users/:key', { to: 'health#edit' }),
      ),
    )
    const document = await validDocument(
      twice,
      {
        1: { users: { show: handler } },
        2: {
          users: { show: handler },
          accounts: { show: handler },
          health: {
            show: handler,
            edit: { schema: { params: { properties: { key: { type: 'integer' } } } }, handler },
          },
        },
      },
      { version: 2 },
    )
    expect(Object.keys(document.paths)).toEqual(['/users/{name}', '/health'])
    expect(document.paths['/users/{name}'].get.operationId).toBe('accounts.show')
    expect(document.paths['/users/{name}'].patch.parameters).toEqual([
      { name: 'name', in: 'path', required: true, schema: { type: 'integer' } },
    ])
  })

  it('requires a declared version and its controllers', () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    expect(() => openapi(small, {}, { version: 1, info })).toThrow('HV_MISSING_ACTIONS')
    expect(() =>
      // @ts-expect-error version 2 isn't declared
      openapi(small, { 1: { users: { index: handler } } }, { version: 2, info }),
    ).toThrow('HV_UNKNOWN_VERSION')
  })
})

describe('one contract in every schema library', () => {
  const plain = (properties: object, required: readonly string[]) => ({
    type: 'object',
    properties,
    required,
  })
  const libraries: Record<string, readonly [body: object, response: object]> = {
    'JSON Schema': [
      plain({ name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }, [
        'name',
      ]),
      plain({ id: { type: 'number' } }, ['id']),
    ],
    'TypeBox 0.34': [
      TypeBox034.Object({
        name: TypeBox034.String(),
        tags: TypeBox034.Optional(TypeBox034.Array(TypeBox034.String())),
      }),
      TypeBox034.Object({ id: TypeBox034.Number() }),
    ],
    'TypeBox 1': [
      Type.Object({ name: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
      Type.Object({ id: Type.Number() }),
    ],
    zod: [
      z.object({ name: z.string(), tags: z.array(z.string()).optional() }),
      z.object({ id: z.number() }),
    ],
    ArkType: [type({ name: 'string', 'tags?': 'string[]' }), type({ id: 'number' })],
    Valibot: [
      toStandardJsonSchema(v.object({ name: v.string(), tags: v.optional(v.array(v.string())) })),
      toStandardJsonSchema(v.object({ id: v.number() })),
    ],
  }
  const [first, ...others] = Object.entries(libraries)
  const documentFor = ([body, response]: readonly [object, object]) =>
    documentOf({ body, querystring: body, response: { 201: response } })

  it('as JSON Schema', async () => {
    const { operation } = await documentFor(first![1])
    expect(operation.requestBody.content['application/json'].schema).toEqual(first![1][0])
    expect(operation.parameters.map(({ name }: { name: string }) => name)).toEqual(['name', 'tags'])
  })
  it.each(others)('%s gives the same document', async (_name, schemas) => {
    expect(await documentFor(schemas)).toEqual(await documentFor(first![1]))
  })

  it.each<[string, object]>([
    [
      'zod',
      {
        zodVoid: z.void(),
        undefined: z.undefined(),
        never: z.never(),
        described: z.null().describe('Deleted.'),
      },
    ],
    [
      'TypeBox',
      { undefined: TypeBox034.Undefined(), void: TypeBox034.Void(), never: TypeBox034.Never() },
    ],
    ['ArkType', { undefined: type('undefined'), never: type('never') }],
    [
      'Valibot',
      { void: toStandardJsonSchema(v.void()), undefined: v.undefined(), never: v.never() },
    ],
  ])('%s describes a response without a body', async (_library, schemas) => {
    for (const [name, schema] of Object.entries(schemas)) {
      const { operation } = await documentOf({
        response: { 204: schema, 205: schema, 304: schema },
      })
      for (const status of [204, 205, 304]) {
        expect(operation.responses[status], name).not.toHaveProperty('content')
        expect(operation.responses[status].description).toBe(
          name === 'described' ? 'Deleted.' : 'Successful response',
        )
      }
    }
  })
  it('rejects such a schema for a response with a body', async () => {
    await expect(documentOf({ response: { 200: z.void() } })).rejects.toThrow('HV_NO_JSON_SCHEMA')
  })

  it.each<[string, object]>([
    [
      'zod',
      z.object({
        mail: z.email(),
        work: z.string().email().max(99).optional(),
        at: z.iso.datetime(),
        local: z.iso.datetime({ offset: true, precision: 3 }),
        day: z.iso.date(),
        id: z.uuid(),
        count: z.int(),
        own: z.string().regex(/^a/),
        few: z.int().min(3),
      }),
    ],
    [
      'ArkType',
      type({
        mail: 'string.email',
        count: 'number.integer',
        own: /^a/,
        few: 'number.integer >= 3',
      }),
    ],
  ])('%s repeats no format as a pattern, and no bounds of numbers', async (_library, body) => {
    const { operation } = await documentOf({ body, querystring: body })
    const { properties } = operation.requestBody.content['application/json'].schema
    expect(properties).toMatchObject({
      mail: { type: 'string', format: 'email' },
      own: { pattern: '^a' },
    })
    expect([properties.count, properties.few]).toEqual([
      { type: 'integer' },
      { type: 'integer', minimum: 3 },
    ])
    for (const [name, { pattern }] of Object.entries<{ pattern?: string }>(properties))
      if (name !== 'own') expect(pattern, name).toBeUndefined()
    const query = operation.parameters.map(({ name, schema }: { name: string; schema: object }) => [
      name,
      schema,
    ])
    expect(Object.fromEntries(query)).toEqual(properties)
  })
  it.each<[string, object, string | undefined]>([
    ['zod', z.email({ pattern: /^a/ }), undefined],
    ['Valibot', toStandardJsonSchema(v.pipe(v.string(), v.email(), v.regex(/^a/))), '^a'],
  ])('keeps a pattern beside a format only for Valibot: %s', async (_library, mail, pattern) => {
    const { operation } = await documentOf({ body: mail })
    const { schema } = operation.requestBody.content['application/json']
    expect([schema.format, schema.pattern]).toEqual(['email', pattern])
  })
  it('keeps the patterns and bounds of JSON Schema', async () => {
    const body = { type: 'string', format: 'email', pattern: '@acme\\.example$' }
    const { operation } = await documentOf({ body })
    expect(operation.requestBody.content['application/json'].schema).toEqual(body)
  })

  it('rejects a library without Standard JSON Schema', async () => {
    await expect(documentOf({ body: v.object({}) })).rejects.toThrow(
      'HV_NO_JSON_SCHEMA: users.create.body has a schema of valibot without JSON Schema, which zod has from 4.2 on, arktype from ' +
        '2.1.28 on, and valibot with toStandardJsonSchema() of @valibot/to-json-schema. ' +
        'Use one of these, or pass JSON Schema.',
    )
    await expect(documentOf({ body: z3.object({}) })).rejects.toThrow('has a schema of zod without')
    const other = { '~standard': { vendor: 'other', version: 1, validate: () => ({ value: 1 }) } }
    await expect(documentOf({ body: other })).rejects.toThrow(
      'has a schema of other without JSON Schema',
    )
  })

  it.each<[string, object, string]>([
    ['a Date of TypeBox', TypeBox034.Object({ at: TypeBox034.Date() }), "JSON has no type 'Date'"],
    ['undefined', TypeBox034.Array(TypeBox034.Undefined()), "JSON has no type 'undefined'"],
    ['bytes', TypeBox034.Optional(TypeBox034.Uint8Array()), "JSON has no type 'Uint8Array'"],
    ['a function', TypeBox034.Function([], TypeBox034.Null()), "JSON has no type 'Function'"],
    ['one of several types', { type: ['string', 'Date'] }, "JSON has no type 'Date'"],
    ['a Date of zod', z.object({ at: z.date() }), 'Date cannot be represented in JSON Schema'],
  ])('rejects %s', async (_what, schema, reason) => {
    const message = (where: string) =>
      `HV_NO_JSON_SCHEMA: users.create.${where} has a schema that can't be converted to JSON Schema: ${reason}. ` +
      'Describe the JSON value: a Date is a string.'
    await expect(documentOf({ body: schema })).rejects.toThrow(message('body'))
    await expect(documentOf({ response: { 201: schema } })).rejects.toThrow(message('201'))
    await expect(documentOf({ querystring: schema })).rejects.toThrow(message('querystring'))
  })
  it('keeps the error of the library as the cause', async () => {
    const cause = expect.objectContaining({ message: 'Date cannot be represented in JSON Schema' })
    await expect(documentOf({ body: z.date() })).rejects.toThrow(expect.objectContaining({ cause }))
  })
  it('accepts properties and values that look like types', async () => {
    const body = {
      type: 'object',
      properties: { type: { enum: ['Date'] } },
      default: { type: 'Date' },
    }
    await expect(documentOf({ body })).resolves.toBeDefined()
  })
})

describe('a union as the query', () => {
  const byName = z.object({ kind: z.literal('name'), name: z.string() })
  const byAge = z.object({ kind: z.literal('age'), age: z.number(), name: z.string() })
  it.each<[string, object]>([
    ['anyOf', z.union([byName, byAge])],
    ['oneOf', z.discriminatedUnion('kind', [byName, byAge])],
    ['a union in allOf', { allOf: [z.toJSONSchema(z.union([byName, byAge]))] }],
  ])('has the parameters of every alternative, all optional: %s', async (_what, querystring) => {
    const { operation } = await documentOf({ querystring })
    expect(operation.parameters).toEqual([
      {
        name: 'kind',
        in: 'query',
        schema: {
          anyOf: [
            { type: 'string', const: 'name' },
            { type: 'string', const: 'age' },
          ],
        },
      },
      { name: 'name', in: 'query', schema: { type: 'string' } },
      { name: 'age', in: 'query', schema: { type: 'number' } },
    ])
  })
  it.each([
    [
      'TypeBox 0.34',
      TypeBox034.Object({ limit: TypeBox034.Integer({ default: 20 }), name: TypeBox034.String() }),
    ],
    [
      'TypeBox',
      Type.Object({ limit: Object.assign(Type.Integer(), { default: 20 }), name: Type.String() }),
    ],
    ['zod', z.object({ limit: z.int().default(20), name: z.string() })],
  ])('leaves out what has a default: %s', async (_library, schema) => {
    const { operation } = await documentOf({ querystring: schema, headers: schema, body: schema })
    const required = ({
      name,
      in: where,
      required: is,
    }: {
      name: string
      in: string
      required?: boolean
    }) => `${where} ${name} ${is === true}`
    expect(operation.parameters.map(required)).toEqual([
      'query limit false',
      'query name true',
      'header limit false',
      'header name true',
    ])
    expect(operation.parameters[0].schema).toMatchObject({ type: 'integer', default: 20 })
    expect(operation.requestBody.content['application/json'].schema.required).toEqual(['name'])
  })
  it('promises what has a default in a response', async () => {
    const { operation } = await documentOf({
      response: { 200: TypeBox034.Object({ a: TypeBox034.Integer({ default: 1 }) }) },
    })
    expect(operation.responses[200].content[`${vendorJson};version=1`].schema.required).toEqual([
      'a',
    ])
  })
  it('keeps the properties next to the union, and ends at a schema that contains itself', async () => {
    const properties = { name: { type: 'string' } }
    const alternatives = [{ $ref: '#' }, { properties: { name: { type: 'null' } } }]
    const { operation } = await documentOf({
      querystring: { properties, required: ['name'], anyOf: alternatives },
    })
    expect(operation.parameters).toEqual([
      { name: 'name', in: 'query', required: true, schema: { type: 'string' } },
    ])
  })
})

describe('an operationId', () => {
  const routes = api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: ['index', 'create', 'update'] })),
  )
  const documentWith = (index: string, create: string) => {
    const update = { schema: { operationId: 'updateUser' }, handler }
    const action = (operationId: string) => ({ schema: { operationId }, handler })
    return validDocument(routes, {
      1: { users: { index: action(index), create: action(create), update } },
    })
  }
  it('belongs to one action', async () => {
    await expect(documentWith('listUsers', 'createUser')).resolves.toBeDefined()
    await expect(documentWith('user', 'user')).rejects.toThrow(
      "HV_OPTION: users#create requires operationId to be different from that of users#index. Received: 'user'.",
    )
  })
})

describe('components', () => {
  const Tree = z
    .object({
      label: z.string(),
      get children() {
        return z.array(Tree)
      },
    })
    .meta({ id: 'Tree' })
  const Anonymous = z.object({
    get children() {
      return z.array(Anonymous)
    },
  })
  const tree034 = TypeBox034.Recursive(
    (This) => TypeBox034.Object({ next: TypeBox034.Array(This) }),
    { $id: 'Node' },
  )
  const cyclic = Type.Cyclic(
    {
      A: Type.Object({ b: Type.Optional(Type.Ref('B')) }),
      B: Type.Object({ a: Type.Optional(Type.Ref('A')) }),
    },
    'A',
  )
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  const cases: readonly (readonly [
    what: string,
    schema: object,
    inBody: object,
    components: object,
  ])[] = [
    [
      'a schema with an $id',
      { type: 'array', items: { $id: 'https://acme.example/User.json#', type: 'string' } },
      { type: 'array', items: ref('User') },
      { User: { type: 'string' } },
    ],
    [
      '#',
      { type: 'object', properties: { next: { $ref: '#' } } },
      { type: 'object', properties: { next: ref('users.create.body') } },
      { 'users.create.body': { type: 'object', properties: { next: ref('users.create.body') } } },
    ],
    [
      'a pointer below the root',
      { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } },
      { properties: { a: { type: 'string' }, b: ref('users.create.body.a') } },
      { 'users.create.body.a': { type: 'string' } },
    ],
    [
      'a pointer to true',
      { properties: { a: true, b: { $ref: '#/properties/a' } } },
      { properties: { a: true, b: ref('users.create.body.a') } },
      { 'users.create.body.a': {} },
    ],
    [
      'a pointer through a definition below the root',
      { properties: { a: { $defs: { B: { type: 'string' } }, $ref: '#/properties/a/$defs/B' } } },
      { properties: { a: ref('B') } },
      { B: { type: 'string' } },
    ],
    [
      'a pointer into a schema with an $id',
      {
        properties: {
          user: { $id: 'User', properties: { name: { type: 'string' } } },
          name: { $ref: '#/properties/user/properties/name' },
        },
      },
      { properties: { user: ref('User'), name: ref('User.name') } },
      { User: { properties: { name: { type: 'string' } } }, 'User.name': { type: 'string' } },
    ],
    [
      'the $id of a property that comes later',
      { properties: { owner: { $ref: 'User' }, user: { $id: 'User', type: 'string' } } },
      { properties: { owner: ref('User'), user: ref('User') } },
      { User: { type: 'string' } },
    ],
    [
      'a pointer into a tuple of draft 7',
      { properties: { a: { items: [{ type: 'string' }] }, b: { $ref: '#/properties/a/items/0' } } },
      { properties: { a: { prefixItems: [{ type: 'string' }] }, b: ref('users.create.body.0') } },
      { 'users.create.body.0': { type: 'string' } },
    ],
    [
      'an $anchor',
      {
        $defs: { A: { $anchor: 'address', type: 'string' } },
        properties: { home: { $ref: '#address' } },
      },
      { properties: { home: ref('address') } },
      { address: { type: 'string' } },
    ],
    [
      'an anchor of draft 7, whose schema refers to the root',
      {
        properties: {
          city: { type: 'string' },
          home: { $id: '#address', properties: { city: { $ref: '#/properties/city' } } },
          work: { $ref: '#address' },
        },
      },
      {
        properties: {
          city: { type: 'string' },
          home: { properties: { city: ref('users.create.body.city') } },
          work: ref('address'),
        },
      },
      {
        'users.create.body.city': { type: 'string' },
        address: { properties: { city: ref('users.create.body.city') } },
      },
    ],
    [
      'an anchor of a shared schema',
      { properties: { home: { $ref: 'https://acme.example/common.json#address' } } },
      { properties: { home: ref('address') } },
      { address: { type: 'string' } },
    ],
    [
      'a pointer into a definition, with siblings',
      {
        $defs: { 'a/b': { properties: { c: {} } } },
        allOf: [{ $ref: '#/$defs/a~1b/properties/c', title: 'C' }],
      },
      { allOf: [{ title: 'C', ...ref('a_b.c') }] },
      { 'a_b.c': {} },
    ],
    [
      'draft 7: definitions, tuples, nullable',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: {
          T: { type: 'array', items: [{ type: 'string', nullable: true }], additionalItems: false },
        },
        $ref: '#/definitions/T',
      },
      ref('T'),
      { T: { type: 'array', prefixItems: [{ type: ['string', 'null'] }], items: false } },
    ],
    [
      'properties and defaults that look like keywords',
      { properties: { $ref: { type: 'string' }, items: { default: { $ref: '#/x' } } } },
      { properties: { $ref: { type: 'string' }, items: { default: { $ref: '#/x' } } } },
      {},
    ],
    [
      'a shared schema that contains itself',
      { $ref: 'Fault#' },
      ref('Fault'),
      { Fault: { type: ['object', 'null'], properties: { of: ref('Fault') } } },
    ],
    [
      'zod, recursive with an id',
      Tree,
      ref('Tree'),
      {
        Tree: {
          type: 'object',
          properties: {
            label: { type: 'string' },
            children: { type: 'array', items: ref('Tree') },
          },
          required: ['label', 'children'],
        },
      },
    ],
    [
      'zod, recursive without an id',
      Anonymous,
      {
        type: 'object',
        properties: { children: { type: 'array', items: ref('users.create.body') } },
        required: ['children'],
      },
      {
        'users.create.body': {
          type: 'object',
          properties: { children: { type: 'array', items: ref('users.create.body') } },
          required: ['children'],
        },
      },
    ],
    [
      'TypeBox 0.34, recursive',
      tree034,
      ref('Node'),
      {
        Node: {
          type: 'object',
          properties: { next: { type: 'array', items: ref('Node') } },
          required: ['next'],
        },
      },
    ],
    [
      'TypeBox 1, cyclic',
      cyclic,
      ref('A'),
      {
        A: { type: 'object', properties: { b: ref('B') } },
        B: { type: 'object', properties: { a: ref('A') } },
      },
    ],
  ]
  const schemas = [
    { $id: 'Fault', type: 'object', nullable: true, properties: { of: { $ref: 'Fault#' } } },
    {
      $id: 'https://acme.example/common.json',
      definitions: { A: { $id: '#address', type: 'string' } },
    },
  ]

  it.each(cases)('%s', async (_what, body, inBody, expected) => {
    const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
    const document = openapi(
      routes,
      { 1: { users: { create: { schema: { body }, handler } } } },
      { version: 1, info, schemas, responses: {} },
    )
    const { requestBody } = document.paths['/api/users']!['post'] as {
      requestBody: { content: object }
    }
    expect(requestBody.content).toEqual({
      'application/json': { schema: inBody },
      [vendorJson]: { schema: inBody },
    })
    expect(document.components['schemas']).toEqual(expected)
    expect(danglingRefs(document).filter((path) => path !== '#/x')).toEqual([])
    // The validator reads a property named $ref as a reference.
    if (!('$ref' in ((body as { properties?: object }).properties ?? {})))
      await documentOf({ body }, { schemas })
  })

  it('are looked up without reading the schema around them for each reference', async () => {
    let reads = 0
    const probe = new Proxy({}, { ownKeys: () => (reads++, []) })
    const owners = Array.from({ length: 500 }, (_, index) => [`owner${index}`, { $ref: 'User' }])
    const properties = { ...Object.fromEntries(owners), probe }
    const User = { $id: 'User', type: 'object' }
    const { components } = await documentOf({ body: { properties } }, { schemas: [User] })
    expect(components.schemas).toHaveProperty('User')
    expect(reads).toBeLessThan(50)
  })
  it('are shared by equal schemas, and numbered when schemas of one name differ', async () => {
    const User = (of: string) => ({ $id: 'User', type: of })
    const { operation, components } = await documentOf({
      body: User('string'),
      response: { 201: User('string'), 202: User('integer') },
    })
    expect(operation.responses[201].content[`${vendorJson};version=1`].schema).toEqual(ref('User'))
    expect(operation.responses[202].content[`${vendorJson};version=1`].schema).toEqual(ref('User2'))
    expect(components.schemas).toMatchObject({
      User: { type: 'string' },
      User2: { type: 'integer' },
    })
  })

  it.each<[string, (id: string) => object]>([
    ['zod', (id) => z.object({ id: z.number() }).meta({ id })],
    ['TypeBox 0.34', ($id) => TypeBox034.Object({ id: TypeBox034.Number() }, { $id })],
    [
      'definitions',
      (id) => ({ $ref: `#/$defs/${id}`, $defs: { [id]: { type: 'object', title: 'Same' } } }),
    ],
  ])("aren't shared by equal schemas with different names: %s", async (_library, named) => {
    const response = { 200: named('User'), 201: named('Team'), 202: named('User') }
    const { components, operation } = await documentOf({ response })
    expect(Object.keys(components.schemas)).toEqual(['User', 'Team', 'Problem'])
    const names = [200, 201, 202].map(
      (status) => operation.responses[status].content[`${vendorJson};version=1`].schema.$ref,
    )
    expect(names).toEqual(['User', 'Team', 'User'].map((name) => `#/components/schemas/${name}`))
  })
  it("aren't shared when a definition refers to different roots", async () => {
    const rootOf = (of: string) => ({
      $defs: {
        A: { properties: { b: { $ref: '#/$defs/B' } } },
        B: { properties: { root: { $ref: '#' } } },
      },
      properties: { value: { type: of }, a: { $ref: '#/$defs/A' } },
    })
    const { components } = await documentOf({
      body: rootOf('string'),
      response: { 201: rootOf('integer') },
    })
    const { A, A2, B, B2 } = components.schemas
    expect([A, A2]).toEqual([{ properties: { b: ref('B') } }, { properties: { b: ref('B2') } }])
    expect([B, B2]).toEqual([
      { properties: { root: ref('users.create.body') } },
      { properties: { root: ref('users.create.201') } },
    ])
  })

  it('parameters come from a definition of a shared schema, which refers to its own root', async () => {
    const { operation } = await documentOf(
      { querystring: { $ref: 'common#/definitions/Page' } },
      {
        schemas: [
          {
            $id: 'common',
            definitions: {
              Page: { properties: { after: { $ref: '#/definitions/Id' } } },
              Id: { type: 'string' },
            },
          },
        ],
      },
    )
    expect(operation.parameters).toEqual([{ name: 'after', in: 'query', schema: ref('Id') }])
  })

  it('parameters come from $ref and allOf too', async () => {
    const { operation } = await documentOf(
      {
        querystring: {
          $defs: { Size: { type: 'integer' } },
          allOf: [
            { $ref: 'Page#' },
            {
              properties: { size: { $ref: '#/$defs/Size' }, old: { deprecated: true } },
              required: ['size'],
            },
          ],
        },
      },
      {
        schemas: [
          {
            $id: 'Page',
            properties: { after: { $ref: '#/$defs/Id' } },
            $defs: { Id: { type: 'string' } },
          },
        ],
      },
    )
    expect(operation.parameters).toEqual([
      { name: 'after', in: 'query', schema: ref('Id') },
      { name: 'size', in: 'query', required: true, schema: ref('Size') },
      { name: 'old', in: 'query', deprecated: true, schema: {} },
    ])
  })

  it.each([
    ['an unknown $id', { $ref: 'Nobody#' }, 'Nobody#'],
    ['an unknown definition', { $defs: {}, allOf: [{ $ref: '#/$defs/Nobody' }] }, '#/$defs/Nobody'],
    ['a pointer to nothing', { properties: { a: { $ref: '#/properties/b' } } }, '#/properties/b'],
    ['an unknown anchor', { properties: { a: { $ref: '#nobody' } } }, '#nobody'],
  ])('reject %s', async (_what, body, wrong) => {
    await expect(documentOf({ body }, { schemas })).rejects.toThrow(
      `HV_UNKNOWN_SCHEMA: users.create.body refers to '${wrong}', which isn't declared. Schemas with an $id: Fault, https://acme.example/common.json. ` +
        'Pass shared schemas as an option: { schemas: Object.values(app.getSchemas()) }.',
    )
  })

  it('leave references to other documents and to components of the app alone', async () => {
    const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
    const body = {
      anyOf: [{ $ref: 'https://acme.example/User.json' }, { $ref: '#/components/schemas/Own' }],
    }
    const document = openapi(
      routes,
      { 1: { users: { create: { schema: { body }, handler } } } },
      { version: 1, info },
    )
    expect(JSON.stringify(document)).toContain(JSON.stringify(body))
  })
})

it('lists the problem of an invalid request', () => {
  const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
  const { components } = openapi(routes, { 1: { users: { index: handler } } }, { version: 1, info })
  expect(JSON.stringify(components['responses'])).toContain('"urn:hv-router:invalid-request"')
})

it.each<[string, object[] | undefined]>([
  ['no security', undefined],
  ['an empty security', []],
  ['security', [{ token: [] }]],
])('has an empty security only where it overrides that of the document: %s', (_what, security) => {
  const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
  const controllers = { 1: { users: { index: { schema: { security: [] }, handler } } } }
  const document = openapi(routes, controllers, {
    version: 1,
    info,
    ...(security && { security }),
  } as never)
  const [path] = Object.values(document.paths)
  expect([document['security'], path!['get']]).toEqual(
    security?.length
      ? [security, expect.objectContaining({ security: [] })]
      : [undefined, expect.not.objectContaining({ security: [] })],
  )
})
