import { setTimeout as wait } from 'node:timers/promises'
import { type Pool, type PoolConnection, type ResultSetHeader, type RowDataPacket, createPool } from 'mysql2/promise'
import { limitConcurrency } from '../lib/limit-concurrency.ts'
import { type Database, type Row, type Values, type WriteSummary, StoreError } from './database.ts'

export interface MysqlOptions {
  /** `mysql://user:password@host:port/database` */
  readonly url: string
  /**
   * TLS; null for none.
   *
   * @default null
   */
  readonly tls?: {
    /** PEM; null for the authorities that Node trusts. */
    readonly ca: string | null
    /** Whether the certificate must be valid and carry the host name of the URL. */
    readonly verify: boolean
  } | null
  /**
   * Milliseconds that a statement may take.
   *
   * @default 5000
   */
  readonly statementTime?: number
}

const connections = 10
/** Milliseconds that a statement waits for a free connection. */
const patience = 2000
/** Deadlock, or a lock that took too long: the statement had no effect and may run again. */
const retriedErrors = new Set([1205, 1213])
const retries = 4
/** The column or the index exists. MySQL, unlike MariaDB, has no IF NOT EXISTS for them. */
const existenceErrors = new Set([1060, 1061])
/** Flags that report a table scan; they depend on the number of rows. */
const scanFlags = 0x10 | 0x20

type Result = RowDataPacket[] | ResultSetHeader

/** MariaDB or MySQL, also as a cluster. Connects on first use. */
export function openMysqlDatabase({ url, tls = null, statementTime = 5000 }: MysqlOptions): Database {
  const { hostname, port, pathname } = new URL(url)
  const pool = openPool(url, tls)
  const limited = limitConcurrency(
    { running: connections, patience },
    () => new Error('no connection was free in time'),
  )
  const execute = <T extends Result>(sql: string, values: Values = {}, timeout?: number): Promise<T> =>
    withRetries(() => limited(() => executeOnce<T>(pool, sql, values, timeout)))

  return {
    dialect: 'mysql',
    description: `the database at ${hostname}:${port || 3306}${pathname}`,
    all: async (sql, values) => (await execute<RowDataPacket[]>(sql, values, statementTime)).map(withIsoDates),
    run: async (sql, values) => toSummary(await execute(sql, values, statementTime)),
    async runWithoutLimit(sql) {
      try {
        await execute(sql)
      } catch (error) {
        const { errno = 0 } = (error as StoreError).cause as { errno?: number }
        if (!existenceErrors.has(errno)) throw error
      }
    },
    async updateUsers(columns, where) {
      const set = Object.keys(columns).map((column) => `${column} = :${column}`)
      if (columns['password_hash'] !== undefined) set.push('token_version = token_version + 1')
      const sql = `UPDATE users SET ${set.join(', ')} WHERE ${where.sql}`
      const header = await execute<ResultSetHeader>(sql, { ...columns, ...where.values }, statementTime)
      return { ...toSummary(header), changedRows: header.changedRows }
    },
    close: () => pool.end(),
  }
}

function openPool(url: string, tls: NonNullable<MysqlOptions['tls']> | null): Pool {
  const { hostname, port, username, password, pathname } = new URL(url)
  const pool = createPool({
    host: hostname.replace(/^\[|\]$/g, ''), // the URL has an IPv6 address in brackets
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    stringifyObjects: true,
    connectTimeout: 2000,
    connectionLimit: connections,
    maxPreparedStatements: 100,
    enableKeepAlive: true,
    ...(tls && {
      ssl: { ...(tls.ca !== null && { ca: tls.ca }), rejectUnauthorized: tls.verify, verifyIdentity: tls.verify },
    }),
  })
  // These run before the first statement of the connection, because the server may have other defaults. Without autocommit,
  // writes would be lost. CURRENT_TIMESTAMP uses the time zone of the session. At a lower isolation level, two admins who
  // are demoted at once would not see each other's change.
  pool.pool.on('connection', (connection) => {
    for (const sql of [
      "SET autocommit = 1, time_zone = '+00:00'",
      'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    ])
      connection.query(sql, (error) => error !== null && connection.destroy())
  })
  return pool
}

/**
 * Runs a statement, for at most `timeout` milliseconds. The driver has such an option, but its time starts when the
 * statement is prepared: never, if the server stops responding before that.
 */
async function executeOnce<T extends Result>(pool: Pool, sql: string, values: Values, timeout?: number): Promise<T> {
  const connection = await connect(pool)
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    if (timeout === undefined) return
    timer = setTimeout(() => {
      connection.destroy() // it still runs the statement, so it cannot be used again
      reject(new Error('the statement took too long'))
    }, timeout)
  })
  try {
    const [result] = await Promise.race([connection.execute<T>({ sql, values, namedPlaceholders: true }), expired])
    return result
  } finally {
    clearTimeout(timer)
    connection.release() // without effect on a destroyed connection
  }
}

/** Whatever keeps the service from connecting, such as a wrong password or too many connections, can be corrected. */
async function connect(pool: Pool): Promise<PoolConnection> {
  try {
    return await pool.getConnection()
  } catch (error) {
    // A host with several addresses rejects with one error per address, and without a message.
    throw new StoreError('unavailable', null, error instanceof AggregateError ? error.errors[0] : error)
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt > retries || !retriedErrors.has((error as { errno?: number }).errno ?? 0)) throw toStoreError(error)
      await wait(Math.random() * 25 * 2 ** attempt)
    }
}

/** Field by field: the driver adds `changedRows` and more to every result. */
const toSummary = (header: ResultSetHeader): WriteSummary => ({
  fieldCount: header.fieldCount,
  affectedRows: header.affectedRows,
  insertId: header.insertId,
  info: header.info,
  serverStatus: header.serverStatus & ~scanFlags,
  warningStatus: header.warningStatus,
})

const withIsoDates = (row: RowDataPacket): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]),
  )

/** Errors that may go away: the disk is full (1021, 1114), a lock took too long (1205), the server is read-only (1290, 1836). */
const temporaryErrors = new Set([1021, 1114, 1205, 1290, 1836])

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { errno = 0, sqlState, message } = error as { errno?: number; sqlState?: string; message: string }
  if (errno === 1062) return new StoreError('duplicate', message, error)
  // No SQL state: the server did not answer. Class 08: the connection was lost. 40: a deadlock. 70: the server ended the statement.
  const away = sqlState === undefined || /^(?:08|40|70)/.test(sqlState) || temporaryErrors.has(errno)
  return away ? new StoreError('unavailable', null, error) : new StoreError('failed', message, error)
}
