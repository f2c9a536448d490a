import { gzipSync } from 'node:zlib'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('the core with its dependencies stays small, and needs nothing of Node', async () => {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, '../src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(size).toBeLessThan(14 * 1024)
  expect(size).toBeGreaterThan(4 * 1024) // the whole of it
})
