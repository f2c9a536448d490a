import Negotiator from 'negotiator'
import type { Settings } from '../declare/settings.ts'
import { type MediaRange, parseAccept } from './parse-accept.ts'
import {
  type RangeReading,
  type VersionRange,
  createRangeReader,
  hasVersion,
} from './read-range.ts'

/** A version that the client accepts, and the representation that it asks for. */
export type Acceptable = Pick<
  VersionRange,
  'version' | 'index' | 'format' | 'usesVendorType' | 'source'
>

/** What an `Accept` header means to an API. */
export interface Negotiation {
  /** Best first. Each version occurs once. */
  readonly acceptable: readonly Acceptable[]
  /** The versions that the header names, declared or not. Malformed versions are left out. */
  readonly requested: readonly number[]
  /** True when the header, a range or a version in it is malformed. */
  readonly malformed: boolean
  /** The header contains only unrelated types, as a browser sends them. */
  readonly isUnrelated: boolean
  /** A part of the header, or a missing header, leaves the version to the default. */
  readonly usesDefault: boolean
  /** Nothing in the header names a version, and the API requires one. */
  readonly lacksVersion: boolean
}

/**
 * Creates the function that negotiates versions (RFC 9110, 12.5.1). An empty header means the same as no header.
 *
 * @param source - who chose the default version of the settings
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
    const acceptable = rank(withoutExcluded(selected)).filter(isFirstOfVersion)
    const lacksVersion = settings.requireVersion && usesDefault && requested.length === 0
    // A miss exposes `requested`.
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

/** True for a vendor type with a well-formed version, declared or not. */
const requestsVersion = ({ version }: MediaRange, reading: RangeReading): boolean =>
  version !== null &&
  (typeof reading === 'object'
    ? reading.usesVendorType
    : reading === 'undeclared-version' || reading === 'unsupported-format')

/** Leaves out the ranges with q=0 and the ranges that they exclude. */
const withoutExcluded = (ranges: readonly VersionRange[]): readonly VersionRange[] =>
  ranges.filter((range) => !ranges.some((other) => other.q === 0 && excludes(other, range)))

/** A range with q=0 excludes its version from the same range and from every less specific range. */
const excludes = (refused: VersionRange, { version, specificity, type }: VersionRange): boolean =>
  refused.version === version &&
  (refused.specificity > specificity ||
    (refused.specificity === specificity && refused.type === type))

/** Sorts by q. At equal q, ranges with a version come first; after that, the order of the header counts. */
function rank(ranges: readonly VersionRange[]): readonly VersionRange[] {
  const versionFirst = ranges.every(hasVersion)
    ? ranges
    : [...ranges.filter(hasVersion), ...ranges.filter((range) => !hasVersion(range))]
  const isSorted = versionFirst.every(({ q }, i) => i === 0 || versionFirst[i - 1]!.q >= q) // most headers are
  return isSorted ? versionFirst : sortByQ(versionFirst)
}

/**
 * Sorts by q with negotiator, which keeps the order at equal q. The ranges are sent through `Accept-Charset`, a plain list
 * of names with weights (RFC 9110, 12.5.2), under their indexes: of media types, negotiator drops the version.
 */
function sortByQ(ranges: readonly VersionRange[]): readonly VersionRange[] {
  const charsets = ranges.map(({ q }, i) => `${i};q=${q}`).join()
  const sorted = new Negotiator({ headers: { 'accept-charset': charsets } }).charsets()
  return sorted.map((index) => ranges[Number(index)]!)
}

const isFirstOfVersion = (
  { version }: VersionRange,
  at: number,
  ranges: readonly VersionRange[],
): boolean => ranges.findIndex((range) => range.version === version) === at
