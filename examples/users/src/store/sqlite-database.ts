import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { type Database, type Row, type Values, type WriteSummary, StoreError } from './database.ts'

/**
 * The embedded database: one file, in this process. A write is on the disk when its promise
 * resolves.
 */
export function openSqliteDatabase(file: string): Database {
  const db = storing(() => openFile(file))
  const run = (sql: string, values: Values = {}): WriteSummary => {
    const { changes, lastInsertRowid } = db.prepare(sql).run(values)
    return toSummary({
      affectedRows: changes,
      insertId: sql.startsWith('INSERT') && changes > 0 ? Number(lastInsertRowid) : 0,
    })
  }
  // `all`, not `get`: the driver adds a field of its own to a single row.
  const all = (sql: string, values: Values = {}): readonly Row[] =>
    db.prepare(sql).all(values) as Row[]

  return {
    dialect: 'sqlite',
    description: `the embedded store in ${file}`,
    ping: async () => void storing(() => all('SELECT 1')),
    all: async (sql, values) => storing(() => all(sql, values)),
    allCurrent: async (sql, values) => storing(() => all(sql, values)),
    run: async (sql, values) => storing(() => run(sql, values)),
    runTogether: async (statements) =>
      storing(() => db.transaction(() => statements.map(({ sql, values }) => run(sql, values)))()),
    async runMigration(sql, record) {
      await this.runTogether([{ sql, values: {} }, record])
    },
    updateUsers: async (columns, where) =>
      storing(() => {
        const names = Object.keys(columns)
        const set = [
          ...names.map((name) => `${name} = :${name}`),
          "updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
        ]
        if (columns['password_hash'] !== undefined) set.push('token_version = token_version + 1')
        const differs = names.map((name) => `${name} IS NOT :${name}`).join(' OR ')
        const sql = `UPDATE users SET ${set.join(', ')} WHERE ${where.sql} AND (${differs})`
        return db.transaction((): WriteSummary => {
          const matched = all(`SELECT id FROM users WHERE ${where.sql}`, where.values).length
          const changed = run(sql, { ...columns, ...where.values }).affectedRows
          const info = `Rows matched: ${matched}  Changed: ${changed}  Warnings: 0`
          return toSummary({ affectedRows: matched, info, changedRows: changed })
        })()
      }),
    close: async () => void db.close(),
  }
}

function openFile(file: string): Libsql.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 }) // the file holds password hashes
  const db = new Libsql(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('busy_timeout = 5000')
  return db
}

/** The summary that MySQL would give. */
const toSummary = (fields: Partial<WriteSummary>): WriteSummary => ({
  fieldCount: 0,
  affectedRows: 0,
  insertId: 0,
  info: '',
  serverStatus: 2,
  warningStatus: 0,
  ...fields,
})

/** Runs database work; its errors become `StoreError`s. */
function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
  }
}

function toStoreError(error: unknown): StoreError {
  const { code = '', message } = error as { code?: string; message: string }
  if (/^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(code))
    return new StoreError('duplicate', message, error)
  const away =
    /^(?:SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|ENO|EACCES|EPERM|EROFS)/.test(code)
  return away
    ? new StoreError('unavailable', null, error)
    : new StoreError('failed', message, error)
}
