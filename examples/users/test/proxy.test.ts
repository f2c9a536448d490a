// The proxy of compose.yaml, with its own configuration, while the database is unavailable.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { freePort } from './database-server.ts'
import { type TestDatabase, describeServers, lent } from './databases.ts'
import { type Cluster, startCluster } from './services.ts'

const haproxy = findProgram('haproxy')
if (haproxy === undefined && process.env['REQUIRE_HAPROXY'] === '1')
  throw new Error('REQUIRE_HAPROXY=1, but no haproxy')

/** Starts HAProxy in front of these instances, with `haproxy.cfg` except for addresses. */
async function startHaproxy(origins: readonly string[]) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'users-proxy-'))
  const servers = origins
    .map((origin, i) => `server users${i} ${new URL(origin).host}`)
    .join('\n  ')
  const text = readFileSync(resolve(import.meta.dirname, '../haproxy.cfg'), 'utf8')
    .replaceAll('server-template users 10 users:3000', servers)
    .replaceAll(' resolvers docker init-addr none', '')
    .replace('timeout server 30s', 'timeout server 1s')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
  writeFileSync(join(folder, 'haproxy.cfg'), text)
  const child = spawn(haproxy!, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  const isListening = () =>
    fetch(origin).then(
      () => true,
      () => false,
    )
  await expect.poll(isListening).toBe(true)
  return {
    origin,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

describe.skipIf(haproxy === undefined)('HAProxy', () => {
  it('accepts its configuration as it is', () => {
    const file = resolve(import.meta.dirname, '../haproxy.cfg')
    const { status, stderr } = spawnSync(haproxy!, ['-c', '-f', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  describeServers('with three instances', (start) => {
    let database: TestDatabase
    let cluster: Cluster
    let proxy: Awaited<ReturnType<typeof startHaproxy>>
    beforeAll(async () => void (database = await start()))
    afterAll(() => database.stop())
    beforeEach(async () => {
      cluster = await startCluster({}, async () => lent(database))
      proxy = await startHaproxy(cluster.origins)
    })
    afterEach(async () => {
      await proxy.stop()
      await cluster.close()
    })

    const ask = async (path: string) => {
      const response = await fetch(proxy.origin + path, { headers: { connection: 'close' } })
      const body = (await response.json()) as { error?: string; requestId?: string }
      return { ...body, status: response.status, retryAfter: response.headers.get('retry-after') }
    }
    const login = () =>
      fetch(`${proxy.origin}/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'nobody', password: 'correct horse' }),
      })

    it('passes on what the service says while the database is unavailable, and serves what needs none', async () => {
      await expect.poll(async () => (await login()).status).toBe(401)
      await database.crash()
      const until = Date.now() + 4000 // by then, no instance is ready
      while (Date.now() < until) {
        const refused = await login()
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
        expect(await refused.json()).toMatchObject({
          error: 'DATABASE_UNAVAILABLE',
          requestId: expect.any(String),
        })
        for (const path of ['/.well-known/jwks.json', '/openapi/v1.json'])
          expect((await ask(path)).status).toBe(200)
        await wait(200)
      }
      await database.restart()
      await expect.poll(async () => (await login()).status).toBe(401)
    })

    it("says in the same way that an instance doesn't respond", async () => {
      for (const instance of cluster.instances) instance.kill('SIGSTOP')
      const expected = {
        status: 504,
        code: 504,
        error: 'UNAVAILABLE',
        retryAfter: '5',
        requestId: expect.any(String),
      }
      expect(await ask('/.well-known/jwks.json')).toMatchObject(expected)
    })

    it('refuses requests in the same way when no instance runs', async () => {
      for (const instance of cluster.instances) instance.kill('SIGKILL')
      const expected = {
        status: 503,
        code: 503,
        retryAfter: '5',
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      }
      await expect.poll(() => ask('/users/1')).toMatchObject({ ...expected, error: 'UNAVAILABLE' })
    })
  })
})
