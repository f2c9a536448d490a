import { describe, expect, it, vi } from 'vitest'
import {
  api,
  cache,
  collection,
  createMatcher,
  get,
  inherit,
  post,
  resources,
  version,
} from '../../src/index.ts'
import type { Api, Match, MatcherOptions, Miss } from '../../src/index.ts'

const type = 'application/vnd.acme+json'
const at = (text: string) => Date.parse(text)

/** `v2 explicit`, or `410 version-retired`. */
const summaryOf = (found: Match | Miss): string =>
  found.kind === 'match' ? `v${found.version} ${found.source}` : `${found.status} ${found.code}`
const ask = (
  routes: Api,
  options: MatcherOptions<never>,
  accept?: string,
  path = '/api/users',
  method = 'GET',
) => createMatcher(routes, options).match(method, path, accept)

describe('the clock', () => {
  const build = (policy: object) =>
    api(
      { vendorString: 'acme', only: ['index', 'show'] },
      version(1, policy, resources('users')),
      version(2, resources('users')),
    )
  const requests = [
    undefined,
    '*/*',
    `${type};version=1`,
    `${type};version=2`,
    `${type};version=9`,
    'vnd.acme',
  ]
  const readsOf = (policy: object, accept: string | undefined) => {
    const now = vi.fn<() => number>(() => at('2027-01-01'))
    const { match } = createMatcher(build(policy), { now })
    match('GET', '/api/users', accept)
    match('PUT', '/api/users/7', accept)
    return now.mock.calls.length
  }

  it.each([
    {},
    { deprecated: '2020-01-01', docs: '/end' },
    { sunset: '2020-01-01', retire: 'serve' },
  ])("isn't read where nothing ends: %j", (policy) =>
    expect(requests.map((accept) => readsOf(policy, accept))).toEqual(requests.map(() => 0)),
  )
  it("isn't read where versions are previews or pinned, and nothing ends", () => {
    const now = vi.fn<() => number>(() => 0)
    const routes = api(
      { vendorString: 'acme', only: 'index' },
      version(1, { deprecated: '2026-01-01' }, resources('users')),
      version(2, { preview: true }, resources('users')),
    )
    const { match } = createMatcher(routes, { now, pinVersion: () => 1 })
    for (const accept of requests)
      for (const method of ['GET', 'PUT']) match(method, '/api/users', accept)
    expect(now).not.toHaveBeenCalled()
  })
  it("is read once for a route that ends, and not for one that doesn't", () => {
    const now = vi.fn<() => number>(() => at('2027-01-01'))
    const { match } = createMatcher(build({ sunset: '2027-07-01' }), { now })
    match('GET', '/api/users', `${type};version=2`)
    match('GET', '/unknown', `${type};version=1`)
    match('OPTIONS', '/api/users', `${type};version=1`)
    expect(now).toHaveBeenCalledTimes(0)
    match('GET', '/api/users', `${type};version=1`)
    expect(now).toHaveBeenCalledTimes(1)
  })
  it('is Date.now by default', () => {
    vi.useFakeTimers({ now: at('2027-06-30T23:59:59.999Z') })
    const { match } = createMatcher(build({ sunset: '2027-07-01' }))
    expect(summaryOf(match('GET', '/api/users', undefined))).toBe('v1 default')
    vi.advanceTimersByTime(1)
    expect(summaryOf(match('GET', '/api/users', undefined))).toBe('410 version-retired')
    vi.useRealTimers()
  })
  it('may go backwards', () => {
    let time = at('2028-01-01')
    const { match } = createMatcher(build({ sunset: '2027-07-01' }), { now: () => time })
    const at1 = () => match('GET', '/api/users', `${type};version=1`)
    expect([summaryOf(at1()), at1()]).toMatchObject([
      '410 version-retired',
      { supported: [2], retired: [1] },
    ])
    time = at('2027-01-01')
    const miss = match('GET', '/api/users', `${type};version=9`)
    expect([summaryOf(at1()), miss]).toMatchObject([
      'v1 explicit',
      { status: 406, supported: [1, 2] },
    ])
    expect(miss).not.toHaveProperty('retired')
  })
  it('may go back from the very start of an outage', () => {
    let time = at('2027-07-01')
    const { match } = createMatcher(build({ sunset: '2027-07-01' }), { now: () => time })
    const supported = () => match('GET', '/api/users', `${type};version=9`)
    expect(supported()).toMatchObject({ supported: [2], retired: [1] })
    time--
    expect(supported()).toMatchObject({ supported: [1, 2] })
  })
})

