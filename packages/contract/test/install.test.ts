// The packages as a stranger gets them: packed, linted, installed outside the workspace, run and type-checked.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answers,
  checkTarball,
  createApp,
  names,
  packAll,
  printed,
  publishedPackages,
  root,
  routes,
  run,
  smokeFiles,
} from '../../../tools/packed.ts'
import { adaptersOf } from '../../../tools/pages.ts'
import { installRuntimes } from '../../../tools/runtimes.ts'
import { checkStarted, followTutorial, tutorialPages } from '../../../tools/tutorial.ts'
import { commonJsFiles, commonJsOutput, commonJsPackages } from './commonjs-app.ts'

const temp = mkdtempSync(join(tmpdir(), 'hv-install-'))
const app = join(temp, 'app')
const compilers = { ts54: '5.4.5', typescript: '6.0.3', ts7: '7.0.2' }
const tools = [
  'jest@30.5.2',
  'jest27@npm:jest@27.5.1',
  'vitest@4.1.12',
  'tsup@8.5.1',
  'esbuild@0.28.2',
  'webpack@5.112.2',
]

const execute = promisify(execFile)
/** A client of both versions, and of a path without an API. */
const calls = `
const routes = ${routes}
async function call(origin) {
  for (const version of [1, 2])
    console.log(JSON.stringify(await createClient(routes, { baseUrl: origin, version }).users.show({ id: 7 })))
  const error = await createClient(routes, { baseUrl: origin + '/nothing', version: 1 }).users.index().catch((thrown) => thrown)
  console.log(error instanceof ClientError, error.status)
}
call(process.argv[2])
`
/** The fetch adapter, called directly. */
const handled = `
const routes = ${routes}
const on = (v) => ({ index: () => Response.json([v]), show: (_request, { params }) => Response.json({ v, id: params.id }) })
const handler = createRouter(routes, { 1: { users: on(1) }, 2: { users: on(2) } })
async function main() {
  for (const n of [1, 2])
    console.log(await (await handler(new Request('http://localhost/api/users/7', { headers: { accept: 'application/vnd.acme+json;version=' + n } }))).text())
}
main()
`
/** Tests over all versions, for the runners that have describe.each and expect. */
const kit = (send: string) => `
const routes = ${routes}
const on = (v) => ({ index: () => [v], show: (request) => ({ v, id: request.params.id }) })
const app = fastify()
app.register(createRouter(routes, { 1: { users: on(1) }, 2: { users: on(2) } }))
${send}
describe.each(eachVersion(routes, 'users', 'show'))('GET /api/users/:id, version $version', ({ version, headers }) => {
  it('responds', async () => {
    const response = await send(new Request('http://localhost/api/users/7', { headers }))
    expect(await response.json()).toEqual({ v: version, id: '7' })
  })
})
`
const injected = 'const send = injectInto(app)'
/** Jest can't load the ES module that Fastify 5's `app.inject()` needs, or only with a flag on Node 24.9 and later. */
const overSocket = `let origin
beforeAll(async () => { origin = await app.listen({ port: 0, host: '127.0.0.1' }) })
afterAll(() => app.close())
const send = (request) => fetch(new Request(request.url.replace('http://localhost', origin), request))`

