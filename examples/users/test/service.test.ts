import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokens, secretKey } from '../src/auth/tokens.ts'
import { type HttpResponse, bearer, password, register, send as sendTo } from './client.ts'
import { type Service, describeServices, secret, tokens } from './services.ts'

describeServices('the service', (start) => {
  let service: Service
  let origin: string
  let jwt: string
  beforeAll(async () => {
    service = await start()
    origin = service.origin
    for (const username of ['ann', 'bob', 'cat'])
      await send('POST', '/users', { username, password, name: `The ${username}` })
    jwt = (await send('POST', '/users/login', { username: 'ann', password })).body.jwt
  })
  afterAll(() => service.close())

  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> => sendTo(origin, method, path, body, headers)
  const as = (token: string, version?: number) => ({
    ...bearer(token),
    ...(version !== undefined && { accept: `application/vnd.users+json;version=${version}` }),
  })
  const refusal = (code: number, error: string) => ({
    status: code,
    body: {
      status: false,
      code,
      error,
      message: expect.any(String) as string,
      requestId: expect.any(String) as string,
    },
  })

  describe('login', () => {
    it('returns id, username and jwt', async () => {
      const answer = await send('POST', '/users/login', { username: 'ANN', password })
      expect(answer).toMatchObject({ status: 200, body: { id: 1, username: 'ann' } })
      expect(Object.keys(answer.body)).toEqual(['id', 'username', 'jwt'])
    })
    it.each([
      ['wrong password', { username: 'ann', password: 'wrong horse' }],
      ['unknown user', { username: 'nobody', password }],
      ['hostile name', { username: "ann' OR 1=1 --", password }],
      ['name beyond ASCII', { username: 'ánn 😀', password }],
    ])('responds to a %s with the same 401', async (_what, body) => {
      const answer = await send('POST', '/users/login', body)
      expect(answer).toMatchObject(refusal(401, 'UNAUTHORIZED'))
      expect(answer.body.message).toBe('wrong username or password')
    })
    it.each([
      [{}],
      [{ username: 'ann' }],
      [{ username: { $gt: '' }, password }],
      [{ username: 'ann', password: 0 }],
      [{ username: 'ann', password: true }],
      [{ username: 'ann', password, role: 'admin' }],
      ['[]'],
      ['null'],
      ['{"username":'],
      ['{"__proto__":{},"username":"ann","password":"x"}'],
    ])('refuses %j with 400', async (body) =>
      expect(await send('POST', '/users/login', body)).toMatchObject(refusal(400, 'BAD_REQUEST')),
    )
  })

  describe('reading', () => {
    it('lists as an array in version 1, as an object in version 2', async () => {
      const one = await send('GET', '/users?limit=2', undefined, as(jwt, 1))
      const two = await send('GET', '/users?limit=2', undefined, as(jwt, 2))
      expect(one.body).toHaveLength(2)
      expect(one.headers.get('link')).toBe('</users?limit=2&after=2>; rel="next"')
      expect(two.body).toEqual({ items: one.body, next: '/users?limit=2&after=2' })
      expect(two.headers.has('link')).toBe(false)
      const after = await send('GET', two.body.next, undefined, as(jwt, 2))
      expect(after.body.items[0].username).toBe('cat')
      const rest = (version: number) =>
        send('GET', '/users?limit=100&after=2', undefined, as(jwt, version))
      expect((await rest(1)).headers.has('link')).toBe(false)
      expect((await rest(2)).body.next).toBeNull()
    })
    it('accepts a Content-Type on GET', async () => {
      expect(
        (await send('GET', '/users', undefined, { ...as(jwt), 'content-type': 'application/json' }))
          .status,
      ).toBe(200)
    })
    it('shows a user, the same in both versions, and never a hash', async () => {
      for (const version of [1, 2]) {
        const { body } = await send('GET', '/users/2', undefined, as(jwt, version))
        expect(body).toMatchObject({ id: 2, username: 'bob', name: 'The bob' })
        expect(Object.keys(body)).toEqual(['id', 'username', 'name', 'createdAt', 'updatedAt'])
      }
      expect((await send('GET', '/users/2.json', undefined, as(jwt))).body).toMatchObject({ id: 2 })
    })
    it('responds 404 for an unknown user', async () => {
      expect(await send('GET', '/users/9007199254740991', undefined, as(jwt))).toMatchObject(
        refusal(404, 'USER_NOT_FOUND'),
      )
    })
    it.each([
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
      '1%20',
    ])('refuses the id %s with 400', async (id) => {
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(
          await send(method, `/users/${id}`, method === 'PUT' ? { name: 'x' } : undefined, as(jwt)),
          method,
        ).toMatchObject(refusal(400, 'BAD_REQUEST'))
    })
    it.each([
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=abc',
      'limit=1e1',
      'limit=',
      'after=-1',
      'after=x',
      'after=9999999999999999',
      'page=2',
      'limit=1&limit=2',
    ])('refuses ?%s with 400', async (query) =>
      expect(await send('GET', `/users?${query}`, undefined, as(jwt))).toMatchObject(
        refusal(400, 'BAD_REQUEST'),
      ),
    )
  })

  describe('writing', () => {
    it('creates a user that can log in at once', async () => {
      const created = await send(
        'POST',
        '/users',
        { username: 'dora', password },
        { 'content-type': 'application/vnd.users+json;version=1' },
      )
      const { insertId } = created.body.data
      expect(created).toMatchObject({
        status: 201,
        body: { status: true, code: 201, message: 'success' },
      })
      expect(created.body.data).toEqual({
        fieldCount: 0,
        affectedRows: 1,
        insertId,
        info: '',
        serverStatus: 2,
        warningStatus: 0,
      })
      expect(created.headers.get('location')).toBe(`/users/${insertId}`)
      expect(await send('POST', '/users/login', { username: 'dora', password })).toMatchObject({
        status: 200,
        body: { id: insertId },
      })
    })
    it('refuses a taken name with 409, in any letter case, without a database message', async () => {
      const taken = await send('POST', '/users', { username: 'BoB', password })
      expect(taken).toMatchObject(refusal(409, 'USERNAME_TAKEN'))
      expect(taken.body.message).toBe('the username is taken')
    })
    it.each([
      { username: 'ab', password },
      { username: '-ab', password },
      { username: 'ánn', password },
      { username: 'a b c', password },
      { username: 'x'.repeat(33), password },
      { username: 'eve', password: 'short' },
      { username: 'eve', password: 'x'.repeat(129) },
      { username: 'eve', password: 'nul\u0000nul' },
      { username: 'eve' },
      { username: 'eve', password, role: 'admin' },
      { username: 'eve', password, id: 7 },
      { username: 'eve', password, name: 7 },
      { username: 'eve', password, name: 'x'.repeat(201) },
    ])('refuses to create %j', async (body) =>
      expect(await send('POST', '/users', body)).toMatchObject(refusal(400, 'BAD_REQUEST')),
    )

    it('updates with the documented result, key for key', async () => {
      const changed = await send('PUT', '/users/1', { name: 'Ann B' }, as(jwt))
      expect(changed.body).toEqual({
        status: true,
        code: 200,
        message: 'success',
        data: {
          fieldCount: 0,
          affectedRows: 1,
          insertId: 0,
          info: 'Rows matched: 1  Changed: 1  Warnings: 0',
          serverStatus: 2,
          warningStatus: 0,
          changedRows: 1,
        },
      })
      const again = await send('PUT', '/users/1', { name: 'Ann B' }, as(jwt, 2))
      expect(again.body.data).toEqual({
        ...changed.body.data,
        info: 'Rows matched: 1  Changed: 0  Warnings: 0',
        changedRows: 0,
      })
    })
    it("doesn't let a user write another one", async () => {
      for (const [method, body] of [
        ['PUT', { name: 'x' }],
        ['DELETE', undefined],
      ] as const)
        expect(await send(method, '/users/2', body, as(jwt))).toMatchObject(
          refusal(403, 'FORBIDDEN'),
        )
      expect((await send('GET', '/users/2', undefined, as(jwt))).body.name).toBe('The bob')
    })
    it('checks for 401, 400 and 403 in this order', async () => {
      expect((await send('PUT', '/users/x', { bad: 1 })).status).toBe(401)
      expect((await send('PUT', '/users/2', { bad: 1 }, as(jwt))).status).toBe(400)
      expect((await send('PUT', '/users/2', { name: 'x' }, as(jwt))).status).toBe(403)
    })
    it('refuses an update without changes', async () => {
      for (const body of [{}, { currentPassword: 'x' }])
        expect((await send('PUT', '/users/1', body, as(jwt))).status).toBe(400)
    })
    it('changes a password with the current one, and invalidates earlier tokens', async () => {
      const { id, jwt: earlier } = await register(origin, 'eve')
      const path = `/users/${id}`
      const change = (currentPassword?: string) =>
        send('PUT', path, { password: 'new password', currentPassword }, as(earlier))
      expect(await change()).toMatchObject(refusal(403, 'FORBIDDEN'))
      expect(await change('wrong')).toMatchObject(refusal(403, 'FORBIDDEN'))
      expect(await change(password)).toMatchObject({
        status: 200,
        body: { data: { changedRows: 1 } },
      })
      expect((await send('GET', path, undefined, as(earlier))).status).toBe(401)
      expect((await send('POST', '/users/login', { username: 'eve', password })).status).toBe(401)
      expect(
        (await send('POST', '/users/login', { username: 'eve', password: 'new password' })).status,
      ).toBe(200)
    })
    it('deletes with the documented result, with a Content-Type and no body', async () => {
      const gone = await register(origin, 'fay')
      const path = `/users/${gone.id}`
      const headers = { ...as(gone.jwt), 'content-type': 'application/json' }
      const deleted = await send('DELETE', path, undefined, headers)
      expect(deleted.body).toEqual({
        status: true,
        code: 200,
        message: 'success',
        data: {
          fieldCount: 0,
          affectedRows: 1,
          insertId: 0,
          info: '',
          serverStatus: 2,
          warningStatus: 0,
        },
      })
      expect((await send('DELETE', path, undefined, headers)).status).toBe(401) // the token died with its user
      expect((await send('GET', path, undefined, as(jwt))).status).toBe(404)
    })
  })

  describe('tokens', () => {
    const routes = [
      ['GET', '/users'],
      ['GET', '/users/1'],
      ['PUT', '/users/1'],
      ['DELETE', '/users/1'],
    ] as const
    it.each(routes)('%s %s needs one', async (method, path) => {
      const foreign = createTokens(
        [secretKey("a different secret that's also long enough")],
        60,
      ).sign({
        id: 1,
        tokenVersion: 0,
      })
      const old = tokens.sign({ id: 1, tokenVersion: 7 })
      const gone = tokens.sign({ id: 999, tokenVersion: 0 })
      const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
      const values = [
        undefined,
        '',
        'Bearer',
        `Basic ${jwt}`,
        `Bearer ${foreign}`,
        `Bearer ${old}`,
        `Bearer ${gone}`,
        `Bearer ${none}.${jwt.split('.')[1]}.`,
        `Bearer ${jwt}x`,
        `Bearer ${jwt}.${jwt}`,
        jwt,
      ]
      for (const authorization of values) {
        const answer = await send(
          method,
          `${path}?access_token=${jwt}`,
          method === 'PUT' ? {} : undefined,
          authorization === undefined ? {} : { authorization },
        )
        expect(answer, authorization).toMatchObject(refusal(401, 'UNAUTHORIZED'))
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    })
    it('accepts bearer in any letter case', async () => {
      expect(
        (await send('GET', '/users', undefined, { authorization: `bearer ${jwt}` })).status,
      ).toBe(200)
    })
    it('expire', async () => {
      const expired = createTokens([secretKey(secret)], -60).sign({ id: 1, tokenVersion: 0 })
      expect((await send('GET', '/users', undefined, as(expired))).status).toBe(401)
    })
  })

  describe('errors', () => {
    it('have one shape, those of the router included', async () => {
      const accept = (value: string) => ({ accept: value })
      const type = 'application/vnd.users+json'
      expect(await send('GET', '/users', undefined, accept(`${type};version=3`))).toMatchObject({
        status: 406,
        body: {
          status: false,
          code: 406,
          error: 'NOT_ACCEPTABLE',
          requested: [3],
          supported: [1, 2],
        },
      })
      expect(await send('GET', '/users', undefined, accept(`${type};version=x`))).toMatchObject(
        refusal(400, 'BAD_REQUEST'),
      )
      expect(
        await send('GET', '/users', undefined, accept('application/vnd.users+xml')),
      ).toMatchObject(refusal(406, 'NOT_ACCEPTABLE'))
      expect(await send('PATCH', '/users/1')).toMatchObject({
        status: 405,
        body: { error: 'METHOD_NOT_ALLOWED', allow: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'] },
      })
      expect(await send('GET', '/nothing')).toMatchObject(refusal(404, 'NOT_FOUND'))
      expect((await send('GET', '/nothing')).headers.get('content-type')).toBe(
        'application/json; charset=utf-8',
      )
    })
    it('carry the id of the request', async () => {
      const { headers, body } = await send('GET', '/nothing')
      expect(headers.get('x-request-id')).toBe(body.requestId)
    })
    it.each([
      [
        413,
        'PAYLOAD_TOO_LARGE',
        'application/json',
        JSON.stringify({ username: 'x', password: 'x'.repeat(70_000) }),
      ],
      [415, 'UNSUPPORTED_MEDIA_TYPE', 'text/plain', 'x'],
      [415, 'UNSUPPORTED_MEDIA_TYPE', 'application/x-www-form-urlencoded', 'username=ann'],
      [
        400,
        'BAD_REQUEST',
        'application/json',
        '{"username":"ann","password":"x","constructor":{"prototype":{}}}',
      ],
      [400, 'BAD_REQUEST', 'application/json', ''],
    ])('%i %s for a body of %s', async (code, error, type, body) => {
      expect(await send('POST', '/users/login', body, { 'content-type': type })).toMatchObject(
        refusal(code, error),
      )
    })
    it("400 for a body that's not UTF-8", async () => {
      const body = Buffer.concat([
        Buffer.from('{"username":"a'),
        Buffer.from([0xff]),
        Buffer.from('","password":"correct horse"}'),
      ])
      const response = await fetch(`${origin}/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
        400,
        'the body is not valid UTF-8',
      ])
    })
  })

  it('reports its health', async () => {
    expect(await send('GET', '/health/live')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: '1.3.10-beta' },
    })
    expect(await send('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
  })
})
