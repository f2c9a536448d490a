/**
 * A media range in an Accept header (RFC 9110, section 12.5.1): what version negotiation needs of
 * it.
 */
export interface MediaRange {
  /** `application/vnd.acme+json`, in lower case. All of the range's text if it's malformed. */
  readonly type: string
  /**
   * From 0 to 1.
   *
   * @default 1
   */
  readonly q: number
  /**
   * The `version` parameter's value as sent, without quotes. Null if there's none, `''` if there
   * are two that differ.
   */
  readonly version: string | null
  /**
   * Whether the range breaks the grammar: no slash, a space inside, a bad q, an open quote, or a
   * control character.
   */
  readonly malformed: boolean
}

/** Longer headers are malformed. */
const maxHeaderLength = 4096
const maxRanges = 50

// The grammar (RFC 9110, sections 5.6 and 12.5.1). No pattern can read the same text in two ways,
// so reading a header takes linear time.
const token = "[\\w!#$%&'*+.^`|~-]+"
/**
 * A range in a header with quotes, up to the next comma outside of them. An open quote takes the
 * rest of the header.
 */
const wholeRange = /[^",]*(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)[^",]*)*/y
/**
 * `type/subtype`. Some clients put spaces around a suffix's `+`. Java before 19 sends `*` for any
 * type.
 */
const mediaType = new RegExp(
  `(?:\\*(?![^ \\t;])|${token}/${token}(?:[ \\t]*(?=\\+)${token}|(?<=\\+)[ \\t]+${token})*)[ \\t]*`,
  'y',
)
/** Characters with or without a backslash, except control characters. */
const quotedText = '"((?:[^"\\\\\\0-\\x08\\n-\\x1f\\x7f]|\\\\[^\\0-\\x08\\n-\\x1f\\x7f])*)"'
/** `;name=value`, `;name="value"`, `;name` or `;`, with spaces anywhere. */
const parameter = new RegExp(
  `(?:;[ \\t]*)+(?:(${token})[ \\t]*(?:=[ \\t]*(?:(?:${quotedText}|(${token}))[ \\t]*)?)?)?(?=;|$)`,
  'y',
)
/**
 * A decimal number. RFC 9110, section 12.4.2, allows three decimals after a 0 or a 1, but clients
 * also send `.2` and `0.12345`.
 */
const decimal = /^(?:\d+\.?\d*|\.\d+)$/

/**
 * Reads an Accept header.
 *
 * @returns the ranges in the header's order, or null if it has more than 4 KiB or 50 ranges
 */
export function parseAccept(header: string): readonly MediaRange[] | null {
  if (header.length > maxHeaderLength) return null
  const ranges: MediaRange[] = []
  const hasQuotes = header.includes('"')
  let start = skipSeparators(header, 0)
  while (start < header.length) {
    if (ranges.length === maxRanges) return null
    const comma = header.indexOf(',', start)
    const end = hasQuotes ? endOf(wholeRange, header, start) : comma < 0 ? header.length : comma
    ranges.push(readRange(header.slice(start, end)))
    start = skipSeparators(header, end)
  }
  return ranges
}

function skipSeparators(header: string, start: number): number {
  let at = start
  while (at < header.length && ', \t'.includes(header[at]!)) at++
  return at
}

/** Returns where a match that starts at this position ends, or 0 if there's none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  pattern.test(text)
  return pattern.lastIndex
}

function readRange(text: string): MediaRange {
  const typeEnd = endOf(mediaType, text, 0)
  const type = withoutSpaces(text.slice(0, typeEnd)).toLowerCase()
  let q: number | null = null
  let version: string | null = null
  let malformed = typeEnd === 0

  for (let at = typeEnd; at < text.length && !malformed; at = parameter.lastIndex) {
    parameter.lastIndex = at
    const match = parameter.exec(text)
    malformed = match === null
    const [, name, quoted, plain = ''] = match ?? []
    const key = name?.toLowerCase()
    if (key === 'q' && q === null) {
      q = Number(plain)
      malformed = !decimal.test(plain) || q > 1
    } else if (key === 'version') {
      const value = quoted?.replaceAll(/\\([^])/g, '$1') ?? plain
      version = version === null || version === value ? value : ''
    }
  }
  if (malformed) return { type: text.toLowerCase(), q: 1, version: null, malformed }
  return { type: type === '*' ? '*/*' : type, q: q ?? 1, version, malformed }
}

const withoutSpaces = (text: string): string =>
  text.includes(' ') || text.includes('\t') ? text.replaceAll(/[ \t]/g, '') : text