describe('an outage', () => {
  const routes = api(
    { vendorString: 'acme', defaultVersion: 3, only: ['index', 'show'] },
    version(1, { sunset: '2025-01-01', successor: 2 }),
    version(2, { sunset: '2026-01-01', successor: 3 }, resources('users'), resources('old')),
    version(
      3,
      { brownouts: [['2027-01-01', '2027-01-02']] },
      resources('users'),
      resources('teams', { sunset: '2026-01-01', successor: 4 }),
    ),
    version(
      4,
      resources('users'),
      resources('teams'),
      resources('news', { brownouts: [['2027-01-01', '2027-01-02']] }),
    ),
  )
  const found = (now: string, accept: string, path?: string, method?: string) =>
    ask(routes, { now: () => at(now) }, accept, path, method)
  const of = (...versions: (number | string)[]) =>
    versions.map((one) => `${type};version=${one}`).join(', ')

  it.each<[now: string, accept: string, path: string, method: string, result: string]>([
    ['2026-06-01', of(1), '/api/users', 'GET', '410 version-retired'],
    ['2026-06-01', of(1), '/api/users/7', 'HEAD', '410 version-retired'],
    ['2026-06-01', of(1), '/api/users/%zz', 'GET', '400 malformed-path'],
    ['2026-06-01', of(1), '/elsewhere', 'GET', '404 unknown-path'],
    ['2026-06-01', of(1), '/api/users', 'OPTIONS', '204 options'],
    ['2026-06-01', of(1), '/api/users', 'PUT', '410 version-retired'],
    ['2026-06-01', of(1, 2, 3), '/api/users', 'GET', 'v3 explicit'],
    ['2026-06-01', of(1, 'x'), '/api/users', 'GET', '400 malformed-accept'],
    ['2026-06-01', of(1, 9), '/api/users', 'GET', '410 version-retired'],
    ['2026-06-01', of(2, 3), '/api/old', 'GET', '404 not-in-version'],
    ['2026-06-01', of(2, 3), '/api/users', 'PUT', '405 method-not-allowed'],
    ['2026-06-01', of(3), '/api/teams', 'GET', '410 route-retired'],
    ['2026-06-01', of(3, 'x'), '/api/teams', 'GET', '410 route-retired'],
    ['2026-06-01', of(2, 3), '/api/teams', 'GET', '410 route-retired'],
    ['2026-06-01', of(3, 4), '/api/teams', 'GET', 'v4 explicit'],
    ['2026-06-01', '*/*', '/api/teams', 'GET', '410 route-retired'],
    ['2027-01-01', of(3), '/api/users', 'GET', '410 brownout'],
    ['2027-01-01', of(1, 3), '/api/users', 'GET', '410 brownout'],
    ['2027-01-01', of(3, 4), '/api/users', 'GET', 'v4 explicit'],
    ['2027-01-01', of(4), '/api/news', 'GET', '410 brownout'],
    ['2027-01-02', of(3), '/api/users', 'GET', 'v3 explicit'],
  ])('at %s, %s asks for %s %s', (now, accept, path, method, result) =>
    expect(summaryOf(found(now, accept, path, method))).toBe(result),
  )

  it("isn't advised", () => {
    expect(found('2026-06-01', of(4), '/api/old')).toEqual({
      kind: 'miss',
      status: 404,
      code: 'not-in-version',
      requested: [4],
      supported: [3, 4],
      retired: [1, 2],
    })
    expect(found('2025-06-01', of(3), '/api/old')).toMatchObject({
      supported: [2, 3, 4],
      retired: [1],
      availableIn: [2],
    })
    // The route of version 3 is retired, the version isn't.
    expect(found('2026-06-01', `${of(4)};q=0, ${of(2)}, ${of(9)}`, '/api/teams')).toMatchObject({
      status: 410,
    })
    expect(
      ask(
        api(
          { vendorString: 'acme', defaultVersion: 2 },
          version(1, resources('teams', { only: 'index', sunset: '2026-01-01' })),
          version(2, resources('users')),
          version(3, resources('teams')),
        ),
        { now: () => at('2026-06-01') },
        of(2),
        '/api/teams',
      ),
    ).toMatchObject({ status: 404, availableIn: [3] })
  })
  it('counts as supported in a brownout', () =>
    expect(found('2027-01-01', of(3))).toMatchObject({
      supported: [3, 4],
      retired: [1, 2],
      until: at('2027-01-02'),
    }))
  it("names the first successor that's not retired", () => {
    expect(found('2025-06-01', of(1))).toMatchObject({ successor: 2 })
    expect(found('2026-06-01', of(1))).toMatchObject({ successor: 3 })
    expect(found('2026-06-01', of(3), '/api/teams')).toMatchObject({ successor: 4 })
  })
  it('names no successor when all of them are retired', () => {
    const retired = api(
      { vendorString: 'acme' },
      version(1, { sunset: '2025-01-01', successor: 2 }, resources('users')),
      version(2, { sunset: '2025-01-01' }, resources('users')),
    )
    const miss = ask(retired, { now: () => at('2026-01-01') }, of(1))
    expect(miss).toMatchObject({ status: 410, supported: [], retired: [1, 2] })
    expect(miss).not.toHaveProperty('successor')
  })
  it('names no successor where the successor inherits the route itself', () => {
    const inherited = api(
      { vendorString: 'acme' },
      version(1, cache({ as: 'v1' }, resources('users', { sunset: '2025-01-01', successor: 2 }))),
      version(2, inherit({ from: 'v1' })),
    )
    const miss = (number: number) => ask(inherited, { now: () => at('2026-01-01') }, of(number))
    expect(miss(1)).toMatchObject({ code: 'route-retired', successor: 2 })
    expect(miss(2)).toMatchObject({ code: 'route-retired' })
    expect(miss(2)).not.toHaveProperty('successor')
  })
  it('also has a declared successor where a route is inherited', () => {
    const inheriting = (successor: 1 | 2) =>
      api(
        { vendorString: 'acme' },
        version(1, cache({ as: 'v1' }, resources('users'))),
        version(2, inherit({ from: 'v1', deprecated: '2027-01-01', successor })),
      )
    expect(() => inheriting(9 as 2)).toThrow(
      expect.objectContaining({
        code: 'HV_SUCCESSOR',
        details: expect.objectContaining({ received: 9 }) as object,
      }),
    )
    expect(() => inheriting(2)).not.toThrow()
  })
  it("also has a successor that isn't retired earlier where a route is inherited", () => {
    const inheriting = (sunset: string) =>
      api(
        { vendorString: 'acme' },
        version(1, cache({ as: 'v1' }, resources('users', { only: 'index' }))),
        version(2, inherit({ from: 'v1', sunset: '2027-06-01', successor: 3 })),
        version(3, { sunset }, resources('users')),
      )
    expect(() => inheriting('2027-06-01')).not.toThrow()
    expect(() => inheriting('2027-05-31')).toThrow(
      'HV_SUCCESSOR: GET /api/users in version 2 has the successor 3, which is retired first. ' +
        'Versions that can succeed it: 1.',
    )
  })
  it('may name a successor that only the version of the route outlives', () => {
    const routesOf = () =>
      api(
        { vendorString: 'acme' },
        version(
          1,
          { sunset: '2026-01-01' },
          cache({ as: 'v1' }, resources('users', { successor: 3 })),
        ),
        version(2, inherit({ from: 'v1' })), // never ends
        version(3, { sunset: '2027-01-01' }, resources('users')),
        version(4, inherit({ from: 'v1', sunset: '2028-01-01' })), // after version 3, which it doesn't succeed
      )
    expect(routesOf).not.toThrow()
  })
  it.each<[what: string, successors: readonly number[], message: string]>([
    [
      'two versions',
      [2, 1, 2],
      'version 1 has the successor 2, whose own successors lead back to it.',
    ],
    [
      'three versions',
      [2, 3, 1],
      'version 1 has the successor 2, whose own successors lead back to it.',
    ],
    [
      'two later versions',
      [2, 3, 2],
      'version 2 has the successor 3, whose own successors lead back to it.',
    ],
  ])("doesn't lead back to itself: %s", (_what, successors, message) => {
    const inARing = () =>
      api(
        { vendorString: 'acme' },
        ...([1, 2, 3] as const).map((number, i) =>
          version(number, { successor: successors[i]! }, resources('users')),
        ),
      )
    expect(inARing).toThrow(`HV_SUCCESSOR: ${message} Declare the version that replaces it`)
  })
  it.each([
    ['a retired version', '1', '410 version-retired'],
    ['a retired route', '2', '410 route-retired'],
    ['an open version', '3', '308 extension'],
    ['the open one of two versions', '1, application/vnd.acme+json;version=3', '308 extension'],
  ])(
    "redirects a path with an extension only to a route that's open: %s",
    (_what, versions, result) => {
      const users = (options: object) => resources('users', { only: 'show', ...options })
      const ending = api(
        { vendorString: 'acme' },
        version(1, { sunset: '2027-01-01' }, users({})),
        version(2, users({ sunset: '2027-01-01' })),
        version(3, users({})),
      )
      const options = { now: () => at('2027-01-01'), redirectsExtensions: true }
      const accept = `${type};version=${versions}`
      expect(summaryOf(ask(ending, options, accept, '/api/users/7.json'))).toBe(result)
    },
  )
  it("lists the methods of routes that aren't retired in Allow", () => {
    const retiring = api(
      { vendorString: 'acme' },
      version(
        1,
        resources('users', { only: 'index' }, collection(post('search', { sunset: '2026-01-01' }))),
        resources('users', { only: 'create', sunset: '2026-01-01' }),
        resources('teams', { only: ['index', 'create'], sunset: '2026-01-01' }),
        resources('news', { only: 'index', brownouts: [['2026-06-01', '2026-06-02']] }),
      ),
      version(2, resources('teams', { only: 'index' })),
    )
    const allowOf = (now: string, path: string, accept = of(1)) => {
      const miss = ask(retiring, { now: () => at(now) }, accept, path, 'PUT')
      return [summaryOf(miss), miss.kind === 'miss' && miss.allow]
    }
    const refused = '405 method-not-allowed'
    expect(allowOf('2025-06-01', '/api/users')).toEqual([
      refused,
      ['GET', 'HEAD', 'POST', 'OPTIONS'],
    ])
    expect(allowOf('2026-06-01', '/api/users')).toEqual([refused, ['GET', 'HEAD', 'OPTIONS']])
    expect(allowOf('2026-06-01', '/api/users/search')).toEqual([refused, ['OPTIONS']])
    expect(allowOf('2025-06-01', '/api/teams', of(1, 2))).toEqual([
      refused,
      ['GET', 'HEAD', 'POST', 'OPTIONS'],
    ])
    expect(allowOf('2026-06-01', '/api/teams', of(1, 2))).toEqual([
      refused,
      ['GET', 'HEAD', 'OPTIONS'],
    ])
    expect(allowOf('2026-06-01', '/api/teams')).toEqual([refused, ['OPTIONS']])
    expect(allowOf('2026-06-01', '/api/news')).toEqual([refused, ['GET', 'HEAD', 'OPTIONS']])
    // OPTIONS lists every method: a failed preflight would hide the 410 document from a browser.
    expect(
      ask(retiring, { now: () => at('2026-06-01') }, of(1), '/api/teams', 'OPTIONS'),
    ).toMatchObject({
      status: 204,
      allow: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    })
  })
  it('before its sunset, a version without routes has none', () =>
    expect(found('2024-01-01', of(1))).toMatchObject({
      status: 404,
      code: 'not-in-version',
      availableIn: [2, 3, 4],
    }))
})

