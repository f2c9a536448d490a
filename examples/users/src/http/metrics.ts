import type { Match, Miss } from '@hv/router'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { shareFor } from '../lib/share-for.ts'
import { createClientName } from './client-name.ts'

/** What the router calls for every request to the API. */
type OnRouted = (found: Match | Miss, request: FastifyRequest) => void

/**
 * Serves `/metrics` for Prometheus. Labels come from the route table, never from what a client sends, except the name
 * of the client: that takes at most 50 values.
 */
export function serveMetrics(app: FastifyInstance): { readonly onRouted: OnRouted } {
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

  const calls = new Counter({
    name: 'api_calls_total',
    help: 'Requests that a version serves, by client: who still calls version 1.',
    labelNames: ['api_version', 'source', 'client'],
    registers,
  })
  const clientName = createClientName()

  app.addHook('onResponse', async ({ method, apiMatch, routeOptions }, reply) => {
    const known = apiMatch?.route.pattern ?? routeOptions.url ?? 'none'
    const route = known.endsWith('*') ? 'none' : known
    const api_version = String(apiMatch?.version ?? 'none')
    requests.inc({ method, route, status: reply.statusCode, api_version })
    durations.observe({ route, api_version }, reply.elapsedTime / 1000)
  })
  const metrics = shareFor(1000, () => register.metrics())
  app.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await metrics()))
  return {
    onRouted(found, { headers }) {
      if (found.kind === 'match')
        calls.inc({ api_version: found.version, source: found.source, client: clientName(headers['user-agent']) })
    },
  }
}
