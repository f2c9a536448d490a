// What parameters with constraints, and globs, take from a path. With `formats: 'any'`, Rails 6.1 gives the same values
// for every row whose comment doesn't say otherwise. It leaves a format in capital letters, though.
import { describe, expect, it } from 'vitest'
import {
  api,
  createMatcher,
  get,
  hrefs,
  pathTo,
  post,
  resources,
  version,
} from '../../src/index.ts'

type Formats = readonly string[] | 'any' | false
type Pattern = RegExp | undefined

/** `a.b .json`: the value and the format; `-` for 404. */
function read(path: string, url: string, constraint: Pattern, formats: Formats): string {
  const constraints = constraint === undefined ? {} : { v: constraint }
  const routes = api(
    { vendorString: 'x', formats },
    version(1, get(path, { to: 'x#show', constraints })),
  )
  const found = createMatcher(routes).match('GET', url, undefined)
  if (found.kind === 'miss') return found.status === 404 ? '-' : `${found.status}`
  return `${found.params['v']}${found.format === null ? '' : ` .${found.format}`}`
}

const host = /[^/]+/
const lazy = /[\w.-]+?/
const decimal = /\d+\.\d+/

type Case = [constraint: Pattern, url: string, expected: string]

describe("a parameter, formats 'any'", () => {
  it.each<Case>([
    [undefined, '/api/x/web1', 'web1'],
    [undefined, '/api/x/web1.json', 'web1 .json'],
    [undefined, '/api/x/web1.example.com', '-'],
    [host, '/api/x/web1.example.com', 'web1.example.com'],
    [host, '/api/x/web1.example.com?a=b.c', 'web1.example.com'],
    [host, '/api/x/web1.example.com/', 'web1.example.com'],
    [host, '/api/x/web1.json', 'web1.json'],
    [host, '/api/x/.env', '.env'],
    [host, '/api/x/web1.', 'web1.'],
    [host, '/api/x/web1%2Eexample', 'web1.example'],
    [host, '/api/x/%zz.example', '400'],
    [host, '/api/x/', '-'],
    [lazy, '/api/x/web1.example.com', 'web1.example .com'],
    [lazy, '/api/x/web1', 'web1'],
    [decimal, '/api/x/1.0', '1.0'],
    [decimal, '/api/x/1.0.json', '1.0 .json'],
    [decimal, '/api/x/1', '-'],
    [/\d+/, '/api/x/1.json', '1 .json'],
    [/\d+/, '/api/x/1.0.json', '-'],
    [/\w+\.json/, '/api/x/a.json', 'a.json'],
    [/[^/.]+/, '/api/x/a.json', 'a .json'],
    [/[!-~]+/, '/api/x/a.json', 'a.json'],
    // An extension in capital letters, and one in front of a slash
    [undefined, '/api/x/-1.JSON', '-1 .json'],
    [lazy, '/api/x/-1.JSON', '-1 .json'],
    [/[\da-z.-]+/, '/api/x/-1.JSON', '-1 .json'],
    [/-?\d+(?:\.\d+)?/, '/api/x/007.json/', '007 .json'],
    [/-?\d+(?:\.\d+)?/, '/api/x/1.5.JSON/', '1.5 .json'],
    [host, '/api/x/007.json/', '007.json'],
    [host, '/api/x/-1.JSON', '-1.JSON'],
    [lazy, '/api/x/007.json/?a', '007 .json'],
  ])('%s %s → %s', (constraint, url, expected) =>
    expect(read('x/:v', url, constraint, 'any')).toBe(expected),
  )

  it.each<Case>([
    [undefined, '/api/x/web1.example.com/facts', '-'],
    [host, '/api/x/web1.example.com/facts', 'web1.example.com'],
    [host, '/api/x/web1.example.com/facts.json', 'web1.example.com .json'],
    [host, '/api/x/web1.example.com/other', '-'],
    [host, '/api/x//facts', '-'],
  ])('above another segment: %s %s → %s', (constraint, url, expected) =>
    expect(read('x/:v/facts', url, constraint, 'any')).toBe(expected),
  )
})

describe("a parameter, formats ['json']", () => {
  it.each<Case>([
    [undefined, '/api/x/web1.example.com', 'web1.example.com'],
    [host, '/api/x/web1.example.com', 'web1.example.com'],
    [host, '/api/x/web1.example.com.json', 'web1.example.com .json'], // Rails: the whole segment is the value
    [decimal, '/api/x/1.0', '1.0'],
    [decimal, '/api/x/1.0.json', '1.0 .json'],
    [/\w+\.json/, '/api/x/a.json', 'a.json'], // the constraint refuses 'a'
    [/\w+\.json/, '/api/x/a.json.json', 'a.json .json'],
    [host, '/api/x/.json', '-'],
    [host, '/api/x/007.json/', '007 .json'],
    [decimal, '/api/x/1.0.json/', '1.0 .json'],
    // An extension in capital letters, and one in front of a slash
    [undefined, '/api/x/-1.JSON', '-1 .json'],
    [host, '/api/x/-1.JSON', '-1 .json'],
    [host, '/api/x/-1.JSON/', '-1 .json'],
    [host, '/api/x/-1.JSON/?a=b.c', '-1 .json'],
    [lazy, '/api/x/-1.JsoN', '-1 .json'],
    [decimal, '/api/x/1.0.JSON/', '1.0 .json'],
    [/\w+\.JSON/, '/api/x/a.JSON', 'a.JSON'], // the constraint refuses 'a'
    [host, '/api/x/web1.XML', 'web1.XML'],
    [host, '/api/x/.JSON', '-'],
  ])('%s %s → %s', (constraint, url, expected) =>
    expect(read('x/:v', url, constraint, ['json'])).toBe(expected),
  )
})