const files: Record<string, string> = {
  'server.mjs': `import express from 'express'
import { ${names} } from '@hv/router'
import { createRouter } from '@hv/router-express'
const on = (v) => ({ index: (_req, res) => res.json([v]), show: (req, res) => res.json({ v, id: req.params.id }) })
const server = express().use(createRouter(${routes}, { 1: { users: on(1) }, 2: { users: on(2) } })).listen(0, '127.0.0.1', () => console.log(server.address().port))
`,
  'client.mjs': `import { ${names} } from '@hv/router'
import { ClientError, createClient } from '@hv/router-client'${calls}`,
  'client.cjs': `const { ${names} } = require('@hv/router')
const { ClientError, createClient } = require('@hv/router-client')${calls}`,
  'fetch.mjs': `import { ${names} } from '@hv/router'
import { createRouter } from '@hv/router-fetch'${handled}`,
  'fetch.cjs': `const { ${names} } = require('@hv/router')
const { createRouter } = require('@hv/router-fetch')${handled}`,
  'documents.cjs': `const { ${names} } = require('@hv/router')
const { openapi } = require('@hv/router-openapi')
const users = { index() {}, show() {} }
const document = openapi(${routes}, { 1: { users }, 2: { users } }, { version: 2, info: { title: 'Acme', version: '1' } })
console.log(Object.keys(document.paths).join())`,
  'kit/vitest/kit.test.mjs': `import { describe, expect, it } from 'vitest'
import fastify from 'fastify'
import { ${names} } from '@hv/router'
import { createRouter } from '@hv/router-fastify'
import { eachVersion, injectInto } from '@hv/router/testing'${kit(injected)}`,
  'kit/jest/kit.test.cjs': `const fastify = require('fastify')
const { ${names} } = require('@hv/router')
const { createRouter } = require('@hv/router-fastify')
const { eachVersion } = require('@hv/router/testing')${kit(overSocket)}`,
  'kit/node/kit.test.mjs': `import { deepEqual } from 'node:assert/strict'
import { test as it } from 'node:test'
import fastify from 'fastify'
import { ${names} } from '@hv/router'
import { createRouter } from '@hv/router-fastify'
import { eachVersion, injectInto } from '@hv/router/testing'
const describe = { each: (cases) => (name, body) => { for (const one of cases) body(one) } }
const expect = (value) => ({ toEqual: (expected) => deepEqual(value, expected) })${kit(injected)}`,
  ...smokeFiles,
  'controllers/api/v1/users_controller.cjs':
    'exports.UsersController = class { index() { return 1 } }',
  'loaded.cjs': `const { api, resources, version } = require('@hv/router')
const { loadControllers } = require('@hv/router/controllers')
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
loadControllers(routes, __dirname + '/controllers').then((found) => console.log(found[1].users.index()))`,
  'src/routes.ts': `import { ${names} } from '@hv/router'
export const routes = ${routes}
export const href = hrefs(routes)
`,
  'src/app.ts': `import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { createRouter as createFetch } from '@hv/router-fetch'
import { href, routes } from './routes.js'
const url: string = href.users.show({ id: 7 })
const web = express().use(createExpress(routes, {
  1: { users: { index: (_req, res) => res.json(url), show: (req, res) => res.json({ v: 1, id: req.params.id }) } },
  2: { users: { index: (_req, res) => res.json(url), show: (req, res) => res.json({ v: req.apiMatch?.version, id: req.params.id }) } },
}))
const app = fastify()
app.register(createFastify(routes, {
  1: { users: { index: () => url, show: (request) => ({ v: 1, id: request.params.id }) } },
  2: { users: { index: { schema: { querystring: {} }, handler: () => url }, show: (request, reply) => reply.send({ v: request.apiMatch?.version, id: request.params.id }) } },
}))
const handler = createFetch<typeof routes, [env: { readonly v: number }]>(routes, {
  1: { users: { index: () => Response.json(url), show: (_request, { params }) => Response.json({ v: 1, id: params.id }) } },
  2: { users: { index: () => Response.json(url), show: (_request, { params }, { v }) => Response.json({ v, id: params.id }) } },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const server = web.listen(0, '127.0.0.1', async () => {
  for (const { port } of [server.address() as AddressInfo, app.server.address() as AddressInfo])
    for (const n of [1, 2])
      console.log(await (await fetch(\`http://127.0.0.1:\${port}\${url}\`, { headers: { accept: \`application/vnd.acme+json;version=\${n}\` } })).text())
  for (const n of [1, 2])
    console.log(await (await handler(new Request('http://localhost' + url, { headers: { accept: \`application/vnd.acme+json;version=\${n}\` } }), { v: 2 })).text())
  server.close()
  await app.close()
})
`,
  'src/client.ts': `import fastify from 'fastify'
import { type Call, ClientError, createClient, typesOf } from '@hv/router-client'
import { createRouter } from '@hv/router-fastify'
import { type OpenApiDocument, openapi } from '@hv/router-openapi'
import { eachVersion, injectInto } from '@hv/router/testing'
import { routes } from './routes.js'
const users = {
  index: { schema: { summary: 'Lists users' }, handler: () => [{ id: 7 }] },
  show: () => ({ id: 7, at: new Date(0) }),
}
const controllers = { 1: { users }, 2: { users } }
const app = fastify()
app.register(createRouter(routes, controllers))
const send = injectInto(app)
export const client = createClient(routes, { baseUrl: 'http://localhost', version: 2, types: typesOf<typeof controllers>, fetch: send })
export const list: Call<{ readonly query?: object }, { id: number }[]> = client.users.index
const ids: number[] = (await client.users.index()).map(({ id }) => id)
const at: string = (await client.users.show({ id: 7 })).at
const { response } = await client.users.show.result({ id: 7 })
const status = await client.users.index({ headers: { accept: 'application/vnd.acme+json;version=2;q=0' } }).catch((error: unknown) => error instanceof ClientError && error.problem?.status)
export const documents: OpenApiDocument[] = ([1, 2] as const).map((version) => openapi(routes, controllers, { version, info: { title: 'Acme', version: '1' } }))
const statuses = await Promise.all(eachVersion(routes, 'users', 'show').map(async ({ headers }) => (await send(new Request('http://localhost/api/users/7', { headers }))).status))
console.log(ids, at, response.status, status, documents.map(({ paths }) => Object.keys(paths).length), statuses.join())
await app.close()
`,
  'src/common.cts': `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users')))
`,
  'bad/bad.ts': `import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { createRouter as createFetch } from '@hv/router-fetch'
import { routes } from '../src/routes.js'
const users = { index: () => 1, show: () => 2 }
createExpress(routes, { 1: { users }, 2: { users: { index: () => 1 } } })
createFastify(routes, { 1: { users }, 2: { users: { index: () => 1 } } })
const things = { index: () => Response.json(1), show: () => Response.json(2) }
createFetch(routes, { 1: { users: things }, 2: { users: { index: things.index } } })
`,
  'bad/client.ts': `import { client } from '../src/client.js'
client.users.show({})
client.users.show({ id: 7, name: 8 })
client.teams.index()
const name: string = (await client.users.show({ id: 7 })).id
`,
}

