// Every code block of the documentation is compiled and run; curl lines are sent and their answers compared.
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { format as formatted, promisify } from 'node:util'
import {
  type Api,
  type Problem,
  api,
  became,
  change,
  createMatcher,
  explain,
  inherit,
  resources,
  routeTable,
  version,
} from '@hv/router'
import { compareDocuments } from '@hv/openapi-diff'
import { injectInto } from '@hv/router/testing'
import { runSmoke } from '@hv/router-contract'
import { before as deriveOlder, createRouter as onExpress } from '@hv/router-express'
import { createRouter as onFastify } from '@hv/router-fastify'
import { createRouter as onFetch } from '@hv/router-fetch'
import { openapi } from '@hv/router-openapi'
import { type DynamicModule, type INestApplication, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import cors from 'cors'
import { Registry } from 'prom-client'
import { Webhook } from 'standardwebhooks'
import express, { type Request, type Response } from 'express'
import fastify from 'fastify'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { errorMessages } from '@hv/router/source/errors.ts'
import { problemTitles } from '@hv/router/source/respond/problem.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bundle } from '../examples/users/test/bundle.ts'
import { run as runCli } from '../packages/cli/src/run.ts'
import { type Block, blocksForAdapter, blocksOf, patternOf, variantsOf } from '../tools/pages.ts'
import { tutorialPages } from '../tools/tutorial.ts'

const root = resolve(import.meta.dirname, '..')
const snippets = join(root, 'docs/.snippets')
const pages = [
  'README.md',
  'packages/router/README.md',
  'packages/express/README.md',
  'packages/fastify/README.md',
  'packages/fetch/README.md',
  'packages/nest/README.md',
  'packages/openapi/README.md',
  'packages/openapi-diff/README.md',
  'packages/client/README.md',
  'packages/cli/README.md',
  'examples/users/README.md',
  'examples/nest/README.md',
  'examples/webhooks/README.md',
  // Not the whole folder: other tests write below its node_modules meanwhile.
  ...['docs', 'docs/decisions', 'docs/guide', 'docs/packages', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((file) =>
      file.endsWith('.md') ? join(folder, file) : [],
    ),
  ),
]

const folderOf = (page: string): string => join(snippets, page.replace(/\.md$/, ''))

rmSync(snippets, { recursive: true, force: true })
const runnable: string[] = []
const failing: { path: string; error: string }[] = []
/** Route files whose rows the next block lists. */
const tables: { path: string; rows: string }[] = []
const isTable = (block: Block | undefined) =>
  block?.language === 'text' && /^(?:\d+ +)?(?:GET|POST|PUT|DELETE) +\//.test(block.text)
for (const page of pages)
  for (const [variant, blocks] of variantsOf(page))
    for (const [index, { language, file = `block${index}.ts`, fails, text }] of blocks.entries()) {
      if (language !== 'ts') continue
      const path = join(folderOf(page), variant, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${text}\nexport {}\n`)
      const next = blocks[index + 1]
      if (text.includes('export const routes = ') && isTable(next))
        tables.push({ path, rows: next!.text })
      if (fails) failing.push({ path, error: /\/\/ ✗ (.+)$/m.exec(text)?.[1] ?? next!.text.trim() })
      else if (!/\.listen\(|\bserve\(\{|^ *writeFileSync\(/m.test(text)) runnable.push(path)
    }

// For tsc, and for the test runner, which has to know how to transform decorators.
const nest = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  erasableSyntaxOnly: false,
}
// An app may emit declarations, so every type in one has a name that it can import.
const compilerOptions = { types: ['node'], declaration: true, declarationMap: false, ...nest }
const config = { extends: '../../tsconfig.base.json', compilerOptions, include: ['**/*.ts'] }
writeFileSync(join(snippets, 'tsconfig.json'), JSON.stringify(config))

describe('the code blocks', () => {
  it('compile', () => {
    const tsc = join(root, 'tools/typescript7/tsc.js')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', snippets], { encoding: 'utf8' })
    // Here, an app can't import what only its dependencies depend on (TS2883). npm's flat folder of packages lets it.
    const errors = stdout
      .split(/^(?=\S+\.ts\()/m)
      .filter((error) => error !== '' && !error.includes('error TS2883: '))
    const isIn = (path: string) => (error: string) =>
      resolve(root, error.slice(0, error.indexOf('('))) === path
    for (const { path, error } of failing) expect(errors.find(isIn(path)), path).toContain(error)
    expect(errors.filter((error) => !failing.some(({ path }) => isIn(path)(error)))).toEqual([])
    expect(runnable.length).toBeGreaterThan(3)
  })

  it.each(runnable.map((path) => [path.slice(snippets.length + 1), path]))(
    '%s runs',
    async (_name, path) => {
      const log = vi.spyOn(console, 'log').mockImplementation(() => {})
      onTestFinished(() => log.mockRestore())
      // What a line prints is the comment at its end.
      const printed = [
        ...readFileSync(path, 'utf8').matchAll(/console\.log\(.*\) \/\/ (.*)$/gm),
      ].map(([, text]) => text)
      // It may have run already, because others import it. What it imports itself prints first.
      expect(await import(printed.length > 0 ? `${path}?printed` : path)).toBeDefined()
      const all = log.mock.calls.map((values) => formatted(...values))
      expect(all.slice(all.length - printed.length)).toEqual(printed)
    },
  )
})

type Send = (request: globalThis.Request) => Promise<globalThis.Response>

/** A KV namespace of Workers. */
const namespace = { get: async (id: string) => (id === '1' ? 'Ann' : null) }

/** How to send a request to the app that a code block exports, if it does. The app is a new one, because other blocks close it. */
async function senderOf(path: string): Promise<Send | undefined> {
  const { app, handler, default: worker } = (await import(`${path}?new`)) as Record<string, any>
  if (typeof app?.inject === 'function') return injectInto(app)
  if (typeof app?.fetch === 'function') return async (request) => app.fetch(request)
  if (typeof worker?.fetch === 'function')
    return async (request) => worker.fetch(request, { USERS: namespace }, { waitUntil() {} })
  if (typeof handler === 'function') return async (request) => handler(request)
  if (typeof app?.listen !== 'function') return undefined
  const server = createHttpServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return (request) => fetch(new Request(request.url.replace('http://localhost', origin), request))
}

// People copy these apps, so nothing that a client can send may break them.
describe('the apps of the pages', () => {
  const exportsApp = /^export (?:const (?:app|handler)\b|default \{)/m
  const apps = runnable.filter((path) => exportsApp.test(readFileSync(path, 'utf8')))
  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    '%00',
    '..%2f',
    '1e309',
    'a'.repeat(2000),
  ]

  it.each(apps.map((path) => [path.slice(snippets.length + 1), path]))(
    '%s answers hostile names, and is the same afterwards',
    async (_name, path) => {
      const send = await senderOf(path)
      expect(send).toBeDefined()
      const ask = async (url: string, headers: Record<string, string> = {}) => {
        const signal = AbortSignal.timeout(300_000)
        const request = new Request(`http://localhost${url}`, {
          headers,
          signal,
          redirect: 'manual',
        })
        const response = await send!(request)
        const body = await response.text()
        expect(response.status, url).toBeLessThan(500)
        expect([response.status, body], `${url} gets an empty response`).not.toEqual([200, ''])
        return [response.status, body]
      }
      const before = [await ask('/api/users/1'), await ask('/users/1')]
      const inherited = Object.getOwnPropertyNames(Object.prototype).length
      for (const name of hostile) {
        const header = name.slice(0, 1000)
        for (const url of [`/api/users/${name}`, `/users/${name}`, `/api/users?${name}=${name}`])
          await ask(url, { 'x-client': header, 'accept-version': header, authorization: header })
        await ask('/api/users', { accept: `application/vnd.acme+json;version=${header}` })
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(inherited)
      expect([await ask('/api/users/1'), await ask('/users/1')]).toEqual(before)
    },
  )
  it('are some', () => expect(apps.length).toBeGreaterThan(6))
})

