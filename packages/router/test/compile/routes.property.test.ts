// Random route files: the table, the matcher and the URL helpers must agree, and inheritance must be what it says.
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
  member,
  namespace,
  pathTo,
  post,
  resource,
  resources,
  version,
  routeTable,
} from '../../src/index.ts'

type Loose = (...args: unknown[]) => never
const anyName = fc.constantFrom('users', 'posts', 'news', 'people', 'statuses', 'new', 'edit', 'line_items', 'x')
const anyAction = fc.constantFrom('index', 'create', 'new', 'edit', 'show', 'update', 'destroy')
const anySelection = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ only: fc.uniqueArray(anyAction, { minLength: 1, maxLength: 4 }) }),
  fc.record({ except: fc.uniqueArray(anyAction, { maxLength: 4 }) }),
)
const anyOptions = fc
  .tuple(
    anySelection,
    fc.record(
      { shallow: fc.boolean(), param: fc.constantFrom('slug', 'key'), patch: fc.boolean() },
      { requiredKeys: [] },
    ),
  )
  .map(([a, b]) => ({ ...a, ...b }))

const { block } = fc.letrec<{ block: unknown }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(anyName, anyOptions).map(([name, options]) => (resources as Loose)(name, options)),
    fc.tuple(anyName, anySelection).map(([name, options]) => (resource as Loose)(name, options)),
    fc
      .tuple(anyName, anyOptions, fc.array(tie('block'), { minLength: 1, maxLength: 2 }), fc.boolean())
      .map(([name, options, nodes, extra]) =>
        (resources as Loose)(name, options, ...nodes, ...(extra ? [member(get('preview'), post('ban'))] : [])),
      ),
    fc
      .tuple(anyName, fc.array(tie('block'), { minLength: 1, maxLength: 2 }))
      .map(([name, nodes]) => (namespace as Loose)(name, {}, ...nodes)),
  ),
}))
/** Per version: its own nodes, and whether it inherits from the one before, and what of it comes first. */
const anyPlan = fc.array(
  fc.record({
    nodes: fc.array(block, { minLength: 1, maxLength: 3 }),
    inherits: fc.boolean(),
    inheritsFirst: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)
type Plan = { nodes: unknown[]; inherits: boolean; inheritsFirst: boolean }[]

const declare = (plan: Plan, times = 1): Api =>
  (api as Loose)(
    { vendorString: 'acme' },
    ...plan.map(({ nodes, inherits, inheritsFirst }, i) => {
      const from = inherits && i > 0 ? Array.from({ length: times }, () => inherit({ from: `c${i}` })) : []
      return (version as Loose)(
        i + 1,
        (cache as Loose)({ as: `c${i + 1}` }, ...(inheritsFirst ? [...from, ...nodes] : [...nodes, ...from])),
      )
    }),
  )

const valueOf = (param: string) => `${param}-7/é.%`
const urlOf = (row: Row): string =>
  row.path
    .replace('(.:format)', '')
    .replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(valueOf(param)).replaceAll('.', '%2E'))
const paramsOf = (row: Row) =>
  Object.fromEntries([...row.path.matchAll(/\/:(\w+)/g)].map(([, param]) => [param, valueOf(param!)]))

/** The rows of a version that a method and path fit, by their patterns alone: static segments are nearer. */
function fitting(routes: readonly Row[], version: number, method: string, path: string): readonly Row[] {
  return routes.filter(
    (row) =>
      row.version === version &&
      row.method === method &&
      new RegExp(`^${row.path.replace('(.:format)', '').replace(/:\w+/g, '[^/.]+')}$`).test(path),
  )
}
/** Before another row at the same place: nearer segments, then own before inherited, then the order of the file. */
const rankOf = (row: Row): string =>
  row.path
    .replace('(.:format)', '')
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('') + (row.inheritedFrom === null ? '0' : '1')

describe('random route files', () => {
  it('serve every row at its own URL, with its params, and nothing else', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const routes = declare(plan)
        const { match } = createMatcher(routes)
        const own = new Set(routeTable(routes).map(urlOf))
        const urls = [
          ...own,
          ...[...own].flatMap((url) => [`${url}/nothing`, `${url}/new`, url.replace(/\/[^/]*$/, '')]),
        ]
        for (const version of routes.settings.versions)
          for (const url of urls)
            for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
              const rows = fitting(routeTable(routes), version, method, url)
              const expected = rows.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0))[0]
              const found = match(method, url, mediaType(routes, version))
              if (expected === undefined) expect(found.kind, `${method} ${url} in ${version}`).toBe('miss')
              else
                expect(found, `${method} ${url} in ${version}`).toMatchObject({
                  kind: 'match',
                  version,
                  route: expected,
                })
              if (expected !== undefined && urlOf(expected) === url)
                expect(found).toMatchObject({ params: paramsOf(expected) })
            }
        for (const row of routeTable(routes))
          if (row.name !== null) expect(pathTo(routes, row.name, paramsOf(row))).toBe(urlOf(row))
        for (const url of own) expect(match('GET', `/x${url}`, undefined)).toMatchObject({ code: 'unknown-path' })
      }),
      { numRuns: 100 },
    )
  }, 60_000)

  it('inherit twice what they inherit once', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const [once, twice] = [declare(plan), declare(plan, 2)]
        const key = ({ name: _name, ...row }: Row) => JSON.stringify(row)
        expect(new Set(routeTable(twice).map(key))).toEqual(new Set(routeTable(once).map(key)))
        expect(routeTable(twice).flatMap(({ name }) => name ?? [])).toEqual(
          routeTable(once).flatMap(({ name }) => name ?? []),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('do not depend on the order of unrelated versions', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const alone = plan.map((one) => ({ ...one, inherits: false }))
        const versions = alone.map(({ nodes }, i) => (version as Loose)(i + 1, {}, ...nodes))
        const key = ({ name: _name, ...row }: Row) => JSON.stringify(row)
        const rows = (list: unknown[]) =>
          routeTable(
            (api as Loose as (...args: unknown[]) => Api)({ vendorString: 'acme', defaultVersion: 1 }, ...list),
          )
        expect(new Set(rows(versions.toReversed()).map(key))).toEqual(new Set(rows(versions).map(key)))
      }),
      { numRuns: 200 },
    )
  })
})