// ---- test runners and bundlers: one folder each for CommonJS, ES modules and TypeScript ----------

/** The controllers of both versions, in `folder`. */
const controllersIn = (folder: string, kind: 'cjs' | 'esm' | 'ts'): Record<string, string> => {
  const [request, response] = kind === 'ts' ? ['req: Request', 'res: Response'] : ['req', 'res']
  const declare =
    kind === 'cjs' ? 'exports.UsersController = class' : 'export class UsersController'
  const types = kind === 'ts' ? "import type { Request, Response } from 'express'\n" : ''
  const earlier =
    kind === 'cjs'
      ? "const { UsersController: V1 } = require('../v1/users_controller')"
      : "import { UsersController as V1 } from '../v1/users_controller.js'"
  const show = (n: number) =>
    `show(${request}, ${response}) { res.send({ v: ${n}, id: req.params.id }) }`
  const file = (n: number) =>
    `${folder}/controllers/api/v${n}/users_controller.${kind === 'ts' ? 'ts' : 'js'}`
  return {
    [file(1)]: `${types}${declare} { index(_${request}, ${response}) { res.send([]) } ${show(1)} }`,
    [file(2)]: `${types}${earlier}\n${declare} extends V1 { ${show(2)} }`,
  }
}
/** Serves the controllers by both adapters and compares what they respond. `load` uses `routes`. */
const runnerTest = (
  load: string,
  [main, here]: [main: (exports: string, from: string) => string, here: string],
) => `
${main('express', 'express')}
${main('fastify', 'fastify')}
${main('{ api, cache, inherit, resources, version }', '@hv/router')}
${main('{ loadControllers }', '@hv/router/controllers')}
${main('{ createRouter: createExpress }', '@hv/router-express')}
${main('{ createRouter: createFastify }', '@hv/router-fastify')}
const routes = ${routes}
const folder = ${here} + '/controllers'
test('the controllers are loaded and serve', async () => {
  const controllers = ${load}
  const app = fastify()
  app.register(createFastify(routes, controllers))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const server = await new Promise((resolve) => { const s = express().use(createExpress(routes, controllers)).listen(0, '127.0.0.1', () => resolve(s)) })
  for (const one of [server, app.server])
    for (const n of [1, 2]) {
      const answer = await fetch('http://127.0.0.1:' + one.address().port + '/api/users/7', { headers: { accept: 'application/vnd.acme+json;version=' + n } })
      expect(await answer.json()).toEqual({ v: n, id: '7' })
    }
  server.close(); await app.close()
})
`
const required: [(exports: string, from: string) => string, string] = [
  (exports, from) => `const ${exports} = require('${from}')`,
  '__dirname',
]
const imported: typeof required = [
  (exports, from) => `import ${exports.replaceAll(':', ' as')} from '${from}'`,
  'import.meta.dirname',
]
const served = `const server = express().use(createExpress(routes, CONTROLLERS)).listen(0, '127.0.0.1', async () => {
  const app = fastify()
  app.register(createFastify(routes, CONTROLLERS as never))
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const { port } of [server.address() as AddressInfo, app.server.address() as AddressInfo])
    for (const n of [1, 2])
      console.log(await (await fetch(\`http://127.0.0.1:\${port}/api/users/7\`, { headers: { accept: \`application/vnd.acme+json;version=\${n}\` } })).text())
  server.close()
  await app.close()
})
`
const imports = `import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { routes } from './routes.js'
`
/** Jest 27 resolves subpaths without \`exports\`, as other old resolvers do, and has no \`fetch\`. */
const oldJestTest = `
const { get } = require('http')
const express = require('express')
const { api, cache, inherit, resources, version } = require('@hv/router')
const { loadControllers } = require('@hv/router/controllers')
const { eachVersion } = require('@hv/router/testing')
const { createRouter } = require('@hv/router-express')
const routes = ${routes}
let server
beforeAll(async () => {
  const controllers = await loadControllers(routes, __dirname + '/controllers', { import: async (path) => require(path) })
  const app = express().use(createRouter(routes, controllers))
  await new Promise((resolve) => { server = app.listen(0, '127.0.0.1', resolve) })
})
afterAll((done) => void server.close(done))
test.each(eachVersion(routes, 'users', 'show'))('version $version serves', ({ version, headers }, done) => {
  get({ port: server.address().port, path: '/api/users/7', headers, agent: false }, async (response) => {
    const chunks = []
    for await (const chunk of response) chunks.push(chunk)
    expect(JSON.parse(chunks.join(''))).toEqual({ v: version, id: '7' })
    done()
  })
})
`
const toolFiles: Record<string, string> = {
  ...controllersIn('jest27', 'cjs'),
  'jest27/package.json': '{ "type": "commonjs" }',
  'jest27/users.test.js': oldJestTest,
  ...controllersIn('jest-cjs', 'cjs'),
  'jest-cjs/package.json': '{ "type": "commonjs" }',
  'jest-cjs/users.test.js': runnerTest(
    'await loadControllers(routes, folder, { import: async (path) => require(path) })',
    required,
  ),
  ...controllersIn('jest-esm', 'esm'),
  'jest-esm/package.json': '{ "type": "module" }',
  'jest-esm/users.test.js': runnerTest(
    'await loadControllers(routes, folder, { import: (path) => import(path) })',
    imported,
  ),
  ...controllersIn('vitest', 'ts'),
  'vitest/vitest.config.js': 'export default { test: { globals: true } }',
  'vitest/import.test.ts': runnerTest(
    'await loadControllers(routes, folder, { import: (path) => import(path) })',
    imported,
  ),
  'vitest/eager.test.ts': runnerTest(
    "await loadControllers(routes, import.meta.glob('./controllers/**', { eager: true }))",
    imported,
  ),
  'vitest/lazy.test.ts': runnerTest(
    "await loadControllers(routes, import.meta.glob('./controllers/**'))",
    imported,
  ),

  ...controllersIn('bundle', 'ts'),
  'bundle/routes.ts': `import { ${names} } from '@hv/router'\nexport const routes = ${routes}\n`,
  'bundle/main.ts': `${imports}import { UsersController as V1 } from './controllers/api/v1/users_controller.js'
import { UsersController as V2 } from './controllers/api/v2/users_controller.js'
const controllers = { 1: { users: new V1() }, 2: { users: new V2() } }
${served.replaceAll('CONTROLLERS', 'controllers')}`,
  'bundle/context.ts': `${imports}import { loadControllers } from '@hv/router/controllers'
const found = (import.meta as any).webpackContext('./controllers', { recursive: true, regExp: /_controller.js$/ })
const modules = Object.fromEntries(found.keys().map((path: string) => [path, found(path)]))
const controllers = await loadControllers(routes, modules)
${served.replaceAll('CONTROLLERS', 'controllers')}`,
  'bundle/tsup.config.mjs': `export default { entry: { tsup: 'main.ts' }, format: 'cjs', noExternal: [/./], outDir: '../single', outExtension: () => ({ js: '.cjs' }), silent: true }`,
  'bundle/webpack.mjs': `import webpack from 'webpack'
const entry = { webpack: './out/main.js', context: './out/context.js' }
const output = { path: import.meta.dirname + '/../single', filename: '[name].cjs' }
webpack({ mode: 'production', optimization: { minimize: false }, target: 'node', entry, output }, (error, stats) => {
  if (error) throw error
  const { errors, warnings } = stats.toJson({ errors: true, warnings: true })
  console.log(JSON.stringify([...errors, ...warnings].map((one) => one.moduleName ?? one.message)))
})`,
  'bundle/tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      outDir: 'out',
      rootDir: '.',
    },
    include: ['*.ts', 'controllers'],
  }),
}
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    declaration: true,
    outDir: '../out',
    types: ['node'],
    skipLibCheck: true,
    rootDir: '..',
  },
  include: ['.', '../src'],
})

