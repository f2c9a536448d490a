// Both versions are released: their responses stay as `released` has them. RELEASE=1 records a new release.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { routeTable } from '@hv/router'
import { type Recording, type Script, differences, eachVersion, record } from '@hv/router/testing'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { href, routes } from '../src/routes.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

const credentials = { username: 'dora', password }
const authorized = (responses: Readonly<Record<string, { body: unknown }>>) => ({
  authorization: `Bearer ${(responses['login']!.body as { jwt: string }).jwt}`,
})
const id = { id: 1 }
const script: Script = {
  create: { method: 'POST', path: href.users.create(), body: credentials },
  'create again': { method: 'POST', path: href.users.create(), body: credentials },
  'create an invalid user': { method: 'POST', path: href.users.create(), body: { username: 'x' } },
  login: { method: 'POST', path: href.users.login(), body: credentials },
  'login with a wrong password': {
    method: 'POST',
    path: href.users.login(),
    body: { ...credentials, password: 'wrong' },
  },
  index: (responses) => ({ path: `${href.users.index()}?limit=1`, headers: authorized(responses) }),
  'create another user': {
    method: 'POST',
    path: href.users.create(),
    body: { ...credentials, username: 'emil' },
  },
  'index with a next page': (responses) => ({
    path: `${href.users.index()}?limit=1`,
    headers: authorized(responses),
  }),
  'index after the last page': (responses) => ({
    path: `${href.users.index()}?after=2`,
    headers: authorized(responses),
  }),
  'index with an invalid limit': (responses) => ({
    path: `${href.users.index()}?limit=0`,
    headers: authorized(responses),
  }),
  'index without a token': { path: href.users.index() },
  show: (responses) => ({ path: href.users.show(id), headers: authorized(responses) }),
  'show an unknown user': (responses) => ({
    path: href.users.show({ id: 99 }),
    headers: authorized(responses),
  }),
  update: (responses) => ({
    method: 'PUT',
    path: href.users.update(id),
    body: { name: 'Dora' },
    headers: authorized(responses),
  }),
  'a method that no route has': { method: 'PATCH', path: href.users.update(id) },
  options: { method: 'OPTIONS', path: href.users.show(id) },
  destroy: (responses) => ({
    method: 'DELETE',
    path: href.users.destroy(id),
    headers: authorized(responses),
  }),
}
const timestamps = ['/createdAt', '/updatedAt']
const volatileOf = (version: 1 | 2) => {
  const user = version === 1 ? '/*' : '/items/*'
  return ['/jwt', '/requestId', ...['', user].flatMap((at) => timestamps.map((name) => at + name))]
}

