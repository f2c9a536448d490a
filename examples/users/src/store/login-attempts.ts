import type { Database } from './database.ts'

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

/** Counters of tries, each for a subject: a short string that says who tries what. */
export interface AttemptStore {
  /** Counts a try of a subject. Returns 0, or the milliseconds to wait: then the try doesn't count. */
  admit(subject: string, rule: AttemptRule, now?: number): Promise<number>
  /** Forgets the tries of a subject. */
  forgive(subject: string): Promise<void>
  /** Forgets the tries of every subject that begins with this word. */
  forgiveAll(word: string): Promise<void>
  /** Remembers a subject for some milliseconds. */
  remember(subject: string, time: number): Promise<void>
  isRemembered(subject: string): Promise<boolean>
}

const next = 'CASE WHEN window_ends <= :now THEN 1 ELSE attempts + 1 END'
const excess = `(${next}) - :limit`

/**
 * Counts a try, unless the subject is blocked. One statement: instances that share a database count together.
 * The window is set last, because MySQL sees columns that are set further left with their new values.
 */
const countAttempt = `UPDATE login_attempts SET
  blocked_until = CASE WHEN ${excess} < 0 THEN 0
    ELSE :now + (:delay << (CASE WHEN ${excess} < :doublings THEN ${excess} ELSE :doublings END)) END,
  attempts = ${next},
  window_ends = CASE WHEN window_ends <= :now THEN :now + :window ELSE window_ends END
WHERE subject = :subject AND blocked_until <= :now`

const insert = {
  mysql: 'INSERT IGNORE INTO',
  sqlite: 'INSERT OR IGNORE INTO',
}
const firstAttempt = (dialect: keyof typeof insert): string =>
  `${insert[dialect]} login_attempts (subject, attempts, window_ends, blocked_until) VALUES (:subject, 0, 0, 0)`
const blockedUntil = 'SELECT blocked_until AS until FROM login_attempts WHERE subject = :subject'
const forgetAttempts = 'DELETE FROM login_attempts WHERE subject = :subject'
const forgetAttemptsLike = 'DELETE FROM login_attempts WHERE subject LIKE :pattern'
/** A remembered subject is a row without tries. */
const rememberSubject =
  'REPLACE INTO login_attempts (subject, attempts, window_ends, blocked_until) VALUES (:subject, 0, :until, 0)'
const rememberedSubject =
  'SELECT subject FROM login_attempts WHERE subject = :subject AND window_ends > :now'
const forgetExpired = 'DELETE FROM login_attempts WHERE window_ends < :now AND blocked_until < :now'

export function createAttemptStore(db: Database): AttemptStore {
  return {
    async admit(subject, rule, now = Date.now()) {
      if (Math.random() < 0.01) await db.run(forgetExpired, { now })
      const values = { subject, ...rule, now }
      let counted = await db.run(countAttempt, values)
      if (counted.affectedRows === 0) {
        await db.run(firstAttempt(db.dialect), { subject })
        counted = await db.run(countAttempt, values)
      }
      if (counted.affectedRows === 1) return 0
      const [row] = await db.all(blockedUntil, { subject })
      return row === undefined ? 0 : Number(row['until']) - now
    },
    forgive: async (subject) => void (await db.run(forgetAttempts, { subject })),
    async forgiveAll(word) {
      await db.run(forgetAttempts, { subject: word })
      await db.run(forgetAttemptsLike, { pattern: `${word} %` })
    },
    remember: async (subject, time) =>
      void (await db.run(rememberSubject, { subject, until: Date.now() + time })),
    isRemembered: async (subject) =>
      (await db.all(rememberedSubject, { subject, now: Date.now() })).length > 0,
  }
}
