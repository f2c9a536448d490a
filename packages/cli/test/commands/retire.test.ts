// What retire leaves compiles, and answers requests of the other versions as before, in each style of modules.
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'
import { some } from '../../../../tools/test-all.ts'
import { type TestProject, createProject } from '../project.ts'

const packages = resolve(import.meta.dirname, '../../..')
const root = resolve(packages, '..')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const sunset = '2020-01-01'

const routes = (importing: string, exporting: string) => `${importing}

${exporting} api(
  { vendorString: 'acme', defaultVersion: 2 },
  version(
    1,
    { deprecated: '2019-01-01', sunset: '${sunset}', successor: 2 }, // announced a year before
    cache(
      { as: 'v1' },
      resources('users', { only: ['index', 'show'] }),
      resources('teams', { only: 'index' }),
    ),
  ),
  version(2, cache({ as: 'v2' }, inherit({ from: 'v1' }), resources('keys', { only: 'index' }))),
  version(3, inherit({ from: 'v2' })),
)
`
const words = 'api, cache, inherit, resources, version'

/** Prints how an app answers requests for the versions 1 and 2. */
const serve = (extension: string) => `
import express from ${JSON.stringify(join(packages, 'express/node_modules/express/index.js'))}
import { routeTable } from '@hv/router'
import { createRouter } from '@hv/router-express'
import * as file from './src/routes.${extension}'
const routes = file.routes ?? file.default.routes
const controllers = {}
for (const { version, key } of routeTable(routes)) {
  const module = await import('./src/controllers/api/v' + version + '/' + key + '_controller.${extension}')
  const className = key[0].toUpperCase() + key.slice(1) + 'Controller'
  const whole = module.default ?? module
  const controller = module[className] ?? module[key] ?? whole[className] ?? whole[key] ?? whole
  ;(controllers[version] ??= {})[key] = typeof controller === 'function' ? new controller() : controller
}
const server = express().use(createRouter(routes, controllers)).listen(0, '127.0.0.1', async () => {
  for (const version of [1, 2, 3])
    for (const path of ['/api/users', '/api/users/7', '/api/teams', '/api/keys']) {
      const url = 'http://127.0.0.1:' + server.address().port + path
      const answer = await fetch(url, { headers: { accept: 'application/vnd.acme+json;version=' + version } })
      console.log(version, path, answer.status, [...answer.headers].filter(([name]) => name !== 'date').join(' '), await answer.text())
    }
  server.closeAllConnections()
  server.close()
})
`
const answersOf = ({ folder }: TestProject): readonly string[] => {
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx')
  const args = ['--conditions=@hv/source', '--import', tsx, 'serve.mjs']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

const v1 = 'src/controllers/api/v1'
const [v2, v3] = ['src/controllers/api/v2', 'src/controllers/api/v3']
const third = (extension: string, importOf: (key: string) => string) =>
  Object.fromEntries(
    ['users', 'teams', 'keys'].map((key) => [
      `${v3}/${key}_controller.${extension}`,
      importOf(key),
    ]),
  )

const styles: [what: string, files: Record<string, string>, extension: string][] = [
  [
    'classes in TypeScript',
    {
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
          erasableSyntaxOnly: true,
        },
        include: ['src'],
      }),
      'src/routes.ts': routes(`import { ${words} } from '@hv/router'`, 'export const routes ='),
      'src/list.ts':
        'export const list = (name: string): string[] => [name]\nexport type Names = string[]\n',
      [`${v1}/users_controller.ts`]: `import { type Names, list } from '../../../list.js'

interface Answer {
  send(body: unknown): unknown
}
interface Request {
  params: unknown
}
const name = 'one'

/** The users of the first version. */
export class UsersController {
  protected readonly names: Names = list(name)
  index(_request: unknown, answer: Answer): unknown {
    return answer.send({ names: this.names, name })
  }
  show(request: Request, answer: Answer): unknown {
    return answer.send({ id: (request.params as { id: string }).id, of: UsersController.name.length > 0 })
  }
}
`,
      [`${v1}/teams_controller.ts`]: `interface Answer {
  send(body: unknown): unknown
}
export default class {
  index(_request: unknown, answer: Answer): unknown {
    return answer.send(['team'])
  }
}
`,
      [`${v2}/users_controller.ts`]: `import { list } from '../../../list.js'
import { UsersController as V1 } from '../v1/users_controller.js'

interface Answer {
  send(body: unknown): unknown
}
const name = 'two'

export class UsersController extends V1 {
  override index(request: unknown, answer: Answer): unknown {
    return super.index(request, { send: (body) => answer.send({ body, name, list: list(name) }) })
  }
}
`,
      [`${v2}/teams_controller.ts`]: `import Parent from '../v1/teams_controller.js'

export default class TeamsController extends Parent {}
`,
      [`${v2}/keys_controller.ts`]: `export class KeysController {
  index(_request: unknown, answer: { send(body: unknown): unknown }): unknown {
    return answer.send('keys')
  }
}
`,
      ...third('ts', (key) =>
        key === 'teams'
          ? `export { default } from '../v2/teams_controller.js'\n`
          : `export * from '../v2/${key}_controller.js'\n`,
      ),
    },
    'ts',
  ],
  [
    'objects in JavaScript modules',
    {
      'package.json': '{ "type": "module" }',
      'src/routes.js': routes(`import { ${words} } from '@hv/router'`, 'export const routes ='),
      [`${v1}/users_controller.js`]: `import { format } from 'node:util'
import { suffix } from './suffix.js'

const text = format('%s', 'one')
export const users = {
  index: (_request, answer) => answer.send({ text }),
  show: ({ params: { id } }, answer) => answer.send({ id, suffix }),
}
`,
      [`${v1}/suffix.js`]: "export const suffix = '!'\n",
      [`${v1}/teams_controller.js`]:
        "export default { index: (_request, answer) => answer.send('teams') }\n",
      [`${v2}/users_controller.js`]: `import { users as v1 } from '../v1/users_controller.js'

const text = 'two'
export const users = { ...v1, index: (_request, answer) => answer.send({ text, v1: Object.keys(v1) }) }
`,
      [`${v2}/teams_controller.js`]:
        "import v1 from '../v1/teams_controller.js'\n\nexport default { ...v1 }\n",
      [`${v2}/keys_controller.js`]:
        "export const keys = { index: (_request, answer) => answer.send('keys') }\n",
      ...third('js', (key) =>
        key === 'teams'
          ? `export { default } from '../v2/teams_controller.js'\n`
          : `export * from '../v2/${key}_controller.js'\n`,
      ),
    },
    'js',
  ],
  [
    'functions of a module',
    {
      'package.json': '{ "type": "module" }',
      'src/routes.js': routes(`import { ${words} } from '@hv/router'`, 'export const routes ='),
      [`${v1}/users_controller.js`]: `export const index = (_request, answer) => answer.send('one')
export function show({ params }, answer) {
  return answer.send(params)
}
`,
      [`${v1}/teams_controller.js`]:
        "export const index = (_request, answer) => answer.send('teams')\n",
      [`${v2}/users_controller.js`]: "export * from '../v1/users_controller.js'\n",
      [`${v2}/teams_controller.js`]: "export * from '../v1/teams_controller.js'\n",
      [`${v2}/keys_controller.js`]:
        "export const index = (_request, answer) => answer.send('keys')\n",
      ...third('js', (key) => `export * from '../v2/${key}_controller.js'\n`),
    },
    'js',
  ],
  [
    'CommonJS',
    {
      'package.json': '{ "type": "commonjs" }',
      'src/routes.js': routes(`const { ${words} } = require('@hv/router')`, 'exports.routes ='),
      [`${v1}/users_controller.js`]: `'use strict'
const { format } = require('node:util')

class UsersController {
  index(_request, answer) {
    return answer.send({ text: format('%s', 'one') })
  }
  show({ params }, answer) {
    return answer.send(params)
  }
}
module.exports = { UsersController }
`,
      [`${v1}/teams_controller.js`]: `module.exports = class TeamsController {
  index(_request, answer) {
    return answer.send('teams')
  }
}
`,
      [`${v2}/users_controller.js`]: `'use strict'
const { UsersController: V1 } = require('../v1/users_controller.js')
const { format } = require('node:util')

class UsersController extends V1 {
  show({ params }, answer) {
    return answer.send({ two: format('%j', params) })
  }
}
module.exports = { UsersController }
`,
      [`${v2}/teams_controller.js`]:
        "const V1 = require('../v1/teams_controller')\n\nmodule.exports = class extends V1 {}\n",
      [`${v2}/keys_controller.js`]:
        "exports.keys = { index: (_request, answer) => answer.send('keys') }\n",
      ...third('js', (key) => `module.exports = require('../v2/${key}_controller.js')\n`),
    },
    'js',
  ],
]

