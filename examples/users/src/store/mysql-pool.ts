import mysql2, { type Pool, type PoolConnection } from 'mysql2'
import { StoreError } from './database.ts'
import { isMoved } from './mysql-errors.ts'

export interface PoolOptions {
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
   * How long a connection is used, in milliseconds, because the URL's host name or proxy may lead
   * to a different server by then.
   *
   * @default 300_000
   */
  readonly connectionTime?: number
}

/** Connections to a database whose writable server may change. */
export interface ConnectionPool {
  /** Runs work on a connection. */
  use<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** How many connections a pool has at most. */
export const connections = 10
/**
 * How long to wait before another failed write makes the pool replace its connections again, in
 * milliseconds.
 */
const pause = 1000

export function openPool(options: PoolOptions): ConnectionPool {
  const { connectionTime = 300_000 } = options
  const pool = createDriverPool(options)
  const openedAt = new WeakMap<PoolConnection, number>()
  /** Connections from before this time aren't used again. */
  let validFrom = 0
  pool.on('connection', (connection) => {
    openedAt.set(connection, performance.now())
    // The server may have other defaults. Without autocommit, writes would be lost.
    // CURRENT_TIMESTAMP uses the session's time zone. A statement that waits for a row has to give
    // up before we do, or it could still write when nobody expects it any more. This runs before
    // the connection's first statement.
    connection.query(
      "SET autocommit = 1, time_zone = '+00:00', innodb_lock_wait_timeout = 2",
      (error) => error !== null && connection.destroy(),
    )
  })

  async function take(): Promise<PoolConnection> {
    for (;;) {
      const connection = await connect(pool)
      const time = performance.now()
      if (openedAt.get(connection)! >= Math.max(validFrom, time - connectionTime)) return connection
      connection.end()
    }
  }

  return {
    async use(work) {
      const connection = await take()
      try {
        return await work(connection)
      } catch (error) {
        if (isMoved(error)) {
          connection.destroy()
          // The other connections lead to the same server. A connection that only reads would never
          // get an error, and would keep reading old data.
          if (performance.now() - validFrom > pause) validFrom = performance.now()
        }
        throw error
      } finally {
        connection.release() // without effect on a destroyed connection
      }
    },
    close: () =>
      new Promise((resolve, reject) => pool.end((error) => (error ? reject(error) : resolve()))),
  }
}

function createDriverPool({ url, tls = null }: PoolOptions): Pool {
  const { hostname, port, username, password, pathname } = new URL(url)
  return mysql2.createPool({
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
    gracefulEnd: true,
    ...(tls && {
      ssl: {
        ...(tls.ca !== null && { ca: tls.ca }),
        rejectUnauthorized: tls.verify,
        verifyIdentity: tls.verify,
      },
    }),
  })
}

/**
 * Whatever keeps the service from connecting, such as a wrong password or too many connections, can
 * be corrected.
 */
const connect = (pool: Pool): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error: NodeJS.ErrnoException | null, connection) => {
      if (error === null) resolve(connection)
      // A host with several addresses rejects with one error per address, and without a message.
      else
        reject(
          new StoreError(
            'unavailable',
            null,
            error instanceof AggregateError ? error.errors[0] : error,
          ),
        )
    })
  })
