import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** What a service imports to declare its routes and to match requests, and everything that there is. */
it.each([
  ['declares and matches', 'api, cache, createMatcher, inherit, resources, version', 21_500],
  ['all', '*', 25_500],
])('the core with its dependencies stays small, and needs nothing of Node: %s', async (_what, names, most) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${names === '*' ? names : `{ ${names} }`} from './index.ts'`,
      resolveDir: resolve(import.meta.dirname, '../src'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(size).toBeLessThan(most)
  expect(size).toBeGreaterThan(most * 0.9) // lower the bound when there is less
})