describe('the tables of routes', () => {
  const linesOf = (rows: string) =>
    rows
      .trim()
      .split('\n')
      .map((line) => line.trim().replaceAll(/ +/g, ' '))
  it.each(tables.map(({ path, rows }) => [path.slice(snippets.length + 1), path, rows]))(
    '%s',
    async (_name, path, rows) => {
      const { routes } = (await import(path)) as { routes: Api }
      const hasVersions = routes.settings.versions.length > 1
      const printed = routeTable(routes).map(
        ({ version: number, method, pattern, key, action, name }) =>
          [hasVersions ? number : '', method, pattern, `${key}#${action}`, name ?? '']
            .join(' ')
            .trim(),
      )
      expect(printed).toEqual(linesOf(rows))
    },
  )
  it('are some', () => expect(tables.length).toBeGreaterThan(10))
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

const [gettingStarted, changePayload] = tutorialPages
const results = JSON.parse(readFileSync(join(root, 'docs/benchmarks.json'), 'utf8')) as Record<
  'routers' | 'express',
  {
    readonly tables: readonly {
      readonly title: string
      readonly rows: Record<string, Record<string, number>>
    }[]
  }
>

describe
  .skipIf(!hasCurl)
  .each<[page: string, folder: string, main: string, blocks: readonly Block[]]>([
    ['README.md', join(root, 'examples/users'), 'src/main.ts', blocksOf('README.md')],
    [
      'examples/users/README.md',
      join(root, 'examples/users'),
      'src/main.ts',
      blocksOf('examples/users/README.md'),
    ],
    ['docs/agents.md', folderOf('docs/agents.md'), 'server.ts', blocksOf('docs/agents.md')],
  ])('the curl lines of %s', (page, folder, main, blocks) => {
  let child: ChildProcess
  let port: number
  const data = mkdtempSync(join(tmpdir(), 'docs-data-'))

  beforeAll(async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    port = (probe.address() as AddressInfo).port
    probe.close()
    const command = folder.startsWith(snippets)
      ? ['--conditions=@hv/source', '--import', 'tsx', main]
      : [bundle(folder, main)]
    child = spawn(process.execPath, command, {
      cwd: folder,
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_FILE: join(data, 'users.db'),
        LOG_LEVEL: 'silent',
      },
      stdio: 'inherit',
    })
    for (let i = 0; i < 5000; i++) {
      if (await fetch(`http://localhost:${port}/`).catch(() => null)) return
      await wait(50)
    }
    throw new Error(`${main} doesn't serve`)
  })
  afterAll(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  })

  it('give what the page says, pasted as they stand', () => {
    const sessions = blocks.flatMap(({ language, text }, index) =>
      language === 'sh' && text.includes('curl')
        ? [{ commands: text, output: blocks[index + 1]! }]
        : [],
    )
    expect(sessions.length).toBeGreaterThan(0)
    const script = sessions
      .map(({ commands }) => commands)
      .join('\n')
      .replaceAll('localhost:3000', `localhost:${port}`)
    const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    const expected = sessions
      .map((session) => (session.output.language === 'text' ? session.output.text : ''))
      .join('')
    expect(output).toMatch(patternOf(expected))
    if (page !== 'examples/users/README.md') return
    // The reader may have signed up others, by the lines of the first README.
    execFileSync('sh', [
      '-c',
      `${script.split('\n')[0]}\npost localhost:${port}/users -d '{"username":"ann","password":"correct horse"}'`,
    ])
    const again = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    const codesIn = (text: string) => text.match(/"code":\d+/g)
    expect(codesIn(again)).toEqual(codesIn(output))
  })
})

/** Code without its layout. */
const compact = (text: string): string =>
  text.replaceAll(/\s|,(?=\s*[)\]}])/g, '').replaceAll(/[()]/g, '')

// What the first screen of the README shows is what the tutorial's app does.
describe.skipIf(!hasCurl)('the first screen of the README', () => {
  const blocks = blocksOf('README.md')

  it('requests what its console shows', async () => {
    const session = blocks.find(({ language }) => language === 'console')!.text
    const [, ...requests] = session.split(/^\$ /m)
    const load = (file: string) => import(join(folderOf(changePayload), 'fastify', file))
    const [{ v1 }, { v2 }, { routes }] = await Promise.all(
      ['v1.ts', 'v2.ts', 'routes.ts'].map(load),
    )
    const app = fastify({ forceCloseConnections: true })
    app.register(onFastify(routes, { 1: v1, 2: v2 }))
    onTestFinished(() => app.close())
    const { host } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    for (const request of requests) {
      const [command, ...output] = request.trimEnd().split('\n')
      const sent = command!.replace('curl', 'curl -s').replace('localhost:3000', host)
      const { stdout } = await promisify(execFile)('sh', ['-c', sent])
      expect(stdout).toBe(output.join('\n'))
    }
    expect(requests.length).toBe(2)
  })

  it('shows parts of the tutorial, as the home page does', () => {
    const lastOf = (name: string) =>
      tutorialPages
        .flatMap((page) => blocksForAdapter(page, 'Fastify'))
        .findLast(({ file }) => file === name)!
    const tutorial = compact(lastOf('routes.ts').text + lastOf('v1.ts').text)
    const partsOf = (page: string) =>
      blocksOf(page).flatMap(({ language, text }) =>
        language === 'js'
          ? text
              .split(/^\/\/ .*$/m)
              .map(compact)
              .filter(Boolean)
          : [],
      )
    const parts = partsOf('README.md')
    expect(partsOf('docs/index.md')).toEqual(parts)
    for (const part of parts) expect(tutorial).toContain(part.replace(/,$/, ''))
    expect(parts).toHaveLength(2)
  })

  it('starts the example and sends its requests within 60 lines', () => {
    const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n').slice(0, 60).join('\n')
    expect(lines).toMatch(/^npm start .*\nnpm test /m)
    expect(lines.match(/^curl /gm)).toHaveLength(3)
  })

  it('has the numbers of the benchmarks', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ')
    const [matching] = results.routers.tables
    const nanoseconds = Object.values(matching!.rows['@hv/router']!).map(Number)
    const range = [Math.min(...nanoseconds), Math.max(...nanoseconds)].map((n) =>
      (n / 1000).toFixed(2),
    )
    expect(text).toContain(`takes ${range[0]} to ${range[1]} µs`)
    const median = (size: number, name: string): number => {
      const { rows } = results['express'].tables.find(({ title }) =>
        title.startsWith(`${size} resources in 3`),
      )!
      return Math.round(Number(rows[name]!['median']))
    }
    expect(text).toContain(
      `takes ${median(400, 'ours')} µs of CPU time instead of ${median(400, 'plain')}`,
    )
    const small = `takes ${median(4, 'ours')} µs instead of ${median(4, 'plain')}`
    expect(text).toContain(small)
    const home = readFileSync(join(root, 'docs/index.md'), 'utf8')
    expect(home).toContain(small)
    const bars = [...home.matchAll(/"value":(\d+)/g)].map(([, value]) => Number(value))
    expect(bars).toEqual(['ours', 'plain', 'by hand'].map((name) => median(400, name)))
  })

  it('has the size that the test of the bundle allows', () => {
    const bundles = readFileSync(join(root, 'packages/router/test/bundle.test.ts'), 'utf8')
    const [, most] = /\['declares and matches', .*, (\d+_\d+)\]/.exec(bundles)!
    const kB = Math.ceil(Number(most!.replace('_', '')) / 1000)
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`under ${kB} kB gzipped`)
  })
})

