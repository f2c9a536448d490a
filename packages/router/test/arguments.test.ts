// What JavaScript may pass where TypeScript wouldn't compile: swapped, missing and foreign arguments.
import { describe, expect, it } from 'vitest'
import * as core from '../src/index.ts'
import { before, createDispatcher } from '../src/adapter.ts'
import { bindActions } from '../src/internal.ts'
import {
  RouterError,
  api,
  became,
  cache,
  change,
  inherit,
  resources,
  version,
} from '../src/index.ts'
import { eachVersion } from '../src/testing.ts'

const routes = api(
  { vendorString: 'acme', only: ['index', 'show'] },
  version(1, cache({ as: 'v1' }, resources('users'))),
  version(2, inherit({ from: 'v1' })),
)
const [older, newer] = [{ type: 'object' }, { type: 'object' }]
const renamed = change(
  'A field has another name.',
  became(older, newer, { down: (value) => value }),
)
const users = { index: { schema: { response: { 200: newer } }, handler: () => [] } }

type Loose = Record<string, (...args: unknown[]) => unknown>
const loose = { ...core, bindActions, before, createDispatcher, eachVersion } as never as Loose
const declare = (...nodes: unknown[]) => loose['api']!({ vendorString: 'acme' }, ...nodes)
const inVersion = (...nodes: unknown[]) => declare(loose['version']!(1, ...nodes))

const cyclic: Record<string, unknown> = { name: 'a' }
cyclic['self'] = cyclic
class Store {
  readonly self = this
}

