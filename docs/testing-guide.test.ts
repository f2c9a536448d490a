// Runs the tests that the testing guide shows, and checks that each of them finds what it's for.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { blocksOf } from '../tools/pages.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs/.recipes') // below docs, whose dependencies the recipes import
const { CI: _ci, VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env
const files = new Map(
  blocksOf('docs/guide/testing-versioned-apis.md').flatMap(({ file, text }) =>
    file === undefined ? [] : [[file, text] as const],
  ),
)
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
/** Runs Node in the folder of the recipes, with our packages' sources. Returns all that it prints. */
function run(...args: string[]): string {
  const node = ['--conditions=@hv/source', ...args]
  const { stdout, stderr } = spawnSync(process.execPath, node, {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return stdout + stderr
}
const runner = join(root, 'node_modules/vitest/vitest.mjs')
const vitest = (...args: string[]): string =>
  run(runner, 'run', '--no-color', 'snapshots', 'changes', ...args)

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [file, text] of files) write(file, text)
  const conditions = ['@hv/source', 'module', 'node', 'development|production']
  write('package.json', '{ "type": "module" }')
  write(
    'vitest.config.js',
    `export default { ssr: { resolve: { conditions: ${JSON.stringify(conditions)} } } }`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("finds a response that differs, and a value that a change can't convert", () => {
  const first = vitest('--update')
  expect(first).toMatch(/Snapshots +6 written/)
  expect(first).toContain('FAIL  changes.test.js > shows older clients every user')
  expect(first).toMatch(/"addresses": (?:Array )?\[\]/)

  write('app.ts', files.get('app.ts')!.replace("name: 'Dora'", "name: 'DORA'"))
  write('changes.ts', files.get('changes.ts')!.replace('z.array(z.string())', '$&.min(1)'))
  const second = vitest()
  expect(second).toContain("FAIL  snapshots.test.js > version 1 > 'show'")
  expect(second).toMatch(/Tests +1 failed \| 6 passed/)
})

it('finds a missing action by importing the app', () => {
  const appWith = (actions: string): string => `
    import { api, resources, version } from '@hv/router'
    import { createRouter } from '@hv/router-fastify'
    import fastify from 'fastify'
    const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))
    export const app = fastify()
    app.register(createRouter(routes, { 1: { users: ${actions} } }))`
  const test = ['--import', 'tsx', '--test-reporter=tap', 'controllers.test.js']
  write('app.js', appWith('{}'))
  expect(run(...test)).toContain('HV_MISSING_ACTIONS')
  write('app.js', appWith('{ show: () => null }'))
  expect(run(...test)).toContain('# pass 1')
})
