/** One media range of an Accept header (RFC 9110, 12.5.1), as far as version negotiation reads it. */
export interface MediaRange {
  /** `application/vnd.acme+json`, in lower case. */
  readonly type: string
  /** 0 to 1; 1 unless told otherwise. */
  readonly q: number
  /** The value of the `version` parameter as sent, unquoted; null when there is none. */
  readonly version: string | null
  /** `version` stands without a value, empty, or twice with different values. */
  readonly badVersion: boolean
  /** Against the grammar: no slash, a space inside, a bad q, an open quote, a control character. */
  readonly malformed: boolean
}

const maxLength = 4096
const maxRanges = 50

/** The characters of a token (RFC 9110, 5.6.2), by code. */
const isToken = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))),
)

const [TAB, SPACE, QUOTE, PLUS, COMMA, SLASH, SEMICOLON, EQUALS, BACKSLASH, DEL] = [
  9, 32, 34, 43, 44, 47, 59, 61, 92, 127,
]

/**
 * Reads an Accept header in one pass; time is linear in its length.
 * Spaces around `;` `=` and the `+` of a suffix are let through, as clients send them.
 *
 * @returns the ranges in their order, or null for a header over 4 KiB or over 50 ranges
 */
export const parseAccept = createParser()

/** The header at hand, and where the parser is, stand around its functions: a call makes none of them anew. */
function createParser(): (header: string) => readonly MediaRange[] | null {
  let header = ''
  let at = 0

  return (text) => {
    if (text.length > maxLength) return null
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
      if (isRangeEnd() || header.charCodeAt(at) === SEMICOLON) continue // nothing after the semicolon
      const name = readToken().toLowerCase()
      skipSpaces()
      let value: string | null = null
      const hasValue = header.charCodeAt(at) === EQUALS
      const quoted = hasValue && (at++, skipSpaces(), header.charCodeAt(at) === QUOTE)
      if (hasValue) value = quoted ? readQuoted() : readToken()
      skipSpaces()

      malformed = name === '' || (hasValue && value === null) || !(isRangeEnd() || header.charCodeAt(at) === SEMICOLON)
      if (name === 'q' && q === null) {
        q = value !== null && !quoted && isQuality(value) ? Number(value) : -1
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

  /** `type/subtype` in lower case, or '' where there is none. */
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
    const from = at
    let to = from
    while (to < header.length && isToken[header.charCodeAt(to)] === 1) to++
    at = to
    return header.slice(from, to)
  }

  /** A quoted-string without its quotes and backslashes; null when it is open or holds a control character. */
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

  /** On to the comma that ends the range; commas in quotes do not, and an open quote takes the rest. */
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
  function isRangeEnd(): boolean {
    return at >= header.length || header.charCodeAt(at) === COMMA
  }
}

/** RFC 9110, 12.4.2: 0 to 1 with at most three decimals. */
const isQuality = (text: string): boolean => /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text)
