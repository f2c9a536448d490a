import { describe, expect, it } from 'vitest'
import {
  RouterError,
  api,
  cache,
  get,
  inherit,
  member,
  namespace,
  resources,
  routeTable,
  scope,
  version,
} from '../../src/index.ts'
import { type LifeOptions, outageAt, joinLives, readLife } from '../../src/declare/life.ts'

const at = (text: string) => Date.parse(text)
const read = (options: LifeOptions) => readLife(options, 'here')!
const headersOf = (options: LifeOptions) => Object.fromEntries(read(options).headers)

describe('a date', () => {
  it.each<[written: unknown, time: string]>([
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['2027-05-04T14:00Z', '2027-05-04T14:00:00.000Z'],
    ['2027-05-04t14:00:01.5z', '2027-05-04T14:00:01.500Z'],
    ['2027-05-04T14:00:00+02:00', '2027-05-04T12:00:00.000Z'],
    ['2027-05-04T00:00:00-05:30', '2027-05-04T05:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%j is %s', (written, time) =>
    expect(read({ sunset: written as string }).sunset).toBe(at(time)),
  )

  it.each<unknown>([
    true,
    1798761600,
    '',
    'tomorrow',
    '2027',
    '2027-7-1',
    '2027-07',
    '2027-02-29',
    '2027-02-30',
    '2027-13-01',
    '2027-00-10',
    '2027-07-01T12:00:00',
    '2027-07-01 12:00:00Z',
    '2027-07-01T24:00:00Z',
    '2027-07-01T12:60:00Z',
    '2027-07-01T12:00:00+25:00',
    ' 2027-07-01',
    '2027-07-01\n',
    'Thu, 01 Jul 2027 00:00:00 GMT',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
  ])('%j is refused', (written) => {
    const error = (() => {
      try {
        return read({ sunset: written as string })
      } catch (thrown) {
        return thrown as RouterError
      }
    })()
    expect(error).toMatchObject({
      code: 'HV_DATE',
      details: { where: 'here', option: 'sunset', received: written },
    })
  })

  it('may be a Date, which a node keeps as text', () => {
    const date = new Date('2027-07-01T12:00:00Z')
    const node = version(1, { sunset: date }, resources('users'))
    expect(node.options).toEqual({ sunset: '2027-07-01T12:00:00.000Z' })
    date.setFullYear(1999)
    expect(routeTable(api({ vendorString: 'a' }, node))[0]!.life!.sunset).toBe(
      at('2027-07-01T12:00:00Z'),
    )
  })
  it.each([new Date('x'), new Date('+010000-01-01')])('may not be %j', (date) => {
    expect(() =>
      api({ vendorString: 'a' }, version(1, { sunset: date }, resources('users'))),
    ).toThrow('HV_DATE')
  })
})

describe('the headers', () => {
  it.each<[LifeOptions, Record<string, string>]>([
    [{ deprecated: '2023-06-30T23:59:59Z' }, { deprecation: '@1688169599' }], // RFC 9745, section 2.1
    [{ deprecated: '1969-12-31T23:59:59.500Z' }, { deprecation: '@-1' }],
    [{ sunset: '2026-11-11T11:11:11Z' }, { sunset: 'Wed, 11 Nov 2026 11:11:11 GMT' }], // RFC 8594, section 9
    [
      { docs: '/end', deprecated: '1970-01-01' },
      { deprecation: '@0', link: '</end>; rel="deprecation"; type="text/html"' },
    ],
    [
      { docs: '/end', sunset: '1970-01-01' },
      { sunset: 'Thu, 01 Jan 1970 00:00:00 GMT', link: '</end>; rel="sunset"; type="text/html"' },
    ],
    [{ docs: '/end' }, { link: '</end>; rel="deprecation"; type="text/html"' }],
    [{ successor: 2 }, {}],
  ])('of %j', (options, headers) => expect(headersOf(options)).toEqual(headers))

  it('are none without a life', () => expect(readLife({}, 'here')).toBeNull())
})

describe('two lives joined', () => {
  const outer = read({
    deprecated: '2027-02-01',
    sunset: '2027-12-01',
    docs: '/outer',
    successor: 2,
  })

  it('have the earlier of each date, and the inner one of the rest', () => {
    const inner = read({
      deprecated: '2027-03-01',
      sunset: '2027-07-01',
      docs: '/inner',
      retire: 'serve',
    })
    expect(joinLives(outer, inner, 'here')).toMatchObject({
      deprecated: at('2027-02-01'),
      sunset: at('2027-07-01'),
      docs: '/inner',
      successor: 2,
      retire: 'serve',
    })
  })
  it('end with the outer one, even if the inner one goes on', () => {
    const joined = joinLives(outer, read({ sunset: '2027-07-01', retire: 'serve' }), 'here')
    expect(outageAt(joined, at('2027-08-01'))).toBeNull()
    expect(outageAt(joined, at('2027-12-01'))).toEqual({ from: at('2027-12-01'), until: Infinity })
  })
  it("don't end when neither is enforced", () => {
    const serving = read({ sunset: '2027-12-01', retire: 'serve' })
    expect(joinLives(serving, read({ sunset: '2027-07-01' }), 'here')!.firstOutage).toBe(Infinity)
    expect(
      joinLives(serving, read({ sunset: '2027-07-01', retire: 'gone' }), 'here')!.firstOutage,
    ).toBe(at('2027-07-01'))
  })
  it('may make no sense', () => {
    expect(() => joinLives(outer, read({ sunset: '2027-01-01' }), 'here')).toThrow('HV_SUNSET')
  })
})

describe('an outage', () => {
  const life = read({
    sunset: '2027-07-01',
    brownouts: [
      ['2027-05-01', '2027-05-02'],
      ['2027-05-01', '2027-05-04'],
    ],
  })
  it.each([
    ['2027-04-30T23:59:59.999Z', null],
    ['2027-05-01T00:00:00Z', at('2027-05-04')],
    ['2027-05-03T23:59:59.999Z', at('2027-05-04')],
    ['2027-05-04T00:00:00Z', null],
    ['2027-06-30T23:59:59.999Z', null],
    ['2027-07-01T00:00:00Z', Infinity],
  ])('at %s ends at %s', (time, until) =>
    expect(outageAt(life, at(time))?.until ?? null).toBe(until),
  )

  it.each([
    ['touch', '2027-05-02', '2027-05-03'],
    ['overlap', '2027-05-01T12:00Z', '2027-05-03'],
    ['contain each other', '2027-05-01T06:00Z', '2027-05-01T12:00Z'],
  ])('ends with the last of the brownouts that %s', (_, from, until) => {
    const joined = readLife(
      {
        sunset: '2027-07-01',
        brownouts: [
          [from, until],
          ['2027-05-01', '2027-05-02'],
        ],
      },
      'here',
    )
    const last = Math.max(Date.parse('2027-05-02'), Date.parse(until))
    expect(outageAt(joined, Date.parse('2027-05-01T08:00Z'))?.until).toBe(last)
  })
  it('is none for a clock that fails', () => expect(outageAt(life, Number.NaN)).toBeNull())
})

describe('the life of a row', () => {
  const routes = api(
    { vendorString: 'acme', only: 'index' },
    version(
      1,
      { sunset: '2030-01-01' },
      cache(
        { as: 'v1' },
        resources('users'),
        namespace('admin', { sunset: '2029-01-01' }, resources('keys')),
        resources(
          'posts',
          { sunset: '2028-01-01' },
          resources('comments'),
          member(get('draft', { sunset: '2027-01-01' })),
        ),
        get('health', { to: 'health#show', sunset: '2026-01-01' }),
      ),
    ),
    version(2, inherit({ from: 'v1' })),
    version(3, inherit({ from: 'v1', only: ['users', 'posts'], sunset: '2027-06-01' })),
  )
  const sunsets = (number: number) =>
    Object.fromEntries(
      routeTable(routes)
        .filter((row) => row.version === number)
        .map(({ pattern, life }) => [
          pattern.slice(5),
          life && new Date(life.sunset!).toISOString().slice(0, 7),
        ]),
    )

  it('joins those of the version and of all nodes around it', () =>
    expect(sunsets(1)).toEqual({
      users: '2030-01',
      'admin/keys': '2029-01',
      'posts/:post_id/comments': '2028-01',
      'posts/:id/draft': '2027-01',
      posts: '2028-01',
      health: '2026-01',
    }))
  it("doesn't pass from a version to those that inherit from it", () =>
    expect(sunsets(2)).toMatchObject({ users: null, posts: '2028-01', health: '2026-01' }))
  it('also comes from the inherit', () =>
    expect(sunsets(3)).toEqual({
      users: '2027-06',
      'posts/:post_id/comments': '2027-06',
      'posts/:id/draft': '2027-01',
      posts: '2027-06',
    }))
  const ending = { sunset: '2027-01-01', docs: '/users' } as const
  const serving = { retire: 'serve', docs: '/inherited' } as const
  it.each([
    ['a resource', resources('users', ending)],
    ['a resource in a namespace', namespace('admin', resources('users', ending))],
    ['a namespace', namespace('admin', ending, resources('users'))],
    ['a nested resource', resources('posts', { only: [] }, resources('users', ending))],
    ['a verb in a namespace', namespace('admin', get('users', { to: 'users#index', ...ending }))],
  ])('is enclosed by that of the inherit: %s', (_what, node) => {
    const enclosed = api(
      { vendorString: 'acme', only: 'index' },
      version(1, node as ReturnType<typeof resources<'users'>>),
      version(2, inherit({ from: 1, ...serving })),
      version(3, inherit({ from: 1, retire: 'gone' })),
      version(4, inherit({ from: 3, ...serving })),
    )
    const lives = routeTable(enclosed).map(({ life }) => [life!.docs, life!.firstOutage])
    const end = at('2027-01-01')
    expect(lives).toEqual([
      ['/users', end],
      ['/users', Infinity],
      ['/users', end],
      ['/users', end],
    ])
  })
  it('comes from a scope in a version, in a cache and in a resource, and the earlier date counts', () => {
    const scoped = api(
      { vendorString: 'acme', only: 'index' },
      version(
        1,
        cache(
          { as: 'v1' },
          scope(
            { sunset: '2028-01-01', deprecated: '2027-01-01' },
            resources('users', { sunset: '2029-01-01' }),
            resources('teams', { sunset: '2026-01-01', deprecated: '2025-01-01' }),
          ),
          resources(
            'posts',
            { sunset: '2028-01-01' },
            scope({ sunset: '2027-01-01' }, resources('comments')),
          ),
        ),
      ),
      version(2, inherit({ from: 'v1', only: ['users', 'posts'], sunset: '2027-06-01' })),
    )
    const lives = routeTable(scoped).map(({ version: number, key, life }) => [
      `${number} ${key}`,
      ...[life!.deprecated, life!.sunset].map(
        (time) => time && new Date(time).toISOString().slice(0, 7),
      ),
    ])
    expect(lives).toEqual([
      ['1 users', '2027-01', '2028-01'],
      ['1 teams', '2025-01', '2026-01'],
      ['1 comments', null, '2027-01'],
      ['1 posts', null, '2028-01'],
      ['2 users', '2027-01', '2027-06'],
      ['2 comments', null, '2027-01'],
      ['2 posts', null, '2027-06'],
    ])
    const wrong = () =>
      api({ vendorString: 'acme' }, version(1, scope({ sunset: 'soon' }, resources('users'))))
    expect(wrong).toThrow(expect.objectContaining({ code: 'HV_DATE' }) as Error)
  })
  it('of a number declared twice is joined', () => {
    const twice = api(
      { vendorString: 'acme' },
      version(1, { sunset: '2030-01-01' }),
      version(1, { deprecated: '2029-01-01' }, resources('users')),
    )
    expect(twice.settings.lives).toMatchObject([
      { deprecated: at('2029-01-01'), sunset: at('2030-01-01') },
    ])
  })
  it("doesn't keep versions from sharing their routes", () => {
    const [one, two] = routes.table
    expect(two!.routes.map((route, i) => route === one!.routes[i])).toEqual(
      one!.routes.map(() => true),
    )
  })
})
