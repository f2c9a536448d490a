// The matcher against a naive reading of the rows, on paths that are nearly right. FUZZ_RUNS=1000000 makes it long.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Api,
  type Row,
  api,
  cache,
  createMatcher,
  get,
  inherit,
  mediaType,
  resources,
  version,
  routeTable,
} from '../../src/index.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 10_000)

const declare = (options: object): Api =>
  api(
    { vendorString: 'acme', ...options } as { vendorString: string },
    version(
      1,
      cache(
        { as: 'v1' },
        resources('users', resources('posts', { except: 'new' })),
        get('robots.txt', { to: 'robots#show' }),
        get('robots', { to: 'robots#list' }),
      ),
    ),
    version(2, inherit({ from: 'v1' }), resources('teams', { except: 'new' }), get(':page/edit', { to: 'pages#edit' })),
    version(3, resources('teams', { only: ['new', 'show'] }), resources('users', { only: 'index' })),
  )

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('api', 'users', 'posts', 'teams', 'new', 'edit', '7', 'robots', 'robots.txt'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '.',
      '..',
      '.json',
      '7.json',
      'new.xml',
      'edit.json',
      'users.json',
      'a.b',
      'a.b.json',
      'robots.txt.gz',
      'users.',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%',
      '%zz',
      '%2F',
      '%41',
      '%C3',
      '%C3%A9',
      '7.%zz',
      '__proto__',
      'constructor',
      'é',
      'a b',
      '#',
      ';x',
    ),
  },
)
const path = fc
  .tuple(fc.array(segment, { maxLength: 6 }), fc.constantFrom('', '', '', '/', '//', '?', '?a=/b.c%zz', '/?x'))
  .map(([segments, end]) => `/api/${segments.join('/')}${end}`)
const anyPath = fc.oneof(
  { weight: 20, arbitrary: path },
  fc.constantFrom('', '/', '//', '*', 'api/users', '/ap', '/api', '/apix/users'),
  fc.string(),
)

type Formats = readonly string[] | 'any' | false
interface Hit {
  readonly row: Row
  readonly values: readonly string[]
  readonly extension: string | null
  readonly rank: string
}

/** How a row fits a path, by a pattern alone; nearer fits have the lower rank. */
function fit(row: Row, url: string, formats: Formats): Hit | null {
  const clean = url.replace(/\?[\s\S]*$/, '').replace(/(?<=[^/])\/$/, '')
  const value = formats === 'any' ? '([^/.]+)' : '([^/]+?)'
  const extension = formats === 'any' ? '(?:\\.([^/.]+))?' : formats === false ? '()' : `(?:\\.(${formats.join('|')}))?`
  const stem = row.path.replace('(.:format)', '')
  const found = new RegExp(`^${stem.replace(/[.]/g, '\\$&').replace(/:\w+/g, value)}${extension}$`).exec(clean)
  if (found === null) return null
  const ext = found.at(-1) || null
  // An extension that counts is always one: `/users/.json` has an empty id.
  if (
    ext === null &&
    Array.isArray(formats) &&
    stem.includes(':') &&
    formats.some((one) => found.at(-2)?.endsWith(`.${one}`) && clean.endsWith(`.${one}`))
  )
    return null
  const kinds: string[] = stem
    .split('/')
    .slice(1)
    .map((one) => (one.startsWith(':') ? '2' : '0'))
  if (kinds.at(-1) === '0' && ext !== null) kinds[kinds.length - 1] = '1'
  return {
    row,
    values: found.slice(1, -1),
    extension: ext,
    rank: kinds.join('') + (row.inheritedFrom === null ? '0' : '1'),
  }
}
const decodes = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function matchNaively(routes: Api, formats: Formats, method: string, url: string, versions: readonly number[]): string {
  const hits = routeTable(routes).flatMap((row) => fit(row, url, formats) ?? [])
  if (hits.length === 0) return '404 unknown-path'
  if (hits.some(({ values, extension }) => [...values, extension ?? ''].some((text) => decodes(text) === null)))
    return '400 malformed-path'
  if (method === 'OPTIONS') return '204 options'
  const asked = method === 'HEAD' ? 'GET' : method
  for (const version of versions) {
    const [best] = hits
      .filter(({ row }) => row.version === version && row.method === asked)
      .toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    if (best !== undefined)
      return `${version} ${best.row.controller}#${best.row.action} ${JSON.stringify(best.values.map(decodes))} ${best.extension && decodes(best.extension)}`
  }
  return versions.some((version) => hits.some(({ row }) => row.version === version))
    ? '405 method-not-allowed'
    : '404 not-in-version'
}

describe('matching', () => {
  it.each<[Formats]>([['any'], [['json']], [false]])(
    `agrees with a naive reading, formats %j, ${numRuns} requests`,
    (formats) => {
      const routes = declare({ formats })
      const { match } = createMatcher(routes)
      const methods = fc.constantFrom(
        'GET',
        'GET',
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'DELETE',
        'PATCH',
        'OPTIONS',
        'get',
        '__proto__',
      )
      const acceptable = fc.uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 })
      fc.assert(
        fc.property(methods, anyPath, acceptable, (method, url, versions) => {
          const accept = versions.map((version) => mediaType(routes, version, 'json').replace('+json', '')).join(', ')
          const found = match(method, url, accept)
          const ours =
            found.kind === 'miss'
              ? `${found.status} ${found.code}`
              : `${found.version} ${found.route.controller}#${found.route.action} ${JSON.stringify(Object.values(found.params))} ${found.format}`
          expect(ours).toBe(matchNaively(routes, formats, method, url, versions))
        }),
        { numRuns },
      )
    },
    3_600_000,
  )
})
