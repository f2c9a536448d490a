import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const bundle = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../src'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@hv/source'],
    write: false,
  })
  return outputFiles[0]!.text
}

it.each([
  ['the whole client', `export * from './index.ts'`, 3400],
  [
    'a client of a table with 100 resources',
    `import { createClient } from './index.ts'
    const users = { index: ['GET /api/users'], show: ['GET /api/users/:id'], create: ['POST /api/users'] }
    const actions = Object.fromEntries(${JSON.stringify(Array.from({ length: 100 }, (_, i) => `users${i}`))}.map((key) => [key, users]))
    const table = { version: 1, accept: 'application/vnd.acme+json;version=1', actions }
    export const client = createClient(table, { baseUrl: 'https://acme.example', version: 1 as never })`,
    3800,
  ],
])('%s is small, gzipped, without the core and Node APIs', async (_what, contents, most) => {
  const code = await bundle(contents)
  expect(code).not.toContain('HV_') // the core's errors
  const size = gzipSync(code, { level: 9 }).length
  expect(size).toBeLessThanOrEqual(most)
  expect(size).toBeGreaterThan(most - 400) // lower the bound when there's less
})

it('contains no code of the server', async () => {
  const text = await bundle(`
    import { createClient, typesOf } from './index.ts'
    import type { Controllers } from '../test/server-only.ts'
    declare const routes: Parameters<typeof createClient>[0]
    export const client = createClient(routes, { baseUrl: '', version: 1 as never, types: typesOf<Controllers> })`)
  expect(text).toContain('ClientError')
  expect(text).not.toContain('server-only')
})
