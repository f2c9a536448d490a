// What the types of a client cost the compiler, in instantiations. The count is the same on every machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(resolve(import.meta.dirname, '../node_modules/.types-')) // where the schema library is installed
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const range = (count: number) => Array.from({ length: count }, (_, i) => i)
const head = `
import { api, cache, inherit, resources, version } from '@hv/router'
import { createClient, typesOf } from '../../src/index.ts'
import { type Static, Type } from '@sinclair/typebox'
export const routes = api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, ${range(100)
    .map((i) => `resources('res${i}')`)
    .join(', ')})),
  ${range(9)
    .map((n) => `version(${n + 2}, cache({ as: 'v${n + 2}' }, inherit({ from: 'v${n + 1}' }), resources('extra${n}')))`)
    .join(',\n')})
interface Req<Body = unknown> { params: unknown; body: Body; query: unknown }
${range(100)
  .map(
    (i) => `const S${i} = Type.Object({ id: Type.Integer(), name${i}: Type.String(), tags: Type.Array(Type.String()) })
class C${i} {
  index = { schema: { response: { 200: Type.Array(S${i}) } }, handler: (r: Req) => [] as unknown[] }
  create = { schema: { body: S${i}, response: { 201: S${i} } }, handler: (r: Req<Static<typeof S${i}>>) => r.body }
  show = { schema: { response: { 200: S${i} } }, handler: (r: Req) => ({}) as unknown }
  new() {} edit() {} update() { return { at: new Date() } } destroy() {}
}`,
  )
  .join('\n')}
class X { index() {} create() {} new() {} edit() {} show() {} update() {} destroy() {} }
const controllers = { ${range(10)
  .map(
    (n) =>
      `${n + 1}: { ${range(100)
        .map((i) => `res${i}: new C${i}()`)
        .join(', ')}${range(n)
        .map((k) => `, extra${k}: new X()`)
        .join('')} }`,
  )
  .join(',\n')} }
const client = createClient(routes, { baseUrl: '', version: 10, types: typesOf<typeof controllers> })
`
const callsOf = (resources: number) =>
  `export const run = async () => {\n${range(resources)
    .map(
      (i) => `  ;(await client.res${i}.show({ id: 1 })).name${i}.at(0)
  await client.res${i}.create({ body: { id: 1, name${i}: 'x', tags: [] } })
  ;(await client.res${i}.index())[0]!.tags.at(0)`,
    )
    .join('\n')}\n}`

function compile(compiler: string, name: string, text: string): number {
  const file = join(folder, `${name}.mts`)
  writeFileSync(file, text)
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    outDir: join(folder, 'out'),
    rootDir: '/',
    lib: ['es2023', 'dom'],
  }
  const config = join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: [file] }))
  const { errors, instantiations } = compilers[compiler]!(config)
  if (errors !== '') throw new Error(errors)
  return instantiations
}

/** By compiler: what the code of the core and of the client costs alone. An app compiles their declarations. */
const ownCost: Record<string, number> = {}
const own = `import { api } from '@hv/router'
import { createClient } from '../../src/index.ts'
export const all = [api, createClient]`

describe.each(Object.keys(compilers))('%s, 100 resources in 10 versions', (compiler) => {
  it.each([
    ['3 calls', 1, 55_000],
    ['300 calls', 100, 160_000],
  ])(
    '%s',
    (name, resources, budget) => {
      ownCost[compiler] ??= compile(compiler, 'own', own)
      const count = compile(compiler, `${name.replace(' ', '-')}`, head + callsOf(resources)) - ownCost[compiler]
      console.log(`${compiler}, ${name}: ${count} of ${budget} instantiations`)
      expect(count).toBeLessThanOrEqual(budget)
      expect(count).toBeGreaterThan(10_000)
    },
    60_000,
  )
})
