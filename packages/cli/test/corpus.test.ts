// What is read of the controllers of the corpus is what they have when they run; what bump writes for them compiles under
// both compilers, has the same members, and answers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'
import { membersOf } from '../src/controllers/controller.ts'
import { findControllers, readControllers } from '../src/controllers/controllers.ts'
import { run } from '../src/run.ts'
import { type Case, corpus } from './corpus/read-corpus.ts'

const packages = resolve(import.meta.dirname, '../..')
const root = resolve(packages, '..')
const temporary = mkdtempSync(join(tmpdir(), 'hv-corpus-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

interface Bumped {
  readonly code: number
  readonly err: string
}
const bumped = new Map<Case, Bumped>()
const folderOf = (one: Case): string => join(temporary, 'cases', one.name.replace(/\W+/g, '-'))
const apiOf = (one: Case): string => join(folderOf(one), 'controllers/api')

function readCase(one: Case) {
  const io = { cwd: folderOf(one), out: process.stdout, err: process.stderr }
  const controllers = readControllers(findControllers(io, undefined)!)
  const fileOf = (path: string) => controllers.folder.files.find((file) => file.path === join(apiOf(one), path))!
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
  symlinkSync(join(packages, 'fastify/node_modules/fastify'), join(temporary, 'node_modules/fastify'))
  write(join(temporary, 'package.json'), '{ "type": "module" }')
  for (const one of corpus) {
    for (const [path, text] of Object.entries(one.files)) write(join(apiOf(one), path), text)
    const err: string[] = []
    const io = { cwd: folderOf(one), out: { write: () => true }, err: { write: (text: string) => err.push(text) } }
    bumped.set(one, { code: await run(['bump'], io), err: err.join('') })
  }
}, 120_000)

describe.each(corpus.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  it('is read', () => {
    const { controllers, fileOf } = readCase(one)
    const controller = controllers.read(fileOf(one.controller))
    if (controller === null || !('kind' in controller)) {
      expect(one.members).toBeNull()
      return
    }
    const { known, unseen } = membersOf(controller)
    expect([...known.keys()].toSorted()).toEqual(one.members?.toSorted())
    expect(unseen && `${unseen.why} (line ${unseen.place.line})`).toBe(one.notSeen)
    expect(controllers.parentVersion(fileOf(one.controller))).toBe(one.parent)
    const key = fileOf(one.controller).key
    for (const [action, version] of one.from)
      expect(controllers.find(one.version, key, action)).toEqual({ kind: 'found', version })
  })

  it(one.refused === null ? 'is extended' : 'is refused', () => {
    const { code, err } = bumped.get(one)!
    if (one.successor === null) expect([code, err]).toEqual([2, expect.stringContaining(one.refused!)])
    else {
      expect([code, err]).toEqual([0, ''])
      expect(readFileSync(join(apiOf(one), one.successor.path), 'utf8')).toBe(one.successor.text)
      const { controllers, fileOf } = readCase(one)
      const next = controllers.read(fileOf(one.successor.path))
      expect(next !== null && 'kind' in next && [...membersOf(next).known.keys()].toSorted()).toEqual(
        one.members!.toSorted(),
      )
      expect(controllers.parentVersion(fileOf(one.successor.path))).toBe(one.version)
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
    const bundled = typed.filter(({ files }) => /from '\.\.?\/[\w/]+'/.test(Object.values(files).join('\n')))
    const ownFolders = [...own, ...bundled].map((one) => `cases/${folderOf(one).split('/').at(-1)}`)
    const include = ['cases/**/*.ts', 'cases/**/*.mts', 'cases/**/*.cts']
    write(join(temporary, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude: ownFolders }))
    write(
      join(temporary, 'bundled.json'),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
        include: bundled.map((one) => `cases/${folderOf(one).split('/').at(-1)}`),
      }),
    )
    const folders = [temporary, ...own.map((one) => apiOf(one))]
    const projects = [...folders.map((folder) => join(folder, 'tsconfig.json')), join(temporary, 'bundled.json')]
    for (const project of projects) expect(compile(project).errors, project).toBe('')
  },
  120_000,
)

