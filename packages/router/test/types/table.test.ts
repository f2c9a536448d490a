// The type of an API lists the controllers and actions of its route table, for generated route files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import fc from '../../../../tools/fast-check.ts'
import { compilers } from '../../../../tools/compilers.ts'
import { isAll } from '../../../../tools/test-all.ts'
import * as dsl from '../../src/index.ts'

const root = resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'hv-table-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const helpers =
  'api cache collection del get inherit member namespace patch post put resource resources scope version'.split(
    ' ',
  )
/** The value of a text with calls of the helpers. */
const evaluate = (text: string): never =>
  new Function(...helpers, `return ${text}`)(
    ...helpers.map((name) => (dsl as never)[name]),
  ) as never

// ---- generated route files, as text -------------------------------------------------------------

const quote = (text: string) => `'${text}'`
const list = (texts: readonly string[]) => `[${texts.map(quote).join(', ')}]`
const call = (helper: string, ...parameters: readonly string[]) =>
  `${helper}(${parameters.filter(Boolean).join(', ')})`
/** The text of an object. Absent properties are undefined. */
const object = (properties: Readonly<Record<string, string | undefined>>) =>
  `{ ${Object.entries(properties)
    .flatMap(([key, value]) => (value === undefined ? [] : `${key}: ${value}`))
    .join(', ')} }`

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 4) =>
  fc.option(arbitrary, { nil: undefined, freq: weight })
const name = fc.constantFrom(
  ...'users posts news people statuses categories line_items x userPosts fish new edit _ids 2fa oxen'.split(
    ' ',
  ),
)
const actionName = fc.constantFrom('index', 'create', 'new', 'edit', 'show', 'update', 'destroy')
const selection = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  actionName.map((one) => ({ only: quote(one) })),
  fc.uniqueArray(actionName, { maxLength: 3 }).map((names) => ({ only: list(names) })),
  fc.uniqueArray(actionName, { maxLength: 5 }).map((names) => ({ except: list(names) })),
  actionName.map((one) => ({ except: quote(one) })),
)
const shallow = sometimes(fc.boolean().map(String), 6)
const as = (...values: string[]) => sometimes(fc.constantFrom(...values).map(quote), 6)
const resourceOptions = fc
  .tuple(
    selection,
    fc.record({
      shallow,
      as: as('people', 'team', '', '_x'),
      singular: as('one', 'team', 'news'),
      param: as('slug'),
      path: as('at', 'a/b'),
      controller: as('others'),
      patch: sometimes(fc.constant('true'), 6),
    }),
  )
  .map((parts) => object(Object.assign({}, ...parts)))
const singularOptions = fc
  .tuple(selection, fc.record({ as: as('me', ''), path: as('my') }))
  .map((parts) => object(Object.assign({}, ...parts)))
const namespaceOptions = fc
  .tuple(selection, fc.record({ shallow, as: as('named', ''), path: as('at', '') }))
  .map((parts) => object(Object.assign({}, ...parts)))
const scopeOptions = fc
  .tuple(
    selection,
    fc.record({ shallow, as: as('scoped'), path: as('office', 'in/:place'), module: as('deep') }),
  )
  .map((parts) => object(Object.assign({}, ...parts)))
const versionOptions = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.tuple(selection, fc.record({ shallow })).map((parts) => object(Object.assign({}, ...parts))),
)

const path = fc.constantFrom(
  ...'preview do-it show edit index /show a//b /a-b/ raw/:part blob/*rest 2fa _x __y / v1.5 reports/daily-totals'.split(
    ' ',
  ),
  '',
)
const verbAs = as('named', 'two-words', '', 'a b', '3d', '_3', 'a/b')
const helper = fc.constantFrom('get', 'post', 'put', 'patch', 'del')
const verb = fc
  .tuple(helper, path, verbAs)
  .map(([method, at, named]) => call(method, quote(at), object({ to: quote('act'), as: named })))
const plainVerb = fc
  .tuple(helper, fc.constantFrom('preview', 'do-it', 'show', 'edit', 'destroy'))
  .map(([method, at]) => call(method, quote(at)))
const anyVerb = fc.oneof(verb, plainVerb)
const ownVerb = fc
  .tuple(helper, path, verbAs)
  .map(([method, at, named]) =>
    call(method, quote(at), object({ to: quote('things#act'), as: named })),
  )
const extra = fc.oneof(
  anyVerb,
  fc
    .tuple(
      fc.constantFrom('member', 'collection'),
      fc.array(anyVerb, { minLength: 1, maxLength: 2 }),
    )
    .map(([on, verbs]) => call(on, ...verbs)),
)

const { block } = fc.letrec<{ block: string; inner: string }>((tie) => {
  const nested = fc.array(tie('inner'), { maxLength: 2 })
  const statements = fc.array(tie('block'), { minLength: 1, maxLength: 2 })
  const anyBlock = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(name, resourceOptions, nested)
        .map(([one, options, nodes]) => call('resources', quote(one), options, ...nodes)),
    },
    { weight: 2, arbitrary: name.map((one) => call('resources', quote(one))) },
    fc
      .tuple(name, singularOptions, nested)
      .map(([one, options, nodes]) => call('resource', quote(one), options, ...nodes)),
    fc
      .tuple(name, namespaceOptions, statements)
      .map(([one, options, nodes]) => call('namespace', quote(one), options, ...nodes)),
  )
  return {
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      ownVerb,
      { weight: 5, arbitrary: anyBlock },
      fc
        .tuple(scopeOptions, statements)
        .map(([options, nodes]) => call('scope', options, ...nodes)),
    ),
    inner: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      extra,
      { weight: 3, arbitrary: anyBlock },
      fc
        .tuple(scopeOptions, fc.array(tie('inner'), { minLength: 1, maxLength: 2 }))
        .map(([options, nodes]) => call('scope', options, ...nodes)),
    ),
  }
})

