import { describe, expect, it } from 'vitest'
import * as dsl from '../src/index.ts'
import {
  RouterError,
  api,
  cache,
  collection,
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
  scope,
  version,
} from '../src/index.ts'
import { bindActions } from '../src/internal.ts'
import { errorMessages } from '../src/errors.ts'

/** Route files as plain JavaScript writes them: past the compiler. */
const loose = dsl as never as Record<
  | 'api'
  | 'version'
  | 'resources'
  | 'cache'
  | 'inherit'
  | 'namespace'
  | 'get'
  | 'resource'
  | 'scope',
  (...args: unknown[]) => never
>
const small = api(
  { vendorString: 'acme', only: ['index', 'show'] },
  version(1, cache({ as: 'v1' }, resources('users'))),
  version(2, inherit({ from: 'v1' })),
)

/** What each code reports: the details, and the message made from them. */
const mistakes: readonly (readonly [
  code: string,
  message: string,
  details: object,
  make: () => unknown,
])[] = [
  [
    'HV_VENDOR_STRING',
    "api() requires a vendorString, the part after 'application/vnd.': { vendorString: 'acme' }. It starts with a letter or a digit, and also has any of !#$&^_.-, up to 123 characters. Received: undefined.",
    { received: undefined },
    () => loose.api({}, loose.version(1)),
  ],
  ['HV_VENDOR_STRING', 'Received: undefined.', {}, () => loose.api()],
  [
    'HV_VENDOR_STRING',
    "Received: 'a b'.",
    { received: 'a b' },
    () => loose.api({ vendorString: 'a b' }, version(1)),
  ],
  [
    'HV_VENDOR_STRING',
    "Received: '.acme'.",
    {},
    () => loose.api({ vendorString: '.acme' }, version(1)),
  ],
  ['HV_VENDOR_STRING', "aaa'.", {}, () => loose.api({ vendorString: 'a'.repeat(124) }, version(1))],
  [
    'HV_VENDOR_STRING',
    `Received: ["${'a'.repeat(196)}"].`,
    {},
    () => loose.api({ vendorString: ['a'.repeat(196)] }, version(1)),
  ],
  [
    'HV_VENDOR_STRING',
    `Received: ["${'a'.repeat(197)}….`,
    {},
    () => loose.api({ vendorString: ['a'.repeat(197)] }, version(1)),
  ],
  [
    'HV_NO_VERSION',
    "api() declares no version. Add one: version(1, resources('users')).",
    {},
    () => api({ vendorString: 'a' }),
  ],
  [
    'HV_VERSION_NUMBER',
    "version(0) isn't a version number. Versions are whole numbers from 1: version(1, …).",
    { received: 0 },
    () => api({ vendorString: 'a' }, version(0)),
  ],
  [
    'HV_VERSION_NUMBER',
    "version(1.5) isn't a version number.",
    { received: 1.5 },
    () => api({ vendorString: 'a' }, version(1.5)),
  ],
  [
    'HV_VERSION_NUMBER',
    "version('1') isn't a version number.",
    { received: '1' },
    () => loose.api({ vendorString: 'a' }, loose.version('1')),
  ],
  [
    'HV_DEFAULT_VERSION',
    "defaultVersion is 9, which isn't declared or is a preview. Use one of: 1, 2.",
    { received: 9, known: [1, 2] },
    () =>
      loose.api(
        { vendorString: 'a', defaultVersion: 9 },
        version(1, resources('users')),
        version(2, resources('users')),
      ),
  ],
  [
    'HV_DEFAULT_VERSION',
    "defaultVersion is 2, which isn't declared or is a preview. Use one of: 1.",
    { received: 2, known: [1] },
    () =>
      api(
        { vendorString: 'a', defaultVersion: 2 },
        version(1, resources('x')),
        version(2, { preview: true }, resources('x')),
        version(2, resources('y')),
      ),
  ],
  [
    'HV_EMPTY_VERSION',
    "version 2 has no routes. Add some, or a sunset: version(2, { sunset: '2027-07-01' }).",
    { version: 2 },
    () =>
      api(
        { vendorString: 'a' },
        version(1, resources('x')),
        version(2, { deprecated: '2027-01-01' }),
      ),
  ],
  [
    'HV_EMPTY_VERSION',
    "version 2 has no routes. Add some, or a sunset: version(2, { sunset: '2027-07-01' }).",
    { version: 2 },
    () =>
      api(
        { vendorString: 'a' },
        version(1, resources('x')),
        version(2, { sunset: '2027-01-01', retire: 'serve' }),
      ),
  ],
  [
    'HV_DATE',
    "version 1 has '2027-02-30' in sunset, which isn't a day, or a time with its zone. Use '2027-07-01' for midnight UTC, or '2027-07-01T12:00:00Z'.",
    { where: 'version 1', option: 'sunset', received: '2027-02-30' },
    () => api({ vendorString: 'a' }, version(1, { sunset: '2027-02-30' }, resources('x'))),
  ],
  [
    'HV_DATE',
    "route 'x' in version 1 has true in deprecated, which isn't a day, or a time with its zone.",
    { option: 'deprecated', received: true },
    () => api({ vendorString: 'a' }, version(1, loose.get('x', { to: 'x#y', deprecated: true }))),
  ],
  [
    'HV_DATE',
    "version 1 has '2027-07-01T12:00' in sunset, which isn't a day, or a time with its zone.",
    { received: '2027-07-01T12:00' },
    () => api({ vendorString: 'a' }, version(1, { sunset: '2027-07-01T12:00' }, resources('x'))),
  ],
  [
    'HV_SUNSET',
    'version 1 has the sunset 2027-01-01, which is before its deprecation on 2027-07-01. Change one of the dates.',
    { where: 'version 1', deprecated: '2027-07-01T00:00:00Z', sunset: '2027-01-01T00:00:00Z' },
    () =>
      api(
        { vendorString: 'a' },
        version(1, { deprecated: '2027-07-01', sunset: '2027-01-01' }, resources('x')),
      ),
  ],
  [
    'HV_SUNSET',
    'POST /api/sessions in version 1 has the sunset 2026-12-01, which is before its deprecation on 2027-01-01.',
    { where: 'POST /api/sessions in version 1' },
    () =>
      api(
        { vendorString: 'a' },
        version(
          1,
          { deprecated: '2027-01-01' },
          resources('sessions', { only: 'create', sunset: '2026-12-01' }),
        ),
      ),
  ],
  [
    'HV_BROWNOUT',
    'version 1 has a brownout from 2027-07-02 to 2027-07-03, which ends after the sunset on 2027-07-01. Move it before that date.',
    {
      where: 'version 1',
      from: '2027-07-02T00:00:00Z',
      to: '2027-07-03T00:00:00Z',
      limit: '2027-07-01T00:00:00Z',
      reason: 'too-late',
    },
    () =>
      api(
        { vendorString: 'a' },
        version(
          1,
          { sunset: '2027-07-01', brownouts: [['2027-07-02', '2027-07-03']] },
          resources('x'),
        ),
      ),
  ],
  [
    'HV_BROWNOUT',
    "version 1 has a brownout from 2027-07-02 to 2027-07-02, whose end isn't after its start. Correct it.",
    {
      where: 'version 1',
      from: '2027-07-02T00:00:00Z',
      to: '2027-07-02T00:00:00Z',
      limit: '2027-07-02T00:00:00Z',
      reason: 'no-time',
    },
    () =>
      api(
        { vendorString: 'a' },
        version(1, { brownouts: [['2027-07-02', '2027-07-02']] }, resources('x')),
      ),
  ],
  [
    'HV_BROWNOUT',
    'which starts before the deprecation on 2027-07-01. Move it after that date.',
    {
      where: 'version 1',
      from: '2027-06-30T00:00:00Z',
      to: '2027-07-02T00:00:00Z',
      limit: '2027-07-01T00:00:00Z',
      reason: 'too-early',
    },
    () =>
      api(
        { vendorString: 'a' },
        version(
          1,
          { deprecated: '2027-07-01', brownouts: [['2027-06-30', '2027-07-02']] },
          resources('x'),
        ),
      ),
  ],
  [
    'HV_SUCCESSOR',
    'version 1 has the successor 1, which is itself. Versions that can succeed it: 3.',
    { where: 'version 1', received: 1, known: [3], reason: 'itself' },
    () =>
      api(
        { vendorString: 'a' },
        version(1, { sunset: '2027-07-01', successor: 1 }, resources('x')),
        version(2, { sunset: '2027-06-30' }, resources('x')),
        version(3, resources('x')),
      ),
  ],
  [
    'HV_SUCCESSOR',
    "GET /api/x in version 1 has the successor 9, which isn't declared. Declare the version that replaces it, or leave successor out.",
    { where: 'GET /api/x in version 1', received: 9 },
    () => api({ vendorString: 'a' }, version(1, resources('x', { only: 'index', successor: 9 }))),
  ],
  [
    'HV_OPTION',
    "version 1 requires docs to be an http(s) or relative URL. Received: 'a>b'.",
    { option: 'docs', received: 'a>b' },
    () => api({ vendorString: 'a' }, version(1, { docs: 'a>b' }, resources('x'))),
  ],
  [
    'HV_OPTION',
    "version 1 requires docs to be an http(s) or relative URL. Received: 'JavaScript:alert(1)'.",
    { option: 'docs', received: 'JavaScript:alert(1)' },
    () => api({ vendorString: 'a' }, version(1, { docs: 'JavaScript:alert(1)' }, resources('x'))),
  ],
  [
    'HV_OPTION',
    "requires successor to be a version number. Received: '2'.",
    { option: 'successor', received: '2' },
    () => api({ vendorString: 'a' }, version(1, loose.resources('x', { successor: '2' }))),
  ],
  [
    'HV_OPTION',
    "requires brownouts to be a list of windows like [['2027-05-04T14:00Z', '2027-05-04T15:00Z']].",
    { option: 'brownouts', received: ['2027-05-04', '2027-05-05'] },
    () =>
      api(
        { vendorString: 'a' },
        version(1, loose.resources('x', { brownouts: ['2027-05-04', '2027-05-05'] })),
      ),
  ],
  [
    'HV_OPTION',
    "requires retire to be 'gone' or 'serve'. Received: 'never'.",
    { option: 'retire', received: 'never' },
    () => api({ vendorString: 'a' }, version(1, loose.resources('x', { retire: 'never' }))),
  ],
  [
    'HV_OPTION',
    "requires retire to be 'gone' or 'serve'. Received: true.",
    { option: 'retire', received: true },
    () => api({ vendorString: 'a' }, version(1, loose.resources('x', { retire: true }))),
  ],
  [
    'HV_OPTION',
    "cache 'v1' in version 1 has no option 'sunset'. Its options: none.",
    { option: 'sunset' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, loose.cache({ as: 'v1', sunset: '2027-01-01' }, resources('x'))),
      ),
  ],
  [
    'HV_UNKNOWN_CACHE',
    "version 2 inherits from 'v0', but no cache above it has that name. Did you mean 'v1'?",
    { version: 2, cache: 'v0', known: ['v1'] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, cache({ as: 'v1' }, resources('x'))),
        version(2, inherit({ from: 'v0' })),
      ),
  ],
  [
    'HV_UNKNOWN_CACHE',
    'no cache above it has that name. To inherit version 1, leave out the quotes.',
    { version: 2, cache: '1', known: [] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, resources('x')),
        version(2, inherit({ from: '1' })),
      ),
  ],
  [
    'HV_UNKNOWN_CACHE',
    "Put the routes to repeat in cache({ as: 'v1' }, …), or use a version's number. Caches above it: none.",
    { version: 1, cache: 'v1', known: [] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, inherit({ from: 'v1' })),
        version(2, cache({ as: 'v1' }, resources('x'))),
      ),
  ],
  [
    'HV_DUPLICATE_CACHE',
    "version 2 declares a second cache named 'a'. Give each set of routes its own name.",
    { version: 2, cache: 'a' },
    () =>
      api(
        { vendorString: 'a' },
        version(1, cache({ as: 'a' }, resources('x'))),
        version(2, cache({ as: 'a' }, resources('y'))),
      ),
  ],
  [
    'HV_UNKNOWN_RESOURCE',
    "version 2's except names 'b', which cache 'v1' doesn't have. You can name: a, a#show.",
    { version: 2, from: ['v1'], option: 'except', resource: 'b', known: ['a', 'a#show'] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, cache({ as: 'v1' }, resources('a', { only: 'show' }))),
        version(2, inherit({ from: 'v1', except: 'b' })),
      ),
  ],
  [
    'HV_ONLY_AND_EXCEPT',
    "resources 'x' in version 1 has both only and except. Keep one of them.",
    { where: "resources 'x' in version 1" },
    () => api({ vendorString: 'a' }, version(1, resources('x', { only: 'index', except: 'show' }))),
  ],
  [
    'HV_UNKNOWN_ACTION',
    "resources 'x' in version 1 selects the action 'list', which doesn't exist. The actions are: index, create, new, edit, show, update, destroy.",
    {
      where: "resources 'x' in version 1",
      action: 'list',
      known: ['index', 'create', 'new', 'edit', 'show', 'update', 'destroy'],
    },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { only: 'list' }))),
  ],
  [
    'HV_VERB_TARGET',
    "route 'health' in version 1 has no target. Add one, such as { to: 'health#show' }.",
    { where: "route 'health' in version 1" },
    () => loose.api({ vendorString: 'a' }, version(1, loose.get('health'))),
  ],
  [
    'HV_VERB_TARGET',
    "route 'a/b' in resources 'x' in version 1 has no target. Add one, such as { to: 'health#show' }.",
    { where: "route 'a/b' in resources 'x' in version 1" },
    () => api({ vendorString: 'a' }, version(1, resources('x', get('a/b')))),
  ],
  [
    'HV_VERB_TARGET',
    "route 'a' in resources 'x' in version 1 has the target 'x y'. Use an action such as 'show' in a resource, or a controller and an action such as 'health#show'.",
    { where: "route 'a' in resources 'x' in version 1", to: 'x y' },
    () => api({ vendorString: 'a' }, version(1, resources('x', get('a', { to: 'x y' })))),
  ],
  [
    'HV_VERB_TARGET',
    "route 'a' in scope() in version 1 has the target 'show'.",
    { to: 'show' },
    () => api({ vendorString: 'a' }, version(1, scope({ path: 'x' }, get('a', { to: 'show' })))),
  ],
  [
    'HV_UNKNOWN_RESOURCE',
    "version 2's except names 'a#destroy', which cache 'v1' doesn't have. You can name: a, a/preview, a#preview, a/b, a/b#show, a#index, c, c#index.",
    {
      resource: 'a#destroy',
      known: ['a', 'a/preview', 'a#preview', 'a/b', 'a/b#show', 'a#index', 'c', 'c#index'],
    },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(
          1,
          cache(
            { as: 'v1' },
            resources(
              'a',
              { only: 'index' },
              member(get('preview')),
              resources('b', { only: 'show' }),
            ),
            resources('c', { only: 'index' }),
          ),
        ),
        version(2, inherit({ from: 'v1', except: ['c', 'a#destroy'] })),
      ),
  ],
  [
    'HV_UNKNOWN_RESOURCE',
    "version 3's except names 'a#show', which cache 'v2' doesn't have. You can name: a, a#index.",
    { version: 3, resource: 'a#show' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, cache({ as: 'v1' }, resources('a', { only: ['index', 'show'] }))),
        version(2, cache({ as: 'v2' }, inherit({ from: 'v1', except: 'a#show' }))),
        version(3, inherit({ from: 'v2', except: 'a#show' })),
      ),
  ],
  [
    'HV_OPTION',
    "scope() in version 1 requires module to be a folder of letters, digits and _, such as 'admin'. Received: 'a-b'.",
    { option: 'module', received: 'a-b' },
    () => api({ vendorString: 'a' }, version(1, scope({ module: 'a-b' }, resources('x')))),
  ],
  [
    'HV_NODE',
    "scope() in version 1 can't contain member(). It can contain: cache, inherit, resources,",
    { where: 'scope() in version 1', received: 'member()' },
    () =>
      loose.api({ vendorString: 'a' }, version(1, loose.scope({ path: 'a' }, member(get('x'))))),
  ],
  [
    'HV_PATH',
    "resources 'x' in version 1 has the path segment '*rest'.",
    { segment: '*rest' },
    () => api({ vendorString: 'a' }, version(1, resources('x', { path: '*rest' }))),
  ],
  [
    'HV_PATH',
    "route '*rest/end' in version 1 has the path segment '*rest'.",
    { segment: '*rest' },
    () => api({ vendorString: 'a' }, version(1, get('*rest/end', { to: 'x#y' }))),
  ],
  [
    'HV_CONSTRAINT',
    "constraints.id of resources 'x' in version 1 is /\\d+\\z/, which contains \\z, which means something else in JavaScript than in Ruby. Leave out anchors, because a constraint always matches the whole value.",
    { param: 'id', constraint: '\\d+\\z' },
    () =>
      api(
        { vendorString: 'a' },
        version(1, resources('x', { only: 'show', constraints: { id: '\\d+\\z' } })),
      ),
  ],
  [
    'HV_CONSTRAINT',
    "is /\\d+/, which applies to no parameter. Did you mean 'id'? Parameters of its paths: id, post_id.",
    { param: 'uid', constraint: '\\d+' },
    () =>
      api(
        { vendorString: 'a' },
        version(
          1,
          get('users/:id/posts/:post_id', { to: 'posts#show', constraints: { uid: /\d+/ } }),
        ),
      ),
  ],
  [
    'HV_PATH',
    "/api/:a/x/:a has the path segment ':a' twice. Give each its own name.",
    { where: '/api/:a/x/:a', segment: ':a', twice: true },
    () => api({ vendorString: 'a' }, version(1, get(':a/x/:a', { to: 'x#y' }))),
  ],
  [
    'HV_OPTION',
    "resources 'x' in version 1 has no option 'olny'. Did you mean 'only'? Its options: only, except, shallow, constraints, path, as, controller, param, singular, patch, deprecated, sunset, docs, successor, brownouts, retire.",
    { where: "resources 'x' in version 1", option: 'olny' },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { olny: 'index' }))),
  ],
  [
    'HV_OPTION',
    "api() has no option 'defaultVerson'.",
    { option: 'defaultVerson' },
    () => loose.api({ vendorString: 'a', defaultVerson: 1 }, version(1)),
  ],
  [
    'HV_OPTION',
    'api() requires path to be a string. Received: 7.',
    { where: 'api()', option: 'path', expected: 'a string', received: 7 },
    () => loose.api({ vendorString: 'a', path: 7 }, version(1)),
  ],
  [
    'HV_OPTION',
    'api() requires strict to be a boolean. Received: 1.',
    { option: 'strict', received: 1 },
    () => loose.api({ vendorString: 'a', strict: 1 }, version(1)),
  ],
  [
    'HV_OPTION',
    "api() requires formats to be 'any', false or a list of extensions like ['json', 'xml']. Received: 'json'.",
    { where: 'api()', option: 'formats', received: 'json' },
    () => loose.api({ vendorString: 'a', formats: 'json' }, version(1)),
  ],
  [
    'HV_OPTION',
    "resources 'x' in version 1 requires param to be letters, digits and _, other than format. Received: 'a-b'.",
    { option: 'param', received: 'a-b' },
    () => api({ vendorString: 'a' }, version(1, resources('x', { param: 'a-b' }))),
  ],
  [
    'HV_OPTION',
    "Received: '__proto__'.",
    { option: 'param', received: '__proto__' },
    () => api({ vendorString: 'a' }, version(1, resources('x', { param: '__proto__' }))),
  ],
  [
    'HV_OPTION',
    'requires from to be a version number, a cache name, or a list of these, like { from: 1 }. Received: undefined.',
    { option: 'from', received: undefined },
    () => loose.api({ vendorString: 'a' }, version(1, loose.inherit({}))),
  ],
  [
    'HV_OPTION',
    'or a list of these, like { from: 1 }. Received: [].',
    { option: 'from', received: [] },
    () => loose.api({ vendorString: 'a' }, version(1, loose.inherit({ from: [] }))),
  ],
  [
    'HV_OPTION',
    "like { from: 1 }. Received: ''.",
    { option: 'from', received: '' },
    () => loose.api({ vendorString: 'a' }, version(1, loose.inherit({ from: [1, ''] }))),
  ],
  [
    'HV_OPTION',
    'like { from: 1 }. Received: 1.5.',
    { option: 'from', received: 1.5 },
    () => loose.api({ vendorString: 'a' }, version(1, loose.inherit({ from: [1, 1.5] }))),
  ],
  [
    'HV_NODE',
    "namespace 'x' in resources 'users' in version 1 can't contain collection().",
    { where: "namespace 'x' in resources 'users' in version 1", received: 'collection()' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, loose.resources('users', loose.namespace('x', collection(get('a'))))),
      ),
  ],
  [
    'HV_OPTION',
    "cache 'v1' in version 1 has no option 'pth'. Its options: none.",
    { where: "cache 'v1' in version 1", option: 'pth', known: [] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, loose.cache({ as: 'v1', pth: 1 }, resources('x'))),
      ),
  ],
  [
    'HV_OPTION',
    "resources 'x' in version 1 requires options to be an object. Received: 7.",
    { option: 'options', received: 7 },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', 7))),
  ],
  [
    'HV_OPTION',
    'requires constraints to be regular expressions by parameter like { id: /\\d+/ }. Received: null.',
    { option: 'constraints', received: null },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { constraints: null }))),
  ],
  [
    'HV_OPTION',
    'requires constraints to be regular expressions by parameter like { id: /\\d+/ }. Received: /\\d+/.',
    { option: 'constraints' },
    () =>
      loose.api({ vendorString: 'a' }, version(1, loose.resources('x', { constraints: /\d+/ }))),
  ],
  [
    'HV_NAME',
    "resources 'line-items' in version 1 gives a controller or a route the name 'line-items', but names only contain letters, digits and _. Other characters can only be in the path. Write resources('line_items', { path: 'line-items' }).",
    { where: "resources 'line-items' in version 1", name: 'line-items' },
    () => api({ vendorString: 'a' }, version(1, resources('line-items'))),
  ],
  [
    'HV_NAME',
    "Other characters can only be in the path. Write resources('users').",
    { name: '/users' },
    () => api({ vendorString: 'a' }, version(1, resources('/users'))),
  ],
  [
    'HV_NAME',
    "Write resources('admin_users', { path: '/admin/users' }).",
    { name: '/admin/users' },
    () => api({ vendorString: 'a' }, version(1, resources('/admin/users'))),
  ],
  [
    'HV_NAME',
    "Other characters can only be in the path. Write namespace('back_office', { path: 'back-office' }).",
    { name: 'back-office' },
    () =>
      api(
        { vendorString: 'a' },
        version(1, namespace('back-office', { as: 'office' }, resources('x'))),
      ),
  ],
  [
    'HV_NAME',
    "Other characters can only be in the path. Write resource('profile', { controller: 'my_profiles' }).",
    { name: 'my-profiles' },
    () =>
      api({ vendorString: 'a' }, version(1, resource('profile', { controller: 'my-profiles' }))),
  ],
  [
    'HV_NAME',
    "resources 'users' in version 1 gives a controller or a route the name 'app-users', but names only contain letters, digits and _. Other characters can only be in the path. Write resources('users', { as: 'app_users' }).",
    { name: 'app-users', instead: "resources('users', { as: 'app_users' })" },
    () => api({ vendorString: 'a' }, version(1, resources('users', { as: 'app-users' }))),
  ],
  [
    'HV_NAME',
    "Write resources('users', { as: 'app_users' }).",
    { name: 'app/users' },
    () => api({ vendorString: 'a' }, version(1, resources('users', { as: 'app/users' }))),
  ],
  [
    'HV_PATH',
    "namespace 'n' in version 1 has the path segment 'a b'. A segment is plain text (letters, digits and any of _-.~$&',;=@) or one parameter such as :name. The last segment of get(), post() and so on can be a glob such as *path.",
    { where: "namespace 'n' in version 1", segment: 'a b' },
    () => api({ vendorString: 'a' }, version(1, namespace('n', { path: 'a b' }, resources('x')))),
  ],
  [
    'HV_PATH',
    "has the path segment ':a-:b'.",
    { segment: ':a-:b' },
    () => api({ vendorString: 'a' }, version(1, get(':a-:b', { to: 'x#y' }))),
  ],
  [
    'HV_NODE',
    "version 1 can't contain member(). It can contain: cache, inherit, resources, resource, namespace, scope, get, post, put, patch, del.",
    { where: 'version 1', received: 'member()' },
    () => loose.api({ vendorString: 'a' }, loose.version(1, member(get('x')))),
  ],
  [
    'HV_NODE',
    "resources 'x' in version 1 can't contain version 2. It can contain: resources, resource, namespace, scope, member, collection, get, post, put, patch, del.",
    { received: 'version 2' },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resources('x', version(2)))),
  ],
  [
    'HV_NODE',
    "api() can't contain resources 'x'. It can contain: version.",
    { where: 'api()', received: "resources 'x'", allowed: ['version'] },
    () => loose.api({ vendorString: 'a' }, resources('x')),
  ],
  [
    'HV_NODE',
    'version 1 got undefined. Is a variable or a `return` missing?',
    { received: 'undefined' },
    () => loose.api({ vendorString: 'a' }, loose.version(1, resources('x'), undefined)),
  ],
  [
    'HV_OPTION',
    "resource '' in version 1 requires the name to be a non-empty string. Received: ''.",
    { where: "resource '' in version 1", expected: 'a non-empty string' },
    () => loose.api({ vendorString: 'a' }, version(1, loose.resource(''))),
  ],
  [
    'HV_OPTION',
    'cache undefined in version 1 requires as to be a non-empty string. Received: undefined.',
    { option: 'as', received: undefined },
    () => loose.api({ vendorString: 'a' }, version(1, loose.cache({}, resources('x')))),
  ],
  [
    'HV_CONSTRAINT',
    "constraints.id of resources 'x' in version 1 is /(/, which doesn't compile: ",
    { where: "resources 'x' in version 1", param: 'id', constraint: '(' },
    () => api({ vendorString: 'a' }, version(1, resources('x', { constraints: { id: '(' } }))),
  ],
  [
    'HV_UNKNOWN_NAME',
    "no route is named 'api_nobody'. Route names: api_users, api_user.",
    { name: 'api_nobody', known: ['api_users', 'api_user'] },
    () => pathTo(small, 'api_nobody'),
  ],
  [
    'HV_PARAM',
    "/api/users/:id requires 'id'. Pass { id: … }.",
    { path: '/api/users/:id', param: 'id', received: undefined },
    () => pathTo(small, 'api_user'),
  ],
  ['HV_PARAM', "requires 'id'.", { received: '' }, () => hrefs(small).users.show({ id: '' })],
  [
    'HV_PARAM',
    "/api/users/:id can't have '..' as 'id'. Pass a number or well-formed text; a segment can't be empty, . or ..",
    { received: '..' },
    () => hrefs(small).users.show({ id: '..' }),
  ],
  [
    'HV_PARAM',
    "can't have '\ud800' as 'id'",
    { received: '\ud800' },
    () => hrefs(small).users.show({ id: '\ud800' }),
  ],
  [
    'HV_UNKNOWN_RESOURCE',
    "version 2's only names 'user', which version 1 and cache 'extras' don't have. Did you mean 'users'? You can name: users, tags.",
    { version: 2, from: [1, 'extras'], option: 'only', resource: 'user', known: ['users', 'tags'] },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, resources('users')),
        version(3, cache({ as: 'extras' }, resources('tags'))),
        version(2, inherit({ from: [1, 'extras'], only: 'user' })),
      ),
  ],
  [
    'HV_UNKNOWN_VERSION',
    "version 2 inherits from version 3, which isn't declared above it. Versions it can inherit from: 1.",
    { version: 3, known: [1], inheritedBy: 2, reason: 'undeclared' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, resources('x')),
        version(2, namespace('n', inherit({ from: 3 }))),
        version(3, resources('x')),
      ),
  ],
  [
    'HV_UNKNOWN_VERSION',
    "version 2 inherits from version 2, which isn't declared above it. Versions it can inherit from: 1.",
    { version: 2, known: [1], inheritedBy: 2, reason: 'undeclared' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, resources('x')),
        version(2, resources('y')),
        version(2, cache({ as: 'all' }, inherit({ from: [1, 2] }))),
      ),
  ],
  [
    'HV_UNKNOWN_VERSION',
    'version 2 inherits from version 1, which has no routes any more. Move them into version 2 first.',
    { version: 1, known: [], inheritedBy: 2, reason: 'no-routes' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, { sunset: '2027-07-01' }),
        version(2, inherit({ from: 1 })),
      ),
  ],
  [
    'HV_UNKNOWN_VERSION',
    'version 2 inherits from version 1, which has no routes any more. Move them into version 2 first.',
    { version: 1, known: [], inheritedBy: 2, reason: 'no-routes' },
    () =>
      loose.api(
        { vendorString: 'a' },
        version(1, { sunset: '2027-07-01', only: 'show' }),
        version(2, inherit({ from: 1 })),
      ),
  ],
  [
    'HV_UNKNOWN_VERSION',
    "version 3 isn't declared. Declared versions: 1, 2.",
    { version: 3, known: [1, 2] },
    () => mediaType(small, { version: 3 as number }),
  ],
  [
    'HV_MISSING_ACTIONS',
    "the routes require actions that the controllers don't have:\n  controllers[1].users.show\n  controllers[2].users\nAdd each, or remove its route with only or except.",
    { missing: ['controllers[1].users.show', 'controllers[2].users'] },
    () => bindActions(small, { 1: { users: { index() {} } }, 2: {} }),
  ],
  [
    'HV_MISSING_ACTIONS',
    'controllers[1].users (undefined: look for a circular import)\n  controllers[2].users (undefined: look for a circular import)\nAdd',
    {},
    () => bindActions(small, { 1: { users: undefined }, 2: undefined }),
  ],
  [
    'HV_MISSING_ACTIONS',
    'controllers[1].users.show (neither a function nor an object with a handler)\n  controllers[2].users (a class or function: pass an object, such as new UsersController())\nAdd',
    {},
    () =>
      bindActions(small, { 1: { users: { index() {}, show: [() => {}] } }, 2: { users: () => 1 } }),
  ],
]
/** Tested where they are thrown. */
const elsewhere = [
  'HV_CHANGE',
  'HV_NO_VALIDATOR',
  'HV_INVALID_SCHEMA',
  'HV_NO_JSON_SCHEMA',
  'HV_UNKNOWN_SCHEMA',
  'HV_MISSING_CONTROLLERS',
  'HV_TOO_MANY_VERSIONS',
]

