// The packages as a stranger gets them: packed, linted, installed outside the workspace, run and type-checked.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const temp = mkdtempSync(join(tmpdir(), 'hv-install-'))
const packed = join(temp, 'packed')
const app = join(temp, 'app')
const packages = ['router', 'express', 'fastify', 'openapi', 'client', 'cli']
const compilers = { ts54: '5.4.5', ts6: '6.0.3', ts7: '7.0.2' }

const execute = promisify(execFile)
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await execute(command, args, { cwd, env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 2 ** 24 })).stdout
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout: string; stderr: string; message: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error })
  }
}
const pnpm = (cwd: string, ...args: string[]) => run(cwd, 'npx', '--yes', 'pnpm@12.21.0', ...args)

const routes = `api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })))`
const names = 'api, cache, hrefs, inherit, resources, version'
/** Serves both versions by both adapters, and prints what one URL answers. */
const body = (params = '') => `
const routes = ${routes}
const on = (n) => ({ index: (_req, res) => res.send({ v: n }), show: (req, res) => res.send({ v: n, id: req.params.id }) })
const controllers = { 1: { users: on(1) }, 2: { users: on(2) } }
async function main() {
  const server = await new Promise((resolve) => { const s = express().use(createExpress(routes, controllers)).listen(0, '127.0.0.1', () => resolve(s)) })
  const app = fastify()
  app.register(createFastify(routes, controllers))
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const { port } of [server.address(), app.server.address()])
    for (const n of [1, 2]) {
      const answer = await fetch('http://127.0.0.1:' + port + hrefs(routes).users.show({ id: 7 }), { headers: { accept: 'application/vnd.acme+json;version=' + n } })
      console.log(await answer.text())
    }
  try { createExpress(routes, {}) } catch (error) { console.log(error instanceof RouterError, error.code) }
  server.close(); await app.close()
}
main()${params}
`
const answers = '{"v":1,"id":"7"}\n{"v":2,"id":"7"}\n'
const printed = `${answers}${answers}true HV_MISSING_ACTIONS\n`

const esm = (specifier: string) => `import express from 'express'
import fastify from 'fastify'
import { ${names}, RouterError } from '${specifier}'
import { createRouter as createExpress } from '${specifier}-express'
import { createRouter as createFastify } from '${specifier}-fastify'`

const files: Record<string, string> = {
  'esm.mjs': esm('@hv/router') + body(),
  'cjs.cjs': `const express = require('express')
const fastify = require('fastify')
const { ${names}, RouterError } = require('@hv/router')
const { createRouter: createExpress } = require('@hv/router-express')
const { createRouter: createFastify } = require('@hv/router-fastify')${body()}`,
  // A route file written as ES module, an adapter loaded as CommonJS: two copies of the core must agree.
  'mixed.cjs': `const express = require('express')
const fastify = require('fastify')
const { createRouter: createExpress } = require('@hv/router-express')
const { createRouter: createFastify } = require('@hv/router-fastify')
import('@hv/router').then(({ ${names}, RouterError }) => {${body()}})`,
  'controllers/api/v1/users_controller.cjs': 'exports.UsersController = class { index() { return 1 } }',
  'loaded.cjs': `const { api, resources, version } = require('@hv/router')
const { loadControllers } = require('@hv/router/controllers')
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'index' })))
loadControllers(routes, __dirname + '/controllers').then((found) => console.log(found[1].users.index()))`,
  'src/routes.ts': `import { ${names} } from '@hv/router'
export const routes = ${routes}
export const href = hrefs(routes)
`,
  'src/app.ts': `import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { href, routes } from './routes.js'
const url: string = href.users.show({ id: 7 })
const web = express().use(createExpress(routes, {
  1: { users: { index: (_req, res) => res.json(url), show: (req, res) => res.json({ v: 1, id: req.params.id }) } },
  2: { users: { index: (_req, res) => res.json(url), show: (req, res) => res.json({ v: req.apiMatch?.version, id: req.params.id }) } },
}))
const app = fastify()
app.register(createFastify(routes, {
  1: { users: { index: () => url, show: (request) => ({ v: 1, id: request.params.id }) } },
  2: { users: { index: { schema: { querystring: {} }, handler: () => url }, show: (request, reply) => reply.send({ v: request.apiMatch?.version, id: request.params.id }) } },
}))
await app.listen({ port: 0, host: '127.0.0.1' })
const server = web.listen(0, '127.0.0.1', async () => {
  for (const { port } of [server.address() as AddressInfo, app.server.address() as AddressInfo])
    for (const n of [1, 2])
      console.log(await (await fetch(\`http://127.0.0.1:\${port}\${url}\`, { headers: { accept: \`application/vnd.acme+json;version=\${n}\` } })).text())
  server.close()
  await app.close()
})
`,
  'src/common.cts': `import { api, resources, version } from '@hv/router'
export const routes = api({ vendorString: 'acme' }, version(1, resources('users')))
`,
  'bad/bad.ts': `import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'
import { routes } from '../src/routes.js'
const users = { index: () => 1, show: () => 2 }
createExpress(routes, { 1: { users }, 2: { users: { index: () => 1 } } })
createFastify(routes, { 1: { users }, 2: { users: { index: () => 1 } } })
`,
}
const tsconfig = (include: string) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      declaration: true,
      outDir: '../out',
      types: ['node'],
      skipLibCheck: true,
      rootDir: '..',
    },
    include: [include],
  })

