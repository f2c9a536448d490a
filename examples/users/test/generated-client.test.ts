// Clients that generators write from the documents of two APIs, with the settings of the guide, against the running services.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { api, became, cache, change, inherit, mediaType, resources, version } from '@hv/router'
import { action, before, createRouter } from '@hv/router-express'
import { openapi } from '@hv/router-openapi'
import express from 'express'
import openapiTS, { astToString } from 'openapi-typescript'
import { generate } from 'orval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compilers } from '../../../tools/compilers.ts'
import { some } from '../../../tools/test-all.ts'
import { buildApp } from '../src/app.ts'
import { routes as userRoutes } from '../src/routes.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

const folder = mkdtempSync(join(tmpdir(), 'users-generated-'))
symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(folder, 'node_modules')) // of what the clients import
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Version = 1 | 2

// ---- the APIs -----------------------------------------------------------------------------------

const routes = api(
  { vendorString: 'books', requireVersion: true },
  version(1, cache({ as: 'v1' }, resources('books', { only: ['index', 'show', 'create'] }))),
  version(2, inherit({ from: 'v1' })),
)
const Titled = z.object({ id: z.int(), title: z.string() }).meta({ id: 'TitledBook' })
const Book = z.object({ id: z.int(), name: z.string() }).meta({ id: 'Book' })
const NewTitled = z.object({ title: z.string().min(1) })
const NewBook = z.object({ name: z.string().min(1) })
const id = z.object({ id: z.coerce.number().int() })
const limit = z.object({ limit: z.coerce.number().int().default(10) })
const books = [{ id: 1, name: 'Emma' }]
const newest = {
  books: {
    index: action({
      schema: { querystring: limit, response: { 200: z.array(Book) } },
      handler: (req, res) => res.json(books.slice(0, req.query.limit)),
    }),
    show: action({
      schema: { params: id, response: { 200: Book } },
      handler: (req, res) => res.json(books.find((book) => book.id === req.params.id)),
    }),
    create: action({
      schema: { body: NewBook, response: { 201: Book } },
      handler: (req, res) =>
        res.status(201).json(books[books.push({ id: books.length + 1, name: req.body.name }) - 1]),
    }),
  },
}
const titlesAreNames = change(
  'The title of a book is its name.',
  became(Titled, Book, { down: ({ id: number, name }) => ({ id: number, title: name }) }),
  became(NewTitled, NewBook, { up: ({ title }) => ({ name: title }) }),
)
const controllers = { 1: before(newest, titlesAreNames), 2: newest }
const startBooks = async () => {
  const server = createServer(express().use(express.json(), createRouter(routes, controllers)))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const documentOf = async (number: Version): Promise<object> =>
    openapi(routes, controllers, { version: number, info: { title: 'Books', version: '1.0.0' } })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documentOf,
    close: () => new Promise((closed) => server.close(closed)),
  }
}

const startUsers = async () => {
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  const app = buildApp(appConfig, { store, tokens })
  app.addHook('onClose', () => store.close())
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const documentOf = async (number: Version): Promise<object> =>
    (await fetch(`${origin}/openapi/v${number}.json`)).json() as Promise<object>
  return { origin, documentOf, close: () => app.close() }
}

// ---- the generators -----------------------------------------------------------------------------

