// @hv/router-client in a real browser, against the running service.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import { buildApp } from '../src/app.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import type { run } from './browser-client.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

const browser = findProgram('chromium', 'google-chrome')
const hasBrowser = browser !== undefined || process.env['REQUIRE_BROWSER'] === '1'
const bundle = async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'browser-client.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@hv/source'],
    metafile: true,
    write: false,
    absWorkingDir: join(import.meta.dirname, '..'),
  })
  const inputs = Object.entries(Object.values(metafile.outputs)[0]!.inputs)
  return {
    text: outputFiles[0]!.text,
    inputs: inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput ? [path] : [])),
  }
}

it('the bundle has no code of the service but its routes', async () => {
  const { inputs, text } = await bundle()
  const ofService = inputs.filter((path) => !path.startsWith('../'))
  expect(ofService).toEqual(['src/routes.ts', 'test/browser-client.ts'])
  const others = inputs.filter(
    (path) => !ofService.includes(path) && !/packages\/(?:router|client)\/src/.test(path),
  )
  expect(others.filter((path) => !path.includes('/path-to-regexp/'))).toEqual([])
  expect(text.length).toBeLessThan(42_000)
})

describe.skipIf(!hasBrowser)('a page', () => {
  it('calls the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-browser-'))
    const store = openSqliteStore(join(folder, 'users.db'))
    await store.migrate()
    const app = buildApp(appConfig, { store, tokens })
    const { text } = await bundle()
    app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(text))
    app.get('/page', (_request, reply) =>
      reply.type('text/html').send('<!doctype html><script type="module" src="/page.js"></script>'),
    )
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ]
    const running = await chromium.launch({ executablePath: browser ?? 'chromium', args })
    try {
      const page = await running.newPage()
      page.setDefaultTimeout(300_000)
      await page.goto(`${origin}/page`)
      await page.waitForFunction(() => 'run' in globalThis)
      const result = await page.evaluate(
        ([baseUrl, credentials]) =>
          (globalThis as unknown as { run: typeof run }).run(baseUrl, credentials),
        [origin, { username: 'dora', password }] as const,
      )
      expect(result).toEqual({
        refused: 401,
        location: '/users/1',
        version: '2',
        usernames: ['dora'],
        name: 'Dora',
        aborted: 'AbortError',
      })
    } finally {
      await running.close()
      await app.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
