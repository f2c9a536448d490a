// What a page on another origin than the API's sees through @hv/router-client, in a real browser.
import { existsSync, readFileSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastifyCors from '@fastify/cors'
import { serve } from '@hono/node-server'
import { type Api, api, resources, version } from '@hv/router'
import { createRouter as onExpress } from '@hv/router-express'
import { createRouter as onFastify } from '@hv/router-fastify'
import { createRouter as onFetch } from '@hv/router-fetch'
import cors from 'cors'
import { build } from 'esbuild'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { cors as honoCors } from 'hono/cors'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { some } from '../tools/test-all.ts'

const routes = api(
  { vendorString: 'acme', path: '' },
  version(
    1,
    { deprecated: '2027-01-01', docs: 'https://docs.acme.example/1' },
    resources('users', { only: 'index' }),
  ),
)
/** The headers that the guide tells apps to expose. */
const guide = readFileSync(join(import.meta.dirname, 'guide/deprecate-and-retire.md'), 'utf8')
const exposed = guide
  .match(/exposedHeaders = \[(.*)\]/)![1]!
  .replaceAll("'", '')
  .split(', ')
const handler = () => Response.json([])

/** Serves the API with the CORS plugin of a framework. Returns its origin. */
const apps: Readonly<Record<string, (exposedHeaders: string[]) => Promise<string>>> = {
  express: async (exposedHeaders) =>
    listen(
      express()
        .use(cors({ exposedHeaders }))
        .use(onExpress(routes, { 1: { users: { index: (_req, res) => res.json([]) } } })),
    ),
  fastify: async (exposedHeaders) => {
    const app = fastify({ forceCloseConnections: true }).register(fastifyCors, { exposedHeaders })
    app.register(onFastify(routes, { 1: { users: { index: () => [] } } }))
    onTestFinished(() => app.close())
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
  hono: (exposeHeaders) => {
    const app = new Hono().use(honoCors({ origin: '*', exposeHeaders }))
    app.mount('/', onFetch(routes as Api, { 1: { users: { index: handler } } }))
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      )
      onTestFinished(() => void server.close())
    })
  },
}

async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Calls `users.index` in the page. Returns what the page saw. */
const page = `
  import { api, resources, version } from '@hv/router'
  import { createClient } from '@hv/router-client'
  const routes = api({ vendorString: 'acme', path: '' }, version(1, resources('users', { only: 'index' })))
  globalThis.run = async (baseUrl) => {
    const announced = []
    const onDeprecated = ({ action, links }) => announced.push(action + ' ' + links.deprecation)
    const client = createClient(routes, { baseUrl, version: 1, headers: { 'x-api-key': 'secret' }, onDeprecated })
    const result = await client.users.index.result().then(
      ({ data, error, response }) => {
        if (error !== null) throw error
        return { data, version: response.headers.get('api-version') }
      },
    ).catch(({ name, status, message }) => ({ name, status, message }))
    return { ...result, announced }
  }`

const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const hasBrowser = executablePath !== undefined || process.env['REQUIRE_BROWSER'] === '1'

describe.skipIf(!hasBrowser)('a page', () => {
  let browser: Browser
  let script: string
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: page, resolveDir: join(import.meta.dirname) },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['@hv/source'],
      write: false,
    })
    script = outputFiles[0]!.text
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ]
    browser = await chromium.launch({ executablePath: executablePath ?? 'chromium', args })
  })
  afterAll(() => browser?.close())

  const pages: RequestListener = (req, res) =>
    req.url === '/page.js'
      ? res.setHeader('content-type', 'text/javascript').end(script)
      : res
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><script type="module" src="/page.js"></script>')

  /** Opens a page of an origin and runs it against an API. */
  async function run(origin: string, baseUrl: string): Promise<unknown> {
    const tab = await browser.newPage()
    try {
      await tab.goto(`${origin}/page`)
      await tab.waitForFunction(() => 'run' in globalThis)
      return await tab.evaluate(
        (url) => (globalThis as unknown as { run(url: string): unknown }).run(url),
        baseUrl,
      )
    } finally {
      await tab.close()
    }
  }

  it.each(some(Object.keys(apps), 1))(
    'of another origin hears of the end only if %s exposes the headers',
    async (name) => {
      const origin = await listen(pages)
      expect(await run(origin, await apps[name]!([]))).toEqual({
        data: [],
        version: null,
        announced: [],
      })
      expect(await run(origin, await apps[name]!(exposed))).toEqual({
        data: [],
        version: '1',
        announced: ['users.index https://docs.acme.example/1'],
      })
    },
  )

  it('follows no redirect, so nothing reaches another origin', async () => {
    const seen: unknown[] = []
    const other = await listen((req, res) => {
      seen.push(req.headers['x-api-key'])
      res
        .setHeader('access-control-allow-origin', '*')
        .setHeader('access-control-allow-headers', '*')
        .end()
    })
    const allow = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    const origin = await listen((req, res) => {
      if (req.url === '/users')
        res.writeHead(req.method === 'OPTIONS' ? 204 : 302, { ...allow, location: other }).end()
      else pages(req, res)
    })
    for (const opened of [origin, await listen(pages)])
      expect(await run(opened, origin)).toMatchObject({
        name: 'ClientError',
        status: 0,
        message: expect.stringContaining(
          'users.index: 0 redirects to an address that the browser hides',
        ) as unknown,
      })
    expect(seen).toEqual([])
  })
})
