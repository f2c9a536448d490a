// Random policies, times and headers, against a model that knows no matcher. The headers are parsed by other libraries.
import LinkHeader from 'http-link-header'
import { describe, expect, it } from 'vitest'
import { parseItem } from 'structured-headers'
import fc from '../../../../tools/fast-check.ts'
import { isAll } from '../../../../tools/test-all.ts'
import { createAnswer } from '../../src/internal.ts'
import {
  type Api,
  type LifeOptions,
  type Miss,
  type VersionOptions,
  api,
  cache,
  createMatcher,
  inherit,
  resources,
  routeTable,
  scope,
  version,
} from '../../src/index.ts'

const runs = Number(process.env['FUZZ_RUNS'] ?? (isAll ? 300 : 100))
const type = 'application/vnd.acme+json'
const day = 86_400_000
const start = Date.parse('2027-01-01')
/** Few times, so that equal ones occur. */
const anyTime = fc.integer({ min: 0, max: 12 }).map((days) => start + days * day)
const anyClock = fc.tuple(anyTime, fc.constantFrom(-1, 0, 1)).map(([time, offset]) => time + offset)

const anyLife = fc
  .record(
    {
      times: fc
        .uniqueArray(anyTime, { minLength: 4, maxLength: 4 })
        .map((times) => times.toSorted((a, b) => a - b)),
      has: fc.record({
        deprecated: fc.boolean(),
        sunset: fc.boolean(),
        brownout: fc.boolean(),
        docs: fc.boolean(),
      }),
      retire: fc.constantFrom(undefined, 'gone' as const, 'serve' as const),
      asDate: fc.boolean(),
    },
    { requiredKeys: ['times', 'has', 'asDate'] },
  )
  .map(({ times: [deprecated, from, to, sunset], has, retire, asDate }): LifeOptions => {
    const write = (time: number | undefined) =>
      asDate ? new Date(time!) : new Date(time!).toISOString()
    return {
      ...(has.deprecated && { deprecated: write(deprecated) }),
      ...(has.sunset && { sunset: write(sunset) }),
      ...(has.brownout && { brownouts: [[write(from), write(to)]] }),
      ...(has.docs && { docs: 'https://docs.example/a,b;c?d=1&e=%20#f' }),
      ...(retire && { retire }),
    }
  })

interface Declaration {
  readonly versions: readonly VersionOptions[]
  readonly route: LifeOptions
}
const anyDeclaration: fc.Arbitrary<Declaration> = fc.record({
  versions: fc.array(fc.oneof(fc.constant({}), anyLife), { minLength: 2, maxLength: 4 }),
  route: fc.oneof(fc.constant({}), anyLife),
})

/** Every version has users and the sessions of the first one; the second and fourth also have teams. Null if the lifecycles contradict each other. */
function declare({ versions, route }: Declaration): Api | null {
  try {
    return (api as (...args: unknown[]) => Api)(
      { vendorString: 'acme' },
      ...versions.map((policy, i) =>
        version(
          i + 1,
          policy,
          i === 0
            ? cache({ as: 'v1' }, resources('sessions', { only: 'create', ...route }))
            : inherit({ from: 'v1' } as never),
          resources('users', { only: 'index' }),
          ...(i % 2 === 1 ? [resources('teams', { only: 'index', ...route })] : []),
        ),
      ),
    )
  } catch (error) {
    expect(error).toMatchObject({ code: 'HV_SUNSET' })
    return null
  }
}

// ---- the model ----------------------------------------------------------------------------------

const timeOf = (instant: string | Date | undefined) =>
  instant === undefined ? Infinity : +new Date(instant)
const isRetired = ({ sunset, retire }: LifeOptions, time: number, outer?: LifeOptions) =>
  (retire ?? outer?.retire) !== 'serve' && time >= timeOf(sunset)
const isBrownedOut = ({ brownouts = [] }: LifeOptions, time: number) =>
  brownouts.some(([from, to]) => timeOf(from) <= time && time < timeOf(to))
const isClosed = (life: LifeOptions, time: number, outer?: LifeOptions) =>
  isRetired(life, time, outer) || isBrownedOut(life, time)

/** The version that serves a request for versions in this order of preference, or how it is refused. */
function modelOf(
  { versions, route }: Declaration,
  wanted: readonly number[],
  isSession: boolean,
  time: number,
): number | string {
  const open = wanted.filter((number) => !isClosed(versions[number - 1]!, time))
  if (open.length === 0)
    return wanted.some((number) => !isRetired(versions[number - 1]!, time))
      ? 'brownout'
      : 'version-retired'
  const serving = open.find((number) => !isSession || !isClosed(route, time, versions[number - 1]))
  return (
    serving ??
    (open.some((number) => !isRetired(route, time, versions[number - 1]))
      ? 'brownout'
      : 'route-retired')
  )
}

// ---- the properties -----------------------------------------------------------------------------

const anyWanted = (count: number) =>
  fc.shuffledSubarray(
    [...Array(count).keys()].map((i) => i + 1),
    { minLength: 1 },
  )
const acceptOf = (wanted: readonly number[]) =>
  wanted.map((number) => `${type};version=${number}`).join(', ')
const anyRequest = anyDeclaration.chain((declaration) =>
  fc.record({
    declaration: fc.constant(declaration),
    wanted: anyWanted(declaration.versions.length),
    isSession: fc.boolean(),
    times: fc.array(anyClock, { minLength: 1, maxLength: 4 }),
  }),
)

const anyLevel = fc.record(
  { sunset: anyTime.map((time) => new Date(time)), retire: fc.constantFrom('gone', 'serve') },
  { requiredKeys: [] },
)
const anyLevels = fc.array(anyLevel, { maxLength: 3 })

