import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findControllers, readControllers } from '../../src/controllers/controllers.ts'
import { createProject } from '../project.ts'

const declare = (nodes: string) =>
  `import { api, cache, inherit, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'acme' }, ${nodes})\n`
const users = declare("version(1, resources('users', { only: ['index', 'show'] }))")
const path = 'controllers/api/v1/users_controller.ts'

describe('check says of a controller', () => {
  it.each<[what: string, files: Record<string, string>, expected: string]>([
    [
      'that an action is static',
      { [path]: 'export class UsersController {\n  static index() {}\n  show() {}\n}\n' },
      'missing-action  controllers/api/v1/users_controller.ts has no index(), which GET /api/users needs in version 1\n1 finding.\n',
    ],
    [
      'that a member is not an action',
      {
        [path]:
          'export const users = { index: { schema: {} }, show: null }\nexport const index = 1\n',
      },
      'missing-action  controllers/api/v1/users_controller.ts exports no controller, but GET /api/users, GET /api/users/:id need one in version 1\n1 finding.\n',
    ],
    [
      'that an abstract method is not there, and that a setter is not read',
      {
        [path]:
          'export abstract class UsersController {\n  set index(_x: unknown) {}\n  abstract show(): void\n}\n',
      },
      'missing-action  controllers/api/v1/users_controller.ts has no show(), which GET /api/users/:id needs in version 1\nnot-checked  users#index: index is a setter (controllers/api/v1/users_controller.ts:2)\n1 finding. 1 not checked.\n',
    ],
    [
      'that a spread does not copy methods',
      {
        [path]:
          'class Users {\n  index() {}\n  show = () => 1\n}\nexport const users = { ...new Users() }\n',
      },
      'missing-action  controllers/api/v1/users_controller.ts has no index(), which GET /api/users needs in version 1\n1 finding.\n',
    ],
    [
      'that a file of a similar name is there',
      { 'controllers/api/v1/Users_controller.ts': 'export class UsersController {}\n' },
      'missing-controller  there is no controllers/api/v1/users_controller.ts, which GET /api/users, GET /api/users/:id need in version 1. Did you mean controllers/api/v1/Users_controller.ts?\n' +
        'unreached-controller  no route reaches controllers/api/v1/Users_controller.ts\n2 findings.\n',
    ],
    [
      'that it does not parse',
      { [path]: 'export class UsersController {\n  index() {\n}\n' },
      'not-checked  users#index, users#show: it cannot be read: Expected `}` but found `EOF` (controllers/api/v1/users_controller.ts:4)\nNo findings: 2 routes, 1 controller. 2 not checked.\n',
    ],
    [
      'that it exports nothing',
      { [path]: 'class UsersController {}\n' },
      'missing-action  controllers/api/v1/users_controller.ts exports no controller, but GET /api/users, GET /api/users/:id need one in version 1\n1 finding.\n',
    ],
    [
      'what is missing, and what cannot be told',
      {
        [path]:
          "import { Base } from 'not-installed'\nexport class UsersController extends Base {\n  index = 1\n}\n",
      },
      "missing-action  controllers/api/v1/users_controller.ts has no index(), which GET /api/users needs in version 1 (index is not a function, and has no handler)\nnot-checked  users#show: it extends Base: 'not-installed' is not found (controllers/api/v1/users_controller.ts:2)\n1 finding. 1 not checked.\n",
    ],
  ])('%s', async (_what, files, expected) => {
    const { hv } = createProject({ 'routes.ts': users, ...files })
    expect((await hv('check')).out).toBe(expected)
  })

  it('nothing of an action whose path has a dash, of globs and of scopes', async () => {
    const { hv } = createProject({
      'routes.ts': `import { api, cache, get, inherit, member, resources, scope, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' },
    resources('posts', { only: 'show' }, member(get('do-it')), get('re-index')),
    scope({ module: 'files' }, get('files/*path', { to: 'files#show' })))),
  version(2, inherit({ from: 'v1', except: ['posts#do_it', 'files/*path'] })))
`,
      'controllers/api/v1/posts_controller.ts':
        'export class PostsController {\n  show() {}\n  do_it() {}\n  re_index() {}\n}\n',
      'controllers/api/v1/files/files_controller.ts':
        'export class FilesController {\n  show() {}\n}\n',
      'controllers/api/v2/posts_controller.ts':
        'export class PostsController {\n  show() {}\n  re_index() {}\n}\n',
    })
    expect((await hv('check')).out).toBe('No findings: 6 routes, 3 controllers.\n')
  })

  const helper = 'export const fn = () => 1\n'
  it.each<[code: string, checked: string, helper?: string]>([
    [
      "import { nothere, fn } from '../../../h.ts'\nexport default { index: nothere, show: fn }",
      'not-checked index',
    ],
    [
      "import * as h from '../../../h.ts'\nexport default { index: h.fn, show: h.gone }",
      'not-checked show',
    ],
    [
      "import { fn } from './nowhere.ts'\nexport default { index: fn, show() {} }",
      'not-checked index',
    ],
    [
      "import { fn } from 'not-installed'\nexport default { index: fn, show() {} }",
      'not-checked index',
    ],
    ['const o = {}\nexport default { index: o.index, show() {} }', 'not-checked index'],
    ['export default (o) => ({ index: o.index, show() {} })', 'not-checked index'],
    [
      'export default { index() {}, show: process.env.X ? () => 1 : undefined }',
      'not-checked show',
    ],
    ['export default { index: process.env.X ? () => 1 : () => 2, show() {} }', 'not-checked index'],
    ['export default (opt) => ({ index() {}, show: opt?.show })', 'not-checked show'],
    ['export class UsersController {\n  index!: () => void\n  show() {}\n}', 'missing index'],
    ['export class UsersController {\n  index() {}\n  show: any\n}', 'missing show'],
    [
      'export class UsersController {\n  index: any\n  show() {}\n  constructor() { this.index = () => 1 }\n}',
      'not-checked index',
    ],
    [
      'export class UsersController {\n  index: any\n  show() {}\n  open() { this.index = () => 1 }\n}',
      'not-checked index',
    ],
    ['export class UsersController {\n  @Inject() index: any\n  show() {}\n}', 'not-checked index'],
    ['@Crud()\nexport class UsersController {}', 'not-checked index, show'],
    [
      'function replace(users) { users.show = 5 }\nconst all = { index() {}, show() {} }\nreplace(all)\nexport default all',
      'not-checked index, show',
    ],
    [
      'const x = String(1)\nexport { x as index }\nexport function list() {}',
      'not-checked index, show',
    ],
    ['export default { ...{ show() {} }, index() {}, set show(x) {} }', 'not-checked show'],
    [
      'class Base { show = 5 }\nexport class UsersController extends Base { index() {} show() {} }',
      'missing show',
    ],
    [
      'export const users = { index() {}, show() {}, init() { this.show = 5 } }\nusers.init()',
      'not-checked show',
    ],
    [
      "import { Base } from '../../../h.ts'\nexport class UsersController extends Base {}",
      'not-checked index, show',
      '@Crud() export class Base {}',
    ],
    [
      'export class UsersController { index() {} }\n;(UsersController.prototype as any).show = () => 1',
      'not-checked show',
    ],
    [
      'export class UsersController { index() {} }\n;(<any>UsersController.prototype).show = () => 1',
      'not-checked show',
    ],
    [
      'export class UsersController { index() {} }\n;(UsersController as any).prototype.show = () => 1',
      'not-checked show',
    ],
    [
      'export class UsersController { index() {} }\nconst proto = UsersController.prototype as any\nproto.show = () => 1',
      'not-checked index, show',
    ],
    [
      "export class UsersController { index() {} }\nfor (const name of ['show']) (UsersController.prototype as any)[name] = () => 1",
      'not-checked index, show',
    ],
    [
      "export class UsersController { index() {} }\n;['show'].forEach((name) => { UsersController.prototype[name] = () => 1 })",
      'not-checked index, show',
    ],
    [
      'export const createUsers = (o) => o.x ? { index() {}, show() {} } : { index() {}, show() {} }',
      'not-checked index, show',
    ],
    [
      'export const createUsers = (o) => o.x ? { index() {}, show() {} } : { index() {} }',
      'not-checked index, show',
    ],
    [
      'export function createUsers(o) { if (o.x) return { index() {} }; return { index() {}, show() {} } }',
      'not-checked index, show',
    ],
    [
      'export function createUsers(o) { if (o.x) { const u = { index() {}, show() {} }; return u } else { return { index() {}, show() {} } } }',
      'not-checked index, show',
    ],
    [
      'export function createUsers() { try { return { index() {}, show() {} } } catch { return { index() {}, show() {} } } }',
      'not-checked index, show',
    ],
  ])('%j: %s', async (code, checked, imported = helper) => {
    const { hv } = createProject({ 'routes.ts': users, 'h.ts': imported, [path]: code })
    const { out } = await hv('check', '--json')
    const findings = JSON.parse(out) as { code: string; message: string; actions?: string[] }[]
    const missing = findings.flatMap(({ message }) => /has no (\w+)\(\)/.exec(message)?.[1] ?? [])
    const unread = findings.flatMap(({ actions = [] }) =>
      actions.map((action) => action.split('#')[1]),
    )
    const lists = [
      ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
      ...(unread.length > 0 ? [`not-checked ${unread.join(', ')}`] : []),
    ]
    expect(lists.join('; ')).toBe(checked)
  })

  // Read without a route file: a line of the table takes a millisecond.
  it.each<[code: string, expected: string]>([
    [
      "import { wrap } from 'not-installed'\nexport const createUsers = (o) => wrap({ index: o })",
      'not-checked index, show',
    ],
    [
      "import { wrap } from 'not-installed'\nexport default (o) => wrap({ index: o })",
      'not-checked index, show',
    ],
    [
      'export const createUsersController = (o) => class { index() { return o } }',
      'not-checked index, show',
    ],
    [
      'export const users = { create() {} }\nexport const index = () => users.create()\nexport function show() {}',
      '',
    ],
    [
      'export class Users {}\nexport const index = () => new Users()\nexport function show() {}',
      '',
    ],
    [
      "export class UsersController { index() {} show() {} }\nexport default { prefix: '/users' }",
      '',
    ],
    // What code does to a value, and when.
    [
      'export const users = { index() {} }\nif (process.env.X) users.show = () => 1',
      'not-checked show',
    ],
    [
      'export const users = { index() {} }\nprocess.env.X && (users.show = () => 1)',
      'not-checked show',
    ],
    [
      'export const users = { index() {} }\nif (process.env.X) Object.assign(users, { show() {} })',
      'not-checked index, show',
    ],
    [
      'export const users = { index() {} }\nif (process.env.X) users.index = () => 2',
      'missing show; not-checked index',
    ],
    [
      'export const users = { index() {} }\nexport const open = () => { users.show = () => 1 }',
      'not-checked show',
    ],
    [
      'export class UsersController { index() {} }\nif (process.env.X) UsersController.prototype.show = () => 1',
      'not-checked show',
    ],
    [
      'export class UsersController {\n  constructor(x) { if (x) this.show = () => 1 }\n  index() {}\n}',
      'not-checked show',
    ],
    ['export const users = { index() {} }\nusers.show ??= () => 1', 'not-checked show'],
    ['export const users = { index() {}, show() {} }\ndelete users.show', 'not-checked show'],
    [
      'export const users = { index() {}, show() {} }\nif (process.env.X) delete users.show',
      'not-checked show',
    ],
    [
      'export class UsersController { index() {} show() {} }\ndelete UsersController.prototype.show',
      'not-checked show',
    ],
    [
      'export const users = { index() {} }\nexport function help(users) { users.show = () => 1 }',
      'missing show',
    ],
    [
      'export const users = { index() {} }\nfunction help(users) { users.show = () => 1 }',
      'missing show',
    ],
    [
      'export const users = { index() {} }\nif (help) { const users = {}; users.show = () => 1 }',
      'missing show',
    ],
    [
      'let users = { index() {}, show() {} }\nexport function help() { let users; users = {}; return users }\nexport { users }',
      '',
    ],
    [
      "import { mix } from 'not-installed'\nexport const users = { index() {} }\n;['show'].forEach((name) => mix(users, name))",
      'not-checked index, show',
    ],
    ['exports.index = () => 1\nmodule.exports = { show() {} }', 'not-checked index'],
    ['module.exports = { index() {} }\nexports.show = () => 1', 'not-checked show'],
    [
      'module.exports = { index() {} }\nObject.assign(exports, { show() {} })',
      'not-checked index, show',
    ],
    ['module.exports = { index() {} }\nmodule.exports.show = () => 1', 'not-checked show'],
    ['exports = module.exports = { index() {} }\nexports.show = () => 1', 'not-checked show'],
    [
      'export class UsersController {\n  constructor(x) { this.index = () => 1; if (x) return; this.show = () => 1 }\n}',
      'not-checked index, show',
    ],
    [
      'function UsersController() { if (!new.target) return new UsersController(); this.index = this.show = () => 1 }\nmodule.exports = { UsersController }',
      'not-checked index, show',
    ],
    // Names that mean something else inside.
    [
      'const make = (users) => { users.show = () => 1; return users }\nexport default make({ index() {} })',
      'not-checked index, show',
    ],
    [
      'const make = (users) => { Object.assign(users, { show() {} }); return users }\nexport default make({ index() {} })',
      'not-checked index, show',
    ],
    [
      'const make = (users) => { users = { show() {} }; return users }\nexport default make({ index() {} })',
      'not-checked index, show',
    ],
    [
      'const part = { show() {} }\nconst make = (a = part) => { const part = {}; return { ...a, ...part, index() {} } }\nexport default make()',
      'not-checked show',
    ],
    [
      'const part = { show() {} }\nconst make = ({ a: { part } }) => ({ ...part, index() {} })\nexport default make({ a: { part: {} } })',
      'not-checked show',
    ],
    [
      'const make = ({ a: { part = { show() {} } } }) => ({ ...part, index() {} })\nexport default make({ a: {} })',
      'not-checked show',
    ],
    [
      'const make = ({ a = { show() {} } } = {}) => ({ ...a, index() {} })\nexport default make()',
      'not-checked show',
    ],
    [
      'const make = (part = { show() {} }) => ({ ...part, index() {} })\nexport default make(undefined)',
      'not-checked show',
    ],
    [
      'function make(this: void, part) { return { ...part, index() {} } }\nexport default make({ show() {} })',
      'not-checked show',
    ],
    [
      'const e = { index() {}, show() {} }\nconst make = () => { try { throw {} } catch (e) { return e } }\nexport default make()',
      'not-checked index, show',
    ],
    [
      'const show = () => 1\nexport class UsersController {\n  index() {}\n  constructor(show) { this.show = show }\n}',
      'not-checked show',
    ],
    [
      'export class UsersController {\n  constructor() { this.index = this.index.bind(this) }\n  index() {}\n  show = this.index.bind(this)\n}',
      'not-checked show',
    ],
    [
      'export class UsersController {\n  constructor() { return { index() {}, show() {} } }\n}',
      'not-checked index, show',
    ],
  ])('%j: %s, as the controllers are read', (code, expected) => {
    const { folder } = createProject({ [path]: code })
    const io = { cwd: folder, out: process.stdout, err: process.stderr }
    const controllers = readControllers(findControllers(io, undefined)!)
    const kinds = { found: '', unseen: 'not-checked', missing: 'missing' }
    const actions = ['index', 'show'].map(
      (action) => [action, kinds[controllers.find(1, 'users', action).kind]] as const,
    )
    const of = (kind: string) =>
      actions.flatMap(([action, one]) => (one === kind ? [action] : [])).join(', ')
    const found = ['missing', 'not-checked'].flatMap((kind) =>
      of(kind) === '' ? [] : [`${kind} ${of(kind)}`],
    )
    expect(found.join('; ')).toBe(expected)
  })

  it.each([
    ["export * from './a.ts'\nexport * from './b.ts'", 'not-checked'],
    ["export * from './a.ts'\nexport * from './again.ts'", 'found'],
    ["export * from './a.ts'\nexport * from './b.ts'\nexport const index = () => 3", 'found'],
  ])('of %j, index is %s', (code, expected) => {
    const { folder } = createProject({
      [path]: `${code}\nexport const show = () => 1`,
      [join(dirname(path), 'a.ts')]: 'export const index = () => 1',
      [join(dirname(path), 'b.ts')]: 'export const index = () => 2',
      [join(dirname(path), 'again.ts')]: "export * from './a.ts'",
    })
    const io = { cwd: folder, out: process.stdout, err: process.stderr }
    const found = readControllers(findControllers(io, undefined)!).find(1, 'users', 'index').kind
    expect(found === 'unseen' ? 'not-checked' : found).toBe(expected)
  })

  it.each([
    "const base = require('../../../h.cjs')\nbase.UsersController.prototype.show = () => 1\nmodule.exports = base.UsersController",
    "const { UsersController } = require('../../../h.cjs')\nUsersController.prototype.show = () => 1\nmodule.exports = { UsersController }",
    "exports.UsersController = require('../../../h.cjs').UsersController\nexports.UsersController.prototype.show = () => 1",
    'module.exports = { UsersController: class { index() {} } }\nmodule.exports.UsersController.prototype.show = () => 1',
    "module.exports = require('../../../h.cjs').UsersController\nmodule.exports.prototype.show = () => 1",
  ])('that CommonJS adds to a class later: %j', async (code) => {
    const { hv } = createProject({
      'routes.ts': users,
      'h.cjs': 'exports.UsersController = class UsersController { index() {} }\n',
      [path.replace('.ts', '.cjs')]: code,
    })
    expect((await hv('check')).out).toMatch(
      /^not-checked .*users#show: it may be changed by .*users_controller\.cjs:2\)\nNo findings/,
    )
  })

  const wrapped =
    "import { wrap } from 'not-installed'\nexport class UsersController {\n  index = wrap(() => 1)\n  show = { ...wrap({}), handler: wrap(() => 2) }\n}\n"

  it('once that the results of a function are taken for actions', async () => {
    const { hv } = createProject({
      'routes.ts': declare(
        "version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }), resources('posts', { only: 'index' }))), version(2, inherit({ from: 'v1' }))",
      ),
      [path]: wrapped,
      [path.replace('users', 'posts')]: wrapped.replace('Users', 'Posts'),
      [path.replace('v1', 'v2')]: "export * from '../v1/users_controller.ts'\n",
      [path.replace('v1', 'v2').replace('users', 'posts')]:
        "export * from '../v1/posts_controller.ts'\n",
    })
    expect(await hv('check')).toMatchObject({
      code: 0,
      out:
        'not-checked  users#index, users#show, posts#index: the result of wrap() is unknown (controllers/api/v1/users_controller.ts:3)\n' +
        'No findings: 6 routes, 4 controllers. 3 not checked.\n',
    })
    expect(JSON.parse((await hv('check', '--json')).out)).toMatchObject([
      {
        code: 'not-checked',
        level: 'note',
        actions: ['users#index', 'users#show', 'posts#index'],
        line: 3,
      },
    ])
  })

  it('nothing of a wrapper that can be read', async () => {
    const { hv } = createProject({
      'routes.ts': users,
      'wrap.ts': 'export const wrap = (fn: () => unknown) => async () => fn()\n',
      [path]: wrapped
        .replace('not-installed', '../../../wrap.ts')
        .replace('{ ...wrap({}), handler: wrap(() => 2) }', 'wrap(() => 2)'),
    })
    expect((await hv('check')).out).toBe('No findings: 2 routes, 1 controller.\n')
  })
})

