import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  api,
  cache,
  createMatcher,
  get,
  inherit,
  member,
  namespace,
  resource,
  resources,
  routeTable,
  scope,
  version,
} from '../../src/index.ts'
import { compileConstraints, createParamTest } from '../../src/compile/constraint.ts'

const sourceOf = (id: RegExp | string) => ({ constraints: { id }, where: 'here', paths: [] })

describe('a constraint', () => {
  it.each<[pattern: RegExp | string, fits: string[], not: string[]]>([
    [/\d+/, ['1', '007'], ['', 'a', '1a', 'a1', '1\n']],
    ['\\d+', ['1'], ['x1']],
    [/^[a-z]$/i, ['a', 'Z'], ['ab']],
    [/a|b/, ['a', 'b'], ['ab', 'ax']],
    [/^a$/m, ['a'], ['a\nb']],
    [/\d+/g, ['1', '1', '1'], []],
    [/[a-z\d]+(-[a-z\d]+)*/, ['a', 'a-b-1'], ['-a', 'a--b', 'a-']],
    [
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
      ['01234567-89ab-cdef-0123-456789abcdef'],
      ['0123'],
    ],
    [/(\d{1,3}\.){3}\d{1,3}/, ['127.0.0.1'], ['127.0.0']],
    [/(?:[a-z]+,)*[a-z]+/, ['a,b'], ['a,,b']],
    [/\p{L}+/u, ['é'], ['1']],
    [/(en|de)(-[A-Z]{2})?/, ['en', 'de-AT'], ['fr']],
    [/.+/, ['a/b', 'x'.repeat(256)], ['x'.repeat(257)]],
  ])('%s matches whole values', (pattern, fits, not) => {
    const test = createParamTest(compileConstraints([sourceOf(pattern)], '/a/:id')['id']!)
    for (const value of fits) expect(test(value), value).toBe(true)
    for (const value of not) expect(test(value), value).toBe(false)
  })

  it.each<[pattern: RegExp | string, fault: RegExp | string]>([
    ['(', "doesn't compile"],
    ['a)(b', /doesn't compile: .+\.$/],
    ['+', "doesn't compile"],
    ['(+)', "doesn't compile"],
    ['[', "doesn't compile"],
    [
      '\\A\\d+\\z',
      'contains \\A, which means something else in JavaScript than in Ruby. Leave out',
    ],
    ['\\d+\\Z', 'contains \\Z,'],
    ['\\h{32}', 'contains \\h, which means something else in JavaScript than in Ruby.'],
    ['[[:alnum:]]+', 'contains [[:alnum:],'],
  ])('%s is rejected', (pattern, fault) => {
    expect(() =>
      api({ vendorString: 'x' }, version(1, resources('a', { constraints: { id: pattern } }))),
    ).toThrow(fault)
    expect(() => compileConstraints([sourceOf(pattern)], '/a/:id')).toThrow(
      'HV_CONSTRAINT: constraints.id of here is /',
    )
  })
})

it.each([/\\A/, /[\\]z/, /[[:]/, /\Bfoo/, /\cA/, /\u0041/, /[\w.-]+@[\w.-]+/])(
  '%s is no syntax of Ruby',
  (constraint) => expect(() => compileConstraints([sourceOf(constraint)], '/a/:id')).not.toThrow(),
)

describe('a constraint of a parameter that no path has is an error', () => {
  const id = { id: /\d+/ }
  const declare =
    (...nodes: unknown[]) =>
    () =>
      api({ vendorString: 'x' }, version(1, ...(nodes as [])))

  it.each<[what: string, declare: () => unknown, message: string]>([
    [
      'verb',
      declare(get('a/:b', { to: 'a#b', constraints: id })),
      "constraints.id of route 'a/:b' in version 1 is /\\d+/, which applies",
    ],
    [
      'verb directly in a resource, whose parameter is host_id',
      declare(resources('hosts', get('enc', { constraints: id }))),
      "constraints.id of route 'enc' in resources 'hosts' in version 1 is /\\d+/, which applies to no parameter. Parameters of its paths: host_id.",
    ],
    [
      'resource',
      declare(resources('a', { param: 'key', constraints: id }, resources('b', { param: 'slug' }))),
      'which applies to no parameter. Parameters of its paths: key, a_key, slug, b_slug.',
    ],
    [
      'singular resource',
      declare(resource('a', { constraints: id })),
      'Parameters of its paths: none.',
    ],
    [
      'scope',
      declare(
        scope({ path: 'x/:account_id', constraints: { account: /\d+/ } }, get('b', { to: 'a#b' })),
      ),
      "constraints.account of scope() in version 1 is /\\d+/, which applies to no parameter. Did you mean 'account_id'?",
    ],
    [
      'namespace',
      declare(namespace('n', { constraints: id }, get('b', { to: 'a#b' }))),
      "constraints.id of namespace 'n' in version 1 is",
    ],
    [
      'version',
      () =>
        api(
          { vendorString: 'x' },
          version(1, cache({ as: 'v1' }, get('b', { to: 'a#b' }))),
          version(2, { constraints: id }, inherit({ from: 'v1' })),
        ),
      'constraints.id of version 2 is',
    ],
    [
      'API',
      () => api({ vendorString: 'x', constraints: id }, version(1, get('b', { to: 'a#b' }))),
      'constraints.id of api() is',
    ],
  ])('%s', (_what, run, message) => expect(run).toThrow(message))

  it.each<[what: string, declare: () => unknown]>([
    [
      'a parent for its children',
      declare(scope({ constraints: { b_id: /x/ } }, resources('b', resources('c')))),
    ],
    ['a singular parent', declare(resource('a', { constraints: id }, resources('b')))],
    [
      'a resource without member routes',
      declare(resources('a', { only: 'index', constraints: id })),
    ],
    [
      'shallow routes',
      declare(resources('a', { shallow: true, constraints: id }, resources('b', { only: 'show' }))),
    ],
    ['an inner pattern', declare(scope({ constraints: id }, resources('b', { constraints: id })))],
    [
      'one of two nodes',
      declare(
        scope(
          { constraints: { id: /x/, key: /y/ } },
          resources('b'),
          resources('c', { param: 'key' }),
        ),
      ),
    ],
    [
      'a version without routes',
      () =>
        api(
          { vendorString: 'x', constraints: id },
          version(1, { sunset: '2020-01-01' }),
          version(2, resources('a')),
        ),
    ],
    [
      'what a later version leaves out',
      () =>
        api(
          { vendorString: 'x' },
          version(
            1,
            cache(
              { as: 'v1' },
              scope({ constraints: id }, resources('a'), get('b', { to: 'a#b' })),
            ),
          ),
          version(2, inherit({ from: 'v1', except: 'a' })),
        ),
    ],
  ])('but not of %s', (_what, run) => expect(run).not.toThrow())
})

describe('a parameter that a path has twice is an error', () => {
  it.each<[what: string, nodes: readonly unknown[], message: string]>([
    ['in a verb', [get(':a/:a', { to: 'a#b' })], "/api/:a/:a has the path segment ':a' twice."],
    ['as a glob', [get(':a/b/*a', { to: 'a#b' })], "/api/:a/b/*a has the path segment ':a' twice."],
    [
      'in a scope and its resource',
      [scope({ path: ':id' }, resources('a'))],
      "/api/:id/a/:id/edit has the path segment ':id' twice.",
    ],
    [
      'in nested resources',
      [resources('a', resources('a', resources('b')))],
      "/api/a/:a_id/a/:a_id/b has the path segment ':a_id' twice.",
    ],
  ])('%s', (_what, nodes, message) =>
    expect(() => api({ vendorString: 'x' }, version(1, ...(nodes as [])))).toThrow(message),
  )
  it('but not when names start alike', () => {
    expect(() =>
      api({ vendorString: 'x' }, version(1, get(':a/:ab/*a_b', { to: 'a#b' }))),
    ).not.toThrow()
  })
})

describe('constraints of routes', () => {
  const routes = api(
    { vendorString: 'acme', constraints: { id: /\d+/ } },
    version(
      1,
      cache(
        { as: 'v1' },
        resources('users', resources('posts'), member(get('export'))),
        resources('pages', { param: 'slug', constraints: { slug: /[a-z]+(-[a-z]+)*/ } }),
        resources(
          'tags',
          { constraints: { id: /[a-z]+/ } },
          resources('notes', { only: 'show' }),
          resources('marks', { only: 'show', constraints: { id: /\d+/ } }),
        ),
        get('lookup/:key', { to: 'lookups#number', constraints: { key: /\d+/ } }),
        get('lookup/:word', { to: 'lookups#word', constraints: { word: '[a-z]+' } }),
        namespace(
          'admin',
          { constraints: { id: /[A-F\d]+/ } },
          resources('keys', { only: 'show' }),
        ),
      ),
    ),
    version(2, { constraints: { id: /[a-z]/ } }, inherit({ from: 'v1' })),
  )
  const { match } = createMatcher(routes)
  const at = (path: string, version = 1, method = 'GET'): string => {
    const found = match(method, path, `application/vnd.acme+json;version=${version}`)
    return found.kind === 'miss'
      ? `${found.status} ${found.code}`
      : `${found.row.controller.replace(/.*\//, '')}#${found.row.action} ${JSON.stringify(found.params)}`
  }

  it.each([
    ['/api/users/7', 'users#show {"id":"7"}'],
    ['/api/users/%37', 'users#show {"id":"7"}'],
    ['/api/users/x', '404 not-in-version'], // version 2 takes it
    ['/api/users/7/export', 'users#export {"id":"7"}'],
    ['/api/users/x1/export', '404 unknown-path'],
    ['/api/users/%zz', '400 malformed-path'],
    ['/api/users/new', 'users#new {}'],
    ['/api/pages/a-b', 'pages#show {"slug":"a-b"}'],
    ['/api/pages/A', '404 unknown-path'],
    ['/api/tags/abc', 'tags#show {"id":"abc"}'],
    ['/api/tags/1', '404 unknown-path'],
    ['/api/tags/abc/notes/x', 'notes#show {"tag_id":"abc","id":"x"}'], // those of a resource reach what's nested in it
    ['/api/tags/abc/notes/7', '404 unknown-path'],
    ['/api/tags/abc/marks/7', 'marks#show {"tag_id":"abc","id":"7"}'],
    ['/api/tags/7/marks/7', '404 unknown-path'],
    ['/api/lookup/7', 'lookups#number {"key":"7"}'],
    ['/api/lookup/seven', 'lookups#word {"word":"seven"}'],
    ['/api/lookup/7x', '404 unknown-path'],
    ['/api/admin/keys/AF', 'keys#show {"id":"AF"}'],
    ['/api/admin/keys/g', '404 unknown-path'],
  ])('%s → %s', (path, expected) => expect(at(path)).toBe(expected))

  it('hold per version', () => {
    expect(at('/api/users/x', 2)).toBe('users#show {"id":"x"}')
    expect(at('/api/users/7', 2)).toBe('404 not-in-version')
    expect(match('GET', '/api/users/7', 'application/vnd.acme+json;version=2')).toMatchObject({
      availableIn: [1],
    })
  })
  it('are asked before the method', () => {
    expect(at('/api/users/7', 1, 'POST')).toBe('405 method-not-allowed')
    expect(at('/api/users/x1', 1, 'POST')).toBe('404 unknown-path')
    expect(match('OPTIONS', '/api/lookup/7', undefined)).toMatchObject({
      allow: ['GET', 'HEAD', 'OPTIONS'],
    })
  })
  it('are asked once per request about a value that they refuse, whatever the number of versions and methods', () => {
    const constraints = { id: /seldom-\d+/ }
    const many = api(
      { vendorString: 'acme' },
      version(1, cache({ as: 'v1' }, resources('users', { constraints }))),
      ...Array.from({ length: 29 }, (_, i) => version(i + 2, inherit({ from: 'v1' })) as never),
    )
    const { match: find } = createMatcher(many)
    const test = vi.spyOn(RegExp.prototype, 'test')
    onTestFinished(() => test.mockRestore())
    expect(find('GET', '/api/users/refused', undefined).kind).toBe('miss')
    const asked = (test.mock.contexts as RegExp[]).filter(({ source }) => source.includes('seldom'))
    expect(asked).toHaveLength(1)
  })
  it('are allowed in a version that has ended and has no routes left', () => {
    const ended = { sunset: '2027-01-01', constraints: { slug: /[a-z]+/ } }
    const build = () => api({ vendorString: 'a' }, version(1, ended), version(2, resources('a')))
    expect(build).not.toThrow()
  })
  it('are part of the rows, for the parameters in their path', () => {
    const constraintsOf = (name: string) =>
      routeTable(routes).find((row) => row.name === name)!.constraints
    expect(constraintsOf('api_tag_mark')).toEqual({ id: /^(?:\d+)$/, tag_id: /^(?:[a-z]+)$/ })
    expect(constraintsOf('api_users')).toEqual({})
  })
})
