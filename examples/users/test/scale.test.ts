// Three instances on one database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from './bundle.ts'
import { bearer, password, send as sendTo } from './client.ts'
import { type TestDatabase, describeDatabases, lent } from './databases.ts'
import { type Cluster, secret, startCluster } from './services.ts'

describeDatabases('three instances', (startDatabase) => {
  let database: TestDatabase
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(
      { LOGIN_FAILURES: '5' },
      async () => (database = await startDatabase()),
    )
  })
  afterAll(() => cluster.close())

  const send = (origin: string, method: string, path: string, body?: object, token = '') =>
    sendTo(origin, method, path, body, token === '' ? {} : bearer(token))

  it('share users and revocation: create on one, log in on another, change the password on the third', async () => {
    const [one, two, three] = cluster.origins as [string, string, string]
    expect((await send(one, 'POST', '/users', { username: 'ann', password })).status).toBe(201)
    const login = await send(two, 'POST', '/users/login', { username: 'ann', password })
    const { id, jwt } = login.body
    for (const origin of cluster.origins)
      expect((await send(origin, 'GET', `/users/${id}`, undefined, jwt)).status).toBe(200)
    const change = { password: 'another horse', currentPassword: password }
    expect((await send(three, 'PUT', `/users/${id}`, change, jwt)).status).toBe(200)
    for (const origin of cluster.origins) {
      expect((await send(origin, 'GET', `/users/${id}`, undefined, jwt)).status).toBe(401)
      expect(
        (await send(origin, 'POST', '/users/login', { username: 'ann', password: 'another horse' }))
          .status,
      ).toBe(200)
    }
  })

  it('count failed logins together', async () => {
    await send(cluster.origin, 'POST', '/users', { username: 'bob', password })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++)
      statuses.push(
        (
          await send(cluster.origins[i % 3]!, 'POST', '/users/login', {
            username: 'bob',
            password: 'wrong',
          })
        ).status,
      )
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    for (const origin of cluster.origins)
      expect(
        (await send(origin, 'POST', '/users/login', { username: 'BOB', password })).status,
      ).toBe(429)
  })

  it('apply migrations once when four start at the same time', async () => {
    const own = await startDatabase()
    try {
      const url = await own.createSchema()
      const users = resolve(import.meta.dirname, '..')
      const program = bundle(users, 'src/ops/migrate.ts')
      const outputs = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const child = spawn(process.execPath, [program], {
            cwd: users,
            env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, ACCESS_TOKEN: secret },
          })
          let output = ''
          child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString())) // those that wait say so on stderr
          await once(child, 'close')
          return output.trim()
        }),
      )
      const migrations = readdirSync(resolve(import.meta.dirname, '../migrations/mysql'))
      const done = `applied: ${migrations.join(', ')}`
      expect(outputs.toSorted()).toEqual([done, ...Array<string>(3).fill('nothing to migrate')])
    } finally {
      await own.stop()
    }
  })

  it('create one of many users with the same name', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, i) =>
          (await send(cluster.origins[i % 3]!, 'POST', '/users', { username: 'same', password }))
            .status,
      ),
    )
    expect(statuses.toSorted()).toEqual([201, ...Array<number>(11).fill(409)])
  })

  it('fail no request when one of them stops under fifty clients', async () => {
    const { origin, instances, close } = await startCluster({}, async () => lent(database))
    const load = { running: true }
    const outcomes = new Map<string, number>()
    const clients = Array.from({ length: 50 }, async () => {
      while (load.running) {
        const outcome = await fetch(`${origin}/health/live`).then(
          async (response) => (await response.text(), String(response.status)),
          (error: Error) => error.message,
        )
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    })
    const answered = () => [...outcomes.values()].reduce((sum, count) => sum + count, 0)
    await expect.poll(answered).toBeGreaterThan(100)
    const [first] = instances
    const ended = once(first!, 'exit')
    first!.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    const atTheEnd = answered()
    await expect.poll(answered).toBeGreaterThan(atTheEnd + 100)
    load.running = false
    await Promise.all(clients)
    await close()
    expect([...outcomes.keys()]).toEqual(['200'])
  })
})
