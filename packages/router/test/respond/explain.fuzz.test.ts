// explain() reports what the matcher did: its result is the matcher's, and its steps name the same versions and status.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { api, cache, createMatcher, explain, inherit, resources, version } from '../../src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { except: 'destroy' }, resources('posts')))),
  version(2, inherit({ from: 'v1' }), resources('teams', { only: ['index', 'show'], constraints: { id: /\d+/ } })),
  version(3, resources('teams', { only: 'show' })),
)
const { match } = createMatcher(routes)

const range = fc
  .tuple(
    fc.constantFrom('application/vnd.acme+json', 'application/vnd.acme', '*/*', 'application/json', 'text/html', 'a b'),
    fc.constantFrom('', ';version=1', ';version=2', ';version=3', ';version=9', ';version=x', '; version="2"'),
    fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.9', ';q=x'),
  )
  .map((parts) => parts.join(''))
const accept = fc.option(
  fc.array(range, { maxLength: 4 }).map((ranges) => ranges.join(', ')),
  { nil: undefined },
)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS')
const path = fc
  .array(fc.constantFrom('users', 'posts', 'teams', '7', 'new', 'edit', 'x.json', '%zz', ''), { maxLength: 5 })
  .map((segments) => `/api/${segments.join('/')}`)
const numRuns = Math.min(Number(process.env['FUZZ_RUNS'] ?? 3000), 100_000)

it(`explain agrees with the matcher, ${numRuns} requests`, () => {
  fc.assert(
    fc.property(method, path, accept, (verb, url, header) => {
      const { result, problem, steps } = explain(routes, verb, url, header)
      const found = match(verb, url, header)
      expect(result).toEqual(found)

      const refused = steps.flatMap((step) => /^Version (\d+) (?:does not have|has) this path/.exec(step)?.[1] ?? [])
      const acceptable = steps.flatMap(
        (step) => /^Acceptable versions, best first: (.*)\.$/.exec(step)?.[1]?.split(', ') ?? [],
      )
      if (found.kind === 'match') {
        expect(acceptable.slice(0, refused.length + 1)).toEqual([...refused, String(found.version)])
        expect(steps.at(-1)).toContain(`${found.route.controller}#${found.route.action} serves the request`)
      } else if (problem !== null) {
        expect(problem.status).toBe(found.status)
        expect(steps.at(-1)).toContain(`${found.status} ${problem.title}: `)
        if (found.code !== 'malformed-path') expect(refused).toEqual(acceptable)
      } else expect(refused).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)
