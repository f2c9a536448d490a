import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { bindActions } from '../src/internal.ts'
import { loadControllers } from '../src/controllers.ts'
import {
  api,
  cache,
  get,
  inherit,
  namespace,
  resources,
  version,
  routeTable,
} from '../src/index.ts'

const root = mkdtempSync(join(tmpdir(), 'hv-controllers-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(root, 'app-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    cache(
      { as: 'v1' },
      resources('users', { only: ['index', 'show'] }),
      namespace('admin', resources('line_items', { only: 'index' })),
    ),
  ),
  version(2, inherit({ from: 'v1', except: 'admin' }), get('health', { to: 'health#show' })),
)
const users = 'index() { return this.constructor.name } show() { return this.store }'

describe('loadControllers', () => {
  it.each(['/api', 'api/', './api', '../api'])(
    'finds the controllers of the namespace %s',
    async (path) => {
      const app = folderOf({ 'api/v1/users_controller.mjs': 'export const index = () => 1' })
      const folder = path.startsWith('..') ? join(app, 'controllers') : app
      const declared = api(
        { vendorString: 'acme', namespace: path, path: 'api' },
        version(1, resources('users', { only: 'index' })),
      )
      expect(Object.keys((await loadControllers(declared, folder))[1])).toEqual(['users'])
    },
  )

  it('loads TypeScript and JavaScript, ES modules and CommonJS, default and named, in nested folders', async () => {
    const folder = folderOf({
      'package.json': '{"type":"module"}',
      'api/v1/users_controller.ts': `export class UsersController { store: string; constructor(store: string) { this.store = store } ${users} }`,
      'api/v1/admin/line_items_controller.cjs':
        'exports.LineItemsController = class LineItemsController { index() {} }',
      'api/v2/users_controller.mjs': `import { UsersController as V1 } from '../v1/users_controller.ts'\nexport default class extends V1 { index() { return 'two' } }`,
      'api/v2/health_controller.js':
        'export default class HealthController { show = { schema: {}, handler() {} } }',
    })
    for (const place of [folder, pathToFileURL(`${folder}/`)]) {
      const controllers = await loadControllers(
        routes,
        place,
        (Controller) => new Controller('the store'),
      )
      const actions = bindActions(routes, controllers)
      expect(actions.size).toBe(routeTable(routes).length)
      const answers = routeTable(routes)
        .slice(0, 2)
        .map((row) => actions.get(row)!.handler())
      expect(answers).toEqual(['UsersController', 'the store'])
      expect(
        actions
          .get(
            routeTable(routes).find(({ version, action }) => version === 2 && action === 'index')!,
          )!
          .handler(),
      ).toBe('two')
    }
  })

  it("lists all that's missing, with file, class and method", async () => {
    const folder = folderOf({
      'api/v1/users_controller.mjs': 'export class UsersController { index() {} }',
      'api/v2/users_controller.mjs': 'export const usersController = {}',
    })
    await expect(loadControllers(routes, folder)).rejects.toThrow(
      [
        `HV_MISSING_CONTROLLERS: the routes require controllers that aren't in ${folder}:`,
        `  ${folder}/api/v1/users_controller.mjs: UsersController#show`,
        '  api/v1/admin/line_items_controller.ts: a class LineItemsController with index',
        `  ${folder}/api/v2/users_controller.mjs: a class UsersController with index, show, or a default export. Found: none`,
        '  api/v2/health_controller.ts: a class HealthController with show',
        'Add each, or remove its route with only or except. To generate the next version of all controllers, run: npx @hv/router-cli@0.1 bump',
      ].join('\n'),
    )
  })

  const actions = '{ index: () => 1 }'
  const theClass = 'class { index() { return 1 } }'
  const asCompiled = "Object.defineProperty(exports, '__esModule', { value: true })"
  it.each([
    ['a default object', 'mjs', `export default ${actions}`],
    ['an instance', 'mjs', `const Users = ${theClass}; export default new Users()`],
    ['a named class', 'mjs', `export const UsersController = ${theClass}; export class Dto {}`],
    ['a named object', 'mjs', `export const usersController = ${actions}; export const limit = 1`],
    ['a function', 'mjs', `export default function () { return ${actions} }`],
    ['an arrow function', 'mjs', `export const usersController = () => (${actions})`],
    ['an async function', 'mjs', `export const usersController = async () => (${actions})`],
    ['a constructor', 'mjs', 'export function UsersController() { this.index = () => 1 }'],
    ['functions', 'mjs', 'export function index() { return 1 }; export class NotFound {}'],
    ['an action', 'mjs', 'export const index = { schema: {}, handler: () => 1 }'],
    ['a default action beside others', 'mjs', `export default { default() {}, index: () => 1 }`],
    ['the default first', 'mjs', `export default ${actions}; export class UsersController {}`],
    [
      'the class before the object',
      'mjs',
      `export const UsersController = ${theClass}; export const usersController = {}`,
    ],
    ['a name inside the default', 'mjs', `export default { UsersController: ${theClass} }`],
    ['module.exports of a class', 'cjs', `module.exports = ${theClass}`],
    ['module.exports of actions', 'cjs', `module.exports = ${actions}`],
    ['module.exports of a function', 'cjs', `module.exports = () => (${actions})`],
    ['a class in module.exports', 'cjs', `module.exports = { UsersController: ${theClass}, a: 1 }`],
    ['an object in exports', 'cjs', `exports.usersController = ${actions}; exports.Dto = class {}`],
    ['actions in exports', 'cjs', 'exports.index = () => 1; exports.Dto = class {}'],
    ['a compiled default', 'cjs', `${asCompiled}; exports.default = ${actions}`],
    ['a compiled class', 'cjs', `${asCompiled}; exports.UsersController = ${theClass}`],
    ['compiled actions', 'cjs', `${asCompiled}; exports.index = () => 1`],
  ])('takes %s (%s)', async (_what, extension, code) => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ [`api/v1/users_controller.${extension}`]: code })
    const controllers = await loadControllers(small, folder)
    expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe(1)
  })

  it.each([
    ['line_items', 'LineItemsController'],
    ['line_items', 'lineItemsController'],
    ['2fa_codes', 'FaCodesController'], // a class's name can't start with a digit
  ])('finds the controller of %s as %s', async (key, name) => {
    const items = api({ vendorString: 'acme' }, version(1, resources(key, { only: 'index' })))
    const code = `export const ${name} = ${actions}`
    const folder = folderOf({ [`api/v1/${key}_controller.mjs`]: code })
    expect((await loadControllers(items, folder))[1]).toHaveProperty(`${key}.index`)
  })

  it.each([
    ['other names', 'mjs', `export const users = ${actions}`, 'users'],
    [
      'a name with its version',
      'mjs',
      `export const UsersControllerV1 = ${theClass}`,
      'UsersControllerV1',
    ],
    [
      'a function by another name',
      'mjs',
      `export const createUsers = () => (${actions})`,
      'createUsers',
    ],
    ['other names in CommonJS', 'cjs', `exports.Users = ${theClass}`, 'Users'],
    [
      'a default that is no controller',
      'mjs',
      `export default 1; export const usersController = ${actions}`,
      'none',
    ],
    [
      'a default without actions',
      'mjs',
      `export default { prefix: 1 }; export const usersController = ${actions}`,
      'prefix',
    ],
    ['null', 'mjs', 'export default null', 'default'],
    ['nothing', 'mjs', 'export {}', 'none'],
    ['nothing in CommonJS', 'cjs', '', 'none'],
  ])('says what to write if a file exports %s (%s)', async (_what, extension, code, found) => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ [`api/v1/users_controller.${extension}`]: code })
    await expect(loadControllers(small, folder)).rejects.toThrow(
      `users_controller.${extension}: a class UsersController with index, or a default export. Found: ${found}\n`,
    )
  })

  it('takes the .ts file, where there is also a .js file', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const files = {
      'api/v1/users_controller.cjs': 'throw new Error()',
      'api/v1/users_controller.js': 'export default { index: () => 2 }',
      'api/v1/users_controller.ts': 'export default { index: () => 1 }',
    }
    const modules = Object.fromEntries(
      Object.keys(files).map((path, i) => [path, { default: { index: () => 3 - i } }]),
    )
    for (const source of [folderOf({ ...files, 'package.json': '{"type":"module"}' }), modules]) {
      const controllers = await loadControllers(small, source)
      expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe(1)
    }
  })

  it('passes what the caller has to a function, as to a class', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({
      'api/v1/users_controller.mjs': 'export default (store) => ({ index: () => store })',
    })
    const controllers = await loadControllers(
      small,
      folder,
      (Controller) => new Controller('the store'),
    )
    expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe('the store')
  })

  it('imports with the function of the caller', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ 'api/v1/users_controller.ts': 'not a module' })
    const paths: string[] = []
    const load = (path: string) => {
      paths.push(path)
      return Promise.resolve({
        UsersController: class {
          index() {}
        },
      })
    }
    await loadControllers(small, folder, { import: load })
    expect(paths).toEqual([join(folder, 'api/v1/users_controller.ts')])
  })

  it.each([
    ['loaded', (module: object) => module],
    ['lazy', (module: object) => () => Promise.resolve(module)],
  ])('takes %s modules by path', async (_form, asModule) => {
    const modules = {
      './controllers/api/v1/users_controller.ts': asModule({
        default: class {
          index() {}
          show() {}
        },
      }),
      './controllers/api/v1/admin/line_items_controller.ts': asModule({
        LineItemsController: class {
          index() {}
        },
      }),
      './controllers/api/v2/users_controller.ts': asModule({
        default: class {
          index() {}
          show() {}
        },
      }),
      './controllers/api/v2/health_controller.ts': asModule({
        HealthController: class {
          show() {}
        },
      }),
    }
    const controllers = await loadControllers(routes, modules)
    expect(bindActions(routes, controllers).size).toBe(routeTable(routes).length)
    await expect(loadControllers(routes, {})).rejects.toThrow(
      "HV_MISSING_CONTROLLERS: the routes require controllers that aren't in the modules:\n  api/v1/users_controller.ts: a class UsersController with index, show",
    )
  })

  it.each([
    [
      'no folder',
      routes,
      undefined,
      'requires source to be the URL or path of a folder, or modules by path. Received: undefined.',
    ],
    [
      'no routes',
      undefined,
      'controllers',
      'requires api to be what api() returns. Received: undefined.',
    ],
    [
      'swapped arguments',
      'controllers',
      routes,
      "requires api to be what api() returns. Received: 'controllers'.",
    ],
  ])('rejects %s', async (_what, first, source, message) => {
    await expect(loadControllers(first as never, source as never)).rejects.toThrow(
      `HV_OPTION: loadControllers() ${message}`,
    )
  })

  it("says what to pass as import where Node can't load a file", () => {
    const folder = folderOf({
      'api/v1/users.unknown': '',
      'api/v1/users_controller.mjs': "import './users.unknown'",
    })
    // Vitest imports files in its own way, so this runs in a Node of its own.
    const script = `import { api, resources, version } from '@hv/router'
      import { loadControllers } from '@hv/router/controllers'
      const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
      await loadControllers(routes, ${JSON.stringify(folder)}).catch(({ message }) => console.log(message))`
    const node = ['--conditions=@hv/source', '--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = spawnSync(process.execPath, node, {
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
    })
    expect(stdout).toBe(
      `HV_OPTION: loadControllers() requires import to be a function that loads your files, such as async (path) => require(path), because Node itself can't: Unknown file extension ".unknown" for ${folder}/api/v1/users.unknown. Received: undefined.\n`,
    )
  })

  it('lets an error of a controller file through', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ 'api/v1/users_controller.mjs': "throw new Error('in the file')" })
    await expect(loadControllers(small, folder)).rejects.toThrow('in the file')
  })
})
