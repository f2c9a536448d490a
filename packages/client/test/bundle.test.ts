import { resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const bundle = async (contents: string, external: string[] = []) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../src'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@hv/source'],
    external,
    write: false,
  })
  return outputFiles[0]!.text
}

it('is small, without Node APIs', async () => {
  const text = await bundle(`export * from './index.ts'`, ['@hv/router'])
  expect(text.length).toBeLessThan(5800)
  expect(text.length).toBeGreaterThan(5000) // lower the bound when there is less
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
