// Hostile clients, on both stores. Limits and errors of single requests are in app.test.ts and throttle.test.ts.
import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../src/app.ts'
import { createTokens, readKeys, secretKey } from '../src/auth/tokens.ts'
import { type Config, readConfig } from '../src/config.ts'
import { StoreError } from '../src/store/database.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { type HttpResponse, bearer, password, send as sendTo } from './client.ts'
import { describeStores, userOf } from './stores.ts'

const secret = 'a secret of the tests that is long enough'
const tokens = createTokens([secretKey(secret)], 3600)

describeStores('the service under attack', (open) => {
  let store: UserStore
  let app: FastifyInstance
  let origin: string
  let jwt: string
  let admin: string
  const apps: FastifyInstance[] = []
  const folders: string[] = []

  beforeAll(async () => {
    store = await open()
    await store.migrate()
    app = buildApp(appConfig, { store, tokens })
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
    apps.push(app)
    for (const username of ['ann', 'bob', 'root'])
      await send('POST', '/users', { username, password })
    await store.setRole(3, 'admin')
    jwt = (await send('POST', '/users/login', { username: 'ann', password })).body.jwt
    admin = (await send('POST', '/users/login', { username: 'root', password })).body.jwt
  })
  afterAll(async () => {
    for (const one of apps) await one.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    at = origin,
  ): Promise<HttpResponse> => {
    const answer = await sendTo(at, method, path, body, headers)
    expect(answer.text).not.toContain('$argon2') // no response has a password's hash
    return answer
  }
  const login = (username: unknown, pass: unknown = password, headers = {}, at = origin) =>
    send('POST', '/users/login', { username, password: pass }, headers, at)
  /** The status that a token gets. */
  const statusOf = async (token: string): Promise<number> =>
    (await send('GET', '/users', undefined, bearer(token))).status
  async function another(config: Partial<Config>, from = store, keys = tokens): Promise<string> {
    const one = buildApp({ ...appConfig, ...config }, { store: from, tokens: keys })
    apps.push(one)
    return one.listen({ host: '127.0.0.1', port: 0 })
  }

  const now = Math.floor(Date.now() / 1000)
  const encode = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: 'users-service',
    aud: 'users-service',
    sub: '1',
    tv: 0,
    jti: 'x',
    iat: now,
    exp: now + 3600,
  }
  const header = { alg: 'HS256', typ: 'at+jwt', kid: 'hs256' }
  const forge = (
    parts: object | string = {},
    headerParts: object = {},
    key: string = secret,
    hash = 'sha256',
  ) => {
    const payload = typeof parts === 'string' ? parts : { ...claims, ...parts }
    const body = `${encode({ ...header, ...headerParts })}.${encode(payload)}`
    return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`
  }
  const refused = async (list: readonly string[]) => {
    expect(await statusOf(forge())).toBe(200) // what's refused below is refused for its fault alone
    for (const token of list) expect(await statusOf(token), token.slice(0, 120)).toBe(401)
  }

  // ---- tokens --------------------------------------------------------------------------------

  it('refuses tokens with alg none, in any letter case', () =>
    refused(
      ['none', 'nOnE', ''].flatMap((alg) => {
        const body = `${encode({ ...header, alg })}.${encode(claims)}`
        return [`${body}.`, `${body}.x`, body]
      }),
    ))
  it('refuses HS256 tokens that are signed with the public key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-keys-'))
    folders.push(folder)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(folder, 'a.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
    const keys = readKeys(folder)
    const signer = createTokens(keys, 60)
    const at = await another({}, store, signer)
    const status = async (token: string) =>
      (await send('GET', '/users', undefined, bearer(token), at)).status
    expect(await status(signer.sign({ id: 1, tokenVersion: 0 }))).toBe(200)
    const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string
    for (const key of [pem, `\n${pem}`, pem.trim(), keys[0]!.jwk!['x'] as string])
      for (const alg of ['HS256', 'EdDSA'])
        expect(await status(forge({}, { alg, kid: keys[0]!.id }, key))).toBe(401)
    const body = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: keys[0]!.id })}.${encode(claims)}`
    expect(
      await status(
        `${body}.${signBytes(null, Buffer.from(body), privateKey).toString('base64url')}`,
      ),
    ).toBe(200)
    const stranger = generateKeyPairSync('ed25519').privateKey
    expect(
      await status(`${body}.${signBytes(null, Buffer.from(body), stranger).toString('base64url')}`),
    ).toBe(401)
  })
  it('refuses tokens that are signed with another key', () =>
    refused([forge({}, {}, "a different secret that's also long enough"), forge({}, {}, '')]))
  it('refuses tokens that are expired, or have no valid exp', () =>
    refused([
      forge({ exp: now - 60 }),
      forge({ exp: undefined }),
      forge({ exp: 'never' }),
      forge({ exp: null }),
      forge(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400')),
    ]))
  it("refuses tokens that aren't valid yet, or issued in the future", () =>
    refused([forge({ nbf: now + 3600 }), forge({ iat: now + 3600 })]))
  it('refuses tokens of another issuer or audience, in arrays as well', () =>
    refused([
      forge({ iss: 'other' }),
      forge({ iss: ['users-service'] }),
      forge({ iss: undefined }),
      forge({ aud: 'other' }),
      forge({ aud: ['other'] }),
      forge({ aud: undefined }),
    ]))
  it('refuses tokens of type JWT or without a type', () =>
    refused([forge({}, { typ: 'JWT' }), forge({}, { typ: undefined })]))
  it('refuses tokens with an unknown key id', () =>
    refused([
      ...['x', '../../dev/null', "'", '__proto__', 'constructor', 7, null, undefined].map((kid) =>
        forge({}, { kid }),
      ),
      forge({}, { kid: 'x', jku: 'http://127.0.0.1/keys' }),
      forge({}, { kid: undefined, x5u: 'http://127.0.0.1/cert' }),
    ]))
  it('refuses tokens with a critical extension', () =>
    refused([forge({}, { crit: ['x'], x: 1 }), forge({}, { crit: ['exp'] })]))
  it("refuses tokens whose subject isn't an id", () =>
    refused(
      [7, { id: 1 }, '1abc', '0', '-1', '__proto__', '', ['1'], null, true, '1e0', '01', ' 1'].map(
        (sub) => forge({ sub }),
      ),
    ))
  it('refuses the token of a deleted user', async () => {
    await send('POST', '/users', { username: 'gone', password })
    const { body } = await login('gone')
    expect(await statusOf(body.jwt)).toBe(200)
    await send('DELETE', `/users/${body.id}`, undefined, bearer(body.jwt))
    expect(await statusOf(body.jwt)).toBe(401)
  })
  it('refuses a token after a password change', async () => {
    await send('POST', '/users', { username: 'changes', password })
    const { body } = await login('changes')
    const change = { password: 'another horse', currentPassword: password }
    expect((await send('PUT', `/users/${body.id}`, change, bearer(body.jwt))).status).toBe(200)
    expect(await statusOf(body.jwt)).toBe(401)
    expect((await login('changes', 'another horse')).status).toBe(200)
  })
  it('treats a demoted admin as a user at once', async () => {
    await send('POST', '/users', { username: 'demoted', password })
    const { body } = await login('demoted')
    await store.setRole(body.id, 'admin')
    expect((await send('PUT', '/users/2', { name: 'x' }, bearer(body.jwt))).status).toBe(200)
    await store.setRole(body.id, 'user')
    expect((await send('PUT', '/users/2', { name: 'y' }, bearer(body.jwt))).status).toBe(403)
  })
  it('refuses tokens that are truncated, extended, huge, sent twice, or in the query', async () => {
    await refused([
      jwt.slice(0, -2),
      `${jwt}.x`,
      `${jwt}${'x'.repeat(8000)}`,
      jwt.split('.').slice(0, 2).join('.'),
    ])
    expect((await send('GET', `/users?token=${jwt}&access_token=${jwt}`)).status).toBe(401)
    const twice = await raw(
      `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nAuthorization: Bearer ${jwt}\r\nConnection: close\r\n\r\n`,
    )
    expect(twice).toMatch(/^HTTP\/1\.1 40[01] /)
    expect(
      (await send('GET', '/users', undefined, { authorization: `bearer ${jwt}` })).status,
    ).toBe(200)
  })
  it("doesn't start with a short secret, or without one in production", () => {
    const base = { NODE_ENV: 'production', DATABASE_URL: 'mysql://u:p@h/d' }
    expect(() => readConfig(base)).toThrow("ACCESS_TOKEN isn't set")
    expect(() => readConfig({ ...base, ACCESS_TOKEN: 'x' })).toThrow('shorter than 32 bytes')
  })

  // ---- login ---------------------------------------------------------------------------------

  it('refuses credentials of other types', async () => {
    for (const body of [
      { username: { $gt: '' }, password: { $gt: '' } },
      { username: ['ann'], password: [password] },
      { username: 1, password: 0 },
      { username: 'ann', password: true },
      { username: 'ann', password: 0 },
      { username: null, password: null },
    ])
      expect((await send('POST', '/users/login', body)).status, JSON.stringify(body)).toBe(400)
  })
  it('treats SQL in a username as a wrong username', async () => {
    for (const name of ["' OR 1=1 --", "admin'#", "ann'/*", 'ann\\', '%', '_nn', 'ann\u0000'])
      expect((await login(name)).status, name).toBe(401)
  })
  it('responds to an unknown user as to a wrong password', async () => {
    const [wrong, unknown] = [
      await login('ann', 'wrong horse'),
      await login('nobody', 'wrong horse'),
    ]
    const shown = ({ status, headers, body }: HttpResponse) => [
      status,
      [...headers.keys()].toSorted(),
      { ...body, requestId: '' },
    ]
    expect(shown(unknown)).toEqual(shown(wrong))
  })
  it('blocks an account after five failed logins, and no other account', async () => {
    const at = await another({ loginFailures: 5 })
    await send('POST', '/users', { username: 'guessed', password })
    await send('POST', '/users', { username: 'resets', password })
    for (let i = 0; i < 5; i++) expect((await login('guessed', 'wrong', {}, at)).status).toBe(401)
    const sixth = await login('Guessed', password, {}, at)
    expect([sixth.status, sixth.body.error, Number(sixth.headers.get('retry-after'))]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      expect.closeTo(30, -1),
    ])
    expect((await login('bob', password, {}, at)).status).toBe(200)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect((await login('resets', 'wrong', {}, at)).status).toBe(401)
      expect((await login('resets', password, {}, at)).status).toBe(200)
    }
    // A wrong present password counts as a failed login.
    const { body } = await login('resets', password, {}, at)
    const change = { password: 'another horse', currentPassword: 'wrong' }
    const statuses: number[] = []
    for (let i = 0; i < 6; i++)
      statuses.push((await send('PUT', `/users/${body.id}`, change, bearer(body.jwt), at)).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    // Another instance on the same database knows.
    expect((await login('guessed', password, {}, await another({ loginFailures: 5 }))).status).toBe(
      429,
    )
  })
  it('checks five of thirty concurrent guesses', async () => {
    const at = await another({ loginFailures: 5 })
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await login('parallel', 'wrong', {}, at)).status),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  })
  it('ignores X-Forwarded-For, unless a trusted proxy sends it', async () => {
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    const direct = await another({ loginRate: 3 })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await login(`nobody${i}`, 'wrong', from(`10.0.0.${i}`), direct)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    const behind = await another({ loginRate: 2, trustProxy: '127.0.0.1' })
    for (let i = 0; i < 4; i++)
      expect((await login('nobody', 'wrong', from(`10.0.1.${i}`), behind)).status).toBe(401)
    for (const status of [401, 401, 429])
      expect((await login('nobody', 'wrong', from('2001:db8:1:2::1'), behind)).status).toBe(status)
    expect((await login('nobody', 'wrong', from('2001:db8:1:2:ffff::9'), behind)).status).toBe(429)
  })
  it('refuses passwords that are too long', async () => {
    expect((await login('ann', 'x'.repeat(2 ** 20))).status).toBe(413)
    expect((await login('ann', 'x'.repeat(129))).status).toBe(400)
    expect(
      (await send('POST', '/users', { username: 'long', password: 'x'.repeat(129) })).status,
    ).toBe(400)
  })
  it('stays responsive during a flood of logins', async () => {
    let turns = 0 // of the event loop
    let spinning = setImmediate(function spin() {
      turns++
      spinning = setImmediate(spin)
    })
    onTestFinished(() => clearImmediate(spinning))
    const flood = Promise.all(Array.from({ length: 50 }, async () => (await login('ann')).status))
    for (let i = 0; i < 5; i++) expect((await send('GET', '/health/live')).status).toBe(200)
    const statuses = await flood
    for (const status of statuses) expect([200, 503]).toContain(status)
    // Were passwords hashed on this thread, it would turn about once for each.
    expect(turns).toBeGreaterThan(20 * statuses.filter((status) => status === 200).length)
  })

  // ---- objects and rights -------------------------------------------------------------------

  it("doesn't let a user change another one", async () => {
    const before = await userOf(store, 2)
    expect((await send('PUT', '/users/2', { name: 'mine' }, bearer(jwt))).status).toBe(403)
    expect((await send('PUT', '/users/2', { password: 'another horse' }, bearer(jwt))).status).toBe(
      403,
    )
    expect((await send('DELETE', '/users/2', undefined, bearer(jwt))).status).toBe(403)
    expect(await userOf(store, 2)).toEqual(before)
  })
  it('lets an admin change another user', async () => {
    expect((await send('PUT', '/users/2', { name: 'Bob' }, bearer(admin))).status).toBe(200)
    expect((await send('PUT', '/users/2', { password }, bearer(admin))).status).toBe(200)
  })
  it.each([
    ['GET', '/users'],
    ['HEAD', '/users'],
    ['GET', '/users/1'],
    ['HEAD', '/users/1'],
    ['PUT', '/users/1'],
    ['DELETE', '/users/1'],
  ])("%s %s needs a token that's ours and not revoked", async (method, path) => {
    const foreign = createTokens(
      [secretKey("a different secret that's also long enough")],
      60,
    ).sign({
      id: 1,
      tokenVersion: 0,
    })
    const revoked = tokens.sign({ id: 1, tokenVersion: 9 })
    for (const headers of [{}, bearer(foreign), bearer(revoked)])
      for (const version of [1, 2]) {
        const accept = { accept: `application/vnd.users+json;version=${version}` }
        expect(
          (await send(method, path, method === 'PUT' ? {} : undefined, { ...headers, ...accept }))
            .status,
        ).toBe(401)
      }
  })
  it("refuses keys that aren't part of a request", async () => {
    for (const key of [
      'role',
      'id',
      'password_hash',
      'passwordHash',
      'token_version',
      'tokenVersion',
      'createdAt',
      'username_key',
    ]) {
      expect(
        (await send('POST', '/users', { username: 'extra', password, [key]: 'admin' })).status,
        key,
      ).toBe(400)
      expect(
        (await send('PUT', '/users/1', { name: 'x', [key]: 'admin' }, bearer(jwt))).status,
        key,
      ).toBe(400)
    }
  })
  it('refuses malformed ids', async () => {
    for (const id of [
      '0',
      '-1',
      '01',
      '1abc',
      '1e0',
      '1.0',
      '0x1',
      '1%00',
      '1;drop',
      '9007199254740992',
      '18446744073709551616',
      '__proto__',
      'constructor',
      '%20',
      '1%20',
    ])
      expect((await send('GET', `/users/${id}`, undefined, bearer(jwt))).status, id).toBe(400)
    expect((await send('GET', '/users/%31', undefined, bearer(jwt))).body.id).toBe(1)
    expect((await send('GET', '/users/2147483648', undefined, bearer(jwt))).status).toBe(404)
  })
  it('keeps the last admin', async () => {
    const gone = await send('DELETE', '/users/3', undefined, bearer(admin))
    expect([gone.status, gone.body.error]).toEqual([409, 'LAST_ADMIN'])
    await expect(store.setRole(3, 'user')).rejects.toMatchObject({ reason: 'last-admin' })
    // Two that go at once leave one.
    const ids = await Promise.all(
      ['admin1', 'admin2'].map(
        async (username) =>
          (await send('POST', '/users', { username, password })).body.data.insertId as number,
      ),
    )
    for (const id of ids) await store.setRole(id, 'admin')
    const outcomes = await Promise.allSettled([3, ...ids].map((id) => store.setRole(id, 'user')))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await store.setRole(3, 'admin')
  })

  // ---- bodies --------------------------------------------------------------------------------

  it('refuses __proto__ and constructor.prototype in a body', async () => {
    for (const body of [
      '{"__proto__":{"role":"admin"},"name":"x"}',
      '{"constructor":{"prototype":{}},"name":"x"}',
    ])
      expect((await send('PUT', '/users/1', body, bearer(jwt))).status, body).toBe(400)
  })
  it('reads the last of two equal keys', async () => {
    await send('PUT', '/users/1', '{"name":"first","name":"second"}', bearer(jwt))
    expect((await userOf(store, 1))!.name).toBe('second')
  })
  it('refuses deeply nested arrays', async () => {
    expect(
      (await send('PUT', '/users/1', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, bearer(jwt)))
        .status,
    ).toBe(400)
  })
  it('refuses a body over 64 KB', async () => {
    expect(
      (await send('PUT', '/users/1', { name: 'x'.repeat(65 * 1024) }, bearer(jwt))).status,
    ).toBe(413)
  })
  it('refuses other content types', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
      'application/jsonx',
      '',
    ])
      expect(
        (await send('POST', '/users/login', Buffer.from('{}'), { 'content-type': type })).status,
        type,
      ).toBe(415)
  })
  it("refuses text that's not valid Unicode", async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const put = async (body: Buffer | string) =>
      (await send('PUT', '/users/1', body, bearer(jwt))).status
    expect(await put(bytes('{"name":"', [0xff], '"}'))).toBe(400)
    expect(await put(bytes('{"name":"', [0xed, 0xa0, 0x80], '"}'))).toBe(400)
    expect(await put('{"name":"a\\u0000b"}')).toBe(400)
    expect([200, 400]).toContain(await put(bytes([0xef, 0xbb, 0xbf], '{"name":"bom"}')))
    expect(await put('{"name":"\\ud800"}')).toBe(400)
  })
  it('accepts DELETE with a content type and no body', async () => {
    await send('POST', '/users', { username: 'leaves', password })
    const { body } = await login('leaves')
    const answer = await send('DELETE', `/users/${body.id}`, undefined, {
      ...bearer(body.jwt),
      'content-type': 'application/json',
    })
    expect(answer.status).toBe(200)
  })

  // ---- wire ----------------------------------------------------------------------------------

  /** Sends text over a socket and gives back all that comes, until the other side closes or `time` is over. */
  function raw(text: string, time = 5000, at = origin): Promise<string> {
    return new Promise((resolve) => {
      const socket: Socket = connect(Number(new URL(at).port), '127.0.0.1', () =>
        socket.write(text),
      )
      let answer = ''
      const timer = setTimeout(() => {
        answer += '[still open]'
        socket.destroy()
      }, time)
      socket.on('data', (chunk) => (answer += chunk.toString()))
      socket.on('error', () => {})
      socket.on('close', () => (clearTimeout(timer), resolve(answer)))
    })
  }
  it('refuses a header of 20 KB', async () => {
    expect(await raw(`GET /users HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })
  it('refuses Content-Length together with Transfer-Encoding', async () => {
    expect(
      await raw(
        'POST /users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /users HTTP/1.1\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400 /)
  })
  it('limits the time for headers and bodies to 15 seconds', () => {
    const { requestTimeout, headersTimeout } = app.server
    expect([requestTimeout, headersTimeout].map((time) => time > 0 && time <= 15_000)).toEqual([
      true,
      true,
    ])
  })
  it('responds 408 to slow headers and slow bodies, and closes silent connections', async () => {
    const slow = buildApp(appConfig, { store, tokens })
    apps.push(slow)
    slow.server.requestTimeout = 300
    slow.server.headersTimeout = 300
    const at = await slow.listen({ host: '127.0.0.1', port: 0 })
    const [body, headers, nothing] = await Promise.all([
      raw(
        'POST /users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
        4000,
        at,
      ),
      raw('GET /users HTTP/1.1\r\nHost: x\r\nX-', 4000, at),
      raw('', 4000, at),
    ])
    expect(body).toMatch(/^HTTP\/1\.1 408 /)
    expect(headers).toMatch(/^HTTP\/1\.1 408 /)
    expect(nothing).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
  })
  it('survives 1500 small headers', async () => {
    const headers = Array.from({ length: 1500 }, (_, i) => `x${i}: y`).join('\r\n')
    const answer = await raw(
      `GET /users HTTP/1.1\r\nHost: x\r\n${headers}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4(?:01|31) /)
    expect((await send('GET', '/health/live')).status).toBe(200)
  })

  // ---- what leaves the service -----------------------------------------------------------------

  it('shows database messages only by configuration, and never statements or hosts', async () => {
    const text = "Unknown column 'x' in 'field list'"
    const cause = Object.assign(new Error(text), {
      sql: "SELECT 'secret value'",
      host: 'db.internal',
      stack: 'at query',
    })
    const broken: UserStore = {
      ...store,
      findActorAndUser: () => Promise.reject(new StoreError('failed', text, cause)),
    }
    for (const exposeDatabaseErrors of [true, false]) {
      const {
        status,
        body,
        text: shown,
      } = await send(
        'GET',
        '/users',
        undefined,
        bearer(jwt),
        await another({ exposeDatabaseErrors }, broken),
      )
      expect([status, body.error]).toEqual([500, 'DATABASE_ERROR'])
      expect(shown.includes(text)).toBe(exposeDatabaseErrors)
      for (const word of ['SELECT', 'secret value', 'db.internal', 'at query'])
        expect(shown).not.toContain(word)
    }
  })
  it('logs no password, token or statement', async () => {
    let logged = ''
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => (done(), void (logged += chunk.toString())),
    })
    const cause = Object.assign(new Error('lost'), {
      sql: "UPDATE users SET password_hash = 'x'",
      sqlMessage: 'lost',
    })
    const broken: UserStore = {
      ...store,
      list: () => Promise.reject(new StoreError('failed', 'lost', cause)),
    }
    const one = buildApp(
      { ...appConfig, logLevel: 'trace' },
      { store: broken, tokens },
      undefined,
      stream,
    )
    apps.push(one)
    const at = await one.listen({ host: '127.0.0.1', port: 0 })
    await send('GET', '/users', undefined, bearer(jwt), at)
    await login('ann', password, {}, at)
    await login('ann', 'a wrong secret', {}, at)
    expect(logged).toContain('"status":500')
    expect(logged).toContain('lost')
    for (const word of [password, 'a wrong secret', jwt, 'Bearer', 'UPDATE', '$argon2'])
      expect(logged, word).not.toContain(word)
  })
  it('refuses malformed limits and cursors', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=1e9',
      'limit=101',
      'limit=abc',
      'limit=',
      'limit=1&limit=2',
      'after=-1',
      'after=1.5',
      'after=x',
      'after=1;drop',
      'offset=1',
    ])
      expect((await send('GET', `/users?${query}`, undefined, bearer(jwt))).status, query).toBe(400)
  })
  it('limits requests by address', async () => {
    const at = await another({ rateLimit: 3 })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await send('GET', '/users', undefined, bearer(jwt), at)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const last = await send('GET', '/users', undefined, bearer(jwt), at)
    expect([last.body.error, last.headers.has('retry-after')]).toEqual(['TOO_MANY_REQUESTS', true])
    expect((await send('GET', '/health/live', undefined, {}, at)).status).toBe(200)
  })
  it('lets only admins create users when registration is closed', async () => {
    const at = await another({ closedRegistration: true })
    const register = (username: string, headers = {}) =>
      send('POST', '/users', { username, password }, headers, at)
    expect((await register('closed1')).status).toBe(401)
    expect((await register('closed1', bearer(jwt))).status).toBe(403)
    expect((await register('closed1', bearer(admin))).status).toBe(201)
  })
  it('returns hostile text unchanged, as JSON', async () => {
    const name = '</script><img src=x onerror=alert(1)>"\u2028\u001b[31m{{7*7}}\r\nSet-Cookie: x=1'
    expect((await send('PUT', '/users/1', { name }, bearer(jwt))).status).toBe(200)
    const { body, headers } = await send('GET', '/users/1', undefined, bearer(jwt))
    expect(body.name).toBe(name)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([headers.get('x-content-type-options'), headers.get('set-cookie')]).toEqual([
      'nosniff',
      null,
    ])
  })
  it('serves no files, and nothing for TRACE', async () => {
    for (const path of ['/.git/config', '/.env', '/package.json', '/docs/../package.json'])
      expect((await send('GET', path)).status, path).toBe(404)
    expect(await raw('TRACE /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 /,
    )
  })
  it('sends security headers', async () => {
    const origins = { origin: 'https://elsewhere.example', cookie: `jwt=${jwt}` }
    for (const path of ['/health/live', '/users', '/docs']) {
      const { headers } = await send('GET', path, undefined, origins)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
      expect(
        [...headers.keys()].filter((name) => /^access-control|^set-cookie/.test(name)),
      ).toEqual([])
    }
    expect((await send('GET', '/users', undefined, origins)).status).toBe(401)
    expect((await send('GET', '/.well-known/jwks.json')).body).toEqual({ keys: [] })
  })
})

