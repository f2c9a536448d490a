import { setTimeout as wait } from 'node:timers/promises'
import type { Lifecycle } from '../http/health.ts'
import type { UserStore } from '../store/user-store.ts'

/**
 * Removes the throttle's expired counters until the process stops. It works in small pieces with
 * pauses between them, so that logins never wait for it, and counts what's left once a minute.
 *
 * @param pause between two pieces, in milliseconds
 */
export async function cleanCounters(
  store: UserStore,
  lifecycle: Lifecycle,
  pause = 50,
): Promise<void> {
  let nextCount = 0
  while (!lifecycle.draining) {
    // A failure means that the database is away. Requests report that, and the next round tries
    // again.
    const removed = await store.removeExpired().catch(() => 0)
    if (performance.now() >= nextCount) {
      nextCount = performance.now() + 60_000
      lifecycle.counters = await store.countCounters().catch(() => undefined)
    }
    await wait(removed > 0 ? pause : 100 * pause, undefined, { ref: false })
  }
}