const noFolder =
  'not-checked  no controllers folder found (with v1/<resource>_controller files), so no action is checked. TypeScript checks the controllers that createRouter gets; if yours are in such files, pass their folder with --controllers <folder>.\n'

it('check notes that there is no controllers folder, also beside other findings', async () => {
  const { hv } = createProject({ 'routes.ts': users })
  const { code, out } = await hv('check')
  expect([code, out]).toEqual([
    0,
    `${noFolder}No findings: 2 routes, no controllers folder found. 2 not checked.\n`,
  ])
  expect(JSON.parse((await hv('check', '--json')).out)).toMatchObject([
    { code: 'not-checked', level: 'note', actions: ['users#index', 'users#show'] },
  ])
  const slow = createProject({
    'routes.ts': declare(
      "version(1, resources('users', { only: 'show', constraints: { id: /(a+)+/ } }))",
    ),
  })
  const beside = await slow.hv('check')
  expect([beside.code, beside.out]).toEqual([1, expect.stringContaining(noFolder)])
  expect(beside.out).toMatch(/\n1 finding\. 1 not checked\.\n$/)
})

it('check says that controllers in one file are not checkable here', async () => {
  const { hv } = createProject({
    'routes.ts': users,
    'src/controllers.ts': 'export const v1 = {}\n',
  })
  expect(await hv('check', '--controllers', 'src')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^not-checked {2}no controllers folder found .*\nNo findings/,
    ) as string,
  })
})

