import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const users = `export class UsersController {
  index() {
    return ['one']
  }
}
`
const routesFile = `import { api, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show'] })),
  version(2, inherit({ from: 1 })), // the same
)
`

describe('writes the next version of', () => {
  it.each<[what: string, file: string, text: string, expected: string]>([
    [
      'a class',
      'users_controller.js',
      users,
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.js'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'a class beside other exports',
      'users_controller.js',
      `class Users {}\nexport { limit, Users as UsersController }\nconst limit = 1\n`,
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.js'

export class UsersController extends UsersControllerV1 {}

export * from '../v1/users_controller.js'
`,
    ],
    [
      'a class beside types',
      'users_controller.ts',
      'export interface User {}\nexport abstract class UsersController<T = User> {}\n',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.ts'

export abstract class UsersController extends UsersControllerV1 {}

export * from '../v1/users_controller.ts'
`,
    ],
    [
      'an abstract default class',
      'users_controller.ts',
      'export default abstract class UsersController { index() {} }\n',
      `import UsersControllerV1 from '../v1/users_controller.ts'

export default abstract class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'a default class without a name',
      'line_items_controller.js',
      'export default class {\n  index() {}\n}\n',
      `import LineItemsControllerV1 from '../v1/line_items_controller.js'

export default class LineItemsController extends LineItemsControllerV1 {}
`,
    ],
    [
      'a default class on a line of its own',
      'users_controller.js',
      'class Users {}\nexport default Users\n',
      `import UsersControllerV1 from '../v1/users_controller.js'

export default class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'a class that is named otherwise',
      'users_controller.js',
      'export class UsersControllerV1 {}',
      `// Everything in version 1. To override an action, export a controller of your own.
export * from '../v1/users_controller.js'
`,
    ],
    [
      'a class in a folder',
      'admin/deep/users_controller.js',
      users,
      `import { UsersController as UsersControllerV1 } from '../../../v1/admin/deep/users_controller.js'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'module.exports of a class',
      'users_controller.cjs',
      'module.exports = class UsersController {}\n',
      `const UsersControllerV1 = require('../v1/users_controller.cjs')

module.exports = class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'a class in module.exports',
      'users_controller.js',
      'class UsersController {}\nmodule.exports = { UsersController, limit: 1 };\n',
      `// Everything in version 1. To override an action, export a controller of your own.
module.exports = require('../v1/users_controller.js')
`,
    ],
    [
      'a class in exports',
      'users_controller.js',
      'exports.UsersController = class {}\n',
      `// Everything in version 1. To override an action, export a controller of your own.
module.exports = require('../v1/users_controller.js')
`,
    ],
    [
      'export = of a class',
      'users_controller.cts',
      'class UsersController {}\nexport = UsersController\n',
      `import v1 = require('../v1/users_controller.cts')

// Everything in version 1. To override an action, export a controller of your own.
export = v1
`,
    ],
    [
      'an object',
      'users_controller.js',
      'export const usersController = { index() {} }\n',
      `// Everything in version 1. To override an action, for example:
//   import { usersController as v1 } from '../v1/users_controller.js'
//   export const usersController = { ...v1, show() { … } }
export * from '../v1/users_controller.js'
`,
    ],
    [
      'a default object beside other exports',
      'users_controller.js',
      'export const limit = 1\nexport default { index() {} }\n',
      `// Everything in version 1. To override an action, for example:
//   import v1 from '../v1/users_controller.js'
//   export default { ...v1, show() { … } }
export * from '../v1/users_controller.js'
export { default } from '../v1/users_controller.js'
`,
    ],
    [
      'a factory',
      'users_controller.js',
      'export const usersController = (store) => ({ index: () => store })\n',
      `// Everything in version 1. To override an action, for example:
//   import { usersController as v1 } from '../v1/users_controller.js'
//   export const usersController = (...args) => ({ ...v1(...args), show() { … } })
export * from '../v1/users_controller.js'
`,
    ],
    [
      'functions',
      'users_controller.js',
      'export function index() {}\n',
      `// Everything in version 1. To override an action, for example:
//   export function show() { … }
export * from '../v1/users_controller.js'
`,
    ],
    [
      'another file',
      'users_controller.js',
      "export { default } from './users.js'\n",
      `// Everything in version 1. To override an action, for example:
//   import v1 from '../v1/users_controller.js'
//   export default { ...v1, show() { … } }
export { default } from '../v1/users_controller.js'
`,
    ],
    [
      'module.exports',
      'users_controller.cjs',
      'exports.users = { index() {} }\nexports.limit = 1\n',
      `// Everything in version 1. To override an action, export a controller of your own.
module.exports = require('../v1/users_controller.cjs')
`,
    ],
    [
      'export =',
      'users_controller.cts',
      'const users = { index() {} }\nexport = users\n',
      `import v1 = require('../v1/users_controller.cts')

// Everything in version 1. To override an action, export a controller of your own.
export = v1
`,
    ],
    [
      'a class that nothing can extend',
      'users_controller.ts',
      'export class UsersController<T> { private constructor() {} }\n',
      `// Everything in version 1. To override an action, export a controller of your own.
export * from '../v1/users_controller.ts'
`,
    ],
  ])('%s', async (_what, file, text, expected) => {
    const project = createProject({ [`controllers/api/v1/${file}`]: text })
    expect(await project.hv('bump')).toMatchObject({ code: 0, err: '' })
    expect(project.read(`controllers/api/v2/${file}`)).toBe(expected)
  })
})