let tarballs: readonly string[]
let runtimes: Awaited<ReturnType<typeof installRuntimes>>
beforeAll(async () => {
  tarballs = await packAll(root, join(temp, 'packed'))
  runtimes = await installRuntimes()
  const aliases = Object.entries(compilers).map(
    ([alias, version]) => `${alias}@npm:typescript@${version}`,
  )
  const libraries = ['express@5', 'fastify@5', '@types/express@5', '@types/node@20']
  const packages = [...tarballs, ...libraries, ...commonJsPackages, ...aliases, ...tools]
  await createApp(
    app,
    { ...files, ...toolFiles, ...commonJsFiles, 'bad/tsconfig.json': tsconfig },
    packages,
    'pnpm',
  ) // npm takes three times as long
})
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const tsc = (compiler: string, project: string) =>
  run(app, process.execPath, join('node_modules', compiler, 'bin/tsc'), '-p', project)

/** What runs a program on each runtime. The runtimes are installed when the tests run. */
const programs = (name: string): [runtime: string, commandOf: () => [string, ...string[]]][] => [
  ['Node, as an ES module', () => [process.execPath, `${name}.mjs`]],
  ['Node, as CommonJS', () => [process.execPath, `${name}.cjs`]],
  ['Bun', () => [runtimes.bun, `${name}.mjs`]],
  [
    'Deno',
    () => [runtimes.deno, 'run', '--allow-net', '--allow-env', '--allow-read', `${name}.mjs`],
  ],
]

