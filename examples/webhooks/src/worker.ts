import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { db, transaction } from './database.ts'
import { readOutbox } from './outbox.ts'
import { events } from './versions.ts'

/** Makes each new event's payload once per version, and stores its text for that version's endpoints. */
export function fanOut(): void {
  const versions = db.prepare('SELECT DISTINCT version FROM endpoints')
  const deliver = db.prepare(`INSERT INTO deliveries (event, body, endpoint)
    SELECT ?, ?, id FROM endpoints WHERE version = ?`)
  transaction(() => {
    for (const { sequence, id, event, user } of readOutbox('fannedOut IS NULL')) {
      for (const { version } of versions.all()) {
        const payload = events.webhooks[event](user, { version })
        if (payload !== null) deliver.run(id, JSON.stringify(payload), version)
      }
      db.prepare('UPDATE outbox SET fannedOut = 1 WHERE sequence = ?').run(sequence)
    }
  })
}

/**
 * Takes due deliveries, and schedules their retries before they're sent: after 15, 30, 60, …
 * seconds, and at most 12 hours apart, until 15 attempts have failed. No attempt takes 15 seconds,
 * so no other worker takes them meanwhile. If this one is killed, they're retried all the same.
 */
export function claim(): readonly number[] {
  const update = db.prepare(`UPDATE deliveries SET attempts = attempts + 1,
      dueAt = iif(attempts < 14, :now + min(15000 << attempts, 43200000), NULL)
    WHERE id IN (SELECT id FROM deliveries WHERE dueAt <= :now ORDER BY dueAt LIMIT 100)
    RETURNING id`)
  return update.all({ now: Date.now() }).map(({ id }) => id)
}

/** Sends the stored text with a fresh timestamp and signature. It doesn't follow redirects. */
export async function attempt(id: number): Promise<void> {
  const sql = `SELECT event, body, url, secret, previousSecret
    FROM deliveries JOIN endpoints ON endpoint = endpoints.id WHERE deliveries.id = ?`
  const delivery = db.prepare(sql).get(id)
  if (delivery === undefined) return // its endpoint was removed
  const { event, body, url, secret, previousSecret } = delivery
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const secrets: string[] = previousSecret === null ? [secret] : [secret, previousSecret]
  const signatures = secrets.map((key) => sign(key, `${event}.${timestamp}.${body}`))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  const signal = AbortSignal.timeout(10_000)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`status ${response.status}`)
    db.prepare('DELETE FROM deliveries WHERE id = ?').run(id)
  } catch (error) {
    console.warn(`${url} didn't get ${event}: ${error}`)
  }
}

/** Signs as Standard Webhooks defines it. */
function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

/** Delivers until the signal is aborted, and then ends once its last attempts have. */
export async function runWorker(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      fanOut()
      await Promise.all(claim().map(attempt))
    } catch (error) {
      console.error(error) // the database still has everything, so the next round tries again
    }
    await wait(500, null, { signal }).catch(() => {})
  }
}
