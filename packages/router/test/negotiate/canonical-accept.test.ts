import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  api,
  cache,
  canonicalAccept,
  createMatcher,
  inherit,
  resources,
  version,
} from '../../src/index.ts'
import { acceptHeader } from './accept.arbitrary.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1000)
const type = 'application/vnd.acme+json'

const apiWith = (options: object) =>
  api(
    { vendorString: 'acme', ...options },
    version(
      1,
      cache(
        { as: 'v1' },
        resources('users', { only: ['index', 'show'] }),
        resources('old', { only: 'index' }),
      ),
    ),
    version(2, inherit({ from: 'v1', except: 'old' }), resources('teams', { only: 'create' })),
    version(10, resources('teams', { only: 'index' })),
  )
const routes = apiWith({ defaultVersion: 1 })
const requests = ['/users', '/users/7', '/old', '/teams', '/none'].flatMap((path) =>
  ['GET', 'POST', 'OPTIONS'].map((method) => [method, `/api${path}`] as const),
)

describe('canonicalAccept', () => {
  it.each([
    ['no header', undefined, ''],
    ['no header in a fetch request', null, ''],
    ['an empty header', '', ''],
    ['anything', '*/*', ''],
    ['a client of JSON', 'application/json, text/plain, */*', ''],
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', ''],
    ['a version', `${type};version=2`, `${type};version=2`],
    [
      'another spelling of it',
      'Application/VND.Acme+json ; charset=utf-8; Version="2"',
      `${type};version=2`,
    ],
    ['a weight that decides nothing', `${type};version=2;q=0.4`, `${type};version=2`],
    ['the vendor type without a version', type, type],
    [
      'a version that comes twice',
      `${type};version=2, ${type};version=2;q=0.5`,
      `${type};version=2`,
    ],
    [
      'two versions',
      `${type};version=1;q=0.2,${type};version=2`,
      `${type};version=1;q=0.999,${type};version=2`,
    ],
    ['a version, else anything', `${type};version=2, */*;q=0.1`, `${type};version=2,*/*;q=0.999`],
    ['an excluded version', `${type};version=1;q=0, */*`, 'application/vnd.acme;version=1;q=0'],
    ['a version that is not declared', `${type};version=3`, 'application/vnd.acme;version=3;q=0'],
    ['another vendor', 'application/vnd.other+json', '*/*;q=0'],
    ['a malformed version', `${type};version=two`, 'application/vnd.acme;version=x'],
    ['a header over the limits', 'x'.repeat(5000), 'application/vnd.acme;version=x'],
  ])('reduces %s', (_what, accept, expected) => {
    expect(canonicalAccept(routes, accept)).toBe(expected)
  })

  it('keeps a header whose meaning changes when a version ends', () => {
    const floating = apiWith({ defaultVersion: 'oldest' })
    const accept = `${type};version=2, */*`
    expect(canonicalAccept(floating, accept)).toBe(accept)
    expect(canonicalAccept(floating, '*/*')).toBe('')
    expect(canonicalAccept(floating, `${type}; version=2`)).toBe(`${type};version=2`)
  })

  it('keeps that a header is malformed when its versions end', () => {
    const ending = api(
      { vendorString: 'acme', defaultVersion: 'oldest' },
      version(1, resources('users')),
      version(2, { sunset: '2027-01-01' }, resources('users')),
    )
    const accept = `application/vnd.acme;version=2, ${type};version=`
    const { match } = createMatcher(ending, { now: () => Date.parse('2028-01-01') })
    expect(match('GET', '/api/users', accept)).toMatchObject({ code: 'malformed-accept' })
    expect(match('GET', '/api/users', canonicalAccept(ending, accept))).toMatchObject({
      code: 'malformed-accept',
    })
    expect(canonicalAccept(ending, `${type};version=1, ${type};version=`)).toBe(`${type};version=1`)
  })

  it('returns no header for one that lacks the version that the API requires', () => {
    expect(canonicalAccept(apiWith({ requireVersion: true }), 'application/json')).toBe('')
  })

  it('returns a header that would be too long unchanged', () => {
    const vendorString = 'x'.repeat(60)
    const ranges = Array.from(
      { length: 46 },
      (_, i) => `application/vnd.${vendorString};version=${i + 10}`,
    )
    const accept = ranges.join(',').padEnd(4096, ' ')
    const long = api({ vendorString }, version(1, resources('users')))
    expect(accept).toHaveLength(4096)
    expect(canonicalAccept(long, accept)).toBe(accept)
  })

  it.each([
    ...['1000000000000000000000', '1234567890123456789012', '9'.repeat(400)].map(
      (number) => `${type};version=${number}`,
    ),
    `${type};version=1;q=0.1, application/vnd.acme+xml;q=0.5`,
    `${type};version=1;q=0.1, */*`,
    `${type};version=7, ${type};version=x`,
    Array.from({ length: 50 }, (_, i) => `${type};version=${i}`).join(),
  ])('keeps the answer to %s', (accept) => expectSameAnswers(routes, accept))

  it.each([
    {},
    { strict: true, defaultVersion: 2 },
    { formats: 'any' },
    { formats: ['xml'] },
    { formats: false },
    { requireVersion: true },
    { defaultVersion: 'oldest' },
  ])(
    `keeps the answer to any header, with the options %j, ${numRuns} headers`,
    (options) => {
      const declared = apiWith(options)
      const expectSame = createExpectation(declared)
      fc.assert(fc.property(acceptHeader, expectSame), { numRuns })
    },
    3_600_000,
  )
})

const expectSameAnswers = (declared: typeof routes, accept: string): void =>
  createExpectation(declared)(accept)

/** As `toEqual`, which is slow: it gets only what differs. */
function expectEqual(actual: unknown, expected: unknown, message: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected)
}

/** The answers of an adapter follow from what the matcher finds. Version 1 ends between the two clocks. */
function createExpectation(declared: typeof routes): (accept: string) => void {
  const matchers = ['2026-01-01', '2028-01-01'].map((day) =>
    createMatcher(declared, { now: () => Date.parse(day) }),
  )
  return (accept) => {
    const canonical = canonicalAccept(declared, accept)
    for (const { match } of matchers)
      for (const [method, path] of requests)
        expectEqual(match(method, path, canonical), match(method, path, accept), canonical)
    expect(canonicalAccept(declared, canonical)).toBe(canonical)
  }
}
