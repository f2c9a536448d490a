import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../config.ts'
import { type Database, StoreError } from './database.ts'

const lockLifetime = 60_000
const patience = 90_000

/**
 * Applies the numbered files of `migrations/<dialect>` that are not yet applied, one statement each.
 * A lock row keeps other processes waiting meanwhile: it works on every cluster, where named locks do not.
 */
export async function migrate(db: Database): Promise<readonly string[]> {
  await db.run('CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER PRIMARY KEY, owner VARCHAR(64), expires_at BIGINT)')
  await db.run('CREATE TABLE IF NOT EXISTS schema_migrations (name VARCHAR(190) PRIMARY KEY)')
  if ((await pendingMigrations(db)).length === 0) return []

  const owner = randomUUID()
  await lock(db, owner)
  try {
    const pending = await pendingMigrations(db)
    for (const name of pending) {
      await db.runWithoutLimit(readFileSync(join(folderOf(db), name), 'utf8'))
      await db.run('INSERT INTO schema_migrations (name) VALUES (:name)', { name })
    }
    return pending
  } finally {
    await db.run('DELETE FROM schema_lock WHERE id = 1 AND owner = :owner', { owner })
  }
}

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
    if (error instanceof StoreError && error.reason === 'failed') return [] // no such table yet
    throw error
  }
}

const folderOf = ({ dialect }: Database): string => join(root, 'migrations', dialect)

/** A row with the key 1 is the lock; one whose holder died expires. */
async function lock(db: Database, owner: string): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    await db.run('DELETE FROM schema_lock WHERE id = 1 AND expires_at < :now', { now: Date.now() })
    try {
      const values = { owner, expires: Date.now() + lockLifetime }
      return void (await db.run('INSERT INTO schema_lock (id, owner, expires_at) VALUES (1, :owner, :expires)', values))
    } catch (error) {
      if (!(error instanceof StoreError && error.reason === 'duplicate') || Date.now() > deadline) throw error
    }
    await wait(100)
  }
}
