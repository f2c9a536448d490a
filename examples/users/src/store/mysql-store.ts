import { setTimeout as wait } from 'node:timers/promises'
import { type ResultSetHeader, type RowDataPacket, createPool } from 'mysql2/promise'
import {
  blockedUntil,
  countAttempt,
  countValues,
  firstAttempt,
  forgetAttempts,
  forgetExpired,
} from './login-attempts.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'
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

const connections = 10
/** Milliseconds: for a connection to come free, and for a statement to be answered. */
const acquireTime = 2000
const statementTime = 5000
/** A deadlock, a lock that took too long: the statement did nothing and may come again. */
const retried = new Set([1205, 1213])
const retries = 4

/** MariaDB or MySQL, also clustered. Nothing is connected before the first call. */
export function openMysqlStore(url: string): UserStore {
  const { hostname, port, username, password, pathname } = new URL(url)
  const pool = createPool({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    stringifyObjects: true,
    connectTimeout: 2000,
    connectionLimit: connections,
    enableKeepAlive: true,
  })
  // The pool itself would let its callers wait for ever.
  const limited = limitConcurrency(
    { running: connections, queued: 4 * connections, patience: acquireTime },
    () => new Error('no connection came free in time'),
  )
  // CURRENT_TIMESTAMP is in the time zone of the session. Queued before the first statement of the connection.
  pool.pool.on('connection', (connection) => void connection.query("SET time_zone = '+00:00'", () => {}))

  const execute = async <T extends RowDataPacket[] | ResultSetHeader>(
    sql: string,
    values: readonly (string | number | null)[] = [],
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++)
      try {
        return await executeOnce<T>(sql, values)
      } catch (error) {
        const { errno } = error as { errno?: number }
        if (attempt > retries || !retried.has(errno ?? 0)) throw toStoreError(error)
        await wait(Math.random() * 25 * 2 ** attempt)
      }
  }
  const executeOnce = <T extends RowDataPacket[] | ResultSetHeader>(
    sql: string,
    values: readonly (string | number | null)[],
  ): Promise<T> =>
    limited(async () => {
      const connection = await pool.getConnection()
      try {
        const [result] = await connection.execute<T>({ sql, values: [...values], timeout: statementTime })
        connection.release()
        return result
      } catch (error) {
        // What was not answered in time may be answered later: this connection is of no more use.
        if ((error as { code?: string }).code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
        else connection.release()
        throw error
      }
    })
  const runner: SqlRunner = {
    dialect: 'mysql',
    run: async (sql, values) => void (await execute(sql, values)),
    all: (sql) => execute<RowDataPacket[]>(sql),
  }
  const one = async (where: string, value: string | number): Promise<Account | null> => {
    const [row] = await execute<RowDataPacket[]>(`SELECT ${accountColumns} FROM users WHERE ${where} = ?`, [value])
    return row === undefined ? null : (toUser(row) as Account)
  }

  return {
    description: `the database at ${hostname}:${port || 3306}${pathname}`,
    migrate: () => migrate(runner),
    pendingMigrations: () => pendingMigrations(runner),
    ping: async () => void (await execute('SELECT 1')),
    findById: (id) => one('id', id),
    async findByUsername(username) {
      const key = lookupKey(username)
      return key === null ? null : one('username_key', key)
    },
    async list({ after, limit }) {
      // The limit stands in the text: MySQL refuses a bound number here. It is a number, whatever came in.
      const sql = `SELECT ${userColumns} FROM users WHERE id > ? ORDER BY id LIMIT ${Number(limit)}`
      return (await execute<RowDataPacket[]>(sql, [after])).map(toUser)
    },
    async create({ username, name, passwordHash }) {
      const sql = 'INSERT INTO users (username, username_key, name, password_hash) VALUES (?, ?, ?, ?)'
      return toSummary(await execute(sql, [username, usernameKey(username), name, passwordHash]))
    },
    async update(id, changes) {
      const columns = columnsOf(changes)
      const sets = columns.map(([column]) => `${column} = ?`)
      if (changes.passwordHash !== undefined) sets.push('token_version = token_version + 1')
      const sql = `UPDATE users SET ${sets.join(', ')} WHERE id = ?`
      const header = await execute<ResultSetHeader>(sql, [...columns.map(([, value]) => value), id])
      return { ...toSummary(header), changedRows: header.changedRows }
    },
    async delete(id) {
      const plain = await execute<ResultSetHeader>("DELETE FROM users WHERE id = ? AND role <> 'admin'", [id])
      if (plain.affectedRows === 1) return toSummary(plain)
      if ((await one('id', id)) === null) return toSummary(plain)
      const guarded = await execute<ResultSetHeader>(`DELETE FROM users WHERE id = ? AND ${anotherAdmin}`, [id, id])
      if (guarded.affectedRows === 0 && (await one('id', id)) !== null) throw new StoreError('last-admin', null, null)
      // But for a flag that tells of the missing index, it is what the other statement would have given.
      return { ...toSummary(guarded), serverStatus: plain.serverStatus }
    },
    async setRole(id, role) {
      const account = await one('id', id)
      if (account === null) return false
      if (role === 'admin') await execute('UPDATE users SET role = ? WHERE id = ?', [role, id])
      else {
        const sql = `UPDATE users SET role = ? WHERE id = ? AND (role <> 'admin' OR ${anotherAdmin})`
        await execute<ResultSetHeader>(sql, [role, id, id])
        if ((await one('id', id))?.role === 'admin') throw new StoreError('last-admin', null, null)
      }
      return true
    },
    async admit(subject, rule, now = Date.now()) {
      if (Math.random() < 0.01) await execute(forgetExpired, [now, now])
      const values = countValues(subject, rule, now)
      let counted = await execute<ResultSetHeader>(countAttempt, values)
      if (counted.affectedRows === 0) {
        await execute(firstAttempt('IGNORE'), [subject])
        counted = await execute<ResultSetHeader>(countAttempt, values)
      }
      if (counted.affectedRows === 1) return 0
      const [row] = await execute<RowDataPacket[]>(blockedUntil, [subject])
      return row === undefined ? 0 : Number(row['until']) - now
    },
    forgive: async (subject) => void (await execute(forgetAttempts, [subject])),
    close: () => pool.end(),
  }
}

/** Field by field: the driver adds `changedRows` and others to every write, the documented result does not. */
const toSummary = (header: ResultSetHeader): WriteSummary => ({
  fieldCount: header.fieldCount,
  affectedRows: header.affectedRows,
  insertId: header.insertId,
  info: header.info,
  serverStatus: header.serverStatus,
  warningStatus: header.warningStatus,
})

const toUser = (row: RowDataPacket): User => ({
  ...(row as User),
  createdAt: (row['createdAt'] as Date).toISOString(),
  updatedAt: (row['updatedAt'] as Date).toISOString(),
})

function toStoreError(error: unknown): StoreError {
  const { errno, sqlState, message } = error as { errno?: number; sqlState?: string; message: string }
  if (errno === 1062) return new StoreError('duplicate', message, error)
  // Without an SQL state the server never answered; 08 is a lost connection, 1040 to 1203 are full, 1044 to 1049 no way in.
  const away =
    sqlState === undefined || sqlState.startsWith('08') || [1040, 1044, 1045, 1049, 1053, 1203].includes(errno ?? 0)
  return away ? new StoreError('unavailable', null, error) : new StoreError('failed', message, error)
}
