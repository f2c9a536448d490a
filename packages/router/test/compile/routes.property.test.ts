// Random route files: the table, the matcher and the URL functions must agree, and inheritance must be what it says.
import { describe, expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { isAll } from '../../../../tools/test-all.ts'
import {
  type Api,
  type Row,
  RouterError,
  api,
  cache,
  createMatcher,
  get,
  inherit,
  collection,
  mediaType,
  member,
  namespace,
  pathTo,
  post,
  resource,
  resources,
  routeTable,
  scope,
  version,
} from '../../src/index.ts'

type Loose = (...args: unknown[]) => never
const anyName = fc.constantFrom(
  'users',
  'posts',
  'news',
  'people',
  'statuses',
  'new',
  'edit',
  'line_items',
  'x',
)
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

/** Verbs that may stand directly in a resource, in `member` and in `collection`. */
const anyVerb = fc.constantFrom(
  get('preview'),
  post('do-it'),
  get('show'),
  post('update'),
  get('index', { to: 'list' }),
  get('raw/:part', { to: 'raw' }),
  get('blob/*path', { to: 'blob' }),
  post('reports/:part', { to: 'reports#create', constraints: { part: /.+/ } }),
)
const anyExtra = fc.oneof(
  anyVerb,
  fc.array(anyVerb, { minLength: 1, maxLength: 2 }).map((verbs) => member(...verbs)),
  fc.array(anyVerb, { minLength: 1, maxLength: 2 }).map((verbs) => collection(...verbs)),
)
const anyScopeOptions = fc.record(
  {
    path: fc.constantFrom('office', 'at/:place', ''),
    module: fc.constantFrom('admin', 'deep/er'),
    as: fc.constantFrom('named'),
    shallow: fc.boolean(),
    only: fc.constantFrom('show', 'index'),
  },
  { requiredKeys: [] },
)

const { block } = fc.letrec<{ block: unknown }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(anyName, anyOptions).map(([name, options]) => (resources as Loose)(name, options)),
    fc.tuple(anyName, anySelection).map(([name, options]) => (resource as Loose)(name, options)),
    fc
      .tuple(
        anyName,
        anyOptions,
        fc.array(fc.oneof(tie('block'), anyExtra), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, options, nodes]) => (resources as Loose)(name, options, ...nodes)),
    fc
      .tuple(
        anyName,
        anyScopeOptions,
        fc.array(fc.oneof(tie('block'), anyExtra), { minLength: 1, maxLength: 2 }),
      )
      .map(([name, options, nodes]) =>
        (resources as Loose)(name, { only: 'show' }, (scope as Loose)(options, ...nodes)),
      ),
    fc
      .tuple(anyScopeOptions, fc.array(tie('block'), { minLength: 1, maxLength: 2 }))
      .map(([options, nodes]) => (scope as Loose)(options, ...nodes)),
    fc.constantFrom(
      get('files/*path', { to: 'files#show' }),
      get('at/:place', { to: 'places#show' }),
    ),
    fc
      .tuple(anyName, fc.array(tie('block'), { minLength: 1, maxLength: 2 }))
      .map(([name, nodes]) => (namespace as Loose)(name, {}, ...nodes)),
  ),
}))
/** Per version: its own nodes, and whether it inherits from the one before, and what of it comes first. */
const anyDeclaration = fc
  .array(
    fc.record({
      nodes: fc.array(block, { minLength: 1, maxLength: 3 }),
      inherits: fc.boolean(),
      inheritsFirst: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .filter((declaration) => !hasParamTwice(declaration))
type Declaration = { nodes: unknown[]; inherits: boolean; inheritsFirst: boolean }[]

const declare = (declaration: Declaration, times = 1): Api =>
  (api as Loose)(
    { vendorString: 'acme' },
    ...declaration.map(({ nodes, inherits, inheritsFirst }, i) => {
      const from =
        inherits && i > 0 ? Array.from({ length: times }, () => inherit({ from: `c${i}` })) : []
      return (version as Loose)(
        i + 1,
        (cache as Loose)(
          { as: `c${i + 1}` },
          ...(inheritsFirst ? [...from, ...nodes] : [...nodes, ...from]),
        ),
      )
    }),
  )

/** A path such as `/users/:user_id/users/:user_id/users` is an error. */
function hasParamTwice(declaration: Declaration): boolean {
  try {
    declare(declaration)
    return false
  } catch (error) {
    if (error instanceof RouterError && error.code === 'HV_PATH') return true
    throw error
  }
}

const valueOf = (param: string) => `${param}-7/é.%`
const urlOf = (row: Row): string =>
  row.path
    .replace('(.:format)', '')
    .replace(/:(\w+)/g, (_, param: string) => encode(valueOf(param)))
    .replace(/\*(\w+)/g, (_, glob: string) => valueOf(glob).split('/').map(encode).join('/'))
const encode = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E')
const paramsOf = (row: Row) =>
  Object.fromEntries(
    [...row.path.matchAll(/\/[:*](\w+)/g)].map(([, param]) => [param, valueOf(param!)]),
  )

const patternOf = ({ path }: Row): RegExp =>
  new RegExp(
    `^${path.replace('(.:format)', '').replace(/:\w+/g, '[^/.]+').replace(/\*\w+/, '[^/]+(?:/[^/]+)*')}$`,
  )

/** The rows of a version that a method and path fit, by their patterns alone: static segments are nearer. */
function fitting(
  routes: readonly Row[],
  version: number,
  method: string,
  path: string,
): readonly Row[] {
  return routes.filter(
    (row) => row.version === version && row.method === method && patternOf(row).test(path),
  )
}
/** Before another row at the same place: nearer segments, then own before inherited, then the order of the file. */
const rankOf = (row: Row): string =>
  row.path
    .replace('(.:format)', '')
    .split('/')
    .map((segment) => (segment.startsWith('*') ? '2' : segment.startsWith(':') ? '1' : '0'))
    .join('') + (row.inheritedFrom === null ? '0' : '1')

const numRuns = isAll ? 200 : 30

describe('random route files', () => {
  it('serve every row at its own URL, with its params, and nothing else', () => {
    fc.assert(
      fc.property(anyDeclaration, (declaration) => {
        const routes = declare(declaration)
        const { match } = createMatcher(routes)
        const own = new Set(routeTable(routes).map(urlOf))
        const urls = [
          ...own,
          ...[...own].flatMap((url) => [
            `${url}/nothing`,
            `${url}/new`,
            url.replace(/\/[^/]*$/, ''),
          ]),
        ]
        for (const version of routes.settings.versions)
          for (const url of urls)
            for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
              const rows = fitting(routeTable(routes), version, method, url)
              const expected = rows.toSorted((a, b) =>
                rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0,
              )[0]
              const found = match(method, url, mediaType(routes, { version }))
              if (expected === undefined)
                expect(found.kind, `${method} ${url} in ${version}`).toBe('miss')
              else
                expect(found, `${method} ${url} in ${version}`).toMatchObject({
                  kind: 'match',
                  version,
                  row: expected,
                })
              if (expected !== undefined && urlOf(expected) === url)
                expect(found).toMatchObject({ params: paramsOf(expected) })
            }
        for (const row of routeTable(routes))
          if (row.name !== null) expect(pathTo(routes, row.name, paramsOf(row))).toBe(urlOf(row))
        for (const url of own)
          expect(match('GET', `/x${url}`, undefined)).toMatchObject({ code: 'unknown-path' })
      }),
      { numRuns: numRuns / 2 },
    )
  })

  it('inherit twice what they inherit once', () => {
    fc.assert(
      fc.property(anyDeclaration, (declaration) => {
        const [once, twice] = [declare(declaration), declare(declaration, 2)]
        const key = ({ name: _name, ...row }: Row) => JSON.stringify(row)
        expect(new Set(routeTable(twice).map(key))).toEqual(new Set(routeTable(once).map(key)))
        expect(routeTable(twice).flatMap(({ name }) => name ?? [])).toEqual(
          routeTable(once).flatMap(({ name }) => name ?? []),
        )
      }),
      { numRuns },
    )
  })

  it('inherit from a version by number what they inherit from a cache with all of it', () => {
    const anySteps = fc.array(
      fc.record({
        nodes: fc.array(block, { minLength: 1, maxLength: 3 }),
        from: fc.nat(),
        inherits: fc.boolean(),
        leftOut: fc.nat({ max: 7 }),
      }),
      { minLength: 2, maxLength: 4 },
    )
    const tableOf = (steps: unknown[]): unknown => {
      try {
        return routeTable((api as Loose)({ vendorString: 'acme' }, ...steps))
      } catch (error) {
        if (error instanceof RouterError) return error.code
        throw error
      }
    }
    let tables = 0
    fc.assert(
      fc.property(anySteps, (steps) => {
        const declareWith = (isByNumber: boolean) =>
          steps.map(({ nodes, from, inherits, leftOut }, i) => {
            const source = (from % Math.max(i, 1)) + 1
            const names = steps[source - 1]!.nodes.flatMap(
              (node) => (node as { name?: string }).name ?? [],
            )
            const except = names.filter((_, k) => leftOut & (1 << k))
            const inherited = inherit({ from: isByNumber ? source : `v${source}`, except })
            const all = inherits && i > 0 ? [inherited, ...nodes] : nodes
            return isByNumber
              ? (version as Loose)(i + 1, {}, ...all)
              : (version as Loose)(i + 1, (cache as Loose)({ as: `v${i + 1}` }, ...all))
          })
        const byName = tableOf(declareWith(false))
        expect(tableOf(declareWith(true))).toEqual(byName)
        tables += Array.isArray(byName) ? 1 : 0
      }),
      { numRuns },
    )
    expect(tables).toBeGreaterThan(numRuns / 4)
  })

  it("lose by a selective except what a resource written out again wouldn't have", () => {
    const anyTree = fc.uniqueArray(
      fc.record({
        name: anyName,
        own: fc.uniqueArray(anyAction, { minLength: 1 }),
        children: fc.uniqueArray(
          fc.record({ name: anyName, own: fc.uniqueArray(anyAction, { minLength: 1 }) }),
          {
            maxLength: 2,
            selector: (child) => child.name,
          },
        ),
      }),
      { minLength: 1, maxLength: 3, selector: (one) => one.name },
    )
    const verbs = ['preview', 'search', 'do-it'] as const
    /** The nodes without the excluded ones, written out. */
    const write = (
      written: typeof anyTree extends fc.Arbitrary<infer T> ? T : never,
      without: ReadonlySet<string>,
    ) =>
      written
        .filter((one) => !without.has(one.name))
        .map(({ name, own, children }) => {
          const left = (path: string, actions: readonly string[]) =>
            actions.filter((one) => !without.has(`${path}#${one}`))
          const kept = verbs.map((path) =>
            without.has(`${name}#${path.replace('-', '_')}`) ? [] : [get(path)],
          )
          return (resources as Loose)(
            name,
            { only: left(name, own) },
            ...children
              .filter((child) => !without.has(`${name}/${child.name}`))
              .map((child) =>
                (resources as Loose)(child.name, {
                  only: left(`${name}/${child.name}`, child.own),
                }),
              ),
            member(...kept[0]!),
            (scope as Loose)({ path: 'office' }, collection(...kept[1]!)),
            ...kept[2]!,
          )
        })
    const namesOf = (named: typeof anyTree extends fc.Arbitrary<infer T> ? T : never) =>
      named.flatMap(({ name, own, children }) => [
        name,
        ...[...own, 'preview', 'search', 'do_it'].map((one) => `${name}#${one}`),
        ...children.flatMap((child) => [
          `${name}/${child.name}`,
          ...child.own.map((one) => `${name}/${child.name}#${one}`),
        ]),
      ])
    fc.assert(
      fc.property(
        anyTree,
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        (nodes, choice, isScoped) => {
          const except = namesOf(nodes).filter(() => choice.next().value)
          const wrap = (inner: unknown[]) =>
            isScoped ? [(scope as Loose)({ module: 'deep' }, ...inner)] : inner
          const v1 = (version as Loose)(
            1,
            (cache as Loose)({ as: 'v1' }, ...wrap(write(nodes, new Set()))),
          )
          const declareSecond = (...second: unknown[]) => {
            const routes = (api as Loose as (...args: unknown[]) => Api)(
              { vendorString: 'acme' },
              v1,
              (version as Loose)(2, {}, ...second),
            )
            const rows = routeTable(routes).filter((row) => row.version === 2)
            return rows.map(
              ({ method, path, controller, action }) => `${method} ${path} ${controller}#${action}`,
            )
          }
          expect(declareSecond((inherit as Loose)({ from: 'v1', except }))).toEqual(
            declareSecond(...wrap(write(nodes, new Set(except)))),
          )
        },
      ),
      { numRuns },
    )
  })

  it("don't depend on the order of unrelated versions", () => {
    fc.assert(
      fc.property(anyDeclaration, (declaration) => {
        const alone = declaration.map((one) => ({ ...one, inherits: false }))
        const versions = alone.map(({ nodes }, i) => (version as Loose)(i + 1, {}, ...nodes))
        const key = ({ name: _name, ...row }: Row) => JSON.stringify(row)
        const rows = (list: unknown[]) =>
          routeTable(
            (api as Loose as (...args: unknown[]) => Api)(
              { vendorString: 'acme', defaultVersion: 1 },
              ...list,
            ),
          )
        expect(new Set(rows(versions.toReversed()).map(key))).toEqual(
          new Set(rows(versions).map(key)),
        )
      }),
      { numRuns },
    )
  })
})
