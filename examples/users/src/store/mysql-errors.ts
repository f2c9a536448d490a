import { StoreError } from './database.ts'

/** The driver's error. If it has no number, the server didn't answer. */
interface DriverError {
  readonly errno?: number
  readonly sqlState?: string
  readonly message: string
}

interface ErrorClass {
  /** How long the statement or transaction is repeated, in milliseconds. It had no effect. */
  readonly repeat?: number
  /** By name: the error's number, or a pattern for its number and message. */
  readonly errors: Readonly<Record<string, number | RegExp>>
}

/**
 * What the errors that come from MySQL, MariaDB and the proxies in front of them mean. The first class that has
 * an error counts. Requests get a 503 response, except where a class says otherwise. Any other error
 * is a 500 response, because it won't go away.
 */
export const errorClasses = {
  /** The username is taken: 409. */
  duplicate: { errors: { ER_DUP_ENTRY: 1062 } },
  /** A migration's column or index exists already, which is fine. */
  existing: { errors: { ER_DUP_FIELDNAME: 1060, ER_DUP_KEYNAME: 1061 } },
  /** The account, its password or its rights are wrong. The operator has to correct that. */
  account: {
    errors: {
      ER_DBACCESS_DENIED_ERROR: 1044,
      ER_ACCESS_DENIED_ERROR: 1045,
      ER_BAD_DB_ERROR: 1049,
      ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 1698,
    },
  },
  /**
   * Somebody else was faster: a lock that took too long, a deadlock, a row or a table that changed
   * meanwhile, or an earlier transaction on another server of the cluster. If many clients write one
   * row, it may take many tries.
   */
  conflict: {
    repeat: 4000,
    errors: {
      ER_CHECKREAD: 1020,
      ER_ERROR_DURING_COMMIT: /^1180 .*error 149/, // Group Replication reports some conflicts so
      ER_LOCK_WAIT_TIMEOUT: 1205,
      ER_LOCK_DEADLOCK: 1213,
      ER_TABLE_DEF_CHANGED: 1412,
      ER_NEED_REPREPARE: 1615,
      ER_TRANSACTION_ROLLBACK_DURING_COMMIT: 3101,
    },
  },
  /**
   * The connection is no good any more, so the pool replaces all of them. Its server accepts no
   * writes, perhaps never again: it became a replica, is offline, or isn't in its cluster. Or a proxy
   * has led the connection to a server that doesn't know its prepared statements.
   */
  moved: {
    repeat: 1500,
    errors: {
      ER_UNKNOWN_COM_ERROR: 1047, // Galera: the server isn't in its cluster
      ER_UNKNOWN_STMT_HANDLER: 1243,
      ER_OPTION_PREVENTS_STATEMENT: 1290,
      ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: 1792,
      ER_READ_ONLY_MODE: 1836,
      ER_SERVER_OFFLINE_MODE: 3032,
      ER_BEFORE_DML_VALIDATION_ERROR: 3098,
      ER_CLIENT_INTERACTION_TIMEOUT: 4031,
    },
  },
  /**
   * Like `moved`, but the server lost its group while it committed. The other servers may have
   * received the transaction and commit it, so it isn't repeated.
   */
  unknown: { errors: { ER_RUN_HOOK_ERROR: 3100 } },
  /** The server lacks something for now: room on a disk, memory, time, connections, or its group. */
  temporary: {
    errors: {
      EE_WRITE: 3,
      ER_DISK_FULL: 1021,
      ER_ERROR_ON_WRITE: 1026,
      ER_GET_ERRNO: /^1030 .*error (?:28|-1)\b/, // MariaDB also says -1 when its disk is full
      ER_OUTOFMEMORY: 1037,
      ER_OUT_OF_SORTMEMORY: 1038,
      ER_CON_COUNT_ERROR: 1040,
      ER_OUT_OF_RESOURCES: 1041,
      ER_RECORD_FILE_FULL: 1114,
      ER_ERROR_DURING_COMMIT: 1180,
      ER_TOO_MANY_USER_CONNECTIONS: 1203,
      ER_LOCK_TABLE_FULL: 1206,
      ER_USER_LIMIT_REACHED: 1226,
      ER_MAX_PREPARED_STMT_COUNT_REACHED: 1461,
      ER_STATEMENT_TIMEOUT: 1969, // MariaDB's 3024
      ER_QUERY_TIMEOUT: 3024,
      ER_GRP_TRX_CONSISTENCY_BEFORE: 3797,
      ER_GRP_TRX_CONSISTENCY_AFTER_ON_TRX_BEGIN: 3798,
      PROXYSQL_NO_SERVER: 9001, // TiDB's PD is away
      TIDB_STORAGE_TIMEOUT: 9002,
      TIDB_STORAGE_BUSY: 9003,
      TIDB_REGION_UNAVAILABLE: 9005,
    },
  },
} as const satisfies Record<string, ErrorClass>

type ClassName = keyof typeof errorClasses

/** Returns an error's class, or `failed` if there's no reason to try again. */
export function classOf(error: unknown): ClassName | 'failed' {
  const { errno = 0, sqlState, message } = error as DriverError
  for (const [name, { errors }] of Object.entries(errorClasses))
    for (const pattern of Object.values<number | RegExp>(errors))
      if (pattern === errno || (pattern instanceof RegExp && pattern.test(`${errno} ${message}`)))
        return name as ClassName
  // Without an SQL state, the server didn't respond. Class 08: the connection was lost. 40: a
  // deadlock. 70: the server stopped the statement.
  return sqlState === undefined || /^(?:08|40|70)/.test(sqlState) ? 'temporary' : 'failed'
}

/** Whether a new connection, opened later, may lead to a server that accepts writes. */
export const isMoved = (error: unknown): boolean => /^(?:moved|unknown)$/.test(classOf(error))

/** How long work that failed with this error is repeated, in milliseconds. 0 means not at all. */
export function repeatTimeOf(error: unknown): number {
  const name = classOf(error)
  const { repeat = 0 }: Partial<ErrorClass> = name === 'failed' ? {} : errorClasses[name]
  return repeat
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { message } = error as DriverError
  const name = classOf(error)
  if (name === 'duplicate') return new StoreError(name, message, error)
  return name === 'failed' || name === 'existing'
    ? new StoreError('failed', message, error)
    : new StoreError('unavailable', null, error)
}
