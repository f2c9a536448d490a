// What the types cost the compiler, counted in instantiations: exact, and the same on every machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'

const root = resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'hv-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const adapter = JSON.stringify(join(root, 'packages/router/src/adapter.ts'))

/** Compiles one file, declarations too, and returns the count of instantiations; throws what the compiler says. */
function compile(compiler: string, name: string, text: string): number {
  const file = join(folder, `${name}.mts`)
  const core = JSON.stringify(join(root, 'packages/router/src/index.ts'))
  writeFileSync(
    file,
    `import { type Api, type Controllers, type HandlerKind, api, became, cache, change, get, hrefs, inherit, member, resources, version } from ${core}\n${text}`,
  )
  const config = join(folder, `${name}.json`)
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    outDir: join(folder, 'out'),
    rootDir: '/',
    types: [],
  }
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [file] }),
  )
  const { errors, instantiations } = compilers[compiler]!(config)
  if (errors !== '') throw new Error(errors)
  return instantiations
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const all = range(100)
  .map((i) => `resources('res${i}')`)
  .join(', ')
const inherited = `export const routes = api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, ${all})),
  ${range(9)
    .map(
      (n) =>
        `version(${n + 2}, cache({ as: 'v${n + 2}' }, inherit({ from: 'v${n + 1}' }), resources('extra${n}')))`,
    )
    .join(',\n')})
export const href = hrefs(routes)
href.res7.show({ id: 1 })`
const inheritedByNumber = `export const routes = api({ vendorString: 'acme' },
  version(1, ${all}),
  ${range(9)
    .map((n) => `version(${n + 2}, inherit({ from: ${n + 1} }), resources('extra${n}'))`)
    .join(',\n')})
export const href = hrefs(routes)
href.res7.show({ id: 1 })`
const written = `export const routes = api({ vendorString: 'acme' },
  ${range(10)
    .map((n) => `version(${n + 1}, ${all})`)
    .join(',\n')})
hrefs(routes).res7.show({ id: 1 })`
const nested = `export const routes = api({ vendorString: 'acme' },
  ${range(10)
    .map(
      (n) =>
        `version(${n + 1}, ${range(10)
          .map(
            (i) =>
              `resources('res${i}', ${range(10)
                .map((k) => `resources('sub${i}x${k}')`)
                .join(', ')})`,
          )
          .join(', ')})`,
    )
    .join(',\n')})
hrefs(routes).sub1x2.show({ res1_id: 2, id: 1 })`
const withOptions = `export const routes = api({ vendorString: 'acme' },
  ${range(10)
    .map(
      (n) =>
        `version(${n + 1}, ${range(100)
          .map((i) => `resources('res${i}', { path: 'p${n}x${i}' })`)
          .join(', ')})`,
    )
    .join(',\n')})
hrefs(routes).res7.show({ id: 1 })`
const withClasses = `interface Req<P> { params: P }
interface Kind extends HandlerKind { readonly handler: (request: Req<this['params']>) => unknown; readonly options: { schema?: object } }
declare function createRouter<T>(routes: Api<T>, controllers: NoInfer<Controllers<T, Kind>>): void
class Controller { index() {} create() {} new() {} edit(_: Req<{ id: string }>) {} show() {} update() {} destroy() {} }
${range(100)
  .map((i) => `class C${i} extends Controller { override show() { return ${i} } }`)
  .join('\n')}
${inherited}
createRouter(routes, {
  ${range(10)
    .map(
      (n) =>
        `${n + 1}: { ${range(100)
          .map((i) => `res${i}: new C${i}()`)
          .join(', ')}${range(n)
          .map((k) => `, extra${k}: new Controller()`)
          .join('')} }`,
    )
    .join(',\n')} })`
const actions = `import type { ActionsIn, KeyOfAny } from ${adapter}
declare function action<P>(declared: { handler: (params: P) => unknown }): P
declare function action<T, const Key extends KeyOfAny<T>, const Name extends keyof ActionsIn<T, Key>>(
  routes: Api<T>, controller: Key, action: Name, declared: { handler: (params: ActionsIn<T, Key>[Name]) => unknown }): ActionsIn<T, Key>[Name]
${inherited}
${range(100)
  .flatMap((i) =>
    ['show', 'update', 'destroy'].map(
      (name) => `action(routes, 'res${i}', '${name}', { handler: (params) => params.id.trim() })`,
    ),
  )
  .join('\n')}`
