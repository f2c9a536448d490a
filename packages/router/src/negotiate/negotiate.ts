// oxlint-disable-next-line typescript/triple-slash-reference -- so that it goes along wherever this file is compiled
/// <reference path="./negotiator.d.ts" />
import rankNames from 'negotiator/lib/charset.js'
import type { Settings } from '../declare/settings.ts'
import { type MediaRange, parseAccept } from './parse-accept.ts'

/** A version that the client takes, and the shape it asked for. */
export interface Acceptable {
  readonly version: number
  /** Its place among the declared versions, lowest first. */
  readonly index: number
  /** The suffix of the vendor type in lower case: `json`; null when none was given. */
  readonly format: string | null
  /** A vendor range won: the answer is labelled with the vendor type. */
  readonly vendor: boolean
}

export interface Negotiation {
  /** Best first, each version once. */
  readonly acceptable: readonly Acceptable[]
  /** The well-formed versions that the header names, declared or not. */
  readonly requested: readonly number[]
  /** A range against the grammar stood in the header. */
  readonly malformed: boolean
}

/** What one range asks for. A range of a higher level is more precise. */
interface Wish extends Acceptable {
  readonly type: string
  readonly q: number
  readonly level: number
}

/** How a range is read: as a wish, or as nothing that can be served, for a reason. */
export type Reading = Wish | 'malformed' | 'bad-version' | 'not-declared' | 'not-a-format' | 'other-vendor' | 'foreign'

/** Builds the function that says what one range of an Accept header means to an API. */
export function createReader({
  formats,
  vendorType: type,
  versions,
  defaultVersion,
}: Settings): (range: MediaRange) => Reading {
  const vendorType = type.toLowerCase()
  const places = new Map(versions.map((version, index) => [String(version), { version, index }]))
  const fallback = places.get(String(defaultVersion))!

  return ({ type, q, version: digits, badVersion, malformed }) => {
    const wish = (
      { version, index }: typeof fallback,
      format: string | null,
      vendor: boolean,
      level: number,
    ): Wish => ({
      version,
      index,
      format,
      vendor,
      type,
      q,
      level,
    })
    if (malformed) return 'malformed'
    const format = suffixOf(type, vendorType)
    if (format === undefined) {
      const level = ['*/*', 'application/*', 'application/json'].indexOf(type)
      if (level < 0) return isVendorLike(type, vendorType) ? 'other-vendor' : 'foreign'
      return wish(fallback, null, false, level)
    }
    if (badVersion || (digits !== null && !/^(?:0|[1-9]\d*)$/.test(digits))) return 'bad-version'
    const place = digits === null ? fallback : places.get(digits)
    if (place === undefined) return 'not-declared'
    if (format !== null && Array.isArray(formats) && !formats.includes(format)) return 'not-a-format'
    return wish(place, format, true, digits === null ? 2 : 3)
  }
}

/** Builds the function that turns an Accept header into versions (RFC 9110, 12.5.1). No header reads as an empty one. */
export function createNegotiator(settings: Settings): (accept: string) => Negotiation {
  const read = createReader(settings)
  const anything = parseAccept('*/*')!

  return (accept) => {
    const sent = parseAccept(accept)
    if (sent === null) return { acceptable: [], requested: [], malformed: true }
    const ranges = sent.length === 0 ? anything : sent

    const wishes: Wish[] = []
    const requested: number[] = []
    let malformed = false
    let isBrowser = !settings.strict && ranges.some(({ q }) => q > 0)
    for (const range of ranges) {
      const reading = read(range)
      if (typeof reading === 'object') wishes.push(reading)
      else if (reading === 'malformed' || reading === 'bad-version') malformed = true
      if (reading !== 'foreign') isBrowser = false
      const { version } = range
      const isNamed =
        typeof reading === 'object' ? reading.level === 3 : reading === 'not-declared' || reading === 'not-a-format'
      if (isNamed && version !== null && !requested.includes(Number(version))) requested.push(Number(version))
    }
    if (isBrowser) wishes.push(read(anything[0]!) as Wish)
    return answer(wishes, requested, malformed)
  }
}

/** What is after the plus sign; null without one; undefined when the type is not ours. */
function suffixOf(type: string, vendorType: string): string | null | undefined {
  if (!type.startsWith(vendorType)) return undefined
  if (type.length === vendorType.length) return null
  const suffix = type.slice(vendorType.length + 1)
  return type[vendorType.length] === '+' && suffix !== '' && !suffix.includes('+') ? suffix : undefined
}

/** Another vendor's type, or ours outside `application/`: this client is no browser. */
const isVendorLike = (type: string, vendorType: string): boolean =>
  type.startsWith('application/vnd.') || suffixOf(type.replace(/^[^/]*/, 'application'), vendorType) !== undefined

function answer(wishes: readonly Wish[], requested: readonly number[], malformed: boolean): Negotiation {
  const refused = wishes.filter(({ q }) => q === 0)
  const acceptable: Wish[] = []
  for (const wish of rank(wishes.filter((wish) => wish.q > 0 && !refused.some((no) => covers(no, wish)))))
    if (!acceptable.some(({ version }) => version === wish.version)) acceptable.push(wish)
  return { acceptable, requested: Object.freeze(requested), malformed } // a miss carries what was requested
}

/** A range with q=0 takes its version out of the same range and of every less precise one. */
const covers = (no: Wish, wish: Wish): boolean =>
  no.version === wish.version && (no.level > wish.level || (no.level === wish.level && no.type === wish.type))

/**
 * q first; at equal q an explicit version before the rest; then header order. Negotiator ranks what is not in order yet:
 * its ranking of plain names, because the one of media types drops the parameters that carry the version.
 */
function rank(wishes: readonly Wish[]): readonly Wish[] {
  const ordered = [...wishes.filter(({ level }) => level === 3), ...wishes.filter(({ level }) => level < 3)]
  if (ordered.every(({ q }, i) => i === 0 || ordered[i - 1]!.q >= q)) return ordered
  return rankNames(ordered.map(({ q }, i) => `w${i};q=${q}`).join()).map((name) => ordered[Number(name.slice(1))]!)
}
