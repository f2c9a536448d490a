import { type Database, type Statement, currentTime } from './database.ts'

/**
 * How often something may be tried: `limit` times per window, then not for `delay`, which doubles
 * with each further try.
 */
export interface AttemptRule {
  readonly limit: number
  /** In milliseconds. */
  readonly window: number
  /** In milliseconds. */
  readonly delay: number
  /** How often the delay may double. */
  readonly doublings: number
}

/** A try, as it was counted or refused. */
export interface Attempt {
  /** What is counted: a short string that says who tries what. */
  readonly subject: string
  /** How long the subject is blocked, in milliseconds. If it's 0, the try was counted. */
  readonly wait: number
  /**
   * When the block ends that this try has earned, or else its window. Finds the try again, to take
   * it back.
   */
  readonly mark: number
}

const columns = 'login_attempts (subject, attempts, window_ends, blocked_until)'

/**
 * One statement counts a try, so that instances that share a database count together.
 *
 * With a limit of 2, a window of 900 and a delay of 30, in seconds, a subject's row changes like
 * this (`ends` is `window_ends`, `until` is `blocked_until`):
 *
 *     now   the try is         attempts  ends   until  returned
 *     1000  the first          1         1900   0      mark 1900
 *     1100  below the limit    2         1900   1130   mark 1130, because it earned a block
 *     1120  blocked            2         1900   1130   wait 10, and nothing changes
 *     1140  after the block    3         1900   1200   mark 1200: the delay has doubled
 *     2000  after the window   1         2900   0      mark 2900
 *
 * With a limit of 3, the second try would have earned no block, and returned mark 1900.
 *
 * MySQL reports the last argument of LAST_INSERT_ID as the result's `insertId`: here, the wait of a
 * blocked subject or else the mark. (The number of affected rows can't tell a blocked try from a
 * first one: MariaDB reports 1 for both.) MySQL assigns from left to right, so `blocked_until` sees
 * the new number of tries. Two statements on a locked row would be easier to read, but each login
 * would wait for the database three more times.
 */
function countTry(now: string) {
  const startWindow = `LAST_INSERT_ID(${now} + :window)`
  const mysql = `INSERT INTO ${columns}
    VALUES (:subject, 1, ${startWindow}, CASE WHEN :limit > 1 THEN 0 ELSE LAST_INSERT_ID(${now} + :delay) END)
    ON DUPLICATE KEY UPDATE
      attempts = CASE WHEN LAST_INSERT_ID(GREATEST(blocked_until - ${now}, 0)) > 0 THEN attempts
        WHEN window_ends <= ${now} THEN 1 ELSE attempts + 1 END,
      window_ends = CASE WHEN blocked_until > ${now} THEN window_ends
        WHEN window_ends <= ${now} THEN ${startWindow} ELSE LAST_INSERT_ID(window_ends) END,
      blocked_until = CASE WHEN blocked_until > ${now} THEN blocked_until WHEN attempts < :limit THEN 0
        ELSE LAST_INSERT_ID(${now} + (:delay << LEAST(attempts - :limit, :doublings))) END`
  const tries = `(CASE WHEN window_ends <= ${now} THEN 1 ELSE attempts + 1 END)`
  const sqlite = `INSERT INTO ${columns}
    VALUES (:subject, 1, ${now} + :window, CASE WHEN :limit > 1 THEN 0 ELSE ${now} + :delay END)
    ON CONFLICT (subject) DO UPDATE SET
      attempts = ${tries},
      window_ends = CASE WHEN window_ends <= ${now} THEN ${now} + :window ELSE window_ends END,
      blocked_until = CASE WHEN ${tries} < :limit THEN 0
        ELSE ${now} + (:delay << MIN(${tries} - :limit, :doublings)) END
    WHERE blocked_until <= ${now}
    RETURNING CASE WHEN blocked_until > 0 THEN blocked_until ELSE window_ends END AS mark`
  return { mysql, sqlite }
}