describe('a mistake in JavaScript gets a clear error', () => {
  it.each<[call: string, message: string, make: () => unknown]>([
    [
      'before(v2, handler)',
      'HV_OPTION: before() requires every change to be what change() returns. Received: function.',
      () => loose['before']!({ users }, async () => {}),
    ],
    [
      'before(change, v2)',
      'HV_OPTION: before() requires every change to be what change() returns. Received: {"users":',
      () => loose['before']!(renamed, { users }),
    ],
    [
      'before(undefined, change)',
      'HV_OPTION: before() requires newer to be the controllers of a version. Received: undefined.',
      () => loose['before']!(undefined, renamed),
    ],
    [
      'before({ users: undefined }, change)',
      'HV_OPTION: before() requires newer.users to be a controller. Received: undefined.',
      () => loose['before']!({ users: undefined }, renamed),
    ],
    [
      'change(became(…))',
      'HV_OPTION: change() requires about to be a sentence. Received: {"older":',
      () => loose['change']!(renamed.became[0]),
    ],
    [
      'change(text, schema)',
      'HV_OPTION: change() requires its steps to be what became() returns. Received: [{"type":"object"}].',
      () => loose['change']!('A field has another name.', newer),
    ],
    [
      'became(older, newer)',
      'HV_OPTION: became() requires conversions to be an object like { down: (newer) => older }. Received: undefined.',
      () => loose['became']!(older, newer),
    ],
    [
      'became(…, { down: true })',
      'HV_OPTION: became() requires down to be a function. Received: true.',
      () => loose['became']!(older, newer, { down: true }),
    ],
    [
      "became(…, { only: 'users.index' })",
      "HV_OPTION: became() requires only to be a list of actions like ['users.index']. Received: 'users.index'.",
      () => loose['became']!(older, newer, { only: 'users.index' }),
    ],
    [
      'createMatcher(undefined), as a circular import passes it',
      'HV_OPTION: createMatcher() requires api to be what api() returns. Received: undefined.',
      () => loose['createMatcher']!(undefined),
    ],
    [
      'createMatcher(module)',
      'HV_OPTION: createMatcher() requires api to be what api() returns. Received: {"routes":',
      () => loose['createMatcher']!({ routes }),
    ],
    [
      'createMatcher(routes, { pinVersion: 2 })',
      'HV_OPTION: createMatcher() requires pinVersion to be a function. Received: 2.',
      () => loose['createMatcher']!(routes, { pinVersion: 2 }),
    ],
    [
      'createMatcher(routes, { now: new Date() })',
      'HV_OPTION: createMatcher() requires now to be a function. Received: "1970-01-01T00:00:00.000Z".',
      () => loose['createMatcher']!(routes, { now: new Date(0) }),
    ],
    [
      'createMatcher(routes, null)',
      'HV_OPTION: createMatcher() requires options to be an object. Received: null.',
      () => loose['createMatcher']!(routes, null),
    ],
    [
      'explain(…, { now: 0 })',
      'HV_OPTION: explain() requires now to be a function. Received: 0.',
      () => loose['explain']!(routes, { method: 'GET', path: '/api/users' }, { now: 0 }),
    ],
    [
      'explain(routes, method, path)',
      "HV_OPTION: explain() requires request to be an object like { method: 'GET', path: '/api/users' }. Received: 'GET'.",
      () => loose['explain']!(routes, 'GET', '/api/users'),
    ],
    [
      'explain(…, { method: path })',
      "HV_OPTION: explain() requires method to be a method like 'GET'. Received: '/api/users'.",
      () => loose['explain']!(routes, { method: '/api/users', path: 'GET' }),
    ],
    [
      'explain(…, { method })',
      "HV_OPTION: explain() requires path to be a path like '/api/users'. Received: undefined.",
      () => loose['explain']!(routes, { method: 'GET' }),
    ],
    [
      'explain(…, { accept: headers })',
      'HV_OPTION: explain() requires accept to be an Accept header. Received: {"accept":"*/*"}.',
      () =>
        loose['explain']!(routes, { method: 'GET', path: '/api/users', accept: { accept: '*/*' } }),
    ],
    [
      'mediaType(2, routes)',
      'HV_OPTION: mediaType() requires api to be what api() returns. Received: 2.',
      () => loose['mediaType']!(2, routes),
    ],
    [
      'mediaType(routes, 2)',
      'HV_OPTION: mediaType() requires options to be an object like { version: 2 }. Received: 2.',
      () => loose['mediaType']!(routes, 2),
    ],
    [
      "mediaType(routes, { version: '2' })",
      "HV_UNKNOWN_VERSION: version '2' isn't declared. Declared versions: 1, 2.",
      () => loose['mediaType']!(routes, { version: '2' }),
    ],
    [
      "pathTo('api_users', routes)",
      "HV_OPTION: pathTo() requires api to be what api() returns. Received: 'api_users'.",
      () => loose['pathTo']!('api_users', routes),
    ],
    [
      'pathTo(routes)',
      'HV_UNKNOWN_NAME: no route is named undefined. Route names: api_users, api_user.',
      () => loose['pathTo']!(routes),
    ],
    [
      "pathTo(routes, 'api_user', null)",
      "HV_PARAM: /api/users/:id requires 'id'. Pass { id: … }.",
      () => loose['pathTo']!(routes, 'api_user', null),
    ],
    [
      'href.users.show(null)',
      "HV_PARAM: /api/users/:id requires 'id'. Pass { id: … }.",
      () => core.hrefs(routes).users.show(null as never),
    ],
    [
      'href.users.show({ id: { id: 7 } })',
      `HV_PARAM: /api/users/:id can't have {"id":7} as 'id'.`,
      () => core.hrefs(routes).users.show({ id: { id: 7 } as never }),
    ],
    [
      'hrefs({ prefix })',
      'HV_OPTION: hrefs() requires api to be what api() returns. Received: {"prefix":"/v"}.',
      () => loose['hrefs']!({ prefix: '/v' }),
    ],
    [
      "hrefs(routes, '/v')",
      "HV_OPTION: hrefs() requires options to be an object like { prefix: '/v' }. Received: '/v'.",
      () => loose['hrefs']!(routes, '/v'),
    ],
    [
      'createRouter(routes)',
      'HV_OPTION: createRouter() requires controllers to be the controllers by version. Received: undefined.',
      () => loose['bindActions']!(routes),
    ],
    [
      'createRouter(routes, loadControllers(…))',
      "HV_OPTION: createRouter()'s controllers are a promise. Write: await loadControllers(…).",
      () => loose['bindActions']!(routes, Promise.resolve({})),
    ],
    [
      'version(1, undefined)',
      'HV_NODE: version 1 got undefined. Is a variable or a `return` missing?',
      () => declare(loose['version']!(1, undefined)),
    ],
    [
      'defaultVersion: a promise',
      'HV_DEFAULT_VERSION: defaultVersion is a promise. Await it before you call api().',
      () =>
        core.api(
          { vendorString: 'acme', defaultVersion: Promise.resolve(1) as never },
          version(1, resources('users')),
        ),
    ],
    [
      'createRouter(controllers, routes)',
      'HV_OPTION: createRouter() requires api to be what api() returns.',
      () => loose['bindActions']!({ 1: { users } }, routes),
    ],
    [
      'createRouter(…, { onRouted: true })',
      'HV_OPTION: createRouter() requires onRouted to be a function. Received: true.',
      () => {
        const complete = { users: { ...users, show() {} } }
        loose['createDispatcher']!(routes, { 1: complete, 2: complete }, { onRouted: true })
      },
    ],
    [
      'version(1, [resources(…)])',
      'HV_OPTION: version 1 requires options to be an object. Received: [{"kind":"resources","name":"users"',
      () => inVersion([resources('users')]),
    ],
    [
      "get('health', handler)",
      "HV_OPTION: route 'health' in version 1 requires options to be an object like { to: 'users#index' }. Received: function.",
      () => inVersion(loose['get']!('health', () => 'up')),
    ],
    [
      "resources('users', controller)",
      "HV_OPTION: resources 'users' in version 1 has no option 'self'.",
      () => inVersion(loose['resources']!('users', new Store())),
    ],
    [
      "resources('users', { only: null })",
      "HV_UNKNOWN_ACTION: resources 'users' in version 1 selects the action null, which doesn't exist.",
      () => inVersion(loose['resources']!('users', { only: null })),
    ],
    [
      "inherit('v1')",
      'HV_OPTION: inherit() in version 1 requires from to be a version number, a cache name, or a list of these, like { from: 1 }. Received: undefined.',
      () => inVersion(loose['inherit']!('v1')),
    ],
    [
      "inherit({ from: 'v1', except: [7] })",
      'requires only and except to be names. Received: 7.',
      () =>
        declare(
          version(1, cache({ as: 'v1' }, resources('users'))),
          version(2, loose['inherit']!({ from: 'v1', except: [7] }) as never),
        ),
    ],
    [
      'a long text',
      `requires docs to be an http(s) or relative URL. Received: '${'a '.repeat(99)}a…'.`,
      () => inVersion(resources('users', { docs: 'a '.repeat(5000) })),
    ],
    [
      'a regular expression',
      'requires path to be a string. Received: /a/.',
      () => inVersion(loose['resources']!('users', { path: /a/ })),
    ],
    [
      'a node written by hand',
      `HV_NODE: api() can't contain {"kind":"version","name":1}. It can contain: version.`,
      () => declare({ kind: 'version', name: 1 }),
    ],
    [
      'an object that contains itself',
      "HV_NODE: version 1 can't contain an object. It can contain: ",
      () => inVersion(resources('users'), cyclic),
    ],
  ])('%s', (_call, message, make) => {
    expect(make).toThrow(RouterError)
    expect(make).toThrow(message)
  })
})