describe('imports TypeScript', () => {
  const bundled = '{ "compilerOptions": { "moduleResolution": "Bundler" } }'
  const nodeNext = '{ "compilerOptions": { "module": "nodenext" } }'
  it.each<[what: string, tsconfig: string | null, file: string, text: string, ending: string]>([
    ['by .ts, without a tsconfig.json', null, 'users_controller.ts', users, '.ts'],
    ['by .js', nodeNext, 'users_controller.ts', users, '.js'],
    ['by .mjs', nodeNext, 'users_controller.mts', users, '.mjs'],
    ['by nothing, for a bundler', bundled, 'users_controller.ts', users, ''],
    ['by .mjs, for a bundler', bundled, 'users_controller.mts', users, '.mjs'],
    [
      'by .ts, with allowImportingTsExtensions',
      '{ "extends": "./base" }',
      'users_controller.ts',
      users,
      '.ts',
    ],
    [
      'as the file imports',
      bundled,
      'users_controller.ts',
      `import '../../list.js'\nimport x from '../../list.js'\n${users}`,
      '.js',
    ],
    [
      'as the file imports',
      nodeNext,
      'users_controller.ts',
      `import x from './x.ts'\n${users}`,
      '.ts',
    ],
    [
      'as the file imports',
      nodeNext,
      'users_controller.ts',
      `import x from './users.service'\n${users}`,
      '',
    ],
    [
      'by .js, although the file imports JavaScript',
      '{ "extends": "./base" }',
      'users_controller.ts',
      `import x from '../../old.js'\n${users}`,
      '.ts',
    ],
  ])('%s', async (_what, tsconfig, file, text, ending) => {
    const project = createProject({
      [`controllers/api/v1/${file}`]: text,
      'controllers/old.js': '',
      'base.json': '{ "compilerOptions": { "allowImportingTsExtensions": true } }',
      ...(tsconfig !== null && { 'tsconfig.json': tsconfig }),
    })
    expect((await project.hv('bump')).code).toBe(0)
    expect(project.read(`controllers/api/v2/${file}`)).toContain(
      ` from '../v1/users_controller${ending}'\n`,
    )
  })
})

const workspace = resolve(import.meta.dirname, '../../../..')

/** The arguments of a Node that runs bump in a process of its own. */
function runner(cwd: string, first = ''): string[] {
  const script = `import { run } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/run.ts'))}
    ${first}
    process.exitCode = await run(['bump'], { cwd: ${JSON.stringify(cwd)}, out: process.stdout, err: process.stderr })`
  return ['--conditions=@hv/source', '--import', 'tsx', '--input-type=module', '-e', script]
}

