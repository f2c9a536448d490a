import { api, cache, inherit, resources, version } from '@hv/router'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { afterEach } from 'vitest'
import type { Release } from './releases.ts'

/** Two versions of `users`: index, create and show. */
export const routes = api(
  { vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'create', 'show'] }))),
  version(2, inherit({ from: 'v1' })),
)

/** The Accept header of a version. */
export const accept = (n: number): string => `application/vnd.acme+json;version=${n}`

/** Creates apps that are closed after each test. */
export function createApps({
  fastify,
}: Release): (options?: FastifyServerOptions) => FastifyInstance {
  const apps: FastifyInstance[] = []
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()))
  })
  return (options = {}) => {
    const app = fastify({ forceCloseConnections: true, ...options })
    apps.push(app)
    return app
  }
}
