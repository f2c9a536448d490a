import { once } from 'node:events'
import { createServer } from 'node:net'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadRouteFile } from '../../src/route-file/load.ts'
import { createProject } from '../project.ts'

const packages = resolve(import.meta.dirname, '../../..')
const routes = `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
`

describe('a route file runs apart from the command', () => {
  it.each<[what: string, code: string]>([
    ['top-level await', `await new Promise((done) => setTimeout(done, 20))`],
    ['a timer that it leaves running', `setInterval(() => {}, 1000)`],
    [
      'an open connection',
      `import { connect } from 'node:net'\nconnect(1, '127.0.0.1').on('error', () => {})`,
    ],
    ['an enum', `enum Kind { A = 'a' }\nexport const kind = Kind.A`],
  ])('with %s', async (_what, code) => {
    const { hv } = createProject({
      'src/routes.ts': routes + code,
      'package.json': '{ "type": "module" }',
    })
    expect(await hv('routes', '--json')).toMatchObject({ code: 0, err: '' })
  })

  it('what it prints goes to stderr', async () => {
    const { hv } = createProject({
      'routes.ts': `${routes}console.log('printed')\nconsole.error('warned')`,
    })
    const { code, out, err } = await hv('routes', '--json')
    expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([0, 1])
    expect(err).toContain('printed\n')
    expect(err).toContain('warned\n')
  })

  it.each(['names.ts', 'names.mts', 'names.cts'])(
    'is read again after a change, with %s',
    async (names) => {
      const routesOf = (controller: string) => `import { api, resources, version } from '@hv/router'
import names from './${names}'
export const routes = api({ vendorString: 'acme' }, version(1, resources('${controller}', { only: names.only })))`
      const { hv, write } = createProject({
        'routes.ts': routesOf('users'),
        [names]: `export default { only: 'index' }`,
      })
      expect((await hv('routes')).out).toContain('users#index')
      write({ 'routes.ts': routesOf('teams'), [names]: `export default { only: 'show' }` })
      expect((await hv('routes')).out).toContain('teams#show')
    },
  )

  it('what it changes does not stay', async () => {
    const { hv } = createProject({
      'routes.ts': `${routes}globalThis.seen = 1\nprocess.env['SEEN'] = '1'`,
    })
    expect((await hv('routes')).code).toBe(0)
    expect([(globalThis as { seen?: unknown }).seen, process.env['SEEN']]).toEqual([
      undefined,
      undefined,
    ])
  })

  it.each<[what: string, code: string, message: string]>([
    [
      'a server',
      `import { createServer } from 'node:http'\ncreateServer().listen(0)`,
      'starts a server',
    ],
    [
      'a server that it waits for',
      `import { createServer } from 'node:net'\nimport { once } from 'node:events'\nawait once(createServer().listen(0), 'listening')`,
      'starts a server',
    ],
    ['an Express app', `import express from 'express'\nexpress().listen(0)`, 'starts a server'],
    [
      'a Fastify app',
      `import fastify from 'fastify'\nfastify().listen({ port: 0 })`,
      'starts a server',
    ],
    [
      'a Fastify app that it waits for',
      `import fastify from 'fastify'\nawait fastify().listen({ port: 0 })`,
      'starts a',
    ],
    [
      'the end of the process',
      `process.exit(0)`,
      "couldn't be loaded: the file called process.exit(), or a top-level await",
    ],
    [
      'a promise that never settles',
      `await new Promise(() => {})`,
      "couldn't be loaded: the file called process.exit(), or",
    ],
    ['an endless loop', `for (;;);`, "couldn't be loaded: it was still loading after 2 seconds."],
    [
      'an endless wait',
      `setInterval(() => {}, 9)\nawait new Promise(() => {})`,
      'it was still loading after 2 seconds.',
    ],
    ['an error without a message', `throw new TypeError()`, "couldn't be loaded: TypeError"],
    [
      'an error a little later',
      `setTimeout(() => { throw new Error('late') }, 1)`,
      "couldn't be loaded: late",
    ],
  ])('%s is reported in one line', async (_what, code, message) => {
    const { folder } = createProject({
      'routes.ts': routes + code,
      'package.json': '{ "type": "module" }',
    })
    for (const name of ['express', 'fastify'])
      symlinkSync(join(packages, name, 'node_modules', name), join(folder, 'node_modules', name))
    const io = { cwd: folder, out: process.stdout, err: process.stderr }
    const options = message.includes('2 seconds') ? { timeLimit: 2000 } : {}
    const failure = await loadRouteFile(io, undefined, options).catch(
      (error: Error) => error.message,
    )
    expect(failure).toContain(
      `routes.ts ${message.startsWith('it ') ? "couldn't be loaded: " : ''}${message}`,
    )
    expect(failure).not.toContain('\n')
  })

  it('a server on a port that is taken is still a server', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { hv } = createProject({
      'routes.ts': `${routes}import { createServer } from 'node:net'\ncreateServer().listen(${port}, '127.0.0.1')`,
    })
    expect(await hv('routes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('routes.ts starts a server'),
    })
  })
})

