// What receivers get: a real server, which verifies each delivery with the package of Standard Webhooks.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface Received {
  /** The endpoint's path. */
  readonly path: string
  readonly id: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export interface Receivers {
  readonly origin: string
  readonly received: Received[]
  close(): Promise<unknown>
}

export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** @param respond - responds to a delivery. Default: 204 */
export async function startReceivers(
  respond: (response: ServerResponse, delivery: Received) => void = (response) =>
    response.writeHead(204).end(),
): Promise<Receivers> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const delivery = { path, id: `${headers['webhook-id']}`, headers, body: await text(request) }
    received.push(delivery)
    respond(response, delivery)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
