import { describe, expect, it } from 'vitest'
import {
  api,
  cache,
  createMatcher,
  hrefs,
  inherit,
  mediaType,
  namespace,
  pathTo,
  resources,
  routeTable,
  version,
} from '../../src/index.ts'

const routes = api(
  { vendorString: 'Acme' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', resources('posts', { shallow: true })),
      namespace('admin', resources('keys', { param: 'slug' })),
    ),
  ),
  version(2, inherit({ from: 'v1' }), resources('posts', { only: 'index' })),
)
const href = hrefs(routes)

describe('hrefs', () => {
  it.each([
    [href.users.index(), '/api/users'],
    [href.users.show({ id: 7 }), '/api/users/7'],
    [href.users.show({ id: 7, format: 'json' }), '/api/users/7.json'],
    [href.users.show({ id: 'a/b c?d#é' }), '/api/users/a%2Fb%20c%3Fd%23%C3%A9'],
    [href.users.show({ id: 'v1.5' }), '/api/users/v1%2E5'],
    [href.users.edit({ id: 0 }), '/api/users/0/edit'],
    [href.posts.index({ user_id: 7 }), '/api/users/7/posts'],
    [href.posts.index(), '/api/posts'],
    [href.posts.show({ id: 7 }), '/api/posts/7'],
    [href['admin/keys'].destroy({ slug: 'x' }), '/api/admin/keys/x'],
    [pathTo(routes, 'api_users'), '/api/users'],
    [pathTo(routes, 'edit_api_user', { id: 1, format: 'html' }), '/api/users/1/edit.html'],
    [mediaType(routes, 2), 'application/vnd.Acme+json;version=2'],
    [mediaType(routes, 1, 'xml'), 'application/vnd.Acme+xml;version=1'],
  ])('%s', (actual, expected) => expect(actual).toBe(expected))

  it('builds URLs that the matcher gives back, for every named row', () => {
    const { match } = createMatcher(routes)
    const value = 'a/b.c %25?;é'
    for (const row of routeTable(routes).filter(({ name }) => name !== null)) {
      const names = [...row.path.matchAll(/\/:(\w+)/g)].map(([, name]) => name!)
      const params = Object.fromEntries(names.map((name) => [name, value]))
      expect(match(row.method, pathTo(routes, row.name!, params), mediaType(routes, row.version))).toMatchObject({
        route: row,
        params,
      })
    }
  })
})