const chainByNumber = `export const routes = api({ vendorString: 'acme' }, version(1, resources('users')),
  ${range(399)
    .map((n) => `version(${n + 2}, inherit({ from: ${n + 1} }))`)
    .join(',\n')})
hrefs(routes).users.show({ id: 1 })`
const chain = `export const routes = api({ vendorString: 'acme' }, version(1, cache({ as: 'v1' }, resources('users'))),
  ${range(399)
    .map((n) => `version(${n + 2}, cache({ as: 'v${n + 2}' }, inherit({ from: 'v${n + 1}' })))`)
    .join(',\n')})
hrefs(routes).users.show({ id: 1 })`

/** `wrap` is what a version contains, and `from` is what the next one inherits. */
const exceptsWith = (
  wrap: (version: number, nodes: string) => string,
  from: (version: number) => string,
) => `export const routes = api({ vendorString: 'acme' },
  version(1, ${wrap(
    1,
    range(40)
      .map((i) => `resources('res${i}', resources('sub${i}'), member(get('preview')))`)
      .join(', '),
  )}),
  ${range(29)
    .map((n) => {
      const names = range(40).filter((i) => i % 29 === n)
      const except = names.map(
        (i) => `'res${i}${['#destroy', `/sub${i}`, '#preview', `/sub${i}#show`][i % 4]}'`,
      )
      const inherit = `inherit({ from: ${from(n + 1)}, except: [${except}] })`
      return `version(${n + 2}, ${wrap(n + 2, inherit)})`
    })
    .join(',\n')})
hrefs(routes).res7.show({ id: 1 })`
const excepts = exceptsWith(
  (version, nodes) => `cache({ as: 'v${version}' }, ${nodes})`,
  (version) => `'v${version}'`,
)
const exceptsByNumber = exceptsWith((_, nodes) => nodes, String)

/** 100 controllers whose schemas are those of one library, and a change to one schema of each version. */
const changed = (changes: number) => `import { before } from ${adapter}
interface Typed<V> { readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } } }
declare const schema: <V>() => Typed<V>
${range(100)
  .map(
    (
      i,
    ) => `const S${i} = schema<{ id: number; name${i}: string; owner: { id: number; name: string }; tags: string[] }>()
class C${i} {
  index = { schema: { response: { 200: schema<{ id: number; name${i}: string }[]>() } }, handler: (): unknown => null }
  create = { schema: { body: S${i}, response: { 201: S${i} } }, handler: (): unknown => null }
  show = { schema: { response: { 200: S${i} } }, handler: (): unknown => null }
  new() {} edit() {} update() {} destroy() {}
}`,
  )
  .join('\n')}
const newest = { ${range(100)
  .map((i) => `res${i}: new C${i}()`)
  .join(', ')} }
const step0 = newest
${range(changes)
  .map(
    (n) => `const older${n} = schema<{ id: number; older${n}: string }>()
const step${n + 1} = before(step${n}, change('change ${n}', became(older${n}, ${n === 0 ? 'S7' : `older${n - 1}`}, {})))`,
  )
  .join('\n')}
type Value<S> = S extends { '~standard': { types?: { output: infer V } } } ? V : never
const old: Value<(typeof step${changes})['res7']['show']['schema']['response'][200]> = { id: 1, older${changes - 1}: 'x' }
const same: Value<(typeof step${changes})['res8']['show']['schema']['response'][200]>['name8'] = 'x'
export const checked = [old, same].length`

/** What `createRouter` compares: actions that no change touches are the same in all versions. */
const derived = `${changed(9)}
interface Req<P> { params: P }
interface Kind extends HandlerKind { readonly handler: (request: Req<this['params']>) => unknown; readonly options: { schema?: object } }
declare function createRouter<T>(routes: Api<T>, controllers: NoInfer<Controllers<T, Kind>>): void
const routes = api({ vendorString: 'acme' }, version(1, ${all}),
  ${range(9)
    .map((n) => `version(${n + 2}, inherit({ from: ${n + 1} }))`)
    .join(', ')})
