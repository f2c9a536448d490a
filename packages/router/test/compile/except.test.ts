// What `except` of `inherit` drops when it names a verb by its target.
import { describe, expect, it } from 'vitest'
import {
  api,
  collection,
  del,
  get,
  inherit,
  member,
  namespace,
  resources,
  routeTable,
  scope,
  version,
} from '../../src/index.ts'

/** The names that `except` gets here aren't known to the types. */
type Untyped = (...parts: unknown[]) => never

const nodes = [
  get('users', { to: 'users#findAll' }),
  get('people', { to: 'users#findAll' }),
  del('users/:email', { to: 'users#delete' }),
  resources(
    'users',
    { only: ['show', 'destroy'] },
    member(get('badge')),
    collection(get('new-ones')),
  ),
  del('everyone', { to: 'users#destroy' }),
  scope({ path: 'in' }, get('scope', { to: 'users#scoped' })),
  namespace('admin', del('users/:email', { to: 'users#delete' }), get('log', { to: 'logs#show' })),
  get('deep', { to: 'admin/logs#show' }),
] as const

const left = (except: string | string[]): string[] => {
  const routes = api(
    { vendorString: 'a', path: '' },
    (version as Untyped)(1, ...nodes),
    (version as Untyped)(2, (inherit as Untyped)({ from: 1, except })),
  )
  return routeTable(routes)
    .filter((row) => row.version === 2)
    .map(({ method, pattern }) => `${method} ${pattern}`)
}

describe('except', () => {
  const all = left([])

  it.each<[string | string[], string[]]>([
    ['users#delete', ['DELETE /users/:email']],
    ['users#findAll', ['GET /users', 'GET /people']],
    // A resource's action and a verb have the same name: both are dropped.
    ['users#destroy', ['DELETE /users/:id', 'DELETE /everyone']],
    ['users#show', ['GET /users/:id']],
    ['users#badge', ['GET /users/:id/badge']],
    ['users#new_ones', ['GET /users/new-ones']],
    ['users#scoped', ['GET /in/scope']],
    ['admin/users#delete', ['DELETE /admin/users/:email']],
    // A target in a namespace, and the namespace in a target.
    ['admin/logs#show', ['GET /admin/log', 'GET /deep']],
    ['users/:email', ['DELETE /users/:email']],
    [
      ['users#delete', 'admin/users/:email'],
      ['DELETE /users/:email', 'DELETE /admin/users/:email'],
    ],
    [
      'users',
      [
        'GET /users',
        'GET /users/:id',
        'DELETE /users/:id',
        'GET /users/:id/badge',
        'GET /users/new-ones',
      ],
    ],
  ])('%j drops %j', (except, dropped) => {
    const kept = left(except)
    expect(all.filter((route) => !kept.includes(route)).toSorted()).toEqual(dropped.toSorted())
    expect(all.filter((route) => kept.includes(route))).toEqual(kept)
  })

  it.each(['users#remove', 'delete', '#delete', 'people#findAll', 'admin#delete', 'users/badge#x'])(
    'lists every name that would work in place of %s',
    (except) => {
      const error = (() => {
        try {
          left(except)
        } catch (thrown) {
          return thrown as { code: string; details: { known: string[] } }
        }
      })()!
      expect(error.code).toBe('HV_UNKNOWN_RESOURCE')
      const { known } = error.details
      expect(known).toContain('users#delete')
      expect(known).toContain('admin/users#delete')
      for (const name of known) expect(left(name).length, name).toBeLessThan(all.length)
    },
  )
})
