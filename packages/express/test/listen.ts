import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { onTestFinished } from 'vitest'

/** Serves an app until the test has finished. Returns its port. */
export async function listen(app: Express): Promise<number> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The names of the headers, as they are spelled. */
  readonly names: readonly string[]
  readonly bytes: Buffer
  /** The connection ended before the response was complete. */
  readonly aborted: boolean
}

/** Sends a request as it is. `fetch` would decompress, follow redirects and add headers. */
export const send = (
  port: number,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { connection: 'close', ...headers },
    }
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = []
      const finish = (aborted: boolean) =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          names: answer.rawHeaders.filter((_, i) => i % 2 === 0),
          bytes: Buffer.concat(chunks),
          aborted,
        })
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => finish(false))
        .on('error', () => finish(true))
    })
    sent.on('error', reject)
    sent.end(body)
  })

export const jsonOf = ({ bytes }: Received): unknown => JSON.parse(bytes.toString())