describe('a route file of a workspace', () => {
  const workspace = () =>
    createProject({
      'package.json': '{ "private": true }',
      'apps/shop/package.json': '{ "type": "module" }',
      'apps/shop/tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'apps/shop/src/names.ts': "export enum Names { Users = 'users' }\n",
      'apps/shop/src/routes.ts':
        `import { api, cache, inherit, resources, version } from '@hv/router'
import { Names } from '@/names'
import { options } from '@acme/contracts'
export const routes = api(options, version(1, cache({ as: 'v1' }, resources(Names.Users, { only: ['index', 'show'] }))), version(2, inherit({ from: 'v1' })))
`.replaceAll('\n', '\r\n'),
      'apps/shop/src/controllers/api/v1/users_controller.ts':
        "import { Base } from '@acme/contracts'\r\nexport class UsersController extends Base {\r\n  show() {}\r\n}\r\n",
      'apps/shop/src/controllers/api/v2/users_controller.ts':
        "import { UsersController as V1 } from '@/controllers/api/v1/users_controller'\r\nexport class UsersController extends V1 {}\r\n",
      'libs/contracts/package.json':
        '{ "name": "@acme/contracts", "type": "module", "exports": "./src/index.ts" }',
      'libs/contracts/src/index.ts':
        "export * from './base.js'\nexport const options = { vendorString: 'acme' }\n",
      'libs/contracts/src/base.ts': 'export class Base {\n  index() {}\n}\n',
    })

  it('loads by --cwd, with aliases, packages in TypeScript and Windows line ends', async () => {
    const project = workspace()
    project.link('@acme/contracts', 'libs/contracts')
    const hv = (...args: string[]) => project.hv('--cwd', 'apps/shop', ...args)
    const said = 'Route file: src/routes.ts\n'
    expect(await hv('routes', '--for', '2')).toEqual({
      code: 0,
      err: said,
      out: `Version  Verb  Path            Action       Origin
2        GET   /api/users      users#index  inherited from 1
2        GET   /api/users/:id  users#show   inherited from 1

2 of 4 routes, 2 versions.
`,
    })
    expect(await hv('check')).toEqual({
      code: 0,
      err: said,
      out: 'No findings: 4 routes, 2 versions.\n',
    })
    expect((await hv('diff', '1', '2')).out).toContain('Versions 1 and 2 have the same 2 routes.')
    expect((await hv('explain', 'GET', '/api/users')).out).toContain(
      'api/v1/users#index serves the request',
    )
    expect(await project.hv('bump', '--cwd', 'apps/shop')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(project.read('apps/shop/src/controllers/api/v3/users_controller.ts')).toBe(
      "import { UsersController as UsersControllerV2 } from '../v2/users_controller'\n\nexport class UsersController extends UsersControllerV2 {}\n",
    )
    expect(project.read('apps/shop/src/routes.ts')).toContain(
      'version(3, inherit({ from: 2 })))\r\n',
    )
  })
})
