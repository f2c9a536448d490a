import { describe, expect, it } from 'vitest'
import { createProject, routesFile } from './project.ts'

const declare = (name: string) =>
  `export ${name} api({ vendorString: 'acme' }, version(1, resources('users')))\n`
const words = "import { api, resources, version } from '@hv/router'\n"

describe("a route file that can't be taken gives one clear message", () => {
  it.each<[what: string, text: string, message: string]>([
    [
      'a syntax error',
      'export const routes = api(',
      "src/routes.ts couldn't be loaded: Unexpected token (src/routes.ts:1)\n",
    ],
    [
      'a syntax error in a file that it imports',
      "import './other.ts'",
      "src/routes.ts couldn't be loaded: Unexpected token (src/other.ts:2)\n",
    ],
    [
      'an error as it runs',
      `throw new Error('no database')`,
      "src/routes.ts couldn't be loaded: no database",
    ],
    ['a thrown text', `throw 'nothing'`, "src/routes.ts couldn't be loaded: nothing"],
    [
      'a missing import',
      `import './nowhere.js'`,
      "src/routes.ts couldn't be loaded: Cannot find module",
    ],
    [
      'no export',
      `${words}const routes = 1`,
      'src/routes.ts exports no API. Export what api() returns: export const routes = api(…).',
    ],
    [
      'nothing that is an API',
      'export const routes = { options: {} }\nexport default 1',
      'src/routes.ts exports no API.',
    ],
    ...[
      'undefined',
      '7',
      "'text'",
      '() => {}',
      '[]',
      'class {}',
      'Promise.resolve(7)',
      'Symbol()',
    ].map((value): [what: string, text: string, message: string] => [
      `export default ${value}`,
      `export default ${value}`,
      'src/routes.ts exports no API. Export what api() returns: export const routes = api(…).',
    ]),
    ...['null', 'undefined', '7', '() => {}', '[]'].map(
      (value): [what: string, text: string, message: string] => [
        `module.exports = ${value}`,
        `module.exports = ${value}`,
        'src/routes.ts exports no API.',
      ],
    ),
    [
      'two APIs',
      `${words}${declare('const one =')}${declare('const two =')}`,
      'src/routes.ts exports 2 APIs: one, two. Keep each in a file of its own, and choose one with --routes <file>.',
    ],
    [
      'what api() refuses',
      `${words}export const routes = api({ vendorString: 'acme', defaultVersion: 7 }, version(1, resources('users')))`,
      'HV_DEFAULT_VERSION: defaultVersion is 7',
    ],
  ])('%s', async (_what, text, message) => {
    const { hv } = createProject({ 'src/routes.ts': text, 'src/other.ts': '\nconst a = ;\n' })
    for (const command of [['routes'], ['diff', '1', '2'], ['explain', 'GET', '/']]) {
      const { code, out, err } = await hv(...command)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`error: ${message}`)
      expect(err.trim().split('\n')).toHaveLength(1)
    }
  })

  it('no file at all', async () => {
    const { hv } = createProject({ 'x.ts': '' })
    expect(await hv('routes')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /no route file found\. Looked for src\/routes,.* Pass yours with --routes <file>, or write one with init\.$/m,
      ),
    })
  })
})

describe('a route file is found and loaded', () => {
  it.each<[path: string, text: string]>([
    ['src/routes.ts', routesFile],
    [
      'routes.ts',
      `enum Kind { A = 'users' }\n${words}${declare('const routes =').replace("'users'", 'Kind.A')}`,
    ],
    ['routes.mts', words + declare('default')],
    ['app/routes.js', words + declare('const anything =')],
    ['config/routes.mjs', `${words}${declare('const routes =')}export default routes`],
    [
      'routes.cjs',
      `const { api, resources, version } = require('@hv/router')\nmodule.exports = api({ vendorString: 'acme' }, version(1, resources('users')))`,
    ],
    [
      'src/routes.cjs',
      `const { api, resources, version } = require('@hv/router')\nexports.routes = api({ vendorString: 'acme' }, version(1, resources('users')))`,
    ],
  ])('%s', async (path, text) => {
    const { hv } = createProject({ [path]: text })
    const { code, err } = await hv('routes', '--json')
    expect([code, err]).toEqual([0, ''])
  })

  it('with helpers that are written in TypeScript, and imported as .js', async () => {
    const { hv } = createProject({
      'src/names.ts': "export const name: 'users' = 'users'\n",
      'src/routes.ts': `import { name } from './names.js'\n${words}${declare('const routes =').replace("'users'", 'name')}`,
    })
    expect((await hv('routes')).out).toMatch(/ \/api\/users\/new +users#new /)
  })

  it('with a CommonJS file that it imports', async () => {
    const { hv } = createProject({
      'src/names.cjs': "module.exports = { users: 'people' }\n",
      'src/routes.ts': `import names, { users } from './names.cjs'\n${words}export const routes = api({ vendorString: 'acme', only: 'index' }, version(1, resources(names.users)), version(2, resources(users)))\n`,
    })
    const { out } = await hv('routes')
    expect(out.match(/people#index/g)).toHaveLength(2)
  })
})
