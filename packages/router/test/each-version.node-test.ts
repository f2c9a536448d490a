// Run by testing.test.ts with `node --test`.
import assert from 'node:assert/strict'
import test from 'node:test'
import { api, cache, inherit, resources, version } from '@hv/router'
import { eachVersion } from '@hv/router/testing'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: 'index' }))),
  version(2, inherit({ from: 'v1' })),
)
for (const { version: number, headers } of eachVersion(routes, 'users', 'index'))
  void test(`GET /api/users, version ${number}`, () =>
    assert.match(headers.accept, new RegExp(`version=${number}$`)))
