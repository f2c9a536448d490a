import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http'
import type { Socket } from 'node:net'

export const maxHeaderSize = 16 * 1024
/** Milliseconds for the headers, and for the whole request. Checked twice per second: 408 within 15 s. */
const requestTime = 14_000
/** Milliseconds that a connection may stay idle: longer than a load balancer keeps it. */
const idleTime = 72_000
/** Requests that one connection may carry. */
const requestsPerConnection = 100
/** Requests of one connection whose responses may wait, in memory, for the client to read them. */
const maxOpen = 20

/** Creates the server of the app, with a limit on everything that a connection can take. */
export function createHttpServer(serve: RequestListener): Server {
  const server = createServer(
    {
      requestTimeout: requestTime,
      headersTimeout: requestTime,
      connectionsCheckingInterval: 500,
      keepAliveTimeout: idleTime,
      maxHeaderSize,
    },
    (request, response) => {
      if (admit(request, response)) serve(request, response)
    },
  )
  server.maxRequestsPerSocket = requestsPerConnection
  return server.on('dropRequest', (_request, socket) => socket.destroy())
}

const connections = new WeakMap<Socket, { total: number; open: number }>()

/**
 * Counts a request of its connection. Closes the connection after the last request that it may carry, and at once when
 * a client pipelines more requests than it reads responses. Node has up to 64 KB of requests in hand then, thousands of
 * them, so this comes before the app.
 */
function admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return false
  let connection = connections.get(socket)
  if (connection === undefined) connections.set(socket, (connection = { total: 0, open: 0 }))
  const { total, open } = connection
  if (open === maxOpen) {
    socket.destroy()
    return false
  }
  connection.total = total + 1
  connection.open = open + 1
  response.once('close', () => connection.open--)
  if (connection.total === requestsPerConnection) response.setHeader('connection', 'close')
  return true
}