describe('bump', () => {
  it("writes the users service's version 3, as the service's own script calls it", async () => {
    const service = resolve(import.meta.dirname, '../../../../examples/users')
    const read = (path: string) => readFileSync(join(service, path), 'utf8')
    const controllerOf = (version: number) => `controllers/api/v${version}/users_controller.ts`
    const { hv, list } = createProject(
      Object.fromEntries(
        ['package.json', 'src/routes.ts', controllerOf(1), controllerOf(2)].map((path) => [
          path,
          read(path),
        ]),
      ),
    )
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { bump: string } }
    const [, args] = scripts.bump.split(' hv-router -- ')
    expect(await hv(...args!.split(' '))).toMatchObject({ code: 0 })
    expect(list()).toContain(controllerOf(3))
  })

  const controller = (name: string) => `export class ${name} {}\n`

  it('takes the highest version as a number, and leaves older controllers', async () => {
    const project = createProject({
      'src/controllers/api/v2/teams_controller.ts': controller('TeamsController'),
      'src/controllers/api/v9/users_controller.ts': controller('UsersController'),
      'src/controllers/api/v9/base/users_controller.ts': controller('UsersController'),
      'src/controllers/api/v9/helper.ts': '',
      'src/controllers/api/v10x/users_controller.ts': '',
    })
    expect(await project.hv('bump')).toEqual({
      code: 0,
      err: '',
      out: `create  src/controllers/api/v10/base/users_controller.ts
create  src/controllers/api/v10/users_controller.ts
Wrote 2 controllers for version 10, with everything in version 9.
Unless your app uses loadControllers, add them where it lists version 9's.

Version 10 isn't in the route file yet: no route file found. Looked for src/routes, routes, app/routes, src/api/routes, config/routes with .ts, .js and the like. Pass yours with --routes <file>, or write one with init. Add it yourself:

  version(10, inherit({ from: 9 })),
`,
    })
    await project.hv('bump')
    expect(project.list('src/controllers/api').filter((path) => path.startsWith('v1'))).toEqual([
      'v10/base/users_controller.ts',
      'v10/users_controller.ts',
      'v10x/users_controller.ts',
      'v11/base/users_controller.ts',
      'v11/users_controller.ts',
    ])
  })

  it('extends the file that loadControllers takes', async () => {
    const project = createProject({
      'controllers/api/v1/users_controller.js': users,
      'controllers/api/v1/users_controller.ts': users,
      'controllers/api/v1/users_controller.cjs': 'syntax error',
    })
    expect((await project.hv('bump')).code).toBe(0)
    expect(project.list('controllers/api/v2')).toEqual(['users_controller.ts'])
  })

  it("leaves out files that it can't parse, and says so", async () => {
    const project = createProject({
      'controllers/api/v1/a_controller.ts': controller('AController'),
      'controllers/api/v1/b_controller.ts': '\nexport class ((\n',
      'controllers/api/v1/c_controller.js': `export default ${'['.repeat(20_000)}\n`,
      'controllers/api/v1/d_controller.js': `export default ${'f({a:['.repeat(400)}1${']})'.repeat(400)}\n`,
      'controllers/api/v1/e_controller.ts': controller('EController'),
      'controllers/api/v1/f_controller.ts': `export class FController {}\n// ${')}'.repeat(2_000)}`,
    })
    const { code, out, err } = await project.hv('bump')
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain(`create  controllers/api/v2/a_controller.ts
create  controllers/api/v2/e_controller.ts
create  controllers/api/v2/f_controller.ts
skip    controllers/api/v1/b_controller.ts:2: Expected`)
    expect(out).toContain(`skip    controllers/api/v1/c_controller.js:1: it's nested too deeply
skip    controllers/api/v1/d_controller.js:1: it's nested too deeply
Wrote 3 controllers for version 2, which also needs those that were skipped. Write them yourself.
`)
    expect(project.list('controllers/api/v2')).toEqual([
      'a_controller.ts',
      'e_controller.ts',
      'f_controller.ts',
    ])
  })

  it("writes nothing if it can parse no controller, because the app wouldn't start", async () => {
    const project = createProject({
      'controllers/api/v2/a_controller.ts': 'export class ((',
      'src/routes.ts': routesFile,
    })
    const { code, out, err } = await project.hv('bump')
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(/^skip {4}controllers\/api\/v2\/a_controller.ts:1: Expected/)
    expect(out).toContain('\nWrote nothing, because no controller of version 2 can be parsed.\n')
    expect(project.list()).toEqual(['controllers/api/v2/a_controller.ts', 'src/routes.ts'])
    expect(project.read('src/routes.ts')).toBe(routesFile)
  })

  it('parses what only looks deep', async () => {
    const project = createProject({
      'controllers/api/v1/a_controller.ts': `${'(1);'.repeat(2_000)}// ${'('.repeat(900)}\nexport class AController {}\n`,
    })
    expect((await project.hv('bump')).code).toBe(0)
  })

  it('creates folders with the usual mode', async () => {
    const project = createProject({
      'controllers/api/v1/users_controller.ts': users,
      'controllers/api/v1/admin/teams_controller.ts': controller('TeamsController'),
    })
    expect((await project.hv('bump')).code).toBe(0)
    const modeOf = (path: string) =>
      statSync(join(project.folder, 'controllers/api', path)).mode & 0o777
    expect([modeOf('v2'), modeOf('v2/admin')]).toEqual([
      0o777 & ~process.umask(),
      0o777 & ~process.umask(),
    ])
  })

  it('stops where a file stands in the place of a folder', async () => {
    const project = createProject({
      'controllers/api/v1/users_controller.ts': users,
      'controllers/api/v2': 'a file',
    })
    const { code, err } = await project.hv('bump')
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^error: nothing was written to controllers\/api\/v2: /),
    ])
    expect(project.list()).toEqual(['controllers/api/v1/users_controller.ts', 'controllers/api/v2'])
  })

  it('writes into a version that has other files, and over none', async () => {
    const files = {
      'controllers/api/v1/a_controller.ts': controller('AController'),
      'controllers/api/v2/helper.ts': 'mine',
    }
    const project = createProject(files)
    expect((await project.hv('bump')).code).toBe(0)
    expect(project.list('controllers/api/v2')).toEqual(['a_controller.ts', 'helper.ts'])
    const other = createProject({ ...files, 'controllers/api/v2/a_controller.ts/note.txt': '' })
    expect(await other.hv('bump')).toMatchObject({
      code: 2,
      err: 'error: nothing was written, because these files exist: controllers/api/v2/a_controller.ts.\n',
    })
  })

  it.each([
    ['a version', 'controllers/api/v2', '../../outside'],
    ['the controllers', 'controllers', 'outside'],
  ])(
    'writes nothing outside of the project through a link in place of %s',
    async (_what, link, target) => {
      const outside = mkdtempSync(join(tmpdir(), 'hv-outside-'))
      const project = createProject({ 'controllers/api/v1/users_controller.js': users })
      symlinkSync(outside, join(project.folder, 'outside'))
      if (link === 'controllers') {
        mkdirSync(join(outside, 'api/v1'), { recursive: true })
        rmSync(join(project.folder, 'controllers'), { recursive: true })
      }
      symlinkSync(target, join(project.folder, link))
      if (link === 'controllers') project.write({ 'outside/api/v1/users_controller.js': users })
      const { code, err } = await project.hv('bump')
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/isn't inside the project|is a symbolic link/),
      ])
      expect(existsSync(join(outside, 'api/v2'))).toBe(false)
      expect(existsSync(join(outside, 'users_controller.js'))).toBe(false)
      if (link === 'controllers')
        expect((await project.hv('bump', '--controllers', 'controllers')).code).toBe(0)
      rmSync(outside, { recursive: true })
    },
  )

  // Where the tests run as root, somebody else has to be able to open this repository's files.
  const isRoot = process.getuid?.() === 0
  const opensAFile = `process.setuid(65534)
    const { readFileSync } = await import('node:fs')
    readFileSync(${JSON.stringify(import.meta.filename)})
    process.exit(0)`
  const isReadable =
    spawnSync(process.execPath, runner(workspace, opensAFile), { cwd: workspace }).status === 0
  it
    .skipIf(isRoot && !isReadable)
    .each<[folder: string, code: number, out: RegExp, err: RegExp, written: readonly string[]]>([
      [
        'controllers/api',
        2,
        /^$/,
        /^error: nothing was written to controllers\/api\/v3: EACCES/,
        [],
      ],
      [
        'src',
        1,
        /\n\nVersion 3 isn't in the route file yet: EACCES: .*\. Add it yourself:\n\n {2}version\(3, .*\),\n$/,
        /^$/,
        ['controllers/api/v3/users_controller.ts'],
      ],
    ])(
    "says so if it can't write into %s (skipped as root in a folder that nobody else can enter)",
    async (readOnly, code, out, err, written) => {
      const files = { 'controllers/api/v2/users_controller.ts': users, 'src/routes.ts': routesFile }
      const project = createProject(files)
      const place = join(project.folder, readOnly)
      // Root itself may write anywhere.
      const owned = [
        project.folder,
        ...['controllers/api', 'src'].map((name) => join(project.folder, name)),
      ]
      if (isRoot) for (const folder of owned) chownSync(folder, 65534, 65534)
      chmodSync(place, 0o555)
      const args = runner(project.folder, isRoot ? 'process.setuid(65534)' : '')
      const { status, stderr, stdout } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        cwd: workspace,
      })
      chmodSync(place, 0o755)
      expect([status, stdout, stderr]).toEqual([
        code,
        expect.stringMatching(out),
        expect.stringMatching(err),
      ])
      expect(project.list()).toEqual([...Object.keys(files), ...written].toSorted())
      expect(project.read('src/routes.ts')).toBe(routesFile)
    },
  )

  it("leaves no temporary folder, and doesn't trip over one", async () => {
    const project = createProject({ 'controllers/api/v1/users_controller.ts': users })
    mkdirSync(join(project.folder, 'controllers/api/.hv-killed/v2'), { recursive: true })
    expect((await project.hv('bump')).code).toBe(0)
    expect(project.list()).toEqual([
      'controllers/api/v1/users_controller.ts',
      'controllers/api/v2/users_controller.ts',
    ])
  })

  it('killed while it writes, leaves a whole version or none, and the next one writes it', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `r${i}_controller.ts`)
    const project = createProject(
      Object.fromEntries(names.map((name) => [`controllers/api/v1/${name}`, users])),
    )
    const child = spawn(process.execPath, runner(project.folder), { cwd: workspace })
    const watcher = watch(join(project.folder, 'controllers/api'), () => child.kill('SIGKILL')) // its temporary folder
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    watcher.close()
    expect(signal).toBe('SIGKILL')
    const written = project.list('controllers/api').filter((path) => path.startsWith('v2/'))
    expect([0, names.length]).toContain(written.length)
    if (written.length === 0) expect((await project.hv('bump')).code).toBe(0)
    expect(project.list('controllers/api').filter((path) => path.startsWith('v2/'))).toHaveLength(
      names.length,
    )
  })

  it("says what's missing", async () => {
    const empty = createProject({ 'x.ts': '' })
    expect((await empty.hv('bump')).err).toContain('no route file found. Looked for')
    expect((await empty.hv('bump', '--controllers', 'nowhere')).err).toContain(
      'no such folder: nowhere',
    )
    expect((await empty.hv('bump', '--routes', 'nowhere.ts')).err).toContain(
      'no such file: nowhere.ts',
    )
    const two = createProject({
      'controllers/a/v1/x_controller.ts': '',
      'controllers/b/v1/x_controller.ts': '',
    })
    expect((await two.hv('bump')).err).toContain(
      'several folders contain versions: controllers/a, controllers/b',
    )
    const bare = createProject({ 'controllers/v1/users_controller.ts': users })
    expect((await bare.hv('bump')).out).toContain('create  controllers/v2/users_controller.ts')
  })

  it.each([
    ["import { change } from '@hv/router'\nimport { before } from '@hv/router-fastify'"],
    ["const { before } = require('@hv/router-express')"],
  ])('says how to derive the version, where older ones are derived: %s', async (line) => {
    const { hv } = createProject({
      'controllers/api/v1/users_controller.js': `${line}\n`,
      'controllers/api/v2/users_controller.js': users,
    })
    expect((await hv('bump')).out).toContain(
      "\nVersion 1 is derived with before(). To derive version 2 from version 3 in the same way, move version 2's code to version 3, and export before(…) in its place.\n",
    )
  })
})

