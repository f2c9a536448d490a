import { DatabaseSync } from '@photostructure/sqlite'

const { DATABASE_FILE = 'webhooks.db' } = process.env
export const db = new DatabaseSync(DATABASE_FILE, { timeout: 5000 })

db.exec(`PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, first TEXT, last TEXT);
CREATE TABLE IF NOT EXISTS endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT, version INTEGER, secret TEXT, previousSecret TEXT);
CREATE TABLE IF NOT EXISTS outbox (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, event TEXT, user TEXT, fannedOut INTEGER);
CREATE INDEX IF NOT EXISTS waiting ON outbox (sequence) WHERE fannedOut IS NULL;
CREATE TABLE IF NOT EXISTS deliveries ( -- dueAt is null once we've given up
  id INTEGER PRIMARY KEY, event TEXT, body TEXT, attempts INTEGER DEFAULT 0, dueAt INTEGER DEFAULT 0,
  endpoint INTEGER REFERENCES endpoints ON DELETE CASCADE);
CREATE INDEX IF NOT EXISTS due ON deliveries (dueAt);`)

/** Does all of the work or nothing. It locks first, because it can't wait for a lock once it has read. */
export function transaction<T>(work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
