import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../lib/network.ts'
import { productOf } from './client-name.ts'

/** A request whose response has been sent, or whose client has left. */
export interface Ended {
  readonly request: FastifyRequest
  /** The route's pattern, or `none`. */
  readonly route: string
  /** The version that served the request, or the retired one that it asked for. */
  readonly version: number | undefined
  /** The identifier in an error response. */
  readonly error: string | undefined
  /** 499 if the client left before the response was sent. */
  readonly status: number
  /** In milliseconds. */
  readonly duration: number
}

/**
 * Calls `act` when a response has been sent, or when its client has left. Fastify's `onResponse`
 * misses the latter.
 */
export function whenEnded(
  request: FastifyRequest,
  { raw }: FastifyReply,
  act: (ended: Ended) => void,
): void {
  const start = performance.now()
  raw.once('close', () => {
    const { apiMatch, refusal, socket } = request
    // `refuseConnection` leaves its error on the socket.
    const outcome: { error?: string; statusCode?: number } | null = raw.writableEnded
      ? raw
      : (socket.errored as typeof outcome)
    const pattern = apiMatch?.row.pattern ?? request.routeOptions.url ?? 'none'
    act({
      request,
      route: pattern.endsWith('*') ? 'none' : pattern,
      version: apiMatch?.version ?? refusal?.version,
      error: refusal?.error ?? outcome?.error,
      status: outcome?.statusCode ?? 499,
      duration: performance.now() - start,
    })
  })
}

/**
 * Writes the only line that a request gets. It leaves out what's before and after the path, because
 * a client may have put a password or a token there.
 */
export function logRequest({ request, route, version, error, status, duration }: Ended): void {
  const { method, originalUrl, headers, ip, actor } = request
  request.log.info({
    method,
    route,
    path: originalUrl.replaceAll(/^\w+:\/\/[^/?#]*|[?#].*/g, '').slice(0, 200),
    status,
    error,
    version,
    client: productOf(headers['user-agent']),
    network: networkOf(ip),
    user: actor?.id,
    ms: Math.round(duration * 10) / 10,
  })
}
