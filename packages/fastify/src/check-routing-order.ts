import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Routing } from './routing.ts'

/**
 * Checks that Fastify derives the constraints of a request before it reads the URL to look up the route. Only then
 * does Fastify look up a URL that a constraint strategy has rewritten.
 *
 * A request goes through the router. It ends when the constraint is derived before the URL is read. If the URL has
 * been read, which another strategy of the app may do, the lookup fails at the malformed URL, and Fastify's response
 * repeats the URL that was looked up. No hook and no handler runs.
 *
 * @param strategy - the constraint strategy, as it is registered with the app
 * @throws Error when Fastify reads the URL first
 */
export async function checkRoutingOrder(
  app: FastifyInstance,
  strategy: { deriveConstraint: Routing['deriveConstraint'] },
): Promise<void> {
  const { deriveConstraint } = strategy
  let isRead = false
  let reads = 0
  let readsBefore = 0

  const request = Object.defineProperty(new IncomingMessage(new Socket()), 'url', {
    get() {
      isRead = true
      return `/%read-${++reads}`
    },
    set() {
      isRead = false // by rewriteUrl
    },
  })
  request.method = 'GET'
  request.headers.host = 'localhost'
  const response = new ServerResponse(request)
  const body = new Promise<string>((resolve) => {
    response.end = (chunk: unknown) => (resolve(String(chunk)), response)
  })
  strategy.deriveConstraint = () => {
    if (!isRead) throw new Error('The order is right.')
    readsBefore = reads
    return undefined
  }
  try {
    app.routing(request, response)
  } catch {
    return // thrown above, or by a function of the app that does not take the request
  } finally {
    strategy.deriveConstraint = deriveConstraint
  }
  // The body may take a moment: an asynchronous strategy of the app, or none at all with `frameworkErrors`.
  const lookedUp = /%read-(\d+)/.exec(await Promise.race([body, setTimeout(1000, '', { ref: false })]))?.[1]
  if (lookedUp !== undefined && Number(lookedUp) <= readsBefore)
    throw new Error(
      `@hv/router-fastify does not support Fastify ${app.version}: it looks up the route before it derives constraints. ` +
        'Install a supported version of Fastify.',
    )
}
