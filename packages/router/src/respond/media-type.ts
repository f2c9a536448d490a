import { type Api, assertApi } from '../compile/api.ts'
import { RouterError, assertObject } from '../errors.ts'

/** The options of `mediaType`. */
export interface MediaTypeOptions<Version = number> {
  /** A declared version. */
  readonly version: Version
  /**
   * The format.
   *
   * @default 'json'
   */
  readonly suffix?: string
}

/**
 * Returns the media type of a version, as clients send it in `Accept` (RFC 6838, section 3.2: vendor tree).
 *
 * @param api - the API
 * @param options - {@link MediaTypeOptions}
 * @throws RouterError HV_UNKNOWN_VERSION for a version that is not declared; HV_OPTION
 * @example mediaType(routes, { version: 2 }) // 'application/vnd.acme+json;version=2'
 */
export function mediaType<Table, Version extends number>(
  api: Api<Table>,
  options: MediaTypeOptions<Declared<Table, Version>>,
): string {
  const { vendorType, versions } = assertApi(api, 'mediaType()').settings
  assertObject('mediaType()', 'options', 'an object like { version: 2 }', options)
  const { version, suffix = 'json' } = options
  if (!versions.includes(version))
    throw new RouterError('HV_UNKNOWN_VERSION', { version, known: versions })
  return `${vendorType}+${suffix};version=${version}`
}

/** A literal must be a declared version; any `number` is checked at run time. */
type Declared<Table, Version extends number> = number extends Version
  ? Version
  : unknown extends Table
    ? Version
    : Version & keyof Table

/**
 * The Content-Type of a JSON response: the vendor type with the version when a vendor range won the negotiation, else
 * `application/json`.
 */
export const contentTypeOf = (
  { settings: { vendorType } }: Api,
  version: number,
  usesVendorType: boolean,
): string =>
  `${usesVendorType ? `${vendorType}+json; version=${version}` : 'application/json'}; charset=utf-8`

/**
 * Returns whether a Content-Type is JSON under the API's vendor type, with or without a version.
 *
 * @param api - the API
 * @param contentType - the header
 */
export function isVendorJson({ settings: { vendorType } }: Api, contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return type === vendorType.toLowerCase() || type === `${vendorType.toLowerCase()}+json`
}
