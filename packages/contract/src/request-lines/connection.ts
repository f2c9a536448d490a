// Sends many requests over one connection without waiting (HTTP pipelining), and reads the
// responses.
import { connect } from 'node:net'
import type { RequestLine } from './generate.ts'

export interface Received {
  readonly status: number
  /**
   * The header in which the test's handlers report what they saw. Undefined if no handler was
   * called.
   */
  readonly served: string | undefined
}

/** Whether Node's parser is sure to accept the request. */
export const isCertain = ({ target }: RequestLine): boolean => /^\/[!-~]*$/.test(target)

/**
 * Sends requests until the server closes the connection, as Node does after a request that it can't
 * parse. Responses that haven't been sent by then are lost, so only {@link isCertain} requests are
 * sent without waiting for a response.
 *
 * @returns a response for each request that got one
 */
export const pipeline = (
  port: number,
  lines: readonly RequestLine[],
): Promise<readonly Received[]> =>
  new Promise((resolve, reject) => {
    const received: Received[] = []
    let sent = 0
    let text = ''
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay()
    socket.setTimeout(300_000, () =>
      socket.destroy(new Error(`no response to ${JSON.stringify(lines[received.length])}`)),
    )
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(received))
    socket.on('data', (chunk: string) => {
      text += chunk
      while (received.length < lines.length) {
        const response = readResponse(text, lines[received.length]!.method)
        if (response === null) return
        received.push(response)
        text = text.slice(response.length)
        if (received.length === sent) send()
      }
    })
    send()

    function send(): void {
      const rest = lines.slice(sent)
      const count = rest.findIndex((line) => !isCertain(line))
      const next = rest.slice(0, count < 0 ? rest.length : Math.max(count, 1))
      sent += next.length
      if (next.length === 0) socket.end()
      else socket.write(next.map(toText).join(''), 'latin1')
    }
  })

function toText({ method, target, host, accept }: RequestLine): string {
  const body = method.startsWith('P') ? '{}' : ''
  const type =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nAccept: ${accept}\r\n${type}\r\n${body}`
}

/** Reads a text's first response. Null if it isn't complete yet. */
function readResponse(
  text: string,
  method: string,
): (Received & { readonly length: number }) | null {
  const headEnd = text.indexOf('\r\n\r\n') + 4
  if (headEnd < 4) return null
  const head = text.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const served = /\r\nx-served: (.*)\r\n/i.exec(head)?.[1]
  const end = method === 'HEAD' || status === 204 || status === 304 ? headEnd : bodyEnd(text, head)
  return end < 0 || end > text.length ? null : { status, served, length: end }
}

function bodyEnd(text: string, head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return head.length + Number(length)
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return head.length
  for (let at = head.length; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return -1
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (size === 0) return at
  }
}
