// What the tests of the original Ruby gem show, expressed anew: over real sockets, on every adapter.
import { type Api, api, cache, inherit, resources, routeTable, version } from '@hv/router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdapterUnderTest, Served } from './index.ts'

/** A controller for every row, whose actions answer what they are: `api/v1/users#show`. */
function controllersFor(routes: Api, native: AdapterUnderTest['native']): object {
  const controllers: Record<number, Record<string, Record<string, unknown>>> = {}
  for (const { version, controller, action } of routeTable(routes)) {
    const key = controller.replace(/^.*?\bv\d+\//, '')
    const actions = ((controllers[version] ??= {})[key] ??= {})
    actions[action] = native(({ params, format }) => ({ to: `${controller}#${action}`, params, format }))
  }
  return controllers
}

export function runOriginal(adapter: AdapterUnderTest): void {
  describe(`the original's cases on ${adapter.name}`, () => {
    const vendor = { vendorString: 'myvendor' }
    describeServed(
      'versions',
      api(
        { ...vendor, defaultVersion: 1 },
        version(1, cache({ as: 'v1' }, resources('bar'))),
        version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), resources('foo'))),
        version(3, inherit({ from: 'v2' })),
      ),
      (ask) => {
        it.each([
          ['/api/bar', 'application/vnd.myvendor+json;version=1', 'api/v1/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+json;version=2', 'api/v2/bar#index'],
          ['/api/foo', 'application/vnd.myvendor+json;version=2', 'api/v2/foo#index'],
          ['/api/bar', 'application/vnd.myvendor+json;version=3', 'api/v3/bar#index'],
          ['/api/foo', 'application/vnd.myvendor+json;version=3', 'api/v3/foo#index'],
          ['/api/foo/new', 'application/vnd.myvendor+json;version=3', 'api/v3/foo#new'],
          ['/api/foo/5/edit', 'application/vnd.myvendor+json;version=3', 'api/v3/foo#edit'],
          // a version that is not there, a route that the version does not have, another vendor
          ['/api/bar', 'application/vnd.myvendor+json;version=99', 406],
          ['/api/foo', 'application/vnd.myvendor+json;version=1', 404],
          ['/api/foo', 'application/vnd.myvendor+json', 404],
          ['/api/bar', 'application/vnd.garbage+xml;version=1', 406],
          // the default version
          ['/api/bar', '', 'api/v1/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+json', 'api/v1/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+json;', 'api/v1/bar#index'],
          ['/api/bar', 'application/json', 'api/v1/bar#index'],
          // spacing
          ['/api/bar', 'application/vnd.myvendor+json; version=2', 'api/v2/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+json ;version=2', 'api/v2/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+json ; version = 2', 'api/v2/bar#index'],
          ['/api/bar', 'application/vnd.myvendor + json;version=2', 'api/v2/bar#index'],
          ['/api/bar', 'application/vnd.myvendor +xml ; version= 2', 'api/v2/bar#index'],
          ['/api/bar', 'application/vnd.myvendor+xml;version=2', 'api/v2/bar#index'],
          // among others
          ['/api/bar', 'text/html, application/vnd.myvendor+json;version=2, */*;q=0.1', 'api/v2/bar#index'],
        ] as const)('%s as %j → %s', async (path, accept, expected) => {
          expect(await ask('GET', path, accept)).toBe(expected)
        })
      },
    )

    describeServed(
      "path ''",
      api({ ...vendor, path: '' }, version(1, cache({ as: 'v1' }, resources('foo')))),
      (ask) => {
        it('serves without a prefix', async () => {
          expect(await ask('GET', '/foo')).toBe('api/v1/foo#index')
          expect(await ask('PUT', '/foo/1.json')).toBe('api/v1/foo#update')
          expect(await ask('GET', '/api/foo')).toBe(404)
        })
      },
    )
    describeServed('another path', api({ ...vendor, path: '/rest/x' }, version(1, resources('foo'))), (ask) => {
      it('serves under it', async () => expect(await ask('GET', '/rest/x/foo/1')).toBe('api/v1/foo#show'))
    })
    describeServed("namespace ''", api({ ...vendor, namespace: '' }, version(1, resources('qux'))), (ask) => {
      it('serves without a prefix, from controllers without a folder', async () => {
        expect(await ask('GET', '/qux')).toBe('v1/qux#index')
      })
    })
    describeServed(
      'another namespace',
      api({ ...vendor, namespace: 'auth_api' }, version(1, resources('foo', { only: 'index' }))),
      (ask) => {
        it('is path and folder', async () => expect(await ask('GET', '/auth_api/foo')).toBe('auth_api/v1/foo#index'))
      },
    )
    describeServed(
      'a namespace beside a path',
      api({ ...vendor, namespace: 'auth_api', path: '/api' }, version(1, resources('foo', { only: 'index' }))),
      (ask) => {
        it('is the folder alone', async () => expect(await ask('GET', '/api/foo')).toBe('auth_api/v1/foo#index'))
      },
    )
    describeServed(
      "shallow with path ''",
      api(
        { ...vendor, path: '' },
        version(1, cache({ as: 'v1' }, resources('posts', { shallow: true }, resources('replies')))),
      ),
      (ask) => {
        it('leaves the parents out of a member', async () => {
          expect(await ask('GET', '/posts/1/replies')).toBe('api/v1/replies#index')
          expect(await ask('GET', '/replies/7')).toBe('api/v1/replies#show')
          expect(await ask('GET', '/posts/1/replies/7')).toBe(404)
        })
      },
    )
  })

  type Ask = (method: string, path: string, accept?: string) => Promise<string | number>

  /** Hands the suite a function that answers the controller and action served, or the status of the refusal. */
  function describeServed(title: string, routes: Api, suite: (ask: Ask) => void): void {
    describe(title, () => {
      let served: Served
      beforeAll(async () => {
        const controllers = controllersFor(routes, adapter.native)
        served = await adapter.serve({ mounts: [{ routes, controllers, prefix: '' }] })
      })
      afterAll(() => served.close())
      suite(async (method, path, accept = '') => {
        const response = await fetch(served.origin + path, { method, headers: { accept } })
        return response.status === 200 ? ((await response.json()) as { to: string }).to : response.status
      })
    })
  }
}
