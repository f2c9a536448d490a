// How Express's handlers send a message. Nest's may do so as well, with `@Res()`.
import { Readable } from 'node:stream'
import { type Cell, type Message, hasNoBody } from './cells.ts'
import { type DerivedUnderTest, Failure } from './run.ts'

export const headOnExpress = (res: any, { status, headers }: Pick<Message, 'status' | 'headers'>) =>
  res.status(status).set(headers)

export const onExpress = {
  senders: {
    nothing: (sent, _req, res) => headOnExpress(res, sent).end(),
    object: (sent, _req, res) => headOnExpress(res, sent).json(JSON.parse(sent.text)),
    text: (sent, _req, res) => headOnExpress(res, sent).send(sent.text),
    bytes: (sent, _req, res) => headOnExpress(res, sent).send(Buffer.from(sent.text)),
    stream: (sent, _req, res) => sent.openFile().pipe(headOnExpress(res, sent)),
    'web stream': (sent, _req, res) =>
      Readable.fromWeb(sent.openWeb() as never).pipe(headOnExpress(res, sent)),
    Response: 'Express sends no Response',
    file: (sent, _req, res) => headOnExpress(res, sent).sendFile(sent.file),
    error: (sent) => {
      throw new Failure(sent)
    },
    hijack: (sent, _req, res) => res.writeHead(sent.status, sent.headers).end(sent.text),
    write: (sent, _req, res) => {
      headOnExpress(res, sent).write(sent.text.slice(0, 2))
      res.end(sent.text.slice(2))
    },
  },
  dropped: (cell: Cell) => droppedBy(cell, ['text', 'bytes', 'file']),
} satisfies Pick<DerivedUnderTest, 'senders' | 'dropped'>

/**
 * What's known of a body that the framework drops in response to HEAD, before the router could
 * convert or refuse it.
 *
 * @param ways - what the framework doesn't even begin to send
 */
export function droppedBy({ way, isJson, change, status, method }: Cell, ways: readonly string[]) {
  const why = 'the body is dropped before the router sees it'
  const isUnseen = method === 'HEAD' && isJson && ways.includes(way)
  return isUnseen && change.startsWith('the user') && !hasNoBody(status)
    ? { why, status }
    : undefined
}
