// The stores under test, as fresh ones: every suite runs on each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openMysqlStore, openSqliteStore } from '../src/store/open-store.ts'
import type { UserStore } from '../src/store/user-store.ts'
import { type TestDatabase, describeDatabases } from './databases.ts'

/** Runs a suite on the embedded store, MariaDB and MySQL; `open` gives a store without tables. */
export function describeStores(
  title: string,
  suite: (open: () => Promise<UserStore>) => void,
): void {
  describe(`${title} on the embedded store`, () => {
    const folders: string[] = []
    const stores: UserStore[] = []
    afterAll(async () => {
      for (const store of stores) await store.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    suite(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'users-store-'))
      folders.push(folder)
      const store = openSqliteStore(join(folder, 'users.db'))
      stores.push(store)
      return store
    })
  })

  describeDatabases(title, (startDatabase) => {
    let database: TestDatabase
    const stores: UserStore[] = []
    beforeAll(async () => {
      database = await startDatabase()
    })
    afterAll(async () => {
      for (const store of stores) await store.close()
      await database.stop()
    })
    suite(async () => {
      const store = openMysqlStore({ url: await database.createSchema() })
      stores.push(store)
      return store
    })
  })
}
