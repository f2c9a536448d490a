/** The values of a statement's named parameters: `:id` takes `id`. */
export type Values = Readonly<Record<string, string | number | null>>
/** A statement with the values of its parameters. */
export interface Statement {
  readonly sql: string
  readonly values: Values
}
/** A result's row, by column. */
export type Row = Readonly<Record<string, unknown>>

/** A write's summary, key for key as the API documents it. */
export interface WriteSummary {
  readonly fieldCount: number
  readonly affectedRows: number
  readonly insertId: number
  readonly info: string
  readonly serverStatus: number
  readonly warningStatus: number
  /** Only on update. */
  readonly changedRows?: number
}

/**
 * What the service needs from a database. If something fails, every method rejects with a
 * `StoreError`.
 */
export interface Database {
  readonly dialect: 'mysql' | 'sqlite'
  /** For the line printed at start. */
  readonly description: string
  /** Rejects unless the database accepts writes. */
  ping(): Promise<void>
  /** Returns a SELECT's rows, with dates as ISO 8601 strings in UTC. */
  all(sql: string, values?: Values): Promise<readonly Row[]>
  /**
   * Like `all`, but rejects unless the server accepts writes, because one that has left its cluster
   * returns old rows.
   */
  allCurrent(sql: string, values?: Values): Promise<readonly Row[]>
  run(sql: string, values?: Values): Promise<WriteSummary>
  /** Runs statements in one transaction, so either all of them have an effect or none has. */
  runTogether(statements: readonly Statement[]): Promise<readonly WriteSummary[]>
  /**
   * Runs a migration without a time limit, and a statement that records it. In SQLite, that's one
   * transaction. In MySQL, it can't be, because statements that change tables commit immediately.
   * So if an index or a column already exists, it's ignored: an earlier run may have stopped before
   * it recorded the migration.
   */
  runMigration(sql: string, record: Statement): Promise<void>
  /**
   * Updates users. `affectedRows` counts the rows that match, `changedRows` those whose values
   * differ from before.
   *
   * @param columns the new values, by column
   * @param where a condition for the rows, with its parameters' values
   */
  updateUsers(columns: Values, where: Statement): Promise<WriteSummary>
  close(): Promise<void>
}

/**
 * Milliseconds since 1970 by the database's clock, in SQL, because the instances' clocks may
 * differ.
 */
export const currentTime = {
  mysql: 'ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)',
  sqlite: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
}

/** Why a database method failed, whatever the driver. */
export class StoreError extends Error {
  /**
   * `duplicate`: the username is taken. `last-admin`: no admin would be left. `unavailable`: it's
   * worth trying again later. `failed`: anything else.
   */
  readonly reason: 'duplicate' | 'last-admin' | 'unavailable' | 'failed'
  /** The driver's message, without statements and addresses. Null if there's none to show. */
  readonly databaseText: string | null

  constructor(reason: StoreError['reason'], databaseText: string | null, cause: unknown) {
    super(`database: ${reason}`, { cause })
    this.name = 'StoreError'
    this.reason = reason
    this.databaseText = databaseText
  }
}

/** Whether it's worth trying again later. */
export const isUnavailable = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.reason === 'unavailable'
