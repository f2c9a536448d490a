// An API's lifecycle on every adapter, over real sockets: the worked cases, a whole lifecycle, and
// who chooses the version.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppName } from '../apps.ts'
import { serveApp, useApp } from '../client.ts'
import { acceptOf, vendorType } from '../fixture.ts'
import { controlType } from '../life-apps.ts'
import type { AdapterUnderTest, RunningApp } from '../types.ts'
import { describeLifecycle } from './lifecycle.ts'

/** Sends a request. An empty Accept header counts as none. */
async function send(
  served: RunningApp,
  method: string,
  path: string,
  accept: string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(served.origin + path, {
    method,
    headers: { accept, connection: 'close', ...headers },
    signal: AbortSignal.timeout(300_000),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sets an app's clock, or how its subscriber fails. */
async function setControls(served: RunningApp, controls: object): Promise<void> {
  const { ok } = await fetch(`${served.origin}/control/settings`, {
    method: 'PUT',
    headers: { accept: controlType, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(controls),
  })
  expect(ok).toBe(true)
}

export function describeLife(adapter: AdapterUnderTest): void {
  describeLifecycle(async ({ id }) => {
    const served = await serveApp(adapter, `life: ${id}`)
    return {
      setTime: (time) => setControls(served, { time }),
      request: (method, path, accept) => send(served, method, path, accept),
      close: () => served.close(),
    }
  })
  describeWholeLife(adapter)
  describeDefaultVersion(adapter)
  describeOnRouted(adapter)
}

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
  app: AppName,
  now: string,
  status: number,
  headers: Record<string, string | null>,
  body: object,
]
const phases: Phase[] = [
  ['is released', 'a released version', '2026-11-01', 200, silence, { served: 1 }],
  ['is announced', 'an announced version', '2026-12-01', 200, announcement, { served: 1 }],
  ['is deprecated', 'an announced version', '2027-01-01', 200, announcement, { served: 1 }],
  [
    'is in a brownout',
    'an announced version',
    '2027-05-04T14:59:59.999Z',
    410,
    { ...announcement, ...brownout },
    { type: `${urn}brownout`, supported: [1, 2], successor: 2, until: '2027-05-04T15:00:00Z' },
  ],
  [
    'is served again',
    'an announced version',
    '2027-05-04T15:00:00Z',
    200,
    announcement,
    { served: 1 },
  ],
  [
    'is about to end',
    'an announced version',
    '2027-06-30T23:59:59.999Z',
    200,
    announcement,
    { served: 1 },
  ],
  [
    'is retired',
    'an announced version',
    '2027-07-01',
    410,
    announcement,
    {
      type: `${urn}version-retired`,
      supported: [2],
      retired: [1],
      successor: 2,
      sunset: '2027-07-01T00:00:00Z',
    },
  ],
  [
    'is deleted',
    'a deleted version',
    '2028-01-01',
    410,
    { sunset: announcement.sunset, deprecation: null },
    { type: `${urn}version-retired`, supported: [2], retired: [1], successor: 2 },
  ],
]

function describeWholeLife(adapter: AdapterUnderTest): void {
  describe('a version, from its release to the deletion of its code', () => {
    it.each(phases)('%s', async (_phase, app, now, status, headers, body) => {
      const served = await serveApp(adapter, app)
      try {
        await setControls(served, { time: Date.parse(now) })
        const answer = await send(served, 'GET', '/api/users', acceptOf(1))
        expect(answer.status).toBe(status)
        expect(JSON.parse(answer.text)).toMatchObject(body)
        for (const [name, value] of Object.entries(headers))
          expect(answer.headers.get(name), name).toBe(value)
        expect(answer.headers.get('vary')).toBe('Accept')
        expect(answer.headers.get('api-version')).toBe(status === 200 ? '1' : null)
        const head = await send(served, 'HEAD', '/api/users', acceptOf(1))
        expect([head.status, head.headers.get('sunset')]).toEqual([
          status,
          answer.headers.get('sunset'),
        ])

        const successor = await send(
          served,
          'GET',
          '/api/users',
          `${acceptOf(1)}, ${acceptOf(2, ';q=0.5')}`,
        )
        expect([successor.status, JSON.parse(successor.text)]).toEqual([
          200,
          { served: status === 200 ? 1 : 2 },
        ])
        const preflight = await send(served, 'OPTIONS', '/api/users', acceptOf(1))
        expect([preflight.status, preflight.headers.get('sunset')]).toEqual([204, null])
      } finally {
        await served.close()
      }
    })
  })
}

function describeDefaultVersion(adapter: AdapterUnderTest): void {
  describe('an API that requires a version', () => {
    const { ask } = useApp(adapter, 'an API that requires a version')
    it.each(['', '*/*', vendorType, 'text/html'])(
      'refuses %j, and says which versions there are',
      async (accept) => {
        const { status, body, headers } = await ask('/api/users', accept)
        expect([status, headers.get('vary')]).toEqual([400, 'Accept'])
        expect(body).toMatchObject({
          type: 'urn:hv-router:version-required',
          supported: [1, 2],
          retired: [3],
        })
        expect(body['detail']).toContain(`${vendorType};version=<n>`)
      },
    )
    it('serves a request that names one, a preview too', async () => {
      expect((await ask('/api/users', acceptOf(2))).body).toEqual({ served: 2 })
      expect((await ask('/api/users', acceptOf(4))).body).toEqual({ served: 4 })
    })
  })

  describe('a version chosen by the app', () => {
    const { request } = useApp(adapter, 'a version chosen by the app')
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
      [
        '7',
        "HV_DEFAULT_VERSION: pinVersion returned 7, which isn't declared. Use one of: 1, 2, 3, 4.",
      ],
      ['1.5', "HV_DEFAULT_VERSION: pinVersion returned 1.5, which isn't declared."],
      ['unknown', 'unknown account'],
    ])("that's wrong is an error: %s", async (account, message) => {
      const { status, headers, body } = await askAs(account, '')
      expect([status, headers.get('vary'), headers.get('api-version')]).toEqual([
        500,
        'Accept',
        null,
      ])
      expect(body['caught']).toContain(message)
      expect((await askAs('2', '')).status).toBe(200) // the process goes on
    })
    it("isn't chosen for the app's own paths", async () => {
      expect((await askAs('unknown', '', '/plain')).body).toEqual({ plain: true })
    })
  })
}

function describeOnRouted(adapter: AdapterUnderTest): void {
  describe('onRouted', () => {
    const { ask, served } = useApp(adapter, 'a subscriber')
    const eventsSince = async () =>
      JSON.parse((await send(served(), 'GET', '/control/events', controlType)).text)
    afterEach(async () => {
      await setControls(served(), { failure: null })
      await eventsSince()
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
      expect(await eventsSince()).toEqual({ events: event === null ? [] : [`${method} ${event}`] })
    })
    it("isn't called for the app's own paths", async () => {
      expect((await ask('/plain')).status).toBe(200)
      expect(await eventsSince()).toEqual({ events: [] })
    })
    it.each(['throws', 'rejects'])("doesn't change the response when it %s", async (failure) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
      await setControls(served(), { failure })
      expect((await ask('/api/users', acceptOf(1))).body).toEqual({ served: 1 })
      expect((await ask('/api/users', acceptOf(9))).status).toBe(406)
      expect((await eventsSince()).events).toHaveLength(2)
      logged.mockRestore()
    })
  })
}
