/** How often something may be tried: `limit` times a window, then not for `delay`, which doubles at each further try. */
export interface AttemptRule {
  readonly limit: number
  /** Milliseconds. */
  readonly window: number
  /** Milliseconds. */
  readonly delay: number
  /** How often the delay doubles, at most. */
  readonly doublings: number
}

const next = 'CASE WHEN window_ends <= ? THEN 1 ELSE attempts + 1 END'
const over = `(${next}) - ?`

/**
 * Counts a try, unless the subject is blocked: one statement, so that instances that share a database count as one.
 * The window moves last: MySQL reads what stands to its left as already set.
 */
export const countAttempt = `UPDATE login_attempts SET
  blocked_until = CASE WHEN ${over} < 0 THEN 0 ELSE ? + (? << (CASE WHEN ${over} < ? THEN ${over} ELSE ? END)) END,
  attempts = ${next},
  window_ends = CASE WHEN window_ends <= ? THEN ? ELSE window_ends END
WHERE subject = ? AND blocked_until <= ?`

export function countValues(subject: string, { limit, window, delay, doublings }: AttemptRule, now: number) {
  return [now, limit, now, delay, now, limit, doublings, now, limit, doublings, now, now, now + window, subject, now]
}

export const firstAttempt = (ignore: string): string =>
  `INSERT ${ignore} INTO login_attempts (subject, attempts, window_ends, blocked_until) VALUES (?, 0, 0, 0)`
export const blockedUntil = 'SELECT blocked_until AS until FROM login_attempts WHERE subject = ?'
export const forgetAttempts = 'DELETE FROM login_attempts WHERE subject = ?'
export const forgetExpired = 'DELETE FROM login_attempts WHERE window_ends < ? AND blocked_until < ?'
