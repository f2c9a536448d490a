import { StoreError } from './database.ts'

/** The driver's error. If it has no number, the server didn't answer. */
interface DriverError {
  readonly errno?: number
  readonly sqlState?: string
  readonly message: string
}

/**
 * The server accepts no writes now, and perhaps never will: it became a replica (1290, 1792, 1836),
 * is offline (3032), or isn't in its cluster (1047, 3098). The statement had no effect.
 */
const refusals = new Set([1047, 1290, 1792, 1836, 3032, 3098])
/**
 * The server lost its group while it committed. The other servers may have received the transaction
 * and commit it, so it isn't repeated.
 */
const lostGroup = 3100
/**
 * A lock that took too long, a deadlock, a row that changed meanwhile, or a transaction that
 * conflicts with an earlier one on another server.
 */
const conflicts = new Set([1020, 1205, 1213, 3101])
/**
 * Errors that may go away: the disk is full (1021, 1114), a commit failed (1180), the server waits
 * for its group (3797, 3798).
 */
const temporary = new Set([1021, 1114, 1180, lostGroup, 3797, 3798, ...refusals, ...conflicts])

const numberOf = (error: unknown): number => (error as DriverError).errno ?? 0

/** Whether a new connection, opened later, may lead to a server that accepts writes. */
export const isUnwritable = (error: unknown): boolean =>
  refusals.has(numberOf(error)) || numberOf(error) === lostGroup

/**
 * How long a statement or transaction that failed with this error, and so had no effect, is
 * repeated, in milliseconds. If many clients write one row, it may take many tries. 0 means that it
 * isn't repeated.
 */
export function repeatTimeOf(error: unknown): number {
  if (refusals.has(numberOf(error))) return 1500
  // Group Replication reports some of the conflicts with another server as 1180.
  const isConflict =
    conflicts.has(numberOf(error)) ||
    (numberOf(error) === 1180 && (error as DriverError).message.includes('error 149'))
  return isConflict ? 4000 : 0
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { errno = 0, sqlState, message } = error as DriverError
  if (errno === 1062) return new StoreError('duplicate', message, error)
  // Without an SQL state, the server didn't respond. Class 08: the connection was lost. 40: a
  // deadlock. 70: the server stopped the statement.
  const away = sqlState === undefined || /^(?:08|40|70)/.test(sqlState) || temporary.has(errno)
  return away
    ? new StoreError('unavailable', null, error)
    : new StoreError('failed', message, error)
}
