// What doesn't compile, with the diagnostic that the author of a route file sees, under both compilers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'

const root = resolve(import.meta.dirname, '../../../..')
const core = JSON.stringify(join(root, 'packages/router/src/index.ts'))
const adapter = JSON.stringify(join(root, 'packages/router/src/adapter.ts'))
const folder = mkdtempSync(join(tmpdir(), 'hv-type-errors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const prelude = `import { type Api, type Controllers, type HandlerKind, api, cache, collection, get, hrefs, inherit, member, namespace, resource, resources, scope, version } from ${core}
import type { Complete, GivenVersions } from ${adapter}
interface Req<P> { params: P }
interface Kind extends HandlerKind { readonly handler: (request: Req<this['params']>) => unknown; readonly options: { schema?: object } }
declare function createRouter<T, Given extends keyof T>(this: Complete<T, Given>, routes: Api<T>, controllers: GivenVersions<Given> & NoInfer<Controllers<T, Kind>>): void
const v1 = cache({ as: 'v1' }, resources('users', { param: 'slug' }, resources('posts'), member(get('preview')), collection(get('search'))), namespace('admin', resources('keys', { except: ['new', 'edit'] })), resource('profile', { only: 'show' }))
const routes = api({ vendorString: 'acme', only: ['index', 'show'] }, version(1, v1), version(2, inherit({ from: v1, except: 'admin' })))
const href = hrefs(routes)
const both = { index: () => 1, show: () => 2 }
const users = { ...both, preview: () => 3, search: () => 4 }
const one = { users, posts: both, profiles: both, 'admin/keys': { index: () => 1, create: () => 1, show: () => 1, update: () => 1, destroy: () => 1 } }
const two = { users, posts: both, profiles: both }
class Users { index() {} show() {} preview() {} }
createRouter(routes, { 1: one, 2: two })
`

/** `code` of both compilers, or of TypeScript 6 and of 7 where they differ. */
type Case = [what: string, code: string, message: string, line: string]
const cases: Case[] = [
  // controllers
  [
    'an inherited action is missing',
    'TS2741',
    "Property 'show' is missing in type",
    `createRouter(routes, { 1: one, 2: { ...two, posts: { index: () => 1 } } })`,
  ],
  [
    'a class has no method for a collection action',
    'TS2741',
    "Property 'search' is missing in type 'Users'",
    `createRouter(routes, { 1: one, 2: { ...two, users: new Users() } })`,
  ],
  [
    'actions of a controller in a namespace are missing',
    'TS2739',
    'is missing the following properties from type',
    `createRouter(routes, { 1: { ...one, 'admin/keys': both }, 2: two })`,
  ],
  [
    'an inherited resource is missing',
    'TS2741',
    "Property 'posts' is missing in type",
    `createRouter(routes, { 1: one, 2: { users, profiles: both } })`,
  ],
  [
    'a version is missing',
    'TS2684',
    `The 'this' context of type 'void' is not assignable to method's 'this' of type '"version 2 has no controllers"'.`,
    `createRouter(routes, { 1: one })`,
  ],
  [
    'a controller for a resource left out by `except`',
    'TS2353',
    "''admin/keys'' does not exist in type",
    `createRouter(routes, { 1: one, 2: { users, posts: both, profiles: both, 'admin/keys': both } })`,
  ],
  [
    'an undeclared version',
    'TS2353',
    "'3' does not exist in type",
    `createRouter(routes, { 1: one, 2: two, 3: two })`,
  ],
  [
    "a handler requires a parameter that the route doesn't have",
    'TS2322',
    "Property 'id' is missing in type",
    `createRouter(routes, { 1: { ...one, users: { ...users, show: (r: Req<{ id: string }>) => r } }, 2: two })`,
  ],
  [
    'an inline handler uses an unknown parameter',
    'TS2339',
    "Property 'id' does not exist on type",
    `createRouter(routes, { 1: { ...one, users: { ...users, preview: ({ params }) => params.id } }, 2: two })`,
  ],
  [
    'an unknown option of an action',
    'TS2353',
    "'schemas' does not exist in type",
    `createRouter(routes, { 1: { ...one, users: { ...users, show: { handler: () => 1, schemas: {} } } }, 2: two })`,
  ],
  // URL functions
  ['a parameter is missing', 'TS2554', 'Expected 1 arguments, but got 0.', `href.users.show()`],
  [
    "a parent's parameter is missing",
    'TS2345',
    "Property 'user_slug' is missing in type",
    `href.posts.show({ id: 1 })`,
  ],
  [
    'a parameter of the wrong type',
    'TS2322',
    "Type 'boolean' is not assignable to type 'string | number'.",
    `href.users.show({ slug: true })`,
  ],
  ['an unknown parameter', 'TS2353', "'id' does not exist in type", `href.users.show({ id: 7 })`],
  [
    'an unknown action of a resource',
    'TS2339',
    "Property 'destroy' does not exist on type",
    `href.users.destroy({ slug: 'a' })`,
  ],
  [
    'an unknown resource',
    'TS2339',
    "Property 'nobody' does not exist on type",
    `href.nobody.index()`,
  ],
  // the route file
  [
    'an undeclared default version',
    'TS2322',
    "Type '9' is not assignable to type",
    `api({ vendorString: 'x', defaultVersion: 9 }, version(1, resources('a')))`,
  ],
  [
    'an unknown cache',
    'TS2345',
    `is not assignable to parameter of type '"no cache is named 'v0'"'.`,
    `api({ vendorString: 'x' }, version(1, cache({ as: 'v1' }, resources('a'))), version(2, inherit({ from: 'v0' })))`,
  ],
  [
    'an undeclared version in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"version 2 inherits from version 3, which isn't declared above it"'.`,
    `api({ vendorString: 'x' }, version(1, resources('a')), version(2, inherit({ from: 3 })))`,
  ],
  [
    'the version itself in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"version 2 inherits from version 2, which isn't declared above it"'.`,
    `hrefs(api({ vendorString: 'x' }, version(1, resources('a')), version(2, cache({ as: 'v2' }, inherit({ from: 2, except: 'a' })))))`,
  ],
  [
    'a version without routes in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"version 2 inherits from version 1, which has no routes any more. Move them into version 2 first."'.`,
    `api({ vendorString: 'x' }, version(1, { sunset: '2027-07-01' }), version(2, inherit({ from: [1, 'v2'] }), cache({ as: 'v2' }, resources('a'))))`,
  ],
  [
    'an unknown action of a version in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"version 1 has no 'a#list'"'.`,
    `api({ vendorString: 'x' }, version(1, resources('a')), version(2, inherit({ from: 1, except: ['a#list', 'a#show'] })))`,
  ],
  [
    'an unknown resource in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"cache 'v1' has no 'b'"'.`,
    `api({ vendorString: 'x' }, version(1, cache({ as: 'v1' }, resources('a'))), version(2, inherit({ from: 'v1', only: 'b' })))`,
  ],
  [
    'the same, with a cache in a const',
    'TS2345',
    `is not assignable to parameter of type '"cache 'v1' has no 'posts'"'.`,
    `api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ from: v1, except: 'posts' })))`,
  ],
  [
    'an unknown action in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"cache 'v1' has no 'users#list'"'.`,
    `api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ from: 'v1', except: ['users#list', 'users#show'] })))`,
  ],
  [
    'an unknown nested resource in inherit()',
    'TS2345',
    `is not assignable to parameter of type '"cache 'v1' has no 'users/tags'"'.`,
    `api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ from: v1, except: 'users/tags' })))`,
  ],
  [
    'no vendorString',
    'TS2345 TS2741',
    "Property 'vendorString' is missing in type",
    `api({ defaultVersion: 1 }, version(1, resources('a')))`,
  ],
  [
    'a misspelled option in api()',
    'TS2561',
    "Did you mean to write 'defaultVersion'?",
    `api({ vendorString: 'x', defaultVerson: 1 }, version(1, resources('a')))`,
  ],
  [
    'a misspelled option in resources()',
    'TS2353',
    "'pram' does not exist in type",
    `resources('users', { pram: 'slug' })`,
  ],
  [
    'an unknown action in resources()',
    'TS2322',
    `Type '"list"' is not assignable to type`,
    `resources('users', { only: ['list'] })`,
  ],
  [
    'an unknown action in namespace()',
    'TS2322',
    `Type '"lst"' is not assignable to type`,
    `namespace('n', { only: ['lst'] }, resources('a'))`,
  ],
  [
    'a route without a target (to)',
    'TS2345',
    "Property 'to' is missing in type",
    `version(1, {}, get('/health'))`,
  ],
  [
    'the same, in a cache',
    'TS2345',
    "Property 'to' is missing in type",
    `api({ vendorString: 'x' }, version(1, cache({ as: 'v1' }, get('health'), resources('a'))), version(2, inherit({ from: 'v1' })))`,
  ],
  [
    'the same, in a scope',
    'TS2345',
    "Property 'to' is missing in type",
    `api({ vendorString: 'x' }, version(1, cache({ as: 'v1' }, scope({ path: 'a' }, get('health')))), version(2, inherit({ from: 'v1' })))`,
  ],
  [
    'the same, in a version without options',
    'TS2345',
    "Property 'to' is missing in type",
    `api({ vendorString: 'x' }, version(1, get('health')))`,
  ],
  [
    'member() outside a resource',
    'TS2345',
    'is not assignable to parameter of type',
    `version(1, {}, member(get('x')))`,
  ],
  [
    'a misspelled option in scope()',
    'TS2561',
    "Did you mean to write 'module'?",
    `scope({ modul: 'admin' }, resources('users'))`,
  ],
  [
    'a misspelled option in inherit()',
    'TS2561',
    "Did you mean to write 'except'?",
    `inherit({ from: 'v1', excpt: 'a' })`,
  ],
  [
    'a constraint of the wrong type',
    'TS2322',
    "Type 'number' is not assignable to type 'string | RegExp'.",
    `resources('users', { constraints: { id: 7 } })`,
  ],
]

