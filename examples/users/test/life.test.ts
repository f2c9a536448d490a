// The end of version 1, as a deployment configures it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { appConfig } from './app-config.ts'

const clean: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  vi.resetModules()
  for (const one of clean.splice(0)) await one()
})

/** Asks for the users in a version, in a service with this environment. */
async function ask(
  environment: Record<string, string>,
  version: number | '',
  today = '2026-12-01',
) {
  for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value)
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(today) })
  const { buildApp } = await import('../src/app.ts')
  const { openSqliteStore } = await import('../src/store/open-store.ts')
  const { tokens } = await import('./services.ts')
  const folder = mkdtempSync(join(tmpdir(), 'users-life-'))
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  const app = buildApp(appConfig, { store, tokens })
  clean.push(
    () => app.close(),
    () => store.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  )
  const accept = version ? `application/vnd.users+json;version=${version}` : '*/*'
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${origin}/users`, { headers: { accept, connection: 'close' } })
  const metrics = await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })
  return {
    metrics: (await metrics.text()).split('\n'),
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.json(),
  }
}
const dates = { V1_DEPRECATED: '2027-01-01', V1_SUNSET: '2027-07-01' }

describe('the end of version 1', () => {
  it("isn't announced by default", async () => {
    const { status, headers } = await ask({}, 1)
    expect(status).toBe(401)
    for (const name of ['deprecation', 'sunset', 'link']) expect(headers[name]).toBeUndefined()
  })
  it('is announced by every response of version 1', async () => {
    expect((await ask(dates, 1)).headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
      link: '</docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"',
    })
  })
  it("doesn't concern version 2", async () => {
    const { status, headers } = await ask(dates, 2, '2027-07-01')
    expect([status, headers['sunset']]).toEqual([401, undefined])
  })
  it('comes with its sunset', async () => {
    expect((await ask(dates, 1, '2027-06-30T23:59:59.999Z')).status).toBe(401)
    const gone = await ask(dates, 1, '2027-07-01')
    expect(gone).toMatchObject({ status: 410, body: { code: 410, error: 'GONE' } })
  })
  it.each([1, ''] as const)('is counted for clients that ask for "%s"', async (version) => {
    const { metrics } = await ask(dates, version, '2027-07-01')
    const labels = 'method="GET",route="none",status="410",error="GONE",api_version="1"'
    expect(metrics).toContain(`http_requests_total{${labels}} 1`)
  })
  it('is a date', async () => {
    await expect(ask({ V1_SUNSET: '1.7.2027' }, 1)).rejects.toThrow('HV_DATE: version 1 has ')
  })
})