let tarballs: string[]
beforeAll(async () => {
  await pnpm(root, '-r', '--filter', './packages/*', 'run', 'build')
  mkdirSync(packed)
  for (const name of packages) await pnpm(join(root, 'packages', name), 'pack', '--pack-destination', packed)
  tarballs = readdirSync(packed).map((name) => join(packed, name))

  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
  for (const [name, text] of Object.entries({
    ...files,
    'src/tsconfig.json': tsconfig('.'),
    'bad/tsconfig.json': tsconfig('.'),
  })) {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), text)
  }
  const aliases = Object.entries(compilers).map(([alias, version]) => `${alias}@npm:typescript@${version}`)
  await run(
    app,
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    ...tarballs,
    'express@5',
    'fastify@5',
    '@types/express@5',
    '@types/node@20',
    ...aliases,
  )
}, 180_000)
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const tsc = (compiler: string, project: string) =>
  run(app, process.execPath, join('node_modules', compiler, 'bin/tsc'), '-p', project)

describe('the packed packages', () => {
  it('are sound by publint and by are-the-types-wrong', async () => {
    expect(tarballs).toHaveLength(packages.length)
    for (const tarball of tarballs) {
      await run(root, process.execPath, 'node_modules/publint/src/cli.js', '--strict', tarball)
      if (tarball.includes('router-cli')) continue // a program: it has no types
      await run(
        root,
        process.execPath,
        'node_modules/@arethetypeswrong/cli/dist/index.js',
        '--profile',
        'node16',
        tarball,
      )
    }
  }, 120_000)

  it.each(['esm.mjs', 'cjs.cjs', 'mixed.cjs'])('serve with Express and Fastify from %s', async (file) => {
    expect(await run(app, process.execPath, file)).toBe(printed)
  })

  it('load controllers by convention', async () => {
    expect(await run(app, process.execPath, 'loaded.cjs')).toBe('1\n')
  })

  it('bring the command line', async () => {
    const hv = (...args: string[]) => run(app, join('node_modules', '.bin', 'hv-router'), ...args)
    expect(await hv('routes', '--for', '2', '--resource', 'users')).toContain('api/v2/users#show   inherited from v1\n')
    expect(await hv('bump', '--dry-run')).toContain('create  controllers/api/v2/users_controller.cjs\n')
    expect(await hv('explain', 'GET', '/api/users/7')).toContain('api/v1/users#show serves the request')
  })

  it.each(Object.keys(compilers))(
    'compile under %s, declarations too, run, and refuse a missing action',
    async (compiler) => {
      rmSync(join(app, 'out'), { recursive: true, force: true })
      await tsc(compiler, 'src')
      expect(await run(app, process.execPath, 'out/src/app.js')).toBe(answers + answers)
      const failure = await tsc(compiler, 'bad').then(
        () => 'it compiles',
        (error: Error) => error.message,
      )
      expect(failure.match(/bad\.ts[(:]\d+/g)).toHaveLength(2)
      expect(failure).toContain("Property 'show' is missing")
    },
    60_000,
  )
})
