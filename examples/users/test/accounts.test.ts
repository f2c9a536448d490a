// What protects an account: good passwords, passwords that somebody else chose, sessions that end, and a record of it all.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { createPasswords, findWeakness } from '../src/auth/passwords.ts'
import type { Database } from '../src/store/database.ts'
import { type UserStore, createUserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, password, register, send } from './client.ts'
import { tokens } from './services.ts'
import { describeStores, userOf } from './stores.ts'

const security = readFileSync(resolve(import.meta.dirname, '../SECURITY.md'), 'utf8')
const second = { accept: 'application/vnd.users+json;version=2' }

describe('findWeakness', () => {
  const common = dictionary['passwords-common'].filter(({ length }) => length >= 8)
  it('refuses the 3,000 most common passwords', () => {
    const isRefused = (candidate: string) => findWeakness(candidate, []) !== null
    expect(common.slice(0, 3000).filter((candidate) => !isRefused(candidate))).toEqual([])
    expect(common.slice(3000).filter(isRefused).length).toBeLessThan(10) // they contain a word
  })
  it.each([
    ['password', [], 'one of the 3,000 most common'],
    ['12345678', [], 'one of the 3,000 most common'],
    ['PassWord', [], 'one of the 3,000 most common'],
    ['ｐａｓｓｗｏｒｄ', [], 'one of the 3,000 most common'],
    ['my DORA horse', ['dora'], 'contains the username'],
    ['my arod horse', ['Dora'], 'contains the username'],
    ['my dora horse', ['emil', 'dora'], 'contains the username'],
    ['my Users-Service', [], "contains 'users-service'"],
  ])('refuses %j of %j', (candidate, names, reason) =>
    expect(findWeakness(candidate, names)).toContain(reason),
  )
  const [, words] = /about the service +\| refused: (.*?), and the username/.exec(security)!
  it.each([...words!.matchAll(/`(.*?)`/g)].map(([, word]) => word!))(
    'refuses the documented word %s',
    (word) => expect(findWeakness(`my ${word} 7`, [])).toContain(`'${word}'`),
  )
  it.each([
    [password, ['dora']],
    ['an annual horse', ['ann']], // three characters are in too many words
    ['        ', ['dora']],
    ['aaaaaaaab', ['']],
  ])('accepts %j of %j', (candidate, names) => expect(findWeakness(candidate, names)).toBeNull())
})

