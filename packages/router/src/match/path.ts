import type { Formats } from '../declare/settings.ts'

/** A segment of a pattern. */
export interface Segment {
  /** A static segment's text, or a parameter's name. */
  readonly text: string
  /** A `glob` matches all segments that follow. */
  readonly kind: 'static' | 'param' | 'glob'
}

/**
 * Splits a pattern: `/api/users/:id` has the static segments `api` and `users`, and the parameter
 * `id`.
 */
export const segmentsOf = (path: string): readonly Segment[] =>
  path
    .split('/')
    .filter(Boolean)
    .map((text) => {
      const kind = text.startsWith(':') ? 'param' : text.startsWith('*') ? 'glob' : 'static'
      return { text: kind === 'static' ? text : text.slice(1), kind }
    })

/**
 * Whether `path.slice(from, to)`, the text after a path's last dot, is one of the API's formats.
 */
export function isFormat(formats: Formats, path: string, from: number, to: number): boolean {
  if (formats === 'any') return from < to
  const text = path.slice(from, to)
  return formats !== false && (formats.includes(text) || formats.includes(text.toLowerCase()))
}

/** Decodes percent-encoding. @throws URIError for an invalid escape */
export const decode = (text: string): string =>
  text.includes('%') ? decodeURIComponent(text) : text

/** Decodes percent-encoding. Returns null for an invalid escape. */
export function decodeOrNull(text: string): string | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}

/**
 * Decodes letters, digits, `-`, `_` and `~` in a request target's path, which mean the same with and
 * without percent-encoding (RFC 3986, section 2.3). The dot could start an extension, so it stays
 * as it is, and so does a path with a malformed escape.
 */
export function decodeUnreserved(target: string): string {
  if (!target.includes('%')) return target
  const [path] = target.split(/[?#]/, 1) as [string]
  if (/%(?![\da-f]{2})/i.test(path)) return target
  const decoded = path.replaceAll(/%(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent)
  return decoded + target.slice(path.length)
}

/**
 * Returns the start of a request target in absolute form (RFC 9112, section 3.2.2):
 * `http://host:80`. Returns `''` for other forms, and for hosts where URL parsers disagree about
 * the end.
 */
export const originOf = (target: string): string =>
  /^https?:\/\/(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?#]|$)/i.exec(target)?.[0] ?? ''
