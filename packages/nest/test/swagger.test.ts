import { api, cache, get, inherit, resources, version } from '@hv/router'
import { compareDocuments } from '@hv/openapi-diff'
import { Body, Controller, Get, HttpCode, Logger, Module, Param, Query } from '@nestjs/common'
import {
  ApiOkResponse,
  ApiProduces,
  ApiProperty,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { VersionedApiModule } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { AppModule, controllers, routes } from './fixture.ts'
import { createApp, platforms } from './platforms.ts'
import { validDocument } from './valid-document.ts'

const config = new DocumentBuilder().setTitle('Acme').addBearerAuth().build()

describe.each(platforms)('the documents of an app on $name', (platform) => {
  const documents = async () => {
    const app = await createApp(AppModule, platform)
    app.setGlobalPrefix('rest', { exclude: ['api/users'] })
    await app.init()
    return {
      plain: SwaggerModule.createDocument(app, config) as any,
      one: createVersionDocument(app, routes, controllers, 1, config) as any,
      two: createVersionDocument(app, routes, controllers, 2, config) as any,
    }
  }

  it('have the paths of their version, and Nest keeps the others', async () => {
    const { plain, one, two } = await documents()
    expect(Object.keys(plain.paths)).toEqual(['/rest/users', '/rest/users/boom'])
    expect(Object.keys(one.paths).toSorted()).toEqual([
      '/api/files',
      '/api/files/callback',
      '/api/files/events',
      '/api/files/later',
      '/api/files/old',
      '/api/files/raw',
      '/api/files/stream',
      '/api/files/{id}',
      '/api/users',
      '/api/users/search',
      '/api/users/{id}',
      '/api/users/{id}/lock',
    ])
    expect(Object.keys(two.paths).toSorted()).toEqual(
      [...Object.keys(one.paths), '/api/teams'].toSorted(),
    )
  })

  it("have the version's media type and models, and what decorators say", async () => {
    const { one, two } = await documents()
    const operation = (document: any) => document.paths['/api/users/{id}'].get
    expect(operation(one).responses['200'].content).toEqual({
      'application/vnd.acme+json;version=1': { schema: { $ref: '#/components/schemas/UserV1' } },
    })
    expect(operation(two).responses['200'].content).toEqual({
      'application/vnd.acme+json;version=2': { schema: { $ref: '#/components/schemas/UserV2' } },
    })
    expect([operation(one).summary, operation(two).summary]).toEqual(['Shows a user', undefined])
    expect(operation(one).security).toEqual([{ bearer: [] }])
    const bodyOf = (document: any) =>
      document.paths['/api/users'].post.requestBody.content['application/json'].schema.$ref
    expect([bodyOf(one), bodyOf(two)]).toEqual([
      '#/components/schemas/CreateUserV1',
      '#/components/schemas/CreateUserV2',
    ])
    expect(one.components.schemas).toHaveProperty('UserV1.properties.name')
    expect(one.components.schemas).not.toHaveProperty('UserV2')
  })

  it('have the headers, the refusals and the deprecation of the route file', async () => {
    const { one, two } = await documents()
    const [first, second] = [one, two].map((document) => document.paths['/api/users/{id}'].get)
    expect([first.deprecated, second.deprecated]).toEqual([true, undefined])
    expect(Object.keys(first.responses)).toEqual(['200', '400', '406', '410'])
    expect(Object.keys(first.responses['200'].headers)).toEqual(
      expect.arrayContaining(['API-Version', 'Deprecation', 'Sunset']),
    )
  })

  it('contain all that they refer to', async () => {
    const { one, two } = await documents()
    for (const document of [one, two]) {
      const refs = [...JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g)]
      expect(refs.length).toBeGreaterThan(0)
      for (const [, ref] of refs)
        expect(document).toHaveProperty(['components', ...ref!.split('/')])
    }
  })

  it('are valid', async () => {
    const { one, two } = await documents()
    for (const document of [one, two])
      expect(await validDocument(document)).toMatchObject({ openapi: '3.1.0' })
  })

  it('can be compared', async () => {
    const { one, two } = await documents()
    const findings = compareDocuments(one, two).map(({ message }) => message)
    expect(findings.join('\n')).toContain('email')
    expect(compareDocuments(one, one)).toEqual([])
  })
})

