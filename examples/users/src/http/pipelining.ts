import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Requests that one connection may carry (`maxRequestsPerSocket`): Node refuses the rest before Fastify sees it. */
export const requestsPerConnection = 100
/** Requests of one connection whose responses may wait, in memory, for the client to read them. */
const maxOpen = 20

const connections = new WeakMap<Socket, { total: number; open: number }>()

/**
 * Counts a request of its connection. Closes the connection after the last request that it may carry, and at once when
 * a client pipelines more requests than it reads responses: then it returns false.
 */
export function admitPipelined({ raw: { socket } }: FastifyRequest, reply: FastifyReply): boolean {
  const connection = connections.get(socket) ?? { total: 0, open: 0 }
  connections.set(socket, connection)
  connection.total++
  connection.open++
  if (connection.open > maxOpen || socket.destroyed) {
    reply.hijack()
    socket.destroy()
    return false
  }
  reply.raw.once('close', () => connection.open--)
  if (connection.total >= requestsPerConnection) reply.header('connection', 'close')
  return true
}
