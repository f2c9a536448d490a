// What init writes is pasted into an app of each kind, compiled under both compilers, and answers.
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'
import { some } from '../../../../tools/test-all.ts'
import { type TestProject, createProject } from '../project.ts'

const packages = resolve(import.meta.dirname, '../../..')
const root = resolve(packages, '..')

/** The lines between the two headings that init prints. */
const wiringIn = (out: string): string =>
  /Add to [^\n]*:\n\n([\s\S]*?)\n\nThe controller/
    .exec(out)![1]!
    .split('\n')
    .map((line) => line.trim())
    .join('\n')

const apps = {
  express: {
    module: "import express from 'express'\nconst app = express()\n",
    commonjs: "const express = require('express')\nconst app = express()\n",
    start: `const server = app.listen(0, '127.0.0.1', async () => ask(server.address(), () => server.close()))\n`,
  },
  fastify: {
    module: "import fastify from 'fastify'\nconst service = fastify()\n",
    commonjs: "const fastify = require('fastify')\nconst service = fastify()\n",
    start: `service.listen({ port: 0, host: '127.0.0.1' }).then(() => ask(service.server.address(), () => service.close()))\n`,
  },
  hono: {
    module:
      "import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'\nconst api = new Hono()\n",
    commonjs: '',
    start: `const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' }, (address) => ask(address, () => server.close()))\n`,
  },
}
const asking = (typed: boolean) => `
async function ask(address${typed ? ': unknown' : ''}, close${typed ? ': () => unknown' : ''}) {
  const { port } = address${typed ? ' as { port: number }' : ''}
  for (const path of ['/api/users', '/api/users/1', '/api/users/2']) {
    const answer = await fetch('http://127.0.0.1:' + port + path)
    console.log(answer.status, answer.headers.get('api-version'), await answer.text())
  }
  const { execFile } = await import('node:child_process')
  const line = process.env['TRY']${typed ? '!' : ''}.replace(':3000/', ':' + port + '/')
  execFile('sh', ['-c', line], (_error, out) => {
    console.log(out)
    close()
  })
}
`
const hasCurl = spawnSync('curl', ['--version']).status === 0
const answers = [
  '200 1 [{"id":"1","name":"Example"}]',
  '200 1 {"id":"1","name":"Example"}',
  '404 1 {"message":"Not found"}',
  ...(hasCurl ? ['[{"id":"1","name":"Example"}]'] : []),
]

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    customConditions: ['@hv/source'],
    allowImportingTsExtensions: true,
  },
  include: ['src'],
})

function link({ folder }: TestProject): void {
  for (const [name, target] of [
    ['express', 'express/node_modules/express'],
    ['fastify', 'fastify/node_modules/fastify'],
    ['hono', 'fetch/node_modules/hono'],
    ['@hono', 'fetch/node_modules/@hono'],
  ] as const)
    symlinkSync(join(packages, target), join(folder, 'node_modules', name))
  const types = join(packages, 'express/node_modules/@types')
  if (existsSync(types)) symlinkSync(types, join(folder, 'node_modules/@types'))
}

interface Kind {
  readonly framework: keyof typeof apps
  readonly isModule: boolean
  readonly isTypeScript: boolean
}
const kinds = (['express', 'fastify'] as const).flatMap((framework): [string, Kind][] => [
  [`${framework} and JavaScript modules`, { framework, isModule: true, isTypeScript: false }],
  [`${framework} and CommonJS`, { framework, isModule: false, isTypeScript: false }],
  [`${framework} and TypeScript modules`, { framework, isModule: true, isTypeScript: true }],
  [
    `${framework} and TypeScript that compiles to CommonJS`,
    { framework, isModule: false, isTypeScript: true },
  ],
])
kinds.push([
  'hono and TypeScript modules',
  { framework: 'hono', isModule: true, isTypeScript: true },
])
const entryOf = ({ isTypeScript }: Kind): string => (isTypeScript ? 'src/app.ts' : 'app.js')

function sourceOf({ framework, isModule, isTypeScript }: Kind, wiring: string): string {
  const app = apps[framework]
  return `${isModule || isTypeScript ? app.module : app.commonjs}${wiring}\n${app.start}${asking(isTypeScript)}`
}