describe('SECURITY.md', () => {
  const [, table = ''] = /^## Met$([^]*?)^## /m.exec(security)!
  const rows = table.split('\n').filter((line) => /^\| \d/.test(line))
  const cases = rows.flatMap((row) => {
    const [, requirement = '', , shown = ''] = row.split(' | ').join('|').split('|')
    const files = [...shown.matchAll(/`([\w-]+\.test\.ts)`((?:,? “[^”]+”)*)/g)]
    return files.map(([, file, titles]) => ({
      requirement: requirement.trim(),
      file: file!,
      titles: [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => title!),
    }))
  })
  it('has a test for each requirement', () => {
    expect(new Set(cases.map(({ requirement }) => requirement)).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThan(20)
  })
  it.each(cases)('shows $requirement by tests of $file', ({ file, titles }) => {
    const text = readFileSync(resolve(import.meta.dirname, file), 'utf8')
    expect(titles).not.toEqual([])
    for (const title of titles)
      expect(
        [`'${title}'`, `"${title}"`].some((quoted) => text.includes(quoted)),
        title,
      ).toBe(true)
  })
})

describeStores('an account', (_open, openDatabase) => {
  let db: Database
  let store: UserStore
  let origin: string
  let closed: string
  let root: { id: number; jwt: string }
  let logged = ''
  const apps: FastifyInstance[] = []
  const log = () =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => (done(), void (logged += chunk.toString())),
    })
  async function serve(config: Partial<typeof appConfig>): Promise<string> {
    const app = buildApp({ ...appConfig, ...config }, { store, tokens }, undefined, log())
    apps.push(app)
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
  beforeAll(async () => {
    db = await openDatabase()
    store = createUserStore(db)
    await store.migrate()
    origin = await serve({})
    closed = await serve({ closedRegistration: true })
    root = await register(origin, 'root')
    await store.setRole(root.id, 'admin')
  })
  afterAll(async () => {
    for (const app of apps) await app.close()
  })
  const login = (username: string, pass = password) =>
    send(origin, 'POST', '/users/login', { username, password: pass })
  const put = (id: number, jwt: string, body: object, version = 1) =>
    send(origin, 'PUT', `/users/${id}`, body, {
      ...bearer(jwt),
      accept: `application/vnd.users+json;version=${version}`,
    })
  const changeRequired = { status: 403, body: { error: 'password_change_required' } }

  it('gets no password that somebody would guess, and is told why', async () => {
    const create = (username: string, pass: string) =>
      send(origin, 'POST', '/users', { username, password: pass })
    expect(await create('weak', 'password')).toMatchObject({
      status: 400,
      body: { error: 'BAD_REQUEST', message: 'the password is one of the 3,000 most common ones' },
    })
    expect((await create('weak', 'weak horse')).status).toBe(400)
    const { id, jwt } = await register(origin, 'formerly')
    for (const body of [
      { password: 'formerly horse' },
      { password: 'lately horse', username: 'lately' },
      { password: 'my formerly', username: 'lately' },
    ]) {
      const change = await put(id, jwt, { ...body, currentPassword: password })
      expect([change.status, change.body.message]).toEqual([
        400,
        'the password contains the username, forwards or backwards',
      ])
    }
  })

  it('is protected by argon2id with 19 MiB and two passes', async () => {
    const { passwordHash } = (await store.findCredentials({ username: 'root' }))!
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('keeps a weak password that it already has', async () => {
    const passwordHash = await createPasswords(1).hash('password', 'local')
    await store.create({ username: 'oldhand', name: null, passwordHash })
    expect((await login('oldhand', 'password')).status).toBe(200)
  })

  it('has to change a password that an admin has chosen, and can do nothing else before', async () => {
    const created = await send(
      closed,
      'POST',
      '/users',
      { username: 'invited', password },
      bearer(root.jwt),
    )
    const id = created.body.data.insertId as number
    const { jwt } = (await login('invited')).body
    const as = bearer(jwt)
    expect(await send(origin, 'GET', '/users', undefined, as)).toMatchObject(changeRequired)
    expect(await send(origin, 'GET', `/users/${id}`, undefined, as)).toMatchObject(changeRequired)
    expect(await send(origin, 'DELETE', `/users/${id}`, undefined, as)).toMatchObject(
      changeRequired,
    )
    expect(
      await send(origin, 'DELETE', `/users/${id}/sessions`, undefined, { ...as, ...second }),
    ).toMatchObject(changeRequired)
    expect(await put(id, jwt, { name: 'Invited' })).toMatchObject(changeRequired)
    expect(await put(root.id, jwt, { name: 'Root' })).toMatchObject(changeRequired)
    const create = (body: object) => send(closed, 'POST', '/users', body, as)
    expect(await create({ username: 'guest', password })).toMatchObject(changeRequired)
    const kept = { password, currentPassword: password }
    expect(await put(id, jwt, kept)).toMatchObject(changeRequired)
    const chosen = { password: 'a horse of my own' }
    expect((await put(id, jwt, { ...chosen, currentPassword: 'wrong' })).body.error).toBe(
      'FORBIDDEN',
    )
    // 401 and 400 come first
    expect((await send(origin, 'GET', '/users')).status).toBe(401)
    expect((await send(origin, 'GET', '/users?limit=0', undefined, as)).status).toBe(400)
    expect((await send(origin, 'GET', '/users/x', undefined, as)).status).toBe(400)
    expect((await put(id, jwt, { unknown: 1 })).status).toBe(400)
    expect((await create({ unknown: 1 })).status).toBe(400)

    expect((await put(id, jwt, { ...chosen, currentPassword: password })).status).toBe(200)
    const later = (await login('invited', chosen.password)).body
    expect((await send(origin, 'GET', '/users', undefined, bearer(later.jwt))).status).toBe(200)
  })

  it('has to change a password that an admin has set for it', async () => {
    const { id } = await register(origin, 'forgetful')
    expect((await put(id, root.jwt, { password: 'a reset horse' })).status).toBe(200)
    const { jwt } = (await login('forgetful', 'a reset horse')).body
    expect(await send(origin, 'GET', '/users', undefined, bearer(jwt))).toMatchObject(
      changeRequired,
    )
    expect((await put(root.id, root.jwt, { name: 'Root' })).status).toBe(200)
  })

  it('loses such a password after three days', async () => {
    const { id } = await register(origin, 'tardy')
    await put(id, root.jwt, { password: 'a reset horse' })
    const { jwt } = (await login('tardy', 'a reset horse')).body
    const [row] = await db.all('SELECT password_expires AS time FROM users WHERE id = :id', { id })
    expect(Number(row!['time']) - Date.now()).toBeGreaterThan(2.99 * 24 * 3_600_000)
    expect(Number(row!['time']) - Date.now()).toBeLessThan(3.01 * 24 * 3_600_000)
    await db.run('UPDATE users SET password_expires = 1 WHERE id = :id', { id })
    expect((await login('tardy', 'a reset horse')).status).toBe(401)
    const change = { password: 'a horse of my own', currentPassword: 'a reset horse' }
    expect(await put(id, jwt, change)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } })
  })

  it("of an admin gets a new one when that's too late", async () => {
    const passwordHash = await createPasswords(1).hash(password, 'local')
    const admin = { username: 'absent', name: null, passwordHash, role: 'admin', mustChange: true }
    const { insertId: id } = await store.create(admin as never)
    expect(await store.renewAdmin('absent', passwordHash)).toBe(false)
    await db.run('UPDATE users SET password_expires = 1 WHERE id = :id', { id })
    expect((await login('absent')).status).toBe(401)
    expect(await store.renewAdmin('ABSENT', passwordHash)).toBe(true)
    expect((await login('absent')).status).toBe(200)
    expect(await store.renewAdmin('root', passwordHash)).toBe(false)
  })

  it('ends its sessions in version 2, at once and without a trace in updatedAt', async () => {
    const { id, jwt } = await register(origin, 'leaving')
    const other = await register(origin, 'staying')
    const end = (token: string, headers: Record<string, string> = second, of = id) =>
      send(origin, 'DELETE', `/users/${of}/sessions`, undefined, { ...bearer(token), ...headers })
    expect((await end(jwt, {})).status).toBe(404)
    expect((await end(other.jwt)).status).toBe(403)
    expect((await end(jwt, second, 0)).status).toBe(400)
    const before = await userOf(store, id)
    expect(await end(jwt)).toMatchObject({ status: 204, text: '' })
    expect((await end(jwt)).status).toBe(401)
    expect(await userOf(store, id)).toEqual(before)
    expect([(await end(root.jwt)).status, (await end(root.jwt)).status]).toEqual([204, 204])
    expect((await end(root.jwt, second, 9999)).status).toBe(404)
    const list = (token: string) => send(origin, 'GET', '/users', undefined, bearer(token))
    expect((await list(other.jwt)).status).toBe(200)
    await store.endAllSessions()
    expect([(await list(other.jwt)).status, (await list(root.jwt)).status]).toEqual([401, 401])
    root = { id: root.id, jwt: (await login('root')).body.jwt }
  })

  it.each([1, 2])('needs its password to change its name in version %i', async (version) => {
    const { id, jwt } = await register(origin, `named${version}`)
    const username = `renamed${version}`
    expect((await put(id, jwt, { username }, version)).status).toBe(403)
    const unchanged = { username: `named${version}`, name: 'Ann' }
    expect((await put(id, jwt, unchanged, version)).status).toBe(200)
    const change = { username, currentPassword: password }
    expect((await put(id, jwt, change, version)).status).toBe(200)
    expect((await put(id, root.jwt, { username: `by-admin${version}` }, version)).status).toBe(200)
  })

  it('leaves one line for each event, at every log level', async () => {
    const at = await serve({ loginFailures: 1, logLevel: 'silent' })
    const ask = (method: string, path: string, body?: object, jwt = '') =>
      send(at, method, path, body, { ...(jwt && bearer(jwt)), ...second })
    logged = ''
    const { id } = {
      id: (await ask('POST', '/users', { username: 'audited', password })).body.data.insertId,
    }
    const { jwt } = (await ask('POST', '/users/login', { username: 'audited', password })).body
    await ask('PUT', `/users/${id}`, { username: 'audited2', currentPassword: password }, jwt)
    await ask('PUT', `/users/${id}`, { password: 'another horse', currentPassword: password }, jwt)
    await ask('GET', '/users', undefined, jwt)
    await ask('GET', '/users', undefined, 'a.b.c')
    await ask('POST', '/users/login', { username: 'audited2', password: 'a wrong one' })
    await ask('POST', '/users/login', { username: 'audited2', password: 'another horse' })
    await ask('POST', '/users/login', { username: 'Nobody', password: 'x' })
    await ask('DELETE', `/users/${id}/sessions`, undefined, root.jwt)
    await ask('DELETE', `/users/${id}`, undefined, root.jwt)
    const entries = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const about = ({ audit, user, by, at: presented }: Record<string, unknown>) => ({
      audit,
      ...(user !== undefined && { user }),
      ...(by !== undefined && { by }),
      ...(presented !== undefined && { at: presented }),
    })
    expect(entries.map(about)).toEqual([
      { audit: 'user.created', user: id },
      { audit: 'login.right', user: id, at: 'login' },
      { audit: 'login.right', user: id, at: 'change' },
      { audit: 'name.changed', user: id, by: id },
      { audit: 'login.right', user: id, at: 'change' },
      { audit: 'password.changed', user: id, by: id },
      { audit: 'token.revoked', user: id },
      { audit: 'token.invalid' },
      { audit: 'login.wrong', user: id, at: 'login' },
      { audit: 'login.blocked', user: id, at: 'login' },
      { audit: 'login.wrong', at: 'login' },
      { audit: 'sessions.ended', user: id, by: root.id },
      { audit: 'user.deleted', user: id, by: root.id },
    ])
    for (const { reqId, network, time } of entries) {
      expect(reqId).toMatch(/^[\da-f-]{36}$/)
      expect(network).toBe('127.0.0.1')
      expect(Math.abs(time - Date.now())).toBeLessThan(60_000)
    }
    expect(entries[10].name).toMatch(/^[\w-]{43}$/)
    for (const secret of [password, 'another horse', 'a wrong one', 'Nobody', 'nobody', jwt])
      expect(logged).not.toContain(secret)
  })
})
