// Whether a derived version's response is the one that a native handler sends.
import { type Cell, type Message, isDropped, isSerialized, newerOf, olderUser } from './cells.ts'

export interface Received {
  readonly status: number
  readonly reason: string
  /** All headers, but for the date. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether the connection stays open for the next request. */
  readonly isKept: boolean
}

const framing = ['content-length', 'transfer-encoding']

/**
 * Whether two responses differ in their status, headers or body. What the router can't know isn't
 * compared: the ETag of text that it has converted, and what describes a dropped body.
 *
 * @param isFramed - whether the router decides how the body is framed
 */
export function isDifferent(
  cell: Cell,
  older: Message,
  [derived, native]: readonly [Received, Received],
  isFramed: boolean,
): boolean {
  const newer = newerOf(cell)
  const isEmpty = isDropped(newer, older)
  if (isEmpty && describesBody(derived)) return true
  const isConverted = older.text === olderUser && (isSerialized(newer) || !isFramed)
  const unknown = new Set([
    ...(isEmpty ? ['content-type'] : []),
    ...(isConverted ? ['etag'] : []),
    // With `writeHead()`, Node doesn't know the length yet, and the router does.
    ...(isEmpty || !isFramed || (isConverted && newer.way === 'hijack') ? framing : []),
  ])
  const textOf = ({ headers, text, ...line }: Received, isNative: boolean): string => {
    const kept = Object.entries(headers).filter(
      ([name, value]) =>
        !unknown.has(name) &&
        // A response to HEAD without a body may say so, or not.
        !(cell.method === 'HEAD' && name === 'content-length' && value === '0'),
    )
    return JSON.stringify([line, kept.toSorted(), isEmpty && isNative ? '' : text])
  }
  return textOf(derived, false) !== textOf(native, true)
}

const describesBody = ({ headers }: Received): boolean =>
  'content-type' in headers ||
  'transfer-encoding' in headers ||
  (headers['content-length'] ?? '0') !== '0'

/** What version 1 has to send, given what a native handler does: the router's headers are added. */
export function asVersion1(native: Received, { way }: Message): Received {
  const { vary, ...headers } = native.headers
  const type = headers['content-type']
  const isDefault = type === 'application/json' && way !== 'error'
  return {
    ...native,
    headers: {
      ...headers,
      vary: vary === undefined ? 'Accept' : `${vary}, Accept`,
      'api-version': '1',
      ...(isDefault && { 'content-type': `${type}; charset=utf-8` }),
    },
  }
}