describe('an encoded slash', () => {
  // Rails tests the path as sent, and would serve all of these.
  it.each<Case>([
    [undefined, '/api/x/a%2Fb', 'a/b'],
    [host, '/api/x/a%2Fb', '-'],
    [/.+/, '/api/x/a%2Fb', 'a/b'],
    [/.+/, '/api/x/a%2fb', 'a/b'],
    [/[\w%]+/, '/api/x/a%2Fb', '-'],
    [/[\w%]+/, '/api/x/100%25', '100%'],
  ])('is tested as the slash that the handler gets: %s %s → %s', (constraint, url, expected) => {
    for (const formats of ['any', ['json'], false] as const)
      expect(read('x/:v', url, constraint, formats)).toBe(expected)
  })
})

describe('a glob', () => {
  it.each<Case>([
    [undefined, '/api/f/a', 'a'],
    [undefined, '/api/f/a/b/c', 'a/b/c'],
    [undefined, '/api/f/a/b.json', 'a/b .json'],
    [undefined, '/api/f/a.b/c.d.json', 'a.b/c.d .json'],
    [undefined, '/api/f/a/b/', 'a/b'],
    [undefined, '/api/f/a/b/?c/d', 'a/b'],
    [undefined, '/api/f/a/b.json#/c', 'a/b .json'],
    [undefined, '/api/f/a/b/#c?d', 'a/b'],
    [undefined, '/api/f/a%2Fb/%C3%A9', 'a/b/é'],
    [undefined, '/api/f/a/%zz', '400'],
    [undefined, '/api/f/a/.env', 'a/.env'], // Rails: 'a/' in format env
    [undefined, '/api/f/a/b.', 'a/b.'],
    [undefined, '/api/f', '-'],
    [undefined, '/api/f/', '-'],
    [undefined, '/api/f//a', '-'], // Rails squeezes slashes
    [undefined, '/api/f/a//b', '-'],
    [undefined, '/api/f/a//', '-'],
    [/.+/, '/api/f/a/b.json', 'a/b.json'],
    [/.+?/, '/api/f/a/b.json', 'a/b .json'],
    [/[a-z/]+/, '/api/f/a/b', 'a/b'],
    [/[a-z/]+/, '/api/f/a/1', '-'],
    [/[a-z/]+/, '/api/f/a/b.json', 'a/b .json'],
  ])("formats 'any': %s %s → %s", (constraint, url, expected) =>
    expect(read('f/*v', url, constraint, 'any')).toBe(expected),
  )
  it.each<[formats: Formats, url: string, expected: string]>([
    [['json'], '/api/f/a/b.txt', 'a/b.txt'],
    [['json'], '/api/f/a/b.txt.json', 'a/b.txt .json'],
    [['json'], '/api/f/a.json/b', 'a.json/b'],
    [false, '/api/f/a/b.json', 'a/b.json'],
  ])('formats %j: %s → %s', (formats, url, expected) =>
    expect(read('f/*v', url, undefined, formats)).toBe(expected),
  )

  it('is read in every way after all that is nearer and matches in every way', () => {
    const number = /\d+\.\d+/
    const routes = api(
      { vendorString: 'x', path: '/', formats: ['json'] },
      version(
        1,
        post('a', { to: 'a#create' }),
        get(':v', { to: 'number#show', constraints: { v: number } }),
        get('*v', { to: 'rest#show', constraints: { v: /[a-z]+\.json/ } }),
      ),
    )
    expect(createMatcher(routes).match('GET', '/a.json', undefined)).toMatchObject({
      row: { key: 'rest' },
      params: { v: 'a.json' },
    })
  })

  const routes = api(
    { vendorString: 'acme', formats: 'any' },
    version(
      1,
      get('*rest', { to: 'fallback#show' }),
      get('files/*path', { to: 'files#show', as: 'file' }),
      get('files/:id', { to: 'files#one' }),
      get(':kind/list', { to: 'lists#show' }),
      resources(
        'repos',
        { only: ['index', 'show'] },
        get('blob/*path', { to: 'blob', as: 'blob' }),
      ),
    ),
    version(
      2,
      get('files/*path', { to: 'files#show', constraints: { path: /[a-z/.]+/ } }),
      get('files/new', { to: 'files#new' }),
    ),
  )
  const { match } = createMatcher(routes)
  const at = (url: string, version = 1, method = 'GET') => {
    const found = match(method, url, `application/vnd.acme+json;version=${version}`)
    if (found.kind === 'miss')
      return `${found.status} ${found.allow ?? ''}${found.availableIn ?? ''}`.trim()
    return `${found.row.key}#${found.row.action} ${JSON.stringify(found.params)}`
  }
  it.each([
    ['/api/files/new', 'files#one {"id":"new"}'], // a parameter before a glob
    ['/api/files/a/b', 'files#show {"path":"a/b"}'],
    ['/api/files/list', 'files#one {"id":"list"}'], // a static segment first
    ['/api/other/list', 'lists#show {"kind":"other"}'],
    ['/api/other/thing', 'fallback#show {"rest":"other/thing"}'],
    ['/api/repos', 'repos#index {}'],
    ['/api/repos/7', 'repos#show {"id":"7"}'],
    ['/api/repos/7/blob/src/a', 'repos#blob {"repo_id":"7","path":"src/a"}'],
    ['/api/repos/7/blob', 'fallback#show {"rest":"repos/7/blob"}'],
    ['/api/repos/7.8/blob/src/a', 'fallback#show {"rest":"repos/7.8/blob/src/a"}'],
    ['/api', '404'],
  ])('serves what nothing nearer serves: %s → %s', (url, expected) =>
    expect(at(url)).toBe(expected),
  )
  it('is one of several matches of a path, by version and method', () => {
    expect(at('/api/files/new', 2)).toBe('files#new {}')
    expect(at('/api/files/old', 2)).toBe('files#show {"path":"old"}')
    expect(at('/api/files/a.txt', 2)).toBe('files#show {"path":"a.txt"}') // the constraint of version 2 accepts dots
    expect(at('/api/files/a/b.txt', 1)).toBe('files#show {"path":"a/b"}') // version 1 has none
    expect(at('/api/files/1', 2)).toBe('404 1')
    expect(at('/api/files/a/b', 2, 'POST')).toBe('405 GET,HEAD,OPTIONS')
    expect(match('OPTIONS', '/api/files/a/b', undefined)).toMatchObject({
      allow: ['GET', 'HEAD', 'OPTIONS'],
    })
  })
  it('keeps its slashes in URLs, and encodes the rest', () => {
    const href = hrefs(routes)
    expect(href.files.show({ path: 'a b/c.d' })).toBe('/api/files/a%20b/c%2Ed')
    expect(href.repos.blob({ repo_id: 'x/y', path: 'src/a', format: 'json' })).toBe(
      '/api/repos/x%2Fy/blob/src/a.json',
    )
    expect(pathTo(routes, 'api_file', { path: 'a/b' })).toBe('/api/files/a/b')
    expect(at(href.files.show({ path: 'é/c.d' }))).toBe('files#show {"path":"é/c.d"}')
    for (const path of ['', '/a', 'a/', 'a//b', '.', 'a/../b'])
      expect(() => pathTo(routes, 'api_file', { path }), path).toThrow('HV_PARAM')
  })
})