it('a route ends with the first level whose sunset is enforced there or further out', () => {
  const check = fc.property(anyLevel, anyLevels, anyLevels, (outer, inherits, scopes) => {
    const node = scopes.reduceRight<unknown>(
      (inner, level) => scope(level as LifeOptions, inner as never),
      resources('users', { only: 'index' }),
    )
    const heirs = [{}, ...inherits]
      .toReversed()
      .map((level, i) =>
        version(
          i + 2,
          i === inherits.length ? outer : {},
          inherit({ from: i + 1, ...level } as never) as never,
        ),
      )
    const routes = (api as (...args: unknown[]) => Api)(
      { vendorString: 'acme' },
      version(1, node as never),
      ...heirs,
    )
    const levels = [outer, ...inherits, ...scopes]
    const ends = levels.map(({ sunset }, i) => {
      const { retire } = levels.slice(0, i + 1).findLast((level) => level.retire) ?? {}
      return retire === 'serve' ? Infinity : timeOf(sunset)
    })
    const { life } = routeTable(routes).at(-1)!
    expect(life?.firstOutage ?? Infinity).toBe(Math.min(...ends))
  })
  fc.assert(check, { numRuns: runs })
})

describe('random policies and clocks', () => {
  it("serve what's open, and nothing else", () => {
    fc.assert(
      fc.property(anyRequest, ({ declaration, wanted, isSession, times }) => {
        const routes = declare(declaration)
        if (routes === null) return
        let time = 0
        const { match } = createMatcher(routes, { now: () => time })
        for (time of times) {
          const found = match(
            isSession ? 'POST' : 'GET',
            isSession ? '/api/sessions' : '/api/users',
            acceptOf(wanted),
          )
          expect(found.kind === 'match' ? found.version : found.code).toBe(
            modelOf(declaration, wanted, isSession, time),
          )
          if (found.kind === 'match') continue
          const live = declaration.versions.flatMap((life, i) =>
            isRetired(life, time) ? [] : [i + 1],
          )
          expect(found.supported).toEqual(live)
          expect([...(found.retired ?? []), ...live].toSorted()).toEqual(
            declaration.versions.map((_, i) => i + 1),
          )
          expect(found.status).toBe(410)
          if (found.until !== undefined) expect(found.until).toBeGreaterThan(time)
        }
      }),
      { numRuns: runs },
    )
  })

  it('advise only what would be served', () => {
    fc.assert(
      fc.property(anyDeclaration, anyClock, (declaration, time) => {
        const routes = declare(declaration)
        if (routes === null) return
        const { match } = createMatcher(routes, { now: () => time })
        const missing = match('GET', '/api/teams', `${type};version=1`)
        fc.pre(missing.kind === 'miss' && missing.code === 'not-in-version')
        const served = [2, 4].filter((number) => {
          const found = match('GET', '/api/teams', `${type};version=${number}`)
          if (found.kind === 'match') return true
          // The version responds again after its brownout, unless the route has ended.
          return (
            found.code === 'brownout' &&
            !isRetired(declaration.route, time, declaration.versions[number - 1])
          )
        })
        expect((missing as Miss).availableIn ?? []).toEqual(served)
      }),
      { numRuns: runs / 2 },
    )
  })

  it('send well-formed headers, with the earlier of two dates', () => {
    fc.assert(
      fc.property(anyDeclaration, anyClock, (declaration, time) => {
        const routes = declare(declaration)
        if (routes === null) return
        const { match } = createMatcher(routes, { now: () => time })
        const { serve, refuse } = createAnswer(routes, new Map())
        for (const { method, pattern, version: number } of routeTable(routes)) {
          const found = match(method, pattern, `${type};version=${number}`)
          const answer = found.kind === 'match' ? serve(found) : refuse(found)
          const headers = new Map(answer.headers)
          const lives = [
            declaration.versions[number - 1]!,
            ...(pattern === '/api/users' ? [] : [declaration.route]),
          ]
          // A refusal names the life whose outage it is: the version's alone, or that of the route.
          if (found.kind === 'miss' && found.code !== 'route-retired') lives.length = 1
          if (found.kind === 'miss' && found.life !== routes.settings.lives[number - 1])
            lives.push(declaration.route)
          const earliest = (option: 'deprecated' | 'sunset') =>
            Math.min(...lives.map((life) => timeOf(life[option])))

          const deprecation = headers.get('deprecation')
          expect(deprecation === undefined ? Infinity : +(parseItem(deprecation)[0] as Date)).toBe(
            earliest('deprecated'),
          )
          const sunset = headers.get('sunset')
          expect(sunset === undefined ? Infinity : Date.parse(sunset)).toBe(earliest('sunset'))
          if (sunset !== undefined)
            expect(sunset).toMatch(
              /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
            )
          const docs = lives.some((life) => life.docs !== undefined)
          expect(headers.has('link')).toBe(docs)
          const links = docs ? LinkHeader.parse(headers.get('link')!).refs : []
          expect(links.map(({ uri }) => uri)).toEqual(
            links.map(() => 'https://docs.example/a,b;c?d=1&e=%20#f'),
          )
          if (docs)
            expect(links.map(({ rel }) => rel)).toContain(
              sunset === undefined ? 'deprecation' : 'sunset',
            )
          const retryAfter = headers.get('retry-after')
          if (retryAfter !== undefined) expect(Date.parse(retryAfter)).toBeGreaterThan(time - 1000)
        }
      }),
      { numRuns: runs / 2 },
    )
  })
})
