// What @nestjs/swagger writes as OpenAPI 3.0 is OpenAPI 3.1 in a version's document.
import { type Api, api, del, get, inherit, namespace, resources, version } from '@hv/router'
import { Body, Controller, Get, Headers, Module, Param, Query, type Type } from '@nestjs/common'
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiParam,
  ApiProperty,
  type ApiPropertyOptions,
  ApiQuery,
  ApiTags,
  DocumentBuilder,
  SwaggerModule,
  getSchemaPath,
} from '@nestjs/swagger'
import { describe, expect, it } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { createApp, platforms } from './platforms.ts'
import { compile, validDocument } from './valid-document.ts'

const config = new DocumentBuilder().setTitle('Acme').addBearerAuth().build()

/** Creates the document of version 1. */
async function documentOf(routes: Api, classes: Record<string, Type>, settings: object = config) {
  const controllers = Object.values(classes)
  const table = { 1: classes, 2: classes } as never
  class Root {}
  Module({ imports: [VersionedApiModule.forRoot(routes, table)], controllers })(Root)
  const app = await createApp(Root, platforms[0])
  await app.init()
  return createVersionDocument(app, routes, table, 1 as never, settings as never)
}
const things = api(
  { vendorString: 'acme' },
  version(1, resources('things', { only: ['index', 'show', 'create'] })),
) as unknown as Api

class Address {
  @ApiProperty()
  street!: string
}
enum Color {
  Red = 'red',
  Blue = 'blue',
}
const ref = { $ref: '#/components/schemas/Address' }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })

/** What a property declares, its schema, and values that it takes and refuses. */
const properties: [
  name: string,
  declared: ApiPropertyOptions,
  schema: object,
  right: unknown[],
  wrong: unknown[],
][] = [
  ['text', { type: String }, { type: 'string' }, ['a'], [null, 1]],
  ['note', { type: String, nullable: true }, { type: ['string', 'null'] }, ['a', null], [1]],
  ['not', { type: String, nullable: false }, { type: 'string' }, ['a'], [null]],
  [
    'limited',
    { type: String, nullable: true, maxLength: 2, description: 'Short' },
    { type: ['string', 'null'], maxLength: 2, description: 'Short' },
    ['ab', null],
    ['abc'],
  ],
  [
    'color',
    { enum: Color, nullable: true },
    { type: ['string', 'null'], enum: ['red', 'blue', null] },
    ['red', null],
    ['green'],
  ],
  [
    'named',
    { enum: Color, enumName: 'Color', nullable: true },
    orNull(expect.anything()),
    ['blue', null],
    ['green'],
  ],
  [
    'address',
    { type: Address, nullable: true },
    expect.objectContaining(orNull(expect.anything())),
    [{ street: 'a' }, null],
    [{ street: 1 }, 'a'],
  ],
  ['plain', { type: Address }, ref, [{ street: 'a' }], [null]],
  [
    'list',
    { type: [Address], nullable: true },
    { type: ['array', 'null'], items: ref },
    [[{ street: 'a' }], null],
    [[null], {}],
  ],
  [
    'items',
    { type: 'array', items: { type: 'string', nullable: true } },
    { type: 'array', items: { type: ['string', 'null'] } },
    [['a', null]],
    [null, [1]],
  ],
  [
    'either',
    { oneOf: [{ type: 'string' }, ref], nullable: true },
    orNull({ oneOf: [{ type: 'string' }, ref] }),
    ['a', { street: 'a' }, null],
    [1],
  ],
  [
    'inner',
    { type: 'object', properties: { nullable: { type: 'number', nullable: true } } },
    { type: 'object', properties: { nullable: { type: ['number', 'null'] } } },
    [{ nullable: null }, {}],
    [{ nullable: 'a' }],
  ],
  [
    'map',
    { type: 'object', additionalProperties: { type: 'integer', nullable: true } },
    { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
    [{ a: null, b: 1 }],
    [{ a: 'a' }],
  ],
  [
    'above',
    { type: Number, minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
    [2],
    [1],
  ],
  [
    'below',
    { type: Number, maximum: 9, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false },
    { type: 'number', exclusiveMaximum: 9, minimum: 1 },
    [1, 8],
    [9, 0],
  ],
  [
    'data',
    {
      type: 'object',
      additionalProperties: true,
      example: { nullable: true, type: 'file' },
      default: { nullable: true },
    },
    {
      type: 'object',
      additionalProperties: true,
      example: { nullable: true, type: 'file' },
      default: { nullable: true },
    },
    [{}],
    [1],
  ],
  [
    'when',
    { type: Date, nullable: true },
    { type: ['string', 'null'], format: 'date-time' },
    [null],
    [1],
  ],
  ['scan', { type: 'file' }, { type: 'string', format: 'binary' }, ['a'], [1]],
]
class Thing {}
for (const [name, options] of properties) {
  Reflect.defineMetadata('design:type', Object, Thing.prototype, name) // as TypeScript does
  ApiProperty(options)(Thing.prototype, name)
}

describe('the schemas of a document', () => {
  @Controller()
  class Things {
    @ApiOkResponse({ type: [Thing] })
    @ApiQuery({ name: 'q', type: String, nullable: true } as never)
    @ApiQuery({
      name: 'above',
      schema: { type: 'number', minimum: 1, exclusiveMinimum: true } as never,
    })
    index(@Query() _query: object) {}
    @ApiExtraModels(Address)
    @ApiOkResponse({
      schema: { $ref: getSchemaPath(Address), nullable: true } as never,
      headers: { 'X-Next': { schema: { type: 'string', nullable: true } as never } },
    })
    show(@Param('id') _id: string) {}
    @ApiConsumes('multipart/form-data')
    @ApiBody({ schema: { type: 'object', properties: { scan: { type: 'file' } } } as never })
    @ApiCreatedResponse({ type: Thing })
    create(@Body() _body: Thing) {}
  }
  const read = async () => validDocument(await documentOf(things, { things: Things }))
  let table: Promise<any> | undefined

  it.each(properties)('%s', async (name, _declared, schema, right, wrong) => {
    const document = await (table ??= read())
    const property = document.components.schemas.Thing.properties[name]
    expect(property).toEqual(schema)
    const validate = compile(document, property)
    for (const value of right) expect(validate(value), JSON.stringify(value)).toBe(true)
    for (const value of wrong) expect(validate(value), JSON.stringify(value)).toBe(false)
  })

  it('are converted wherever they are', async () => {
    const { openapi, paths } = await read()
    expect(openapi).toBe('3.1.0')
    const [query, above] = paths['/api/things'].get.parameters.toSorted((a: any, b: any) =>
      b.name.localeCompare(a.name),
    )
    expect([query.schema, above.schema]).toEqual([
      { type: ['string', 'null'] },
      { type: 'number', exclusiveMinimum: 1 },
    ])
    const { content, headers } = paths['/api/things/{id}'].get.responses[200]
    expect(content).toEqual({ 'application/vnd.acme+json;version=1': { schema: orNull(ref) } })
    expect(headers['X-Next'].schema).toEqual({ type: ['string', 'null'] })
    const body = paths['/api/things'].post.requestBody.content['multipart/form-data']
    expect(body.schema.properties.scan).toEqual({ type: 'string', format: 'binary' })
  })

  it('that decorators share stay as they are', async () => {
    await read()
    await read()
    const declared = Reflect.getMetadata('swagger/apiModelProperties', Thing.prototype, 'note')
    expect(declared).toMatchObject({ nullable: true })
  })
})

it.each([
  ['3.0.0', undefined],
  ['3.0.3', undefined],
  ['3.1.1', undefined],
  [
    '3.2.0',
    "createVersionDocument() creates OpenAPI 3.1 documents, not 3.2.0. Remove setOpenAPIVersion(), or set '3.1.0'.",
  ],
  [
    '2.0.0',
    "createVersionDocument() creates OpenAPI 3.1 documents, not 2.0.0. Remove setOpenAPIVersion(), or set '3.1.0'.",
  ],
])('a document whose builder says %s', async (openapi, error) => {
  @Controller()
  class Things {
    index() {}
    show(@Param('id') _id: string) {}
    create() {}
  }
  const document = documentOf(things, { things: Things }, { ...config, openapi })
  if (error === undefined) expect(await document).toMatchObject({ openapi: '3.1.0' })
  else await expect(document).rejects.toThrow(error)
})

it('says once what a subclass repeats, and prefers the subclass', async () => {
  @ApiTags('things')
  @ApiBearerAuth()
  @ApiHeader({ name: 'X-Run', description: 'older' })
  @Controller()
  class Parent {
    @ApiTags('things', 'lists')
    @ApiBearerAuth()
    index() {}
    show(@Param('id') _id: string, @Headers('x-run') _run: string) {}
    create() {}
  }
  @ApiTags('things')
  @ApiBearerAuth()
  @ApiHeader({ name: 'x-run', description: 'newer' })
  @Controller()
  class Things extends Parent {}
  const { paths } = await validDocument(await documentOf(things, { things: Things }))
  const { tags, security, parameters } = paths['/api/things'].get
  expect([tags, security]).toEqual([['things', 'lists'], [{ bearer: [] }]])
  expect(parameters).toEqual([expect.objectContaining({ in: 'header', description: 'newer' })])
})

it("has the paths of a document with Nest's own routes as well", async () => {
  @Controller()
  class Things {
    @ApiOkResponse({ type: Address })
    index() {}
    show(@Param('id') _id: string) {}
    create() {}
    @ApiOkResponse({ type: Thing })
    @ApiQuery({ name: 'q', type: String, nullable: true } as never)
    @Get('plain')
    plain() {}
  }
  class Root {}
  const table = { 1: { things: Things } } as never
  const imports = [VersionedApiModule.forRoot(things, table)]
  Module({ imports, controllers: [Things] })(Root)
  const app = await createApp(Root, platforms[0])
  await app.init()
  const all = SwaggerModule.createDocument(app, config)
  const { info, paths, components } = await validDocument(
    createVersionDocument(app, things, table, 1 as never, all),
  )
  expect(info.title).toBe('Acme')
  expect(Object.keys(paths)).toEqual(['/plain', '/api/things', '/api/things/{id}'])
  expect(paths['/plain'].get.parameters[0].schema).toEqual({ type: ['string', 'null'] })
  expect(Object.keys(paths['/plain'].get.responses)).toEqual(['200'])
  expect(components.schemas).toHaveProperty('Thing.properties.note.type', ['string', 'null'])
  expect(components.schemas).toHaveProperty('Address')
})

it('declares the parameters of its paths', async () => {
  @Controller()
  class Things {
    index(@Param() _params: object) {}
    @ApiParam({ name: 'id', required: false, description: 'its number' })
    @ApiParam({ name: 'other' })
    show(@Param() _params: { id: string }) {}
    remove(@Param('name') _name: string) {}
    files() {}
  }
  const routes = api(
    { vendorString: 'acme' },
    version(
      1,
      get('things', { to: 'things#index' }),
      get('owners/:owner_id/things', { to: 'things#index' }),
      get('things/:id', { to: 'things#show' }),
      del('things/:name', { to: 'things#remove' }),
      get('files/*path', { to: 'things#files' }),
    ),
  )
  const { paths } = await validDocument(await documentOf(routes as never, { things: Things }))
  const parameters = Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => [
      `${method} ${path}`,
      ...operation.parameters.map(({ name, required, description }: any) =>
        [name, required, description].filter(Boolean).join(' '),
      ),
    ]),
  )
  expect(parameters).toEqual([
    ['get /api/things'],
    ['get /api/owners/{owner_id}/things', 'owner_id true'],
    ['get /api/things/{id}', 'id true its number'],
    ['delete /api/things/{id}', 'id true'],
    ['get /api/files/{path}', 'path true'],
  ])
})

it('tells operations of classes with one name apart', async () => {
  const create = (): Type => {
    @Controller()
    class Things {
      index() {}
    }
    return Things
  }
  const only = { only: 'index' } as const
  const nodes = [resources('things', only), namespace('admin', resources('things', only))] as const
  const routes = api(
    { vendorString: 'acme' },
    version(1, ...nodes),
    version(2, inherit({ from: 1 })),
  )
  const classes = { things: create(), 'admin/things': create() }
  const { paths } = await validDocument(await documentOf(routes as never, classes))
  expect(Object.values<any>(paths).map(({ get: { operationId } }) => operationId)).toEqual([
    'Things_index',
    'Things_index_2',
  ])
})