describe("an error says what's wrong, where, and what to do", () => {
  it.each(mistakes)('%s %s', (code, message, details, make) => {
    let error: unknown
    try {
      make()
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(RouterError)
    expect(error).toMatchObject({ name: 'RouterError', code, details })
    expect((error as RouterError).message).toContain(message)
    expect((error as RouterError).message.startsWith(`${code}: `)).toBe(true)
    expect((error as RouterError).docs).toMatch(new RegExp(`#${code.toLowerCase()}$`))
  })

  it('is tested for every code', () => {
    const tested = new Set([...mistakes.map(([code]) => code), ...elsewhere])
    expect([...tested].toSorted()).toEqual(Object.keys(errorMessages).toSorted())
  })

  it('recognizes errors of another copy of the package', () => {
    expect({ [Symbol.for('@hv/router.RouterError')]: true } instanceof RouterError).toBe(true)
    expect(new Error('other') instanceof RouterError).toBe(false)
    expect((undefined as unknown) instanceof RouterError).toBe(false)
  })
})

describe('a valid route file', () => {
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
      routeTable(routes).map(
        ({ version, controller, action }) => `${version} ${controller.slice(-1)} ${action}`,
      ),
    ).toEqual([
      '1 x show',
      '1 y index',
      '1 y create',
      '1 y show',
      '1 y update',
      '1 y destroy',
      '2 x index',
    ])
  })
  it('selects from several caches what stands in any of them', () => {
    const routes = api(
      { vendorString: 'a', only: 'index' },
      version(
        1,
        cache({ as: 'a' }, resources('x'), resources('y')),
        cache({ as: 'b' }, resources('z')),
      ),
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
        cache(
          { as: 'all' },
          cache({ as: 'some' }, namespace('n', resources('x', resources('y')))),
          resources('z'),
        ),
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
  it('repeats a whole version by its number, as it is above the inherit', () => {
    const routes = api(
      { vendorString: 'a', only: 'index' },
      version(1, resources('x'), cache({ as: 'extras' }, resources('y'))),
      version(3, inherit({ from: 1 }), resources('z')),
      version(3, resources('w')),
      version(2, inherit({ from: 3, except: 'y' })),
      version(4, namespace('n', inherit({ from: [2, 'extras'] }))),
      version(3, resources('late')),
    )
    const of = (version: number) =>
      routeTable(routes)
        .filter((row) => row.version === version)
        .map(({ key, inheritedFrom }) => `${key} ${inheritedFrom}`)
    expect(of(3)).toEqual(['x 1', 'y 1', 'z null', 'w null', 'late null'])
    expect(of(2)).toEqual(['x 1', 'z 3', 'w 3'])
    expect(of(4)).toEqual(['n/x 1', 'n/z 3', 'n/w 3', 'n/y 1'])
  })
  it('repeats the options of a version like those of a scope, but not its dates', () => {
    const routes = api(
      { vendorString: 'a' },
      version(
        1,
        {
          only: ['show'],
          shallow: true,
          constraints: { id: /\d+/ },
          sunset: '2027-07-01',
          preview: true,
        },
        resources('users', resources('posts')),
        resources('teams', { only: 'index' }),
      ),
      version(2, { only: 'index' }, inherit({ from: 1, except: 'teams' }), resources('tags')),
      version(3, inherit({ from: 2 })),
    )
    const of = (version: number) =>
      routeTable(routes)
        .filter((row) => row.version === version)
        .map(({ method, pattern, constraints, life }) => [
          `${method} ${pattern}`,
          ...Object.values(constraints).map(String),
          life?.sunset === undefined ? 'lasts' : 'ends',
        ])
    expect(of(1)).toEqual([
      ['GET /api/posts/:id', '/^(?:\\d+)$/', 'ends'],
      ['GET /api/users/:id', '/^(?:\\d+)$/', 'ends'],
      ['GET /api/teams', 'ends'],
    ])
    const inherited = [
      ['GET /api/posts/:id', '/^(?:\\d+)$/', 'lasts'],
      ['GET /api/users/:id', '/^(?:\\d+)$/', 'lasts'],
      ['GET /api/tags', 'lasts'],
    ]
    expect(of(2)).toEqual(inherited)
    expect(of(3)).toEqual(inherited)
    expect(routes.settings.previews).toEqual([1])
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