describe('a preview', () => {
  const routes = api(
    { vendorString: 'acme' },
    version(3, { preview: true }, resources('users'), get('beta', { to: 'beta#show' })),
    version(1, resources('users')),
    version(2, resources('users')),
  )
  it.each([
    [undefined, 'v1 default'],
    ['*/*', 'v1 default'],
    [`${type}`, 'v1 default'],
    [`${type};version=3`, 'v3 explicit'],
    [`${type};version=4`, '406 not-acceptable'],
  ])('serves only who names it: %s', (accept, result) =>
    expect(summaryOf(ask(routes, {}, accept))).toBe(result),
  )
  it('serves an account that the app pins to it', () =>
    expect(summaryOf(ask(routes, { pinVersion: () => 3 }))).toBe('v3 pinned'))
  it("isn't listed", () => {
    expect(ask(routes, {}, `${type};version=4`)).toMatchObject({ supported: [1, 2] })
    expect(ask(routes, {}, `${type};version=1`, '/api/beta')).not.toHaveProperty('availableIn')
  })
  it.each([
    ['GET', '/api/beta', 1, '404 unknown-path'],
    ['DELETE', '/api/beta', 1, '404 unknown-path'],
    ['OPTIONS', '/api/beta', 1, '404 unknown-path'],
    ['GET', '/api/beta', 4, '404 unknown-path'],
    ['GET', '/api/beta.%zz', 1, '404 unknown-path'],
    ['GET', '/api/beta', 3, 'v3 explicit'],
    ['DELETE', '/api/beta', 3, '405 method-not-allowed'],
    ['OPTIONS', '/api/beta', 3, '204 options'],
    ['GET', '/api/beta.%zz', 3, '404 unknown-path'],
    ['POST', '/api/users/7', 1, '405 method-not-allowed'],
  ])("can't be found unless it's named: %s %s, version %i", (method, path, number, result) =>
    expect(summaryOf(ask(routes, {}, `${type};version=${number}`, path, method))).toBe(result),
  )
  it("adds no method to the lists of requests that don't name it", () => {
    const hidden = api(
      { vendorString: 'acme' },
      version(1, get('users', { to: 'users#index' })),
      version(
        2,
        { preview: true },
        post('users', { to: 'users#create' }),
        get('beta', { to: 'beta#show' }),
      ),
    )
    const missOf = (method: string, accept: string) =>
      ask(hidden, {}, accept, '/api/users', method) as Miss
    expect(missOf('OPTIONS', '').allow).toEqual(['GET', 'HEAD', 'OPTIONS'])
    expect(missOf('OPTIONS', `${type};version=2`).allow).toEqual(['GET', 'HEAD', 'POST', 'OPTIONS'])
    expect(missOf('POST', `${type};version=1`)).not.toHaveProperty('availableIn')
    const pinned = { pinVersion: () => 2 }
    expect(summaryOf(ask(hidden, pinned, '', '/api/beta'))).toBe('v2 pinned')
    expect(summaryOf(ask(hidden, pinned, '', '/api/beta', 'PUT'))).toBe('405 method-not-allowed')
  })
  it('alone requires a version', () => {
    const only = api({ vendorString: 'acme' }, version(1, { preview: true }, resources('users')))
    expect(summaryOf(ask(only, {}))).toBe('400 version-required')
    expect(summaryOf(ask(only, {}, `${type};version=1`))).toBe('v1 explicit')
  })
})

