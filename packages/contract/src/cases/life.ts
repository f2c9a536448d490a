// The life of an API on every adapter, over real sockets: the worked cases, a whole life, and who chooses the version.
import { type Api, type Match, type Miss, api, cache, get, inherit, resources, version } from '@hv/router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useApp } from '../client.ts'
import { acceptOf, vendorType } from '../fixture.ts'
import type { AdapterUnderTest, AppUnderTest, NeutralAction, Served } from '../types.ts'
import { describeLifecycle } from './lifecycle.ts'

/** Sends a request. An empty Accept header counts as none. */
async function send(
  served: Served,
  method: string,
  path: string,
  accept: string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(served.origin + path, {
    method,
    headers: { accept, connection: 'close', ...headers },
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function describeLife(adapter: AdapterUnderTest): void {
  describeLifecycle(adapter.native, async (routes, controllers, now) => {
    const served = await adapter.serve({ mounts: [{ routes, controllers, prefix: '' }], options: { now } })
    return { request: (method, path, accept) => send(served, method, path, accept), close: () => served.close() }
  })
  describeWholeLife(adapter)
  describeDefaultVersion(adapter)
  describeOnRouted(adapter)
}

/** A list of users, which each version serves. */
const createControllers = (native: AdapterUnderTest['native'], versions: readonly number[]): object => {
  const index: NeutralAction = ({ version: served }) => ({ served })
  const users = { index: native(index), thrown: native(() => Promise.reject(new Error('thrown error'))) }
  return Object.fromEntries(versions.map((number) => [number, { users }]))
}

// A version, from its release to the deletion of its code.
const policy = {
  deprecated: '2027-01-01',
  sunset: '2027-07-01',
  docs: 'https://docs.example/v1',
  successor: 2,
  brownouts: [['2027-05-04T14:00Z', '2027-05-04T15:00Z']],
} as const
const users = resources('users', { only: 'index' })
const second = version(2, inherit({ from: 'v1' }))
const vendor = { vendorString: 'acme' }
const released = api(vendor, version(1, cache({ as: 'v1' }, users)), second)
const announced = api(vendor, version(1, policy, cache({ as: 'v1' }, users)), second)
const deleted = api(vendor, version(1, { sunset: '2027-07-01', successor: 2 }), version(2, users))

const announcement = {
  deprecation: '@1798761600',
  sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
  link:
    '<https://docs.example/v1>; rel="deprecation"; type="text/html", ' +
    '<https://docs.example/v1>; rel="sunset"; type="text/html"',
}
const silence = { deprecation: null, sunset: null, link: null }
const brownout = { 'retry-after': 'Tue, 04 May 2027 15:00:00 GMT', 'cache-control': 'no-store' }
const urn = 'urn:hv-router:'

type Phase = [
  phase: string,
  routes: Api,
  now: string,
  status: number,
  headers: Record<string, string | null>,
  body: object,
]
const phases: Phase[] = [
  ['is released', released, '2026-11-01', 200, silence, { served: 1 }],
  ['is announced', announced, '2026-12-01', 200, announcement, { served: 1 }],
  ['is deprecated', announced, '2027-01-01', 200, announcement, { served: 1 }],
  [
    'is in a brownout',
    announced,
    '2027-05-04T14:59:59.999Z',
    410,
    { ...announcement, ...brownout },
    { type: `${urn}brownout`, supported: [1, 2], successor: 2, until: '2027-05-04T15:00:00Z' },
  ],
  ['is served again', announced, '2027-05-04T15:00:00Z', 200, announcement, { served: 1 }],
  ['is about to end', announced, '2027-06-30T23:59:59.999Z', 200, announcement, { served: 1 }],
  [
    'is retired',
    announced,
    '2027-07-01',
    410,
    announcement,
    { type: `${urn}version-retired`, supported: [2], retired: [1], successor: 2, sunset: '2027-07-01T00:00:00Z' },
  ],
  [
    'is deleted',
    deleted,
    '2028-01-01',
    410,
    { sunset: announcement.sunset, deprecation: null },
    { type: `${urn}version-retired`, supported: [2], retired: [1], successor: 2 },
  ],
]

function describeWholeLife(adapter: AdapterUnderTest): void {
  describe('a version, from its release to the deletion of its code', () => {
    it.each(phases)('%s', async (_phase, routes, now, status, headers, body) => {
      const versions = routes === deleted ? [2] : [1, 2]
      const served = await adapter.serve({
        mounts: [{ routes, controllers: createControllers(adapter.native, versions), prefix: '' }],
        options: { now: () => Date.parse(now) },
      })
      try {
        const answer = await send(served, 'GET', '/api/users', acceptOf(1))
        expect(answer.status).toBe(status)
        expect(JSON.parse(answer.text)).toMatchObject(body)
        for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name), name).toBe(value)
        expect(answer.headers.get('vary')).toBe('Accept')
        expect(answer.headers.get('api-version')).toBe(status === 200 ? '1' : null)
        const head = await send(served, 'HEAD', '/api/users', acceptOf(1))
        expect([head.status, head.headers.get('sunset')]).toEqual([status, answer.headers.get('sunset')])

        const successor = await send(served, 'GET', '/api/users', `${acceptOf(1)}, ${acceptOf(2, ';q=0.5')}`)
        expect([successor.status, JSON.parse(successor.text)]).toEqual([200, { served: status === 200 ? 1 : 2 }])
        const preflight = await send(served, 'OPTIONS', '/api/users', acceptOf(1))
        expect([preflight.status, preflight.headers.get('sunset')]).toEqual([204, null])
      } finally {
        await served.close()
      }
    })
  })
}

const choices = (settings: object = {}): Api =>
  api(
    { vendorString: 'acme', ...settings },
    version(1, cache({ as: 'v1' }, resources('users', { only: 'index' }), get('thrown', { to: 'users#thrown' }))),
    version(2, inherit({ from: 'v1' })),
    version(3, { sunset: '2020-01-01' }, inherit({ from: 'v1' })),
    version(4, { preview: true }, inherit({ from: 'v1' })),
  )
const appWith = (adapter: AdapterUnderTest, options: object, settings?: object): AppUnderTest => ({
  mounts: [{ routes: choices(settings), controllers: createControllers(adapter.native, [1, 2, 3, 4]), prefix: '' }],
  options,
})

function describeDefaultVersion(adapter: AdapterUnderTest): void {
  describe('an API that requires a version', () => {
    const { ask } = useApp(adapter, appWith(adapter, {}, { requireVersion: true }))
    it.each(['', '*/*', vendorType, 'text/html'])('refuses %j, and says which versions there are', async (accept) => {
      const { status, body, headers } = await ask('/api/users', accept)
      expect([status, headers.get('vary')]).toEqual([400, 'Accept'])
      expect(body).toMatchObject({ type: 'urn:hv-router:version-required', supported: [1, 2], retired: [3] })
      expect(body['detail']).toContain(`${vendorType};version=<n>`)
    })
    it('serves a request that names one, a preview too', async () => {
      expect((await ask('/api/users', acceptOf(2))).body).toEqual({ served: 2 })
      expect((await ask('/api/users', acceptOf(4))).body).toEqual({ served: 4 })
    })
  })

  describe('a version chosen by the app', () => {
    const defaultVersion = vi.fn<(request: { headers: Record<string, string | undefined> }) => unknown>(
      ({ headers: { 'x-account': account } }) => {
        if (account === 'unknown') throw new Error('unknown account')
        return account === undefined ? undefined : Number(account)
      },
    )
    afterEach(() => void defaultVersion.mockClear())
    const { request } = useApp(adapter, appWith(adapter, { defaultVersion }))
    const askAs = (account: string, accept: string, path = '/api/users') =>
      request('GET', path, { accept, ...(account !== '' && { 'x-account': account }) })

    it.each([
      ['2', '', 200, '2'],
      ['2', '*/*', 200, '2'],
      ['2', vendorType, 200, '2'],
      ['4', '', 200, '4'],
      ['', '', 200, '1'],
      ['2', acceptOf(1), 200, '1'],
      ['unknown', acceptOf(1), 200, '1'],
      ['3', '', 410, null],
    ])('for the account %j and the header %j: %i', async (account, accept, status, served) => {
      const answer = await askAs(account, accept)
      expect([answer.status, answer.headers.get('api-version')]).toEqual([status, served])
      expect(answer.headers.get('vary')).toBe('Accept')
    })
    it.each([
      ['7', 'HV_DEFAULT_VERSION: defaultVersion is 7, which is not declared. Use one of: 1, 2, 3, 4.'],
      ['1.5', 'HV_DEFAULT_VERSION: defaultVersion is 1.5, which is not declared.'],
      ['unknown', 'unknown account'],
    ])('that is wrong is an error: %s', async (account, message) => {
      const { status, headers, body } = await askAs(account, '')
      expect([status, headers.get('vary'), headers.get('api-version')]).toEqual([500, 'Accept', null])
      expect(body['caught']).toContain(message)
      expect((await askAs('2', '')).status).toBe(200) // the process goes on
    })
    it("is not chosen for the app's own paths", async () => {
      expect((await askAs('unknown', '', '/plain')).body).toEqual({ plain: true })
      expect(defaultVersion).not.toHaveBeenCalled()
    })
  })
}

function describeOnRouted(adapter: AdapterUnderTest): void {
  describe('onRouted', () => {
    const events: string[] = []
    let failure: (() => unknown) | undefined
    const onRouted = (found: Match | Miss, request: { readonly method: string }): unknown => {
      const what = found.kind === 'match' ? `v${found.version} ${found.source}` : `${found.status} ${found.code}`
      events.push(`${request.method} ${what}`)
      return failure?.()
    }
    const { ask } = useApp(adapter, appWith(adapter, { onRouted, defaultVersion: () => 2 }))
    afterEach(() => {
      events.length = 0
      failure = undefined
    })

    it.each([
      ['GET', '/api/users', acceptOf(1), 'v1 explicit'],
      ['GET', '/api/users/', acceptOf(1), 'v1 explicit'],
      ['HEAD', '/api/users', acceptOf(1), 'v1 explicit'],
      ['GET', '/api/users', '', 'v2 pinned'],
      ['GET', '/api/thrown', acceptOf(1), 'v1 explicit'],
      ['GET', '/api/users', acceptOf(9), '406 not-acceptable'],
      ['GET', '/api/users', acceptOf(3), '410 version-retired'],
      ['PUT', '/api/users', acceptOf(1), '405 method-not-allowed'],
      ['OPTIONS', '/api/users', acceptOf(1), '204 options'],
      ['GET', '/api/nothing', acceptOf(1), null],
    ])('is called once for %s %s %s', async (method, path, accept, event) => {
      await ask(path, accept, method)
      expect(events).toEqual(event === null ? [] : [`${method} ${event}`])
    })
    it("is not called for the app's own paths", async () => {
      expect((await ask('/plain')).status).toBe(200)
      expect(events).toEqual([])
    })
    it.each([
      [
        'throws',
        () => {
          throw new Error('subscriber failed')
        },
      ],
      ['rejects', () => Promise.reject(new Error('subscriber failed'))],
    ])('does not change the response when it %s', async (_how, fail) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
      failure = fail
      expect((await ask('/api/users', acceptOf(1))).body).toEqual({ served: 1 })
      expect((await ask('/api/users', acceptOf(9))).status).toBe(406)
      expect(events).toHaveLength(2)
      logged.mockRestore()
    })
  })
}
