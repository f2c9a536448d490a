import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { Socket } from 'node:net'

/** The limit on a request's headers, in bytes. Larger ones get a 431 response. */
export const maxHeaderSize = 16 * 1024
/**
 * How long the headers, and the whole request, may take to arrive, in milliseconds. It's checked
 * twice a second.
 */
const requestTime = 14_000
/**
 * How long a connection may stay idle or leave responses unread, in milliseconds. Load balancers
 * close theirs earlier.
 */
const idleTime = 72_000
const requestsPerConnection = 100
/** How many of a connection's responses may wait in memory for the client to read them. */
const maxOpen = 20
/** How many bytes the parser gets at a time: about ninety small requests. */
const sliceSize = 4096

/** Creates the app's server, which limits everything that one connection can use up. */
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
 * A proxy that speaks HTTP passes requests on one by one, so behind it this does nothing. It's for
 * everybody without one, such as in development or behind a load balancer for TCP, because a single
 * client without a token could otherwise keep everybody else waiting for seconds.
 *
 * Feeds a connection's parser in small slices, and stops when the connection is closed. Otherwise,
 * Node would parse all of the 64 KB that it reads at once, which is more than a thousand small
 * requests, even if the first one closed the connection. If Node pauses a connection because its
 * responses aren't read, the remaining slices wait, because a paused parser throws when it gets
 * data.
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

/** Whether a response on this connection isn't complete yet. */
export const hasOpenRequest = (socket: Socket): boolean => (connections.get(socket)?.open ?? 0) > 0

/**
 * Counts a connection's requests. Closes the connection after the last one that it may carry, and
 * immediately if a client pipelines requests without reading the responses. This runs before the
 * app, whose work is far more expensive.
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
