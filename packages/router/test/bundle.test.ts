import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** What a service imports to declare its routes and to match requests, and everything that there is. */
it.each([
  ['declares and matches', 'api, cache, createMatcher, inherit, resources, version', 22_900],
  ['all', '*', 30_000],
])(
  'the core with its dependencies stays small, and needs nothing of Node: %s',
  async (_what, names, most) => {
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
    expect(size).toBeGreaterThan(most * 0.9) // lower the bound when there's less
  },
)

/** What each package adds to a bundle that has the core and the framework. The command line is a program, not a part of one. */
it.each([
  ['express', 4_000],
  ['fastify', 7_000],
  ['fetch', 2_050],
  ['client', 3_400],
  ['openapi', 6_000],
  ['openapi-diff', 21_000],
])('the package of %s stays small', async (folder, most) => {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, '../..', folder, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['@hv/router', '@hv/router/*', 'express', 'fastify'],
    write: false,
  })
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(size).toBeLessThan(most)
  expect(size).toBeGreaterThan(most * 0.5) // lower the bound when there's less
})