interface Input {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly body?: object
  readonly headers?: object
}
type Result = readonly [status: number, version: string | null, data: unknown]
/** Calls an operation of a generated client. */
type Call = (operationId: string, input?: Input) => Promise<Result>
type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<never>>>
interface Reply {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

interface Generator {
  /** Writes the client of a document to a folder. */
  generate(
    document: string,
    target: string,
    configured: (block: string) => string,
  ): Promise<unknown>
  load(target: string): Promise<Call>
  /** TypeScript: the `data` of the first list of the document, in a module of the folder. */
  listOf(name: string, path: string): string
}

const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/guide/client.md'), 'utf8')
/** The code of the guide that contains a text. */
const blockWith = (text: string): string =>
  [...guide.matchAll(/```(?:js|ts)\n(.*?)```/gs)]
    .map(([, code]) => code!)
    .find((code) => code.includes(text))!

const resultOf = ({ data, error, response }: Reply): Result => [
  response.status,
  response.headers.get('api-version'),
  data ?? error,
]
const camelCase = (operationId: string): string =>
  operationId.replace(/\.(\w)/, (_, letter) => letter.toUpperCase())

const generators: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    async generate(document, target, configured) {
      const runtimeConfigPath = join(target, 'acme-config.js')
      writeFileSync(runtimeConfigPath, configured('createClientConfig ='))
      await createClient({
        input: document,
        output: join(target, 'sdk'),
        logs: { level: 'silent' },
        plugins: [{ name: '@hey-api/client-fetch', runtimeConfigPath }, '@hey-api/sdk'],
      })
    },
    async load(target) {
      const sdk = (await import(join(target, 'sdk/sdk.gen.ts'))) as Methods
      return async (operationId, input = {}) => resultOf(await sdk[camelCase(operationId)]!(input))
    },
    listOf: (name) => `import { ${name}Index } from './sdk/sdk.gen'
const data = (await ${name}Index({})).data!`,
  },
  orval: {
    async generate(document, target, configured) {
      const path = join(target, 'acme-fetch.ts')
      writeFileSync(path, configured('function acmeFetch'))
      const override = { mutator: { path, name: 'acmeFetch' } }
      const output = { target: join(target, 'sdk.ts'), client: 'fetch', override } as const
      await generate({ input: document, output }, target, { logLevel: 'error' })
    },
    async load(target) {
      const sdk = (await import(join(target, 'sdk.ts'))) as Methods
      return async (operationId, { path = {}, query, body, headers } = {}) => {
        const args = [
          ...Object.values(path),
          ...[body, query].filter((one) => one !== undefined),
          { headers },
        ]
        const response = (await sdk[camelCase(operationId)]!(...args)) as Response & {
          readonly data: unknown
        }
        return resultOf({ data: response.data, response })
      }
    },
    listOf: (name) => `import { ${name}Index } from './sdk'
const response = await ${name}Index()
if (response.status !== 200) throw new Error()
const { data } = response`,
  },
  'openapi-fetch': {
    async generate(document, target, configured) {
      writeFileSync(
        join(target, 'paths.d.ts'),
        astToString(await openapiTS(readFileSync(document, 'utf8'))),
      )
      const client = configured("from 'openapi-fetch'").replace(
        'createClient({',
        'createClient<paths>({',
      )
      writeFileSync(
        join(target, 'client.ts'),
        `import type { paths } from './paths.d.ts'\n${client}`,
      )
    },
    async load(target) {
      const { client } = (await import(join(target, 'client.ts'))) as { client: Methods }
      const { paths } = JSON.parse(readFileSync(join(target, 'openapi.json'), 'utf8')) as {
        readonly paths: Readonly<
          Record<string, Readonly<Record<string, { readonly operationId?: string }>>>
        >
      }
      return async (operationId, { path, query, ...init } = {}) => {
        for (const [pattern, item] of Object.entries(paths))
          for (const [method, operation] of Object.entries(item))
            if (operation.operationId === operationId)
              return resultOf(
                await client[method.toUpperCase()]!(pattern, { params: { path, query }, ...init }),
              )
        throw new Error(operationId)
      }
    },
    listOf: (_name, path) => `import { client } from './client'
const data = (await client.GET('${path}', {})).data!`,
  },
}

// ---- the tests ----------------------------------------------------------------------------------

interface Api {
  acceptOf(number: Version): string
  start(): Promise<{
    readonly origin: string
    documentOf(number: Version): Promise<object>
    close(): Promise<unknown>
  }>
  readonly path: string
  /** TypeScript: what only the `data` of version 1 and of version 2 has. */
  readonly members: Readonly<Record<Version, string>>
  /** Expects that the client gets its version. */
  expectUse(call: Call, number: Version, client: string): Promise<void>
}

