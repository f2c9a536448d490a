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
  /** The value of the `version` parameter as sent, without quotes. Null without one; `''` if two differ. */
  readonly version: string | null
  /** The range is not grammatical: no slash, an inner space, a bad q, an open quote, a control character. */
  readonly malformed: boolean
}

/** Longer headers are malformed. */
const maxHeaderLength = 4096
const maxRanges = 50

// The grammar (RFC 9110, sections 5.6 and 12.5.1). No pattern can read the same text in two ways: the time grows with the
// length of a header, and no faster.
const token = "[\\w!#$%&'*+.^`|~-]+"
/** Up to the comma after a range, in a header with quotes. Commas in quotes don't end it; an open quote takes the rest. */
const wholeRange = /[^",]*(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)[^",]*)*/y
/** `type/subtype`. Clients put spaces around the `+` of a suffix. */
const mediaType = new RegExp(
  `${token}/${token}(?:[ \\t]*(?=\\+)${token}|(?<=\\+)[ \\t]+${token})*[ \\t]*`,
  'y',
)
/** Characters with or without a backslash, and none that controls something. */
const quotedText = '"((?:[^"\\\\\\0-\\x08\\n-\\x1f\\x7f]|\\\\[^\\0-\\x08\\n-\\x1f\\x7f])*)"'
/** `;name=value`, `;name="value"`, `;name`, `;`, with spaces anywhere. */
const parameter = new RegExp(
  `(?:;[ \\t]*)+(?:(${token})[ \\t]*(=[ \\t]*(?:(?:${quotedText}|(${token}))[ \\t]*)?)?)?(?=;|$)`,
  'y',
)
/** From 0 to 1 with at most three decimals (RFC 9110, section 12.4.2). */
const quality = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Reads an Accept header.
 *
 * @returns the ranges in header order, or null for a header over 4 KiB or over 50 ranges
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

/** Where a match that starts at a position ends; 0 when there is none. */
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
    const name = match?.[1]?.toLowerCase()
    const plain = match?.[4] ?? ''
    if (name === 'q' && q === null) {
      malformed = !quality.test(plain)
      q = Number(plain)
    } else if (name === 'version') {
      const value = match![3]?.replaceAll(/\\([^])/g, '$1') ?? plain
      version = version === null || version === value ? value : ''
    }
  }
  return malformed
    ? { type, q: 0, version: null, malformed }
    : { type, q: q ?? 1, version, malformed }
}

const withoutSpaces = (text: string): string =>
  text.includes(' ') || text.includes('\t') ? text.replaceAll(/[ \t]/g, '') : text
