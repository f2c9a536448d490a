import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { waiting } from '../lib/limit-concurrency.ts'
import { shareFor } from '../lib/share-for.ts'
import { createClientName } from './client-name.ts'
import type { Lifecycle } from './health.ts'
import type { Ended } from './request-log.ts'

/**
 * Serves `/metrics` for Prometheus. Labels come from the route table, never from what a client
 * sends, except the client's name. That takes at most 50 values, at most two from each user, and
 * none from requests without a valid token.
 *
 * @returns what counts a request when it has ended
 */
export function serveMetrics(
  app: FastifyInstance,
  { fingerprint }: { readonly fingerprint: string },
  lifecycle: Readonly<Lifecycle>,
): (ended: Ended) => void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  register.registerMetric(waiting)
  const registers = [register]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by method, route, status, error and API version: the one that served, or the retired one asked for.',
    labelNames: ['method', 'route', 'status', 'error', 'api_version'],
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response is sent.',
    labelNames: ['method', 'route', 'api_version'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })

  const counters = new Gauge({
    name: 'login_attempts_rows',
    help: 'Rows in the table of login attempts, counted once a minute. The expired ones are about to be removed.',
    labelNames: ['state'],
    registers,
  })
  new Gauge({
    name: 'token_keys',
    help: 'Always 1. The keys that verify tokens, as a fingerprint: every instance needs the same ones.',
    labelNames: ['keys'],
    registers,
  }).set({ keys: fingerprint }, 1)
  const clock = new Gauge({
    name: 'clock_seconds',
    help: "The instance's clock, in seconds since 1970.",
    registers,
  })
  const calls = new Counter({
    name: 'api_calls_total',
    help: 'Requests with a valid token, or that succeed, by version and client: who still calls version 1.',
    labelNames: ['api_version', 'source', 'client'],
    registers,
  })
  const clientName = createClientName()

  const observe = ({ request, route, version, error, status, duration }: Ended): void => {
    const { method, headers, actor, apiMatch } = request
    const api_version = String(version ?? 'none')
    requests.inc({ method, route, status, error: error ?? 'none', api_version })
    durations.observe({ method, route, api_version }, duration / 1000)
    const client = () => clientName(headers['user-agent'], actor?.id)
    if (apiMatch && (actor !== null || status < 400))
      calls.inc({ api_version, source: apiMatch.source, client: client() })
  }
  const metrics = shareFor(1000, () => {
    clock.setToCurrentTime()
    for (const [state, total] of Object.entries(lifecycle.counters ?? {}))
      counters.set({ state }, total)
    return register.metrics()
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(register.contentType).send(await metrics()),
  )
  return observe
}
