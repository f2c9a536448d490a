// How migrations use their lock and their time.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Database, StoreError } from '../src/store/database.ts'
import { migrate } from '../src/store/migrations.ts'
import { openMysqlDatabase } from '../src/store/mysql-database.ts'
import { openSqliteDatabase } from '../src/store/sqlite-database.ts'
import { describeDatabases } from './databases.ts'

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
    runWithoutLimit: slow,
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
  it('is renewed while a migration runs, and released when it is done', async () => {
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
    ['is released when the database refuses a migration', 'failed', 1],
    ['is kept when the connection is lost, because the statement may still run', 'unavailable', 0],
  ] as const)('%s', async (_title, reason, released) => {
    const { database, statements } = recordingDatabase(() =>
      Promise.reject(new StoreError(reason, null, null)),
    )
    await expect(migrate(database)).rejects.toMatchObject({ reason })
    expect(count(statements, release)).toBe(released)
  })
})

describeDatabases('a migration', (startDatabase) => {
  it('may take longer than the statement of a request', async () => {
    const server = await startDatabase()
    const database = openMysqlDatabase({ url: await server.createSchema(), statementTime: 200 })
    const slow = (table: string) => `CREATE TABLE ${table} AS SELECT SLEEP(0.6)`
    await expect(database.run(slow('limited'))).rejects.toMatchObject({ reason: 'unavailable' })
    await database.runWithoutLimit(slow('unlimited'))
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
  it('is repeated on the embedded store', async () => {
    const { applied, repeated, pending } = await repeat(openSqliteDatabase(':memory:'))
    expect([repeated, pending]).toEqual([applied, []])
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
