// The example's modules with a database of their own.
import { createRouter } from '@hv/router-fastify'
import fastify from 'fastify'
import { vi } from 'vitest'

/** Loads the example anew. A second call with the same file is a second process as far as SQLite can tell. */
export async function startExample(file = ':memory:') {
  vi.resetModules()
  vi.stubEnv('DATABASE_FILE', file)
  const { db } = await import('../src/database.ts')
  const { routes } = await import('../src/routes.ts')
  const { stream } = await import('../src/stream.ts')
  const { events, v1, v2 } = await import('../src/versions.ts')
  const { attempt, claim, fanOut, runWorker } = await import('../src/worker.ts')
  vi.unstubAllEnvs()
  const app = fastify()
  app.register(createRouter(routes, { 1: { ...v1, stream }, 2: { ...v2, stream } }))

  /** Sends a request in a version. Returns the response's body. */
  const send = async (
    version: number,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body = {},
  ) => {
    const accept = `application/vnd.acme+json;version=${version}`
    const response = await app.inject({
      method,
      url: `/api${path}`,
      headers: { accept },
      payload: body,
    })
    return response.body === '' ? null : response.json()
  }
  return {
    app,
    db,
    events,
    claim,
    attempt,
    fanOut,
    runWorker,
    send,
    addEndpoint: (version: number, url: string) => send(version, 'POST', '/endpoints', { url }),
    /** Does what the worker does in one round. */
    async deliver() {
      fanOut()
      await Promise.all(claim().map(attempt))
    },
    async close() {
      await app.close()
      db.close()
    },
  }
}
