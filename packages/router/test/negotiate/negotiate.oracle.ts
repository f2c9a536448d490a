// A direct reading of RFC 9110, 5.6 and 12.5.1, and of our design, written apart from the implementation: slow, by
// regular expressions, range by range. The tests compare the two.

export interface OracleApi {
  readonly vendor: string
  readonly versions: readonly number[]
  readonly defaultVersion: number
  readonly strict: boolean
  readonly formats: readonly string[] | 'any'
}

const token = String.raw`[!#$%&'*+\-.^_\`|~0-9A-Za-z]+`
const quotedString = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\uffff]|\\[\t \x21-\x7e\x80-\uffff])*"`
const ows = String.raw`[ \t]*`
// One element of the list, up to a comma that stands outside of quotes (an open quote takes the rest).
const element = /(?:"(?:\\[\s\S]?|[^"\\])*(?:"|$)|[^,"])+/g
const rangePattern = new RegExp(
  `^(${token})/(${token}(?:${ows}\\+${ows}${token}|${ows}\\+(?=${ows}(?:;|$))|\\+${ows}${token})*)${ows}((?:;[\\s\\S]*)?)$`,
)
const parameter = new RegExp(
  `^${ows}(?:(${token})(?:${ows}=${ows}(${quotedString}|${token})?)?)?${ows}(?=;|$)`,
)

interface Range {
  readonly type: string
  readonly q: number
  readonly versions: readonly (string | null)[]
}

/** Null for a range against the grammar. Old Java clients send an asterisk alone. */
function readRange(text: string): Range | null {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '')
  const found = rangePattern.exec(trimmed.replace(/^\*(?=[ \t]*(?:;|$))/, '*/*'))
  if (found === null) return null
  let rest = found[3]!
  let q: number | null = null
  const versions: (string | null)[] = []
  while (rest !== '') {
    const one = parameter.exec(rest.slice(1))
    if (one === null) return null
    rest = rest.slice(1 + one[0].length)
    const [, name, raw] = one
    const value =
      raw === undefined
        ? null
        : raw.startsWith('"')
          ? raw.slice(1, -1).replace(/\\([\s\S])/g, '$1')
          : raw
    if (name?.toLowerCase() === 'q' && q === null) {
      const isNumber =
        /^[0-9.]+$/.test(raw ?? '') && /[0-9]/.test(raw!) && raw!.split('.').length <= 2
      if (!isNumber || Number(raw) > 1) return null
      q = Number(raw)
    } else if (name?.toLowerCase() === 'version') versions.push(value)
  }
  return {
    type: `${found[1]}/${found[2]!.replace(/[ \t]/g, '')}`.toLowerCase(),
    q: q ?? 1,
    versions,
  }
}

/** The versions that may serve, best first; or the status of the refusal. */
export function negotiateByTheBook(accept: string, api: OracleApi): readonly number[] | 400 | 406 {
  const texts = (accept.match(element) ?? []).filter((text) => /[^ \t]/.test(text))
  if (accept.length > 4096 || texts.length > 50) return 400
  if (texts.length === 0) return [api.defaultVersion]

  let malformed = false
  let foreignOnly = true
  let foreignAccepted = false
  const wishes: { version: number; q: number; precision: number; type: string; order: number }[] =
    []
  for (const [order, text] of texts.entries()) {
    const range = readRange(text)
    if (range === null) {
      const namesVendor = text.toLowerCase().indexOf(`vnd.${api.vendor.toLowerCase()}`) >= 0
      malformed ||= namesVendor
      foreignOnly &&= !namesVendor
      foreignAccepted ||= !namesVendor
      continue
    }
    const ours = new RegExp(`^application/vnd\\.${api.vendor}(?:\\+([^+]+))?$`, 'i').exec(
      range.type,
    )
    if (ours !== null) {
      foreignOnly = false
      const named = [...new Set(range.versions)]
      if (
        named.length > 1 ||
        named.some((version) => version === null || !/^(?:0|[1-9]\d*)$/.test(version))
      ) {
        malformed = true
        continue
      }
      const version =
        named.length === 0
          ? api.defaultVersion
          : api.versions.find((one) => String(one) === named[0])
      if (
        version === undefined ||
        (ours[1] !== undefined && api.formats !== 'any' && !api.formats.includes(ours[1]))
      )
        continue
      wishes.push({
        version,
        q: range.q,
        precision: named.length === 0 ? 2 : 3,
        type: range.type,
        order,
      })
      continue
    }
    const precision = { 'application/json': 2, 'application/*': 1, '*/*': 0 }[range.type]
    if (precision !== undefined) {
      foreignOnly = false
      wishes.push({ version: api.defaultVersion, q: range.q, precision, type: range.type, order })
    } else if (
      range.type.startsWith('application/vnd.') ||
      new RegExp(`/vnd\\.${api.vendor}(?:\\+[^+]+)?$`, 'i').test(range.type)
    )
      foreignOnly = false
    else foreignAccepted ||= range.q > 0
  }
  if (foreignOnly && foreignAccepted && !api.strict) return [api.defaultVersion]

  const acceptable = wishes.filter(
    (wish) =>
      wish.q > 0 &&
      !wishes.some(
        (no) =>
          no.q === 0 &&
          no.version === wish.version &&
          (no.precision > wish.precision ||
            (no.precision === wish.precision && no.type === wish.type)),
      ),
  )
  if (acceptable.length === 0) return malformed ? 400 : 406
  const explicitFirst = (wish: (typeof wishes)[number]) => (wish.precision === 3 ? 0 : 1)
  const ranked = acceptable.toSorted(
    (a, b) => b.q - a.q || explicitFirst(a) - explicitFirst(b) || a.order - b.order,
  )
  return [...new Set(ranked.map(({ version }) => version))]
}