describe.each(some(styles, 2))('retire, with %s', (_what, files, extension) => {
  it('leaves code that compiles, and answers as before', async () => {
    const project = createProject({ ...files, 'serve.mjs': serve(extension) })
    const before = answersOf(project)
    expect(before[0]).toMatch(/^1 \/api\/users 410 /)
    expect(before[4]).toMatch(/^2 \/api\/users 200 /)

    const { code, out, err } = await project.hv('retire', '1')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(
      `move    ${v1}/users_controller.${extension} to ${v2}/base/users_controller.${extension}\n`,
    )
    expect(out).toContain(
      'Version 1 is retired: 0 controllers deleted, 2 moved to the version that extends it.',
    )
    expect(project.list().filter((path) => /v1\/.*_controller/.test(path))).toEqual([])
    expect(project.read(`src/routes.${extension}`)).toContain(
      `  version(1, { deprecated: '2019-01-01', sunset: '${sunset}', successor: 2 }),\n`,
    )
    expect(project.list(v2).filter((path) => path.startsWith('base/'))).toHaveLength(2)
    expect((await project.hv('check')).out).toContain('No findings')
    expect(answersOf(project)).toEqual(before)

    if (files['tsconfig.json'] === undefined) return
    for (const [name, compile] of Object.entries(compilers))
      expect(compile(join(project.folder, 'tsconfig.json')).errors, name).toBe('')
  }, 120_000)

  it('changes nothing in a dry run', async () => {
    const project = createProject(files)
    const before = project.list().map((path) => [path, project.read(path)])
    expect((await project.hv('retire', '1', '--dry-run')).out).toContain(
      'Version 1 would be retired',
    )
    expect(project.list().map((path) => [path, project.read(path)])).toEqual(before)
  })
})

