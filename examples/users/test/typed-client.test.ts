// @hv/router-client against the running service, with its controllers' types.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClientError, createClient, typesOf } from '@hv/router-client'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import type { createUsersController } from '../controllers/api/v1/users_controller.ts'
import type { UsersController } from '../controllers/api/v2/users_controller.ts'
import { buildApp } from '../src/app.ts'
import { routes } from '../src/routes.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'
import { password } from './client.ts'
import { tokens } from './services.ts'

interface Controllers {
  1: { users: ReturnType<typeof createUsersController> }
  2: { users: UsersController }
}
const folder = mkdtempSync(join(tmpdir(), 'users-client-'))
let app: FastifyInstance
let baseUrl: string
beforeAll(async () => {
  const store = openSqliteStore(join(folder, 'users.db'))
  await store.migrate()
  app = buildApp(appConfig, { store, tokens })
  app.addHook('onClose', () => store.close())
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

it('creates, logs in, lists, changes and deletes users in both versions', async () => {
  let token = ''
  const clientOf = <const V extends 1 | 2>(version: V) =>
    createClient(routes, {
      baseUrl,
      version,
      types: typesOf<Controllers>,
      headers: () => (token === '' ? {} : { authorization: `Bearer ${token}` }),
    })
  const [one, two] = [clientOf(1), clientOf(2)]

  const refused = await one.users.index().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ClientError)
  expect(refused).toMatchObject({ status: 401, problem: null, body: { error: 'UNAUTHORIZED' } })

  const created = await one.users.create.result({ body: { username: 'dora', password } })
  if (created.error !== null) throw created.error
  expect(created.response.headers.get('location')).toBe(`/users/${created.data.data.insertId}`)
  token = (await two.users.login({ body: { username: 'dora', password } })).jwt

  expect(await one.users.index({ query: { limit: '1' } })).toMatchObject([{ username: 'dora' }])
  const { items, next } = await two.users.index({ query: { limit: '1' } })
  expectTypeOf(items[0]!.username).toEqualTypeOf<string>()
  expect([items, next]).toMatchObject([[{ username: 'dora' }], null])
  await two.users.update({ id: '1', body: { name: 'Dora' } })
  const user = await one.users.show({ id: 1 })
  expectTypeOf(user).toEqualTypeOf<{
    id: number
    username: string
    name: string | null
    createdAt: string
    updatedAt: string
  }>()
  expect(user.name).toBe('Dora')
  expect((await one.users.destroy({ id: 1 })).data.affectedRows).toBe(1)
})