/** Counters of tries. All times are the database's, because the instances' clocks may differ. */
export function createAttemptStore(db: Database) {
  const now = currentTime[db.dialect]
  const isExpired = `window_ends < ${now} AND blocked_until < ${now} ORDER BY window_ends LIMIT 500`
  const expired = {
    mysql: isExpired, // SQLite has no DELETE … LIMIT, and MySQL no LIMIT in such a subquery
    sqlite: `subject IN (SELECT subject FROM login_attempts WHERE ${isExpired})`,
  }
  const insertAs = (verb: 'INSERT' | 'REPLACE', subject: string, time: number): Statement => ({
    sql: `${verb} INTO ${columns} VALUES (:subject, 0, ${now} + :time, 0)`,
    values: { subject, time },
  })
  /**
   * Milliseconds from now until the time in a column. 0 if there's no such row, or the time has
   * passed.
   */
  const timeUntil = async (column: string, subject: string): Promise<number> => {
    const sql = `SELECT ${column} - ${now} AS time FROM login_attempts WHERE subject = :subject`
    const [row] = await db.all(sql, { subject })
    return Math.max(Number(row?.['time'] ?? 0), 0)
  }

  return {
    /** Counts a try, unless its subject is blocked. */
    async admit(subject: string, rule: AttemptRule): Promise<Attempt> {
      const values = { subject, ...rule }
      if (db.dialect === 'mysql') {
        const { insertId } = await db.run(countTry(now).mysql, values)
        const isWait = insertId < Date.UTC(2000) // a wait is far shorter than that, a mark is a later time
        return { subject, wait: isWait ? insertId : 0, mark: insertId }
      }
      const [row] = await db.all(countTry(now).sqlite, values)
      // If the block has ended since, the try is refused all the same, because it hasn't been
      // counted.
      const wait = row === undefined ? Math.max(await timeUntil('blocked_until', subject), 1) : 0
      return { subject, wait, mark: Number(row?.['mark'] ?? 0) }
    },
    /**
     * Takes a try back if its window is still the same, and the block that it has earned. Blocks
     * that other tries have earned stay. Safe to repeat with the same id after a failure.
     */
    async takeBack({ subject, mark }: Attempt, id: string): Promise<void> {
      const sql = `UPDATE login_attempts SET attempts = attempts - 1,
        blocked_until = CASE WHEN blocked_until = :mark THEN 0 ELSE blocked_until END
        WHERE subject = :subject AND (window_ends = :mark OR blocked_until = :mark)`
      // If an earlier call did commit, its row is still there, and the transaction fails.
      const once = insertAs('INSERT', `taken ${id}`, 3_600_000)
      await db.runTogether([once, { sql, values: { subject, mark } }])
    },
    /** Forgets a subject's tries, and remembers another subject for a time in milliseconds. */
    async forgive(subject: string, known: string, time: number): Promise<void> {
      const forget = {
        sql: 'DELETE FROM login_attempts WHERE subject = :subject',
        values: { subject },
      }
      if (time === 0) await db.run(forget.sql, forget.values)
      else await db.runTogether([forget, insertAs('REPLACE', known, time)])
    },
    /** Forgets the tries of every subject that begins with this word. */
    async forgiveAll(word: string): Promise<void> {
      const sql = 'DELETE FROM login_attempts WHERE subject = :word OR subject LIKE :pattern'
      await db.run(sql, { word, pattern: `${word} %` })
    },
    /** Returns for how many more milliseconds a subject is remembered. */
    remembers: (subject: string) => timeUntil('window_ends', subject),
    /** Removes up to 500 counters that have expired, and returns their number. */
    removeExpired: async () =>
      (await db.run(`DELETE FROM login_attempts WHERE ${expired[db.dialect]}`)).affectedRows,
    /** Counts the expired counters, which are about to be removed, and the valid ones. */
    async countCounters() {
      // Reads nothing but the index, so it counts the few with a longer block as well.
      const sql = `SELECT COUNT(*) AS total, SUM(window_ends < ${now}) AS expired FROM login_attempts`
      const [row] = await db.all(sql)
      const [total, gone] = [Number(row!['total']), Number(row!['expired'])]
      return { expired: gone, valid: total - gone }
    },
  }
}
