import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import type { WriteSummary } from '../src/store/database.ts'
import type { Actor, UserStore } from '../src/store/user-store.ts'
import { actorOf, describeStores, userOf } from './stores.ts'

const migrations = [
  '001_create_users.sql',
  '002_create_login_attempts.sql',
  '003_index_login_attempts.sql',
  '004_index_users_role.sql',
  '005_create_admin_removals.sql',
  '006_insert_admin_removals.sql',
  '007_add_password_expires.sql',
]
const keys = ['affectedRows', 'fieldCount', 'info', 'insertId', 'serverStatus', 'warningStatus']
const ann = { username: 'Ann.B', name: 'Änn 😀', passwordHash: '$argon2id$x' }

describeStores('the store', (open) => {
  let store: UserStore
  let created: WriteSummary
  beforeAll(async () => {
    store = await open()
    expect(await store.pendingMigrations()).toEqual(migrations)
    expect(await store.migrate()).toEqual(migrations)
    created = await store.create(ann)
  })

  /** A new user's id. */
  const idOf = async (username: string): Promise<number> =>
    (await store.create({ ...ann, username })).insertId
  /** The user as the actor; one that doesn't exist for an unknown id. */
  const self = async (id: number): Promise<Actor> =>
    (await actorOf(store, id)) ?? { id, role: 'user', tokenVersion: 0 }

  it('applies migrations once', async () => {
    expect(await store.migrate()).toEqual([])
    expect(await store.pendingMigrations()).toEqual([])
    await store.ping()
  })

  it('creates a user and returns the write summary', () => {
    expect(created).toEqual({
      fieldCount: 0,
      affectedRows: 1,
      insertId: 1,
      info: '',
      serverStatus: 2,
      warningStatus: 0,
    })
  })

  it('finds users by id, and credentials by id or by name in any letter case', async () => {
    const found = await userOf(store, 1)
    expect(found).toEqual({
      id: 1,
      username: 'Ann.B',
      name: 'Änn 😀',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
    })
    const credentials = { id: 1, username: 'Ann.B', passwordHash: '$argon2id$x', tokenVersion: 0 }
    expect(Math.abs(Date.parse(found!.createdAt) - Date.now())).toBeLessThan(60_000)
    expect(await store.findCredentials({ username: 'aNN.b' })).toEqual(credentials)
    expect(await store.findCredentials({ id: 1 })).toEqual(credentials)
    expect(await actorOf(store, 1)).toMatchObject({ id: 1, role: 'user', tokenVersion: 0 })
    expect(await userOf(store, 999)).toBeNull()
    expect(await store.findActorAndUser(1, 1)).toEqual({
      actor: expect.objectContaining({ id: 1, role: 'user', tokenVersion: 0 }),
      user: expect.objectContaining(found!),
    })
    expect(await store.findActorAndUser(999, 1)).toEqual({
      actor: null,
      user: expect.objectContaining(found!),
    })
    expect(await store.findActorAndUser(1, 999)).toEqual({
      actor: expect.objectContaining({ id: 1 }),
      user: null,
    })
    for (const hostile of ["x' OR 1=1 --", 'ánn.b', '😀', 'Ann.B\u0000', '\ud800', 'Ann.B ', ''])
      expect(await store.findCredentials({ username: hostile }), hostile).toBeNull()
  })

  it('returns a password hash from findCredentials alone', async () => {
    const read = [
      await userOf(store, 1),
      await actorOf(store, 1),
      await store.list({ after: 0, limit: 10 }),
      await store.findActorAndUser(1, 1),
    ]
    expect(JSON.stringify(read)).toContain('Ann.B')
    expect(JSON.stringify(read)).not.toContain('$argon2')
  })

  it('refuses a taken name in any letter case', async () => {
    await expect(store.create({ ...ann, username: 'ANN.b' })).rejects.toMatchObject({
      name: 'StoreError',
      reason: 'duplicate',
    })
    await store.create({ username: 'bob', name: null, passwordHash: 'y' })
    const bob = await store.findCredentials({ username: 'bob' })
    await expect(
      store.update(bob!.id, { username: 'ann.B' }, await self(bob!.id)),
    ).rejects.toMatchObject({
      reason: 'duplicate',
    })
  })

  it('counts matched and changed rows on update', async () => {
    const id = await idOf('Updated')
    const before = await userOf(store, id)
    await wait(5)
    const same = await store.update(id, { name: 'Änn 😀', username: 'Updated' }, await self(id))
    expect(same).toEqual({
      fieldCount: 0,
      affectedRows: 1,
      insertId: 0,
      info: 'Rows matched: 1  Changed: 0  Warnings: 0',
      serverStatus: 2,
      warningStatus: 0,
      changedRows: 0,
    })
    expect((await userOf(store, id))!.updatedAt).toBe(before!.updatedAt)
    const changed = await store.update(id, { name: null }, await self(id))
    expect(changed).toEqual({
      ...same,
      info: 'Rows matched: 1  Changed: 1  Warnings: 0',
      changedRows: 1,
    })
    const after = await userOf(store, id)
    expect(after).toMatchObject({ name: null, createdAt: before!.createdAt })
    expect(after!.updatedAt > before!.updatedAt).toBe(true)
    expect(await store.update(999, { name: 'x' }, await self(999))).toEqual({
      ...same,
      affectedRows: 0,
      info: 'Rows matched: 0  Changed: 0  Warnings: 0',
    })
  })

  it('increments the token version with the password only', async () => {
    const id = await idOf('renewed')
    await store.update(id, { passwordHash: 'z' }, await self(id))
    expect(await store.findCredentials({ id })).toMatchObject({
      passwordHash: 'z',
      tokenVersion: 1,
    })
    await store.update(id, { name: 'Ann' }, await self(id))
    expect(await actorOf(store, id)).toMatchObject({ tokenVersion: 1 })
  })

  it("leaves the time of a user's last change as it is, with a new role and without sessions", async () => {
    const { insertId: id } = await store.create({ ...ann, username: 'promoted' })
    const { updatedAt } = (await userOf(store, id))!
    await wait(5)
    for (const role of ['admin', 'admin'] as const) await store.setRole(id, role)
    const { insertId: other } = await store.create({ ...ann, username: 'other', role: 'admin' })
    await store.setRole(id, 'user')
    await store.endSessions(id)
    expect((await userOf(store, id))!.updatedAt).toBe(updatedAt)
    for (const gone of [id, other]) await store.setRole(gone, 'user').catch(() => {})
  })

  it('lists by id, page by page, without secrets', async () => {
    for (let i = 0; i < 5; i++)
      await store.create({ username: `page${i}`, name: null, passwordHash: 'x' })
    const all = await store.list({ after: 0, limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b))
    expect(await store.list({ after: all[1]!.id, limit: 2 })).toEqual(all.slice(2, 4))
    expect(Object.keys(all[0]!).toSorted()).toEqual([
      'createdAt',
      'id',
      'name',
      'updatedAt',
      'username',
    ])
    expect(await store.list({ after: 10 ** 15, limit: 1 })).toEqual([])
  })

  it('deletes a user and returns the write summary', async () => {
    const id = await idOf('deleted')
    const deleted = await store.delete(id, await self(id))
    expect(Object.keys(deleted).toSorted()).toEqual(keys)
    expect(deleted).toEqual({
      fieldCount: 0,
      affectedRows: 1,
      insertId: 0,
      info: '',
      serverStatus: 2,
      warningStatus: 0,
    })
    expect(await store.delete(id, await self(id))).toEqual({ ...deleted, affectedRows: 0 })
    expect(await userOf(store, id)).toBeNull()
  })

  it('never reuses an id', async () => {
    const { insertId } = await store.create({ username: 'last', name: null, passwordHash: 'x' })
    await store.delete(insertId, await self(insertId))
    expect(
      (await store.create({ username: 'next', name: null, passwordHash: 'x' })).insertId,
    ).toBeGreaterThan(insertId)
  })
})

describeStores('four concurrent migrations', (open) => {
  it('apply each file once', async () => {
    const store = await open()
    const applied = await Promise.all([1, 2, 3, 4].map(() => store.migrate()))
    expect(applied.flat()).toEqual(migrations)
    expect(await store.list({ after: 0, limit: 1 })).toEqual([])
  })
})
