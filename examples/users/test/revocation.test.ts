// A token that's revoked, or a role that's taken, counts at once: also for requests that have already begun.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { appConfig } from './app-config.ts'
import { bearer, holdBody, password, register, send } from './client.ts'
import { tokens } from './services.ts'
import { describeStores, userOf } from './stores.ts'

describeStores('revocation', (open) => {
  let store: UserStore
  let app: FastifyInstance
  let origin: string
  let admin: { id: number; jwt: string }
  beforeAll(async () => {
    store = await open()
    await store.migrate()
    app = buildApp(appConfig, { store, tokens })
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
    admin = await register(origin, 'root')
    await store.setRole(admin.id, 'admin')
  })
  afterAll(() => app.close())

  const loginStatus = async (username: string, pass: string) =>
    (await send(origin, 'POST', '/users/login', { username, password: pass })).status

  it('refuses a request whose body arrives after a password change', async () => {
    const { id, jwt } = await register(origin, 'victim')
    const theft = { password: 'thief password', currentPassword: password }
    const held = holdBody(origin, 'PUT', `/users/${id}`, jwt, theft)
    await wait(100)
    const change = { password: 'a safer password', currentPassword: password }
    expect((await send(origin, 'PUT', `/users/${id}`, change, bearer(jwt))).status).toBe(200)
    expect(await held.finish()).toBe(401)
    expect(await loginStatus('victim', 'a safer password')).toBe(200)
  })

  it('refuses a request whose body arrives after its sender was deleted', async () => {
    const target = await register(origin, 'target')
    const deleted = await register(origin, 'deleted')
    await store.setRole(deleted.id, 'admin')
    const held = holdBody(origin, 'PUT', `/users/${target.id}`, deleted.jwt, {
      password: 'thief password',
    })
    await wait(100)
    expect(
      (await send(origin, 'DELETE', `/users/${deleted.id}`, undefined, bearer(admin.jwt))).status,
    ).toBe(200)
    expect(await held.finish()).toBe(401)
    expect(await loginStatus('target', password)).toBe(200)
  })

  it('refuses a request whose body arrives after its sender was demoted', async () => {
    const target = await register(origin, 'other')
    const demoted = await register(origin, 'demoted')
    await store.setRole(demoted.id, 'admin')
    const held = holdBody(origin, 'PUT', `/users/${target.id}`, demoted.jwt, { name: 'changed' })
    await wait(100)
    await store.setRole(demoted.id, 'user')
    expect(await held.finish()).toBe(403)
    expect((await userOf(store, target.id))!.name).toBeNull()
  })

  it('creates nobody for an admin whose sessions end before the body arrives', async () => {
    const { id, jwt } = await register(origin, 'creating')
    await store.setRole(id, 'admin')
    const held = holdBody(origin, 'POST', '/users', jwt, { username: 'unborn', password })
    await wait(100)
    await store.endSessions(id)
    expect(await held.finish()).toBe(401)
    expect(await store.findCredentials({ username: 'unborn' })).toBeNull()
  })

  it('lets one of several password changes with the same current password succeed', async () => {
    const { id, jwt } = await register(origin, 'twice')
    const statuses = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const change = { password: `new password ${n}`, currentPassword: password }
        return (await send(origin, 'PUT', `/users/${id}`, change, bearer(jwt))).status
      }),
    )
    expect(statuses.toSorted()).toEqual([200, 401, 401])
  })

  it('writes nothing for an actor whose token version or role has changed since the check', async () => {
    const { id } = await register(origin, 'stale')
    const before = await userOf(store, id)
    const stale = { id, role: 'user', tokenVersion: 7 } as const
    const formerAdmin = { id, role: 'admin', tokenVersion: 0 } as const
    expect(await store.update(id, { name: 'x' }, stale)).toMatchObject({
      affectedRows: 0,
      changedRows: 0,
    })
    expect(await store.delete(id, stale)).toMatchObject({ affectedRows: 0 })
    expect(await store.update(admin.id, { name: 'x' }, formerAdmin)).toMatchObject({
      affectedRows: 0,
    })
    expect(await store.delete(admin.id, formerAdmin).catch((error: Error) => error)).toMatchObject(
      {},
    )
    const user = { username: 'created', name: null, passwordHash: 'x' }
    expect(await store.create(user, formerAdmin)).toMatchObject({
      affectedRows: 0,
      insertId: 0,
      info: '',
    })
    expect(await userOf(store, id)).toEqual(before)
    expect(await userOf(store, admin.id)).toMatchObject({ username: 'root', name: null })
    expect(await store.findCredentials({ username: 'created' })).toBeNull()
    const { insertId } = await store.create(user, { id: admin.id, role: 'admin', tokenVersion: 0 })
    expect(await userOf(store, insertId)).toMatchObject({ username: 'created' })
  })
})
