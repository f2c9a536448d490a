// What bump writes compiles under both compilers and answers requests for the new version, through both adapters.
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'
import { some } from '../../../../tools/test-all.ts'
import { createProject } from '../project.ts'

const packages = resolve(import.meta.dirname, '../../..')
const root = resolve(packages, '..')

const routes = (importing: string, exporting: string) => `${importing}
const users = resources('users', { only: ['index', 'show'] })
${exporting} api({ vendorString: 'acme' }, version(1, users, namespace('admin', resources('keys', { only: 'show' }))))
`
const words = 'api, inherit, namespace, resources, version'

/** Serves what `routes` exports by both adapters, and prints what version 2 answers. */
const serve = (extension: string) => `
import express from ${JSON.stringify(join(packages, 'express/node_modules/express/index.js'))}
import fastify from ${JSON.stringify(join(packages, 'fastify/node_modules/fastify/fastify.js'))}
import { loadControllers } from '@hv/router/controllers'
import { createRouter as onExpress } from '@hv/router-express'
import { createRouter as onFastify } from '@hv/router-fastify'
import * as file from './src/routes.${extension}'
const routes = file.routes ?? file.default.routes ?? file.default
const controllers = await loadControllers(routes, new URL('./src/controllers/', import.meta.url))
const app = fastify()
app.register(onFastify(routes, controllers))
await app.listen({ port: 0, host: '127.0.0.1' })
const server = express().use(onExpress(routes, controllers)).listen(0, '127.0.0.1', async () => {
  for (const { port } of [server.address(), app.server.address()])
    for (const path of ['/api/users', '/api/users/7', '/api/admin/keys/8']) {
      const answer = await fetch('http://127.0.0.1:' + port + path, { headers: { accept: 'application/vnd.acme+json;version=2' } })
      console.log(answer.status, answer.headers.get('api-version'), await answer.text())
    }
  server.close()
  await app.close()
})
`
const answers = ['200 2 {"list":[]}', '200 2 {"id":"7"}', '200 2 {"key":"8"}']

const typed = (extension: string) => ({
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      customConditions: ['@hv/source'],
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
    },
    include: ['src'],
  }),
  'package.json': '{ "type": "module" }',
  'src/routes.ts': routes(`import { ${words} } from '@hv/router'`, 'export const routes ='),
  'src/list.ts': 'export const list = (): { list: string[] } => ({ list: [] })\n',
  'src/controllers/api/v1/users_controller.ts': `import { list } from '../../../list.${extension}'

interface Answer {
  send(body: unknown): unknown
}

export class UsersController {
  index(_request: unknown, answer: Answer): unknown {
    return answer.send(list())
  }
  show(request: { params: unknown }, answer: Answer): unknown {
    return answer.send({ id: (request.params as { id: string }).id })
  }
}
`,
  'src/controllers/api/v1/admin/keys_controller.ts': `interface Answer {
  send(body: unknown): unknown
}

export default class KeysController {
  show(request: { params: unknown }, answer: Answer): unknown {
    return answer.send({ key: (request.params as { id: string }).id })
  }
}
`,
  // The map that a typed app writes: the compiler checks what bump wrote against the routes.
  'src/app.ts': `import { createRouter } from '@hv/router-fastify'
import { routes } from './routes.${extension}'
import { UsersController as Users1 } from './controllers/api/v1/users_controller.${extension}'
import { UsersController as Users2 } from './controllers/api/v2/users_controller.${extension}'
import Keys1 from './controllers/api/v1/admin/keys_controller.${extension}'
import Keys2 from './controllers/api/v2/admin/keys_controller.${extension}'
export const plugin = createRouter(routes, {
  1: { users: new Users1(), 'admin/keys': new Keys1() },
  2: { users: new Users2(), 'admin/keys': new Keys2() },
})
`,
})
const controller = (name: string, show: string, index = '') => `class ${name} {
  ${index}show(request, answer) {
    return answer.send({ ${show}: request.params.id })
  }
}
`
const index = 'index(_request, answer) {\n    return answer.send({ list: [] })\n  }\n  '

const styles: [what: string, files: Record<string, string>, routesExtension: string][] = [
  ['TypeScript with .js imports', typed('js'), 'ts'],
  ['TypeScript with .ts imports', typed('ts'), 'ts'],
  [
    'JavaScript modules',
    {
      'package.json': '{ "type": "module" }',
      'src/routes.js': routes(`import { ${words} } from '@hv/router'`, 'export const routes ='),
      'src/controllers/api/v1/users_controller.js': `export ${controller('UsersController', 'id', index)}`,
      'src/controllers/api/v1/admin/keys_controller.js': `export default ${controller('KeysController', 'key')}`,
    },
    'js',
  ],
  [
    'CommonJS',
    {
      'package.json': '{ "type": "commonjs" }',
      'src/routes.js': routes(`const { ${words} } = require('@hv/router')`, 'exports.routes ='),
      'src/controllers/api/v1/users_controller.js': `${controller('UsersController', 'id', index)}\nmodule.exports = { UsersController }\n`,
      'src/controllers/api/v1/admin/keys_controller.js': `module.exports = ${controller('KeysController', 'key')}`,
    },
    'js',
  ],
]

describe.each(some(styles, 1))('%s', (_what, files, extension) => {
  it('is bumped, compiles, and answers version 2', async () => {
    const project = createProject({ ...files, 'serve.mjs': serve(extension) })
    const { code, out, err } = await project.hv('bump')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('create  src/controllers/api/v2/admin/keys_controller')
    expect(await project.hv('check')).toMatchObject({ code: 0 })

    const run = spawnSync(
      process.execPath,
      [
        '--conditions=@hv/source',
        '--import',
        createRequire(join(root, 'package.json')).resolve('tsx'),
        'serve.mjs',
      ],
      {
        cwd: project.folder,
        encoding: 'utf8',
      },
    )
    expect(run.stderr).toBe('')
    expect(run.stdout.trim().split('\n')).toEqual([...answers, ...answers])

    if (files['tsconfig.json'] === undefined) return
    symlinkSync(
      dirname(
        createRequire(join(packages, 'fastify/package.json')).resolve('fastify/package.json'),
      ),
      join(project.folder, 'node_modules/fastify'),
    )
    for (const [name, compile] of Object.entries(compilers))
      expect(compile(join(project.folder, 'tsconfig.json')).errors, name).toBe('')
  })
})
