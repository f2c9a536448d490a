// The stores under test, as fresh ones: every suite runs on each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/store/database.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { openSqliteDatabase } from '../src/store/sqlite-database.ts'
import { type Actor, type User, type UserStore, createUserStore } from '../src/store/user-store.ts'
import { type TestDatabase, describeDatabases } from './databases.ts'

type Suite = (open: () => Promise<UserStore>, openDatabase: () => Promise<Database>) => void

/**
 * Runs a suite on the embedded store, MariaDB and MySQL. Its first argument opens a store without tables, and the second one a
 * database, for suites that look behind the store.
 */
export function describeStores(title: string, suite: Suite): void {
  describe(`${title} on the embedded store`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-store-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    let opened = 0
    runOn(suite, async () => openSqliteDatabase(join(folder, `${++opened}.db`)))
  })

  describeDatabases(title, (startDatabase) => {
    let server: TestDatabase
    beforeAll(async () => {
      server = await startDatabase()
    })
    afterAll(() => server.stop())
    runOn(suite, async () => openMysqlDatabase({ url: await server.createSchema() }))
  })
}

function runOn(suite: Suite, open: () => Promise<Database>): void {
  const databases: Database[] = []
  afterAll(async () => {
    for (const database of databases) await database.close()
  })
  const openDatabase = async () => {
    const database = await open()
    databases.push(database)
    return database
  }
  suite(async () => createUserStore(await openDatabase()), openDatabase)
}

export const actorOf = async (store: UserStore, id: number): Promise<Actor | null> =>
  (await store.findActorAndUser(id, id)).actor

export const userOf = async (store: UserStore, id: number): Promise<User | null> => {
  const [row] = await store.list({ after: id - 1, limit: 1 })
  return row?.id === id ? row : null
}
