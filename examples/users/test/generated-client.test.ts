// Clients that @hey-api/openapi-ts generates from the documents, against the running service.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { mediaType } from '@hv/router'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { routes } from '../src/routes.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

const folder = mkdtempSync(join(tmpdir(), 'users-generated-'))
let app: FastifyInstance
let origin: string
beforeAll(async () => {
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  app = buildApp(appConfig, { store, tokens })
  app.addHook('onClose', () => store.close())
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

type Call = (
  options: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>
type Sdk = Readonly<
  Record<'usersCreate' | 'usersLogin' | 'usersIndex' | 'usersShow' | 'usersUpdate' | 'usersDestroy', Call>
>

it.each([
  [1, (user: object) => [user]],
  [2, (user: object) => ({ items: [user], next: null })],
])(
  'version %i: creates, logs in, lists, shows, changes and deletes a user',
  async (version, listOf) => {
    const output = join(folder, `v${version}`)
    const headers = JSON.stringify({ Accept: mediaType(routes, { version }) })
    const runtimeConfigPath = join(folder, `v${version}-config.ts`)
    writeFileSync(
      runtimeConfigPath,
      `export const createClientConfig = (config) => ({ ...config, headers: ${headers} })`,
    )
    await createClient({
      input: `${origin}/openapi/v${version}.json`,
      output,
      logs: { level: 'silent' },
      plugins: [{ name: '@hey-api/client-fetch', runtimeConfigPath }, '@hey-api/sdk'],
    })
    const sdk = (await import(join(output, 'sdk.gen.ts'))) as Sdk
    const { client } = (await import(join(output, 'client.gen.ts'))) as { client: { setConfig(config: object): void } }
    expect(Object.keys(sdk)).toHaveLength(6)

    let auth = ''
    client.setConfig({ baseUrl: origin, auth: () => auth })
    const credentials = { username: `user${version}`, password }
    const { data: created, response } = await sdk.usersCreate({ body: credentials })
    expect([response.status, response.headers.get('api-version')]).toEqual([201, String(version)])
    const id = (created as { data: { insertId: number } }).data.insertId
    expect((await sdk.usersIndex({})).error).toMatchObject({ error: 'UNAUTHORIZED' })

    auth = ((await sdk.usersLogin({ body: credentials })).data as { jwt: string }).jwt
    const user = { id, username: credentials.username, name: null }
    expect((await sdk.usersIndex({ query: { limit: '1' } })).data).toMatchObject(listOf(user))
    await sdk.usersUpdate({ path: { id }, body: { name: 'Dora' } })
    expect((await sdk.usersShow({ path: { id } })).data).toMatchObject({ ...user, name: 'Dora' })
    expect((await sdk.usersDestroy({ path: { id } })).data).toMatchObject({ data: { affectedRows: 1 } })
  },
  60_000,
)
