import { type MutableHeaders, type Translation, isBodiless } from '../changes/translation.ts'
import {
  changeOfText,
  convertText,
  prepareForError,
  removeDescription,
  unconvertible,
} from './convert-text.ts'

/** The methods of Node's responses that send something. */
export interface BodyMethods {
  write(...args: any[]): boolean
  end(...args: any[]): unknown
  writeHead(...args: any[]): unknown
  flushHeaders(): void
}

/** Node's response, in HTTP/1 or HTTP/2. */
export interface NodeResponse extends BodyMethods {
  statusCode: number
  getHeader(name: string): unknown
  setHeader(name: string, value: never): unknown
  removeHeader(name: string): void
  once(event: 'finish', listener: () => void): unknown
}

/** How a response is kept from sending a newer body to an older client. */
export interface Guard {
  readonly translation: Translation
  /** Responds with an error instead. Nothing has been sent yet. */
  readonly fail: (error: Error) => void
  /** Whether the body comes in pieces. They aren't sent. */
  isStream?: boolean
  /** Whether the body has been converted. */
  isConverted?: boolean
  /** The change that has to convert the body. */
  about?: string | null
}

/** The guards of responses that aren't decided yet. Remove a response to send it as it is. */
export const guards = new WeakMap<object, Guard>()

/** A Node response's headers. */
export const nodeHeaders = (res: NodeResponse): MutableHeaders => ({
  get: (name) => res.getHeader(name),
  set: (name, value) => void res.setHeader(name, value),
  remove: (name) => res.removeHeader(name),
})

/**
 * Creates the methods that convert what a guarded response sends as text. If it's a stream, they
 * swallow it and fail at its end, because whoever writes would also write into the error's response.
 *
 * The parameter has the methods that send it.
 */
export function guardBody({ write, end, writeHead, flushHeaders }: BodyMethods): BodyMethods {
  return {
    write(this: NodeResponse, ...args) {
      if (pendingChange(this) === null) return write.apply(this, args)
      guards.get(this)!.isStream = true
      const callback: unknown = args.at(-1)
      if (typeof callback === 'function') Promise.resolve().then(() => callback())
      return true
    },
    flushHeaders(this: NodeResponse) {
      if (pendingChange(this) === null) return flushHeaders.call(this)
      guards.get(this)!.isStream = true
    },
    writeHead(this: NodeResponse, ...args) {
      if (!guards.has(this)) return writeHead.apply(this, args)
      applyHead(this, args)
      return pendingChange(this) === null ? writeHead.apply(this, args) : this
    },
    end(this: NodeResponse, ...args) {
      const about = pendingChange(this)
      if (about === null) return end.apply(this, args)
      const guard = guards.get(this)!
      guards.delete(this)
      const headers = nodeHeaders(this)
      const [body, encoding] = args.filter((argument) => typeof argument !== 'function')
      const callback = args.find((argument) => typeof argument === 'function')
      try {
        if (guard.isStream) throw unconvertible(about, 'a stream')
        if (body === undefined || body === null) {
          if (!isBodiless(this.statusCode)) removeDescription(headers) // it responds to HEAD
          return end.apply(this, args)
        }
        if (typeof body === 'string' && !/^(?:utf-?8)?$/i.test(encoding ?? ''))
          throw unconvertible(about, `a body in ${encoding}`)
        const older = convertText(guard.translation, { status: this.statusCode, headers, body })
        if (older === null) return end.apply(this, args)
        guard.isConverted = true
        this.statusCode = older.status
        return end.call(this, older.body, 'utf8', callback)
      } catch (error) {
        prepareForError(headers)
        this.statusCode = 500
        // Middleware that has replaced them, such as compression, takes the response for ended.
        Object.assign(this, { write, end })
        if (callback !== undefined) this.once('finish', callback)
        guard.fail(error as Error)
        return this
      }
    },
  }
}

/** The change that has to convert what a response is about to send. Null if it can be sent as is. */
function pendingChange(res: NodeResponse): string | null {
  const guard = guards.get(res)
  if (guard === undefined) return null
  if (guard.isStream) return guard.about!
  const about = changeOfText(guard.translation, res.statusCode, res.getHeader('content-type'))
  if (about === null) guards.delete(res)
  guard.about = about
  return about
}

/** Applies the arguments of `writeHead()`, without sending anything. */
function applyHead(res: NodeResponse, [status, ...rest]: any[]): void {
  res.statusCode = status
  const headers = rest.at(-1) ?? {}
  if (typeof headers !== 'object') return
  const isFlat = Array.isArray(headers) && !Array.isArray(headers[0])
  if (!isFlat)
    for (const [name, value] of Array.isArray(headers) ? headers : Object.entries(headers))
      res.setHeader(name, value as never)
  else
    for (let at = 0; at < headers.length; at += 2)
      res.setHeader(headers[at], headers[at + 1] as never)
}
