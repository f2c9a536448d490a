import { describe, expect, it } from 'vitest'
import { some } from '../../../../tools/test-all.ts'
import { createProject } from '../project.ts'

const routes = `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
`

describe('a route file runs in the process of the command', () => {
  it.each<[what: string, code: string]>([
    ['top-level await', `await new Promise((done) => setTimeout(done, 20))`],
    ['an enum', `enum Kind { A = 'a' }\nexport const kind = Kind.A`],
  ])('with %s', async (_what, code) => {
    const { hv } = createProject({
      'src/routes.ts': routes + code,
      'package.json': '{ "type": "module" }',
    })
    expect(await hv('routes', '--json')).toMatchObject({ code: 0, err: '' })
  })

  it('which ends, whatever the file leaves running', () => {
    const { hvProcess } = createProject({
      'src/routes.ts': `${routes}import { createServer } from 'node:net'
setInterval(() => {}, 1000)
createServer().listen(0)`,
      'package.json': '{ "type": "module" }',
    })
    expect(hvProcess('routes', '--json')).toMatchObject({ code: 0, err: '' })
  })

  it('what it prints goes to stderr', () => {
    const { hvProcess } = createProject({
      'routes.ts': `${routes}console.log('printed')\nconsole.error('warned')`,
    })
    const { code, out, err } = hvProcess('routes', '--json')
    expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([0, 1])
    expect(err).toBe('printed\nwarned\n')
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

  const ends: [what: string, code: string][] = [
    ['the end of the process', `process.exit(0)`],
    ['a promise that never settles', `await new Promise(() => {})`],
  ]
  it.each(some(ends, 1))('%s is reported', (_what, code) => {
    const { hvProcess } = createProject({
      'routes.ts': routes + code,
      'package.json': '{ "type": "module" }',
    })
    expect(hvProcess('routes')).toEqual({
      code: 2,
      out: '',
      err: 'error: routes.ts ended the process while it was loaded.\n',
    })
  })

  it('an error without a message is reported by its name', async () => {
    const { hv } = createProject({ 'routes.ts': `${routes}throw new TypeError()` })
    expect(await hv('routes')).toEqual({
      code: 2,
      out: '',
      err: "error: routes.ts couldn't be loaded: TypeError (routes.ts:3)\n",
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
      "import { UsersController as UsersControllerV2 } from '../v2/users_controller'\r\n\r\nexport class UsersController extends UsersControllerV2 {}\r\n",
    )
    expect(project.read('apps/shop/src/routes.ts')).toContain(
      'version(3, inherit({ from: 2 })))\r\n',
    )
  })
})