describe('a request without a version', () => {
  const strict = api(
    { vendorString: 'acme', requireVersion: true },
    version(1, resources('users')),
    version(2, resources('users')),
  )
  it.each([
    [undefined, '400 version-required'],
    ['*/*', '400 version-required'],
    ['application/json', '400 version-required'],
    [type, '400 version-required'],
    ['text/html', '400 version-required'],
    [`${type};version=2`, 'v2 explicit'],
    [`*/*, ${type};version=2;q=0.1`, 'v2 explicit'],
    [`${type};version=9`, '406 not-acceptable'],
    [`${type};version=9, */*`, '406 not-acceptable'],
    [`${type};version=x`, '400 malformed-accept'],
    [`${type};version`, '400 malformed-accept'],
    ['*/*;q=0', '406 not-acceptable'],
    ['application/vnd.other+json', '406 not-acceptable'],
  ])('is refused where one is required: %s', (accept, result) =>
    expect(summaryOf(ask(strict, {}, accept))).toBe(result),
  )
  it('learns which versions there are', () =>
    expect(ask(strict, {})).toEqual({
      kind: 'miss',
      status: 400,
      code: 'version-required',
      supported: [1, 2],
    }))
})

describe('a version chosen by the app', () => {
  const routes = api(
    { vendorString: 'acme', defaultVersion: 2 },
    version(1, { sunset: '2026-01-01' }, resources('users')),
    version(2, resources('users')),
    version(3, resources('users')),
  )
  const options = (choose: (request: number) => number | undefined) => ({
    now: () => at('2027-01-01'),
    pinVersion: vi.fn<typeof choose>(choose),
  })
  const matchWith = (
    request: number | null | undefined,
    accept?: string,
    path = '/api/users',
    required = false,
  ) => {
    const pinned = options((account) => account)
    const base = required
      ? { ...routes, settings: { ...routes.settings, requireVersion: true } }
      : routes
    const result = createMatcher(base, pinned).match('GET', path, accept, request as number)
    return [summaryOf(result), pinned.pinVersion.mock.calls.length]
  }

  it.each([
    [3, undefined, 'v3 pinned', 1],
    [3, '*/*', 'v3 pinned', 1],
    [3, type, 'v3 pinned', 1],
    [3, 'text/html', 'v3 pinned', 1],
    [3, `${type};version=2;q=0.5, */*`, 'v3 pinned', 1],
    [undefined, '*/*', 'v2 default', 1],
    [null, '*/*', 'v2 default', 1],
    [2, '*/*', 'v2 pinned', 1],
    [1, '*/*', '410 version-retired', 1],
    [3, `${type};version=2`, 'v2 explicit', 0],
    [3, `${type};version=9`, '406 not-acceptable', 0],
    [3, 'vnd.acme', '400 malformed-accept', 0],
    [3, 'a b', 'v3 pinned', 1],
  ])('%s and %s is %s', (request, accept, result, calls) =>
    expect(matchWith(request, accept)).toEqual([result, calls]),
  )

  it('may match another request', () => {
    const shows = api(
      { vendorString: 'acme', path: '', namespace: '' },
      version(1, resources('users', { only: 'show' }), resources('teams', { only: 'index' })),
    )
    const { match } = createMatcher<never>(shows, {
      pinVersion() {
        match('GET', '/teams', `${type};version=1`)
        return 1
      },
    })
    expect(match('GET', '/users/7', '*/*')).toMatchObject({
      version: 1,
      params: { id: '7' },
      row: { key: 'users' },
    })
  })
  it("is named in the error when it's no version number", () => {
    const pin = (pinned: unknown) => () => ask(routes, { pinVersion: () => pinned as number })
    expect(pin(Number.NaN)).toThrow("pinVersion returned NaN, which isn't declared")
    expect(pin(Promise.resolve(2))).toThrow(
      'pinVersion returned a promise, but it has to be synchronous',
    )
  })
  it("doesn't end the process when an async function fails", async () => {
    const unhandled = vi.fn<() => void>()
    process.on('unhandledRejection', unhandled)
    const rejected = Promise.reject(new Error('unknown account'))
    expect(() => ask(routes, { pinVersion: () => rejected as never })).toThrow(
      'pinVersion returned a promise',
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
  it("isn't asked for on the paths of others", () =>
    expect(matchWith(3, '*/*', '/elsewhere')).toEqual(['404 unknown-path', 0]))
  it('satisfies an API that requires a version', () => {
    expect(matchWith(3, '*/*', '/api/users', true)).toEqual(['v3 pinned', 1])
    expect(matchWith(undefined, '*/*', '/api/users', true)).toEqual(['400 version-required', 1])
  })
  it.each([7, 0, 1.5, Number.NaN, '2'])("throws when it's %j", (wrong) => {
    expect(() => matchWith(wrong as number)).toThrow(
      /HV_DEFAULT_VERSION: pinVersion returned .*, which isn't declared/,
    )
  })
  it('throws what the function throws', () => {
    const failing = options(() => {
      throw new Error('no such account')
    })
    expect(() => createMatcher(routes, failing).match('GET', '/api/users', '*/*', 1)).toThrow(
      'no such account',
    )
  })
})

it('a refusal looks at each version once, instead of comparing it with all others', () => {
  const count = 200
  const ends = { deprecated: '2020-01-01', sunset: '2021-01-01' }
  const versions = Array.from({ length: count }, (_, index) => {
    const options: object = index % 2 === 0 ? ends : index === count - 1 ? { preview: true } : {}
    return version(index + 1, options, resources(index === 1 ? 'pets' : 'users'))
  })
  const routes = api({ vendorString: 'acme', only: 'index', defaultVersion: 2 }, ...versions)
  const { match } = createMatcher(routes)
  let compared = 0
  const spies = (['includes', 'indexOf'] as const).map((search) => {
    const native = Array.prototype[search] as (wanted: unknown) => never
    return vi.spyOn(Array.prototype, search).mockImplementation(function (
      this: unknown[],
      wanted: unknown,
    ) {
      compared += this.length
      return native.call(this, wanted)
    })
  })
  const found = [
    match('GET', '/api/users', undefined),
    match('PUT', '/api/pets', undefined),
    match('GET', '/api/users', `${type};version=1`),
  ]
  for (const spy of spies) spy.mockRestore()
  expect(found.map(summaryOf)).toEqual([
    '404 not-in-version',
    '405 method-not-allowed',
    '410 version-retired',
  ])
  expect(compared).toBeLessThan(10 * count)
})
