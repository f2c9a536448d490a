// How often a password may be guessed, and whom that keeps out.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { networkOf } from '../src/lib/network.ts'
import { accountSubject } from '../src/auth/throttle.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, password, register, send } from './client.ts'
import { tokens } from './services.ts'
import { actorOf, describeStores } from './stores.ts'

describeStores('the throttle', (open) => {
  let store: UserStore
  const apps: FastifyInstance[] = []
  beforeAll(async () => {
    store = await open()
    await store.migrate()
  })
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })
  async function serve(config: Partial<Config>): Promise<string> {
    const app = buildApp({ ...appConfig, trustProxy: '127.0.0.1', ...config }, { store, tokens })
    apps.push(app)
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const login = async (
    origin: string,
    username: string,
    pass: string,
    address: string,
  ): Promise<number> =>
    (await send(origin, 'POST', '/users/login', { username, password: pass }, from(address))).status

  /** A client needs the current password for it, which would forget the guesses. */
  const rename = async (id: number, username: string): Promise<number> =>
    (await store.update(id, { username }, (await actorOf(store, id))!)).affectedRows

  it("counts guesses of the current password by user id, so that a rename doesn't reset the count", async () => {
    const origin = await serve({ loginFailures: 5 })
    const { id, jwt } = await register(origin, 'renamed')
    const put = async (body: object) =>
      (await send(origin, 'PUT', `/users/${id}`, body, bearer(jwt))).status
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      if (i % 4 === 3) expect(await rename(id, `renamed${i}`)).toBe(1)
      statuses.push(await put({ password: 'another horse', currentPassword: `guess ${i}` }))
    }
    expect(statuses).toEqual([...Array<number>(5).fill(403), ...Array<number>(7).fill(429)])
  })

  it("counts failed logins by user id, so that a rename doesn't reset the count", async () => {
    const origin = await serve({ loginFailures: 3 })
    const { id } = await register(origin, 'before')
    for (let i = 0; i < 3; i++) expect(await login(origin, 'before', 'wrong', '10.0.0.9')).toBe(401)
    expect(await rename(id, 'after')).toBe(1)
    expect(await login(origin, 'after', 'wrong', '10.0.0.9')).toBe(429)
  })

  it('may refuse some of many right logins at once, until one of them has succeeded', async () => {
    const origin = await serve({ loginFailures: 5 })
    await register(origin, 'parallel')
    const logins = await Promise.all(
      Array.from({ length: 12 }, () =>
        send(origin, 'POST', '/users/login', { username: 'parallel', password }, from('10.0.0.8')),
      ),
    )
    const right = logins.filter(({ status }) => status === 200)
    expect(right.length).toBeGreaterThanOrEqual(5)
    for (const { status, headers } of logins.filter((response) => !right.includes(response)))
      expect([status, headers.get('retry-after')]).toEqual([429, '30'])
    expect(await login(origin, 'parallel', password, '10.0.0.8')).toBe(200)
  })

  it("doesn't lock the owner out when another network guesses", async () => {
    const origin = await serve({ loginFailures: 3 })
    await register(origin, 'owner')
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push(await login(origin, 'owner', 'wrong', '10.0.0.1'))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await login(origin, 'owner', password, '10.0.0.2')).toBe(200)
  })

  it('limits an account over all networks at twenty times the count, except from networks that it knows', async () => {
    const origin = await serve({ loginFailures: 1 })
    const { id, jwt } = await register(origin, 'hunted')
    expect(await login(origin, 'hunted', password, '10.1.0.1')).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 25; i++)
      statuses.push(await login(origin, 'hunted', 'wrong', `10.2.0.${i}`))
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)])
    expect(await login(origin, 'hunted', password, '10.3.0.1')).toBe(429)
    expect(await login(origin, 'hunted', password, '10.1.0.1')).toBe(200)
    const change = { password: 'another horse', currentPassword: password }
    const put = async (address: string) =>
      (await send(origin, 'PUT', `/users/${id}`, change, { ...bearer(jwt), ...from(address) }))
        .status
    expect(await put('10.3.0.1')).toBe(429)
    expect(await put('10.1.0.1')).toBe(200)
  })

  it("doesn't count right passwords, however many networks they come from", async () => {
    const origin = await serve({ loginFailures: 1 })
    const { id, jwt } = await register(origin, 'travelling')
    for (let i = 0; i < 25; i++)
      expect([i, await login(origin, 'travelling', password, `10.6.0.${i}`)]).toEqual([i, 200])
    for (let i = 0; i < 25; i++) {
      const change = { username: `travelling${i}`, currentPassword: password }
      const headers = { ...bearer(jwt), ...from(`10.7.0.${i}`) }
      const { status } = await send(origin, 'PUT', `/users/${id}`, change, headers)
      expect([i, status]).toEqual([i, 200])
    }
  })

  it('treats an unknown username as it treats a known one', async () => {
    const origin = await serve({ loginFailures: 1 })
    const statuses: number[] = []
    for (let i = 0; i < 21; i++)
      statuses.push(await login(origin, 'nobody', 'wrong', `10.4.0.${i}`))
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429])
    expect(await login(origin, 'nobody', 'wrong', '10.4.0.0')).toBe(429)
  })

  it("forgets the guesses of an account that's unlocked, and of no other", async () => {
    const origin = await serve({ loginFailures: 1 })
    const [locked, other] = [await register(origin, 'locked'), await register(origin, 'locked2')]
    for (const name of ['locked', 'locked2'])
      expect([
        await login(origin, name, 'wrong', '10.5.0.1'),
        await login(origin, name, 'wrong', '10.5.0.1'),
      ]).toEqual([401, 429])
    expect(other.id).not.toBe(locked.id)
    await store.forgiveAll(accountSubject(locked.id))
    expect(await login(origin, 'locked', password, '10.5.0.1')).toBe(200)
    expect(await login(origin, 'locked2', password, '10.5.0.1')).toBe(429)
  })
})

describe('networkOf', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::ffff:c633:6401', '198.51.100.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:1:2:3:4', '2001:db8:1:2::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['198.51.100.1:4711', 'unknown'],
    ['[2001:db8::1]:4711', 'unknown'],
    ['anything', 'unknown'],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network))
})
