import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { bindActions } from '../src/internal.ts'
import { type ExportKind, controllerExport, loadControllers } from '../src/controllers.ts'
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

  it('takes module.exports as the class', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({
      'api/v1/users_controller.cjs': 'module.exports = class { index() { return 1 } }',
    })
    expect(Object.keys((await loadControllers(small, folder))[1])).toEqual(['users'])
  })

  it('lists all that is missing, with file, class and method', async () => {
    const folder = folderOf({
      'api/v1/users_controller.mjs': 'export class UsersController { index() {} }',
      'api/v2/users_controller.mjs': 'export const usersController = {}',
    })
    await expect(loadControllers(routes, folder)).rejects.toThrow(
      [
        `HV_MISSING_CONTROLLERS: the routes require controllers that aren't in ${folder}:`,
        `  ${folder}/api/v1/users_controller.mjs: UsersController#show`,
        '  api/v1/admin/line_items_controller.ts: a class LineItemsController with index',
        `  ${folder}/api/v2/users_controller.mjs: a class as default export, or named UsersController`,
        '  api/v2/health_controller.ts: a class HealthController with show',
        'Add each, or remove its route with only or except. To generate the next version of all controllers, run: npx @hv/router-cli@0.1 bump',
      ].join('\n'),
    )
  })

  it('takes an object of actions', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ 'api/v1/users_controller.mjs': 'export default { index: () => 1 }' })
    const controllers = await loadControllers(small, folder)
    expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe(1)
  })

  const actions = '{ index: () => 1 }'
  it.each([
    ['a named object', `export const usersController = ${actions}`],
    [
      'the only object with actions',
      `export const users = ${actions}; export const limit = 10; export const seen = new Map()`,
    ],
    ['the only class', 'export class Users { index() { return 1 } }'],
    [
      'a class with the number of the version',
      'export class UsersControllerV1 { index() { return 1 } }; export class Dto {}',
    ],
    ['an instance', 'class Users { index() { return 1 } }; export default new Users()'],
    ['a function', `export default function () { return ${actions} }`],
    ['an arrow function', `export const createUsers = () => (${actions})`],
    ['an async function', `export const createUsersController = async () => (${actions})`],
    ['a constructor function', 'export function UsersController() { this.index = () => 1 }'],
    [
      'exported functions',
      'export function index() { return 1 }; export class NotFound extends Error {}',
    ],
    ['an exported action', 'export const index = { schema: {}, handler: () => 1 }'],
    [
      'a default export before a name',
      `export default ${actions}; export class UsersController {}`,
    ],
    [
      'a name before settings',
      `export default { prefix: '/' }; export const usersController = ${actions}`,
    ],
    [
      'a class inside the default export',
      'export default { UsersController: class { index() { return 1 } }, limit: 10 }',
    ],
  ])('takes %s', async (_what, code) => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ 'api/v1/users_controller.mjs': code })
    const controllers = await loadControllers(small, folder)
    expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe(1)
  })

  it.each([
    ['exports.index = () => 1', 'cjs'],
    ['module.exports = { createUsers: () => ({ index: () => 1 }) }', 'cjs'],
    [
      "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { index: () => 1 }",
      'cjs',
    ],
  ])('takes %s', async (code, extension) => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ [`api/v1/users_controller.${extension}`]: code })
    const controllers = await loadControllers(small, folder)
    expect(bindActions(small, controllers).get(routeTable(small)[0]!)!.handler()).toBe(1)
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

  it('names the exports when several could be the controller', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({
      'api/v1/users_controller.mjs': 'export class Alpha {}; export class Beta {}',
    })
    await expect(loadControllers(small, folder)).rejects.toThrow(
      'users_controller.mjs: a default export, because Alpha, Beta could each be the controller',
    )
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

  it('lets an error of a controller file through', async () => {
    const small = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
    const folder = folderOf({ 'api/v1/users_controller.mjs': "throw new Error('in the file')" })
    await expect(loadControllers(small, folder)).rejects.toThrow('in the file')
  })
})

it.each<[version: number, exports: Record<string, ExportKind>, expected: unknown]>([
  [2, { UsersController: 'class', usersController: 'object' }, 'UsersController'],
  [2, { usersController: 'object', UsersControllerV2: 'class' }, 'usersController'],
  [2, { UsersControllerV1: 'class', UsersControllerV2: 'class' }, 'UsersControllerV2'],
  [12, { v2UsersController: 'class', UsersControllerV11: 'class' }, 'UsersControllerV11'],
  [2, { usersControllerV1: 'object', limits: 'object' }, 'usersControllerV1'],
  [2, { createUsersV1: 'function', Dto: 'class' }, 'createUsersV1'],
  [2, { createUsersV1: 'function', NotFound: 'class', index: 'function' }, '*'],
  [1, { UsersControllerV2: 'class', Dto: 'class' }, ['Dto', 'UsersControllerV2']],
  [1, { UsersControllerV2: 'class' }, 'UsersControllerV2'],
  [1, { limit: 'other' }, null],
])('in version %j, of %j the controller is %j', (number, exports, expected) => {
  expect(controllerExport(new Map(Object.entries(exports)), new Map(), 'users', number)).toEqual(
    expected,
  )
})