describe('a document', () => {
  class Thing {
    @ApiProperty()
    id!: number
  }
  @Controller('old')
  class Things {
    @ApiOkResponse({ type: [Thing] })
    index(@Query('page') _page: string) {}
    @ApiProduces('text/csv')
    @ApiOkResponse({ schema: { type: 'string' } })
    csv() {}
    @HttpCode(204)
    remove(@Param('id') _id: string) {}
    @Get()
    old() {}
  }
  const small = api(
    { vendorString: 'acme' },
    version(
      1,
      cache(
        { as: 'v1' },
        get('things', { to: 'things#index' }),
        get('other/things', { to: 'things#index' }),
        get('things.csv', { to: 'things#csv' }),
        resources('things', { only: [] }),
      ),
    ),
    version(2, inherit({ from: 'v1' })),
  )
  const table = { 1: { things: Things }, 2: { things: Things } }

  it('lists every path of an action, and none that the class has in Nest', async () => {
    @Module({ imports: [VersionedApiModule.forRoot(small, table)], controllers: [Things] })
    class Root {}
    const app = await createApp(Root, platforms[0])
    await app.init()
    // `include` chooses modules, for a document of the whole app.
    const { paths } = createVersionDocument(app, small, table, 2, config, {
      include: [AppModule],
    }) as any
    expect(Object.keys(paths)).toEqual(['/api/things', '/api/other/things', '/api/things.csv'])
    const ids = Object.values<any>(paths).map(({ get: { operationId } }) => operationId)
    expect(ids).toEqual(['Things_index', 'Things_index_2', 'Things_csv'])
    expect(Object.keys(paths['/api/things.csv'].get.responses['200'].content)).toEqual(['text/csv'])
    expect(paths['/api/things'].get.parameters).toEqual([
      { name: 'page', in: 'query', required: true, schema: { type: 'string' } },
    ])
  })

  it('lists every action of a large API', async () => {
    const names = Array.from(
      { length: 50 },
      (_, i) => `${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i)}s`,
    )
    const nodes = names.map((name) =>
      resources(name, { only: ['index', 'show', 'create', 'update', 'destroy'] }),
    )
    const large = api({ vendorString: 'acme' }, version(1, ...(nodes as never[])))
    @Controller()
    class All {
      index() {}
      show(@Param('id') _id: string) {}
      create() {}
      update() {}
      destroy() {}
    }
    const all = { 1: Object.fromEntries(names.map((name) => [name, All])) }
    @Module({ imports: [VersionedApiModule.forRoot(large, all as never)], controllers: [All] })
    class Root {}
    const app = await createApp(Root, platforms[0])
    await app.init()
    const { paths } = createVersionDocument(app, large, all as never, 1 as never, config)
    expect(Object.values(paths).flatMap((path) => Object.keys(path))).toHaveLength(50 * 5)
  })

  it('warns about a DTO of which Swagger knows no property', async () => {
    const users = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
    class Described {
      @ApiProperty()
      name!: string
    }
    class NewUser {
      name!: string
    }
    @Controller()
    class Users {
      @ApiOkResponse({ type: Described })
      create(@Body() body: NewUser) {
        return body
      }
    }
    const actions = { 1: { users: Users } }
    @Module({ imports: [VersionedApiModule.forRoot(users, actions)], controllers: [Users] })
    class Root {}
    const app = await createApp(Root, platforms[0])
    await app.init()
    const warn = vi.spyOn(Logger, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    createVersionDocument(app, users, actions, 1, config)
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      expect.stringContaining('The documents show no property of NewUser.'),
    ])
  })
})
