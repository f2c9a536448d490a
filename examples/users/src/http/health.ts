import type { FastifyInstance } from 'fastify'
import { serviceVersion } from '../config.ts'
import { shareFor } from '../lib/share-for.ts'
import type { UserStore } from '../store/user-store.ts'
import { ApiError } from './errors.ts'

/** What decides whether an instance is ready, besides its database. */
export interface Lifecycle {
  /** The tables are up to date. */
  prepared: boolean
  /** The process is stopping: readiness is 503, and each response closes its connection. */
  draining: boolean
}

/** `/health/live` never asks the database. `/health/ready` does, at most once per second. */
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
