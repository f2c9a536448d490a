import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from '../http/health.ts'
import type { UserStore } from '../store/user-store.ts'

/** How long clients have to leave their connections after the drain time, in milliseconds. */
const leaveTime = 1500
/** How long requests may run after that, in milliseconds, before they're cut off. */
const patience = 10_000

/**
 * Stops without failing a request. Readiness turns 503 and the service keeps serving for
 * `drainTime` milliseconds, so that a load balancer notices. It closes when no connection is open,
 * or after another 1.5 seconds: then it finishes the requests in progress and closes the store.
 */
export async function shutDown(
  app: FastifyInstance,
  store: UserStore,
  lifecycle: Lifecycle,
  drainTime: number,
): Promise<void> {
  lifecycle.draining = true
  await wait(drainTime)
  for (let waited = 0; waited < leaveTime && (await countConnections(app)) > 0; waited += 50)
    await wait(50)
  const force = setTimeout(() => app.server.closeAllConnections(), patience)
  await app.close()
  clearTimeout(force)
  await store.close()
}

const countConnections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) =>
    app.server.getConnections((error, count) => resolve(error === null ? count : 0)),
  )
