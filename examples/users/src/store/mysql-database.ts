import { setTimeout as wait } from 'node:timers/promises'
import mysql2, {
  type PoolConnection,
  type ResultSetHeader,
  type RowDataPacket,
  type TypedParameterValue,
} from 'mysql2'
import { limitConcurrency } from '../lib/limit-concurrency.ts'
import { type Database, type Row, type Values, type WriteSummary, StoreError } from './database.ts'
import { classOf, repeatTimeOf, toStoreError } from './mysql-errors.ts'
import { type PoolOptions, connections, openPool } from './mysql-pool.ts'

export interface MysqlOptions extends PoolOptions {
  /**
   * How long a statement may take, in milliseconds.
   *
   * @default 5000
   */
  readonly statementTime?: number
}

/** How long a statement waits for a free connection, in milliseconds. */
const patience = 2000
/** Read once, because the driver loads a module whenever it's asked for this. */
const { LONGLONG } = mysql2.TypedParameter
/** The only status flag that the API documents. The others tell clients about the server's settings. */
const autocommit = 2

type Result = RowDataPacket[] | ResultSetHeader

/** MariaDB or MySQL, also as a cluster. Connects on first use. */
export function openMysqlDatabase(options: MysqlOptions): Database {
  const { url, statementTime = 5000 } = options
  const { hostname, port, pathname } = new URL(url)
  const pool = openPool(options)
  const limited = limitConcurrency(
    { name: 'database', running: connections, patience },
    () => new Error('no connection was free in time'),
  )
  const useOnce = <T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> =>
    limited(() => pool.use(work))
  const use = <T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> =>
    repeat(() => useOnce(work))
  const execute = <T extends Result>(sql: string, values?: Values): Promise<T> =>
    use((connection) => executeOn<T>(connection, sql, values, statementTime))

  return {
    dialect: 'mysql',
    description: `the database at ${hostname}:${port || 3306}${pathname}`,
    async ping() {
      await useOnce((connection) => assertWritable(connection, statementTime)).catch(
        (error: unknown) => {
          throw toStoreError(error)
        },
      )
    },
    all: async (sql, values) => (await execute<RowDataPacket[]>(sql, values)).map(withIsoDates),
    allCurrent: (sql, values) =>
      use(async (connection) => {
        await assertWritable(connection, statementTime)
        return (await executeOn<RowDataPacket[]>(connection, sql, values, statementTime)).map(
          withIsoDates,
        )
      }),
    run: async (sql, values) => toSummary(await execute(sql, values)),
    runTogether: (statements) =>
      use(async (connection) => {
        try {
          await answerOf(connection, statementTime, (done) => connection.beginTransaction(done))
          const summaries: WriteSummary[] = []
          for (const { sql, values } of statements)
            summaries.push(toSummary(await executeOn(connection, sql, values, statementTime)))
          await answerOf(connection, statementTime, (done) => connection.commit(done))
          return summaries
        } catch (error) {
          connection.destroy() // the server rolls back
          throw error
        }
      }),
    async runMigration(sql, record) {
      try {
        await use((connection) => executeOn(connection, sql))
      } catch (error) {
        // Unlike MariaDB, MySQL has no IF NOT EXISTS for columns and indexes.
        if (classOf((error as StoreError).cause) !== 'existing') throw error
      }
      await execute(record.sql, record.values)
    },
    async updateUsers(columns, where) {
      const set = Object.keys(columns).map((column) => `${column} = :${column}`)
      if (columns['password_hash'] !== undefined) set.push('token_version = token_version + 1')
      const sql = `UPDATE users SET ${set.join(', ')} WHERE ${where.sql}`
      const header = await execute<ResultSetHeader>(sql, { ...columns, ...where.values })
      return { ...toSummary(header), changedRows: header.changedRows }
    },
    close: () => pool.close(),
  }
}

async function assertWritable(connection: PoolConnection, timeout: number): Promise<void> {
  const sql = 'SELECT @@global.read_only AS server, @@global.innodb_read_only AS storage'
  const [row] = await executeOn<RowDataPacket[]>(connection, sql, {}, timeout)
  if (!isOff(row!['server']) || !isOff(row!['storage'])) throw readOnlyError()
}

const isOff = (setting: unknown): boolean => setting === 0 || setting === 'OFF'
/** The error that a write would fail with. */
const readOnlyError = () =>
  Object.assign(new Error('The server is read-only'), { errno: 1836, sqlState: 'HY000' })

const executeOn = <T extends Result>(
  connection: PoolConnection,
  sql: string,
  values: Values = {},
  timeout?: number,
) =>
  answerOf<T>(connection, timeout, (done) =>
    connection.execute<T>({ sql, namedPlaceholders: true }, toParameters(values), done),
  )

/**
 * Waits for the server's answer for at most `timeout` milliseconds. The driver has such an option,
 * but its time only starts when the statement has been prepared. If the server stops responding
 * before that, it never starts.
 */
const answerOf = <T>(
  connection: PoolConnection,
  timeout: number | undefined,
  ask: (done: (error: Error | null, result?: T) => void) => void,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const expire = () => {
      connection.destroy() // it's still running the statement, so it can't be used again
      reject(new Error('the statement took too long'))
    }
    const timer = timeout === undefined ? undefined : setTimeout(expire, timeout)
    ask((error, result) => {
      clearTimeout(timer)
      if (error === null) resolve(result as T)
      else reject(error)
    })
  })

/**
 * By default, the driver sends floating-point numbers, which MySQL and TiDB refuse as a SELECT's
 * limit.
 */
const toParameters = (values: Values): Record<string, string | TypedParameterValue | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? LONGLONG(value) : value,
    ]),
  )

/** Repeats work that failed without an effect, after a pause that grows to 400 ms. */
async function repeat<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (performance.now() - start >= repeatTimeOf(error)) throw toStoreError(error)
      await wait(Math.random() * Math.min(25 * 2 ** attempt, 400))
    }
}

/** Copies field by field, because the driver adds `changedRows` and more to every result. */
const toSummary = (header: ResultSetHeader): WriteSummary => ({
  fieldCount: header.fieldCount,
  affectedRows: header.affectedRows,
  insertId: header.insertId,
  info: header.info,
  serverStatus: header.serverStatus & autocommit,
  warningStatus: header.warningStatus,
})

/** Changes the row itself, which nobody else has. */
function withIsoDates(row: RowDataPacket): Row {
  for (const column in row) if (row[column] instanceof Date) row[column] = row[column].toISOString()
  return row
}
