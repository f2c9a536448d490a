import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, routesFile } from '../project.ts'

const users = `export class UsersController {
  index() {
    return ['one']
  }
}
`

describe("writes in the file's own style", () => {
  it.each<[what: string, files: Record<string, string>, path: string, expected: string]>([
    [
      'TypeScript that imports .js',
      {
        'controllers/api/v1/users_controller.ts': `import { list } from '../../list.js'\n${users}`,
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.js'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'TypeScript that imports .ts',
      {
        'controllers/api/v1/users_controller.ts': `import { list } from '../../list.ts'\n${users}`,
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.ts'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'TypeScript without extensions, as a neighbour shows',
      {
        'controllers/api/v1/a_controller.ts': `import x from "./x"\nexport class AController {}`,
        'controllers/api/v1/users_controller.ts': users,
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'TypeScript of a project with allowImportingTsExtensions',
      {
        'tsconfig.json': '{ "extends": "./base" }',
        'base.json': '{ "compilerOptions": { "allowImportingTsExtensions": true } }',
        'controllers/api/v1/users_controller.ts': users,
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.ts'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'TypeScript of a bundled project',
      {
        'tsconfig.json': '{ "compilerOptions": { "moduleResolution": "Bundler" } }',
        'controllers/api/v1/users_controller.ts': users,
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'TypeScript that says nothing, in .mts',
      { 'controllers/api/v1/users_controller.mts': users },
      'controllers/api/v2/users_controller.mts',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.mjs'

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'a default export, semicolons, double quotes and CRLF',
      {
        'controllers/api/v1/users_controller.js':
          'import x from "../../x.js";\r\nexport default class UsersController {\r\n  a = "b";\r\n}\r\n',
      },
      'controllers/api/v2/users_controller.js',
      'import UsersControllerV1 from "../v1/users_controller.js";\r\n\r\nexport default class UsersController extends UsersControllerV1 {}\r\n',
    ],
    [
      'a default export without a name',
      {
        'controllers/api/v1/line_items_controller.js': 'export default class {\n  index() {}\n}\n',
      },
      'controllers/api/v2/line_items_controller.js',
      `import LineItemsControllerV1 from '../v1/line_items_controller.js'

export default class LineItemsController extends LineItemsControllerV1 {}
`,
    ],
    [
      'a default export on a line of its own',
      { 'controllers/api/v1/users_controller.js': 'class Users {}\nexport default Users\n' },
      'controllers/api/v2/users_controller.js',
      `import UsersV1 from '../v1/users_controller.js'

export default class Users extends UsersV1 {}
`,
    ],
    [
      'an export list',
      {
        'controllers/api/v1/users_controller.js':
          'class Users {}\nexport { helper, Users as UsersController }\n',
      },
      'controllers/api/v2/users_controller.js',
      `import { UsersController as UsersControllerV1 } from '../v1/users_controller.js'

export class UsersController extends UsersControllerV1 {}

export { helper } from '../v1/users_controller.js'
`,
    ],
    [
      'CommonJS, module.exports of a class',
      { 'controllers/api/v1/users_controller.cjs': 'module.exports = class UsersController {}\n' },
      'controllers/api/v2/users_controller.cjs',
      `const UsersControllerV1 = require('../v1/users_controller.cjs')

module.exports = class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'CommonJS, module.exports of an object, required without extension',
      {
        'controllers/api/v1/users_controller.js':
          "const { list } = require('../../list');\nclass UsersController {\n  index() {\n    return list();\n  }\n}\nmodule.exports = { UsersController };\n",
      },
      'controllers/api/v2/users_controller.js',
      `const v1 = require('../v1/users_controller');

class UsersController extends v1.UsersController {}

module.exports = { UsersController };
`,
    ],
    [
      'CommonJS, exports.X of a class',
      { 'controllers/api/v1/users_controller.js': 'exports.UsersController = class {}\n' },
      'controllers/api/v2/users_controller.js',
      `const v1 = require('../v1/users_controller')

class UsersController extends v1.UsersController {}

module.exports = { UsersController }
`,
    ],
    [
      'a name that says its version',
      { 'controllers/api/v1/users_controller.ts': 'export class UsersControllerV1 {}' },
      'controllers/api/v2/users_controller.ts',
      `import { UsersControllerV1 } from '../v1/users_controller.js'

export class UsersControllerV2 extends UsersControllerV1 {}
`,
    ],
    [
      'a class that comments, strings and templates hide nothing from',
      {
        'controllers/api/v1/users_controller.ts':
          '// export class Wrong {}\n/* export default class Wrong {} */\nconst a = "export class Wrong {}", b = `${`class Wrong {`}`, c = /class Wrong {/\nclass Helper {}\nexport class UsersController<T extends Helper = Helper> {}\n',
      },
      'controllers/api/v2/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from "../v1/users_controller.js"

export class UsersController extends UsersControllerV1 {}
`,
    ],
    [
      'nested folders',
      { 'controllers/api/v1/admin/deep/users_controller.ts': users },
      'controllers/api/v2/admin/deep/users_controller.ts',
      `import { UsersController as UsersControllerV1 } from '../../../v1/admin/deep/users_controller.js'

export class UsersController extends UsersControllerV1 {}
`,
    ],
  ])('%s', async (_what, files, path, expected) => {
    const project = createProject(files)
    const { code, err } = await project.hv('bump')
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(project.read(path)).toBe(expected)
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
  const controller = (name: string) => `export class ${name} {}\n`

  it('takes the highest version as a number, and leaves older controllers', async () => {
    const project = createProject({
      'src/controllers/api/v2/teams_controller.ts': controller('TeamsController'),
      'src/controllers/api/v9/users_controller.ts': controller('UsersController'),
      'src/controllers/api/v9/admin/users_controller.ts': controller('UsersController'),
      'src/controllers/api/v9/helper.ts': '',
      'src/controllers/api/v10x/users_controller.ts': '',
    })
    const first = await project.hv('bump')
    expect(first.out).toBe(`create  src/controllers/api/v10/admin/users_controller.ts
create  src/controllers/api/v10/users_controller.ts
skip    teams: its latest controller is in version 2
Wrote 2 controllers for version 10, extending version 9.

Add to the route file:

  version(10, cache({ as: 'v10' }, inherit({ from: 'v9' }))),
`)
    await project.hv('bump')
    expect(project.list('src/controllers/api').filter((path) => path.startsWith('v1'))).toEqual([
      'v10/admin/users_controller.ts',
      'v10/users_controller.ts',
      'v10x/users_controller.ts',
      'v11/admin/users_controller.ts',
      'v11/users_controller.ts',
    ])
    expect(project.read('src/controllers/api/v11/users_controller.ts')).toContain(
      "from '../v10/users_controller.js'",
    )
  })

  it('writes nothing in a dry run', async () => {
    const project = createProject({
      'controllers/api/v1/users_controller.ts': users,
      'src/routes.ts': routesFile.replace(/  version\(2.*\n/, ''),
    })
    const before = project.list()
    const { code, out } = await project.hv('bump', '--dry-run', '--routes')
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      'create  controllers/api/v2/users_controller.ts',
    ])
    expect(out).toContain(
      'update  src/routes.ts\nWould write 1 controller for version 2, extending version 1.',
    )
    expect(project.list()).toEqual(before)
    expect(project.read('src/routes.ts')).not.toContain('version(2')
  })

  it('takes only what it is told, and adds the rest later', async () => {
    const project = createProject({
      'controllers/api/v1/users_controller.ts': users,
      'controllers/api/v1/admin/teams_controller.ts': controller('TeamsController'),
    })
    expect((await project.hv('bump', '--only', 'users')).code).toBe(0)
    expect(project.list('controllers/api/v2')).toEqual(['users_controller.ts'])
    const clash = await project.hv('bump', '--to', '2')
    expect(clash).toMatchObject({
      code: 2,
      err: 'error: nothing was written, because these files exist: controllers/api/v2/users_controller.ts. Overwrite them with --force, or choose others with --only.\n',
    })
    project.write({ 'controllers/api/v2/users_controller.ts': 'mine' })
    expect((await project.hv('bump', '--to', '2', '--only', 'admin/teams')).code).toBe(0)
    expect(project.list('controllers/api/v2')).toEqual([
      'admin/teams_controller.ts',
      'users_controller.ts',
    ])
    expect(project.read('controllers/api/v2/users_controller.ts')).toBe('mine')
    const forced = await project.hv('bump', '--to', '2', '--force')
    expect(forced).toMatchObject({
      code: 0,
      out: expect.stringContaining('update  controllers/api/v2/users_controller.ts\n'),
    })
    expect(project.read('controllers/api/v2/users_controller.ts')).toContain(
      'extends UsersControllerV1',
    )
    expect((await project.hv('bump', '--only', 'userz')).err).toBe(
      "error: version 2 has no controller 'userz'. It has: admin/teams, users.\n",
    )
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

  it('writes all or nothing', async () => {
    const project = createProject({
      'controllers/api/v1/a_controller.ts': controller('AController'),
      'controllers/api/v1/b_controller.ts': 'export const b = 1\n',
    })
    expect(await project.hv('bump')).toMatchObject({
      code: 2,
      err:
        'error: controllers/api/v1/b_controller.ts:1 cannot be extended: it exports no controller. ' +
        'Export one: export class UsersController { … }, as default, or by module.exports. Nothing was written.\n',
    })
    expect(project.list()).toEqual([
      'controllers/api/v1/a_controller.ts',
      'controllers/api/v1/b_controller.ts',
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

  it('says so where it may not write', async () => {
    const project = createProject({ 'controllers/api/v1/users_controller.ts': users })
    const folder = join(project.folder, 'controllers/api')
    chmodSync(project.folder, 0o755)
    chmodSync(folder, 0o555)
    // As somebody else, where the tests run as root: root may write anywhere.
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(folder, 65534, 65534)
    const asNobody = isRoot ? 'process.setuid(65534)' : ''
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      runner(project.folder, asNobody),
      {
        encoding: 'utf8',
        cwd: workspace,
      },
    )
    chmodSync(folder, 0o755)
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^error: nothing was written to controllers\/api\/v2: EACCES/),
    ])
    expect(project.list()).toEqual(['controllers/api/v1/users_controller.ts'])
  })

  it('leaves no temporary folder, and does not trip over one', async () => {
    const project = createProject({ 'controllers/api/v1/users_controller.ts': users })
    mkdirSync(join(project.folder, 'controllers/api/.hv-killed/v2'), { recursive: true })
    expect((await project.hv('bump')).code).toBe(0)
    expect(project.list()).toEqual([
      'controllers/api/v1/users_controller.ts',
      'controllers/api/v2/users_controller.ts',
    ])
  })

  it('changes nothing where a folder stands in the place of one controller', async () => {
    const project = createProject({
      'controllers/api/v1/a_controller.ts': controller('AController'),
      'controllers/api/v1/b_controller.ts': controller('BController'),
      'controllers/api/v2/a_controller.ts': 'mine',
      'controllers/api/v2/b_controller.ts/note.txt': '',
    })
    const { code, err } = await project.hv('bump', '--to', '2', '--force')
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^error: nothing was written to controllers\/api\/v2: E/),
    ])
    expect(project.read('controllers/api/v2/a_controller.ts')).toBe('mine')
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

  it.each([
    [
      'the cache that holds it',
      routesFile,
      "\n\nAdd to the route file:\n\n  version(3, cache({ as: 'v3' }, inherit({ from: 'v1' }))),\n",
    ],
    [
      'that it is there',
      routesFile.replace('// the', "version(3, inherit({ from: 'v1' })), // the"),
      '\nsrc/routes.ts declares version 3 already.\n',
    ],
    [
      'that no cache holds it',
      routesFile.replace("inherit({ from: 'v1' })", "resources('users')"),
      '\n\nThe route file has yet to declare version 3: version 2 has routes outside of a cache: users,',
    ],
    [
      'a guess, where the file does not load',
      'export const routes = (',
      "  version(3, cache({ as: 'v3' }, inherit({ from: 'v2' }))),\n",
    ],
  ])('says of the route file: %s', async (_what, routes, advice) => {
    const { hv } = createProject({
      'controllers/api/v2/users_controller.ts': users,
      'src/routes.ts': routes,
    })
    const { code, out } = await hv('bump')
    expect([code, out]).toEqual([0, expect.stringContaining(advice)])
  })

  it('says what is missing', async () => {
    const empty = createProject({ 'x.ts': '' })
    expect((await empty.hv('bump')).err).toContain(
      'no controllers found. Put them in controllers/api/v<n>/',
    )
    expect((await empty.hv('bump', '--controllers', 'nowhere')).err).toContain(
      'no such folder: nowhere',
    )
    const two = createProject({
      'controllers/a/v1/x_controller.ts': '',
      'controllers/b/v1/x_controller.ts': '',
    })
    expect((await two.hv('bump')).err).toContain(
      'several folders contain versions: controllers/a, controllers/b',
    )
    const bare = createProject({ 'controllers/v1/users_controller.ts': users })
    expect((await bare.hv('bump', '--to', '7')).err).toContain(
      'version 6 has no controllers to start from. Versions with controllers: 1.',
    )
    expect((await bare.hv('bump')).out).toContain('create  controllers/v2/users_controller.ts')
  })
})

describe('bump --routes', () => {
  it('writes nothing when another bump has written the version meanwhile', async () => {
    const other = `import { mkdirSync, writeFileSync } from 'node:fs'
const folder = new URL('../controllers/api/v2/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('users_controller.ts', folder), 'export {}')
`
    const routes = `${other}import { api, cache, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, cache({ as: 'v1' }, resources('users', { only: 'index' }))))
`
    const project = createProject({
      'src/routes.ts': routes,
      'controllers/api/v1/users_controller.ts': users,
    })
    expect(await project.hv('bump', '--routes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('these files exist: controllers/api/v2/users_controller.ts'),
    })
    expect(project.read('src/routes.ts')).toBe(routes)
    expect(project.read('controllers/api/v2/users_controller.ts')).toBe('export {}')
  })

  const at = (routes: string, n = 2) => ({
    [`controllers/api/v${n}/users_controller.ts`]: users,
    'src/routes.ts': routes,
  })

  it('writes the version below the one before, and keeps the comment of its line', async () => {
    const project = createProject(at(routesFile))
    const { code, out } = await project.hv('bump', '--routes')
    expect([code, out]).toEqual([
      0,
      'create  controllers/api/v3/users_controller.ts\nupdate  src/routes.ts\nWrote 1 controller for version 3, extending version 2.\n',
    ])
    expect(project.read('src/routes.ts')).toBe(
      routesFile.replace(
        '// the same\n',
        "// the same\n  version(3, cache({ as: 'v3' }, inherit({ from: 'v1' }))),\n",
      ),
    )
  })

  it.each<[what: string, routes: string, expected: string]>([
    [
      'one line, without inherit',
      `import { api, cache, resources, version } from "@hv/router"\nexport default api({ vendorString: "acme" }, version(1, cache({ as: "first" }, resources("users"))))\n`,
      `import { api, cache, resources, version, inherit } from "@hv/router"\nexport default api({ vendorString: "acme" }, version(1, cache({ as: "first" }, resources("users"))), version(2, cache({ as: "v2" }, inherit({ from: "first" }))))\n`,
    ],
    [
      'two caches, the last without a comma',
      `import {\n  api,\n  cache,\n  resources,\n  version,\n} from '@hv/router'\nexport const routes = api(\n  { vendorString: 'acme' },\n  version(1, cache({ as: 'a' }, resources('users')), cache({ as: 'b' }, resources('teams')))\n)\n`,
      `import {\n  api,\n  cache,\n  resources,\n  version, inherit,\n} from '@hv/router'\nexport const routes = api(\n  { vendorString: 'acme' },\n  version(1, cache({ as: 'a' }, resources('users')), cache({ as: 'b' }, resources('teams'))),\n  version(2, cache({ as: 'v2' }, inherit({ from: ['a', 'b'] })))\n)\n`,
    ],
  ])('%s', async (_what, routes, expected) => {
    const project = createProject(at(routes, 1))
    expect(await project.hv('bump', '--routes')).toMatchObject({ code: 0, err: '' })
    expect(project.read('src/routes.ts')).toBe(expected)
  })

  it.each<[what: string, routes: string, message: string]>([
    [
      'routes outside of a cache',
      routesFile.replace("inherit({ from: 'v1' })", "resources('users')"),
      "version 2 has routes outside of a cache: users, which no version can inherit. Wrap what it declares: version(2, cache({ as: 'v2' }, …)).",
    ],
    [
      'a version that is there',
      routesFile.replace('// the same', "\n  version(3, inherit({ from: 'v1' })),"),
      'src/routes.ts:7 declares version 3 already',
    ],
    [
      'versions that a loop makes',
      `import { api, resources, version, cache } from '@hv/router'\nexport const routes = api({ vendorString: 'a' }, ...([1, 2] as const).map((n) => version(n, cache({ as: 'v' + n }, resources('users')))))`,
      'src/routes.ts has no version(2, …) to write version 3 below',
    ],
  ])('refuses %s, and writes nothing', async (_what, routes, message) => {
    const project = createProject(at(routes))
    const before = project.list()
    const { code, err } = await project.hv('bump', '--routes')
    expect(err).toContain(message)
    expect(code).toBe(2)
    expect(project.list()).toEqual(before)
    expect(project.read('src/routes.ts')).toBe(routes)
  })

  it('puts everything back when the changed route file does not load', async () => {
    const picky = `${routesFile}\nif (routes.nodes.length > 2) throw new Error('two are enough')\n`
    const project = createProject(at(picky))
    const before = project.list()
    expect(await project.hv('bump', '--routes')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'src/routes.ts could not be changed, so nothing was written: ',
      ) as string,
    })
    expect(project.list()).toEqual(before)
    expect(project.read('src/routes.ts')).toBe(picky)
    expect(existsSync(join(project.folder, 'controllers/api/v3'))).toBe(false)

    project.write({ 'controllers/api/v3/users_controller.ts': 'mine' })
    expect((await project.hv('bump', '--routes', '--to', '3', '--force')).err).toContain(
      'so nothing was written: ',
    )
    expect(project.read('controllers/api/v3/users_controller.ts')).toBe('mine')
    expect(project.read('src/routes.ts')).toBe(picky)
  })

  it('names the file when the changed route file has a name twice', async () => {
    const project = createProject(
      at(
        "import { api, cache, resources, version } from '@hv/router'\n" +
          "export const inherit = 1\nexport const routes = api({ vendorString: 'a' }, " +
          "version(1, cache({ as: 'v1' }, resources('users'))))\n",
        1,
      ),
    )
    const { err } = await project.hv('bump', '--routes')
    expect(err).toBe(
      'error: src/routes.ts could not be changed, so nothing was written: src/routes.ts could not be loaded: ' +
        'Duplicate declaration "inherit" (src/routes.ts). Add the version yourself, and run bump without --routes.\n',
    )
    expect(existsSync(join(project.folder, 'controllers/api/v2'))).toBe(false)
  })
})
