import { openAsBlob } from 'node:fs'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { serve } from '@hono/node-server'
import {
  type DerivedSent,
  Failure,
  answerError,
  hasNoBody,
  newerOf,
  runDerived,
} from '@hv/router-contract'
import { createRouter } from '../src/index.ts'

const respond = (body: unknown, { status, headers }: DerivedSent): Response =>
  new Response(body as never, { status, headers })
const noNodeResponse = 'fetch has no Node response'

const onError = (error: unknown): Response => {
  const { status, headers, text } = answerError(error)
  return hasNoBody(status)
    ? new Response(null, { status, headers })
    : Response.json(JSON.parse(text), { status, headers })
}

runDerived({
  name: 'fetch',
  isFetch: true,
  header: (name, { headers }: Request) => headers.get(name)!,
  senders: {
    nothing: (sent) => respond(null, sent),
    object: ({ text, status, headers }) => Response.json(JSON.parse(text), { status, headers }),
    text: (sent) => respond(sent.text, sent),
    bytes: (sent) => respond(Buffer.from(sent.text), sent),
    stream: (sent) => respond(Readable.toWeb(sent.openFile()), sent),
    'web stream': (sent) => respond(sent.openWeb(), sent),
    Response: 'every handler returns one, so the other rows are about it',
    file: async (sent) => respond(await openAsBlob(sent.file), sent),
    error: (sent) => {
      throw new Failure(sent)
    },
    hijack: noNodeResponse,
    write: noNodeResponse,
  },
  cannot: ({ way, status }) =>
    way !== 'nothing' && way !== 'error' && hasNoBody(status)
      ? 'new Response(body, { status: 204 }) throws'
      : undefined,
  older(cell, message) {
    if (cell.way === 'error') return newerOf(cell) // what the app's option returns isn't converted
    return hasNoBody(message.status) ? { ...message, way: 'nothing' } : message
  },
  async serve({ routes, controllers, handler }) {
    const router = createRouter(routes, controllers, { error: onError } as never)
    const app = async (request: Request): Promise<Response> => {
      if (new URL(request.url).pathname !== '/native') return router(request)
      try {
        return (await handler(request)) as Response
      } catch (error) {
        return onError(error)
      }
    }
    const server = serve({ fetch: app, hostname: '127.0.0.1', port: 0 }) as Server
    if (!server.listening) await once(server, 'listening')
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
})
