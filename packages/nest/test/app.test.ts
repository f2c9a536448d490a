// What Nest puts around a handler works for versioned routes as for its own.
import { type INestApplication, VersioningType } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppModule, seen } from './fixture.ts'
import { as, createApp, listen, platforms, release, send } from './platforms.ts'

const json = { 'content-type': 'application/json' }

describe.each(platforms)(`an app of ${release} on $name`, ({ name, create }) => {
  let app: INestApplication
  let origin: string
  beforeAll(async () => {
    app = await NestFactory.create(AppModule, create() as never, {
      logger: false,
      abortOnError: false,
    })
    app.setGlobalPrefix('rest', { exclude: ['api/users'] })
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })
    app.enableCors()
    origin = await listen(app)
  })
  afterAll(() => app.close())
  const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
    send(origin + path, { ...init, headers })

  it('serves each version with its class', async () => {
    expect((await ask('/api/users/7', as(1))).body).toEqual({ id: 7, name: 'Ann Lee' }) // the password is excluded
    expect((await ask('/api/users/7', as(2))).body).toEqual({ id: 7, first: 'Ann' })
    expect((await ask('/api/users?page=3', as(2, { 'x-agent': 'me' }))).body).toEqual({
      page: 3,
      agent: 'me UsersV2.index',
    })
  })
  it("adds the version's headers", async () => {
    const { headers } = await ask('/api/users/7', as(1))
    expect(headers.get('content-type')).toBe('application/vnd.acme+json; version=1; charset=utf-8')
    expect(headers.get('vary')).toContain('Accept')
    expect(headers.get('api-version')).toBe('1')
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(headers.get('sunset')).toContain('2099')
  })
  it('refuses other requests with problem documents', async () => {
    expect((await ask('/api/users/7', as(3))).status).toBe(410)
    expect((await ask('/api/users/7', as(9))).body).toMatchObject({
      type: 'urn:hv-router:not-acceptable',
    })
    expect((await ask('/api/teams', as(1))).status).toBe(404)
    expect((await ask('/api/users/7', as(2), { method: 'POST' })).status).toBe(405)
  })
  it('validates with the DTO of the version', async () => {
    const post = (n: number, body: object) =>
      ask('/api/users', as(n, json), { method: 'POST', body: JSON.stringify(body) })
    expect((await post(1, { name: 'Ann', junk: 1 })).body).toEqual({
      created: { name: 'Ann' },
      as: 'CreateUserV1',
    })
    expect(await post(1, { name: 'A' })).toMatchObject({
      status: 400,
      body: { message: [expect.any(String)] },
    })
    expect(await post(2, { name: 'Ann', email: 'a@b.co' })).toMatchObject({
      status: 201,
      body: { as: 'CreateUserV2' },
    })
    expect((await post(2, { name: 'Ann' })).status).toBe(400)
  })
  it.each([
    ['a pipe', '/api/users/x', 400, {}],
    ['a guard', '/api/users/7', 403, { 'x-banned': '1' }],
    ['a filter', '/api/users/404', 404, {}],
  ])('keeps the type of what %s responds', async (_what, path, status, more) => {
    const response = await ask(path, as(2, more as Record<string, string>))
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([response.headers.get('api-version'), response.headers.get('vary')]).toEqual([
      '2',
      expect.stringContaining('Accept'),
    ])
  })
  it('parses bodies under the vendor type', async () => {
    const type = { 'content-type': 'application/vnd.acme+json;version=2' }
    const body = '{"name":"Ann","email":"a@b.co"}'
    expect((await ask('/api/users', as(2, type), { method: 'POST', body })).body).toMatchObject({
      as: 'CreateUserV2',
    })
    expect((await ask('/api/users', as(2, type), { method: 'POST', body: '{' })).status).toBe(400)
  })
  it('runs the guards of the app, of the class, which need a provider, and of the method', async () => {
    seen.length = 0
    await ask('/api/users/7', as(1))
    expect(seen.filter((line) => !line.startsWith('middleware'))).toEqual([
      'http UsersV1.show 1',
      'guarded UsersV1',
    ])
    expect((await ask('/api/users/7', as(2), { method: 'PUT' })).status).toBe(403)
    const update = await ask('/api/users/7', as(2, { 'x-role': 'admin' }), { method: 'PUT' })
    expect(update.body).toEqual({ id: '7', method: 'PUT' })
  })
  it('runs interceptors, and sends the status and headers that decorators declare', async () => {
    expect((await ask('/api/users/7', as(2), { method: 'DELETE' })).status).toBe(204)
    const lock = await ask('/api/users/7/lock', as(2), { method: 'POST' })
    expect(lock).toMatchObject({ status: 201, body: { data: { id: '7', version: 2 } } })
    expect(lock.headers.get('x-lock')).toBe('yes')
  })
  it('responds to POST with 201 where an action has both methods', async () => {
    expect((await ask('/api/users/search?q=a', as(1))).status).toBe(200)
    expect(await ask('/api/users/search?q=a', as(1), { method: 'POST' })).toMatchObject({
      status: 201,
      body: ['a'],
    })
  })
  it('lets two requests through a throttle of two, and counts versions apart', async () => {
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await ask('/api/users/search?q=a', as(2))).status)
    expect(statuses).toEqual([200, 200, 429, 429])
    expect((await ask('/api/users/search?q=a', as(1))).status).toBe(200)
  })
  it('creates request-scoped controllers for each request', async () => {
    const [first, second] = await Promise.all(
      ['ann', 'bob'].map((account) => ask('/api/teams', as(2, { 'x-account': account }))),
    )
    expect([first!.body.account, second!.body.account]).toEqual(['ann', 'bob'])
    expect(first!.body.number).not.toBe(second!.body.number)
  })
  it('sends files and streams', async () => {
    const file = await ask('/api/files/7', as(1))
    expect(file.text).toBe('file 7')
    expect(
      ['content-type', 'x-kind', 'content-disposition'].map((header) => file.headers.get(header)),
    ).toEqual(['text/csv', 'file', 'attachment; filename="a.csv"'])
    expect((await ask('/api/files/stream', as(1))).text).toBe('abc')
  })
  it('sends what a method sends itself, and what an observable emits', async () => {
    expect(await ask('/api/files/raw', as(1))).toMatchObject({ status: 202, body: { raw: true } })
    expect((await ask('/api/files/callback', as(1))).body).toEqual({ later: true })
    expect((await ask('/api/files/later', as(1))).body).toEqual({ from: 'observable' })
  })
  it("sends events with the version's headers", async () => {
    const { headers, text } = await ask('/api/files/events', as(2))
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect([headers.get('vary'), headers.get('api-version')]).toEqual([
      expect.stringContaining('Accept'),
      '2',
    ])
    expect(text).toContain('data: {"n":1,"version":2}')
    expect((await ask('/rest/v1', {})).status).toBe(404) // @Sse() without a path is no route of its own
    expect((await ask('/', {})).status).toBe(404)
  })
  it('redirects', async () => {
    const { status, headers } = await ask('/api/files/old', as(1))
    expect([status, headers.get('location')]).toEqual([302, '/elsewhere'])
  })
  it('responds to HEAD', async () => {
    const { status, headers, text } = await ask('/api/users/7', as(2), { method: 'HEAD' })
    expect([status, headers.get('api-version'), text]).toEqual([200, '2', ''])
  })
  it.runIf(name === 'Express')('takes uploads', async () => {
    const form = new FormData()
    form.append('file', new Blob(['hello']), 'a.txt')
    form.append('note', 'x')
    const { body } = await ask('/api/files', as(1), { method: 'POST', body: form })
    expect(body).toEqual({ name: 'a.txt', size: 5, body: { note: 'x' } })
  })
  it("leaves the app's other routes, its versions, its prefix and CORS to Nest", async () => {
    expect((await ask('/rest/v1/users', {})).body).toEqual({ plain: true })
    expect((await ask('/rest/v1/users/boom', {})).status).toBe(418)
    expect((await ask('/nothing', {})).status).toBe(404)
    const { headers } = await ask('/api/users/7', as(2, { origin: 'https://a.example' }))
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

it.each(platforms)(
  "runs modules' middleware for the API's paths, for refused requests as well: $name",
  async (platform) => {
    const app = await createApp(AppModule, platform)
    const origin = await listen(app)
    seen.length = 0
    for (const n of [2, 9]) await send(`${origin}/api/users`, { headers: as(n) })
    expect(seen.filter((line) => line.startsWith('middleware'))).toEqual([
      'middleware /api/users',
      'middleware /api/users',
    ])
  },
)
