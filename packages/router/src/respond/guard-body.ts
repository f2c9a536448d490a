import { type MutableHeaders, type Translation, finishHead } from '../changes/translation.ts'
import { changeOfText, convertText, prepareForError, unconvertible } from './convert-text.ts'

/** Node's response, in HTTP/1 or HTTP/2. */
export interface NodeResponse {
  statusCode: number
  statusMessage: string
  getHeader(name: string): unknown
  setHeader(name: string, value: never): unknown
  removeHeader(name: string): void
  once(event: 'finish', listener: () => void): unknown
  emit(event: 'drain'): unknown
  write(...args: any[]): boolean
  end(...args: any[]): unknown
  writeHead(...args: any[]): unknown
  flushHeaders(): void
}

/** What a guarded response still needs. The adapter sets it if it has converted the response itself. */
export interface Guard {
  /**
   * `open`: everything. `converted`: older headers. `sent`: nothing. `refused`: an error has taken
   * the place of the handler's response.
   */
  state: 'open' | 'converted' | 'sent' | 'refused'
}

export interface GuardOptions {
  readonly translation: Translation
  /** Responds with an error instead. Nothing has been sent yet. */
  readonly fail: (error: Error) => void
  /** An `AsyncLocalStorage`. It tells what's sent for the error from what the handler still sends. */
  readonly errors: { run(store: object, callback: () => void): void; getStore(): unknown }
}

/** A Node response's headers. */
export const nodeHeaders = (res: NodeResponse): MutableHeaders => ({
  get: (name) => res.getHeader(name),
  set: (name, value) => void res.setHeader(name, value),
  remove: (name) => res.removeHeader(name),
})

/**
 * Replaces a response's methods, so that what it sends as text is converted. A stream that would have
 * to be converted is an error before its first byte. What the handler sends afterwards is swallowed,
 * because it would end up in the error's response.
 */
export function guardBody(res: NodeResponse, options: GuardOptions): Guard {
  const { translation, fail, errors } = options
  const native = {
    write: res.write,
    end: res.end,
    writeHead: res.writeHead,
    flushHeaders: res.flushHeaders,
  }
  const headers = nodeHeaders(res)
  const guard: Guard = { state: 'open' }

  /** The change that has to convert the body. Null if it can be sent as it is. */
  const pendingChange = (): string | null =>
    guard.state === 'open'
      ? changeOfText(translation, res.statusCode, res.getHeader('content-type'))
      : null

  const isSwallowed = (): boolean => guard.state === 'refused' && errors.getStore() !== res

  function refuse(error: Error): void {
    guard.state = 'refused'
    prepareForError(headers)
    res.statusCode = 500
    // Middleware that has replaced these methods, such as compression, believes that the response
    // has ended.
    Object.assign(res, { write: guarded.write, end: guarded.end })
    errors.run(res, () => fail(error))
  }

  const refuseStream = (): void => {
    const about = pendingChange()
    if (about !== null) refuse(unconvertible(about, 'a stream'))
  }

  const guarded = {
    write(...args: any[]): boolean {
      refuseStream()
      if (!isSwallowed()) return native.write.apply(res, args)
      const callback: unknown = args.at(-1)
      setTimeout(() => {
        if (typeof callback === 'function') callback()
        res.emit('drain')
      }, 0)
      return false // so that an endless source waits for each piece
    },

    flushHeaders(): void {
      refuseStream()
      if (!isSwallowed()) native.flushHeaders.call(res)
    },

    writeHead(...args: any[]): unknown {
      if (isSwallowed()) return res
      if (guard.state === 'sent') return native.writeHead.apply(res, args)
      applyHead(res, args)
      if (pendingChange() !== null) return res // end() converts the body first
      if (guard.state !== 'converted')
        res.statusCode = translation.head?.statusOf(res.statusCode) ?? res.statusCode
      finishHead(translation, res.statusCode, headers)
      if (guard.state !== 'refused') guard.state = 'sent'
      return native.writeHead.call(res, res.statusCode)
    },

    end(...args: any[]): unknown {
      const callback: unknown = args.find((argument) => typeof argument === 'function')
      const [body, encoding] = args.filter((argument) => argument !== callback)
      const about = pendingChange()
      if (about !== null)
        try {
          if (typeof body === 'string' && !/^(?:utf-?8)?$/i.test(encoding ?? ''))
            throw unconvertible(about, `a body in ${encoding}`)
          const older = convertText(translation, {
            status: res.statusCode,
            headers,
            body: body ?? null,
          })
          guard.state = 'converted'
          res.statusCode = older.status
          return native.end.call(res, older.body, 'utf8', callback)
        } catch (error) {
          refuse(error as Error)
        }
      if (!isSwallowed()) return native.end.apply(res, args)
      if (typeof callback === 'function') res.once('finish', () => callback())
      return res
    },
  }
  Object.assign(res, guarded)
  return guard
}

// The core is compiled without the types of a runtime.
declare function setTimeout(callback: () => void, milliseconds: number): unknown

/** Applies the arguments of `writeHead()`, without sending anything. */
function applyHead(res: NodeResponse, [status, reason, last]: any[]): void {
  res.statusCode = status
  if (typeof reason === 'string') res.statusMessage = reason
  const headers = last ?? reason
  if (typeof headers !== 'object' || headers === null) return
  const isFlat = Array.isArray(headers) && !Array.isArray(headers[0])
  const pairs: any[] = Array.isArray(headers) ? headers : Object.entries(headers)
  if (!isFlat) for (const [name, value] of pairs) res.setHeader(name, value as never)
  else for (let at = 0; at < pairs.length; at += 2) res.setHeader(pairs[at], pairs[at + 1] as never)
}