interface Ran {
  readonly members: readonly string[]
  readonly next: readonly string[]
  readonly answers: readonly string[]
}

/** Makes each controller of two versions, lists its members, and serves its first action. */
const runner = `
import fastify from 'fastify'
import { api, get, version } from '@hv/router'
import { createRouter } from '@hv/router-fastify'
const cases = JSON.parse(process.argv[2])
const load = async ({ file, kind, style, name }) => {
  const module = await import(file)
  const whole = module.default?.default ?? module.default
  const exported = style === 'namespace' ? module : name === undefined ? whole : (module[name] ?? module.default[name])
  if (kind === 'object') return exported
  const store = Object.assign(() => ['stored'], { all: () => ['stored'] })
  return kind === 'class' ? new exported() : exported(kind === 'factory' ? store : undefined)
}
const membersOf = (value) => {
  const names = new Set()
  for (let at = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && (get !== undefined || set === undefined)) names.add(name)
  return [...names]
}
const result = {}
for (const { name, base, next, action } of cases) {
  const controllers = [await load(base), await load(next)]
  const routes = api({ vendorString: 'acme' }, ...[1, 2].map((n) => version(n, get('it', { to: 'it#' + action }))))
  const app = fastify()
  app.register(createRouter(routes, { 1: { it: controllers[0] }, 2: { it: controllers[1] } }))
  const answers = []
  for (const n of [1, 2]) {
    const accept = 'application/vnd.acme+json;version=' + n
    const { statusCode, headers, body } = await app.inject({ url: '/api/it', headers: { accept } })
    answers.push(statusCode + ' ' + headers['api-version'] + ' ' + body)
  }
  result[name] = { members: membersOf(controllers[0]), next: membersOf(controllers[1]), answers }
  await app.close()
}
console.log(JSON.stringify(result))
`

describe('when they run', () => {
  const runnable = corpus.filter(({ successor, isAbstract, isRun }) => successor !== null && !isAbstract && isRun)
  let ran: Readonly<Record<string, Ran>>

  beforeAll(() => {
    write(join(temporary, 'runner.mjs'), runner)
    const argument = runnable.map((one) => {
      const { controllers, fileOf } = readCase(one)
      const describeFile = (path: string) => {
        const controller = controllers.read(fileOf(path))
        if (controller === null || !('kind' in controller)) throw new Error(`${path} is not read`)
        const { kind, style } = controller
        const name = 'name' in style ? style.name : undefined
        return { file: join(apiOf(one), path), kind, style: style.kind, name }
      }
      const base = describeFile(one.controller)
      const action = one.members!.includes('index') ? 'index' : one.members![0]!
      return { name: one.name, base, next: describeFile(one.successor!.path), action }
    })
    const tsx = createRequire(join(root, 'package.json')).resolve('tsx')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@hv/source', '--import', tsx, 'runner.mjs', JSON.stringify(argument)],
      { cwd: temporary, encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    ran = JSON.parse(stdout) as Readonly<Record<string, Ran>>
  }, 60_000)

  it.each(runnable.map((one) => [one.name, one] as const))(
    '%s has the members that were read, and answers',
    (name, one) => {
      const { members, next, answers } = ran[name]!
      if (one.notSeen === null) expect(members.toSorted()).toEqual(one.members!.toSorted())
      else expect(members).toEqual(expect.arrayContaining([...one.members!]))
      expect(next).toEqual(expect.arrayContaining([...members])) // a spread adds a setter as undefined
      expect(answers[0]).toMatch(/^200 1 /)
      expect(answers[1]).toBe(answers[0]!.replace(/^200 1/, '200 2'))
    },
  )
})
