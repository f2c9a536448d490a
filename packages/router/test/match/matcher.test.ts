import { describe, expect, it } from 'vitest'
import {
  type Match,
  type Miss,
  api,
  cache,
  createMatcher,
  get,
  inherit,
  namespace,
  put,
  resource,
  resources,
  routeTable,
  version,
} from '../../src/index.ts'

const declare = (options: object = {}) =>
  api(
    { vendorString: 'acme', formats: 'any', ...options } as { vendorString: string },
    version(
      1,
      cache(
        { as: 'v1' },
        resources('users', resources('posts')),
        resource('profile', { only: 'show' }),
      ),
    ),
    version(
      2,
      inherit({ from: 'v1' }),
      resources('teams', { except: 'new' }),
      get('robots.txt', { to: 'robots#show' }),
    ),
    version(
      3,
      resources('teams', { only: ['new', 'show'] }),
      put('teams/new', { to: 'teams#replace' }),
    ),
  )

const matchers = new Map<string, ReturnType<typeof createMatcher>>()
function matcherOf(options: object) {
  const key = JSON.stringify(options)
  const matcher = matchers.get(key) ?? createMatcher(declare(options))
  matchers.set(key, matcher)
  return matcher
}

/** `v1 users#show id=7 .json`, or `404 unknown-path`. */
function outcome(
  method: string,
  path: string,
  accept?: string | number,
  options: object = {},
): string {
  const { match } = matcherOf(options)
  const found = match(
    method,
    path,
    typeof accept === 'number' ? `application/vnd.acme+json;version=${accept}` : accept,
  )
  if (found.kind === 'miss')
    return `${found.status} ${found.code}${found.allow ? ` ${found.allow.join(' ')}` : ''}`
  const params = Object.entries(found.params).map(([name, value]) => ` ${name}=${value}`)
  const format = found.format !== null && typeof accept !== 'number' ? ` .${found.format}` : ''
  return `v${found.version} ${found.row.controller.replace(/^.*\//, '')}#${found.row.action}${params.join('')}${format}`
}

type Case = [method: string, path: string, accept: string | number | undefined, expected: string]

