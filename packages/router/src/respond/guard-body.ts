import {
  type MutableHeaders,
  type Translation,
  dropsBody,
  finishHead,
} from '../changes/translation.ts'
import {
  type SentText,
  changeOfText,
  convertText,
  prepareForError,
  unconvertible,
} from './convert-text.ts'

/** Node's response, in HTTP/1 or HTTP/2. */
export interface NodeResponse {
  statusCode: number
  statusMessage: string
  getHeader(name: string): unknown
  setHeader(name: string, value: never): unknown
  appendHeader(name: string, value: string | readonly string[]): unknown
  removeHeader(name: string): void
  emit(event: 'drain'): unknown
  once(event: 'unpipe', listener: (source: any) => void): unknown
  write(...args: any[]): boolean
  end(...args: any[]): unknown
  writeHead(...args: any[]): unknown
  flushHeaders(): void
}

/** The state of a guarded response. */
export interface Guard {
  /**
   * The status that the handler sent, and the older version's, if the adapter or the guard has
   * converted the body and the status. Otherwise null.
   */
  converted: { readonly newer: number; readonly older: number } | null
  /** `refused`: an error is sent instead of the handler's body. */
  state: 'open' | 'sent' | 'refused'
}

/**
 * The status that the handler sent, unless a hook or middleware has replaced the older one.
 *
 * @param guard - the response's state
 * @param status - the response's status by now
 */
export const newerStatusOf = ({ converted }: Guard, status: number): number =>
  converted?.older === status ? converted.newer : status

/** What {@link guardBody} asks and reports about a response. */
export interface GuardOptions {
  readonly translation: Translation
  /** Responds with an error instead. Nothing has been sent yet. */
  readonly fail: (error: Error) => void
  /**
   * An `AsyncLocalStorage`. With it, we know whether it's the error that's being sent, or what the
   * handler is still sending.
   */
  readonly errors: { run(store: object, callback: () => void): void; getStore(): unknown }
}

/**
 * Replaces a response's methods, so that what it sends as text is converted. A stream that would
 * have to be converted is an error before its first byte. What the handler sends afterwards is
 * swallowed, because it would end up in the error's response.
 */
// oxlint-disable-next-line max-lines-per-function -- functions that share the response's state
export function guardBody(res: NodeResponse, options: GuardOptions): Guard {
  const { translation, fail, errors } = options
  const { write, end, writeHead, flushHeaders } = res
  const headers: MutableHeaders = {
    get: (name) => res.getHeader(name),
    set: (name, value) => void res.setHeader(name, value),
    // Once the length has been removed, Node doesn't send one.
    delete: (name) => res.getHeader(name) === undefined || res.removeHeader(name),
  }
  const guard: Guard = { converted: null, state: 'open' }

  /** The change that has to convert the body. Null if it can be sent as it is. */
  const pendingChange = () =>
    guard.state === 'open' && guard.converted === null
      ? changeOfText(translation, res.statusCode, res.getHeader('content-type'))
      : null

  function convertStatus(older = translation.statusOf(res.statusCode)): void {
    if (guard.state === 'sent' || guard.converted !== null) return
    guard.converted = { newer: res.statusCode, older }
    res.statusCode = older
  }
  /** Node itself only drops the body of a 204 or 304. */
  const isDropped = () => dropsBody(newerStatusOf(guard, res.statusCode), res.statusCode)

  const isSwallowed = () => guard.state === 'refused' && errors.getStore() !== res

  function refuse(error: Error): void {
    guard.state = 'refused'
    prepareForError(headers)
    res.statusCode = 500
    res.once('unpipe', (source) => source.destroy?.()) // the error's end leaves it unread
    // Middleware that has replaced these methods, such as compression, believes that the response
    // has ended.
    Object.assign(res, { write: guarded.write, end: guarded.end })
    errors.run(res, () => fail(error))
  }

  function refuseStream(): void {
    const about = pendingChange()
    if (about !== null) refuse(unconvertible(about, 'a stream'))
  }

  const guarded = {
    write(...args: any[]): boolean {
      refuseStream()
      if (!isSwallowed()) {
        convertStatus()
        if (!isDropped()) return write.apply(res, args)
      }
      swallow(res, args)
      return false
    },

    flushHeaders(): void {
      refuseStream()
      flushHeaders.call(res) // it calls writeHead()
    },

    writeHead(...args: any[]): unknown {
      if (isSwallowed()) return res
      if (guard.state === 'sent') return writeHead.apply(res, args)
      applyHead(res, args)
      if (pendingChange() !== null) return res // end() converts the body first
      convertStatus()
      finishHead(translation, newerStatusOf(guard, res.statusCode), res.statusCode, headers)
      if (guard.state !== 'refused') guard.state = 'sent'
      return writeHead.call(res, res.statusCode)
    },

    end(...args: any[]): unknown {
      if (pendingChange() !== null)
        try {
          const [first, encoding] = args
          const isEncoded = typeof encoding === 'string'
          const bytes = isEncoded && first ? Buffer.from(first, encoding) : first
          const body: SentText['body'] = typeof bytes === 'function' ? null : (bytes ?? null)
          const hasLength = res.getHeader('content-length') !== undefined
          const older = convertText(translation, { status: res.statusCode, headers, body })
          convertStatus(older.status)
          if (older.body !== body) {
            args.splice(0, isEncoded ? 2 : 1, older.body)
            if (hasLength) res.setHeader('content-length', Buffer.byteLength(older.body) as never)
          }
        } catch (error) {
          refuse(error as Error)
        }
      if (isSwallowed()) {
        swallow(res, args)
        return res
      }
      convertStatus()
      if (isDropped()) args = args.filter((argument) => typeof argument === 'function')
      return end.apply(res, args)
    },
  }
  Object.assign(res, guarded)
  return guard
}

// The core is compiled without the types of a runtime.
declare const Buffer: {
  from(text: unknown, encoding: string): Uint8Array
  byteLength(text: unknown): number
}
declare function setTimeout(callback: () => void, milliseconds: number): unknown

/**
 * Drops what the handler sends. Its callbacks are only called after a pause, because its source may
 * be endless.
 */
const swallow = (res: NodeResponse, args: any[]): void =>
  void setTimeout(() => {
    args.find((argument) => typeof argument === 'function')?.()
    res.emit('drain')
  }, 0)

/** Applies the arguments of `writeHead()`, without sending anything. */
function applyHead(res: NodeResponse, [status, reason, last]: any[]): void {
  res.statusCode = status
  if (typeof reason === 'string') res.statusMessage = reason
  const headers = last ?? reason
  if (typeof headers !== 'object' || headers === null) return
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
  const list: any[] = Array.isArray(pairs[0]) ? pairs.flat() : pairs
  for (let at = 0; at < list.length; at += 2) res.removeHeader(list[at])
  for (let at = 0; at < list.length; at += 2) res.appendHeader(list[at], list[at + 1])
}
