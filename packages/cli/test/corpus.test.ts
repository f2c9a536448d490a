// Controllers in all styles, common ones and odd ones. What bump writes for them loads if they do, with
// the same actions, and compiles under both compilers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compilers } from '../../../tools/compilers.ts'
import { run } from '../src/run.ts'
import { type Case, corpus, styles } from './corpus/read-corpus.ts'

const packages = resolve(import.meta.dirname, '../..')
const root = resolve(packages, '..')
const temporary = mkdtempSync(join(tmpdir(), 'hv-corpus-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const cases = [
  ...corpus.map((example, i) => ({ ...example, folder: join(temporary, `cases/${i}`) })),
  ...styles.map((example, i) => ({ ...example, folder: join(temporary, `styles/${i}`) })),
]
const isTyped = ({ controllers }: Case): boolean =>
  controllers.some((controller) => controller.endsWith('ts'))
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
/** An import without an extension is for bundlers. */
const isBundled = ({ files }: Case): boolean =>
  /from '\.\.?\/[\w/]+'/.test(Object.values(files).join('\n'))

const printed = new Map<Case, unknown>()

beforeAll(async () => {
  mkdirSync(join(temporary, 'node_modules/@hv'), { recursive: true })
  for (const [name, target] of [
    ['@hv/router', 'router'],
    ['@hv/router-fastify', 'fastify'],
    ['fastify', 'fastify/node_modules/fastify'],
  ] as const)
    symlinkSync(join(packages, target), join(temporary, 'node_modules', name))
  write(join(temporary, 'package.json'), '{ "type": "module" }')
  write(join(temporary, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [] }))
  for (const example of cases) {
    const { folder, files } = example
    for (const [path, text] of Object.entries(files))
      write(join(folder, 'controllers/api', path), text)
    const err: string[] = []
    const code = await run(['bump'], {
      cwd: folder,
      out: { write: () => true },
      err: { write: (text) => err.push(text) },
    })
    printed.set(example, [code, err.join('')])
  }
})

it('bumps more than 121 folders', () => {
  expect(cases.length).toBeGreaterThan(121)
  const refused = cases.filter((example) => !isDeepStrictEqual(printed.get(example), [0, '']))
  expect(refused.map(({ name }) => name)).toEqual(['a syntax error'])
})

/** Loads each controller for one action at a time, and prints which actions are bound. */
const runner = `
import { bindActions } from '@hv/router/internal'
import { loadControllers } from '@hv/router/controllers'
import { api, get, version } from '@hv/router'
const actions = ['index', 'show', 'create', 'update', 'destroy', 'edit', 'audit', 'find', 'list', 'serialize', 'default']
const store = Object.assign(() => ['stored'], { all: () => ['stored'] })
const boundActions = async ({ folder, version: number, key }) => {
  const bound = []
  for (const action of actions) {
    const routes = api({ vendorString: 'acme' }, version(number, get('it', { to: key + '#' + action })))
    try {
      bindActions(routes, await loadControllers(routes, folder, (Controller) => new Controller(store)))
      bound.push(action)
    } catch (error) {
      if (!String(error.code).startsWith('HV_MISSING')) return error.message
    }
  }
  return bound
}
const loaded = []
for (const controller of JSON.parse(process.argv[2]))
  loaded.push([
    await boundActions(controller),
    await boundActions({ ...controller, version: controller.version + 1 }),
  ])
console.log(JSON.stringify(loaded))
`

it('writes what has the same actions as its predecessor', () => {
  write(join(temporary, 'runner.mjs'), runner)
  const loadable = cases
    .filter(({ isRun, name }) => isRun && name !== 'a syntax error')
    .flatMap(({ name, folder, version, controllers }) =>
      controllers.map((path) => ({
        name: `${name}: ${path}`,
        folder: join(folder, 'controllers'),
        version,
        key: /^v\d+\/(.+)_controller/.exec(path)![1]!,
      })),
    )
    .filter(({ key }) => !key.includes('-')) // a key that no route can have
  const tsx = createRequire(join(root, 'package.json')).resolve('tsx')
  const args = ['--conditions=@hv/source', '--import', tsx, 'runner.mjs']
  const { stdout, stderr } = spawnSync(process.execPath, [...args, JSON.stringify(loadable)], {
    cwd: temporary,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const loaded = JSON.parse(stdout) as readonly (readonly [unknown, unknown])[]
  const compared = loadable.map(({ name }, i) => ({ name, actions: loaded[i] }))
  // The others export no controller, so loadControllers takes neither file.
  const served = compared.filter(({ actions }) => (actions![0] as readonly string[]).length > 0)
  expect(served.length).toBeGreaterThan(230)
  for (const { name, actions } of compared) expect.soft(actions![1], name).toEqual(actions![0])
})

it.each(Object.entries(compilers))('what bump writes compiles under %s', (_name, compile) => {
  const typed = cases.filter(
    (example) => corpus.some(({ name }) => name === example.name) && isTyped(example),
  )
  const withOwnConfig = typed.filter(({ files }) => 'tsconfig.json' in files)
  const bundled = typed.filter(isBundled)
  const include = (examples: readonly { folder: string }[]): readonly string[] =>
    examples.map(({ folder }) => folder)
  write(
    join(temporary, 'nodenext.json'),
    JSON.stringify({
      compilerOptions,
      include: include(
        typed.filter((example) => !withOwnConfig.includes(example) && !bundled.includes(example)),
      ),
    }),
  )
  write(
    join(temporary, 'bundled.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
      include: include(bundled),
    }),
  )
  const projects = [
    join(temporary, 'nodenext.json'),
    join(temporary, 'bundled.json'),
    ...withOwnConfig.map(({ folder }) => join(folder, 'controllers/api/tsconfig.json')),
  ]
  for (const project of projects) expect(compile(project).errors, project).toBe('')
})
