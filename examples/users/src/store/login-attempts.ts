/** How often something may be tried: `limit` times per window, then not for `delay`, which doubles with each further try. */
export interface AttemptRule {
  readonly limit: number
  /** Milliseconds. */
  readonly window: number
  /** Milliseconds. */
  readonly delay: number
  /** How often the delay may double. */
  readonly doublings: number
}

const next = 'CASE WHEN window_ends <= :now THEN 1 ELSE attempts + 1 END'
const excess = `(${next}) - :limit`

/**
 * Counts a try, unless the subject is blocked. One statement: instances that share a database count together.
 * The window is set last, because MySQL sees columns that are set further left with their new values.
 */
export const countAttempt = `UPDATE login_attempts SET
  blocked_until = CASE WHEN ${excess} < 0 THEN 0
    ELSE :now + (:delay << (CASE WHEN ${excess} < :doublings THEN ${excess} ELSE :doublings END)) END,
  attempts = ${next},
  window_ends = CASE WHEN window_ends <= :now THEN :now + :window ELSE window_ends END
WHERE subject = :subject AND blocked_until <= :now`

const insert = {
  mysql: 'INSERT IGNORE INTO',
  sqlite: 'INSERT OR IGNORE INTO',
}
export const firstAttempt = (dialect: keyof typeof insert): string =>
  `${insert[dialect]} login_attempts (subject, attempts, window_ends, blocked_until) VALUES (:subject, 0, 0, 0)`
export const blockedUntil = 'SELECT blocked_until AS until FROM login_attempts WHERE subject = :subject'
export const forgetAttempts = 'DELETE FROM login_attempts WHERE subject = :subject'
export const forgetAttemptsLike = 'DELETE FROM login_attempts WHERE subject LIKE :pattern'
/** A remembered subject is a row without tries. */
export const rememberSubject =
  'REPLACE INTO login_attempts (subject, attempts, window_ends, blocked_until) VALUES (:subject, 0, :until, 0)'
export const rememberedSubject = 'SELECT subject FROM login_attempts WHERE subject = :subject AND window_ends > :now'
export const forgetExpired = 'DELETE FROM login_attempts WHERE window_ends < :now AND blocked_until < :now'
