// Ways in which a project can be broken: each is blamed on the file that has it.
import { expect, it } from 'vitest'
import { some } from '../../../tools/test-all.ts'
import { createProject } from './project.ts'

const routes = `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users')))
`
const bundle = `var ${'x'.repeat(50_000)}=1;`
const packageOf = (text: string) => ({
  'node_modules/p/package.json': '{ "name": "p", "main": "index.js" }',
  'node_modules/p/index.js': bundle + text,
  'src/routes.ts': `import 'p'\n${routes}`,
})
const failed = "error: src/routes.ts couldn't be loaded: "

it.each<[what: string, files: Record<string, string>]>([
  ['extends a file that is generated later', { 'tsconfig.json': '{ "extends": "./gone.json" }' }],
  ["extends a package that isn't there", { 'tsconfig.json': '{ "extends": "@tsconfig/gone" }' }],
  [
    'extends itself',
    {
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': '{ "extends": "./tsconfig.json" }',
    },
  ],
  ['extends a number', { 'tsconfig.json': '{ "extends": 7 }' }],
  ['extends nothing', { 'tsconfig.json': '{ "extends": [null] }' }],
  ['is a folder', { 'tsconfig.json/text': '' }],
  ['has odd paths', { 'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": 7 } } }' }],
  ['has a syntax error', { 'tsconfig.json': '{ nope' }],
  ['is broken beside the route file', { 'src/tsconfig.json': '{ "extends": "./gone.json" }' }],
  [
    'is broken in a folder that is imported',
    {
      'lib/tsconfig.json': '{ "extends": "./gone.json" }',
      'lib/names.ts': 'export const x: number = 1\n',
      'src/routes.ts': `import '../lib/names.ts'\n${routes}`,
    },
  ],
])('a tsconfig.json %s, and the route file loads as it does in tsx', async (_what, files) => {
  const { hv } = createProject({ 'src/routes.ts': routes, ...files })
  expect(await hv('routes', '--json')).toMatchObject({ code: 0, err: '' })
})

it.each<[what: string, files: Record<string, string>, err: string | RegExp]>([
  [
    "an alias whose tsconfig.json can't be read",
    {
      'tsconfig.json': '{ "extends": "./gone.json" }',
      'src/routes.ts': `import '@/names'\n${routes}`,
    },
    `${failed}Cannot find module '@/names' (src/routes.ts:1)\n  Its tsconfig.json can't be read: File './gone.json' not found.\n`,
  ],
  [
    "an import of a file that isn't there",
    { 'src/names.ts': "import './gone.js'\n", 'src/routes.ts': `import './names.js'\n${routes}` },
    `${failed}Cannot find module './gone.js' (src/names.ts:1)\n`,
  ],
  [
    "an import of a package that isn't installed",
    { 'src/names.ts': "import 'gone'\n", 'src/routes.ts': `import './names.js'\n${routes}` },
    `${failed}Cannot find module 'gone' (src/names.ts:1)\n`,
  ],
  [
    'an error as an imported file runs',
    {
      'src/env.ts': "interface Env {\n  url: string\n}\nthrow new Error('no DATABASE_URL')\n",
      'src/routes.ts': `import './env.js'\n${routes}`,
    },
    `${failed}no DATABASE_URL (src/env.ts:4)\n`,
  ],
  [
    'an error of several lines',
    { 'src/routes.ts': "throw new Error('Invalid environment:\\n    PORT\\n    URL')" },
    `${failed}Invalid environment: (src/routes.ts:1)\n  PORT\n  URL\n`,
  ],
  [
    'a syntax error in an imported file',
    { 'src/names.ts': '\nconst a = ;\n', 'src/routes.ts': `import './names.js'\n${routes}` },
    `${failed}Unexpected token (src/names.ts:2)\n`,
  ],
  [
    'a JSON file with a syntax error',
    {
      'src/names.json': '{ nope',
      'src/routes.ts': `import names from './names.json'\n${routes}console.log(names)\n`,
    },
    /^error: src\/routes\.ts couldn't be loaded: .*\/src\/names\.json: .*JSON/,
  ],
  [
    'a bundled package that throws',
    packageOf("throw new Error('p failed')"),
    `${failed}p failed (node_modules/p/index.js:1)\n`,
  ],
  [
    'a bundled package with a syntax error',
    packageOf('const a = ;'),
    `${failed}Unexpected token (node_modules/p/index.js:1)\n`,
  ],
  [
    'a package whose error quotes its source',
    packageOf("throw new Error('y'.repeat(90000))"),
    `${failed}${'y'.repeat(300)}… (node_modules/p/index.js:1)\n`,
  ],
  [
    "a package whose main file isn't there",
    {
      'node_modules/p/package.json': '{ "name": "p", "main": "gone.js" }',
      'src/routes.ts': `import 'p'\n${routes}`,
    },
    /^error: src\/routes\.ts couldn't be loaded: Cannot find module '.*\/p\/gone\.js'/,
  ],
  [
    'controllers that a circular import left undefined',
    {
      'src/routes.ts': `${routes}import { bindActions } from '@hv/router/internal'\nbindActions(routes, { 1: undefined })\n`,
    },
    "error: HV_MISSING_ACTIONS: the routes require actions that the controllers don't have:\n  controllers[1].users (undefined: look for a circular import)\n  Add each",
  ],
])('%s is told with its place', async (_what, files, expected) => {
  const { hv } = createProject(files)
  const { code, out, err } = await hv('routes', '--json')
  expect([code, out]).toEqual([2, ''])
  if (typeof expected === 'string') expect(err.slice(0, expected.length)).toBe(expected)
  else expect(err).toMatch(expected)
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(10)
  expect(err.length).toBeLessThan(1_000)
})

const uncaught: [what: string, text: string][] = [
  ['that nobody catches', "setTimeout(() => { throw new Error('p failed') })"],
  ['of a promise that nobody awaits', "void Promise.reject(new Error('p failed'))"],
]
it.each(some(uncaught, 1))("an error %s is told without the package's source", (_what, text) => {
  const files = packageOf(text)
  const waiting = `${files['src/routes.ts']}await new Promise((done) => setTimeout(done, 5_000))\n`
  const { hvProcess } = createProject({ ...files, 'src/routes.ts': waiting })
  const { code, out, err } = hvProcess('routes')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^error: Error: p failed\n {2}at .*node_modules\/p\/index\.js:1/)
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(10)
  expect(err.length).toBeLessThan(3_000)
})
