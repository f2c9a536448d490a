import { randomUUID } from 'node:crypto'
import { db, transaction } from './database.ts'
import type { User, webhooks } from './webhooks.ts'

interface Entry {
  readonly sequence: number
  /** Identifies the event, however often it's sent. */
  readonly id: string
  readonly event: keyof typeof webhooks
  readonly user: User
}

/** Changes a user and puts the event into the outbox, in one transaction. */
export const changeUser = (event: Entry['event'], sql: string, values: readonly unknown[]) =>
  transaction(() => {
    const user = db.prepare(sql).get(...values)
    const insert = db.prepare('INSERT INTO outbox (id, event, user) VALUES (?, ?, ?)')
    if (user) insert.run(randomUUID(), event, JSON.stringify(user))
    return user
  })

/** Reads the oldest entries that meet the condition. */
export function readOutbox(condition: string, ...values: number[]): readonly Entry[] {
  const sql = `SELECT * FROM outbox WHERE ${condition} ORDER BY sequence LIMIT 100`
  const rows = db.prepare(sql).all(...values)
  return rows.map((row) => ({ ...row, user: JSON.parse(row.user) }))
}
