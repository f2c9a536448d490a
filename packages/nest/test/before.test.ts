import type { INestApplication } from '@nestjs/common'
import { DocumentBuilder } from '@nestjs/swagger'
import { beforeEach, describe, expect, it } from 'vitest'
import { createVersionDocument } from '../src/swagger.ts'
import { AppModule, controllers, routes, seen } from './before.fixture.ts'
import { as, createApp, listen, platforms, send } from './platforms.ts'

describe.each(platforms)('version 1, derived from version 2, on $name', (platform) => {
  let app: INestApplication
  let origin: string
  beforeEach(async () => {
    app = await createApp(AppModule, platform)
    origin = await listen(app)
  })
  const ask = (n: number, path: string, method = 'GET', body?: unknown, headers = {}) =>
    send(`${origin}/api/users${path}`, {
      method,
      headers: as(n, {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const ann1 = { id: 1, email: 'ann@example.org', username: 'ann', bio: null, name: 'Ann Lee', address: { street: 'Main 1', zip: '8000' } } // prettier-ignore
  const ann2 = { id: 1, email: 'ann@example.org', username: 'ann', bio: null, firstName: 'Ann', lastName: 'Lee', address: { street: 'Main 1', postalCode: '8000' } } // prettier-ignore
  const bob1 = {
    email: 'bob@example.org',
    username: 'bob',
    name: 'Bob Ray',
    address: { street: 'B', zip: '1' },
  }
  const bob2 = { email: 'bob@example.org', username: 'bob', firstName: 'Bob', lastName: 'Ray', address: { street: 'B', postalCode: '1' } } // prettier-ignore

  it('show: nested DTO, @Exclude', async () => {
    expect((await ask(2, '/1')).body).toEqual(ann2)
    expect((await ask(1, '/1')).body).toEqual(ann1)
  })
  it('show: media type and version header', async () => {
    const { headers } = await ask(1, '/1')
    expect(headers.get('content-type')).toMatch('application/vnd.acme+json; version=1')
  })
  it('show: header renamed', async () => {
    const [one, two] = [await ask(1, '/1'), await ask(2, '/1')]
    expect([one.headers.get('acme-account'), one.headers.get('account')]).toEqual(['a1', null])
    expect([two.headers.get('acme-account'), two.headers.get('account')]).toEqual([null, 'a1'])
  })
  it('show: an error stays as it is', async () => {
    const [one, two] = [await ask(1, '/9'), await ask(2, '/9')]
    expect([one.status, one.body]).toEqual([404, two.body])
  })
  it('show: ParseIntPipe still runs', async () => {
    expect((await ask(1, '/x')).status).toBe(400)
  })
  it('index: the envelope became a list, with converted users', async () => {
    expect((await ask(2, '')).body).toMatchObject({ items: [ann2], total: 1 })
    expect((await ask(1, '')).body).toEqual([ann1])
  })
  it('index: a query DTO', async () => {
    expect((await ask(2, '?orderBy=lastName')).body.orderBy).toBe('lastName')
    expect((await ask(1, '?sort=name')).status).toBe(200)
    expect((await ask(1, '?sort=nope')).body.message).toEqual([
      'sort must be one of the following values: name, username',
    ])
  })
  it('search: a list', async () => {
    expect((await ask(1, '/search')).body).toEqual([ann1])
  })
  it('create: body, nested body, status 200', async () => {
    const two = await ask(2, '', 'POST', bob2)
    expect([two.status, two.body]).toEqual([201, { id: 2, bio: null, ...bob2 }])
    const one = await ask(1, '', 'POST', bob1)
    expect([one.status, one.body]).toEqual([200, { id: 2, bio: null, ...bob1 }])
  })
  it('create: the handler gets an instance of the newest DTO', async () => {
    await ask(1, '', 'POST', { ...bob1, admin: true })
    expect(seen.body).toEqual(bob2)
    expect((seen.body as object).constructor.name).toBe('CreateUser')
  })
  it('create: ValidationPipe speaks of the older fields', async () => {
    const { status, body } = await ask(1, '', 'POST', {
      ...bob1,
      name: 7,
      address: { street: 'x' },
    })
    expect([status, body.message]).toEqual([
      400,
      ['address.zip must be a string', 'name must be a string'],
    ])
  })
  it('create: a limit of the newer DTO names the change', async () => {
    const { status, body } = await ask(1, '', 'POST', { ...bob1, name: 'Maximiliane Ray' })
    expect([status, body.message]).toEqual([
      400,
      [
        "the request is rejected after the change 'The name of a user is in two fields.': " +
          'firstName must be shorter than or equal to 10 characters',
      ],
    ])
  })
  it('create: vendor type as Content-Type', async () => {
    const type = { 'content-type': 'application/vnd.acme+json; version=1' }
    expect((await ask(1, '', 'POST', bob1, type)).body).toMatchObject({ name: 'Bob Ray' })
  })
  it('create: the guard runs first, and sees what the client sent', async () => {
    const { status } = await ask(1, '', 'POST', { name: 7 }, { 'x-deny': '1' })
    expect([status, seen.guard, seen.class]).toEqual([403, { name: 7 }, 'UsersV2'])
  })
  it('update: a partial body', async () => {
    expect((await ask(1, '/1', 'PUT', { name: 'A B' })).body).toMatchObject({ name: 'A B' })
    expect((await ask(1, '/1', 'PUT', { bio: 'x' })).body).toMatchObject({
      name: 'Ann Lee',
      bio: 'x',
    })
  })
  it('destroy: 204', async () => {
    expect(await ask(1, '/1', 'DELETE')).toMatchObject({ status: 204, text: '' })
  })
  it('export: StreamableFile untouched', async () => {
    const { text, headers } = await ask(1, '/export')
    expect([text, headers.get('content-type')]).toEqual(['id,firstName\n1,Ann\n', 'text/csv'])
  })
  it('events: SSE untouched', async () => {
    const { text } = await ask(1, '/events', 'GET', undefined, {
      accept: 'application/vnd.acme+json;version=1',
    })
    expect(text).toContain('{"firstName":"Ann"}')
  })
  it('HEAD', async () => {
    expect((await ask(1, '/1', 'HEAD')).status).toBe(200)
  })
  it('documents', async () => {
    const config = new DocumentBuilder().setTitle('Acme').build()
    const documents = ([1, 2] as const).map(
      (n) => createVersionDocument(app, routes, controllers, n, config) as any,
    )
    const [one, two] = documents
    const of = (document: any, n: number, path: string, method: string, status: number) =>
      document.paths[path][method].responses[status].content[
        `application/vnd.acme+json;version=${n}`
      ].schema
    expect(of(two, 2, '/api/users/{id}', 'get', 200)).toEqual({ $ref: '#/components/schemas/User' })
    const user = of(one, 1, '/api/users/{id}', 'get', 200)
    expect(user).toEqual({ $ref: '#/components/schemas/UserV1' })
    expect(Object.keys(one.components.schemas.UserV1.properties)).toEqual([
      'id',
      'email',
      'username',
      'bio',
      'address',
      'name',
    ])
    expect(one.components.schemas.UserV1.properties.address).toEqual({
      $ref: '#/components/schemas/AddressV1',
    })
    expect(of(one, 1, '/api/users', 'get', 200)).toEqual({ type: 'array', items: user })
    expect(of(one, 1, '/api/users', 'post', 200)).toEqual(user)
    expect(Object.keys(one.paths['/api/users'].post.responses)).not.toContain('201')
    expect(one.paths['/api/users'].post.requestBody.content['application/json'].schema.$ref).toBe(
      '#/components/schemas/CreateUserV1',
    )
    expect(one.components.schemas.CreateUserV1.properties.address).toEqual({
      $ref: '#/components/schemas/AddressV1',
    })
    expect(one.paths['/api/users'].get.parameters.map(({ name }: any) => name)).toContain('sort')
    for (const name of ['User', 'Address', 'CreateUser', 'UserList'])
      expect(one.components.schemas).not.toHaveProperty(name)
  })
})