describe('keys', () => {
  it('rotate: the last one signs, all verify, a public one only verifies', () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-keys-'))
    try {
      const pair = () => generateKeyPairSync('ed25519')
      const pem = (key: ReturnType<typeof pair>['privateKey']) =>
        key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' } as never)
      const [first, second] = [pair(), pair()]
      writeFileSync(join(folder, '1.pem'), pem(first.privateKey))
      const before = createTokens(readKeys(folder), 60)
      const old = before.sign({ id: 1, tokenVersion: 0 })
      writeFileSync(join(folder, '2.pem'), pem(second.privateKey))
      const both = createTokens(readKeys(folder), 60)
      expect(both.verify(old)).toEqual({ id: 1, tokenVersion: 0 })
      expect(before.verify(both.sign({ id: 1, tokenVersion: 0 }))).toBeNull()
      writeFileSync(join(folder, '1.pem'), pem(first.publicKey))
      const retired = createTokens(readKeys(folder), 60)
      expect(retired.verify(old)).toEqual({ id: 1, tokenVersion: 0 })
      expect(retired.keySet.keys).toHaveLength(2)
      expect(retired.keySet.keys[0]).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: expect.any(String),
        use: 'sig',
        alg: 'EdDSA',
      })
      rmSync(join(folder, '1.pem'))
      expect(createTokens(readKeys(folder), 60).verify(old)).toBeNull()

      for (const [text, message] of [
        ['', "can't be used"],
        [
          generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
            format: 'pem',
            type: 'pkcs8',
          }),
          "it isn't an Ed25519 key",
        ],
        [pem(first.publicKey), 'has no private key'],
      ] as const) {
        rmSync(join(folder, '2.pem'), { force: true })
        writeFileSync(join(folder, '3.pem'), text)
        expect(() => readKeys(folder)).toThrow(message)
      }
      expect(() => readKeys(join(folder, 'none'))).toThrow("can't be read")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
