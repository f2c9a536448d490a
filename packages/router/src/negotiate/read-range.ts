import type { Settings } from '../declare/settings.ts'
import type { MediaRange } from './parse-accept.ts'

/** A media range that selects a declared version. */
export interface VersionRange {
  /** The media type in lower case, without parameters. */
  readonly type: string
  readonly q: number
  readonly version: number
  /** The version's index among the declared versions, lowest first. */
  readonly index: number
  /** From 0 to 3. See `anyType` and the constants below it. */
  readonly specificity: number
  /** The vendor type's suffix in lower case, such as `json`. Null if there's none. */
  readonly format: string | null
  /** Whether the range is the vendor type. If so, the response has the vendor type as well. */
  readonly usesVendorType: boolean
  readonly source: Source
}

/**
 * Who chose a version: the request, the app with `pinVersion`, or nobody, so that the request gets
 * the default version.
 */
export type Source = 'explicit' | 'default' | 'pinned'

/**
 * What a media range means to an API: the version that it selects, or the reason why it doesn't
 * select one.
 */
export type RangeReading =
  | VersionRange
  | 'malformed'
  | 'malformed-version'
  | 'undeclared-version'
  | 'unsupported-format'
  | 'no-version'
  | 'other-vendor'
  | 'foreign'

// How specific a range is (RFC 9110, section 12.5.1). A range with q=0 also excludes its version
// from less specific ranges.
const anyType = 0
const anyApplicationType = 1
const typeWithoutVersion = 2
const typeWithVersion = 3

/** The types that select the default version, besides the vendor type. */
const defaultTypes: ReadonlyMap<string, number> = new Map([
  ['*/*', anyType],
  ['application/*', anyApplicationType],
  ['application/json', typeWithoutVersion],
])

/**
 * Creates the function that reads a range.
 *
 * @param source - who chose the default version
 */
export function createRangeReader(
  settings: Settings,
  source: 'default' | 'pinned' = 'default',
): (range: MediaRange) => RangeReading {
  const { formats, versions, requireVersion } = settings
  const vendorType = settings.vendorType.toLowerCase()
  const vendor = vendorType.slice('application/'.length)
  const indexes = new Map(versions.map((version, index) => [String(version), index]))
  const defaultVersion = String(settings.defaultVersion)
  const defaultIndex = indexes.get(defaultVersion)!

  return (range) => {
    // A client that doesn't name the vendor, such as Java with its default header, asks for no
    // version, so it's treated like a browser.
    if (range.malformed) return range.type.includes(vendor) ? 'malformed' : 'foreign'
    const format = suffixOf(range.type, vendorType)
    if (format !== undefined) return readVendorType(range, format)
    const specificity = defaultTypes.get(range.type)
    if (specificity !== undefined)
      return requireVersion ? 'no-version' : select(range, defaultIndex, specificity, null, false)
    return isVendorType(range.type, vendorType) ? 'other-vendor' : 'foreign'
  }

  function readVendorType(range: MediaRange, format: string | null): RangeReading {
    if (requireVersion && range.version === null) return 'no-version'
    const version = range.version ?? defaultVersion
    const index = indexes.get(version)
    if (index === undefined)
      return /^(?:0|[1-9]\d*)$/.test(version) ? 'undeclared-version' : 'malformed-version'
    if (format !== null && Array.isArray(formats) && !formats.includes(format))
      return 'unsupported-format'
    return select(
      range,
      index,
      range.version === null ? typeWithoutVersion : typeWithVersion,
      format,
      true,
    )
  }

  function select(
    { type, q }: MediaRange,
    index: number,
    specificity: number,
    format: string | null,
    usesVendorType: boolean,
  ): VersionRange {
    const version = versions[index]!
    const chosenBy = specificity === typeWithVersion ? 'explicit' : source
    return { type, q, version, index, specificity, format, usesVendorType, source: chosenBy }
  }
}

/** Whether a range asks for its version, rather than selecting the default one. */
export const hasVersion = ({ specificity }: VersionRange): boolean =>
  specificity === typeWithVersion

/** Returns the vendor type's suffix, null if it has none, or undefined for any other type. */
function suffixOf(type: string, vendorType: string): string | null | undefined {
  if (type === vendorType) return null
  const plus = type.lastIndexOf('+')
  return plus === vendorType.length && type.startsWith(vendorType)
    ? type.slice(plus + 1) || undefined
    : undefined
}

/**
 * Whether it's another vendor's type, or has the vendor's name outside of `application/`. Browsers
 * send neither.
 */
const isVendorType = (type: string, vendorType: string): boolean =>
  type.startsWith('application/vnd.') ||
  suffixOf(type.replace(/^[^/]*/, 'application'), vendorType) !== undefined
