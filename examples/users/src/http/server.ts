import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { Socket } from 'node:net'

/** Bytes. The response to larger headers is 431. */
export const maxHeaderSize = 16 * 1024
/** Milliseconds for the headers, and for the whole request. Checked twice per second: 408 within 15 s. */
const requestTime = 14_000
/** Milliseconds that a connection may stay idle, or not read its responses: longer than a load balancer keeps it. */
const idleTime = 72_000
/** Requests that one connection may carry. */
const requestsPerConnection = 100
/** Requests of one connection whose responses may wait, in memory, for the client to read them. */
const maxOpen = 20
/** Bytes that the parser gets at a time: about ninety small requests. */
const sliceSize = 4096

/** Creates the server of the app, with a limit on everything that a connection can take. */
export function createHttpServer(serve: RequestListener): Server {
  const handle: RequestListener = (request, response) => {
    if (admit(request, response)) serve(request, response)
  }
  const server = createServer(
    {
      requestTimeout: requestTime,
      headersTimeout: requestTime,
      connectionsCheckingInterval: 500,
      keepAliveTimeout: idleTime,
      maxHeaderSize,
      requireHostHeader: false, // the app refuses a missing Host like every other mistake
    },
    handle,
  )
  server.timeout = idleTime
  server.maxRequestsPerSocket = requestsPerConnection
  server.maxHeadersCount = 0 // Node drops headers above a count; `maxHeaderSize` bounds them
  return server
    .on('checkExpectation', handle) // an unknown Expect header is ignored
    .on('dropRequest', (_request, socket) => socket.pause()) // it closes with the last response
    .on('connection', parseInSlices)
}

/**
 * Gives the parser of a connection small slices, and no more once the connection is closed. Node reads up to 64 KB and
 * parses all of it, more than a thousand small requests, even when the first of them closed the connection. When Node
 * pauses a connection whose responses are not read, the rest waits: its parser throws when it gets data while paused.
 */
function parseInSlices(socket: Socket): void {
  const [parse] = socket.listeners('data')
  if (parse === undefined) return
  socket.off('data', parse as () => void).on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += sliceSize) {
      if (socket.isPaused()) return socket.unshift(chunk.subarray(at))
      parse.call(socket, chunk.subarray(at, at + sliceSize))
    }
  })
}

const connections = new WeakMap<Socket, { total: number; open: number }>()

/**
 * Counts a request of its connection. Closes the connection after the last request that it may carry, and at once when
 * a client pipelines more requests than it reads responses. It runs before the app, whose work costs far more.
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
