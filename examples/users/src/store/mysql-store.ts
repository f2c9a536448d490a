import { type Pool, type ResultSetHeader, type RowDataPacket, createPool } from 'mysql2/promise'
import { type SqlRunner, migrate, pendingMigrations } from './migrations.ts'
import {
  type Account,
  type User,
  type UserStore,
  type WriteSummary,
  StoreError,
  accountColumns,
  columnsOf,
  lookupKey,
  userColumns,
  usernameKey,
} from './user-store.ts'

/** MariaDB or MySQL, also clustered. Nothing is connected before the first call. */
export function openMysqlStore(url: string): UserStore {
  const { hostname, port, username, password, pathname } = new URL(url)
  const pool: Pool = createPool({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    stringifyObjects: true,
    connectTimeout: 2000,
    connectionLimit: 10,
    queueLimit: 40,
    enableKeepAlive: true,
  })
  // CURRENT_TIMESTAMP is in the time zone of the session. Queued before the first statement of the connection.
  pool.pool.on('connection', (connection) => void connection.query("SET time_zone = '+00:00'", () => {}))

  const execute = async <T extends RowDataPacket[] | ResultSetHeader>(
    sql: string,
    values: readonly (string | number | null)[] = [],
  ): Promise<T> => {
    try {
      const [result] = await pool.execute<T>(sql, [...values])
      return result
    } catch (error) {
      throw toStoreError(error)
    }
  }
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
    delete: async (id) => toSummary(await execute('DELETE FROM users WHERE id = ?', [id])),
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