function diagnose(compiler: string): Map<number, { code: string; message: string }> {
  const file = join(folder, 'cases.mts')
  writeFileSync(file, prelude + cases.map(([, , , line]) => line).join('\n'))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { types: [], declaration: false, declarationMap: false },
      files: [file],
    }),
  )
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, compiler), '-p', folder, '--pretty', 'false'],
    {
      encoding: 'utf8',
    },
  )
  const found = new Map<number, { code: string; message: string }>()
  const offset = prelude.split('\n').length - 1
  for (const [, line, code, message] of stdout.matchAll(
    /cases\.mts\((\d+),\d+\): error (TS\d+): ((?:.*)(?:\n {2,}.*)*)/g,
  )) {
    expect(found.has(Number(line) - offset), `two errors: ${message}`).toBe(false)
    found.set(Number(line) - offset, { code: code!, message: message! })
  }
  return found
}

describe.each(
  [
    ['TypeScript 6', 0, 'node_modules/typescript/bin/tsc'] as const,
    ['TypeScript 7', 1, 'tools/typescript7/tsc.js'] as const,
  ].filter(([name]) => name in compilers),
)('%s refuses', (_name, which, compiler) => {
  const found = diagnose(compiler)
  it.each(cases.map((one, index) => [one[0], index + 1, one] as const))(
    '%s',
    (_what, line, [, code, message]) => {
      const codes = code.split(' ')
      expect(found.get(line)?.code, found.get(line)?.message).toBe(codes[which] ?? codes[0])
      expect(found.get(line)?.message).toContain(message)
    },
  )
  it('nothing else', () => expect([...found.keys()].filter((line) => line < 1)).toEqual([]))
})

describe('the reference of types', () => {
  const page = readFileSync(join(root, 'docs/reference/types.md'), 'utf8').replaceAll(/ +/g, ' ')
  it.each(cases.map(([what, code, message]) => [what, code.replace(' ', ', '), message]))(
    'quotes %s',
    (what, code, message) => {
      expect(page).toContain(
        `| ${what} | ${code} | \`${message.replaceAll('|', '\\|').replaceAll(/ +/g, ' ')}\` |`,
      )
    },
  )
})
