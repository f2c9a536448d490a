// What map writes compiles under both compilers, and is bundled into one file that answers.
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'
import { createProject } from '../project.ts'

const packages = resolve(import.meta.dirname, '../../..')
const root = resolve(packages, '..')

const routes = `import { api, cache, inherit, namespace, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { only: 'index' }),
      resources('teams', { only: 'index' }),
      resources('notes', { only: 'index' }),
      resources('tags', { only: 'index' }),
      namespace('admin', resources('users', { only: 'index' })),
    ),
  ),
  version(2, inherit({ from: 'v1', except: ['teams', 'notes', 'tags', 'admin'] })),
)
`
const files = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      customConditions: ['@hv/source'],
      allowImportingTsExtensions: true,
    },
    include: ['src'],
  }),
  'src/routes.ts': routes,
  'src/controllers/api/v1/users_controller.ts': `export class UsersController {
  constructor(protected readonly store: readonly string[]) {}
  index() {
    return { users: this.store }
  }
}
`,
  'src/controllers/api/v1/admin/users_controller.ts': `export class UsersController {
  index = () => ({ admin: true })
}
`,
  'src/controllers/api/v1/teams_controller.ts': `export const teams = { index: () => ({ teams: [] }) }
`,
  'src/controllers/api/v1/notes_controller.ts': `export const index = () => ({ notes: [] })
`,
  'src/controllers/api/v1/tags_controller.ts': `export default (store: readonly string[]) => ({ index: () => ({ tags: store }) })
`,
  'src/controllers/api/v2/users_controller.ts': `import { UsersController as UsersControllerV1 } from '../v1/users_controller.js'

export class UsersController extends UsersControllerV1 {}
`,
  'src/app.ts': `import fastify from 'fastify'
import { createRouter } from '@hv/router-fastify'
import { createControllers } from './controllers/map.js'
import { routes } from './routes.js'

const app = fastify()
app.register(createRouter(routes, createControllers(['ann'])))
for (const [version, path] of [[1, 'users'], [1, 'teams'], [1, 'notes'], [1, 'tags'], [1, 'admin/users'], [2, 'users']]) {
  const headers = { accept: \`application/vnd.acme+json;version=\${version}\` }
  const answer = await app.inject({ url: \`/api/\${path}\`, headers })
  console.log(answer.headers['api-version'], answer.body)
}
await app.close()
`,
}

describe('map', () => {
  it('writes a map that compiles, is bundled and answers', async () => {
    const project = createProject(files)
    symlinkSync(
      join(packages, 'fastify/node_modules/fastify'),
      join(project.folder, 'node_modules/fastify'),
    )
    const { code, out } = await project.hv('map')
    expect([code, out]).toEqual([0, 'create  src/controllers/map.ts\nIt imports 6 controllers.\n'])
    expect(project.read('src/controllers/map.ts'))
      .toBe(`// Written by hv-router map. To write it again: npx @hv/router-cli map --force
import { UsersController as UsersV1 } from './api/v1/users_controller.js'
import { teams as TeamsV1 } from './api/v1/teams_controller.js'
import * as NotesV1 from './api/v1/notes_controller.js'
import TagsV1 from './api/v1/tags_controller.js'
import { UsersController as AdminUsersV1 } from './api/v1/admin/users_controller.js'
import { UsersController as UsersV2 } from './api/v2/users_controller.js'

export const createControllers = (...services: ConstructorParameters<typeof UsersV1>) => ({
  1: {
    'users': new UsersV1(...services),
    'teams': TeamsV1,
    'notes': NotesV1,
    'tags': TagsV1(...services),
    'admin/users': new AdminUsersV1(),
  },
  2: {
    'users': new UsersV2(...services),
  },
})
`)
    for (const [name, compile] of Object.entries(compilers))
      expect(compile(join(project.folder, 'tsconfig.json')).errors, name).toBe('')
    const esbuild = createRequire(join(packages, 'cli/package.json')).resolve('esbuild/bin/esbuild')
    const bundled = spawnSync(
      process.execPath,
      [
        esbuild,
        'src/app.ts',
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--conditions=@hv/source',
        '--outfile=dist/app.mjs',
        '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
        '--log-level=warning',
      ],
      { cwd: project.folder, encoding: 'utf8' },
    )
    expect(bundled.stderr).toBe('')
    const ran = spawnSync(process.execPath, ['dist/app.mjs'], {
      cwd: project.folder,
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    expect(ran.stdout.trim().split('\n')).toEqual([
      '1 {"users":["ann"]}',
      '1 {"teams":[]}',
      '1 {"notes":[]}',
      '1 {"tags":["ann"]}',
      '1 {"admin":true}',
      '2 {"users":["ann"]}',
    ])
  }, 120_000)

  it('writes an object when no controller takes arguments', async () => {
    const project = createProject({
      'routes.js': `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' }), resources('line_items', { only: 'index' })))
`,
      'package.json': '{ "type": "module" }',
      'controllers/api/v1/users_controller.js': 'export default class Users {\n  index() {}\n}\n',
      'controllers/api/v1/line_items_controller.js':
        'export const index = () => 1\nexport const show = () => 2\n',
    })
    expect(await project.hv('map', '--out', 'generated/controllers.js')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(project.read('generated/controllers.js'))
      .toBe(`// Written by hv-router map. To write it again: npx @hv/router-cli map --force
import UsersV1 from '../controllers/api/v1/users_controller.js'
import * as LineItemsV1 from '../controllers/api/v1/line_items_controller.js'

export const controllers = {
  1: {
    'users': new UsersV1(),
    'line_items': LineItemsV1,
  },
}
`)
  })

  it('overwrites nothing without --force', async () => {
    const project = createProject({ ...files, 'src/controllers/map.ts': 'mine' })
    expect(await project.hv('map')).toEqual({
      code: 2,
      out: '',
      err: 'error: src/controllers/map.ts exists already. Overwrite it with --force.\n',
    })
    expect(project.read('src/controllers/map.ts')).toBe('mine')
    expect(await project.hv('map', '--force')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^update {2}src\/controllers\/map\.ts\n/),
    })
    expect(project.read('src/controllers/map.ts')).toContain('createControllers')
  })

  it.each<[what: string, path: string, text: string | null, message: string]>([
    ['a missing controller', 'teams', null, 'because there is no v1/teams_controller.'],
    [
      'CommonJS',
      'teams',
      'module.exports = { index() {} }\n',
      'teams_controller.ts:1 is CommonJS, and map writes',
    ],
    [
      'no controller',
      'teams',
      'export const limit = 1\n',
      'exports no controller that map can find.',
    ],
    [
      'one that is not seen',
      'teams',
      'export default make()\n',
      'teams_controller.ts:1 cannot be read: the result of make()',
    ],
    [
      'one in the default export',
      'teams',
      'class TeamsController {\n  index() {}\n}\nexport default { TeamsController }\n',
      'teams_controller.ts:1 holds TeamsController in its default export. Export that. Nothing was written.',
    ],
    [
      'an asynchronous one',
      'teams',
      'export const createTeams = async () => ({ index() {} })\n',
      'teams_controller.ts:1 makes its controller asynchronously.',
    ],
  ])('refuses %s', async (_what, key, text, message) => {
    const path = `src/controllers/api/v1/${key}_controller.ts`
    const project = createProject(
      Object.fromEntries(
        Object.entries({ ...files, [path]: text }).filter(
          (entry): entry is [string, string] => entry[1] !== null,
        ),
      ),
    )
    const { code, err } = await project.hv('map')
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(project.list()).not.toContain('src/controllers/map.ts')
  })
})