describe('the table of responses', async () => {
  const page = 'docs/guide/how-it-works.md'
  const { routes } = (await import(join(folderOf(gettingStarted), 'fastify/routes.ts'))) as {
    routes: Api
  }
  const vendor = (parameters: string) => `application/vnd.acme+json;version=${parameters}`
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  /** By row: requests, with the status and a part of the response. */
  const rows: Record<
    string,
    readonly [string, method: string, url: string, status: number, part: string][]
  > = {
    "No `Accept`, `*/*`, `application/json`, or a browser's header": [
      '',
      '*/*',
      'application/json',
      browser,
    ].map((accept) => [accept, 'GET', '/api/users', 200, '"served":1']),
    '`application/vnd.acme+json;version=2`': [
      [vendor('2'), 'GET', '/api/users', 200, '"served":2'],
      [`${vendor('1')};q=0.5, ${vendor('2')}`, 'GET', '/api/users', 200, '"served":2'],
    ],
    'An undeclared version': [[vendor('3'), 'GET', '/api/users', 406, '"supported":[1,2]']],
    '`version=abc`, `version=1.5`': ['abc', '1.5'].map((n) => [
      vendor(n),
      'GET',
      '/api/users',
      400,
      'urn:hv-router:',
    ]),
    'A route that only other versions have': [
      [vendor('1'), 'GET', '/api/teams', 404, '"availableIn":[2]'],
    ],
    'An unsupported method': [[vendor('1'), 'DELETE', '/api/users', 405, '"allow":["GET"']],
    'A path that no version has': [[vendor('1'), 'GET', '/api/nothing', 418, '"app":true']],
  }
  it('has these rows', () => {
    const table = readFileSync(join(root, page), 'utf8')
      .split('## Which response a request gets')[1]!
      .split('\n## ')[0]!
    const shown = [...table.matchAll(/^\| (.+?) +\|/gm)].map(([, row]) => row).slice(2)
    expect(shown).toEqual(Object.keys(rows))
  })

  const controllers = (of: (version: number) => unknown) => {
    const actions = (n: number) => ({ index: of(n), show: of(n) })
    const v1 = { users: actions(1) }
    return { 1: v1, 2: { users: actions(2), teams: { index: of(2) } } } as never
  }
  const apps: Record<string, () => Promise<{ origin: string; close: () => unknown }>> = {
    async Fastify() {
      const app = fastify({ forceCloseConnections: true })
      await app.register(
        onFastify(
          routes,
          controllers((served) => () => ({ served })),
        ),
      )
      app.setNotFoundHandler((_request, reply) => reply.code(418).send({ app: true }))
      return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
    },
    async Express() {
      const send = (served: number) => (_req: Request, res: Response) => void res.json({ served })
      const app = express().use(onExpress(routes, controllers(send)))
      app.use((_req, res) => void res.status(418).json({ app: true }))
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => server.close(),
      }
    },
  }
  it.each(Object.entries(apps))('is what %s does', async (_name, serve) => {
    const { origin, close } = await serve()
    for (const [accept, method, url, status, part] of Object.values(rows).flat()) {
      const headers = { connection: 'close', ...(accept !== '' && { accept }) }
      const response = await fetch(origin + url, { method, headers })
      expect([response.status, await response.text()], `${method} ${url} ${accept}`).toEqual([
        status,
        expect.stringContaining(part),
      ])
      const isOurs = status !== 418
      expect(response.headers.get('vary'), `${method} ${url}`).toBe(isOurs ? 'Accept' : null)
      const served = /"served":(\d)/.exec(part)?.[1] ?? null
      expect(response.headers.get('api-version'), `${method} ${url} ${accept}`).toBe(served)
    }
    await close()
  })
})

describe('the Nest app of the guide', async () => {
  const folder = folderOf('docs/guide/coming-from-nestjs')
  const load = async <Module>(name: string) => (await import(join(folder, name))) as Module
  const platforms = { Express: () => new ExpressAdapter(), Fastify: () => new FastifyAdapter() }

  it.skipIf(!hasCurl).each(Object.entries(platforms))(
    'serves what the page shows on %s',
    async (_name, create) => {
      const { AppModule } = await load<{ AppModule: Type }>('app.module.ts')
      const { AuditModule } = await load<{ AuditModule: Type }>('audit.module.ts')
      const { setupDropdown } = await load<{ setupDropdown: (app: INestApplication) => void }>(
        'dropdown.ts',
      )
      const warn = vi.fn<(message: string) => void>()
      const logger = { log() {}, error: console.error, warn }
      const app = await NestFactory.create(
        { module: AppModule, imports: [AuditModule] },
        create() as never,
        {
          logger,
          abortOnError: false,
        },
      )
      onTestFinished(() => app.close())
      setupDropdown(app)
      await app.listen(0, '127.0.0.1')
      const blocks = blocksOf('docs/guide/coming-from-nestjs.md')
      const shown = blocks.findIndex(({ text }) => text.startsWith('curl'))
      const script = blocks[shown]!.text.replaceAll('http://', '').replaceAll(
        'localhost:3000',
        new URL(await app.getUrl()).host,
      )
      const output = await new Promise((done) =>
        execFile('sh', ['-c', script], (_error, out) => done(out)),
      )
      expect(output).toBe(blocks[shown + 1]!.text)
      for (const path of ['docs', 'docs-json', 'docs/v1-json', 'docs/v2-json'])
        expect((await fetch(`${await app.getUrl()}/${path}`)).status).toBe(200)
      const warnings = warn.mock.calls.map(([message]) => message)
      // Swagger's compiler plugin, which the page's DTOs rely on, doesn't run here.
      const ofPlugin = /^The documents show no property of CreateUserV\d\./
      expect(warnings.filter((message) => !ofPlugin.test(message))).toEqual([])
    },
  )

  it.each(['async.module.ts', 'old-clients.ts'])('starts with the options of %s', async (name) => {
    const { UsersModule } = await load<{ UsersModule: Type }>('users.module.ts')
    const exported = await load<{ AsyncModule?: Type; api?: DynamicModule }>(name)
    const module = { module: UsersModule, imports: [exported.AsyncModule ?? exported.api!] }
    const app = await NestFactory.create(module, { logger: false, abortOnError: false })
    onTestFinished(() => app.close())
    await app.listen(0, '127.0.0.1')
    const response = await fetch(`${await app.getUrl()}/api/users/7`, {
      headers: { accept: 'application/json;v=2' },
    })
    expect(await response.json()).toHaveProperty(name === 'old-clients.ts' ? 'first' : 'name')
  })
})

describe("the answers to Nest teams' questions", () => {
  const load = async <Module>(page: string, name: string) =>
    (await import(join(folderOf(`docs/guide/${page}`), name))) as Module
  const platforms = {
    Express: () => new ExpressAdapter(),
    Fastify: (rewriteUrl: never) => new FastifyAdapter({ rewriteUrl }),
  }

  it.each(Object.entries(platforms))('are true on %s', async (name, create) => {
    const { AppModule } = await load<{ AppModule: Type }>('coming-from-nestjs', 'app.module.ts')
    const { translate } = await load<{ translate: never }>('nest-questions', 'translate.ts')
    const { RetiredGuard } = await load<{ RetiredGuard: Type }>(
      'nest-questions',
      'retired.guard.ts',
    )
    const app = await NestFactory.create(AppModule, create(translate) as never, {
      logger: false,
      abortOnError: false,
    })
    onTestFinished(() => app.close())
    if (name === 'Express') app.use(translate)
    app.useGlobalGuards(new RetiredGuard() as never)
    await app.listen(0, '127.0.0.1')
    const ask = async (accept: string, account = 'old') => {
      const headers = { accept, 'x-account': account }
      const { status, headers: received } = await fetch(`${await app.getUrl()}/api/users/7`, {
        headers,
      })
      return [status, received.get('api-version')]
    }
    expect(await ask('application/vnd.acme.v2+json')).toEqual([200, '2'])
    expect(await ask('application/vnd.acme.v1+json')).toEqual([200, '1'])
    expect(await ask('application/vnd.acme.v9+json')).toEqual([406, null])
    expect((await ask('*/*', 'new'))[0]).toBe(403)
    const [one, two] = [1, 2].map((version) => `application/vnd.acme+json;version=${version}`)
    expect(await ask(`${one};q=0.5, ${two}`)).toEqual([200, '2'])
    expect(await ask(`${one}, ${two}`)).toEqual([200, '1'])
  })
})

