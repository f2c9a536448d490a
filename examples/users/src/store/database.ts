/** Values of the named parameters of a statement: `:id` takes `id`. */
export type Values = Readonly<Record<string, string | number | null>>
/** A statement with the values of its parameters. */
export interface Statement {
  readonly sql: string
  readonly values: Values
}
/** A row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>

/** The summary of a write, key for key as the API documents it. */
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

/** What the service needs of a database. Every method rejects with a `StoreError`. */
export interface Database {
  readonly dialect: 'mysql' | 'sqlite'
  /** For the line printed at start. */
  readonly description: string
  /** Rejects unless the database takes writes. */
  ping(): Promise<void>
  /** The rows of a SELECT, with dates as ISO 8601 strings in UTC. */
  all(sql: string, values?: Values): Promise<readonly Row[]>
  /** As `all`, but rejects unless the server takes writes: one that has left its cluster shows rows as they were. */
  allCurrent(sql: string, values?: Values): Promise<readonly Row[]>
  /** Runs any other statement. */
  run(sql: string, values?: Values): Promise<WriteSummary>
  /** Runs such statements in one transaction: all of them have an effect, or none has. */
  runTogether(statements: readonly Statement[]): Promise<readonly WriteSummary[]>
  /**
   * Runs a migration, without a time limit. Ignores an index or a column that exists already: an earlier run may have ended
   * before it recorded the migration as applied.
   */
  runWithoutLimit(sql: string): Promise<void>
  /**
   * Updates users. `affectedRows` counts the rows that match, `changedRows` those whose values differ from before.
   *
   * @param columns the new values by column
   * @param where which rows match, with the values of its parameters
   */
  updateUsers(columns: Values, where: Statement): Promise<WriteSummary>
  close(): Promise<void>
}

/** Why a method of the database failed, whatever its driver. */
export class StoreError extends Error {
  /**
   * `duplicate`: the username is taken; `last-admin`: no admin would be left; `unavailable`: try again later;
   * `failed`: anything else.
   */
  readonly reason: 'duplicate' | 'last-admin' | 'unavailable' | 'failed'
  /** The message of the driver, without statements and addresses; null when there is none to show. */
  readonly databaseText: string | null

  constructor(reason: StoreError['reason'], databaseText: string | null, cause: unknown) {
    super(`database: ${reason}`, { cause })
    this.name = 'StoreError'
    this.reason = reason
    this.databaseText = databaseText
  }
}
