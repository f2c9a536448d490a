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
 * Express itself drops the body of a 204, 205 or 304 before the router knows that the older status
 * has one, and a body in response to HEAD before the router can convert it.
 *
 * @param ways - what Express doesn't even begin to send in response to HEAD
 */
export function droppedBy({ way, isJson, change, status, method }: Cell, ways: readonly string[]) {
  const why = 'Express drops the body before the router sees it'
  const was = Number(/^the status was (\d+)/.exec(change)?.[1] ?? status)
  const isWhole = ['object', 'text', 'bytes', 'error'].includes(way)
  if (isWhole && hasNoBody(status) && !hasNoBody(was)) return { why, status: was }
  const isUnseen = method === 'HEAD' && isJson && ways.includes(way)
  return isUnseen && change.startsWith('the user') && !hasNoBody(status)
    ? { why, status }
    : undefined
}