describe('the Nest app with a derived version', () => {
  const folder = folderOf('docs/guide/derive-nest-versions')

  it('serves version 1', async () => {
    const { AppModule } = (await import(join(folder, 'app.module.ts'))) as { AppModule: Type }
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false })
    onTestFinished(() => app.close())
    await app.listen(0, '127.0.0.1')
    const url = `${await app.getUrl()}/api/users`
    const headers = { accept: 'application/vnd.acme+json;version=1', 'content-type': 'application/json' } // prettier-ignore
    const shown = await fetch(`${url}/7`, { headers })
    expect(await shown.json()).toEqual({ name: 'Ann Lee' })
    const create = (name: unknown) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify({ name }) })
    expect(await (await create('Bo B. Ray')).json()).toEqual({ name: 'Bo B. Ray' })
    expect(await (await create(7)).json()).toHaveProperty('message', ['name must be a string'])
  })

  it('has the documents that the commands read', async () => {
    vi.stubEnv('CI', '') // `--update-lock` refuses in CI
    onTestFinished(() => void vi.unstubAllEnvs())
    const previous = process.cwd()
    process.chdir(folder)
    try {
      await import(join(folder, 'write-documents.ts'))
      await vi.waitFor(() => readFileSync('documents.json'), 600_000)
    } finally {
      process.chdir(previous)
    }
    const command = (args: string) =>
      runCommands(`${cli} ${args} --documents documents.json`, folder)
    expect(await command('diff 1 2 --routes routes.ts')).toContain('/firstName')
    const guide = await command('diff 1 2 --guide --routes routes.ts')
    expect(guide).toContain("A user's name is in two fields.")
    await command('check --update-lock --routes routes.ts')
    expect(await command('check --lock --routes routes.ts')).toContain('No findings')
  })
})

