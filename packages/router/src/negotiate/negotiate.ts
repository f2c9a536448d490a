import Negotiator from 'negotiator'
import type { Settings } from '../declare/settings.ts'
import { type MediaRange, parseAccept } from './parse-accept.ts'
import {
  type RangeReading,
  type VersionRange,
  createRangeReader,
  hasVersion,
} from './read-range.ts'

/** What an `Accept` header means to an API. */
export interface Negotiation {
  /** The ranges that allow a version, best first. Each version occurs once. */
  readonly acceptable: readonly VersionRange[]
  /**
   * The versions that the header asks for, whether they're declared or not. Malformed ones are left
   * out.
   */
  readonly requested: readonly number[]
  /** Whether the header, or any range or version in it, is malformed. */
  readonly malformed: boolean
  /** Whether the header only contains unrelated types, as browsers send them. */
  readonly isUnrelated: boolean
  /** Whether any part of the header means the default version, as a missing header does. */
  readonly usesDefault: boolean
  /** Whether the API requires a version, and the header asks for none. */
  readonly lacksVersion: boolean
}

/**
 * Creates the function that negotiates versions (RFC 9110, section 12.5.1). An empty header means
 * the same as a missing one.
 *
 * @param source - who chose the settings' default version
 */
export function createNegotiator(
  settings: Settings,
  source?: 'default' | 'pinned',
): (accept: string) => Negotiation {
  const readRange = createRangeReader(settings, source)
  const anything = readRange(parseAccept('*/*')![0]!)

  return (accept) => {
    const ranges = parseAccept(accept)
    const selected: VersionRange[] = []
    const requested: number[] = []
    let malformed = ranges === null // too long to read
    let onlyForeign = !malformed
    let usesDefault = false
    for (const range of ranges ?? []) {
      const reading = readRange(range)
      if (typeof reading === 'object') selected.push(reading)
      malformed ||= reading === 'malformed' || reading === 'malformed-version'
      onlyForeign &&= reading === 'foreign'
      usesDefault ||=
        range.q > 0 &&
        (typeof reading === 'object' ? !hasVersion(reading) : reading === 'no-version')
      if (requestsVersion(range, reading)) {
        const version = Number(range.version)
        if (!requested.includes(version)) requested.push(version)
      }
    }
    const isUnrelated = onlyForeign && ranges!.some(({ q }) => q > 0)
    if ((isUnrelated && !settings.strict) || ranges?.length === 0) {
      usesDefault = true
      if (typeof anything === 'object') selected.push(anything)
    }
    const acceptable = rank(selected)
    const lacksVersion = settings.requireVersion && usesDefault && requested.length === 0
    // `requested` is frozen, because it becomes part of a miss.
    return {
      acceptable,
      requested: Object.freeze(requested),
      malformed,
      isUnrelated,
      usesDefault,
      lacksVersion,
    }
  }
}

/** Whether a range is the vendor type with a well-formed version, which may be undeclared. */
const requestsVersion = ({ version }: MediaRange, reading: RangeReading): boolean =>
  version !== null &&
  (typeof reading === 'object'
    ? reading.usesVendorType
    : reading === 'undeclared-version' || reading === 'unsupported-format')

/**
 * Whether a range with q=0 rules out another range: an identical one, or a less specific one for
 * the same version. If the header has `…;version=1;q=0`, its `application/json` can't mean version
 * 1.
 */
const excludes = (zero: VersionRange, { version, specificity, type }: VersionRange): boolean =>
  zero.version === version &&
  (zero.specificity > specificity || (zero.specificity === specificity && zero.type === type))

/**
 * Leaves out the ranges with q=0 and those that they exclude, sorts the rest by q, and keeps each
 * version's first. If q is the same, ranges with a version come first, and then the header's order
 * counts.
 */
function rank(selected: readonly VersionRange[]): readonly VersionRange[] {
  const ranges = selected.filter(
    (range) => !selected.some((other) => other.q === 0 && excludes(other, range)),
  )
  const versionFirst = [
    ...ranges.filter(hasVersion),
    ...ranges.filter((range) => !hasVersion(range)),
  ]
  const isSorted = versionFirst.every(({ q }, i) => i === 0 || versionFirst[i - 1]!.q >= q) // most headers are
  const sorted = isSorted ? versionFirst : sortByQ(versionFirst)
  return sorted.filter(
    ({ version }, at) => sorted.findIndex((range) => range.version === version) === at,
  )
}

/**
 * Sorts by q with negotiator, which keeps the order of ranges with the same q. It would drop the
 * version from media types, so it sorts the ranges' indexes as if they were charsets, which are a
 * plain list of names with weights (RFC 9110, section 12.5.2).
 */
function sortByQ(ranges: readonly VersionRange[]): readonly VersionRange[] {
  const charsets = ranges.map(({ q }, i) => `${i};q=${q}`).join()
  const sorted = new Negotiator({ headers: { 'accept-charset': charsets } }).charsets()
  return sorted.map((index) => ranges[Number(index)]!)
}