const runners: [name: string, passed: RegExp, ...args: string[]][] = [
  ['Vitest', /2 passed/, 'node_modules/vitest/vitest.mjs', 'run', '--root', 'kit/vitest'],
  ['node:test', /# pass 2/, '--test', '--test-reporter=tap', 'kit/node/kit.test.mjs'],
  ['Jest', /2 passed/, 'node_modules/jest/bin/jest.js', '--rootDir', 'kit/jest'],
]

describe('the packed packages', () => {
  it('are sound by publint and by are-the-types-wrong', async () => {
    expect(tarballs).toHaveLength(publishedPackages().size)
    for (const tarball of tarballs) await checkTarball(tarball)
  })

  it.each(Object.keys(smokeFiles))('serve with Express and Fastify from %s', async (file) => {
    expect(await run(app, process.execPath, file)).toBe(printed)
  })

  it.each(programs('fetch'))('serve by the fetch adapter on %s', async (_name, commandOf) => {
    expect(await run(app, ...commandOf())).toBe(answers)
  })

  it('have types for every subpath in CommonJS without exports, and serve a Nest app from there', async () => {
    // TypeScript 7 has no such resolution.
    await run(
      join(app, 'commonjs'),
      process.execPath,
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      '.',
    )
    expect(await run(app, process.execPath, 'commonjs/dist/main.js')).toBe(commonJsOutput)
  })

  it('load controllers by convention', async () => {
    expect(await run(app, process.execPath, 'loaded.cjs')).toBe('1\n')
  })

  it('bring documents', async () => {
    expect(await run(app, process.execPath, 'documents.cjs')).toBe('/api/users,/api/users/{id}\n')
  })

  describe('a client', () => {
    const server = { process: undefined as ReturnType<typeof spawn> | undefined, origin: '' }
    beforeAll(async () => {
      server.process = spawn(process.execPath, ['server.mjs'], {
        cwd: app,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [port] = (await once(server.process.stdout!, 'data')) as [Buffer]
      server.origin = `http://127.0.0.1:${port.toString().trim()}`
    })
    afterAll(() => server.process?.kill())

    it.each(programs('client'))('runs on %s', async (_name, commandOf) => {
      expect(await run(app, ...commandOf(), server.origin)).toBe(`${answers}true 404\n`)
    })
  })

  it.each(runners)('test all versions with %s', async (_name, passed, ...args) => {
    const { stdout, stderr } = await execute(process.execPath, args, {
      cwd: app,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    })
    expect(stdout + stderr).toMatch(passed)
  })

  it('bring the command line', async () => {
    const hv = (...args: string[]) => run(app, join('node_modules', '.bin', 'hv-router'), ...args)
    expect(await hv('routes', '--for', '2')).toMatch(/ users#show +inherited from 1\n/)
    expect(await hv('explain', 'GET', '/api/users/7')).toContain(
      'api/v1/users#show serves the request',
    )
  })

  it.each(Object.keys(compilers))(
    'compile under %s, declarations too, run, and refuse a missing action',
    async (compiler) => {
      rmSync(join(app, 'out'), { recursive: true, force: true })
      // One run compiles what's correct and what's not: the errors are all in `bad`, and the rest is written.
      const failure = await tsc(compiler, 'bad').then(
        () => 'it compiles',
        (error: Error) => error.message,
      )
      expect(failure).not.toContain('src/')
      expect(await run(app, process.execPath, 'out/src/app.js')).toBe(answers + answers + answers)
      expect(await run(app, process.execPath, 'out/src/client.js')).toBe(
        '[ 7 ] 1970-01-01T00:00:00.000Z 200 406 [ 2, 2 ] 200,200\n',
      )
      expect(failure.match(/bad\.ts[(:]\d+/g)).toHaveLength(3)
      expect(failure.match(/bad\/client\.ts[(:]\d+|^client\.ts[(:]\d+/gm)).toHaveLength(4)
      expect(failure).toContain("Property 'show' is missing")
    },
  )
})

/** The tarball of a package: `hv-router-0.1.0.tgz` of `@hv/router`. */
const tarballOf = (name: string): string =>
  tarballs.find((path) => basename(path).replace(/-\d.*/, '') === name.slice(1).replace('/', '-'))!

describe('loadControllers under a loader that only changes require', () => {
  const folder = join(temp, 'require')
  beforeAll(async () => {
    const packages = ['ts-node@10.9.2', 'typescript@5.9.3', '@types/node@20']
    await createApp(
      folder,
      {
        'package.json': '{ "private": true }',
        'api/v1/users_controller.ts':
          'export enum Role { Admin }\nexport class UsersController { index() {} }',
        'app.ts': `import { api, resources, version } from '@hv/router'
import { loadControllers } from '@hv/router/controllers'
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
const options = process.argv[2] === 'required' ? { import: async (path: string) => require(path) } : {}
loadControllers(routes, __dirname, options).then(console.log, ({ message }) => console.log(message))`,
        'tsconfig.json':
          '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "skipLibCheck": true } }',
      },
      [tarballOf('@hv/router'), ...packages, '@swc-node/register@1.12.1', '@swc/core@1.16.22'],
      'pnpm',
    )
  })

  it.each(['ts-node/register/transpile-only', '@swc-node/register'])(
    'says what to pass for %s',
    async (loader) => {
      const node = [process.execPath, '-r', loader, 'app.ts'] as const
      expect(await run(folder, ...node)).toMatch(
        /^HV_OPTION: loadControllers\(\) requires import to be a function that loads your files, such as async \(path\) => require\(path\), because Node itself can't: /,
      )
      expect(await run(folder, ...node, 'required')).toBe(
        "{ '1': { users: UsersController {} } }\n",
      )
    },
  )
})

describe("became() with each library's schemas", () => {
  /** One correct change, and two with names that the schemas don't have. */
  const changes = (library: string, object: string, string: string) => {
    const became = (conversions: string) =>
      `became(${object}({ name: ${string}() }), ${object}({ fullName: ${string}() }), ${conversions})`
    return `import { became } from '@hv/router'
import { ${object.split('.')[0]} } from '${library}'
${became('{ down: ({ fullName }) => ({ name: fullName }) }')}
// @ts-expect-error
${became('{ down: ({ name }) => ({ name }) }')}
// @ts-expect-error
${became('{ down: ({ fullName }) => ({ fullName }) }')}`
  }
  const zod = changes('zod', 'z.object', 'z.string')
  const typebox1 = changes('typebox', 'Type.Object', 'Type.String')
  const typebox034 = changes('@sinclair/typebox', 'Type.Object', 'Type.String')
  const apps: [name: string, packages: string[], texts: string[]][] = [
    ['TypeBox 1', ['typebox@1.4.3'], [typebox1, zod]],
    ['no TypeBox', [], [zod]],
    [
      'TypeBox 0.34 beside 1',
      ['typebox@1.4.3', '@sinclair/typebox@0.34.52'],
      [typebox1, typebox034],
    ],
  ]
  /** Without `hoist: false`, pnpm makes every package visible to every other one. */
  const settings = { 'pnpm-workspace.yaml': 'nodeLinker: isolated\nhoist: false\n' }
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  }

  it.each(apps)(
    'has their types in ES modules and in CommonJS, with %s in node_modules',
    async (name, packages, texts) => {
      const folder = join(temp, 'typebox', String(apps.findIndex(([other]) => other === name)))
      const sources = texts.flatMap((text, i) =>
        ['mts', 'cts'].map((extension) => [`program${i}.${extension}`, text] as const),
      )
      const config = { compilerOptions, files: sources.map(([file]) => file) }
      await createApp(
        folder,
        {
          ...settings,
          ...Object.fromEntries(sources),
          'tsconfig.json': JSON.stringify(config),
        },
        [tarballOf('@hv/router'), 'zod@4.6.7', ...packages],
        'pnpm',
      )
      for (const compiler of ['typescript', 'ts7'])
        expect(
          await run(folder, process.execPath, join(app, 'node_modules', compiler, 'bin/tsc')),
        ).toBe('')
    },
  )
})

describe('the packed packages, in the hands of a newcomer', () => {
  it.each(adaptersOf(tutorialPages[0]))(
    'do what the tutorial says on %s, in an empty folder',
    async (adapter) => {
      const folder = join(temp, 'tutorial', adapter)
      for (const page of tutorialPages)
        expect(
          await followTutorial(page, adapter, folder, { tarballOf, onStart: checkStarted }),
        ).toBeGreaterThan(2)
    },
  )
})

describe('the packed packages, loaded by a tool', () => {
  const bin = (name: string): string => join(app, 'node_modules/.bin', name)
  const reportOf = async (folder: string, command: string, ...args: string[]) => {
    const report = JSON.parse(await run(join(app, folder), command, ...args)) as Record<
      string,
      number
    >
    return [report['numPassedTests'], report['numTotalTests']]
  }
  const jest = join(app, 'node_modules/jest/bin/jest.js')

  it('serve controllers that Jest requires', async () => {
    expect(await reportOf('jest-cjs', process.execPath, jest, '--rootDir=.', '--json')).toEqual([
      1, 1,
    ])
  })

  it('serve controllers in Jest 27, which ignores exports', async () => {
    const program = join(app, 'node_modules/jest27/bin/jest.js')
    const flags = ['--rootDir=.', '--json', '--watchman=false']
    expect(await reportOf('jest27', process.execPath, program, ...flags)).toEqual([2, 2])
  })

  it('serve a Nest app that Jest requires', async () => {
    expect(await reportOf('commonjs', process.execPath, jest, '--rootDir=.', '--json')).toEqual([
      1, 1,
    ])
  })

  it('serve controllers that Jest imports as ES modules', async () => {
    const flag = '--experimental-vm-modules'
    expect(
      await reportOf('jest-esm', process.execPath, flag, jest, '--rootDir=.', '--json'),
    ).toEqual([1, 1])
  })

  it('serve TypeScript controllers that vitest imports, and those of import.meta.glob', async () => {
    expect(await reportOf('vitest', bin('vitest'), 'run', '--root=.', '--reporter=json')).toEqual([
      3, 3,
    ])
  })

  describe('in a single file that imports every controller', () => {
    const bundle = join(app, 'bundle')
    /** Runs a bundle where it finds no modules. */
    const runSingle = async (name: string): Promise<string> => {
      const folder = mkdtempSync(join(temp, 'single-'))
      copyFileSync(join(app, 'single', `${name}.cjs`), join(folder, 'app.cjs'))
      return run(folder, process.execPath, 'app.cjs')
    }

    it('serve from esbuild', async () => {
      const options = ['--bundle', '--platform=node', '--format=cjs', '--log-level=warning']
      await run(bundle, bin('esbuild'), 'main.ts', ...options, '--outfile=../single/esbuild.cjs')
      expect(await runSingle('esbuild')).toBe(answers + answers)
    })

    it('serve from tsup', async () => {
      await run(bundle, bin('tsup'), '--config', 'tsup.config.mjs')
      expect(await runSingle('tsup')).toBe(answers + answers)
    })

    it('serve from webpack, with modules of a context too, and without a warning about our files', async () => {
      await tsc('ts7', 'bundle')
      expect(await run(bundle, process.execPath, 'webpack.mjs')).not.toContain('@hv')
      for (const name of ['webpack', 'context'])
        expect(await runSingle(name)).toBe(answers + answers)
    })
  })
})
