// What check says of the controllers of the corpus is what loadControllers makes of them, or "not checked"; TypeScript's checker
// sees what is read. What bump writes for them compiles under both compilers, and has the same actions.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'
import { findControllers, isController, readControllers } from '../src/controllers/controllers.ts'
import { isAction } from '../src/controllers/value.ts'
import { run } from '../src/run.ts'
import { type Case, corpus } from './corpus/read-corpus.ts'

const packages = resolve(import.meta.dirname, '../..')
const root = resolve(packages, '..')
const temporary = mkdtempSync(join(tmpdir(), 'hv-corpus-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const bumped = new Map<Case, { readonly code: number; readonly err: string }>()
const folderOf = (one: Case): string => join(temporary, 'cases', one.name.replace(/\W+/g, '-'))
const apiOf = (one: Case): string => join(folderOf(one), 'controllers/api')

function readCase(one: Case) {
  const io = { cwd: folderOf(one), out: process.stdout, err: process.stderr }
  const controllers = readControllers(findControllers(io, undefined)!)
  const fileOf = (path: string) =>
    controllers.folder.files.find((file) => file.path === join(apiOf(one), path))!
  return { controllers, fileOf }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

beforeAll(async () => {
  mkdirSync(join(temporary, 'node_modules/@hv'), { recursive: true })
  symlinkSync(join(packages, 'router'), join(temporary, 'node_modules/@hv/router'))
  symlinkSync(join(packages, 'fastify'), join(temporary, 'node_modules/@hv/router-fastify'))
  symlinkSync(
    join(packages, 'fastify/node_modules/fastify'),
    join(temporary, 'node_modules/fastify'),
  )
  write(join(temporary, 'package.json'), '{ "type": "module" }')
  for (const one of corpus) {
    for (const [path, text] of Object.entries(one.files)) write(join(apiOf(one), path), text)
    const err: string[] = []
    const io = {
      cwd: folderOf(one),
      out: { write: () => true },
      err: { write: (text: string) => err.push(text) },
    }
    bumped.set(one, { code: await run(['bump'], io), err: err.join('') })
  }
}, 120_000)

describe.each(corpus.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  it('has the origins that it should', () => {
    const { controllers, fileOf } = readCase(one)
    const file = fileOf(one.controller)
    for (const [action, version] of one.from)
      expect(controllers.find(one.version, file.key, action)).toEqual({ kind: 'found', version })
  })

  it(one.refused === null ? 'is extended' : 'is refused', () => {
    const { code, err } = bumped.get(one)!
    if (one.successor === null)
      expect([code, err]).toEqual([2, expect.stringContaining(one.refused!)])
    else {
      expect([code, err]).toEqual([0, ''])
      expect(readFileSync(join(apiOf(one), one.successor.path), 'utf8')).toBe(one.successor.text)
    }
  })
})

it('has more than a hundred controllers', () => expect(corpus.length).toBeGreaterThan(100))

const typed = corpus.filter(({ controller }) => controller.endsWith('ts'))

it.each(Object.entries(compilers))(
  'what bump writes compiles under %s',
  (_name, compile) => {
    const own = typed.filter(({ files }) => 'tsconfig.json' in files)
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      allowImportingTsExtensions: true,
      customConditions: ['@hv/source'],
      noImplicitOverride: true,
      exactOptionalPropertyTypes: true,
    }
    // An import without extension is for bundlers.
    const bundled = typed.filter(({ files }) =>
      /from '\.\.?\/[\w/]+'/.test(Object.values(files).join('\n')),
    )
    const ownFolders = [...own, ...bundled].map((one) => `cases/${folderOf(one).split('/').at(-1)}`)
    const include = ['cases/**/*.ts', 'cases/**/*.mts', 'cases/**/*.cts']
    write(
      join(temporary, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include, exclude: ownFolders }),
    )
    write(
      join(temporary, 'bundled.json'),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
        include: bundled.map((one) => `cases/${folderOf(one).split('/').at(-1)}`),
      }),
    )
    const folders = [temporary, ...own.map((one) => apiOf(one))]
    const projects = [
      ...folders.map((folder) => join(folder, 'tsconfig.json')),
      join(temporary, 'bundled.json'),
    ]
    for (const project of projects) expect(compile(project).errors, project).toBe('')
  },
  120_000,
)

const probes = [
  'index',
  'show',
  'create',
  'update',
  'destroy',
  'edit',
  'audit',
  'find',
  'list',
  'serialize',
  'default',
]
const controllersOf = ({ controller, version, successor }: Case) =>
  [controller, successor?.path].flatMap((path, i) =>
    path === undefined
      ? []
      : [{ path, version: version + i, key: /^v\d+\/(.+)_controller/.exec(path)![1]! }],
  )

