import { describe, expect, it } from 'vitest'
import * as dsl from '../src/index.ts'
import {
  RouterError,
  api,
  cache,
  get,
  hrefs,
  inherit,
  member,
  mediaType,
  namespace,
  pathTo,
  resource,
  resources,
  routeTable,
  version,
} from '../src/index.ts'
import { bindActions } from '../src/adapter.ts'

/** Route files as plain JavaScript writes them: past the compiler. */
const loose = dsl as never as Record<
  'api' | 'version' | 'resources' | 'cache' | 'inherit' | 'namespace' | 'get' | 'resource',
  (...args: unknown[]) => never
>
const small = api(
  { vendorString: 'acme', only: ['index', 'show'] },
  version(1, cache({ as: 'v1' }, resources('users'))),
  version(2, inherit({ from: 'v1' })),
)

describe('definition errors say what, where and what to do', () => {
  it.each<[code: string, text: string, define: () => unknown]>([
    [
      'HV_VENDOR_STRING',
      "api() needs a vendorString, the part after 'application/vnd.', e.g. { vendorString: 'acme' }. It has: nothing.",
      () => loose.api({}, loose.version(1)),
    ],
    ['HV_VENDOR_STRING', 'It has: nothing.', () => loose.api()],
    ['HV_VENDOR_STRING', "It has: 'a b'.", () => loose.api({ vendorString: 'a b' }, version(1))],
    ['HV_VENDOR_STRING', "It has: 'a+b'.", () => loose.api({ vendorString: 'a+b' }, version(1))],
    [
      'HV_NO_VERSION',
      'api() declares no version. Add e.g. version(1, resources(...)).',
      () => api({ vendorString: 'a' }),
    ],
    [
      'HV_VERSION_NUMBER',
      'version(0) is no version number. Versions are whole numbers from 1: version(1, ...).',
      () => api({ vendorString: 'a' }, version(0)),
    ],
    ['HV_VERSION_NUMBER', 'version(1.5) is no version number.', () => api({ vendorString: 'a' }, version(1.5))],
    [
      'HV_VERSION_NUMBER',
      "version('1') is no version number.",
      () => loose.api({ vendorString: 'a' }, loose.version('1')),
    ],
    [
      'HV_DEFAULT_VERSION',
      'defaultVersion is 9, but the declared versions are: 1, 2. Choose one of them, or leave it out for the first.',
      () => loose.api({ vendorString: 'a', defaultVersion: 9 }, version(1), version(2)),
    ],
    [
      'HV_UNKNOWN_CACHE',
      "version 2 inherits from 'v0', but no cache is named 'v0' above it. Known caches: v1.",
      () =>
        loose.api(
          { vendorString: 'a' },
          version(1, cache({ as: 'v1' }, resources('x'))),
          version(2, inherit({ from: 'v0' })),
        ),
    ],
    [
      'HV_UNKNOWN_CACHE',
      'Known caches: none.',
      () =>
        loose.api(
          { vendorString: 'a' },
          version(1, inherit({ from: 'v1' })),
          version(2, cache({ as: 'v1' }, resources('x'))),
        ),
    ],
    [
      'HV_DUPLICATE_CACHE',
      "version 2 declares a second cache named 'a'. Give each cache its own name.",
      () =>
        api(
          { vendorString: 'a' },
          version(1, cache({ as: 'a' }, resources('x'))),
          version(2, cache({ as: 'a' }, resources('y'))),
        ),
    ],
    [
      'HV_UNKNOWN_RESOURCE',
      "version 2 selects 'b' from cache 'v1', which has: a.",
      () =>
        loose.api(
          { vendorString: 'a' },
          version(1, cache({ as: 'v1' }, resources('a'))),
          version(2, inherit({ from: 'v1', except: 'b' })),
        ),
    ],
    [
      'HV_ONLY_AND_EXCEPT',
      "resources 'x' in version(1) has both only and except. Keep one of them.",
      () => api({ vendorString: 'a' }, version(1, resources('x', { only: 'index', except: 'show' }))),
    ],
    [
      'HV_UNKNOWN_ACTION',
      "resources 'x' in version(1) selects 'list'. The actions are: index, create, new, edit, show, update, destroy.",
      () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { only: 'list' }))),
    ],
    [
      'HV_VERB_TARGET',
      "GET 'health' does not say what it calls. Add e.g. { to: 'health#show' }.",
      () => loose.api({ vendorString: 'a' }, version(1, loose.get('health'))),
    ],
    [
      'HV_OPTION',
      "resources 'x' in version(1) has no option 'olny'. Its options: only, except, shallow, constraints, path, as, controller, param, singular, patch.",
      () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { olny: 'index' }))),
    ],
    [
      'HV_OPTION',
      "api() has no option 'defaultVerson'.",
      () => loose.api({ vendorString: 'a', defaultVerson: 1 }, version(1)),
    ],
    [
      'HV_OPTION',
      'api() takes path as a string. It has: 7.',
      () => loose.api({ vendorString: 'a', path: 7 }, version(1)),
    ],
    [
      'HV_OPTION',
      "api() takes formats: false, or a list of extensions like ['json', 'xml']. It has: 'json'.",
      () => loose.api({ vendorString: 'a', formats: 'json' }, version(1)),
    ],
    [
      'HV_OPTION',
      "resources 'x' in version(1) has param 'a-b'.",
      () => api({ vendorString: 'a' }, version(1, resources('x', { param: 'a-b' }))),
    ],
    [
      'HV_OPTION',
      "has param '__proto__'.",
      () => api({ vendorString: 'a' }, version(1, resources('x', { param: '__proto__' }))),
    ],
    [
      'HV_OPTION',
      "needs from: the name of a cache or a list of names, e.g. { from: 'v1' }.",
      () => loose.api({ vendorString: 'a' }, version(1, loose.inherit({}))),
    ],
    [
      'HV_PATH',
      "resources 'line-items' nests others, but ':line-item_id' is no name of a param. Give it a singular that is a word: { singular: 'line_item' }.",
      () => api({ vendorString: 'a' }, version(1, resources('line-items', resources('x')))),
    ],
    [
      'HV_PATH',
      "namespace 'n' in version(1) has the path segment 'a b'.",
      () => api({ vendorString: 'a' }, version(1, namespace('n', { path: 'a b' }, resources('x')))),
    ],
    [
      'HV_PATH',
      "has the path segment ':a-:b'.",
      () => api({ vendorString: 'a' }, version(1, get(':a-:b', { to: 'x#y' }))),
    ],
    [
      'HV_NODE',
      'version(1) cannot hold member(). It takes: cache, inherit, resources, resource, namespace, get, post, put, patch, del.',
      () => loose.api({ vendorString: 'a' }, loose.version(1, member(get('x')))),
    ],
    [
      'HV_NODE',
      "api() cannot hold resources 'x'. It takes: version.",
      () => loose.api({ vendorString: 'a' }, resources('x')),
    ],
    [
      'HV_NODE',
      'version(1) cannot hold nothing.',
      () => loose.api({ vendorString: 'a' }, loose.version(1, resources('x'), undefined)),
    ],
    ['HV_NODE', 'needs a name', () => loose.api({ vendorString: 'a' }, version(1, loose.resource('')))],
    [
      'HV_NODE',
      "needs a name: cache({ as: 'v1' }, ...).",
      () => loose.api({ vendorString: 'a' }, version(1, loose.cache({}, resources('x')))),
    ],
    [
      'HV_OPTION',
      "cache 'v1' in version(1) has no option 'pth'. Its options: none.",
      () => loose.api({ vendorString: 'a' }, version(1, loose.cache({ as: 'v1', pth: 1 }, resources('x')))),
    ],
    [
      'HV_OPTION',
      'takes constraints as patterns by param, e.g. { id: /\\d+/ }. It has: null.',
      () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { constraints: null }))),
    ],
    ['HV_PARAM', "needs 'id' as well-formed text", () => hrefs(small).users.show({ id: '\ud800' })],
    [
      'HV_UNKNOWN_NAME',
      "no route is named 'api_nobody'. Names: api_users, api_user.",
      () => pathTo(small, 'api_nobody'),
    ],
    ['HV_PARAM', "/api/users/:id needs 'id' with a value. Pass { id: … }.", () => pathTo(small, 'api_user')],
    ['HV_PARAM', "needs 'id' with a value.", () => hrefs(small).users.show({ id: '' })],
    ['HV_PARAM', "needs 'id' other than '..'.", () => hrefs(small).users.show({ id: '..' })],
    ['HV_UNKNOWN_VERSION', 'there is no version 3. Declared: 1, 2.', () => mediaType(small, 3)],
    [
      'HV_MISSING_ACTIONS',
      'the routes reach what the controllers lack: controllers[1].users.show, controllers[2].users. Add each as a method, or leave its route out with only or except.',
      () => bindActions(small, { 1: { users: { index() {}, show: 7 } }, 2: {} }),
    ],
  ])('%s %s', (code, text, define) => {
    let error: unknown
    try {
      define()
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(RouterError)
    expect(error).toMatchObject({ name: 'RouterError', code })
    expect((error as RouterError).message).toContain(text)
    expect((error as RouterError).message.startsWith(`${code}: `)).toBe(true)
  })
})