/** One version. It inherits from an earlier one, or from its cache. `choices` select what `only` and `except` name. */
const plan = fc.record({
  options: versionOptions,
  nodes: fc.array(block, { minLength: 1, maxLength: 3 }),
  cached: fc.constantFrom('cache', 'namespace', 'none'),
  inherits: fc.constantFrom('all', 'all', 'only', 'except', 'except', 'none'),
  inheritsIn: fc.constantFrom('', '', 'namespace', 'scope', 'cache'),
  choices: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
})
const apiOptions = fc
  .tuple(
    selection,
    fc.record({
      shallow,
      namespace: sometimes(fc.constantFrom('', 'rest', 'my-api', '2x', '_p', 'a/b').map(quote), 2),
    }),
  )
  .map((parts) => object(Object.assign({ vendorString: quote('acme') }, ...parts)))

/** What an `inherit` can name, as the error about a wrong name lists it. */
function namesFor(option: 'only' | 'except', from: string, versions: readonly string[]) {
  const heir = call('version', '99', call('inherit', object({ from, [option]: quote('?') })))
  try {
    evaluate(call('api', object({ vendorString: quote('acme') }), ...versions, heir))
  } catch (error) {
    const { code, details } = error as dsl.RouterError & { details: { known: readonly string[] } }
    if (code === 'HV_UNKNOWN_RESOURCE') return details.known
    if (code !== 'HV_UNKNOWN_VERSION') throw error
  }
  return []
}

/** The text of a route file, or null when its declaration fails. */
const routeFile = fc
  .tuple(apiOptions, fc.array(plan, { minLength: 1, maxLength: 3 }))
  .map(([options, plans]) => {
    try {
      const sources: { from: string; only: readonly string[]; except: readonly string[] }[] = []
      const written: string[] = []
      const addSource = (from: string, versions: readonly string[]) => {
        const only = namesFor('only', from, versions)
        if (only.length > 0)
          sources.push({ from, only, except: namesFor('except', from, versions) })
      }
      const versions = plans.map(
        ({ options: own, nodes, cached, inherits, inheritsIn, choices }, i) => {
          const random = () => choices.next().value as number
          const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length * 0.999)]!
          const body: string[] = []
          if (sources.length > 0 && inherits !== 'none') {
            const { from, only, except } = pick(sources)
            const names = inherits === 'only' ? only : except
            const picked = [...new Set([pick(names), pick(names)])]
            const inherited = call(
              'inherit',
              object({
                from,
                [inherits]: inherits === 'all' ? undefined : list(picked),
              }),
            )
            body.push(
              inheritsIn === 'namespace'
                ? call('namespace', quote('inside'), inherited)
                : inheritsIn === 'scope'
                  ? call('scope', object({ as: quote('around'), only: quote('show') }), inherited)
                  : inheritsIn === 'cache'
                    ? call('cache', object({ as: quote(`w${i}`) }), inherited)
                    : inherited,
            )
          }
          const caching = call('cache', object({ as: quote(`v${i}`) }), ...nodes)
          if (cached === 'none') body.push(...nodes)
          else {
            body.push(cached === 'cache' ? caching : call('namespace', quote('around'), caching))
            addSource(quote(`v${i}`), [call('version', '1', caching)])
          }
          const text = call('version', String(i + 1), own, ...body)
          written.push(text)
          addSource(String(i + 1), written)
          return text
        },
      )
      const text = call('api', options, ...versions.map((one) => `\n  ${one}`))
      evaluate(text)
      return text
    } catch (error) {
      if (error instanceof dsl.RouterError) return null
      throw error
    }
  })

// ---- the test -----------------------------------------------------------------------------------

/** `{ 1: { 'users': 'index' | 'show' } }`, from the rows. */
function tableOf(text: string): string {
  const { settings, ...declared } = evaluate(text) as dsl.Api
  const rows = dsl.routeTable({ settings, ...declared })
  const versions = settings.versions.map((version) => {
    const own = rows.filter((row) => row.version === version)
    const keys = [...new Set(own.map((row) => row.key))].map((key) => {
      const actions = new Set(own.flatMap((row) => (row.key === key ? quote(row.action) : [])))
      return `${quote(key)}: ${[...actions].join(' | ')}`
    })
    return `${version}: { ${keys.join('; ')} }`
  })
  return `{ ${versions.join('; ')} }`
}

it('is the route table', () => {
  const numRuns = isAll ? 300 : 75
  const texts = fc.sample(routeFile, { seed: 7, numRuns }).filter((text) => text !== null)
  const blocks = texts.map(
    (text) => `isSame(table(${text}), null as unknown as Box<${tableOf(text)}>)`,
  )
  const file = join(folder, 'table.mts')
  writeFileSync(
    file,
    `import { type Api, ${helpers.join(', ')} } from ${JSON.stringify(join(root, 'packages/router/src/index.ts'))}
declare function table<T>(api: Api<T>): Box<{ [V in keyof T]: { [Key in keyof T[V]]: keyof T[V][Key] } }>
declare function isSame<T>(one: T, other: NoInfer<T>): void
interface Box<T> { readonly value: (value: T) => T }
${blocks.join('\n')}`,
  )
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { types: [], rootDir: '/' }
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [file] }),
  )
  const { errors } = compilers['TypeScript 7']!(config)
  expect(errors).toBe('')
  expect(texts.length).toBeGreaterThan(numRuns / 2)
})