describe('matching', () => {
  it.each<Case>([
    // the seven routes
    ['GET', '/api/users', 1, 'v1 users#index'],
    ['POST', '/api/users', 1, 'v1 users#create'],
    ['GET', '/api/users/new', 1, 'v1 users#new'],
    ['GET', '/api/users/7/edit', 1, 'v1 users#edit id=7'],
    ['GET', '/api/users/7', 1, 'v1 users#show id=7'],
    ['PUT', '/api/users/7', 1, 'v1 users#update id=7'],
    ['DELETE', '/api/users/7', 1, 'v1 users#destroy id=7'],
    ['HEAD', '/api/users/7', 1, 'v1 users#show id=7'],
    ['GET', '/api/users/7/posts/8', 2, 'v2 posts#show user_id=7 id=8'],
    ['GET', '/api/profile', 2, 'v2 profiles#show'],
    // request targets in absolute form (RFC 9112, section 3.2.2)
    ['GET', 'http://example.org/api/users/7', 1, 'v1 users#show id=7'],
    ['GET', 'HTTPS://example.org:8080/api/users?x=/', 1, 'v1 users#index'],
    ['GET', 'http://[::1]:/api/users', 1, 'v1 users#index'],
    ['GET', 'http://example.org/other', 1, '404 unknown-path'],
    ['GET', 'http://example.org', 1, '404 unknown-path'],
    ['GET', 'http://http://example.org/api/users', 1, '404 unknown-path'],
    // hosts that URL parsers end at different characters
    ...['x;', "x'", 'x%', 'x%2F', 'x:80a', 'u:p@x', '[x', 'x\\', ''].map((host): Case => [
      'GET',
      `http://${host}/api/users`,
      1,
      '404 unknown-path',
    ]),
    // static before param, with backtracking
    ['GET', '/api/users/new/edit', 1, 'v1 users#edit id=new'],
    ['PUT', '/api/users/new', 1, 'v1 users#update id=new'],
    ['GET', '/api/teams/new', 2, 'v2 teams#show id=new'],
    ['GET', '/api/teams/new', 3, 'v3 teams#new'],
    ['PUT', '/api/teams/new', 3, 'v3 teams#replace'],
    ['GET', '/api/users/new/posts', 1, 'v1 posts#index user_id=new'],
    // format
    ['GET', '/api/users.json', undefined, 'v1 users#index .json'],
    ['GET', '/api/users/7.json', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7/edit.json', undefined, 'v1 users#edit id=7 .json'],
    ['GET', '/api/users/new.x', undefined, 'v1 users#new .x'],
    ['GET', '/api/users/7.json/', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7', 'application/vnd.acme+xml', 'v1 users#show id=7 .xml'],
    ['GET', '/api/users/7.csv', 'application/vnd.acme+xml', 'v1 users#show id=7 .csv'],
    ['GET', '/api/robots.txt', 2, 'v2 robots#show'],
    ['GET', '/api/robots.txt.gz', 'application/vnd.acme;version=2', 'v2 robots#show .gz'],
    // slash and query
    ['GET', '/api/users/', 1, 'v1 users#index'],
    ['GET', '/api/users/7/?a=b', 1, 'v1 users#show id=7'],
    ['GET', '/api/users?x=/a.b%zz', 1, 'v1 users#index'],
    ['GET', '/api/users/7#x', 1, 'v1 users#show id=7'],
    ['GET', '/api/users/7#/edit', 1, 'v1 users#show id=7'],
    ['GET', '/api/users/7/#/edit?a', 1, 'v1 users#show id=7'],
    ['GET', '/api/users/7.json#x.y', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7.json/#', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7?#/edit', 1, 'v1 users#show id=7'],
    ['GET', '/api/users/#7', 1, 'v1 users#index'],
    ['GET', '/api#/users', 1, '404 unknown-path'],
    // escapes
    ['GET', '/api/users/a%2Fb', 1, 'v1 users#show id=a/b'],
    ['GET', '/api/users/%25', 1, 'v1 users#show id=%'],
    ['GET', '/api/users/%F0%9F%98%80', 1, 'v1 users#show id=😀'],
    ['GET', '/api/users/a%2Eb', 1, 'v1 users#show id=a.b'],
    ['GET', '/api/users/a+b', 1, 'v1 users#show id=a+b'],
    ['GET', '/api/users/7.j%73on', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/%zz', 1, '400 malformed-path'],
    ['GET', '/api/users/%', 99, '400 malformed-path'],
    ['OPTIONS', '/api/users/%C3', 1, '400 malformed-path'],
    ['GET', '/api/users/7.%zz', 1, '400 malformed-path'],
    ['GET', '/api/nothing/%zz', 1, '404 unknown-path'],
    // unknown paths
    ...[
      '',
      '/',
      'api/users',
      '/api',
      '/api/',
      '/apix/users',
      '/api/user',
      '/api/users//',
      '//api/users',
      '/api//users',
      '/api/users//7',
      '/API/users',
      '/api/Users',
      '/api/f%6Fo',
      '/api/users.',
      '/api/users/7.',
      '/api/users/.json',
      '/api/users/7.a.b',
      '/api/users/a.b/edit',
      '/api/users/./7/x',
      '/api/users/7/edit/x',
      '/api/__proto__',
      '/api/constructor',
      '/api/users/7/__proto__',
      '*',
      'ftp://h/api/users',
      '?x',
      '/api?x',
      '/api/?x',
      '/api/users/..',
      '/api/users/.',
      '/api/users/../users',
      '/api/./users',
      '/api/users/7/.',
      '/api/users/...',
      '/api/users.json.xml',
      '/api/users/7.tar.gz',
      '/api/users/.json/edit',
      '/api\\users',
      '/api/users\\7/edit/x',
      '/api/users/7/posts/8/9',
    ].map((path): Case => ['GET', path, 1, '404 unknown-path']),
    // hostile words are ordinary params and methods
    ['GET', '/api/users/__proto__', 1, 'v1 users#show id=__proto__'],
    ['GET', '/api/users/constructor', 1, 'v1 users#show id=constructor'],
    ['__proto__', '/api/users', 1, '405 method-not-allowed GET HEAD POST OPTIONS'],
    ['get', '/api/users', 1, '405 method-not-allowed GET HEAD POST OPTIONS'],
    ['GET', '/api/users/hasOwnProperty', 1, 'v1 users#show id=hasOwnProperty'],
    [
      'GET',
      '/api/users/__proto__/posts/toString',
      1,
      'v1 posts#show user_id=__proto__ id=toString',
    ],
    ['GET', '/api/toString', 1, '404 unknown-path'],
    ['constructor', '/api/users', 1, '405 method-not-allowed GET HEAD POST OPTIONS'],
    ['', '/api/users', 1, '405 method-not-allowed GET HEAD POST OPTIONS'],
    ['options', '/api/profile', 1, '405 method-not-allowed GET HEAD OPTIONS'],
    // more of each
    ['GET', '/api/users/7/posts', 1, 'v1 posts#index user_id=7'],
    ['GET', '/api/users/7/posts/new', 1, 'v1 posts#new user_id=7'],
    ['GET', '/api/users/7/posts/8/edit', 1, 'v1 posts#edit user_id=7 id=8'],
    ['GET', '/api/users/7/posts/new/edit', 1, 'v1 posts#edit user_id=7 id=new'],
    ['GET', '/api/users/new/posts/new', 1, 'v1 posts#new user_id=new'],
    ['GET', '/api/users/7/posts.json', undefined, 'v1 posts#index user_id=7 .json'],
    ['GET', '/api/users/7/posts/8.json', undefined, 'v1 posts#show user_id=7 id=8 .json'],
    ['GET', '/api/users/7/posts/8/edit.xml/', undefined, 'v1 posts#edit user_id=7 id=8 .xml'],
    ['GET', '/api/users/new.json', undefined, 'v1 users#new .json'],
    ['PUT', '/api/users/new.json', undefined, 'v1 users#update id=new .json'],
    ['GET', '/api/profile.json', undefined, 'v1 profiles#show .json'],
    ['GET', '/api/profile/', 1, 'v1 profiles#show'],
    ['POST', '/api/profile', 1, '405 method-not-allowed GET HEAD OPTIONS'],
    ['GET', '/api/profile/edit', 1, '404 unknown-path'],
    ['HEAD', '/api/users', 1, 'v1 users#index'],
    ['HEAD', '/api/robots.txt', 2, 'v2 robots#show'],
    ['GET', '/api/robots.txt', 1, '404 not-in-version'],
    ['GET', '/api/robots', 2, '404 unknown-path'],
    ['GET', '/api/users/7?', 1, 'v1 users#show id=7'],
    ['GET', '/api/users?/7', 1, 'v1 users#index'],
    ['GET', '/api/users/7.json?x=1', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7.json/?x=/', undefined, 'v1 users#show id=7 .json'],
    ['GET', '/api/users/7//?x', 1, '404 unknown-path'],
    ['GET', '/api/users/a;b=c', 1, 'v1 users#show id=a;b=c'],
    ['GET', '/api/users/~a:b@c', 1, 'v1 users#show id=~a:b@c'],
    ['GET', '/api/users/ ', 1, 'v1 users#show id= '],
    ['GET', '/api/users/é', 1, 'v1 users#show id=é'],
    ['GET', '/api/users/%E2%82%AC', 1, 'v1 users#show id=€'],
    ['GET', '/api/users/%2e%2e', 1, 'v1 users#show id=..'],
    ['GET', '/api/users/7%2Fedit', 1, 'v1 users#show id=7/edit'],
    ['GET', '/api/users/%252F', 1, 'v1 users#show id=%2F'],
    ['GET', '/api/users/%3F%23', 1, 'v1 users#show id=?#'],
    ['GET', '/api/users/%00', 1, 'v1 users#show id=\0'],
    ['GET', '/api/users/a%2Fb/posts/c%2Fd', 1, 'v1 posts#show user_id=a/b id=c/d'],
    ['GET', `/api/users/${'x'.repeat(10_000)}`, 1, `v1 users#show id=${'x'.repeat(10_000)}`],
    ['GET', '/api/users/%C0%80', 1, '400 malformed-path'],
    ['GET', '/api/users/%ED%A0%80', 1, '400 malformed-path'],
    ['GET', '/api/users/%E2%82', 1, '400 malformed-path'],
    ['GET', '/api/users/%u0041', 1, '400 malformed-path'],
    ['PATCH', '/api/users/%2', 1, '400 malformed-path'],
    ['GET', '/api/users/%zz/posts', 1, '400 malformed-path'],
    ['GET', '/api/users/7/posts/%zz?x', 1, '400 malformed-path'],
    ['GET', '/api/%zz/7', 1, '404 unknown-path'],
    ['GET', '/api/users/7/%zz', 1, '404 unknown-path'],
    ['OPTIONS', '/api/none', 1, '404 unknown-path'],
    ['OPTIONS', '/api/users', undefined, '204 options GET HEAD POST OPTIONS'],
    ['OPTIONS', '/api/robots.txt', 1, '204 options GET HEAD OPTIONS'],
    ['TRACE', '/api/users/7', undefined, '405 method-not-allowed GET HEAD PUT DELETE OPTIONS'],
    ['GET', '/api/users', 'application/vnd.other+json', '406 not-acceptable'],
    [
      'GET',
      '/api/users',
      `application/vnd.acme+json;version=9, application/vnd.acme+json;version=x`,
      '400 malformed-accept',
    ],
    ['GET', '/api/users', 'x'.repeat(5000), '400 malformed-accept'],
    // misses, in their order
    ['OPTIONS', '/api/users/7', 'nonsense', '204 options GET HEAD PUT DELETE OPTIONS'],
    ['OPTIONS', '/api/teams/new', 1, '204 options GET HEAD PUT DELETE OPTIONS'],
    ['PATCH', '/api/users/7', 1, '405 method-not-allowed GET HEAD PUT DELETE OPTIONS'],
    ['DELETE', '/api/users/new', 2, 'v2 users#destroy id=new'],
    ['POST', '/api/users/new', 2, '405 method-not-allowed GET HEAD PUT DELETE OPTIONS'],
    ['GET', '/api/teams', 1, '404 not-in-version'],
    ['GET', '/api/teams', 3, '404 not-in-version'],
    ['GET', '/api/users', 99, '406 not-acceptable'],
    ['GET', '/api/users', 'application/vnd.acme+json;version=x', '400 malformed-accept'],
    ['GET', '/api/nothing', 'x'.repeat(5000), '404 unknown-path'],
    ['PATCH', '/api/users', 99, '406 not-acceptable'],
    // negotiation is per resource
    [
      'GET',
      '/api/teams',
      'application/vnd.acme+json;version=1, application/vnd.acme+json;version=2;q=0.1',
      'v2 teams#index .json',
    ],
    [
      'DELETE',
      '/api/teams/1',
      'application/vnd.acme+json;version=3, application/vnd.acme+json;version=2;q=0.1',
      'v2 teams#destroy id=1 .json',
    ],
    [
      'PATCH',
      '/api/teams/1',
      'application/vnd.acme+json;version=3, application/vnd.acme+json;version=2;q=0.1',
      '405 method-not-allowed GET HEAD OPTIONS',
    ],
  ])('%s %s %j → %s', (method, path, accept, expected) =>
    expect(outcome(method, path, accept)).toBe(expected),
  )

  it.each<Case>([
    ['GET', '/api/users/1.json', undefined, 'v1 users#show id=1 .json'],
    ['GET', '/api/users/1.0', undefined, 'v1 users#show id=1.0'],
    ['GET', '/api/users/1.0.json', undefined, 'v1 users#show id=1.0 .json'],
    ['GET', '/api/users/a.b/posts', undefined, 'v1 posts#index user_id=a.b'],
    ['GET', '/api/users/.json', undefined, '404 unknown-path'],
    ['GET', '/api/users.xml', undefined, '404 unknown-path'],
  ])("formats ['json']: %s %s %j → %s", (method, path, accept, expected) =>
    expect(outcome(method, path, accept, { formats: ['json'] })).toBe(expected),
  )

  it.each<Case>([
    ['GET', '/api/users/1.json', undefined, 'v1 users#show id=1.json'],
    ['GET', '/api/users.json', undefined, '404 unknown-path'],
    ['GET', '/api/users/1', 'application/vnd.acme+xml', 'v1 users#show id=1 .xml'],
  ])('formats false: %s %s %j → %s', (method, path, accept, expected) =>
    expect(outcome(method, path, accept, { formats: false })).toBe(expected),
  )

  it('lists no format where none is read', () => {
    const pathsOf = (formats: string[] | 'any' | false) =>
      routeTable(
        api(
          { vendorString: 'a', path: '', formats },
          version(1, get('/', { to: 'x#y' }), get('z', { to: 'x#y' })),
        ),
      ).map(({ path }) => path)
    expect(pathsOf(false)).toEqual(['/', '/z'])
    expect(pathsOf([])).toEqual(['/', '/z'])
    expect(pathsOf('any')).toEqual(['/', '/z(.:format)'])
    expect(pathsOf(['json'])).toEqual(['/', '/z(.:format)'])
  })

  it('names the versions that have the route, or leaves the list out', () => {
    const { match } = createMatcher(declare())
    expect(match('GET', '/api/teams/1', 'application/vnd.acme+json;version=1')).toEqual({
      kind: 'miss',
      status: 404,
      code: 'not-in-version',
      requested: [1],
      supported: [1, 2, 3],
      availableIn: [2, 3],
    })
    expect(match('LINK', '/api/teams/1', 'application/vnd.acme+json;version=1')).not.toHaveProperty(
      'availableIn',
    )
  })

  it("lists a refusal's methods and versions once, however many requests it refuses", () => {
    const { match } = createMatcher(declare())
    const refuse = (method: string, path: string) =>
      match(method, path, 'application/vnd.acme+json;version=1') as Miss
    const { allow } = refuse('DELETE', '/api/profile')
    const { availableIn } = refuse('GET', '/api/teams/1')
    expect([allow, availableIn]).toEqual([
      ['GET', 'HEAD', 'OPTIONS'],
      [2, 3],
    ])
    expect(refuse('DELETE', '/api/profile').allow).toBe(allow)
    expect(refuse('GET', '/api/teams/1').availableIn).toBe(availableIn)
  })

  it("takes a version's own route before an inherited one, else the first", () => {
    const routes = api(
      { vendorString: 'acme' },
      version(1, cache({ as: 'v1' }, get('x', { to: 'first#a' }), get('x', { to: 'second#a' }))),
      version(2, inherit({ from: 'v1' }), get('x', { to: 'own#a' })),
    )
    const { match } = createMatcher(routes)
    expect(match('GET', '/api/x', undefined)).toMatchObject({ row: { controller: 'api/v1/first' } })
    expect(match('GET', '/api/x', 'application/vnd.acme;version=2')).toMatchObject({
      row: { controller: 'api/v2/own' },
    })
  })

  it('serves the root of a path', () => {
    const routes = api(
      { vendorString: 'acme', path: '' },
      version(1, get('/', { to: 'home#show' }), namespace('a', get('/', { to: 'home#show' }))),
    )
    expect(routeTable(routes).map(({ path }) => path)).toEqual(['/', '/a(.:format)'])
    expect(routeTable(routes).map(({ pattern }) => pattern)).toEqual(['/', '/a'])
    const { match } = createMatcher(routes)
    // request targets in absolute form
    expect(match('GET', 'http://host', undefined)).toMatchObject({ row: { path: '/' } })
    expect(match('GET', 'http://host/', undefined)).toMatchObject({ row: { path: '/' } })
    expect(match('GET', 'http://host/a', undefined)).toMatchObject({ row: { pattern: '/a' } })
    expect(match('GET', '/', undefined)).toMatchObject({ kind: 'match' })
    expect(match('GET', '/?a', undefined)).toMatchObject({ kind: 'match' })
    expect(match('GET', '/a/', undefined)).toMatchObject({ kind: 'match' })
    for (const target of ['//', '', '*'])
      expect(match('GET', target, undefined)).toMatchObject({ status: 404 })
    // The root has no segment that could take an extension. The table says so.
    expect(match('GET', '/.json', undefined)).toMatchObject({ status: 404 })
    expect(match('GET', '/a.json', undefined)).toMatchObject({ format: 'json' })
  })

  it('serves the root of a host only if the API is there', () => {
    const { match } = createMatcher(
      api({ vendorString: 'acme' }, version(1, get('/', { to: 'home#show' }))),
    )
    expect(match('GET', 'http://host/api', undefined)).toMatchObject({ kind: 'match' })
    expect(match('GET', 'http://host', undefined)).toMatchObject({ status: 404 })
  })

  it('serves the root where all other paths start alike', () => {
    const routes = api(
      { vendorString: 'acme', path: '' },
      version(
        1,
        get('/', { to: 'home#show' }),
        get('a/b', { to: 'x#b' }),
        get('a/c', { to: 'x#c' }),
      ),
    )
    const keys = ['/', '/a/b', '/a/c', '/a'].map((path) => {
      const found = createMatcher(routes).match('GET', path, undefined)
      return found.kind === 'match' ? found.row.key : found.status
    })
    expect(keys).toEqual(['home', 'x', 'x', 404])
  })

  it.each([
    ['api', '/api', {}],
    ['/one//two/', '/one/two', {}],
    [':tenant/api', '/acme/api', { tenant: 'acme' }],
    ['one/:tenant', '/one/acme', { tenant: 'acme' }],
  ])('serves a route at the path of the API itself, and below it: %s', (path, at, params) => {
    const routes = api(
      { vendorString: 'acme', path },
      version(1, get('/', { to: 'home#show' }), resources('users')),
    )
    const { match } = createMatcher(routes)
    for (const url of [at, `${at}/`, `${at}?a=/`, `${at}/?a`])
      expect([url, match('GET', url, undefined)]).toMatchObject([
        url,
        { row: { action: 'show' }, params },
      ])
    expect(match('GET', `${at}/users/7/`, undefined)).toMatchObject({
      params: { ...params, id: '7' },
    })
    expect(match('PUT', at, undefined)).toMatchObject({
      status: 405,
      allow: ['GET', 'HEAD', 'OPTIONS'],
    })
    for (const url of [`${at}//`, `/x${at}`, `${at}/teams`, '/', ''])
      expect([url, match('GET', url, undefined)]).toMatchObject([
        url,
        { status: 404, code: 'unknown-path' },
      ])
  })

  it('shares nothing between two calls', () => {
    const { match } = createMatcher(declare())
    const first = match('GET', '/api/users/7', undefined) as { params: Record<string, string> }
    first.params['id'] = 'changed'
    expect(match('GET', '/api/users/7', undefined)).toMatchObject({ params: { id: '7' } })
  })

  it('ignores the case of static segments with caseSensitive: false', () => {
    const { match } = createMatcher(declare(), { caseSensitive: false })
    for (const path of ['/API/Users/Ann.JSON/', 'HTTP://Host/Api/USERS/Ann'])
      expect(match('GET', path, undefined)).toMatchObject({ kind: 'match', params: { id: 'Ann' } })
    expect(match('GET', '/API/users/İ', undefined)).toMatchObject({ status: 404 }) // its lower case is longer
  })
})

it("serves no segment for one that only has another's hash", () => {
  const { match } = createMatcher(
    api(
      { vendorString: 'acme' },
      version(
        1,
        get('Aa', { to: 'two#show' }),
        get('ajkenmed', { to: 'eight#show' }),
        get('data', { to: 'data#show' }),
        get('.json', { to: 'dot#show' }),
      ),
    ),
  )
  // `hashStep` gives 2112 for both texts of two letters, and 97 for the others.
  const found = ['Aa', 'BB', 'ajkenmed', 'a'].map((name) => match('GET', `/api/${name}`, undefined))
  expect(found.map(({ kind }) => kind)).toEqual(['match', 'miss', 'match', 'miss'])
  // In the table of texts, `.json` follows `data`.
  expect(match('GET', '/api/data.json', undefined)).toMatchObject({ row: { key: 'data' } })
})

it('keeps the values of a path whose last segment is declared with and without its extension', () => {
  const both = api(
    { vendorString: 'acme' },
    version(1, get('users/:id/data', { to: 'data#show' })),
    version(2, get('users/:id/data.json', { to: 'data#source' })),
  )
  const { match: matchBoth } = createMatcher(both)
  const values = ['/api/users/12/data', '/api/users/1234/data.json', '/api/users/5/data.json'].map(
    (path) => matchBoth('GET', path, 'application/vnd.acme+json;version=1') as Match,
  )
  expect(values.map(({ params, format }) => [params, format])).toEqual([
    [{ id: '12' }, 'json'],
    [{ id: '1234' }, 'json'],
    [{ id: '5' }, 'json'],
  ])
})
