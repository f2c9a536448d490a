// The original Ruby gem's test cases.
import { type Api, api, cache, inherit, resources, routeTable, version } from '@hv/router'
import type { AdapterUnderTest } from './types.ts'

const options = { vendorString: 'myvendor', formats: ['json', 'xml'] } as const
const vendorType = 'application/vnd.myvendor'

/** What serves a request, as `controller#action`, or the response's status. */
type Expected = string | number

interface OriginalCase {
  readonly routes: Api
  readonly requests: readonly (readonly [
    method: string,
    path: string,
    accept: string,
    expected: Expected,
  ])[]
}

export const originalCases: Record<string, OriginalCase> = {
  versions: {
    routes: api(
      { ...options, defaultVersion: 1 },
      version(1, cache({ as: 'v1' }, resources('bar'))),
      version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), resources('foo'))),
      version(3, inherit({ from: 'v2' })),
    ),
    requests: [
      ['GET', '/api/bar', `${vendorType}+json;version=1`, 'api/v1/bar#index'],
      ['GET', '/api/bar', `${vendorType}+json;version=2`, 'api/v2/bar#index'],
      ['GET', '/api/foo', `${vendorType}+json;version=2`, 'api/v2/foo#index'],
      ['GET', '/api/bar', `${vendorType}+json;version=3`, 'api/v3/bar#index'],
      ['GET', '/api/foo', `${vendorType}+json;version=3`, 'api/v3/foo#index'],
      ['GET', '/api/foo/new', `${vendorType}+json;version=3`, 'api/v3/foo#new'],
      ['GET', '/api/foo/5/edit', `${vendorType}+json;version=3`, 'api/v3/foo#edit'],
      // an unknown version, a route that the version doesn't have, another vendor
      ['GET', '/api/bar', `${vendorType}+json;version=99`, 406],
      ['GET', '/api/foo', `${vendorType}+json;version=1`, 404],
      ['GET', '/api/foo', `${vendorType}+json`, 404],
      ['GET', '/api/bar', 'application/vnd.garbage+xml;version=1', 406],
      // the default version
      ['GET', '/api/bar', '', 'api/v1/bar#index'],
      ['GET', '/api/bar', `${vendorType}+json`, 'api/v1/bar#index'],
      ['GET', '/api/bar', `${vendorType}+json;`, 'api/v1/bar#index'],
      ['GET', '/api/bar', 'application/json', 'api/v1/bar#index'],
      // spaces
      ['GET', '/api/bar', `${vendorType}+json; version=2`, 'api/v2/bar#index'],
      ['GET', '/api/bar', `${vendorType}+json ;version=2`, 'api/v2/bar#index'],
      ['GET', '/api/bar', `${vendorType}+json ; version = 2`, 'api/v2/bar#index'],
      ['GET', '/api/bar', `${vendorType} + json;version=2`, 'api/v2/bar#index'],
      ['GET', '/api/bar', `${vendorType} +xml ; version= 2`, 'api/v2/bar#index'],
      ['GET', '/api/bar', `${vendorType}+xml;version=2`, 'api/v2/bar#index'],
      // several ranges
      ['GET', '/api/bar', `text/html, ${vendorType}+json;version=2, */*;q=0.1`, 'api/v2/bar#index'],
    ],
  },
  "path: ''": {
    routes: api({ ...options, path: '' }, version(1, cache({ as: 'v1' }, resources('foo')))),
    requests: [
      ['GET', '/foo', '', 'api/v1/foo#index'],
      ['PUT', '/foo/1.json', '', 'api/v1/foo#update'],
      ['GET', '/api/foo', '', 404],
    ],
  },
  'another path': {
    routes: api({ ...options, path: '/rest/x' }, version(1, resources('foo'))),
    requests: [['GET', '/rest/x/foo/1', '', 'api/v1/foo#show']],
  },
  "namespace: ''": {
    routes: api({ ...options, namespace: '' }, version(1, resources('qux'))),
    requests: [['GET', '/qux', '', 'v1/qux#index']],
  },
  'another namespace': {
    routes: api(
      { ...options, namespace: 'auth_api' },
      version(1, resources('foo', { only: 'index' })),
    ),
    requests: [['GET', '/auth_api/foo', '', 'auth_api/v1/foo#index']],
  },
  'a namespace and a path': {
    routes: api(
      { ...options, namespace: 'auth_api', path: '/api' },
      version(1, resources('foo', { only: 'index' })),
    ),
    requests: [['GET', '/api/foo', '', 'auth_api/v1/foo#index']],
  },
  "shallow with path: ''": {
    routes: api(
      { ...options, path: '' },
      version(1, cache({ as: 'v1' }, resources('posts', { shallow: true }, resources('replies')))),
    ),
    requests: [
      ['GET', '/posts/1/replies', '', 'api/v1/replies#index'],
      ['GET', '/replies/7', '', 'api/v1/replies#show'],
      ['GET', '/posts/1/replies/7', '', 404],
    ],
  },
}

/**
 * Creates a controller for every row. Its actions respond with their names: `api/v1/users#show`.
 */
export function createOriginalControllers(routes: Api, native: AdapterUnderTest['native']): object {
  const controllers: Record<number, Record<string, Record<string, unknown>>> = {}
  for (const row of routeTable(routes)) {
    const actions = ((controllers[row.version] ??= {})[row.key] ??= {})
    actions[row.action] = native(() => ({ served: `${row.controller}#${row.action}` }))
  }
  return controllers
}