/** Loads each controller for one action at a time, and prints which actions are bound. */
const runner = `
import { bindActions } from '@hv/router/internal'
import { loadControllers } from '@hv/router/controllers'
import { api, get, version } from '@hv/router'
const store = Object.assign(() => ['stored'], { all: () => ['stored'] })
const bound = {}
for (const { folder, version: number, key, id } of JSON.parse(process.argv[2])) {
  bound[id] = []
  for (const action of ${JSON.stringify(probes)}) {
    const routes = api({ vendorString: 'acme' }, version(number, get('it', { to: key + '#' + action })))
    try {
      bindActions(routes, await loadControllers(routes, folder, (Controller) => new Controller(store)))
      bound[id].push(action)
    } catch (error) {
      if (error.code !== 'HV_MISSING_CONTROLLERS' && error.code !== 'HV_MISSING_ACTIONS') bound[id] = [...bound[id], '!' + error.message]
    }
  }
}
console.log(JSON.stringify(bound))
`

it('says of no controller what loadControllers does not', () => {
  write(join(temporary, 'runner.mjs'), runner)
  const runnable = corpus.filter(
    ({ isAbstract, isRun, controller }) => !isAbstract && isRun && !controller.includes('-'),
  )
  const asked = runnable.flatMap((one) =>
    controllersOf(one).map((controller) => ({
      ...controller,
      folder: join(folderOf(one), 'controllers'),
      id: `${one.name}: ${controller.path}`,
      one,
    })),
  )
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx')
  const args = ['--conditions=@hv/source', '--import', tsx, 'runner.mjs']
  const argument = JSON.stringify(
    asked.map(({ folder, version, key, id }) => ({ folder, version, key, id })),
  )
  const { stdout, stderr } = spawnSync(process.execPath, [...args, argument], {
    cwd: temporary,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const bound = JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>
  const count = { right: 0, notChecked: 0 }
  const wrong: string[] = []
  for (const { one, version, key, id } of asked) {
    const { controllers } = readCase(one)
    const verdicts = probes.map(
      (action) => [action, controllers.find(version, key, action).kind] as const,
    )
    const fails = bound[id]!.some((action) => action.startsWith('!'))
    for (const [action, kind] of verdicts)
      if (kind === (bound[id]!.includes(action) ? 'missing' : 'found') && !fails)
        wrong.push(`${id}: ${action} ${kind}`)
    if (verdicts.some(([, kind]) => kind === 'unseen')) count.notChecked++
    else count.right++
  }
  expect(wrong).toEqual([])
  expect(count.notChecked).toBeLessThan(75)
}, 120_000)

/** What the checker of TypeScript 7 sees: the members of each export, or of what it makes, that can be called. */
const checker = `
const { createRequire } = await import('node:module')
const require = createRequire(process.argv[3])
const { pathToFileURL } = await import('node:url')
const { API } = await import(pathToFileURL(require.resolve('typescript/unstable/sync')).href)
const api = new API({ cwd: process.cwd() })
const snapshot = api.updateSnapshot({ openProject: process.cwd() + '/tsconfig.json' })
const { program, checker } = snapshot.getProjects()[0]
const seen = {}
for (const path of JSON.parse(process.argv[2])) {
  const file = program.getSourceFile(path)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) continue
  seen[path] = {}
  for (const symbol of checker.getExportsOfModule(module)) {
    const type = checker.getTypeOfSymbol(symbol)
    const [construct] = checker.getSignaturesOfType(type, 1)
    const [call] = checker.getSignaturesOfType(type, 0)
    const made = construct ?? call ? checker.getReturnTypeOfSignature(construct ?? call) : type
    seen[path][symbol.name] = checker.getPropertiesOfType(made).flatMap((member) => {
      const own = checker.getTypeOfSymbol(member)
      const handler = checker.getPropertyOfType(own, 'handler')
      const action = handler ? checker.getTypeOfSymbol(handler) : own
      return checker.getSignaturesOfType(action, 0).length > 0 ? [member.name] : []
    })
  }
}
api.close()
console.log(JSON.stringify(seen))
`

it('reads what the checker of TypeScript 7 sees', () => {
  write(join(temporary, 'checker.mjs'), checker)
  const files = typed.map((one) => join(apiOf(one), one.controller))
  const anchor = join(root, 'tools/typescript7/package.json')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['checker.mjs', JSON.stringify(files), anchor],
    {
      cwd: temporary,
      encoding: 'utf8',
    },
  )
  expect(status, stderr).toBe(0) // the checker may say on stderr that it was closed
  const seen = JSON.parse(stdout) as Readonly<
    Record<string, Readonly<Record<string, readonly string[]>>>
  >
  let compared = 0
  for (const one of typed) {
    const { controllers, fileOf } = readCase(one)
    const controller = controllers.read(fileOf(one.controller))
    if (
      !isController(controller) ||
      (controller.style.kind !== 'named' && controller.style.kind !== 'default')
    )
      continue
    const name = 'name' in controller.style ? controller.style.name : 'default'
    const actions = seen[join(apiOf(one), one.controller)]?.[name]
    if (
      actions === undefined ||
      actions.includes('then') ||
      controller.value.members.unseen !== null
    )
      continue
    const read = [...controller.value.members.known].filter(
      ([, member]) => isAction(member.value()) === true,
    )
    expect(actions, one.name).toEqual(expect.arrayContaining(read.map(([action]) => action)))
    compared++
  }
  expect(compared).toBeGreaterThan(50)
}, 120_000)