/** Runs a test with a service of its own, over a socket. */
async function withService<T>(
  run: (origin: string) => Promise<T>,
  plant = (_app: FastifyInstance): void => {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'users-released-'))
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  const app = buildApp(appConfig, { store, tokens })
  plant(app)
  try {
    return await run(await app.listen({ host: '127.0.0.1', port: 0 }))
  } finally {
    await app.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
const recordingOf = (version: 1 | 2, plant?: (app: FastifyInstance) => void) =>
  withService(
    (baseUrl) =>
      record((request) => fetch(request), routes, {
        version,
        script,
        volatile: volatileOf(version),
        baseUrl,
      }),
    plant,
  )

const releasedIn = async (version: 1 | 2): Promise<Recording> => {
  const file = resolve(import.meta.dirname, `../released/v${version}.json`)
  if (process.env['RELEASE'] === '1')
    writeFileSync(file, `${JSON.stringify(await recordingOf(version), null, 2)}\n`)
  return JSON.parse(readFileSync(file, 'utf8')) as Recording
}
const released = await releasedIn(1)

it.each([1, 2] as const)('version %i answers as released', async (version) => {
  const expected = await releasedIn(version)
  expect(Object.keys(expected)).toEqual(Object.keys(script))
  const now = await recordingOf(version)
  expect(differences(expected, now)).toEqual([])
  expect(JSON.stringify(now)).toBe(JSON.stringify(expected)) // the order of properties, too
})

it('version 2 differs in its list, and in an error that names the version', async () => {
  const changed = differences(released, await recordingOf(2)).filter((line) =>
    line.includes('/body'),
  )
  expect(changed.map((line) => line.split(':')[0])).toEqual([
    'index',
    'index with a next page',
    'index after the last page',
    'a method that no route has',
  ])
})

const actions = ['index', 'show', 'create', 'update', 'destroy', 'login'] as const

describe.each(eachVersion(routes))('version $version', ({ version }) => {
  it('has no other routes', () => {
    const rows = routeTable(routes).filter((row) => row.version === version)
    expect(rows.map(({ key, action }) => `${key}.${action}`).toSorted()).toEqual(
      actions.map((action) => `users.${action}`).toSorted(),
    )
  })
  it('serves every route to a user', async () => {
    const recording = await recordingOf(version)
    for (const action of actions)
      expect([action, recording[action]]).toMatchObject([
        action,
        {
          status: action === 'create' ? 201 : 200,
          headers: { 'api-version': String(version), vary: 'Accept' },
        },
      ])
  })
})
type Payload = Record<string, unknown>
const rewrite =
  (applies: (method: string, url: string) => boolean, change: (body: Payload) => unknown) =>
  (app: FastifyInstance) =>
    void app.addHook('preSerialization', async ({ method, url }, _reply, payload) =>
      applies(method, url) ? change(structuredClone(payload) as Payload) : payload,
    )
const setHeader = (name: string, value: string | undefined) => (app: FastifyInstance) =>
  void app.addHook('onSend', async (_request, reply) => {
    if (value === undefined) reply.removeHeader(name)
    else reply.header(name, value)
  })
const setStatus = (from: number, to: number) => (app: FastifyInstance) =>
  void app.addHook(
    'onSend',
    async (_request, reply) => void (reply.statusCode === from && reply.code(to)),
  )
const isLogin = (_method: string, url: string) => url === '/users/login'

type Regression = readonly [what: string, found: string, plant: (app: FastifyInstance) => void]
const regressions: readonly Regression[] = [
  ['status 200 for 201', 'create: /status was 201, is 200', setStatus(201, 200)],
  ['status 403 for 401', 'index without a token: /status was 401, is 403', setStatus(401, 403)],
  [
    'another count',
    'update: /body/data/affectedRows was 1, is 2',
    rewrite(
      (method) => method === 'PUT',
      (body) => ({ ...body, data: { ...(body['data'] as Payload), affectedRows: 2 } }),
    ),
  ],
  [
    'another message',
    'create again: /body/message was "the username is taken", is "another"',
    rewrite(
      (method) => method === 'POST',
      (body) => ({ ...body, message: 'another' }),
    ),
  ],
  [
    'another username',
    'show: /body/username was "dora", is "DORA"',
    rewrite(
      (method, url) => method === 'GET' && url === '/users/1',
      (body) => ({ ...body, username: 'DORA' }),
    ),
  ],
  [
    'an empty list',
    'index: /body/0 was {"id":1,"username":"dora","name":null,"createdAt":"<string>","updatedAt":"<string>"}, is missing',
    rewrite(
      (_method, url) => url.startsWith('/users?'),
      () => [],
    ),
  ],
  ['another id', 'login: /body/id was 1, is 2', rewrite(isLogin, (body) => ({ ...body, id: 2 }))],
  [
    'a token that does not work',
    'index: /status was 200, is 401',
    rewrite(isLogin, (body) => ({ ...body, jwt: '' })),
  ],
  [
    'another error code',
    'create again: /body/error was "USERNAME_TAKEN", is "ANOTHER"',
    rewrite(
      (_method, url) => url === '/users',
      (body) => ({ ...body, error: 'ANOTHER' }),
    ),
  ],
  [
    'no Location',
    'create: /headers/location was "/users/1", is missing',
    setHeader('location', undefined),
  ],
  [
    'another Vary',
    'create: /headers/vary was "Accept", is "Origin, Accept"',
    setHeader('vary', 'Origin'),
  ],
  [
    'another Content-Type',
    'show: /headers/content-type was "application/vnd.users+json; version=1; charset=utf-8", is "text/plain"',
    setHeader('content-type', 'text/plain'),
  ],
  [
    'another Allow',
    'options: /headers/allow was "GET, HEAD, PUT, DELETE, OPTIONS", is "GET"',
    (app) =>
      void app.addHook(
        'onSend',
        async (_request, reply) => void (reply.hasHeader('allow') && reply.header('allow', 'GET')),
      ),
  ],
]

it.each(regressions)('the recording finds %s', async (_what, found, plant) => {
  expect(differences(released, await recordingOf(1, plant))).toContain(found)
})