const filesOf = (kind: Kind) => ({
  'package.json': JSON.stringify({
    name: '@acme/users-api',
    type: kind.isModule ? 'module' : 'commonjs',
    dependencies: { [kind.framework]: '*' },
  }),
  [entryOf(kind)]: sourceOf(kind, ''),
  ...(kind.isTypeScript && { 'tsconfig.json': tsconfig }),
})

it.each(some(kinds, 2))('what it writes for %s answers', async (_what, kind) => {
  const entry = entryOf(kind)
  const project = createProject(filesOf(kind))
  link(project)
  const { code, out, err } = await project.hv('init')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`Add to ${entry}:`)
  const adapter = kind.framework === 'hono' ? 'fetch' : kind.framework
  expect(out).toContain(`Install:\n\n  npm install @hv/router @hv/router-${adapter}`)
  expect(out).not.toMatch(/;$/m)
  project.write({ [entry]: sourceOf(kind, wiringIn(out)) })

  expect(await project.hv('check')).toMatchObject({
    code: 0,
    out: 'No findings: 2 routes, 1 version.\n',
  })
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx')
  const ran = spawnSync(process.execPath, ['--conditions=@hv/source', '--import', tsx, entry], {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...process.env, TRY: /^  (curl .*)$/m.exec(out)![1] },
  })
  expect(ran.stderr).toBe('')
  expect(ran.stdout.trim().split('\n')).toEqual(answers)
})

it('what it writes compiles under TypeScript 6 and 7, in the packages of a workspace', async () => {
  const typed = kinds.filter(([, { isTypeScript }]) => isTypeScript)
  const files = typed.flatMap(([, kind], i) =>
    Object.entries(filesOf(kind)).map(([path, text]) => [`apps/${i}/${path}`, text] as const),
  )
  const project = createProject({
    ...Object.fromEntries(files),
    'tsconfig.json': tsconfig.replace('["src"]', '["apps"]'),
  })
  link(project)
  for (const [i, [, kind]] of typed.entries()) {
    const { code, out } = await project.hv('init', '--cwd', `apps/${i}`)
    expect(code).toBe(0)
    project.write({ [`apps/${i}/${entryOf(kind)}`]: sourceOf(kind, wiringIn(out)) })
  }
  for (const [name, compile] of Object.entries(compilers))
    expect(compile(join(project.folder, 'tsconfig.json')).errors, name).toBe('')
})