createRouter(routes, { ${range(10)
  .map((n) => `${n + 1}: step${9 - n}`)
  .join(', ')} })`

/** 200 events, a change to one of them in each version, and 40 calls. */
const events = `import { before } from ${adapter}
import { createEvents, event } from ${JSON.stringify(join(root, 'packages/router/src/index.ts'))}
interface Typed<V> { readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } } }
declare const schema: <V>() => Typed<V>
${range(200)
  .map((i) => `const S${i} = schema<{ id: number; name${i}: string; tags: string[] }>()`)
  .join('\n')}
const step0 = { webhooks: { ${range(200)
  .map((i) => `e${i}: event(S${i})`)
  .join(', ')} } }
${range(9)
  .map(
    (n) => `const older${n} = schema<{ id: number; older${n}: string }>()
const step${n + 1} = before(step${n}, change('change ${n}', became(older${n}, S${n}, {})))`,
  )
  .join('\n')}
const routes = api({ vendorString: 'acme' }, version(1, resources('users')),
  ${range(9)
    .map((n) => `version(${n + 2}, inherit({ from: ${n + 1} }))`)
    .join(', ')})
const { webhooks } = createEvents(routes, { ${range(10)
  .map((n) => `${n + 1}: step${9 - n}`)
  .join(', ')} })
${range(40)
  .map(
    (i) =>
      `export const name${i}: string = webhooks.e${i}({ id: 1, name${i}: 'x', tags: [] }, { version: ${(i % 10) + 1} }).${i + (i % 10) < 9 ? `older${i}` : `name${i}`}`,
  )
  .join('\n')}`

/** Must not make the compiler compare TypeBox 1's types, which takes 1.3 million instantiations. */
const adapterActions = `${['express', 'fastify', 'fetch']
  .map((name) => {
    const source = JSON.stringify(join(root, `packages/${name}/src/index.ts`))
    return `import { action as ${name}Action } from ${source}`
  })
  .join('\n')}
interface Typed<V> { readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } } }
declare const querystring: Typed<{ page: string }>
export const actions = [
  expressAction({ schema: { querystring }, handler: (req, res) => res.json(req.query.page.trim()) }),
  fastifyAction({ schema: { querystring }, handler: (request) => request.query.page.trim() }),
  fetchAction({ schema: { querystring }, handler: (_request, { query }) => Response.json(query.page.trim()) }),
]`

/** By compiler: what the code of the core costs alone. */
const ownCost: Record<string, number> = {}

describe.each(Object.keys(compilers))('%s, 100 resources in 10 versions', (compiler) => {
  it.each([
    ['inherited', inherited, 27_000],
    ['inherited by number', inheritedByNumber, 27_000],
    ['written', written, 17_000],
    ['nested', nested, 27_000],
    ["options that don't change the types", withOptions, 62_000],
    ['classes', withClasses, 72_000],
    ['300 actions typed by their routes', actions, 90_000],
    ['an action of each adapter, and the code of the adapters', adapterActions, 180_000],
    ['before', changed(1), 8_000],
    ['nine befores in a chain', changed(9), 25_000],
    ['nine befores in createRouter', derived, 150_000],
    ['200 events and 40 calls', events, 1_150_000],
    ['40 selective excepts in a chain of 30 versions', excepts, 137_000],
    ['the same by number', exceptsByNumber, 137_000],
  ])('%s', (name, text, budget) => {
    // An app compiles the declarations of the core, not its code.
    const count =
      compile(compiler, name, text) - (ownCost[compiler] ??= compile(compiler, 'nothing', 'api'))
    console.log(`${compiler} ${name}: ${count} of ${budget} instantiations`)
    expect(count).toBeLessThanOrEqual(budget)
    expect(count).toBeGreaterThan(1000)
  })

  it.each([
    ['from caches', chain],
    ['from versions', chainByNumber],
  ])('a chain of 400 inherits %s compiles', (_from, text) =>
    expect(compile(compiler, 'chain', text)).toBeGreaterThan(1000),
  )
})