describe('a parameter that only some routes constrain', () => {
  const routes = api(
    { vendorString: 'acme', formats: 'any' },
    version(
      1,
      get('x/:key', { to: 'keys#show', constraints: { key: /\d+\.\d+/ } }),
      get('x/:word', { to: 'words#show' }),
      get('x/:word/more', { to: 'words#more' }),
    ),
    version(
      2,
      get('x/:host', { to: 'hosts#show', constraints: { host: /[^/]+/ } }),
      get('x/:host/more', { to: 'hosts#more', constraints: { host: /[^/]+/ } }),
    ),
  )
  const { match } = createMatcher(routes)
  const at = (url: string, version: number) => {
    const found = match('GET', url, `application/vnd.acme;version=${version}`)
    return found.kind === 'miss'
      ? found.code
      : `${found.row.key} ${Object.values(found.params)} ${found.format}`
  }
  it.each<[url: string, version: number, expected: string]>([
    ['/api/x/1.5', 1, 'keys 1.5 null'],
    ['/api/x/1.5.json', 1, 'keys 1.5 json'],
    ['/api/x/a.json', 1, 'words a json'],
    ['/api/x/a.b.json', 1, 'not-in-version'],
    ['/api/x/a.b.json', 2, 'hosts a.b.json null'],
    ['/api/x/a.b/more', 1, 'not-in-version'],
    ['/api/x/a.b/more', 2, 'hosts a.b null'],
    ['/api/x/a/more.json', 1, 'words a json'],
  ])('%s in version %i → %s', (url, version, expected) => expect(at(url, version)).toBe(expected))
})

describe('a parameter with the name of something that every object inherits', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'is a parameter: %s',
    (name) => {
      const path = `x/:${name}/y`
      for (const constraints of [{}, { [name]: /[\d.]+/ }]) {
        const routes = api(
          { vendorString: 'x' },
          version(1, get(path, { to: 'x#show', constraints })),
        )
        const { match } = createMatcher(routes)
        expect(match('GET', '/api/x/7/y', undefined)).toMatchObject({
          kind: 'match',
          params: { [name]: '7' },
        })
      }
    },
  )
})
