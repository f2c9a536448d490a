// How migrations use their lock and their time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Database, StoreError } from '../src/store/database.ts'
import { migrate } from '../src/store/migrations.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { openSqliteDatabase } from '../src/store/sqlite-database.ts'
import { createUserStore } from '../src/store/user-store.ts'
import { describeDatabases } from './databases.ts'
import { actorOf, describeStores } from './stores.ts'

/** A database without tables that records its statements. `slow` runs for each migration. */
function recordingDatabase(slow: () => Promise<void>): {
  database: Database
  statements: string[]
} {
  const statements: string[] = []
  const summary = {
    fieldCount: 0,
    affectedRows: 1,
    insertId: 0,
    info: '',
    serverStatus: 2,
    warningStatus: 0,
  }
  const record = async (sql: string) => (statements.push(sql), summary)
  const database: Database = {
    dialect: 'sqlite',
    description: 'a recording',
    ping: async () => {},
    all: async () => [],
    allCurrent: async () => [],
    run: record,
    runTogether: (writes) => Promise.all(writes.map(({ sql }) => record(sql))),
    runMigration: slow,
    updateUsers: () => record('UPDATE users'),
    close: async () => {},
  }
  return { database, statements }
}
const count = (statements: readonly string[], start: string) =>
  statements.filter((sql) => sql.startsWith(start)).length
const release = 'DELETE FROM schema_lock WHERE id = 1 AND owner'

afterEach(() => void vi.useRealTimers())

describe('the migration lock', () => {
  it("is renewed while a migration runs, and released when it's done", async () => {
    vi.useFakeTimers()
    let finish = () => {}
    const first = new Promise<void>((resolve) => (finish = resolve))
    const { database, statements } = recordingDatabase(() => first)
    const migrating = migrate(database)
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(count(statements, 'UPDATE schema_lock')).toBeGreaterThan(3)
    expect(count(statements, release)).toBe(0)
    finish()
    expect((await migrating).length).toBeGreaterThan(3)
    expect(count(statements, release)).toBe(1)
    const renewals = count(statements, 'UPDATE schema_lock')
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(count(statements, 'UPDATE schema_lock')).toBe(renewals)
  })

  it.each([
    ['is released when the database refuses a migration', 'failed', 'ConfigError', 1],
    [
      'is kept when the connection is lost, because the statement may still run',
      'unavailable',
      'StoreError',
      0,
    ],
  ] as const)('%s', async (_title, reason, name, released) => {
    const { database, statements } = recordingDatabase(() =>
      Promise.reject(new StoreError(reason, null, null)),
    )
    await expect(migrate(database)).rejects.toMatchObject({ name })
    expect(count(statements, release)).toBe(released)
  })
})

describeDatabases('a migration', (startDatabase) => {
  it('may take longer than the statement of a request', async () => {
    const server = await startDatabase()
    const database = openMysqlDatabase({ url: await server.createSchema(), statementTime: 200 })
    const slow = (table: string) => `CREATE TABLE ${table} AS SELECT SLEEP(0.6)`
    await expect(database.run(slow('limited'))).rejects.toMatchObject({ reason: 'unavailable' })
    await database.runMigration(slow('unlimited'), { sql: 'SELECT 1', values: {} })
    expect(await database.all('SELECT COUNT(*) AS n FROM unlimited')).toEqual([{ n: 1 }])
    await database.close()
    await server.stop()
  })

  it('says that it waits for another process, and for how long, although its own clock is wrong', async () => {
    const server = await startDatabase()
    const database = openMysqlDatabase({ url: await server.createSchema() })
    const notes: string[] = []
    await database.run(
      'CREATE TABLE schema_lock (id INTEGER PRIMARY KEY, owner VARCHAR(64), expires_at BIGINT)',
    )
    const values = { owner: 'a process that was killed', expires: Date.now() + 1500 }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
    await database.run(
      'INSERT INTO schema_lock (id, owner, expires_at) VALUES (1, :owner, :expires)',
      values,
    )
    expect((await migrate(database, (text) => notes.push(text))).length).toBeGreaterThan(3)
    expect(notes).toEqual([
      expect.stringMatching(
        /^waiting for the migration of another process; if that has ended, for at most [12] s$/,
      ),
    ])
    await database.close()
    await server.stop()
  })
})

describe('a migration whose process ended before it was noted', () => {
  const repeat = async (database: Database) => {
    const applied = await migrate(database)
    await database.run('DELETE FROM schema_migrations')
    const repeated = await migrate(database)
    const pending = await migrate(database)
    await database.close()
    return { applied, repeated, pending }
  }
  it('has no effect on the embedded store', async () => {
    const database = openSqliteDatabase(temporaryFile())
    const [name] = await migrate(database)
    const sql = 'INSERT INTO schema_migrations (name) VALUES (:name)'
    const record = { sql, values: { name: name! } } // it's there already, so this fails
    await expect(
      database.runMigration('ALTER TABLE users ADD COLUMN half TEXT', record),
    ).rejects.toMatchObject({ reason: 'duplicate' })
    await expect(database.all('SELECT half FROM users')).rejects.toMatchObject({ reason: 'failed' })
    await database.close()
  })
  describeDatabases('', (startDatabase) => {
    it('is repeated', async () => {
      const server = await startDatabase()
      const { applied, repeated, pending } = await repeat(
        openMysqlDatabase({ url: await server.createSchema() }),
      )
      expect([repeated, pending]).toEqual([applied, []])
      await server.stop()
    })
  })
})

describeStores('a user from before passwords could expire', (_open, openDatabase) => {
  it('keeps the password', async () => {
    const database = await openDatabase()
    const store = createUserStore(database)
    await store.migrate()
    await database.run('ALTER TABLE users DROP COLUMN password_expires')
    await database.run("DELETE FROM schema_migrations WHERE name LIKE '007%'")
    const columns = 'username, username_key, password_hash'
    await database.run(`INSERT INTO users (${columns}) VALUES ('Old', 'old', 'x')`)
    expect(await store.migrate()).toEqual(['007_add_password_expires.sql'])
    const { id, ...credentials } = (await store.findCredentials({ username: 'old' }))!
    expect(credentials).toEqual({ username: 'Old', passwordHash: 'x', tokenVersion: 0 })
    expect(await actorOf(store, id)).toMatchObject({ mustChange: 0 })
  })
})

/** A database file, until the test has finished. */
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'users-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'users.db')
}