describe('retire', () => {
  const objects = styles[1]![1]
  const refused = async (args: string[], files: Record<string, string> = {}) => {
    const project = createProject({ ...objects, ...files })
    const before = project.list().map((path) => [path, project.read(path)])
    const { code, err } = await project.hv('retire', ...args)
    expect(code).toBe(2)
    expect(project.list().map((path) => [path, project.read(path)])).toEqual(before)
    return err
  }
  const file = objects['src/routes.js']!
  const usage = (version: number, days: number) =>
    JSON.stringify({
      [version]: { 'acme-ios': { calls: 12, last: inDays(-days) }, old: { last: inDays(-400) } },
    })

  it('refuses a version that is called, and names the clients', async () => {
    const err = await refused(['1', '--usage', 'usage.json'], { 'usage.json': usage(1, 3) })
    expect(err).toMatch(
      /version 1 was called in the last 30 days, so nothing was changed:\n {2}acme-ios, last on .*, 12 calls\n$/,
    )
  })
  it.each([
    ['version 1 was not called for 30 days', usage(1, 31)],
    ['another version is called', usage(2, 1)],
    ['nobody calls', '{}'],
  ])('goes on when %s', async (_what, text) => {
    const { hv } = createProject({ ...objects, 'usage.json': text })
    expect(await hv('retire', '1', '--usage', 'usage.json')).toMatchObject({ code: 0 })
  })
  it('rehearses before the sunset', async () => {
    const { hv, read } = createProject({
      ...objects,
      'src/routes.js': file.replace(sunset, '2090-01-01'),
    })
    const before = read('src/routes.js')
    const { code, out } = await hv('retire', '1', '--dry-run')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('delete') })
    expect(out).toMatch(
      /Version 1 would be retired: .*\nIt ends on 2090-01-01: retire it then\.\n$/,
    )
    expect(read('src/routes.js')).toBe(before)
  })
  it('says what to delete where no file belongs to a version', async () => {
    const { hv } = createProject({ 'src/routes.js': file })
    expect((await hv('retire', '1')).out).toContain(
      "Version 1 is retired: no controllers folder was found, so delete the version's controllers yourself.",
    )
  })
  it('imports no helper that the route file stopped calling', async () => {
    const last = `version(1, { sunset: '${sunset}' }, cache({ as: 'v1' }, resources('users'))), version(2, inherit({ from: 'v1' }))`
    const { hv, read } = createProject({
      'src/routes.ts': `import { api, cache, inherit, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'acme' }, ${last})\n`,
    })
    expect(await hv('retire', '1')).toMatchObject({ code: 0 })
    expect(read('src/routes.ts')).toMatch(
      /^import \{ api, cache, resources, version \} from '@hv\/router'\n/,
    )
  })
  it.each<[what: string, args: string[], files: Record<string, string>, message: string]>([
    [
      'a usage file that is not there',
      ['1', '--usage', 'none.json'],
      {},
      'none.json cannot be read',
    ],
    [
      'a version that is not declared',
      ['9'],
      {},
      'version 9 is not declared. Declared versions: 1, 2, 3.',
    ],
    ['a number that is none', ['one'], {}, 'A version is a whole number from 1.'],
    [
      'a version that has not ended',
      ['1'],
      { 'src/routes.js': file.replace(sunset, '2090-01-01') },
      'version 1 ends on 2090-01-01. Retire it then. To see what would change, add --dry-run.',
    ],
    ...Object.entries({
      'actions from': {
        "inherit({ from: 'v1' })": "inherit({ from: 'v1', except: 'users#show' })",
      },
      'from, as others do': {
        "inherit({ from: 'v1' })": "inherit({ from: 'v1', only: 'users' })",
        "inherit({ from: 'v2' })": "inherit({ from: 'v1' })",
      },
      'from, with a computed name': {
        "inherit({ from: 'v1' })": "inherit({ from: 'v1', only: 'users' })",
        "resources('teams'": "resources(['teams'][0]",
      },
      'from, and ends': {
        "inherit({ from: 'v1' })": "inherit({ from: 'v1', only: 'users', sunset: '2090-01-01' })",
      },
    }).map(([what, edits]): [string, string[], Record<string, string>, string] => [
      `a version whose cache another version selects ${what}`,
      ['1'],
      {
        'src/routes.js': Object.entries(edits).reduce(
          (text, [from, to]) => text.replace(from, to),
          file,
        ),
      },
      "src/routes.js:14 inherits only a part of version 1's cache 'v1'. retire can leave out whole resources of a cache that one version inherits, " +
        'named in only or except, and nothing else. Declare that part there, or put it into a cache of its own in version 1 and inherit that. Then retire version 1 again.',
    ]),
    [
      'a controller whose new place is taken',
      ['1'],
      { [`${v2}/base/users_controller.js`]: 'export const users = {}\n' },
      'src/controllers/api/v2/base/users_controller.js exists already, so nothing was changed. Move it first.',
    ],
  ])('refuses %s', async (_what, args, files, message) =>
    expect(await refused(args, files)).toContain(message),
  )

  it.each([
    ["only: 'users'", ''],
    ["except: ['teams']", ''],
    ["except: 'teams'", 'const first = '],
  ])('leaves out what no version inherits with %s %s', async (selection, constant) => {
    const declared =
      "cache({ as: 'v1' }, resources('users', { only: 'index' }), resources('teams', { only: 'index' }))"
    const kept = "cache({ as: 'v1' }, resources('users', { only: 'index' }))"
    const own = "resources('teams', { only: 'show' })"
    const project = createProject({
      'src/routes.js': `import { api, cache, inherit, resources, version } from '@hv/router'
${constant && `${constant}${declared}\n`}
export const routes = api(
  { vendorString: 'acme', defaultVersion: 2 },
  version(1, { sunset: '2020-01-01' }, ${constant ? 'first' : declared}),
  version(2, inherit({ from: ${constant ? 'first' : "'v1'"}, ${selection} }), ${own}),
)
`,
    })
    const table = async () => {
      const rows = JSON.parse((await project.hv('routes', '--for', '2', '--json')).out) as Record<
        string,
        string
      >[]
      return rows.map(({ method, path, controller, action }) => [method, path, controller, action])
    }
    const before = await table()
    expect(await project.hv('retire', '1')).toMatchObject({ code: 0, err: '' })
    expect(project.read('src/routes.js')).toContain(constant ? `${constant}${kept}\n` : '')
    expect(project.read('src/routes.js')).toContain(`
  version(1, { sunset: '2020-01-01' }),
  version(2, ${constant ? 'first' : kept}, ${own}),
`)
    expect(await table()).toEqual(before)
    expect(before).toHaveLength(2)
  })

  it('moves a controller for all that import it, with what it imports, and names what nobody reaches', async () => {
    const project = createProject({
      ...objects,
      [`${v1}/users_controller.js`]: `import { suffix } from './suffix.js'
export { suffix } from './suffix.js'
export const load = () => import('../../../data.js')
export const users = {
  index: () => 'one',
  show: () => suffix,
  create: () => 'created',
}
`,
      [`${v2}/users_controller.js`]: `import { users as v1 } from '../v1/users_controller.js'
export const users = { ...v1, index: () => 'two', show: () => v1.show() }
`,
      [`${v3}/users_controller.js`]: `import { users as v1 } from '../v1/users_controller.js'
export const users = { ...v1, index: () => 'three', create: () => 3 }
`,
    })
    const { code, out } = await project.hv('retire', '1')
    expect(code).toBe(0)
    expect(out).toContain(
      `unused  ${v2}/base/users_controller.js: index, which later versions override\n`,
    )
    expect(project.read(`${v2}/base/users_controller.js`))
      .toBe(`import { suffix } from '../../v1/suffix.js'
export { suffix } from '../../v1/suffix.js'
export const load = () => import('../../../../data.js')
export const users = {
  index: () => 'one',
  show: () => suffix,
  create: () => 'created',
}
`)
    expect(project.read(`${v2}/users_controller.js`)).toContain(
      "import { users as v1 } from './base/users_controller.js'\n",
    )
    expect(project.read(`${v3}/users_controller.js`)).toContain(
      "from '../v2/base/users_controller.js'\n",
    )
    expect((await project.hv('check')).out).toContain('No findings')
    expect((await project.hv('bump', '--dry-run')).out).not.toContain('base')
  })

  it('leaves a route file that is well indented', async () => {
    const { hv, read } = createProject(objects)
    expect(await hv('retire', '1')).toMatchObject({ code: 0 })
    expect(read('src/routes.js')).toBe(`import { ${words} } from '@hv/router'

export const routes = api(
  { vendorString: 'acme', defaultVersion: 2 },
  version(1, { deprecated: '2019-01-01', sunset: '${sunset}', successor: 2 }),
  version(2, cache({ as: 'v2' }, cache(
    { as: 'v1' },
    resources('users', { only: ['index', 'show'] }),
    resources('teams', { only: 'index' }),
  ), resources('keys', { only: 'index' }))),
  version(3, inherit({ from: 'v2' })),
)
`)
  })

  it('writes through no symbolic link', async () => {
    const project = createProject({ ...objects, 'outside.js': 'export const keep = 1\n' })
    rmSync(join(project.folder, `${v2}/users_controller.js`))
    project.write({
      'outside.js': objects[`${v2}/users_controller.js`]!.replace(
        '../v1',
        './src/controllers/api/v1',
      ),
    })
    symlinkSync(
      join(project.folder, 'outside.js'),
      join(project.folder, `${v2}/users_controller.js`),
    )
    const before = project.list().map((path) => [path, project.read(path)])
    expect(await project.hv('retire', '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is a symbolic link'),
    })
    expect(project.list().map((path) => [path, project.read(path)])).toEqual(before)
  })

  it('deletes controllers that only each other import', async () => {
    const { hv, list } = createProject({
      ...objects,
      [`${v1}/teams_controller.js`]:
        "import { users } from './users_controller.js'\nexport default { index: users.index }\n",
      [`${v1}/users_controller.js`]:
        "import './teams_controller.js'\nexport const users = { index() {}, show() {} }\n",
      [`${v2}/users_controller.js`]: 'export const users = { index() {}, show() {} }\n',
      [`${v2}/teams_controller.js`]: 'export default { index() {} }\n',
    })
    expect(await hv('retire', '1')).toMatchObject({ code: 0, err: '' })
    expect(list().filter((path) => /v1\/.*_controller/.test(path))).toEqual([])
  })

  it('moves a controller that a later version reaches through a file in base', async () => {
    const { hv, list, read } = createProject({
      ...objects,
      [`${v1}/base/list_controller.js`]:
        "import { users } from '../users_controller.js'\nexport const list = { index: () => users.index() }\n",
      [`${v2}/users_controller.js`]:
        "import { list } from '../v1/base/list_controller.js'\nexport const users = { ...list, show: () => 'two' }\n",
    })
    expect(await hv('retire', '1')).toMatchObject({ code: 0, err: '' })
    expect(list(v2)).toContain('base/users_controller.js')
    expect(read(`${v1}/base/list_controller.js`)).toContain(
      "from '../../v2/base/users_controller.js'\n",
    )
  })

  it('refuses a version that it has retired', async () => {
    const { hv } = createProject(objects)
    await hv('retire', '1')
    expect((await hv('retire', '1')).err).toContain('version 1 has no routes')
  })

  it('refuses the only version with routes', async () => {
    const { hv } = createProject({
      'routes.ts':
        "import { api, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'acme' }, version(1, resources('users')))\n",
    })
    const err = 'error: version 1 is the only version with routes. Declare its successor first.\n'
    expect(await hv('retire', '1')).toMatchObject({ code: 2, err })
  })

  it('writes a sunset where there is none', async () => {
    const { hv, read } = createProject({
      'routes.ts':
        "import { api, cache, inherit, resources, version } from '@hv/router'\nconst v1 = cache({ as: 'v1' }, resources('users', { only: 'index' }))\n" +
        "export const routes = api({ vendorString: 'acme' }, version(1, v1), version(2, inherit({ from: v1 })))\n",
    })
    expect(await hv('retire', '1')).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        "It's the default version, so requests without a version also get a 410 response. To serve them, set defaultVersion in routes.ts.\n",
      ),
    })
    const today = new Date().toISOString().slice(0, 10)
    expect(read('routes.ts')).toContain(
      `version(1, { sunset: '${today}', successor: 2 }), version(2, v1))`,
    )
  })

  it('names the other files that import a deleted controller', async () => {
    const { hv } = createProject({
      ...objects,
      'src/app.js':
        "import { users } from './controllers/api/v1/users_controller.js'\nexport default users\n",
    })
    expect((await hv('retire', '1')).out).toContain(
      'edit    src/app.js imports src/controllers/api/v1/users_controller.js: remove version 1 there\n',
    )
  })
})
