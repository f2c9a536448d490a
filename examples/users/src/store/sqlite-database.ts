import { chmodSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Database, type Row, type Values, type WriteSummary, StoreError } from './database.ts'

export interface SqliteOptions {
  /**
   * How long a write waits for another process's, in milliseconds.
   *
   * @default 5000
   */
  readonly patience?: number
  /**
   * Whether it's an error if another process has opened the file like this. Commands don't, so they
   * work beside a running service.
   *
   * @default false
   */
  readonly exclusive?: boolean
}

/**
 * The embedded database: one file, in this process. A write is on the disk when its promise
 * resolves.
 */
export function openSqliteDatabase(
  file: string,
  { patience = 5000, exclusive = false }: SqliteOptions = {},
): Database {
  const db = storing(() => openFile(file, patience))
  const lock = exclusive ? storing(() => lockFile(file)) : null
  const files = filesOf(file)
  const inodes = files.map(inodeOf)
  /**
   * Runs database work. Its result is only good if the file still has its name, because SQLite
   * keeps writing to a removed one.
   */
  const inPlace = <T>(work: () => T): T => {
    const result = storing(work)
    const missing = files.find((name, i) => inodeOf(name) !== inodes[i])
    if (missing === undefined) return result
    throw new StoreError(
      'unavailable',
      null,
      new Error(
        `${missing} was removed or replaced, so writes would be lost. Put it back, or restart the service`,
      ),
    )
  }

  const all = (sql: string, values: Values = {}) => db.prepare(sql).all(values) as readonly Row[]
  const run = (sql: string, values: Values = {}): WriteSummary => {
    const { changes, lastInsertRowid } = db.prepare(sql).run(values)
    return toSummary({
      affectedRows: Number(changes),
      insertId: sql.startsWith('INSERT') && changes > 0 ? Number(lastInsertRowid) : 0,
    })
  }
  const read = async (sql: string, values?: Values) => inPlace(() => all(sql, values))
  /** A transaction that takes the lock first, because one that has read can't wait for it. */
  const write = <T>(work: () => T): T =>
    inPlace(() => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK') // SQLite itself rolls back if the disk is full
        throw error
      }
    })

  return {
    dialect: 'sqlite',
    description: `the embedded store in ${file}`,
    ping: async () => void (await read('SELECT 1 FROM sqlite_schema')),
    all: read,
    allCurrent: read,
    run: async (sql, values) => write(() => run(sql, values)),
    runTogether: async (list) => write(() => list.map(({ sql, values }) => run(sql, values))),
    async runMigration(sql, record) {
      await this.runTogether([{ sql, values: {} }, record])
    },
    async updateUsers(columns, where) {
      const names = Object.keys(columns)
      const set = [
        ...names.map((name) => `${name} = :${name}`),
        "updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
      ]
      if (columns['password_hash'] !== undefined) set.push('token_version = token_version + 1')
      const differs = names.map((name) => `${name} IS NOT :${name}`).join(' OR ')
      const sql = `UPDATE users SET ${set.join(', ')} WHERE ${where.sql} AND (${differs})`
      return write(() => {
        const matched = all(`SELECT id FROM users WHERE ${where.sql}`, where.values).length
        const changed = run(sql, { ...columns, ...where.values }).affectedRows
        const info = `Rows matched: ${matched}  Changed: ${changed}  Warnings: 0`
        return toSummary({ affectedRows: matched, info, changedRows: changed })
      })
    },
    async close() {
      db.close()
      lock?.close()
    },
  }
}

/** The database, and the two files that SQLite adds: the latest writes, and their index. */
const filesOf = (file: string) => ['', '-wal', '-shm'].map((end) => realpathSync(file) + end)
const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

/** Opens a file that holds password hashes, so only its owner may read it. */
function openFile(file: string, timeout: number) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file, { timeout, allowUnknownNamedParameters: true })
  // Null if there are no tables yet.
  const row = db.prepare("SELECT MAX(name = 'schema_lock') AS isOurs FROM sqlite_schema").get()
  if (row?.isOurs === 0) throw new Error(`${file} is another program's database`)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; SELECT 1 FROM sqlite_schema')
  for (const name of filesOf(file)) chmodSync(name, 0o600)
  return db
}

/**
 * Locks a small file beside the database, until it's closed or the process ends, even if it's
 * killed. Node itself can't lock files, but SQLite can.
 */
function lockFile(file: string) {
  const name = `${realpathSync(file)}-lock`
  const lock = new DatabaseSync(name, { timeout: 1000 })
  chmodSync(name, 0o600)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    if (!/locked/.test(String(error))) throw error
    throw new Error(`another instance of the service is using ${file}`, { cause: error })
  }
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

/** The driver's `all` reports no code, but SQLite has the same words for an error everywhere. */
function toStoreError(error: unknown): StoreError {
  const { code = '', message } = error as { code?: string; message: string }
  if (message.startsWith('UNIQUE constraint failed'))
    return new StoreError('duplicate', message, error)
  const away =
    /^E(?:NO|ACCES|PERM|ROFS)/.test(code) ||
    /database (?:table )?is locked|locking protocol|disk is full|disk I\/O error|readonly database|unable to open/.test(
      message,
    )
  return away
    ? new StoreError('unavailable', null, error)
    : new StoreError('failed', message, error)
}
