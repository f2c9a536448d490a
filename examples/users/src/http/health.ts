import type { FastifyInstance } from 'fastify'
import { serviceVersion } from '../config.ts'
import { shareFor } from '../lib/share-for.ts'
import type { UserStore } from '../store/user-store.ts'
import { ApiError } from './errors.ts'

/** What an instance's readiness depends on, apart from its database. */
export interface Lifecycle {
  /** Whether the tables are up to date. */
  prepared: boolean
  /**
   * Whether the process is stopping. If so, it isn't ready, and each response closes its
   * connection.
   */
  draining: boolean
  /** How many counters the throttle had in the database a minute ago, at most. */
  counters?: Awaited<ReturnType<UserStore['countCounters']>> | undefined
}

/**
 * `/health/live` never asks the database, so a restart can't be the answer to an outage.
 * `/health/ready` asks once a second.
 */
export function serveHealth(
  app: FastifyInstance,
  store: UserStore,
  lifecycle: Readonly<Lifecycle>,
): void {
  const ping = shareFor(1000, () => store.ping())
  app.get('/health/live', () => ({ status: 'ok', version: serviceVersion }))
  app.get('/health/ready', async () => {
    if (lifecycle.draining) throw new ApiError(503, 'STOPPING', 'this instance is stopping')
    await ping()
    if (!lifecycle.prepared)
      throw new ApiError(503, 'NOT_PREPARED', 'the tables are not up to date')
    return { status: 'ok' }
  })
}
