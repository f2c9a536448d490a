// A client of a table calls what a client of the route file calls, and builds the paths that `hrefs` builds.
import {
  api,
  cache,
  get,
  hrefs,
  inherit,
  member,
  namespace,
  patch,
  put,
  resource,
  resources,
  version,
} from '@hv/router'
import { describe, expect, it } from 'vitest'
import { clientTable, createClient } from '../src/index.ts'

const routes = api(
  { vendorString: 'acme', path: '/v' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { patch: true }, member(put('ban')), resources('posts')),
    ),
  ),
  version(
    2,
    inherit({ from: 'v1' }),
    resource('profile'),
    namespace('admin', resources('users', { only: 'show' })),
    get('files/*path', { to: 'files#show' }),
    patch('search/:index/~@$&', { to: 'search#run' }),
    get('search', { to: 'search#run' }),
    get('/', { to: 'root#show' }),
  ),
)

const options = {
  baseUrl: 'http://acme.example',
  fetch: async ({ url }: Request) => Response.json(url),
}
type Calls = Readonly<
  Record<string, Readonly<Record<string, (params: object) => Promise<unknown>>>>
>
type Urls = Readonly<Record<string, Readonly<Record<string, (params: object) => string>>>>

describe('a client table', () => {
  it('is plain data: the routes of one version', () => {
    const table = clientTable(routes, { version: 2 })
    expect(JSON.parse(JSON.stringify(table))).toEqual(table)
    expect(table).toMatchObject({
      version: 2,
      accept: 'application/vnd.acme+json;version=2',
      actions: {
        users: { index: ['GET /v/users'], update: ['PUT /v/users/:id', 'PATCH /v/users/:id'] },
        'admin/users': { show: ['GET /v/admin/users/:id'] },
        search: { run: ['PATCH /v/search/:index/~@$&', 'GET /v/search'] },
      },
    })
  })

  it.each([1, 2] as const)(
    'makes the client that the route file makes: version %i',
    async (number) => {
      const sent: string[][] = [[], []]
      const clients = [
        routes,
        JSON.parse(JSON.stringify(clientTable(routes, { version: number }))) as typeof routes,
      ].map(
        (source, index) =>
          createClient(source, {
            ...options,
            version: number,
            fetch: async ({ method, url, headers }) => {
              sent[index]!.push(`${method} ${url} ${headers.get('accept')}`)
              return Response.json({})
            },
          }) as unknown as Calls,
      )
      for (const client of clients)
        for (const actions of Object.values(client))
          for (const call of Object.values(actions))
            await call({ id: 7, user_id: 8, post_id: 9, path: 'a/b.c', index: 'x' })
      expect(sent[0]!.length).toBeGreaterThan(10)
      expect(sent[1]).toEqual(sent[0])
    },
  )

  it('is refused for another version', () => {
    expect(() =>
      createClient(clientTable(routes, { version: 1 }), { ...options, version: 2 }),
    ).toThrow('The client table is for version 1, not 2. Create it again.')
  })
})

const values = [
  'a', '.', '..', '', 'a/../b', 'a//b', '/', 'a/b.c', '%2e', 'ü?#&', ' ', '\u0000', '\uD800', 'a\uDC00', '😀', ':id', '*', '$&', '$1',
  undefined, null, 0, -1, Number.NaN, 7n, true, {}, [], [1], Object.create(null), new Date(0), new URL('http://a/b'),
] as const // prettier-ignore

it.each([
  ['users', 'show'],
  ['posts', 'show'],
  ['files', 'show'],
  ['search', 'run'],
  ['root', 'show'],
] as const)(
  'builds the paths of hrefs, and refuses what it refuses: %s.%s',
  async (key, action) => {
    const call = (createClient(routes, { ...options, version: 2 }) as unknown as Calls)[key]![
      action
    ]!
    const href = (hrefs(routes) as unknown as Urls)[key]![action]!
    const outcome = async (run: () => unknown): Promise<unknown> => {
      try {
        return await run()
      } catch (error) {
        return `refused: ${(error as Error).constructor === TypeError || (error as Error).name}`
      }
    }
    for (const value of values)
      for (const other of ['b', value]) {
        const params = { id: value, user_id: other, path: value, index: value }
        const expected = await outcome(() => new Request(`http://acme.example${href(params)}`).url)
        const sent = await outcome(() => call(params))
        expect(sent, typeof value === 'string' ? value : typeof value).toBe(
          expected === 'refused: RouterError' ? 'refused: true' : expected,
        )
      }
  },
)