describe('no argument leads to an error from inside', () => {
  const values: readonly unknown[] = [
    undefined, null, 0, -1, 1.5, Number.NaN, Infinity, 1e21, 10n, '', 'a', '/', ':', '__proto__', 'constructor', true, false,
    Symbol('a'), Symbol.iterator, [], [undefined], [null], [[]], [Symbol('a')], {}, Object.create(null), () => {}, Store,
    async () => {}, new Date(Number.NaN), /a/, new Map(), Promise.resolve(), cyclic, new Store(), new Proxy({}, {}),
    { kind: 'version' }, { kind: 'verb', nodes: [] }, { kind: 'constructor', nodes: [] }, { only: 7 }, { except: {} },
    { as: Symbol('a') }, { from: [null] }, { from: 'v1', only: {} }, { sunset: 7 }, { brownouts: [[null, {}]] },
    { constraints: { id: null } }, { formats: [null] }, { path: null }, { to: {} }, { successor: {} }, routes, renamed,
    resources('users'),
  ] // prettier-ignore
  const calls: Record<string, (value: unknown, other: unknown) => unknown> = {
    'api(value, node)': (value) => loose['api']!(value, version(1, resources('users'))),
    'api(options, value)': (value) => declare(value),
    'version(value)': (value, other) => declare(loose['version']!(value, other)),
    'version(1, value)': (value, other) => inVersion(value, other),
    'cache(value, node)': (value, other) => inVersion(loose['cache']!(value, other)),
    'cache({ as: value })': (value) =>
      inVersion(loose['cache']!({ as: value }, resources('users'))),
    'inherit(value)': (value) =>
      declare(
        version(1, cache({ as: 'v1' }, resources('users'))),
        loose['version']!(2, loose['inherit']!(value)),
      ),
    'inherit({ only: value })': (value) =>
      declare(
        version(1, cache({ as: 'v1' }, resources('users'))),
        loose['version']!(2, loose['inherit']!({ from: 'v1', only: value })),
      ),
    'inherit({ except: value })': (value) =>
      declare(
        version(1, cache({ as: 'v1' }, resources('users'))),
        loose['version']!(2, loose['inherit']!({ from: 'v1', except: value })),
      ),
    ...Object.fromEntries(
      [
        'resources',
        'resource',
        'namespace',
        'scope',
        'get',
        'post',
        'put',
        'patch',
        'del',
        'member',
        'collection',
      ].map((helper) => [
        `${helper}(value)`,
        (value: unknown, other: unknown) => inVersion(loose[helper]!(value, other)),
      ]),
    ),
    "resources('users', member(value))": (value) =>
      inVersion(loose['resources']!('users', loose['member']!(value))),
    ...Object.fromEntries(
      ['only', 'except', 'path', 'as', 'controller', 'param', 'singular', 'shallow', 'patch', 'constraints', 'deprecated',
        'sunset', 'docs', 'successor', 'brownouts', 'retire'].map((option) => [
        `resources('users', { ${option}: value })`,
        (value: unknown) => inVersion(loose['resources']!('users', { [option]: value })),
      ]), // prettier-ignore
    ),
    ...Object.fromEntries(
      ['vendorString', 'defaultVersion', 'requireVersion', 'path', 'namespace', 'formats', 'strict', 'patch', 'only',
        'except', 'shallow', 'constraints'].map((option) => [
        `api({ ${option}: value })`,
        (value: unknown) =>
          loose['api']!({ vendorString: 'acme', [option]: value }, version(1, resources('users'))),
      ]), // prettier-ignore
    ),
    'createMatcher(value)': (value, other) => loose['createMatcher']!(value, other),
    'createMatcher(routes, value)': (value) => loose['createMatcher']!(routes, value),
    'explain(value)': (value, other) => loose['explain']!(value, other),
    'explain(routes, value)': (value, other) => loose['explain']!(routes, value, other),
    'explain(routes, { method, path, accept: value })': (value, other) =>
      loose['explain']!(routes, { method: 'GET', path: '/api/users', accept: value }, other),
    'routeTable(value)': (value) => loose['routeTable']!(value),
    'pathTo(value)': (value, other) => loose['pathTo']!(value, other),
    'pathTo(routes, value)': (value, other) => loose['pathTo']!(routes, value, other),
    "pathTo(routes, 'api_user', value)": (value, other) =>
      loose['pathTo']!(routes, 'api_user', value, other),
    "pathTo(routes, 'api_user', { id: value })": (value, other) =>
      loose['pathTo']!(routes, 'api_user', { id: value, format: other }),
    'hrefs(value)': (value, other) => loose['hrefs']!(value, other),
    'hrefs(routes, value)': (value) => loose['hrefs']!(routes, value),
    'hrefs(routes, { prefix: value })': (value) => loose['hrefs']!(routes, { prefix: value }),
    'href.users.show(value)': (value) => core.hrefs(routes).users.show(value as never),
    'mediaType(value)': (value, other) => loose['mediaType']!(value, other),
    'mediaType(routes, value)': (value) => loose['mediaType']!(routes, value),
    'mediaType(routes, { version: value })': (value) =>
      loose['mediaType']!(routes, { version: value }),
    'change(value)': (value, other) => loose['change']!(value, other),
    'became(value)': (value, other) => loose['became']!(value, other, value),
    'became(older, newer, value)': (value) => loose['became']!(older, newer, value),
    'before(value)': (value, other) => loose['before']!(value, other),
    'before(v2, value)': (value) => loose['before']!({ users }, value),
    'before({ users: value }, change)': (value) => loose['before']!({ users: value }, renamed),
    'before({ users: { index: value } }, change)': (value) =>
      loose['before']!({ users: { index: value } }, renamed),
    'bindActions(value)': (value, other) => loose['bindActions']!(value, other),
    'bindActions(routes, value)': (value) => loose['bindActions']!(routes, value),
    'bindActions(routes, { 1: value })': (value) => loose['bindActions']!(routes, { 1: value }),
    'bindActions(routes, { 1: { users: value } })': (value) =>
      loose['bindActions']!(routes, { 1: { users: value } }),
    'eachVersion(value)': (value, other) => loose['eachVersion']!(value, other),
  }

  it.each(Object.entries(calls))('%s', (_name, call) => {
    const failures = values.flatMap((value, i) => {
      try {
        call(value, values[(i * 7 + 3) % values.length])
        return []
      } catch (error) {
        return error instanceof RouterError ? [] : [`${i}: ${String(error)}`]
      }
    })
    expect(failures).toEqual([])
  })
})
