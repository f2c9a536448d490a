import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { shareFor } from '../lib/share-for.ts'
import { createClientName } from './client-name.ts'
import type { Lifecycle } from './health.ts'

/**
 * Serves `/metrics` for Prometheus. Labels come from the route table, never from what a client sends, except the name
 * of the client: that takes at most 50 values, and only of requests that carry a valid token or succeed.
 */
export function serveMetrics(app: FastifyInstance, lifecycle: Readonly<Lifecycle>): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by method, route, status and served API version.',
    labelNames: ['method', 'route', 'status', 'api_version'],
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response is sent.',
    labelNames: ['route', 'api_version'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })

  const counters = new Gauge({
    name: 'login_attempts_rows',
    help: 'Rows in the table of login attempts, counted once a minute.',
    registers,
  })
  const calls = new Counter({
    name: 'api_calls_total',
    help: 'Requests with a valid token, or that succeed, by version and client: who still calls version 1.',
    labelNames: ['api_version', 'source', 'client'],
    registers,
  })
  const clientName = createClientName()

  app.addHook('onResponse', async ({ method, headers, actor, apiMatch, routeOptions }, reply) => {
    const pattern = apiMatch?.row.pattern ?? routeOptions.url ?? 'none'
    const route = pattern.endsWith('*') ? 'none' : pattern
    const api_version = String(apiMatch?.version ?? 'none')
    requests.inc({ method, route, status: reply.statusCode, api_version })
    durations.observe({ route, api_version }, reply.elapsedTime / 1000)
    if (apiMatch && (actor !== null || reply.statusCode < 400))
      calls.inc({ api_version, source: apiMatch.source, client: clientName(headers['user-agent']) })
  })
  const metrics = shareFor(1000, () => {
    counters.set(lifecycle.counters ?? 0)
    return register.metrics()
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(register.contentType).send(await metrics()),
  )
}