/** How the pages call the command line. */
const cli = 'npx @hv/router-cli@0.1'
const isCli = (script: string) => script.startsWith(`${cli} `)
/** The words of a command, without the quotes around them. */
const wordsOf = (command: string) =>
  [...command.matchAll(/(['"])(.*?)\1|(\S+)/g)].map(([, , quoted, plain]) => quoted ?? plain!)

/** Runs commands, one a line, in this process, and returns what they print. */
async function runCommands(script: string, cwd: string): Promise<string> {
  let printed = ''
  const out = { write: (text: string) => (printed += text) }
  for (const line of script.trim().split('\n')) {
    const [, , ...args] = wordsOf(line)
    await runCli(args, { cwd, out, err: { write: () => {} } })
  }
  return printed
}

/** What a program prints when it's loaded once more. */
async function printedBy(path: string): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  await import(`${path}?again`)
  return log.mock.calls.map((values) => `${formatted(...values)}\n`).join('')
}

describe('the sessions of the command line', () => {
  const folders = {
    'docs/reference/cli.md': join(root, 'examples/users'),
    'docs/agents.md': folderOf('docs/agents.md'),
  }
  const sessions = Object.entries(folders).flatMap(([page, folder]) => {
    const blocks = blocksOf(page)
    return blocks.flatMap(({ language, text }, index) =>
      language === 'sh' &&
      (isCli(text) || text.startsWith('node ')) &&
      blocks[index + 1]?.language === 'text'
        ? [[text.trim(), blocks[index + 1]!.text, folder] as const]
        : [],
    )
  })
  it.each(sessions)('%s', async (command, expected, cwd) => {
    vi.stubEnv('CI', '') // `--update-lock` refuses there
    onTestFinished(() => void vi.unstubAllEnvs())
    const [, program] = /^node --import tsx (\S+)$/.exec(command) ?? []
    const script = command.replace(/^node/, 'node --conditions=@hv/source')
    if (isCli(command)) expect(await runCommands(command, cwd)).toBe(expected)
    else if (program !== undefined) expect(await printedBy(join(cwd, program))).toBe(expected)
    else expect(execFileSync('sh', ['-c', script], { encoding: 'utf8', cwd })).toBe(expected)
  })
  it('are some', () => expect(sessions.length).toBeGreaterThan(8))
})

describe('the guide Release with a lock file', () => {
  it('shows what the commands print while its files change', async () => {
    vi.stubEnv('CI', '') // `--update-lock` refuses there
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = join(snippets, 'lock-file')
    const printed: string[] = []
    /** Runs a command in a copy of the folder, because Node keeps the modules that it has loaded. */
    const run = async (command: string): Promise<void> => {
      const copy = join(snippets, `lock-file-${printed.length}`)
      cpSync(folder, copy, { recursive: true })
      printed.push(await runCommands(command, copy))
      copyFileSync(join(copy, 'routes.lock.json'), join(folder, 'routes.lock.json'))
    }
    const linesOf = (diff: string, without: RegExp) =>
      diff.replace(without, '').replaceAll(/^./gm, '')
    const blocks = blocksOf('docs/guide/release-with-a-lock-file.md')
    for (const { language, file, text } of blocks) {
      const path = join(folder, file ?? '')
      mkdirSync(dirname(path), { recursive: true })
      if (language === 'ts') writeFileSync(path, text)
      if (language === 'diff') {
        const before = readFileSync(path, 'utf8')
        expect(before).toContain(linesOf(text, /^\+.*\n/gm))
        writeFileSync(path, before.replace(linesOf(text, /^\+.*\n/gm), linesOf(text, /^-.*\n/gm)))
      }
      if (language === 'sh') await run(text)
    }
    expect(printed).toEqual(
      blocks.flatMap(({ language, text }) => (language === 'text' ? [text] : [])),
    )
  })
})

describe('the options of createRouter', () => {
  const page = readFileSync(join(root, 'docs/reference/options.md'), 'utf8')
  /** The options whose rows are in a section. */
  const listedIn = (section: string) =>
    [
      ...page
        .split(/^## /m)
        .find((text) => text.startsWith(section))!
        .matchAll(/^\| `(\w+)/gm),
    ].map(([, name]) => name!)
  it.each(['express', 'fastify', 'fetch'])('are complete: %s', (adapter) => {
    const source = readFileSync(join(root, `packages/${adapter}/src/types.ts`), 'utf8')
    const body = /^export (?:interface|type) RouterOptions[^]*?^[}>]/m.exec(source)![0]
    const shared = body.includes('ValidatorOptions') ? ['validator'] : []
    const own = [
      ...shared,
      ...[...body.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name!),
    ]
    const everywhere = listedIn('Every adapter')
    const title = adapter === 'fetch' ? 'fetch' : `${adapter[0]!.toUpperCase()}${adapter.slice(1)}`
    expect(everywhere).toContain('problem')
    expect(listedIn(title).toSorted()).toEqual(
      own.filter((name) => !everywhere.includes(name)).toSorted(),
    )
  })
})

describe('the commands of the command line', () => {
  const commands = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(/npx @hv\/router-cli@[\d.]+ ([^`\n]+)/g),
    ].map(([, args]) => [page, args!.trim()] as const),
  )
  // A command with wrong arguments fails before it looks for the folder.
  it.each(commands)('%s: hv-router %s', async (_page, command) => {
    const args = wordsOf(command)
    let printed = ''
    const output = { write: (text: string) => (printed += text) }
    await runCli(['--cwd', 'nowhere', ...args], { cwd: root, out: output, err: output })
    expect(printed).toMatch(
      args.includes('--help') ? /^Usage: / : /no such folder: (?:nowhere|apps)/,
    )
  })
  it('are some', () => expect(commands.length).toBeGreaterThan(15))

  // A bare `hv-router` runs only where the package is installed; npx would ask the registry for a package of that name.
  it.each(pages)('have the package in their name: %s', (page) => {
    const bare = /(?:^|[`$] ?)hv-router (?!--$)[\w-].*/gm
    expect(readFileSync(join(root, page), 'utf8').match(bare) ?? []).toEqual([])
  })
})

describe('the adapter of the guide', async () => {
  const file = join(folderOf('docs/guide/write-an-adapter'), 'node-adapter.ts')
  const { createListener } = (await import(file)) as {
    createListener: (...args: unknown[]) => RequestListener
  }
  const json = 'application/json; charset=utf-8'

  runSmoke({
    name: 'node:http',
    native: (action) =>
      function (this: never, { request, response, match }: NodeContext) {
        const { params, format, version: number } = match
        const setHeader = (name: string, value: string) => void response.setHeader(name, value)
        const run = (body: unknown) => {
          const result = action.call(this, { params, body, format, version: number, setHeader })
          return Symbol.asyncIterator in Object(result)
            ? Readable.from(result as AsyncIterable<string>)
            : result
        }
        return request.method === 'GET'
          ? run(undefined)
          : readText(request).then((body) => run(body && JSON.parse(body)))
      },
    async serve({ mounts, replaceProblem, options, cors: handlesCors = false }) {
      const fallback: RequestListener = ({ url }, response) =>
        url === '/plain'
          ? response.setHeader('content-type', json).end('{"plain":true}')
          : response.writeHead(404).end()
      const error = (reason: unknown, _request: IncomingMessage, response: ServerResponse) =>
        response
          .writeHead(500, { 'content-type': json })
          .end(JSON.stringify({ caught: String((reason as Error)?.message) }))
      const problem = (found: Problem, _request: IncomingMessage, response: ServerResponse) => {
        response.statusCode = 200
        response.setHeader('content-type', json)
        return replaceProblem!(found)
      }
      const hooks = { fallback, error, ...(replaceProblem && { problem }), ...options }
      const apis = mounts.map(({ routes, controllers, prefix }) => {
        const { match } = createMatcher(routes)
        const listener = createListener(routes, controllers, hooks)
        const isBelow = ({ url }: IncomingMessage) => url!.startsWith(`${prefix}/`)
        return {
          find: (request: IncomingMessage) =>
            isBelow(request)
              ? match(request.method!, request.url!.slice(prefix.length), request.headers.accept)
              : undefined,
          handle(request: IncomingMessage, response: ServerResponse) {
            request.url = request.url!.slice(prefix.length)
            listener(request, response)
          },
        }
      })
      // The first API that has the path serves the request.
      const app: RequestListener = (request, response) => {
        request.url = request.url!.replace(/^https?:\/\/[^/]*/, '') // targets in absolute form
        const serving = apis.find(({ find }) => {
          const result = find(request)
          return result !== undefined && !(result.kind === 'miss' && result.code === 'unknown-path')
        })
        if (serving === undefined) fallback(request, response)
        else serving.handle(request, response)
      }
      const allow = cors({ origin: 'https://app.example' })
      const server = createHttpServer((request, response) =>
        handlesCors
          ? allow(request, response, () => void app(request, response))
          : void app(request, response),
      ).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        async close() {
          server.closeAllConnections()
          await new Promise((done) => server.close(done))
        },
      }
    },
  })
})

interface NodeContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly match: { params: Record<string, string>; format: string | null; version: number }
}

describe('the guide to routes', () => {
  it.each([
    ['/api/users/7:cancel', { call: '7:cancel' }],
    ['/api/users/7%3Acancel', { call: '7:cancel' }],
    ['/api/users/7', undefined],
    ['/api/users/:cancel', undefined],
  ])('serves custom methods: %s', async (path, params) => {
    const { routes } = (await import(join(folderOf('docs/guide/routes.md'), 'cancel.ts'))) as any
    expect(createMatcher(routes).match('POST', path, undefined)).toMatchObject(
      params === undefined ? { kind: 'miss', code: 'unknown-path' } : { kind: 'match', params },
    )
  })
})

describe('the guides to metrics and to the end of a version', () => {
  const page = 'docs/guide/deprecate-and-retire.md'
  const load = (name: string) => import(join(folderOf(page), name)) as Promise<any>
  const loadMetrics = (name: string) =>
    import(join(folderOf('docs/guide/metrics-and-tracing.md'), name)) as Promise<any>
  const accept = (number: number) => `application/vnd.acme+json;version=${number}`

  it('shows the headers and the document', async () => {
    const { routes } = await load('routes.ts')
    const row = routeTable(routes).find(({ version }) => version === 1)!
    const written = row.life!.headers.map(([name, value]) => `${name}: ${value}`.toLowerCase())
    const headers = blocksOf(page).find(({ language }) => language === 'text')
    expect(headers!.text.trim().toLowerCase().split('\n')).toEqual(written)
    const request = { method: 'GET', path: '/api/users', accept: accept(1) }
    const { problem } = explain(routes, request, { now: () => Date.parse('2027-08-01') })
    const shown = blocksOf(page).find(({ language }) => language === 'json')!
    expect(JSON.parse(shown.text)).toEqual(problem)
  })

  /** Two calls of version 1, one without a version, and a refusal, over Fastify. */
  const call = async (onRouted: any) => {
    const { routes } = await load('routes.ts')
    const users = { index: () => [], show: () => ({}) }
    const sessions = { create: () => ({}), destroy: () => ({}) }
    const app = fastify()
    const now = () => Date.parse('2027-02-01')
    app.register(
      onFastify(routes, { 1: { users, sessions }, 2: { users, sessions } } as never, {
        onRouted,
        now,
      }),
    )
    for (const [version, client] of [
      [1, 'ios'],
      [1, 'ios'],
      [0, 'web'],
      [9, 'web'],
    ] as const)
      await app.inject({
        url: '/api/users',
        headers: { 'x-client': client, ...(version > 0 && { accept: accept(version) }) },
      })
    await app.close()
  }
  const clientOf = ({ headers }: { headers: Record<string, string> }) => headers['x-client']

  it('counts with Prometheus', async () => {
    const register = new Registry()
    await call((await loadMetrics('prometheus.ts')).createCallCounter(register, clientOf))
    expect(
      (await register.metrics()).split('\n').filter((line) => line.startsWith('api_calls_total')),
    ).toEqual([
      'api_calls_total{api_version="1",source="explicit",client="ios"} 2',
      'api_calls_total{api_version="1",source="default",client="web"} 1',
      'api_calls_total{api_version="none",source="not-acceptable",client="web"} 1',
    ])
  })

  it("labels Hono's metrics and spans with the route's pattern", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    )
    const file = join(folderOf('packages/fetch/README.md'), 'hono-labels.ts')
    const { app } = (await import(file)) as any
    for (const path of ['/api/users/7', '/api/users/8', '/api/other', '/other'])
      await app.request(path)
    const spans = exporter.getFinishedSpans()
    trace.disable()
    context.disable()
    const text: string = await (await app.request('/metrics')).text()
    const series = text.split('\n').map((line) => line.replace(/ \d+$/, ''))
    for (const metric of ['http_requests_total', 'http_request_duration_seconds_count']) {
      const label = (route: string, status: number) =>
        `${metric}{method="GET",route="${route}",status="${status}",ok="${status < 400}"}`
      expect(series).toContain(label('/api/users/:id', 200))
      expect(series).toContain(label('/api/*', 404))
      expect(series).not.toContain(label('/api/*', 200))
    }
    expect(spans.map(({ name, attributes }) => [name, attributes['http.route']])).toEqual([
      ['GET /api/users/:id', '/api/*'],
      ['GET /api/users/:id', '/api/*'],
      ['GET /api/*', '/api/*'],
      ['GET /*', '/*'],
      ['GET /metrics', '/metrics'],
    ])
  })

  it('counts with OpenTelemetry', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    await call((await loadMetrics('opentelemetry.ts')).createCallMeter())
    await reader.forceFlush()
    const [counter] = exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics
    expect(counter!.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ 'api.version': 1, 'api.version.source': 'explicit', 'http.route': '/api/users' }, 2],
      [{ 'api.version': 1, 'api.version.source': 'default', 'http.route': '/api/users' }, 1],
      [{ 'error.type': 'not-acceptable' }, 1],
    ])
    await reader.shutdown()
    metrics.disable()
  })

  it('adds the version to the span of the HTTP instrumentation', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const exporter = new InMemorySpanExporter()
    const tracerProvider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    })
    const instrumentation = new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true })
    instrumentation.setTracerProvider(tracerProvider)
    createRequire(import.meta.url)('node:http') // what the instrumentation waits for
    const { addVersionToSpan: onRouted } = await loadMetrics('span.ts')
    const users = { index: () => [], show: () => ({}) }
    const sessions = { create: () => ({}), destroy: () => ({}) }
    const { routes } = await load('routes.ts')
    const app = fastify().register(
      onFastify(routes, { 1: { users, sessions }, 2: { users, sessions } } as never, { onRouted }),
    )
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const number of [2, 9])
      await fetch(`${origin}/api/users`, { headers: { accept: accept(number) } })
    await app.close()
    expect(
      exporter
        .getFinishedSpans()
        .map(({ attributes }) => [attributes['api.version'], attributes['error.type']]),
    ).toEqual([
      [2, undefined],
      [undefined, 'not-acceptable'],
    ])
    instrumentation.disable()
    context.disable()
  })

  it('counts hostile names like any other, and a bounded number of them', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'docs-usage-')), 'usage.json')
    const { createUsage } = await load('usage.ts')
    const { onRouted, save } = createUsage(file, (name: string) => name)
    const names = ['__proto__', 'constructor', 'toString', '']
    for (const name of names) onRouted({ kind: 'match', version: 1 } as never, name)
    for (let i = 0; i < 5000; i++) onRouted({ kind: 'match', version: 2 } as never, `client-${i}`)
    save()
    expect(createUsage(file, String).save).toBeDefined() // it can be read
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
    expect(Object.entries(saved['1']!)).toEqual(
      names.map((name) => [name, { calls: 1, last: expect.any(String) }]),
    )
    expect(Object.keys(saved['2']!)).toHaveLength(1001)
    expect(saved['2']).toHaveProperty('all others.calls', 4000)
    expect(({} as { calls?: number }).calls).toBeUndefined()
    rmSync(dirname(file), { recursive: true })
  })

  it('counts in a file, which survives a restart', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'docs-usage-')), 'usage.json')
    const { createUsage } = await load('usage.ts')
    for (let start = 0; start < 2; start++) {
      const { onRouted, save } = createUsage(file, clientOf)
      await call(onRouted as never)
      save()
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      1: {
        ios: { calls: 4, last: expect.any(String) },
        web: { calls: 2, last: expect.any(String) },
      },
    })
    rmSync(dirname(file), { recursive: true })
  })
})

describe('the reference of errors', () => {
  const sections = sectionsOf('docs/reference/errors.md')
  it('has a section for every code', () => {
    expect(sections.map(({ heading }) => heading).toSorted()).toEqual(
      Object.keys(errorMessages).toSorted(),
    )
  })

  const source = readFileSync(join(root, 'packages/router/src/errors.ts'), 'utf8')
  const declarations = /interface RouterErrorDetails \{\n([\s\S]*?)\n\}/.exec(source)![1]!
  it.each(sections)('lists the details of $heading', ({ heading, text }) => {
    const declared = new RegExp(`^ {2}${heading}:([\\s\\S]*?)(?=^ {2}HV_|$(?![\\s\\S]))`, 'm').exec(
      declarations,
    )![1]!
    const names = new Set([...declared.matchAll(/(\w+)\??:\s/g)].map(([, name]) => name))
    const documented = new Set(
      [.../^Details: .*$/m.exec(text)![0].matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect([...documented].toSorted()).toEqual([...names].toSorted())
  })
})

describe('the reference of problems', () => {
  const sections = sectionsOf('docs/reference/wire.md', '### urn')
  it('has a section for every code', () => {
    expect(sections.map(({ heading }) => heading.replace(':hv-router:', '')).toSorted()).toEqual(
      [...Object.keys(problemTitles), 'options', 'extension', 'invalid-request'].toSorted(),
    )
  })
  it('shows the document of its example', () => {
    const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const accept = 'application/vnd.acme+json;version=2'
    const { problem } = explain(routes, { method: 'GET', path: '/api/users', accept })
    const shown = blocksOf('docs/reference/wire.md').find(({ language }) => language === 'json')!
    expect(JSON.parse(shown.text)).toEqual(problem)
  })
})

/** The sections of a page whose headings start like this. */
function sectionsOf(page: string, start = '## '): { heading: string; text: string }[] {
  const [, ...parts] = readFileSync(join(root, page), 'utf8').split(new RegExp(`^${start}`, 'm'))
  return parts.map((part) => ({ heading: part.slice(0, part.indexOf('\n')), text: part }))
}

describe('the guide to validation, for an app that validates in middleware', () => {
  const load = (file: string) =>
    import(join(folderOf('docs/guide/validation'), file)) as Promise<any>
  const routes = api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: 'create' })),
    version(2, inherit({ from: 1 })),
  )
  /** Serves the controllers, and returns how to send a body to a version. */
  const serve = async (v1: any, v2: any) => {
    const app = express().use(express.json(), onExpress(routes, { 1: v1, 2: v2 }))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/users`
    return async (number: number, body: object) => {
      const accept = `application/vnd.acme+json;version=${number}`
      const headers = { accept, 'content-type': 'application/json', connection: 'close' }
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return [response.status, await response.text()]
    }
  }
  const created = [201, '{"fullName":"Ann"}']

  it.each(['joi.ts', 'express-validator.ts'])('%s sees what the client sent', async (file) => {
    const { create } = await load(file)
    const send = await serve({ users: { create } }, { users: { create } })
    for (const number of [1, 2]) {
      expect(await send(number, { fullName: 'Ann' })).toEqual(created)
      expect(await send(number, {})).toEqual([400, expect.stringContaining('fullName')])
    }
    // The change would convert the body of version 1, but the middleware rejects it before that.
    const { v2, fullName } = await load('schemas.ts')
    const newest = { users: { create: { ...create, schema: v2.users.create.schema } } }
    const sendDerived = await serve(deriveOlder(newest, fullName), newest)
    expect(await sendDerived(2, { fullName: 'Ann' })).toEqual(created)
    expect(await sendDerived(1, { name: 'Ann' })).toEqual([
      400,
      expect.stringContaining('fullName'),
    ])
  })

  it('serves both formats once schemas have replaced the middleware', async () => {
    const { v1, v2 } = await load('schemas.ts')
    const send = await serve(v1, v2)
    expect(await send(1, { name: 'Ann' })).toEqual(created)
    expect(await send(2, { fullName: 'Ann' })).toEqual(created)
    expect((await send(1, { fullName: 'Ann' }))[0]).toBe(400)
    expect((await send(2, { name: 'Ann' }))[0]).toBe(400)
  })
})

describe('the guide Coming from Hono', () => {
  const load = (file: string) =>
    import(join(folderOf('docs/guide/coming-from-hono'), file)) as Promise<any>
  const vendor = (number: number) => `application/vnd.acme+json;version=${number}`
  const ask = async (app: any, path: string, headers: Record<string, string>, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST'
    const init = { method, headers: { 'content-type': 'application/json', ...headers } }
    const response: globalThis.Response = await app.request(
      path,
      body === undefined ? init : { ...init, body },
    )
    const { status, headers: received } = response
    return [status, await response.json(), received.get('api-version'), received.get('vary')]
  }
  const issues = [expect.objectContaining({ code: 'invalid_type', path: ['name'] })]
  const invalid = { success: false, error: { issues } }

  it("runs version 1's Hono routes, and gives version 2's handlers the context", async () => {
    const { app } = await load('app.ts')
    for (const accept of ['*/*', vendor(1)]) {
      const headers = { accept, 'x-user': 'ann' }
      const rest = ['1', 'Accept']
      expect(await ask(app, '/tasks', headers)).toEqual([200, [{ id: 1, name: 'ann' }], ...rest])
      const created = await ask(app, '/tasks', headers, '{"name":"Write"}')
      expect(created).toEqual([201, { id: 2, name: 'Write' }, ...rest])
      expect(await ask(app, '/tasks', headers, '{}')).toEqual([422, invalid, ...rest])
      const head = await app.request('/tasks', { method: 'HEAD', headers })
      expect([head.status, await head.text(), head.headers.get('vary')]).toEqual([
        200,
        '',
        'Accept',
      ])
    }
    const headers = { accept: vendor(2), 'x-user': 'ann' }
    const listed = await app.request('/tasks', { headers })
    expect(listed.headers.get('content-type')).toMatch('application/vnd.acme+json; version=2')
    expect(await listed.json()).toEqual([{ id: 1, title: 'ann' }])
    const created = await ask(app, '/tasks', headers, '{"title":"Read"}')
    expect(created.slice(0, 3)).toEqual([201, { id: 2, title: 'Read' }, '2'])
    expect((await ask(app, '/tasks', headers, '{"name":"Read"}'))[0]).toBe(400)
  })

  it('leaves other paths and the document to Hono', async () => {
    const { app } = await load('app.ts')
    const document = await (await app.request('/doc')).json()
    expect(Object.keys(document.paths['/tasks'])).toEqual(['get', 'post'])
    const missing = await app.request('/nothing')
    expect([missing.status, await missing.text()]).toEqual([404, '404 Not Found'])
    const unversioned = await app.request('/tasks/7/nothing')
    expect([unversioned.status, await unversioned.text()]).toEqual([404, '404 Not Found'])
  })

  it('serves the RPC client, which sends no version', async () => {
    const { app } = await load('app.ts')
    const { firstName } = await load('client.ts')
    vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => app.request(...args))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await firstName()).toBe('nobody')
  })

  it("forwards requests to an app that's mounted nowhere, and keeps its format of errors", async () => {
    const [{ tasks }, { error }] = [await load('tasks.ts'), await load('errors.ts')]
    const routes = api(
      { vendorString: 'acme', path: '' },
      version(1, resources('tasks', { only: 'create' })),
      version(2, inherit({ from: 1 })),
    )
    const forward = (request: globalThis.Request, _match: unknown, c: Context) =>
      tasks.fetch(request, c.env)
    const create = {
      schema: { body: z.object({ name: z.string() }) },
      handler: (_request: unknown, _match: unknown, c: Context) => c.json({}, 201),
    }
    const handler = onFetch<typeof routes, [c: Context]>(
      routes,
      { 1: { tasks: { create: forward } }, 2: { tasks: { create } } },
      { error },
    )
    const app = new Hono().all('/tasks/*', (c) => handler(c.req.raw, c))
    for (const number of [1, 2]) {
      const answer = await ask(app, '/tasks', { accept: vendor(number) }, '{}')
      expect(answer.slice(0, 3)).toEqual([422, invalid, String(number)])
    }
    const bodies = [
      ['application/json', '{', 400],
      ['text/plain', '{"name":"Write"}', 415],
      ['application/x-www-form-urlencoded', 'name=Write', 415],
      ['application/json', '{"name":"Write"}', 201],
    ] as const
    for (const [type, body, status] of bodies)
      for (const number of [1, 2]) {
        const headers = { accept: vendor(number), 'content-type': type }
        const response = await app.request('/tasks', { method: 'POST', headers, body })
        expect(response.status).toBe(status)
      }
  })
})

describe('the pages for Express apps', () => {
  const load = (page: string, file: string) =>
    import(join(folderOf(`docs/guide/${page}`), file)) as Promise<any>
  const serve = async (app: RequestListener): Promise<string> => {
    const server = createHttpServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const accept = (number: number) => ({
    accept: `application/vnd.acme+json;version=${number}`,
    'content-type': 'application/json',
    connection: 'close',
  })

  it("merges a version's document with the app's own", async () => {
    const { app } = await load('openapi', 'swagger.ts')
    const origin = await serve(app)
    const merged = (await (await fetch(`${origin}/openapi/v2.json`)).json()) as any
    expect(Object.keys(merged.paths)).toEqual(['/health', '/api/users/{id}'])
    expect(merged).toMatchObject({ openapi: '3.1.0', info: { title: 'Acme' } })
    expect(merged.components.schemas).toHaveProperty('User')
    const setup = await (await fetch(`${origin}/docs/swagger-ui-init.js`)).text()
    for (const number of [1, 2]) expect(setup).toContain(`/openapi/v${number}.json`)
  })

  const routes = api(
    { vendorString: 'acme' },
    version(1, resources('users', { only: ['index', 'show', 'create'] })),
    version(2, inherit({ from: 1 })),
  )

  it("keeps version 1's own format of validation errors", async () => {
    const { onError } = await load('validation', 'on-error.ts')
    const echo = (_req: Request, res: Response) => void res.json({})
    const create = { schema: { body: z.object({ name: z.string() }) }, handler: echo }
    const v1 = { users: { index: echo, show: echo, create } }
    const app = express().use(express.json(), onExpress(routes, { 1: v1, 2: v1 }), onError)
    const url = `${await serve(app)}/api/users`
    const post = async (number: number) => {
      const response = await fetch(url, { method: 'POST', headers: accept(number), body: '{}' })
      return [response.status, await response.json()]
    }
    const issues = [expect.objectContaining({ code: 'invalid_type', path: ['name'] })]
    expect(await post(1)).toEqual([422, { success: false, issues }])
    expect(await post(2)).toEqual([400, expect.objectContaining({ title: 'Invalid request' })])
  })

  it('says what works with zod 3', async () => {
    const { v2, User } = await load('validation', 'zod-3.ts')
    const only = { only: ['index', 'show'] } as const
    const two = api(
      { vendorString: 'acme' },
      version(1, resources('users', only)),
      version(2, inherit({ from: 1 })),
    )
    const UserV1 = z.object({ label: z.string() })
    const shorter = change(
      'The label is a name.',
      became(UserV1, User as typeof UserV1, {
        down: (user: any) => ({ label: user.name }),
      }),
    )
    const v1 = deriveOlder(v2, shorter) as any
    const origin = await serve(express().use(onExpress(two, { 1: v1, 2: v2 })))
    const get = async (path: string, number: number) => {
      const response = await fetch(`${origin}/api/users${path}`, { headers: accept(number) })
      return [response.status, response.status === 200 && (await response.json())]
    }
    for (const number of [1, 2]) {
      expect(await get('?limit=2', number)).toEqual([200, { limit: 3 }])
      expect(await get('?limit=x', number)).toEqual([400, false])
    }
    expect(await get('/7', 1)).toEqual([200, { label: 'Ann' }])
    const info = { title: 'Acme', version: '1' }
    const document = () => openapi(two, { 1: v2, 2: v2 } as never, { version: 2, info })
    expect(document).toThrow('HV_NO_JSON_SCHEMA')
    const [Old, Older] = [z3.object({ name: z3.string() }), z3.object({ label: z3.string() })]
    const response = { 200: z3.object({ data: Old }) }
    const users = { show: { schema: { response }, handler: () => {} } }
    const derive = () =>
      deriveOlder(
        { users },
        change('The label is a name.', became(Older, Old, { down: () => ({ label: '' }) })),
      )
    expect(derive).toThrow('HV_CHANGE')
  })

  // In a process of their own, because this one has no `require` that reads the sources.
  const runCommonJs = (folder: string, code: string) =>
    spawnSync(process.execPath, ['--conditions=@hv/source', '--import', 'tsx', '-e', code], {
      cwd: folder,
      encoding: 'utf8',
    })

  it('works in CommonJS', () => {
    const folder = folderOf('docs/guide/controllers')
    const sample = blocksOf('docs/guide/controllers.md').find(({ file }) => file === 'app.cjs')!
    writeFileSync(join(folder, 'app.cjs'), sample.text)
    const code = `
      const server = require('./app.cjs').listen(0, '127.0.0.1', async () => {
        for (const number of [1, 2]) {
          const headers = { accept: 'application/vnd.acme+json;version=' + number }
          const url = 'http://127.0.0.1:' + server.address().port + '/api/users/7'
          console.log(await (await fetch(url, { headers })).text())
        }
        process.exit()
      })`
    expect(runCommonJs(folder, code).stdout.trim().split('\n')).toEqual([
      '{"id":"7","name":"Ann Lee"}',
      '{"id":"7","fullName":"Ann Lee"}',
    ])
  })

  it('finds every action missing in a circular import', () => {
    const folder = join(folderOf('docs/reference/errors'), 'circular')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'users.cjs'),
      "const { logger } = require('./server.cjs')\nexports.v1 = { users: { index() { logger } } }\n",
    )
    writeFileSync(
      join(folder, 'server.cjs'),
      `exports.logger = console
const { api, resources, version } = require('@hv/router')
const { createRouter } = require('@hv/router-express')
const { v1 } = require('./users.cjs')
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
try { createRouter(routes, { 1: v1 }); console.log('started') } catch ({ code }) { console.log(code) }
`,
    )
    const code = `
      require('./server.cjs')
      for (const path of Object.keys(require.cache)) if (path.includes('circular')) delete require.cache[path]
      require('./users.cjs')`
    expect(runCommonJs(folder, code).stdout.trim().split('\n')).toEqual([
      'started',
      'HV_MISSING_ACTIONS',
    ])
  })
})

describe('the guide Coming from URL versioning', () => {
  it('serves old URLs and new ones alike', async () => {
    const { app } = (await import(
      join(folderOf('docs/guide/coming-from-url-versioning'), 'app.ts')
    )) as {
      app: ReturnType<typeof fastify>
    }
    const old = await app.inject('/api/v2/users/7')
    expect([
      old.statusCode,
      old.headers['api-version'],
      old.headers['content-type'],
      old.headers['link'],
    ]).toEqual([
      200,
      '2',
      'application/json; charset=utf-8',
      '</api/users/7>; rel="successor-version"',
    ])
    const today = await app.inject({
      url: '/api/users/7',
      headers: { accept: 'application/vnd.acme+json;version=2' },
    })
    expect([today.body, today.headers['link']]).toEqual([old.body, undefined])
    expect((await app.inject('/api/v3/users')).statusCode).toBe(404)
    await app.close()
  })

  it('keeps the Accept header and the type of responses to old URLs on Express', async () => {
    const { app } = (await import(
      join(folderOf('docs/guide/coming-from-url-versioning'), 'express.ts')
    )) as {
      app: RequestListener
    }
    const server = createHttpServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const request = async (path: string, accept: string) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
      const { status, headers } = await fetch(url, { headers: { accept, connection: 'close' } })
      return [status, ...['api-version', 'content-type', 'link'].map((name) => headers.get(name))]
    }
    const link = '</api/users/7>; rel="successor-version"'
    expect(await request('/api/v2/users/7', '*/*')).toEqual([
      200,
      '2',
      'application/json; charset=utf-8',
      link,
    ])
    const vendor = await request('/api/users/7', 'application/vnd.acme+json;version=2')
    expect(vendor).toEqual([200, '2', 'application/vnd.acme+json; version=2; charset=utf-8', null])
    expect((await request('/api/v3/users', '*/*'))[0]).toBe(404)
    expect((await request('/api/v1/usersettings', '*/*'))[0]).toBe(404)
  })
})

