import type { Formats } from '../declare/settings.ts'

/** One segment of a pattern. */
export interface Segment {
  /** The text of a static segment, the name of a path parameter. */
  readonly text: string
  /** A `glob` takes all segments that follow. */
  readonly kind: 'static' | 'param' | 'glob'
}

/** Splits a declared path: `/api/users/:id` has the segments `api`, `users` and the parameter `id`. */
export const segmentsOf = (path: string): readonly Segment[] =>
  path
    .split('/')
    .filter(Boolean)
    .map((text) => {
      const kind = text.startsWith(':') ? 'param' : text.startsWith('*') ? 'glob' : 'static'
      return { text: kind === 'static' ? text : text.slice(1), kind }
    })

/** Returns whether `path.slice(from, to)`, the text after the last dot of a path, is a format. */
export function isFormat(formats: Formats, path: string, from: number, to: number): boolean {
  if (formats === 'any') return from < to
  const text = path.slice(from, to)
  return formats !== false && (formats.includes(text) || formats.includes(text.toLowerCase()))
}

/** Where every extension is a format, the value of a parameter contains no dot. */
export const allowsDots = (formats: Formats): boolean => formats !== 'any'

/** Decodes percent-encoding. Throws a `URIError` for an invalid escape. */
export const decode = (text: string): string =>
  text.includes('%') ? decodeURIComponent(text) : text

/** Returns null for an invalid escape. */
export function decodeOrNull(text: string): string | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}

/**
 * The start of a request target in absolute form (RFC 9112, section 3.2.2): `http://host:80`. `''` for other forms, and for
 * hosts that URL parsers end at different characters.
 */
export const originOf = (target: string): string =>
  /^https?:\/\/(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?#]|$)/i.exec(target)?.[0] ?? ''
