import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { UserStore } from '../store/user-store.ts'

const drainTime = 1500
const patience = 10_000

export interface Lifecycle {
  /** Set once the process is told to stop: readiness says 503, and each answer closes its connection. */
  draining: boolean
}

/**
 * Stops without failing a request: answers on, telling clients and the load balancer to go elsewhere, until no
 * connection is left or the drain time is over; then ends what is still running, and closes the store.
 */
export async function shutDown(app: FastifyInstance, store: UserStore, lifecycle: Lifecycle): Promise<void> {
  lifecycle.draining = true
  for (let waited = 0; waited < drainTime && (await countConnections(app)) > 0; waited += 50) await wait(50)
  const force = setTimeout(() => app.server.closeAllConnections(), patience)
  await app.close()
  clearTimeout(force)
  await store.close()
}

const countConnections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((error, count) => resolve(error === null ? count : 0)))
