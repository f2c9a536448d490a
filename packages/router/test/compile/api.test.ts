import { describe, expect, it } from 'vitest'
import { api, cache, inherit, resources, routeTable, version } from '../../src/index.ts'

const options = { vendorString: 'Acme', formats: ['json', 'xml'], constraints: { id: /\d+/ } }
const routes = api(
  options,
  version(2, cache({ as: 'v2' }, resources('users', { only: ['show'] }))),
  version(1, inherit({ from: 'v2' })),
)

/** Every object that can be reached from a value. */
function reachable(value: unknown, found = new Set<object>()): ReadonlySet<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const inner of Object.values(value)) reachable(inner, found)
  return found
}

describe('the settings of an API', () => {
  it('have every default applied', () => {
    expect(routes.settings).toEqual({
      vendor: 'Acme',
      vendorType: 'application/vnd.Acme',
      prefix: '/api',
      namespace: 'api',
      formats: ['json', 'xml'],
      redirectsExtensions: false,
      strict: false,
      versions: [1, 2],
      defaultVersion: 2,
      requireVersion: false,
      previews: [],
      lives: [null, null],
    })
    expect(api({ vendorString: 'a' }, version(1, resources('x'))).settings).toMatchObject({
      formats: ['json'],
      redirectsExtensions: true,
    })
  })
  it.each([
    [{ path: '' }, ''],
    [{ path: '/' }, ''],
    [{ path: 'v/x/' }, '/v/x'],
    [{ namespace: 'rest' }, '/rest'],
    [{ namespace: '' }, ''],
    [{ namespace: 'rest', path: '/' }, ''],
  ])('read the prefix from %j', (more, prefix) =>
    expect(api({ vendorString: 'a', ...more }, version(1, resources('x'))).settings.prefix).toBe(
      prefix,
    ),
  )
})

describe('options that are undefined', () => {
  it('are none', () => {
    const users = resources('users', { only: 'show' })
    const names = (...nodes: readonly unknown[]) =>
      routeTable(api({ vendorString: 'a' }, version(1, ...(nodes as [typeof users])))).map(
        ({ key, action }) => `${key}.${action}`,
      )
    expect(names(undefined, users)).toEqual(['users.show'])
    expect(names(resources('users', undefined as never))).toEqual(names(resources('users')))
  })
})

describe('an API', () => {
  it('is frozen all the way down', () => {
    const ending = api(
      { vendorString: 'a' },
      version(1, { deprecated: new Date(0), sunset: '2027-07-01', docs: '/end' }, resources('x')),
    )
    const tombstone = api(
      { vendorString: 'a' },
      version(1, { sunset: '2027-07-01' }),
      version(2, resources('x')),
    )
    const objects = [routes, ending, tombstone].flatMap((one) => [
      ...reachable(one),
      ...reachable(routeTable(one)),
    ])
    expect(objects.length).toBeGreaterThan(15)
    expect(objects.filter((one) => !Object.isFrozen(one))).toEqual([])
  })
  it("doesn't change with its options", () => {
    options.formats.push('csv')
    options.constraints.id.lastIndex = 3 // the option itself stays as the caller made it
    expect(routes.settings.formats).toEqual(['json', 'xml'])
  })
})
