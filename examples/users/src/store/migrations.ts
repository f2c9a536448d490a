import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ConfigError, packageRoot } from '../environment.ts'
import { type Database, StoreError, currentTime, isUnavailable } from './database.ts'

const lockLifetime = 60_000
/**
 * Applies the numbered files of `migrations/<dialect>` that aren't yet applied, one statement each.
 * Meanwhile a lock row makes other processes wait. It works on every cluster, unlike named locks.
 *
 * @param note called with what it waits for
 */
export async function migrate(
  db: Database,
  note: (text: string) => void = () => {},
): Promise<readonly string[]> {
  await db.run(
    'CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER PRIMARY KEY, owner VARCHAR(64), expires_at BIGINT)',
  )
  await db.run('CREATE TABLE IF NOT EXISTS schema_migrations (name VARCHAR(190) PRIMARY KEY)')
  if ((await pendingMigrations(db)).length === 0) return []

  const owner = randomUUID()
  await lock(db, owner, note)
  const renewal = setInterval(() => void renew(db, owner).catch(() => {}), lockLifetime / 4)
  try {
    const pending = await pendingMigrations(db)
    for (const name of pending) {
      const sql = readFileSync(join(folderOf(db), name), 'utf8')
      const record = 'INSERT INTO schema_migrations (name) VALUES (:name)'
      await db.runMigration(sql, { sql: record, values: { name } }).catch(explain(name))
    }
    await unlock(db, owner)
    return pending
  } catch (error) {
    // If the connection was lost, the statement may still be running, so the lock stays until it
    // expires.
    if (!isUnavailable(error)) await unlock(db, owner)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

const explain = (name: string) => (error: unknown) => {
  const { reason, databaseText } = error as StoreError
  if (reason === 'unavailable') throw error
  throw new ConfigError(
    `The migration ${name} failed: ${databaseText}. Those before it are complete. Correct the cause, then run again: npm run migrate`,
  )
}

/** The file names of the migrations that aren't yet applied, in order. */
export async function pendingMigrations(db: Database): Promise<readonly string[]> {
  const applied = new Set((await appliedMigrations(db)).map(({ name }) => name))
  return readdirSync(folderOf(db))
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .toSorted()
}

async function appliedMigrations(db: Database): Promise<readonly Record<string, unknown>[]> {
  try {
    return await db.all('SELECT name FROM schema_migrations')
  } catch (error) {
    if (error instanceof StoreError && error.reason === 'failed') return [] // there's no such table yet
    throw error
  }
}

const folderOf = ({ dialect }: Database): string => join(packageRoot, 'migrations', dialect)

/** The row with id 1 is the lock. If its owner dies, it expires. */
async function lock(db: Database, owner: string, note: (text: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await db.run(`DELETE FROM schema_lock WHERE id = 1 AND expires_at < ${currentTime[db.dialect]}`)
    try {
      const sql = `INSERT INTO schema_lock (id, owner, expires_at) VALUES (1, :owner, ${expiry(db)})`
      return void (await db.run(sql, { owner }))
    } catch (error) {
      if (!(error instanceof StoreError && error.reason === 'duplicate')) throw error
    }
    if (attempt === 1) {
      const [holder] = await db.all(
        `SELECT expires_at - ${currentTime[db.dialect]} AS remaining FROM schema_lock WHERE id = 1`,
      )
      const seconds = Math.ceil(Number(holder?.['remaining'] ?? 0) / 1000)
      if (seconds > 0)
        note(
          `waiting for the migration of another process; if that has ended, for at most ${seconds} s`,
        )
    }
    await wait(100)
  }
}

const expiry = ({ dialect }: Database): string => `${currentTime[dialect]} + ${lockLifetime}`

const renew = (db: Database, owner: string) =>
  db.run(`UPDATE schema_lock SET expires_at = ${expiry(db)} WHERE id = 1 AND owner = :owner`, {
    owner,
  })

const unlock = (db: Database, owner: string) =>
  db.run('DELETE FROM schema_lock WHERE id = 1 AND owner = :owner', { owner })
