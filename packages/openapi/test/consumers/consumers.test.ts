// Tools that read our documents, installed on demand, with what the client guide says about them.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { api, inherit, resources, version } from '@hv/router'
import { ajvValidator, createRouter } from '@hv/router-express'
import { Ajv } from 'ajv'
import express, { type Request, type Response } from 'express'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../../tools/packed.ts'
import { installOnce } from '../../../../tools/runtimes.ts'
import { openapi } from '../../src/index.ts'

const minutes = 60_000
const guide = readFileSync(join(root, 'docs/guide/client.md'), 'utf8')

const only = ['show', 'create'] as const
const routes = api(
  { vendorString: 'acme', requireVersion: true },
  version(1, resources('users', { only })),
  version(2, inherit({ from: 1 })),
)
/** A version's controllers, in which a user's name is called `field`. User 9's has the wrong type. */
function controllersOf(field: string) {
  const name = { [field]: { type: 'string' } }
  const user = { id: { type: 'integer' }, ...name }
  const User = { $id: 'User', type: 'object', required: ['id', field], properties: user }
  const NewUser = { type: 'object', required: [field], properties: name }
  return {
    users: {
      show: {
        schema: { response: { 200: User } },
        handler: ({ params }: Request, res: Response) =>
          res.json({ id: 7, [field]: params['id'] === '9' ? 9 : 'Ada' }),
      },
      create: {
        schema: { body: NewUser, response: { 201: User } },
        handler: ({ body }: Request, res: Response) => res.status(201).json({ id: 8, ...body }),
      },
    },
  }
}
const controllers = { 1: controllersOf('name'), 2: controllersOf('fullName') }
const fieldOf = { 1: 'name', 2: 'fullName' } as const
const acceptOf = (number: number) => `application/vnd.acme+json;version=${number}`

/** Writes a version's document into a folder that's removed after the test. */
function writeDocument(number: 1 | 2, modules: string) {
  const folder = mkdtempSync(join(modules, '../client-')) // finds the installed packages
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const info = { title: 'Acme', version: '1.0.0' }
  const document = openapi(routes, controllers as never, { version: number, info })
  const path = join(folder, 'openapi.json')
  writeFileSync(path, JSON.stringify(document))
  return { folder, path, document }
}

async function start(...middleware: readonly express.RequestHandler[]): Promise<string> {
  const router = createRouter(routes, controllers as never, { validator: ajvValidator(new Ajv()) })
  const app = express().use(express.json(), ...middleware, router)
  app.use(((error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ message: error.message })
  }) as express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return originOf(server)
}
const originOf = (server: { address(): unknown }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

describe.each([1, 2] as const)('the document of version %i', (number) => {
  const field = fieldOf[number]
  const accept = acceptOf(number)

  it(
    'openapi-zod-client: its client gets this version, and types it',
    async () => {
      const modules = await installOnce([
        'openapi-zod-client@1.18.3',
        '@zodios/core@10.9.6',
        'axios@1.13.2',
        'zod@3.25.76',
      ])
      const { folder, path } = writeDocument(number, modules)
      const [, expression] = /--media-type-expr "(.+)"/.exec(guide)!
      const args = [path, '-o', join(folder, 'client.ts'), '--media-type-expr', expression!]
      await promisify(execFile)(join(modules, '.bin/openapi-zod-client'), args)
      const outfile = join(folder, 'client.mjs')
      const source = readFileSync(join(folder, 'client.ts'), 'utf8')
      expect(source.match(/response: User,/g)).toHaveLength(2)
      const { outputText } = transpileModule(source, {
        compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
      })
      writeFileSync(outfile, outputText)
      const { createApiClient } = await import(outfile)
      const client = createApiClient(await start(), {
        axiosConfig: { headers: { Accept: accept } },
      })
      expect(await client['users.show']({ params: { id: '7' } })).toEqual({ id: 7, [field]: 'Ada' })
      expect(await client['users.create']({ [field]: 'Eve' })).toEqual({ id: 8, [field]: 'Eve' })
    },
    5 * minutes,
  )

  it(
    'Prism: mocks this version for its Accept header',
    async () => {
      const modules = await installOnce(['@stoplight/prism-cli@5.9.0'])
      const { path } = writeDocument(number, modules)
      const origin = await startPrism(modules, path)
      const shown = await fetch(`${origin}/api/users/7`, { headers: { accept } })
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, accept])
      expect(await shown.json()).toMatchObject({ [field]: expect.any(String) })
      const headers = { accept, 'content-type': 'application/json' }
      const create = async (body: object) => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${origin}/api/users`, init)).status
      }
      expect([await create({ [field]: 'Eve' }), await create({})]).toEqual([201, 400])
      const json = { accept: 'application/json' }
      expect((await fetch(`${origin}/api/users/7`, { headers: json })).status).toBe(406)
    },
    5 * minutes,
  )

  it(
    'express-openapi-validator: checks requests, but no responses',
    async () => {
      const modules = await installOnce(['express-openapi-validator@5.6.2'])
      const { document } = writeDocument(number, modules)
      const { middleware } = createRequire(join(modules, 'x.js'))('express-openapi-validator')
      const apiSpec = structuredClone(document)
      const origin = await start(middleware({ apiSpec, validateResponses: true }))
      const create = async (body: object) => {
        const headers = { accept, 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${origin}/api/users`, init)).status
      }
      expect([await create({ [field]: 'Eve' }), await create({})]).toEqual([201, 400])
      const wrong = await fetch(`${origin}/api/users/9`, { headers: { accept } })
      expect([wrong.status, await wrong.json()]).toEqual([200, { id: 7, [field]: 9 }])
      expect(guide).toContain('express-openapi-validator')
    },
    5 * minutes,
  )
})

async function startPrism(modules: string, path: string): Promise<string> {
  const free: Server = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const origin = originOf(free)
  await new Promise((closed) => free.close(closed))
  const args = ['mock', path, '--host', '127.0.0.1', '--port', new URL(origin).port]
  const prism: ChildProcess = spawn(join(modules, '.bin/prism'), args, { stdio: 'ignore' })
  onTestFinished(() => void prism.kill())
  while (prism.exitCode === null) {
    const isUp = await fetch(origin).catch(() => null)
    if (isUp !== null) return origin
    await wait(100)
  }
  throw new Error(`Prism exited with ${prism.exitCode}.`)
}
