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
    [href.users.show({ id: '%2E', format: 'a.b/c' }), '/api/users/%252E.a%2Eb%2Fc'],
    [href.users.show({ id: ':id{*x}' }), '/api/users/%3Aid%7B*x%7D'],
    [href.users.show({ id: '...' }), '/api/users/%2E%2E%2E'],
    [pathTo(routes, 'api_users'), '/api/users'],
    [pathTo(routes, 'edit_api_user', { id: 1, format: 'html' }), '/api/users/1/edit.html'],
    [mediaType(routes, { version: 2 }), 'application/vnd.Acme+json;version=2'],
    [mediaType(routes, { version: 1, suffix: 'xml' }), 'application/vnd.Acme+xml;version=1'],
  ])('%s', (actual, expected) => expect(actual).toBe(expected))

  it('encodes values only, not the declared path', () => {
    const odd = api(
      { vendorString: 'acme' },
      version(1, resources('users', { path: "p.o$s~@,=;&'/:z" })),
    )
    expect(hrefs(odd).users.show({ z: '$.', id: 7 } as never)).toBe("/api/p.o$s~@,=;&'/%24%2E/7")
  })

  it.each([
    ['/v', '/v/api/users/7'],
    ['v/', '/v/api/users/7'],
    ['/', '/api/users/7'],
    ['', '/api/users/7'],
    ['/tenants/t1', '/tenants/t1/api/users/7'],
  ])('starts with the prefix %j', (prefix, expected) => {
    expect(hrefs(routes, { prefix }).users.show({ id: 7 })).toBe(expected)
    expect(pathTo(routes, 'api_user', { id: 7 }, { prefix })).toBe(expected)
  })

  it('builds the URL of the root, with an extension or without one', () => {
    const root = api(
      { vendorString: 'acme', path: '' },
      version(1, resources('users', { path: '', only: 'index' })),
    )
    expect([hrefs(root).users.index(), hrefs(root).users.index({ format: 'json' })]).toEqual([
      '/',
      '/.json',
    ])
  })

  it('builds URLs that the matcher gives back, for every named row', () => {
    const { match } = createMatcher(routes)
    const value = 'a/b.c %25?;é'
    for (const row of routeTable(routes).filter(({ name }) => name !== null)) {
      const names = [...row.path.matchAll(/\/:(\w+)/g)].map(([, name]) => name!)
      const params = Object.fromEntries(names.map((name) => [name, value]))
      expect(
        match(row.method, pathTo(routes, row.name!, params), mediaType(routes, row)),
      ).toMatchObject({
        row,
        params,
      })
    }
  })
})
