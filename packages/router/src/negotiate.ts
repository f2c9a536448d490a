import Negotiator from 'negotiator'
import { type Api, defaultVersionOf, versionsOf } from './api.ts'
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

/** Builds the function that turns an Accept header into versions (RFC 9110, 12.5.1). No header reads as an empty one. */
export function createNegotiator(api: Api): (accept: string) => Negotiation {
  const { formats, strict = false } = api.options
  const vendorType = `application/vnd.${api.options.vendorString.toLowerCase()}`
  const versions = versionsOf(api)
  const byDigits = new Map(versions.map((version) => [String(version), version]))
  const defaultVersion = defaultVersionOf(api)
  const plain = (type: string, q: number, level: number): Wish => ({
    version: defaultVersion,
    index: versions.indexOf(defaultVersion),
    format: null,
    vendor: false,
    type,
    q,
    level,
  })

  return (accept) => {
    const ranges = parseAccept(accept)
    if (ranges === null) return { acceptable: [], requested: [], malformed: true }
    if (ranges.length === 0) return answer([plain('*/*', 1, 0)], [], false)

    const wishes: Wish[] = []
    const requested: number[] = []
    let malformed = false
    let onlyForeign = true
    for (const range of ranges) {
      const suffix = suffixOf(range.type, vendorType)
      malformed ||= range.malformed || (suffix !== undefined && isBadVersion(range))
      if (range.malformed) continue
      if (suffix !== undefined) {
        onlyForeign = false
        if (isBadVersion(range)) continue
        if (range.version !== null && !requested.includes(Number(range.version))) requested.push(Number(range.version))
        const version = range.version === null ? defaultVersion : byDigits.get(range.version)
        if (version === undefined || (suffix !== null && Array.isArray(formats) && !formats.includes(suffix))) continue
        const level = range.version === null ? 2 : 3
        const index = versions.indexOf(version)
        wishes.push({ version, index, format: suffix, vendor: true, type: range.type, q: range.q, level })
      } else {
        const level = ['*/*', 'application/*', 'application/json'].indexOf(range.type)
        if (level >= 0) wishes.push(plain(range.type, range.q, level))
        if (level >= 0 || isVendorLike(range.type, vendorType)) onlyForeign = false
      }
    }
    if (onlyForeign && !malformed && !strict && ranges.some(({ q }) => q > 0)) wishes.push(plain('*/*', 1, 0))
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

const isBadVersion = ({ badVersion, version }: MediaRange): boolean =>
  badVersion || (version !== null && !/^(?:0|[1-9]\d*)$/.test(version))

/** Another vendor's type, or ours outside `application/`: this client is no browser. */
const isVendorLike = (type: string, vendorType: string): boolean =>
  type.startsWith('application/vnd.') || suffixOf(type.replace(/^[^/]*/, 'application'), vendorType) !== undefined

function answer(wishes: readonly Wish[], requested: readonly number[], malformed: boolean): Negotiation {
  const refused = wishes.filter(({ q }) => q === 0)
  const acceptable = rank(wishes.filter((wish) => wish.q > 0 && !refused.some((no) => covers(no, wish))))
    .filter((wish, index, all) => all.findIndex(({ version }) => version === wish.version) === index)
    .map(({ version, index, format, vendor }) => Object.freeze({ version, index, format, vendor }))
  return Object.freeze({ acceptable: Object.freeze(acceptable), requested: Object.freeze(requested), malformed })
}

/** A range with q=0 takes its version out of the same range and of every less precise one. */
const covers = (no: Wish, wish: Wish): boolean =>
  no.version === wish.version && (no.level > wish.level || (no.level === wish.level && no.type === wish.type))

/**
 * q first; at equal q an explicit version before the rest; then header order. Negotiator ranks; as it
 * drops the parameters that carry the version, each wish goes through it under a type of its own.
 */
function rank(wishes: readonly Wish[]): readonly Wish[] {
  if (wishes.length < 2) return wishes
  const ordered = [...wishes.filter(({ level }) => level === 3), ...wishes.filter(({ level }) => level < 3)]
  const accept = ordered.map(({ q }, index) => `wish/${index};q=${q}`).join(',')
  const ranked = new Negotiator({ headers: { accept } }).mediaTypes()
  return ranked.map((type) => ordered[Number(type.slice('wish/'.length))]!)
}
