import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { api, cache, get, inherit, namespace, resources, version } from '../src/index.ts'
import { eachVersion } from '../src/testing.ts'

const routes = api(
  { vendorString: 'acme' },
  version(2, cache({ as: 'v2' }, resources('users', { only: ['index', 'show', 'create'] }))),
  version(10, inherit({ from: 'v2' }), resources('teams', { only: 'index' })),
  version(3, inherit({ from: 'v2' }), namespace('admin', resources('users', { only: 'show' }))),
)

describe('eachVersion', () => {
  const caseOf = (number: number, inheritedFrom: number | null = null) => ({
    version: number,
    headers: { accept: `application/vnd.acme+json;version=${number}` },
    inheritedFrom,
  })

  it('lists every version, lowest first', () => {
    expect(eachVersion(routes)).toEqual([caseOf(2), caseOf(3), caseOf(10)])
  })
  it('lists the versions that have an action', () => {
    expect(eachVersion(routes, 'users', 'show')).toEqual([caseOf(2), caseOf(3, 2), caseOf(10, 2)])
    expect(eachVersion(routes, 'admin/users', 'show')).toEqual([caseOf(3)])
  })
  it('takes the first of several routes of an action', () => {
    const twice = api(
      { vendorString: 'acme' },
      version(1, cache({ as: 'v1' }, resources('users', { only: 'show' }))),
      version(2, inherit({ from: 'v1' }), get('me', { to: 'users#show' })),
      version(3, get('me', { to: 'users#show' }), inherit({ from: 'v1' })),
    )
    expect(eachVersion(twice, 'users', 'show')).toEqual([caseOf(1), caseOf(2, 1), caseOf(3)])
  })
  it('accepts the actions of the route file only', () => {
    // @ts-expect-error users has no action edit
    expect(() => eachVersion(routes, 'users', 'edit')).toThrow(
      "HV_OPTION: eachVersion() requires the action to be one of: users.index, users.create, users.show. Received: 'users.edit'.",
    )
    // @ts-expect-error there is no controller groups
    expect(() => eachVersion(routes, 'groups', 'index')).toThrow(
      "users.show, teams.index, admin/users.show. Received: 'groups.index'.",
    )
    // @ts-expect-error the action is missing
    expect(() => eachVersion(routes, 'users')).toThrow("Received: 'users.undefined'.")
  })

  it('works with node:test', () => {
    const output = execFileSync(
      process.execPath,
      [
        '--conditions=@hv/source',
        '--import',
        'tsx',
        '--test',
        '--test-reporter=tap',
        join(import.meta.dirname, 'each-version.node-test.ts'),
      ],
      {
        encoding: 'utf8',
        cwd: join(import.meta.dirname, '../../..'),
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      },
    )
    expect(output).toContain('ok 1 - GET /api/users, version 1')
    expect(output).toContain('ok 2 - GET /api/users, version 2')
    expect(output).toContain('# pass 2')
  })
})