describe('the guide to webhooks', () => {
  const load = (file: string) =>
    import(join(folderOf('docs/guide/webhooks'), file)) as Promise<Record<string, any>>
  const user = { id: '7', first: 'Ann', last: 'Lee' }
  const userV1 = { id: '7', name: 'Ann Lee' }

  it('signs each attempt of a delivery anew, with the same id and body', async () => {
    const { attempt } = await load('attempt.ts')
    const received: { headers: Record<string, string>; body: string }[] = []
    const server = createHttpServer(async (request, response) => {
      received.push({ headers: request.headers as never, body: await readText(request) })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const secret = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const body = JSON.stringify({ data: userV1 })
    onTestFinished(() => void vi.useRealTimers())
    for (const now of ['2027-01-01T00:00:00Z', '2027-01-01T00:06:00Z']) {
      vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
      const response: globalThis.Response = await attempt({ id: 'e1', url, secret, body })
      await response.text()
      const { headers, body: text } = received.at(-1)!
      expect(new Webhook(secret).verify(text, headers)).toEqual({ data: userV1 })
    }
    const [first, second] = received.map(({ headers }) => headers)
    expect(received.map((request) => request.body)).toEqual([body, body])
    expect([first!['webhook-id'], second!['webhook-id']]).toEqual(['e1', 'e1'])
    expect(first!['webhook-timestamp']).not.toBe(second!['webhook-timestamp'])
    // A receiver refuses the first signature by now.
    expect(() => new Webhook(secret).verify(body, first!)).toThrow('too old')
  })

  it('streams to each subscriber in its own version', async () => {
    const { app, signUps } = await load('app.ts')
    const address: string = await app.listen({ host: '127.0.0.1', port: 0 })
    const abort = new AbortController()
    onTestFinished(async () => {
      abort.abort()
      app.server.closeAllConnections()
      await app.close()
    })
    const subscribe = async (number: number) => {
      const headers = { accept: `application/vnd.acme+json;version=${number}` }
      const response = await fetch(`${address}/api/stream`, { headers, signal: abort.signal })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader.read()).value).toBe(': connected\n\n')
      return reader
    }
    const readers = [await subscribe(1), await subscribe(2)]
    signUps.emit('user', { id: 'e1', user })
    const messages = await Promise.all(readers.map((reader) => reader.read()))
    const sent = messages.map(({ value }) => JSON.parse(/^data: (.*)\n\n$/.exec(value!)![1]!))
    expect(sent).toEqual([
      { id: 'e1', type: 'user.created', api_version: 1, data: userV1 },
      { id: 'e1', type: 'user.created', api_version: 2, data: user },
    ])
    abort.abort()
    // Subscribers that leave aren't kept.
    await vi.waitFor(() => expect(signUps.listenerCount('user')).toBe(0), 300_000)
  })

  it('serves the default version to a browser, whose EventSource sends no version', async () => {
    const { routes } = await load('versions.ts')
    const request = { method: 'GET', path: '/api/stream', accept: 'text/event-stream' }
    expect(explain(routes as Api, request).result).toMatchObject({ version: 1, source: 'default' })
  })

  it('lists the webhooks in each version and compares them', async () => {
    const { documents } = await load('documents.ts')
    for (const number of [1, 2])
      expect(Object.keys(documents[number].webhooks)).toEqual(['webhooks.userCreated'])
    const operations = compareDocuments(documents[1], documents[2]).map((each) => each.operation)
    expect(operations).toContain('webhook webhooks.userCreated: POST')
  })

  it('has the headers of a version that ends', async () => {
    const { headersFor } = await load('headers.ts')
    expect(headersFor(2)).toEqual([['api-version', '2']])
    expect(headersFor(1)).toEqual([
      ['api-version', '1'],
      ['deprecation', '@1798761600'],
    ])
  })

  it('injects the functions in Nest', async () => {
    const { AppModule, Sender } = await load('nest/app.module.ts')
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false })
    onTestFinished(() => app.close())
    const bodyFor = (number: number) =>
      app.get<any>(Sender).bodyFor(number, { first: 'Ann', last: 'Lee' })
    expect(bodyFor(1)).toBe('{"type":"user.created","data":{"name":"Ann Lee"}}')
    expect(bodyFor(2)).toBe('{"type":"user.created","data":{"first":"Ann","last":"Lee"}}')
  })
})