it('check says that constraints are not judged without recheck', async () => {
  vi.doMock('recheck/lib/browser.js', () => {
    throw new Error('not installed')
  })
  onTestFinished(() => void vi.doUnmock('recheck/lib/browser.js'))
  const { hv } = createProject({
    'routes.ts': declare(
      "version(1, resources('users', { only: 'show', constraints: { id: /(a+)+/ } }))",
    ),
    [path]: 'export class UsersController { show() {} }',
  })
  expect((await hv('check')).out).toBe(
    'not-checked  constraints are not checked for slow patterns. Install the package that does: recheck\n' +
      'No findings: 1 route, 1 controller. 1 not checked.\n',
  )
})

describe('check judges constraints', () => {
  const judge = async (constraint: RegExp | string) => {
    const written = typeof constraint === 'string' ? JSON.stringify(constraint) : String(constraint)
    const { hv } = createProject({
      'routes.ts': declare(
        `version(1, resources('users', { only: 'show', constraints: { id: ${written} } }))`,
      ),
    })
    return (await hv('check')).out.replace(noFolder, '')
  }

  it.each([
    /\d+/,
    /^[a-z]$/i,
    /a|b/,
    /[a-z\d]+(-[a-z\d]+)*/,
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
    /(\d{1,3}\.){3}\d{1,3}/,
    /(?:[a-z]+,)*[a-z]+/,
    /\p{L}+/u,
    /(en|de)(-[A-Z]{2})?/,
    /v\d+\.\d+\.\d+(-[\w.]+)?/,
    /(?!new$)[a-z]+/,
    /[\w.+-]+@[\w-]+\.[\w.-]+/,
    /(?<x>a)\k<x>/,
    /\d*\d*/, // quadratic: 256 characters are read in no time
    '\\d+',
  ])('%s is fine', async (constraint) =>
    expect(await judge(constraint)).toContain('No findings: 1 route'),
  )

  it.each<[RegExp | string, string]>([
    [/(a+)+/, 'exponentially'],
    [/(a*)*b/, 'exponentially'],
    [/(?:a|aa)+/, 'exponentially'],
    [/(a|a)*b/, 'exponentially'],
    [/([a-z]+)*/, 'exponentially'],
    [/((\d+)-?)+/, 'exponentially'],
    [/(x?){50}/, 'exponentially'],
    [/(a{1,50}){1,50}/, 'exponentially'],
    [/(-[a-z-]+)*/, 'exponentially'],
    [/(,(a+)+)+/, 'exponentially'],
    [/(\w|\d)+/, 'exponentially'],
    ['(\\w+\\s?)*', 'exponentially'],
    [/.*.*.*/, 'with the power of 3'],
    [/\d*\d*\d*/, 'with the power of 3'],
  ])('%s is slow', async (constraint, growth) => {
    const { source } = new RegExp(constraint)
    expect(await judge(constraint)).toBe(
      `slow-constraint  the constraint /${source}/ of ':id' in /api/users/:id could take very long on a hostile value: its time grows ${growth} with the length. Separate its repetitions, or bound them: {1,20}\n1 finding. 1 not checked.\n`,
    )
  })

  it('says what it cannot judge', async () => {
    expect(await judge(new RegExp('[\\p{L}--[a-z]]', 'v'))).toBe(
      "not-checked  the constraint /[\\p{L}--[a-z]]/v of ':id' in /api/users/:id could not be analyzed: invalid\nNo findings: 1 route, no controllers folder found. 2 not checked.\n",
    )
  })
})

it('checks constraints from its sources, too, as the users service runs it', () => {
  const routes = declare(
    "version(1, resources('users', { only: 'show', constraints: { id: /(a+)+b/ } }))",
  )
  const { folder } = createProject({
    'routes.ts': routes,
    [path]: 'export class UsersController { show() {} }',
  })
  const root = resolve(import.meta.dirname, '../../../..')
  const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/esm/index.mjs')).href
  const args = [
    '--conditions=@hv/source',
    '--import',
    tsx,
    join(root, 'packages/cli/src/hv-router.ts'),
    'check',
  ]
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, expect.stringContaining('grows exponentially')])
})