describe('what is no mistake', () => {
  it('takes a version declared twice as one', () => {
    const routes = api(
      { vendorString: 'a' },
      version(1, resources('x', { only: 'index' })),
      version(1, resource('y', { only: 'show' })),
    )
    expect(routeTable(routes).map(({ version, action }) => [version, action])).toEqual([
      [1, 'index'],
      [1, 'show'],
    ])
  })
  it('takes the nearest only or except whole', () => {
    const routes = api(
      { vendorString: 'a', only: 'index' },
      version(1, { except: ['new', 'edit'] }, resources('x', { only: 'show' }), resources('y')),
      version(2, resources('x')),
    )
    expect(
      routeTable(routes).map(({ version, controller, action }) => `${version} ${controller.slice(-1)} ${action}`),
    ).toEqual(['1 x show', '1 y index', '1 y create', '1 y show', '1 y update', '1 y destroy', '2 x index'])
  })
  it('selects from several caches what stands in any of them', () => {
    const routes = api(
      { vendorString: 'a', only: 'index' },
      version(1, cache({ as: 'a' }, resources('x'), resources('y')), cache({ as: 'b' }, resources('z'))),
      version(2, inherit({ from: ['a', 'b'], only: ['y', 'z'] })),
      version(3, inherit({ from: ['a', 'b'], except: 'z' })),
    )
    const of = (version: number) =>
      routeTable(routes)
        .filter((row) => row.version === version)
        .map(({ controller }) => controller.slice(-1))
    expect([of(2), of(3)]).toEqual([
      ['y', 'z'],
      ['x', 'y'],
    ])
  })
  it('takes a cache inside a cache, and an inherit inside one', () => {
    const routes = api(
      { vendorString: 'a', only: 'index' },
      version(
        1,
        cache({ as: 'all' }, cache({ as: 'some' }, namespace('n', resources('x', resources('y')))), resources('z')),
      ),
      version(2, cache({ as: 'more' }, inherit({ from: 'some' }), resources('w'))),
      version(3, inherit({ from: ['more', 'all'] })),
    )
    const of = (version: number) =>
      routeTable(routes)
        .filter((row) => row.version === version)
        .map(({ controller }) => controller.slice(7))
    expect([of(1), of(2), of(3)]).toEqual([
      ['n/y', 'n/x', 'z'],
      ['n/y', 'n/x', 'w'],
      ['n/y', 'n/x', 'w', 'n/y', 'n/x', 'z'],
    ])
  })
  it('takes caches by value', () => {
    const v1 = cache({ as: 'v1' }, resources('users', { only: 'index' }))
    const routes = api({ vendorString: 'a' }, version(1, v1), version(2, inherit({ from: [v1] })))
    expect(routeTable(routes)).toMatchObject([
      { version: 1, inheritedFrom: null },
      { version: 2, inheritedFrom: 1, name: null },
    ])
    expect(Object.isFrozen(routeTable(routes)) && Object.isFrozen(routeTable(routes)[0])).toBe(true)
  })
})