describe('the route file', () => {
  const at = (routes: string, n = 2) => ({
    [`controllers/api/v${n}/users_controller.ts`]: users,
    'src/routes.ts': routes,
  })

  it('gets the version below the one before, and keeps the comment of its line', async () => {
    const project = createProject(at(routesFile))
    expect(await project.hv('bump')).toEqual({
      code: 0,
      err: '',
      out: `create  controllers/api/v3/users_controller.ts
update  src/routes.ts
Wrote 1 controller for version 3, with everything in version 2.
Unless your app uses loadControllers, add them where it lists version 2's.
`,
    })
    expect(project.read('src/routes.ts')).toBe(
      routesFile.replace('// the same\n', '// the same\n  version(3, inherit({ from: 2 })),\n'),
    )
  })

  it('is found with the controllers beside it, whose line ends the new ones have', async () => {
    const project = createProject({
      'apps/shop/src/controllers/api/v2/users_controller.ts': users.replaceAll('\n', '\r\n'),
      'apps/shop/src/routes.ts': routesFile,
      'src/controllers/api/v7/teams_controller.ts': users,
    })
    expect((await project.hv('bump', '--routes', 'apps/shop/src/routes.ts')).code).toBe(0)
    const written = project.read('apps/shop/src/controllers/api/v3/users_controller.ts')
    expect(written.split('\r\n')).toHaveLength(4)
    expect(written.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('gets the version without controllers, with a line for createRouter', async () => {
    const project = createProject({ 'src/routes.ts': routesFile })
    expect(await project.hv('bump')).toEqual({
      code: 0,
      err: '',
      out: "update  src/routes.ts\nAdd its controllers to what you pass to createRouter or forRoot: 3: { ...v2 }. Or move version 2's code to version 3, and export before(…) in its place.\n",
    })
    expect(project.read('src/routes.ts')).toContain('  version(3, inherit({ from: 2 })),\n')
  })

  it.each<[what: string, routes: string, reason: string]>([
    [
      'declares the version',
      routesFile.replace('// the same', "version(3, resources('users')), // the same"),
      'src/routes.ts already declares version 3. With everything in version 2, it would be:',
    ],
    [
      "doesn't load",
      'export const routes = (',
      "Version 3 isn't in the route file yet: src/routes.ts couldn't be loaded: ",
    ],
    [
      "doesn't declare the version before",
      routesFile.replace(/ {2}version\(2.*\n/, ''),
      "Version 3 isn't in the route file yet: src/routes.ts has no version(2, …) in a list of versions. Add it yourself:",
    ],
    [
      "doesn't load with the version",
      `${routesFile}\nif (routes.nodes.length > 2) throw new Error('two are enough.')\n`,
      "Version 3 isn't in the route file yet: with it, src/routes.ts couldn't be loaded: two are enough. (src/routes.ts:10). Add it yourself:",
    ],
    [
      'has a name twice with the version',
      routesFile.replace('inherit, ', '').replace('inherit({ from: 1 })', "resources('users')") +
        'const inherit = 1\n',
      'with it, src/routes.ts couldn\'t be loaded: Duplicate declaration "inherit" (src/routes.ts). Add it yourself:',
    ],
    [
      'has no version in a list',
      `import { api, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'a' }, ...([1, 2] as const).map((n) => version(n, resources('users'))))`,
      'src/routes.ts has no version(2, …) in a list of versions. Add it yourself:',
    ],
  ])('stays as it is, and the line is printed, if it %s', async (_what, routes, reason) => {
    const project = createProject(at(routes))
    const { code, out, err } = await project.hv('bump')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(reason)
    expect(out).toMatch(/\n\n {2}version\(3, inherit\(\{ from: 2 \}\)\),\n$/)
    expect(project.list()).toEqual([
      'controllers/api/v2/users_controller.ts',
      'controllers/api/v3/users_controller.ts',
      'src/routes.ts',
    ])
    expect(project.read('src/routes.ts')).toBe(routes)
  })

  it('stays as it is where it is a link', async () => {
    const project = createProject({ ...at(''), 'shared.ts': routesFile })
    rmSync(join(project.folder, 'src/routes.ts'))
    symlinkSync('../shared.ts', join(project.folder, 'src/routes.ts'))
    expect((await project.hv('bump')).out).toContain(
      "Version 3 isn't in the route file yet: src/routes.ts is a symbolic link.",
    )
    expect(project.read('shared.ts')).toBe(routesFile)
  })

  it('stays as it is when another bump has written the version meanwhile', async () => {
    const routes = `import { mkdirSync, writeFileSync } from 'node:fs'
const folder = new URL('../controllers/api/v3/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('users_controller.ts', folder), 'export {}')
${routesFile}`
    const project = createProject(at(routes))
    expect(await project.hv('bump')).toMatchObject({
      code: 2,
      err: expect.stringContaining('these files exist: controllers/api/v3/users_controller.ts'),
    })
    expect(project.read('src/routes.ts')).toBe(routes)
    expect(project.read('controllers/api/v3/users_controller.ts')).toBe('export {}')
  })
})