const apis: Readonly<Record<string, Api>> = {
  users: {
    acceptOf: (number) => mediaType(userRoutes, { version: number }),
    start: startUsers,
    path: '/users',
    members: { 1: 'data[0]!.username', 2: 'data.items[0]!.username' },
    async expectUse(call, number, client) {
      const credentials = { username: `${client}${number}`.replaceAll(/\W/g, ''), password }
      const created = await call('users.create', { body: credentials })
      expect(created).toMatchObject([
        201,
        String(number),
        { data: { insertId: expect.any(Number) } },
      ])
      const { insertId } = (created[2] as { data: { insertId: number } }).data
      expect(await call('users.index')).toMatchObject([
        401,
        String(number),
        { error: 'UNAUTHORIZED' },
      ])

      const { jwt } = (await call('users.login', { body: credentials }))[2] as {
        readonly jwt: string
      }
      const headers = { authorization: `Bearer ${jwt}` }
      const user = { id: insertId, username: credentials.username, name: null }
      const [, , list] = await call('users.index', { query: { limit: '100' }, headers })
      const items = number === 1 ? list : (list as { readonly items: unknown }).items
      expect(items).toContainEqual(expect.objectContaining(user))
      const path = { id: insertId }
      await call('users.update', { path, body: { name: 'Dora' }, headers })
      expect((await call('users.show', { path, headers }))[2]).toMatchObject({
        ...user,
        name: 'Dora',
      })
      expect((await call('users.destroy', { path, headers }))[2]).toMatchObject({
        data: { affectedRows: 1 },
      })
    },
  },
  'books, with zod': {
    acceptOf: (number) => mediaType(routes, { version: number }),
    start: startBooks,
    path: '/api/books',
    members: { 1: 'data[0]!.title', 2: 'data[0]!.name' },
    async expectUse(call, number) {
      const field = number === 1 ? 'title' : 'name'
      const emma = { id: 1, [field]: 'Emma' }
      expect(await call('books.index', { query: { limit: 1 } })).toEqual([
        200,
        String(number),
        [emma],
      ])
      expect(await call('books.show', { path: { id: 1 } })).toEqual([200, String(number), emma])
      expect(await call('books.create', { body: { [field]: 'Persuasion' } })).toEqual([
        201,
        String(number),
        { id: books.length, [field]: 'Persuasion' },
      ])
    },
  },
}

for (const [name, { path, members, expectUse, ...tested }] of some(Object.entries(apis), 1))
  // In order, because the types are those of the clients that were called.
  describe(`the API of ${name}`, { shuffle: false }, () => {
    let started: Awaited<ReturnType<Api['start']>>
    beforeAll(async () => {
      started = await tested.start()
    })
    afterAll(() => started.close())

    const clients = Object.entries(generators).flatMap(([client, generator]) =>
      ([1, 2] as const).map((number) => ({
        client,
        generator,
        number,
        target: join(folder, name.replace(/\W.*/, ''), client.replaceAll(/\W/g, ''), `v${number}`),
      })),
    )

    it.each(clients)(
      '$client: a client of version $number gets it',
      async ({ client, generator, number, target }) => {
        mkdirSync(target, { recursive: true })
        const document = join(target, 'openapi.json')
        writeFileSync(document, JSON.stringify(await started.documentOf(number)))
        const accept = tested.acceptOf(number)
        await generator.generate(document, target, (text) =>
          blockWith(text)
            .replace('https://api.acme.example', started.origin)
            .replace('application/vnd.acme+json;version=2', accept),
        )
        await expectUse(await generator.load(target), number, client)
      },
    )

    it('types them for that version only', () => {
      for (const { generator, number, target } of clients)
        writeFileSync(
          join(target, 'use.ts'),
          `${generator.listOf(path.split('/').at(-1)!, path)}
export const text: string = ${members[number]}
// @ts-expect-error: of the other version
export const other: string = ${members[number === 1 ? 2 : 1]}
`,
        )
      const project = join(folder, name.replace(/\W.*/, ''), 'tsconfig.json')
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowJs: true,
        allowImportingTsExtensions: true,
        target: 'es2023',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        types: [],
      }
      writeFileSync(project, JSON.stringify({ compilerOptions, include: ['**/use.ts'] }))
      for (const compile of Object.values(compilers)) expect(compile(project).errors).toBe('')
    })
  })
