// What others notice while one network, without a token, creates users.
import { type Socket, connect } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, password, register, send } from './client.ts'
import { tokens } from './services.ts'
import { describeStores } from './stores.ts'

const from = (address: string) => ({ 'x-forwarded-for': address })
let networks = 0
/** Of each test: the calls of a closed connection stay in the queue. */
let attacker: string

describeStores('registration', (open) => {
  let store: UserStore
  let app: FastifyInstance
  const sockets: Socket[] = []
  beforeAll(async () => {
    store = await open()
    await store.migrate()
  })
  beforeEach(() => void (attacker = `198.51.100.${++networks}`))
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await app.close()
  })
  async function serve(config: Partial<Config> = {}, log?: Writable): Promise<string> {
    const settings = { ...appConfig, trustProxy: '127.0.0.1', ...config }
    app = buildApp(settings, { store, tokens }, undefined, log)
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
  const login = (origin: string, username: string, address: string) =>
    send(origin, 'POST', '/users/login', { username, password }, from(address))

  /** Sends a request on each of many connections of one network; returns the statuses of the responses so far. */
  function flood(
    origin: string,
    count: number,
    path: string,
    bodyOf: (i: number) => object,
  ): readonly number[] {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) {
      const body = JSON.stringify(bodyOf(i))
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${attacker}\r\nContent-Type: application/json\r\n`
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket
        .on('error', () => {})
        .on('data', (data) => statuses.push(Number(String(data).slice(9, 12))))
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
      sockets.push(socket)
    }
    return statuses
  }
  /** The queue of the flooding network is full once requests are refused. */
  const untilRefused = (statuses: readonly number[]) =>
    expect.poll(() => statuses.includes(503), { interval: 1 }).toBe(true)

  it("doesn't delay a login, and networks take turns", async () => {
    const origin = await serve()
    await register(origin, 'waiting')
    const statuses = flood(origin, 100, '/users', (i) => ({ username: `flood${i}`, password }))
    await untilRefused(statuses)
    const created = () => statuses.filter((status) => status === 201).length
    const before = created()
    const [loggedIn, registered] = await Promise.all([
      login(origin, 'waiting', '203.0.113.1').then(({ status }) => [status, created() - before]),
      send(origin, 'POST', '/users', { username: 'second', password }, from('203.0.113.2')).then(
        ({ status }) => [status, created() - before],
      ),
    ])
    expect([loggedIn[0], registered[0]]).toEqual([200, 201])
    // In one queue, both would come after the 64 users that wait.
    expect(Math.max(loggedIn[1]!, registered[1]!)).toBeLessThan(20)
  })

  it("doesn't hash the password of a name that's taken", async () => {
    const origin = await serve()
    await register(origin, 'taken')
    const statuses = flood(origin, 200, '/users', (i) => ({ username: `more${i}`, password }))
    await untilRefused(statuses)
    const { status, body } = await send(
      origin,
      'POST',
      '/users',
      { username: 'Taken', password },
      from(attacker),
    )
    expect([status, body.error]).toEqual([409, 'USERNAME_TAKEN'])
  })

  it('is limited per network, on all instances', async () => {
    const origin = await serve({ registrationRate: 10 })
    const statuses = flood(origin, 40, '/users', (i) => ({ username: `limited${i}`, password }))
    await expect.poll(() => statuses.length).toBe(40)
    expect(statuses.toSorted()).toEqual([
      ...Array<number>(10).fill(201),
      ...Array<number>(30).fill(429),
    ])
    const create = (username: string, headers: Record<string, string>) =>
      send(origin, 'POST', '/users', { username, password }, headers)
    const refused = await create('limited', from(attacker))
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await create('another', from('203.0.113.3'))).status).toBe(201)
  })

  it.each([false, true])("is an admin's with the admin's token; closed: %s", async (closed) => {
    const audit: string[] = []
    const log = new Writable({
      write(line, _encoding, done) {
        audit.push(String(line))
        done()
      },
    })
    const registrar = `registrar${String(closed)}`
    const registering = await serve()
    const { id, jwt } = await register(registering, registrar)
    await store.setRole(id, 'admin')
    await app.close()
    const origin = await serve({ registrationRate: 1, closedRegistration: closed }, log)
    for (const number of [1, 2, 3]) {
      const username = `${registrar}-${number}`
      const created = await send(origin, 'POST', '/users', { username, password }, bearer(jwt))
      expect([number, created.status]).toEqual([number, 201])
      const user = (await send(origin, 'POST', '/users/login', { username, password })).body
      const listed = await send(origin, 'GET', '/users', undefined, bearer(user.jwt))
      expect([listed.status, listed.body.error]).toEqual([403, 'password_change_required'])
      const [line] = audit.filter((text) => text.includes('"audit":"user.created"')).slice(-1)
      expect(JSON.parse(line!)).toMatchObject({ user: user.id, by: id })
    }
  })

  it('asks the database once about the token', async () => {
    const origin = await serve()
    const { jwt } = await register(origin, 'asking')
    const asked = vi.spyOn(store, 'findActorAndUser')
    const { status } = await send(
      origin,
      'POST',
      '/users',
      { username: 'asked', password },
      bearer(jwt),
    )
    expect([status, asked.mock.calls.length]).toEqual([201, 1])
    asked.mockRestore()
  })

  it("is a stranger's with any other token, unless it's invalid", async () => {
    const origin = await serve({ registrationRate: 1 })
    const { jwt } = await register(origin, 'plain')
    const create = async (username: string, token: string) =>
      (
        await send(
          origin,
          'POST',
          '/users',
          { username, password },
          { ...bearer(token), ...from('203.0.113.4') },
        )
      ).status
    expect(await create('stranger1', 'expired')).toBe(401)
    expect([await create('stranger2', jwt), await create('stranger3', jwt)]).toEqual([201, 429])
    const user = await send(origin, 'POST', '/users/login', { username: 'stranger2', password })
    expect((await send(origin, 'GET', '/users', undefined, bearer(user.body.jwt))).status).toBe(200)
  })
})

describeStores('a flood of logins', (open) => {
  it("doesn't delay the login of another network: networks take turns", async () => {
    const store = await open()
    await store.migrate()
    const app = buildApp({ ...appConfig, trustProxy: '127.0.0.1' }, { store, tokens })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    await register(origin, 'owner')
    attacker = `198.51.100.${++networks}`
    let refused = 0
    const flooding = Array.from({ length: 60 }, async (_, i) => {
      const { status } = await send(
        origin,
        'POST',
        '/users/login',
        { username: `guess${i}`, password },
        from(attacker),
      )
      expect([401, 503]).toContain(status) // 503 if a hash has waited for ten seconds
      refused++
    })
    await expect.poll(() => refused, { interval: 1 }).toBeGreaterThan(0)
    const before = refused
    const { status } = await send(
      origin,
      'POST',
      '/users/login',
      { username: 'owner', password },
      from('203.0.113.1'),
    )
    expect([status, refused - before < 20]).toEqual([200, true])
    await Promise.all(flooding)
    await app.close()
  })
})