describe('init', () => {
  const manifest = (more: object = {}) =>
    JSON.stringify({ dependencies: { express: '5' }, ...more })

  it('prints what it wrote, what to install and what to paste', async () => {
    const { hv, read } = createProject({
      'package.json': manifest({ name: '@acme/users' }),
      'server.js':
        'const express = require("express");\nconst server = express();\nserver.use(express.json());\n',
    })
    expect(await hv('init')).toEqual({
      code: 0,
      err: '',
      out: `create  routes.js
create  controllers/api/v1/users_controller.js

Install:

  npm install @hv/router @hv/router-express

Add to server.js:

  const { createRouter } = require('@hv/router-express')
  const { routes } = require('./routes.js')
  const { UsersController } = require('./controllers/api/v1/users_controller.js')

  // before the handler that responds with 404
  server.use(createRouter(routes, { 1: { users: new UsersController() } }))

The controller responds with sample data. If your app already handles /api/users, move that code there.
Then see the routes: npx @hv/router-cli@0.1 routes

The vendor is acme, and paths start with /api. Before you release, you can change both in routes.js: vendorString, and path: '' for paths without /api.
Start your app, and try it:

  curl localhost:3000/api/users -H "Accept: application/vnd.acme+json;version=1"

When version 1 is released, npx @hv/router-cli@0.1 bump starts version 2: it adds version(2, inherit({ from: 1 })) and its controllers.
`,
    })
    expect(read('routes.js')).toBe(`const { api, resources, version } = require('@hv/router')

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show'] })),
)

module.exports = { routes }
`)
  })

  it.each<
    [what: string, files: Record<string, string>, args: string[], vendor: string, line: string]
  >([
    [
      'of the entry, as an argument',
      { 'server.js': 'const app = express()\napp.listen(process.env.PORT || 8080)\n' },
      [],
      'The vendor is users',
      'localhost:8080/api/users',
    ],
    [
      'of the entry, as an option',
      { 'server.js': "const app = express()\napp.listen({ host: '127.0.0.1', port: 4000 })\n" },
      [],
      'The vendor is users',
      'localhost:4000/api/users',
    ],
    [
      'of wrangler',
      { 'package.json': '{ "devDependencies": { "wrangler": "4" } }' },
      [],
      'The vendor is acme',
      'localhost:8787/api/users',
    ],
    ['of Node', {}, ['--vendor', 'shop'], 'The vendor is shop', 'localhost:3000/api/users'],
  ])('prints a line to try with the port %s', async (_what, files, args, vendor, line) => {
    const { hv } = createProject({ 'package.json': manifest({ name: 'users' }), ...files })
    const { out } = await hv('init', ...args)
    expect(out).toContain(`\n${vendor}, and paths start with /api.`)
    expect(out).toContain(`\n  curl ${line} -H "Accept: application/vnd.`)
  })

  it('imports as the compiler resolves', async () => {
    const { hv, read } = createProject({
      'package.json': manifest({
        type: 'module',
        dependencies: { fastify: '5', '@hv/router': '*' },
      }),
      'src/index.ts':
        'import Fastify from "fastify"\n\nexport async function start() {\n  const app = Fastify()\n  return app\n}\n',
      'tsconfig.json':
        '{ "compilerOptions": { "moduleResolution": "bundler", "module": "esnext" } }',
    })
    const { out } = await hv('init', '--vendor', 'shop')
    expect(out).toContain(' @hv/router-fastify\n')
    expect(out).toContain("import { routes } from './routes'\n")
    expect(out).toContain('  app.register(createRouter(')
    expect(read('src/routes.ts')).toContain("  { vendorString: 'shop' },\n")
  })

  it.each<[what: string, files: Record<string, string>, args: string[], printed: string]>([
    [
      'a route file of Next.js',
      {
        'package.json': '{ "dependencies": { "next": "16" } }',
        'tsconfig.json': '{}',
        'src/app/page.tsx': '',
      },
      [],
      `Add to src/app/api/[...path]/route.ts:

  import { createRouter } from '@hv/router-fetch'
  import { routes } from '../../../routes'
  import { UsersController } from '../../../controllers/api/v1/users_controller'

  const handler = createRouter(routes, { 1: { users: new UsersController() } })
  export {
    handler as DELETE,
    handler as GET,
    handler as HEAD,
    handler as OPTIONS,
    handler as PATCH,
    handler as POST,
    handler as PUT,
  }
`,
    ],
    [
      'a Hono app',
      {
        'package.json': '{ "type": "module", "dependencies": { "hono": "4" } }',
        'app.js': apps.hono.module,
      },
      [],
      "  // after your app's other routes under /api\n  api.all('/api/*', (c) => handler(c.req.raw))\n",
    ],
    [
      'a worker',
      { 'package.json': '{ "type": "module", "devDependencies": { "wrangler": "4" } }' },
      [],
      'Add to your app:\n',
    ],
    [
      'any runtime',
      { 'package.json': '{ "type": "module" }' },
      ['--framework', 'fetch'],
      '\n  export default { fetch: createRouter(routes, { 1: { users: new UsersController() } }) }\n',
    ],
    [
      'any runtime, in CommonJS',
      { 'package.json': '{}' },
      ['--framework', 'fetch'],
      '\n  module.exports = { fetch: createRouter(routes, { 1: { users: new UsersController() } }) }\n',
    ],
  ])('prints what to paste for the fetch adapter: %s', async (_what, files, args, printed) => {
    const { hv } = createProject(files)
    const { code, out } = await hv('init', ...args)
    expect(code).toBe(0)
    expect(out).toContain('@hv/router-fetch')
    expect(out).toContain(printed)
  })

  it.each<[what: string, files: Record<string, string>, printed: readonly string[]]>([
    [
      'the source, where main is what TypeScript builds',
      {
        'package.json': manifest({ type: 'module', main: 'dist/server.js' }),
        'tsconfig.json': '{}',
        'dist/server.js': apps.express.module,
        'src/server.ts': apps.express.module,
      },
      ['Add to src/server.ts:', "from './routes.js'"],
    ],
    [
      'TypeScript, where the tsconfig.json is that of a workspace',
      { 'package.json': manifest({ type: 'module' }), 'src/server.ts': apps.express.module },
      ['create  src/routes.ts', 'Add to src/server.ts:'],
    ],
    [
      'imports for a module in a CommonJS package',
      { 'package.json': manifest(), 'server.mjs': apps.express.module },
      ["import { routes } from './routes.js'"],
    ],
    [
      'require for a CommonJS file in a package of modules',
      { 'package.json': manifest({ type: 'module' }), 'server.cjs': apps.express.commonjs },
      ["const { routes } = require('./routes.js')"],
    ],
    [
      'a package.json with a byte order mark',
      { 'package.json': `\uFEFF${manifest()}` },
      ['create  routes.js'],
    ],
  ])('reads %s', async (_what, files, printed) => {
    const { code, out } = await createProject(files).hv('init')
    expect(code).toBe(0)
    for (const text of printed) expect(out).toContain(text)
  })

  // Only tsconfig.json is at the root, so the root's package.json says nothing about the package.
  it.each([
    ['modules in a repository of CommonJS', '', '"type" : "module",', './routes.js'],
    ['CommonJS in a repository of modules', '"type": "module",', '', './routes'],
  ])('imports %s by its own package.json', async (_what, outer, inner, path) => {
    const project = createProject({
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }',
      'package.json': `{ ${outer} "private": true }`,
      'users/package.json': `{ ${inner} "dependencies": { "express": "5", "typescript": "6" } }`,
    })
    const { out } = await project.hv('init', '--cwd', 'users')
    expect(out).toContain(`import { routes } from '${path}'\n`)
  })

  it('leaves a folder of the name routes alone', async () => {
    const project = createProject({ 'package.json': manifest(), 'routes/index.js': '' })
    expect((await project.hv('init')).out).toContain('create  config/routes.js\n')
    const source = createProject({ 'package.json': manifest(), 'src/routes/users.js': '' })
    const { out } = await source.hv('init')
    expect(out).toContain('create  src/api/routes.js\n')
    expect(out).toContain(`require('./api/routes.js')`)
    expect((await source.hv('routes')).out).toContain('2 routes, 1 version.')
  })

  it('overwrites nothing, and writes all or nothing', async () => {
    const project = createProject({
      'package.json': manifest(),
      'controllers/api/v1/users_controller.js': 'mine',
    })
    const { code, err } = await project.hv('init')
    expect([code, err]).toEqual([
      2,
      'error: nothing was written, because these files exist: controllers/api/v1/users_controller.js. ' +
        'Move them, or pass a different folder with --cwd <folder> or a different route file with --routes <file>.\n',
    ])
    expect(project.list()).toEqual(['controllers/api/v1/users_controller.js', 'package.json'])
    const other = createProject({ 'package.json': manifest() })
    const { out } = await other.hv('init', '--routes', 'http/api.js')
    expect(out).toContain('npx @hv/router-cli@0.1 routes --routes http/api.js\n')
    expect(other.list()).toContain('http/api.js')
    expect((await other.hv('init', '--routes', 'http/api.js')).err).toContain(
      'because these files exist: http/api.js, controllers/api/v1/users_controller.js.',
    )
  })

  it.each<[what: string, files: Record<string, string>, message: string]>([
    ['no package.json', { 'x.js': '' }, 'no package.json here'],
    ['a broken package.json', { 'package.json': '{' }, "package.json can't be read: "],
    [
      'a package.json without an object',
      { 'package.json': 'null' },
      'no Express, Fastify, Nest or Hono in package.json. Pass --framework',
    ],
    [
      'a file with the name of a folder',
      { 'package.json': manifest(), controllers: '' },
      'nothing was written: ',
    ],
    [
      'no framework',
      { 'package.json': '{}' },
      'no Express, Fastify, Nest or Hono in package.json. Pass --framework',
    ],
    [
      'two frameworks',
      {
        'package.json':
          '{ "dependencies": { "express": "5" }, "devDependencies": { "fastify": "5" } }',
      },
      'package.json has express and fastify. Pass the one to use with --framework.',
    ],
  ])('refuses %s', async (_what, files, message) => {
    const project = createProject(files)
    const before = project.list()
    const { code, out, err } = await project.hv('init')
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
    expect(project.list()).toEqual(before)
  })

  it.each([
    [['--framework', 'expres'], "Did you mean 'express'?"],
    [['--framework', 'koa'], 'Pass express, fastify, fetch or nest.'],
    [['--vendor', 'a b'], 'A vendor consists of letters'],
  ])('refuses %j', async (args, message) => {
    const { hv } = createProject({ 'package.json': manifest() })
    expect(await hv('init', ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining(message) as string,
    })
  })
})
