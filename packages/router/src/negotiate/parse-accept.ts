/** One media range of an Accept header (RFC 9110, section 12.5.1), with what version negotiation needs. */
export interface MediaRange {
  /** `application/vnd.acme+json`, in lower case. */
  readonly type: string
  /**
   * From 0 to 1.
   *
   * @default 1
   */
  readonly q: number
  /** The value of the `version` parameter as sent, without quotes. Null without one. */
  readonly version: string | null
  /** `version` has no value, an empty one, or two different ones. */
  readonly badVersion: boolean
  /** The range is not grammatical: no slash, an inner space, a bad q, an open quote, a control character. */
  readonly malformed: boolean
}

/** Longer headers are malformed. */
export const maxHeaderLength = 4096
const maxRanges = 50

/** By character code: whether a token may contain it (RFC 9110, section 5.6.2). */
const isTokenCode = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))),
)

const [TAB, SPACE, QUOTE, PLUS, COMMA, SLASH, SEMICOLON, EQUALS, BACKSLASH, DEL] = [
  9, 32, 34, 43, 44, 47, 59, 61, 92, 127,
]

// The header being read, and the position of the reader. Parsing is synchronous, so one of each is enough.
let header = ''
let at = 0

/**
 * Reads an Accept header in one pass. Clients put spaces around `;`, `=` and the `+` of a suffix, so these are accepted.
 *
 * @returns the ranges in header order, or null for a header over 4 KiB or over 50 ranges
 */
export function parseAccept(text: string): readonly MediaRange[] | null {
  if (text.length > maxHeaderLength) return null
  header = text
  at = 0
  const ranges: MediaRange[] = []
  for (;;) {
    while (at < header.length && (header.charCodeAt(at) === COMMA || isSpace())) at++
    if (at >= header.length) return ranges
    if (ranges.length === maxRanges) return null
    ranges.push(readRange())
  }
}

function readRange(): MediaRange {
  const start = at
  const type = readType()
  let q: number | null = null
  let version: string | null = null
  let badVersion = false
  let malformed = type === ''

  while (!malformed && at < header.length && header.charCodeAt(at) === SEMICOLON) {
    at++
    skipSpaces()
    if (isParameterEnd()) continue // an empty parameter
    const name = readToken().toLowerCase()
    skipSpaces()
    let value: string | null = null
    const hasValue = header.charCodeAt(at) === EQUALS
    const isQuoted = hasValue && (at++, skipSpaces(), header.charCodeAt(at) === QUOTE)
    if (hasValue) value = isQuoted ? readQuoted() : readToken()
    skipSpaces()

    malformed = name === '' || (hasValue && value === null) || !isParameterEnd()
    if (name === 'q' && q === null) {
      q = value !== null && !isQuoted && isQuality(value) ? Number(value) : -1
      malformed ||= q < 0
    } else if (name === 'version') {
      badVersion ||= value === null || value === '' || (version !== null && version !== value)
      version = value ?? ''
    }
  }
  if (!malformed && isRangeEnd()) return { type, q: q ?? 1, version, badVersion, malformed: false }
  at = start
  skipRange()
  return { type, q: 0, version: null, badVersion: false, malformed: true }
}

/** Reads `type/subtype` in lower case. `''` when there is none. */
function readType(): string {
  const start = at
  if (readToken() === '' || header.charCodeAt(at) !== SLASH) return ''
  at++
  if (readToken() === '') return ''
  let type = header.slice(start, at)
  for (;;) {
    skipSpaces()
    const more = header.charCodeAt(at) === PLUS || type.endsWith('+') ? readToken() : ''
    if (more === '') return type.toLowerCase()
    type += more
  }
}

function readToken(): string {
  const start = at
  let end = start
  while (end < header.length && isTokenCode[header.charCodeAt(end)] === 1) end++
  at = end
  return header.slice(start, end)
}

/** Reads a quoted string, without quotes and backslashes. Null when it is open or contains a control character. */
function readQuoted(): string | null {
  let text = ''
  for (at++; at < header.length; at++) {
    let code = header.charCodeAt(at)
    if (code === QUOTE) {
      at++
      return text
    }
    if (code === BACKSLASH) code = header.charCodeAt(++at)
    if (!(code === TAB || (code >= SPACE && code !== DEL))) return null
    text += header[at]
  }
  return null
}

/** Moves to the comma that ends the range. Commas in quotes do not end it; an open quote takes the rest of the header. */
function skipRange(): void {
  let inQuotes = false
  for (; at < header.length; at++) {
    const code = header.charCodeAt(at)
    if (code === QUOTE) inQuotes = !inQuotes
    else if (code === BACKSLASH && inQuotes) at++
    else if (code === COMMA && !inQuotes) return
  }
}

function skipSpaces(): void {
  while (at < header.length && isSpace()) at++
}

function isSpace(): boolean {
  const code = header.charCodeAt(at)
  return code === SPACE || code === TAB
}

const isRangeEnd = (): boolean => at >= header.length || header.charCodeAt(at) === COMMA
const isParameterEnd = (): boolean => isRangeEnd() || header.charCodeAt(at) === SEMICOLON

/** From 0 to 1 with at most three decimals (RFC 9110, section 12.4.2). */
const isQuality = (text: string): boolean => /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text)
