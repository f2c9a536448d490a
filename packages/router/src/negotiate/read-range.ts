import type { Settings } from '../declare/settings.ts'
import type { MediaRange } from './parse-accept.ts'

/** A media range that selects a declared version. */
export interface VersionRange {
  /** The media type in lower case, without parameters. */
  readonly type: string
  readonly q: number
  readonly version: number
  /** The index of the version among the declared versions, lowest first. */
  readonly index: number
  /** From 0 to 3. */
  readonly specificity: number
  /** The suffix of the vendor type in lower case, such as `json`. Null when there is none. */
  readonly format: string | null
  /** True for the vendor type. The response then has the vendor type too. */
  readonly usesVendorType: boolean
  readonly source: Source
}

/** Who chose a version: the request by its number, the default version, or the app for this request. */
export type Source = 'explicit' | 'default' | 'pinned'

/** What a media range means to an API: the version that it selects, or the reason why it selects none. */
export type RangeReading =
  | VersionRange
  | 'malformed'
  | 'malformed-version'
  | 'undeclared-version'
  | 'unsupported-format'
  | 'no-version'
  | 'other-vendor'
  | 'foreign'

/** How specific a range is (RFC 9110, 12.5.1). A range with q=0 also excludes its version from less specific ranges. */
const anyType = 0
const anyApplicationType = 1
const typeWithoutVersion = 2
const typeWithVersion = 3

/** The types besides the vendor type that select the default version. */
const defaultTypes: ReadonlyMap<string, number> = new Map([
  ['*/*', anyType],
  ['application/*', anyApplicationType],
  ['application/json', typeWithoutVersion],
])

/**
 * Creates the function that reads one range of an `Accept` header.
 *
 * @param source - who chose the default version
 */
export function createRangeReader(
  settings: Settings,
  source: 'default' | 'pinned' = 'default',
): (range: MediaRange) => RangeReading {
  const { formats, versions, requireVersion } = settings
  const vendorType = settings.vendorType.toLowerCase()
  const indexes = new Map(versions.map((version, index) => [String(version), index]))
  const defaultVersion = String(settings.defaultVersion)
  const defaultIndex = indexes.get(defaultVersion)!

  return (range) => {
    if (range.malformed) return 'malformed'
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
      return isWholeNumber(version) ? 'undeclared-version' : 'malformed-version'
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

const isWholeNumber = (text: string): boolean => /^(?:0|[1-9]\d*)$/.test(text)

/** True for a range that names its version. Other ranges select the default version. */
export const hasVersion = ({ specificity }: VersionRange): boolean =>
  specificity === typeWithVersion

/** Returns the suffix of the vendor type, null when it has none, and undefined for another type. */
function suffixOf(type: string, vendorType: string): string | null | undefined {
  if (type === vendorType) return null
  const plus = type.lastIndexOf('+')
  return plus === vendorType.length && type.startsWith(vendorType)
    ? type.slice(plus + 1) || undefined
    : undefined
}

/** True for the type of another vendor, and for the vendor type outside `application/`. Browsers send neither. */
const isVendorType = (type: string, vendorType: string): boolean =>
  type.startsWith('application/vnd.') ||
  suffixOf(type.replace(/^[^/]*/, 'application'), vendorType) !== undefined
