// Both versions are released, so their responses stay as the snapshots in `released` have them. If a difference is intended,
// run vitest with -u and review what changed in those files.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { routeTable } from '@hv/router'
import { eachVersion, injectInto } from '@hv/router/testing'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { href, routes } from '../src/routes.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
type Answers = Readonly<Record<string, Answer>>
type Plant = (app: FastifyInstance) => void

const contractHeaders = ['content-type', 'vary', 'api-version', 'location', 'link', 'allow']
const volatile = new Set(['jwt', 'requestId', 'createdAt', 'updatedAt'])

/** As text, in which values that differ on every run are replaced by their types. */
const snapshotOf = (answers: object): string => {
  const mask = (key: string, value: unknown) => (volatile.has(key) ? `<${typeof value}>` : value)
  return `${JSON.stringify(answers, mask, 2)}\n`
}
const snapshotFile = (version: number): string =>
  resolve(import.meta.dirname, `../released/v${version}.snap`)

/**
 * Sends the same requests in every version, to a service of its own.
 *
 * @param plant makes the app behave differently than it did when it was released
 */
async function answersOf(accept: string, plant: Plant = () => {}): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'users-released-'))
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  const app = buildApp(appConfig, { store, tokens })
  plant(app)
  const inject = injectInto(app)
  const answers: Record<string, Answer> = {}

  async function ask(name: string, method: string, path: string, body?: object, jwt = '') {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        accept,
        ...(jwt !== '' && { authorization: `Bearer ${jwt}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await inject(request)
    const headers = contractHeaders.flatMap((header) => {
      const value = response.headers.get(header)
      return value === null ? [] : [[header, value] as const]
    })
    const text = await response.text()
    answers[name] = {
      status: response.status,
      headers: Object.fromEntries(headers),
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
    return answers[name].body
  }

  const dora = { username: 'dora', password }
  const user = href.users.show({ id: 1 })
  const users = href.users.index()
  try {
    await ask('create', 'POST', users, dora)
    await ask('create again', 'POST', users, dora)
    await ask('create an invalid user', 'POST', users, { username: 'x' })
    const { jwt } = (await ask('login', 'POST', href.users.login(), dora)) as { jwt: string }
    const wrong = { ...dora, password: 'wrong' }
    await ask('login with a wrong password', 'POST', href.users.login(), wrong)
    await ask('index', 'GET', `${users}?limit=1`, undefined, jwt)
    await ask('create another user', 'POST', users, { username: 'emil', password })
    await ask('index with a next page', 'GET', `${users}?limit=1`, undefined, jwt)
    await ask('index after the last page', 'GET', `${users}?after=2`, undefined, jwt)
    await ask('index with an invalid limit', 'GET', `${users}?limit=0`, undefined, jwt)
    await ask('index without a token', 'GET', users)
    await ask('show', 'GET', user, undefined, jwt)
    await ask('show an unknown user', 'GET', href.users.show({ id: 99 }), undefined, jwt)
    await ask('update', 'PUT', user, { name: 'Dora' }, jwt)
    await ask('a method that no route has', 'PATCH', user)
    await ask('options', 'OPTIONS', user)
    await ask('destroy', 'DELETE', user, undefined, jwt)
    return answers
  } finally {
    await app.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const actions = ['index', 'show', 'create', 'update', 'destroy', 'login'] as const

describe.each(eachVersion(routes))('version $version', ({ version, headers: { accept } }) => {
  it('responds as released', async () => {
    await expect(snapshotOf(await answersOf(accept))).toMatchFileSnapshot(snapshotFile(version))
  })
  it('has no other routes', () => {
    const rows = routeTable(routes).filter((row) => row.version === version)
    const released = version === 1 ? actions : [...actions, 'endSessions']
    expect(rows.map(({ key, action }) => `${key}.${action}`).toSorted()).toEqual(
      released.map((action) => `users.${action}`).toSorted(),
    )
  })
  it('serves every route to a user', () => {
    const released = JSON.parse(readFileSync(snapshotFile(version), 'utf8')) as Answers
    for (const action of actions)
      expect([action, released[action]]).toMatchObject([
        action,
        {
          status: action === 'create' ? 201 : 200,
          headers: { 'api-version': String(version), vary: 'Accept' },
        },
      ])
  })
})

it('version 2 differs in its list, and in an error that names the version', () => {
  const [one, two] = [1, 2].map(
    (version) => JSON.parse(readFileSync(snapshotFile(version), 'utf8')) as Answers,
  )
  const changed = Object.keys(one!).filter(
    (name) => JSON.stringify(one![name]!.body) !== JSON.stringify(two![name]!.body),
  )
  expect(changed).toEqual([
    'index',
    'index with a next page',
    'index after the last page',
    'a method that no route has',
  ])
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

/** What changed, the request that shows it, and the line of the released snapshot that goes. */
type Regression = readonly [what: string, request: string, line: string, plant: Plant]
const regressions: readonly Regression[] = [
  ['status 200 for 201', 'create', '"status": 201', setStatus(201, 200)],
  ['status 403 for 401', 'index without a token', '"status": 401', setStatus(401, 403)],
  [
    'a different count',
    'update',
    '"affectedRows": 1',
    rewrite(
      (method) => method === 'PUT',
      (body) => ({ ...body, data: { ...(body['data'] as Payload), affectedRows: 2 } }),
    ),
  ],
  [
    'a different message',
    'create again',
    '"message": "the username is taken"',
    rewrite(
      (method) => method === 'POST',
      (body) => ({ ...body, message: 'another' }),
    ),
  ],
  [
    'a different username',
    'show',
    '"username": "dora"',
    rewrite(
      (method, url) => method === 'GET' && url === '/users/1',
      (body) => ({ ...body, username: 'DORA' }),
    ),
  ],
  [
    'an empty list',
    'index',
    '"username": "dora"',
    rewrite(
      (_method, url) => url.startsWith('/users?'),
      () => [],
    ),
  ],
  ['a different id', 'login', '"id": 1', rewrite(isLogin, (body) => ({ ...body, id: 2 }))],
  [
    "a token that doesn't work",
    'index',
    '"status": 200',
    rewrite(isLogin, (body) => ({ ...body, jwt: '' })),
  ],
  [
    'a different error code',
    'create again',
    '"error": "USERNAME_TAKEN"',
    rewrite(
      (_method, url) => url === '/users',
      (body) => ({ ...body, error: 'ANOTHER' }),
    ),
  ],
  ['no Location', 'create', '"location": "/users/1"', setHeader('location', undefined)],
  ['a different Vary', 'create', '"vary": "Accept"', setHeader('vary', 'Origin')],
  [
    'a different Content-Type',
    'show',
    '"content-type": "application/vnd.users+json; version=1; charset=utf-8"',
    setHeader('content-type', 'text/plain'),
  ],
  [
    'a different Allow',
    'options',
    '"allow": "GET, HEAD, PUT, DELETE, OPTIONS"',
    (app) =>
      void app.addHook(
        'onSend',
        async (_request, reply) => void (reply.hasHeader('allow') && reply.header('allow', 'GET')),
      ),
  ],
]

it.each(regressions)('the snapshot shows %s', async (_what, request, line, plant) => {
  const released = JSON.parse(readFileSync(snapshotFile(1), 'utf8')) as Answers
  const answers = await answersOf('application/vnd.users+json; version=1', plant)
  expect(snapshotOf(released[request]!)).toContain(line)
  expect(snapshotOf(answers[request]!)).not.toContain(line)
})
