// The matcher against a naive reading of the rows, on paths that are nearly right. FUZZ_RUNS=1000000 makes it long.
import { describe, expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
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

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1000)

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
        get('files/*path', { to: 'files#show' }),
        resources('hosts', { only: 'show', constraints: { id: /[\w.]+/ } }, get('facts')),
      ),
    ),
    version(
      2,
      inherit({ from: 'v1' }),
      resources('teams', { except: 'new' }),
      get(':page/edit', { to: 'pages#edit' }),
    ),
    version(
      3,
      resources('teams', { only: ['new', 'show'] }),
      resources('users', { only: 'index' }),
      get(':page/edit.json', { to: 'pages#source' }),
    ),
  )

const anySegment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'api',
      'users',
      'posts',
      'teams',
      'new',
      'edit',
      '7',
      'robots',
      'robots.txt',
      'files',
      'hosts',
      'facts',
    ),
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
  .tuple(
    fc.array(anySegment, { maxLength: 6 }),
    fc.constantFrom('', '', '', '/', '//', '?', '?a=/b.c%zz', '/?x', '#', '.json/#/x', '/#?'),
  )
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

type Reading = readonly [value: string, extension: string | null]

/** How a row fits a path, segment by segment; nearer fits have the lower rank. */
function fit(row: Row, url: string, formats: Formats): Hit | null {
  const sent = url
    .replace(/[?#][\s\S]*$/, '')
    .replace(/(?<=[^/])\/$/, '')
    .split('/')
  const declared = row.pattern.split('/')
  const last = declared.length - 1
  const isGlob = declared[last]!.startsWith('*')
  if (
    isGlob
      ? sent.length < declared.length || sent.slice(last).includes('')
      : sent.length !== declared.length
  )
    return null
  const values: string[] = []
  for (const [i, segment] of declared.slice(0, -1).entries())
    if (!segment.startsWith(':')) {
      if (segment !== sent[i]) return null
    } else {
      const accepts = constraintOf(row, segment)
      if (
        sent[i] === '' ||
        (accepts === null ? formats === 'any' && sent[i]!.includes('.') : !accepts(sent[i]!))
      )
        return null
      values.push(sent[i]!)
    }

  const text = sent.slice(last).join('/')
  const reading = readLast(row, declared[last]!, text, formats)
  if (reading === null) return null
  const kinds: string[] = declared
    .slice(1)
    .map((one) => (one.startsWith('*') ? '3' : one.startsWith(':') ? '2' : '0'))
  if (kinds.at(-1) === '0' && reading[1] !== null) kinds[kinds.length - 1] = '1'
  return {
    row,
    values: /^[:*]/.test(declared[last]!) ? [...values, reading[0]] : values,
    extension: reading[1],
    rank: kinds.join('') + (row.inheritedFrom === null ? '0' : '1'),
  }
}

/** The last segment, or what a glob takes: with or without its extension. */
function readLast(row: Row, segment: string, text: string, formats: Formats): Reading | null {
  const dot = text.lastIndexOf('.')
  const extension = dot <= text.lastIndexOf('/') ? '' : text.slice(dot + 1)
  const isFormat =
    formats === 'any' ? extension !== '' : formats !== false && formats.includes(extension)
  const whole: Reading = [text, null]
  const stem: Reading | null = isFormat ? [text.slice(0, dot), extension] : null
  if (!/^[:*]/.test(segment)) return text === segment ? whole : stem?.[0] === segment ? stem : null
  const accepts = constraintOf(row, segment)
  if (segment.startsWith('*') && stem !== null && /(?:^|\/)$/.test(stem[0]))
    return accepts?.(text) === false ? null : whole
  if (accepts === null) {
    const [value] = stem ?? whole
    return value === '' || (formats === 'any' && segment.startsWith(':') && value.includes('.'))
      ? null
      : (stem ?? whole)
  }
  const readings = formats === 'any' ? [whole, stem] : stem?.[0] === '' ? [] : [stem, whole]
  return readings.find((one) => one !== null && one[0] !== '' && accepts(one[0])) ?? null
}

function constraintOf({ constraints }: Row, segment: string): ((text: string) => boolean) | null {
  const pattern = constraints[segment.slice(1)]
  return pattern === undefined
    ? null
    : (text) => decodes(text) === null || pattern.test(decodes(text)!)
}

const decodes = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function matchNaively(
  routes: Api,
  formats: Formats,
  method: string,
  url: string,
  versions: readonly number[],
): string {
  const hits = routeTable(routes).flatMap((row) => fit(row, url, formats) ?? [])
  if (hits.length === 0) return '404 unknown-path'
  if (
    hits.some(({ values, extension }) =>
      [...values, extension ?? ''].some((text) => decodes(text) === null),
    )
  )
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
          const accept = versions
            .map((version) => mediaType(routes, { version }).replace('+json', ''))
            .join(', ')
          const found = match(method, url, accept)
          const ours =
            found.kind === 'miss'
              ? `${found.status} ${found.code}`
              : `${found.version} ${found.row.controller}#${found.row.action} ${JSON.stringify(Object.values(found.params))} ${found.format}`
          expect(ours).toBe(matchNaively(routes, formats, method, url, versions))
        }),
        { numRuns },
      )
    },
    3_600_000,
  )
})
