// explain() reports what the matcher did: its result is the matcher's, and its steps name the same versions and status.
import { expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { isAll } from '../../../../tools/test-all.ts'
import { api, cache, createMatcher, explain, inherit, resources, version } from '../../src/index.ts'

const nodes = [
  version(
    1,
    { sunset: '2027-03-01' },
    cache({ as: 'v1' }, resources('users', { except: 'destroy' }, resources('posts'))),
  ),
  version(
    2,
    { brownouts: [['2027-02-01', '2027-02-02']] },
    inherit({ from: 'v1' }),
    resources('teams', {
      only: ['index', 'show'],
      constraints: { id: /\d+/ },
      sunset: '2027-02-15',
    }),
  ),
  version(3, resources('teams', { only: 'show' })),
  version(4, { preview: true }, resources('teams', { only: 'index' })),
] as const
const apis = {
  'the first version as default': api({ vendorString: 'acme' }, ...nodes),
  'the last version as default': api({ vendorString: 'acme', defaultVersion: 3 }, ...nodes),
  'a required version': api({ vendorString: 'acme', requireVersion: true }, ...nodes),
  'strict: true': api({ vendorString: 'acme', strict: true }, ...nodes),
}

const range = fc
  .tuple(
    fc.constantFrom(
      'application/vnd.acme+json',
      'application/vnd.acme',
      '*/*',
      'application/json',
      'text/html',
      'a b',
    ),
    fc.constantFrom(
      '',
      ';version=1',
      ';version=2',
      ';version=3',
      ';version=9',
      ';version=x',
      '; version="2"',
    ),
    fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.9', ';q=x'),
  )
  .map((parts) => parts.join(''))
const accept = fc.option(
  fc.array(range, { maxLength: 4 }).map((ranges) => ranges.join(', ')),
  { nil: undefined },
)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS')
const path = fc
  .array(fc.constantFrom('users', 'posts', 'teams', '7', 'new', 'edit', 'x.json', '%zz', ''), {
    maxLength: 5,
  })
  .map((segments) => `/api/${segments.join('/')}`)
const numRuns = Math.min(Number(process.env['FUZZ_RUNS'] ?? (isAll ? 1000 : 100)), 100_000)

const anyTime = fc
  .constantFrom('2027-01-01', '2027-02-01', '2027-02-20', '2027-04-01')
  .map(Date.parse)

/** The first group of every step that matches. */
const find = (steps: readonly string[], pattern: RegExp): string[] =>
  steps.flatMap((step) => pattern.exec(step)?.[1] ?? [])

it.each(Object.entries(apis))(
  `explain agrees with the matcher, with %s, ${numRuns} requests`,
  (_title, routes) => {
    let time = 0
    const now = () => time
    const { match } = createMatcher(routes, { now })
    fc.assert(
      fc.property(method, path, accept, anyTime, (verb, url, header, moment) => {
        time = moment
        const { result, problem, steps } = explain(
          routes,
          { method: verb, path: url, accept: header },
          { now },
        )
        const found = match(verb, url, header)
        expect(result).toEqual(found)

        const [list] = find(steps, /^Acceptable versions, best first: (.*)\.$/)
        const acceptable = list?.split(', ') ?? []
        const tried = find(steps, /^Version (\d+) (?:doesn't have|has) this path/)
        const withOutage = find(
          steps,
          /^(?:V|The route of v)ersion (\d+) (?:was retired|is in a brownout)/,
        )
        const passed = acceptable.filter(
          (version) => tried.includes(version) || withOutage.includes(version),
        )
        if (found.kind === 'match') {
          expect(passed).toEqual(acceptable.slice(0, passed.length))
          expect(acceptable[passed.length]).toBe(String(found.version))
          expect(steps.at(-1)).toContain(
            `${found.row.controller}#${found.row.action} serves the request`,
          )
        } else if (problem !== null) {
          expect(problem.status).toBe(found.status)
          expect(steps.at(-1)).toContain(`${found.status} ${problem.title}: `)
          if (found.code !== 'malformed-path') expect(passed).toEqual(acceptable)
        } else expect(tried).toEqual([])
        for (const version of find(steps, /default version applies: (\d+)\.$/))
          expect(acceptable).toEqual([version])
        if (steps.some((step) => /so no default applies/.test(step))) expect(acceptable).toEqual([])
      }),
      { numRuns },
    )
  },
)
