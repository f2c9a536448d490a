import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import {
  blockedUntil,
  countAttempt,
  countValues,
  firstAttempt,
  forgetAttempts,
  forgetExpired,
} from './login-attempts.ts'
import { type SqlRunner, migrate, pendingMigrations } from './migrations.ts'
import {
  type Account,
  type User,
  type UserStore,
  type WriteSummary,
  StoreError,
  accountColumns,
  anotherAdmin,
  columnsOf,
  lookupKey,
  userColumns,
  usernameKey,
} from './user-store.ts'

const summary: WriteSummary = {
  fieldCount: 0,
  affectedRows: 1,
  insertId: 0,
  info: '',
  serverStatus: 2,
  warningStatus: 0,
}

/** The embedded store: one file, in this process. A write is on the disk when its promise resolves. */
export function openSqliteStore(file: string): UserStore {
  const db = attempt(() => {
    mkdirSync(dirname(file), { recursive: true })
    const db = new Database(file)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('busy_timeout = 5000')
    return db
  })
  const runner: SqlRunner = {
    dialect: 'sqlite',
    run: async (sql, values = []) => void attempt(() => db.prepare(sql).run(...values)),
    all: async (sql) => attempt(() => db.prepare(sql).all() as Record<string, unknown>[]),
  }
  // `all`, not `get`: the driver adds a field of its own to a single row.
  const one = (where: string, value: string | number): Account | null =>
    (db.prepare(`SELECT ${accountColumns} FROM users WHERE ${where} = ?`).all(value) as Account[])[0] ?? null

  return {
    description: `the embedded store in ${file}`,
    migrate: () => migrate(runner),
    pendingMigrations: () => pendingMigrations(runner),
    ping: async () => void attempt(() => db.prepare('SELECT 1').get()),
    findById: async (id) => attempt(() => one('id', id)),
    async findByUsername(username) {
      const key = lookupKey(username)
      return key === null ? null : attempt(() => one('username_key', key))
    },
    list: async ({ after, limit }) =>
      attempt(
        () =>
          db.prepare(`SELECT ${userColumns} FROM users WHERE id > ? ORDER BY id LIMIT ?`).all(after, limit) as User[],
      ),
    create: async ({ username, name, passwordHash }) =>
      attempt(() => {
        const { lastInsertRowid } = db
          .prepare('INSERT INTO users (username, username_key, name, password_hash) VALUES (?, ?, ?, ?)')
          .run(username, usernameKey(username), name, passwordHash)
        return { ...summary, insertId: Number(lastInsertRowid) }
      }),
    update: async (id, changes) =>
      attempt(() => {
        const columns = columnsOf(changes)
        const values = columns.map(([, value]) => value)
        const sets = [
          ...columns.map(([column]) => `${column} = ?`),
          "updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
        ]
        if (changes.passwordHash !== undefined) sets.push('token_version = token_version + 1')
        // As MySQL has it: a row whose values stay the same is matched, not changed.
        const differs = columns.map(([column]) => `${column} IS NOT ?`).join(' OR ')
        return db.transaction((): WriteSummary => {
          const { changes: changed } = db
            .prepare(`UPDATE users SET ${sets.join(', ')} WHERE id = ? AND (${differs})`)
            .run(...values, id, ...values)
          const matched = db.prepare('SELECT 1 FROM users WHERE id = ?').get(id) === undefined ? 0 : 1
          const info = `Rows matched: ${matched}  Changed: ${changed}  Warnings: 0`
          return { ...summary, affectedRows: matched, info, changedRows: changed }
        })()
      }),
    delete: async (id) =>
      attempt(() => {
        const { changes } = db
          .prepare(`DELETE FROM users WHERE id = ? AND (role <> 'admin' OR ${anotherAdmin})`)
          .run(id, id)
        if (changes === 0 && one('id', id) !== null) throw new StoreError('last-admin', null, null)
        return { ...summary, affectedRows: changes }
      }),
    setRole: async (id, role) =>
      attempt(() => {
        const { changes } = db
          .prepare(`UPDATE users SET role = ? WHERE id = ? AND (? = 'admin' OR role <> 'admin' OR ${anotherAdmin})`)
          .run(role, id, role, id)
        if (changes === 0 && one('id', id) !== null) throw new StoreError('last-admin', null, null)
        return changes === 1
      }),
    admit: async (subject, rule, now = Date.now()) =>
      attempt(() => {
        if (Math.random() < 0.01) db.prepare(forgetExpired).run(now, now)
        db.prepare(firstAttempt('OR IGNORE')).run(subject)
        if (db.prepare(countAttempt).run(...countValues(subject, rule, now)).changes === 1) return 0
        return (db.prepare(blockedUntil).all(subject) as { until: number }[])[0]!.until - now
      }),
    forgive: async (subject) => void attempt(() => db.prepare(forgetAttempts).run(subject)),
    close: async () => void db.close(),
  }
}

const isDuplicate = (error: unknown): boolean =>
  /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(String((error as { code?: unknown }).code))

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (isDuplicate(error)) return new StoreError('duplicate', message, error)
  const away = /^(?:SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|ENO|EACCES|EPERM|EROFS)/.test(code)
  return away ? new StoreError('unavailable', null, error) : new StoreError('failed', message, error)
}
function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
  }
}
