import { type Api, assertApi } from '../compile/api.ts'
import { RouterError, assertObject } from '../errors.ts'
import type { DeclaredIn } from '../types/events.ts'

/** The options of `mediaType`. */
export interface MediaTypeOptions<Version = number> {
  readonly version: Version
  /** @default 'json' */
  readonly suffix?: string
}

/**
 * Returns a version's media type, as clients send it in `Accept` (RFC 6838, section 3.2).
 *
 * @throws RouterError HV_UNKNOWN_VERSION if the version isn't declared; HV_OPTION
 * @example mediaType(routes, { version: 2 }) // 'application/vnd.acme+json;version=2'
 */
export function mediaType<Table, Version extends number>(
  api: Api<Table>,
  options: MediaTypeOptions<DeclaredIn<Table, Version>>,
): string {
  const { vendorType, versions } = assertApi(api, 'mediaType()').settings
  assertObject('mediaType()', 'options', 'an object like { version: 2 }', options)
  const { version, suffix = 'json' } = options
  if (!versions.includes(version))
    throw new RouterError('HV_UNKNOWN_VERSION', { version, known: versions })
  return `${vendorType}+${suffix};version=${version}`
}

/** The Content-Type of a JSON response if the client asked for the vendor type. */
export const vendorContentType = ({ settings: { vendorType } }: Api, version: number): string =>
  `${vendorType}+json; version=${version}; charset=utf-8`
/** The Content-Type of any other JSON response. */
export const plainContentType = 'application/json; charset=utf-8'

/**
 * Returns whether a Content-Type is JSON with the API's vendor type, with or without a version.
 *
 * @param api - the API
 * @param contentType - `application/vnd.acme+json; version=2`
 */
export function isVendorJson({ settings: { vendorType } }: Api, contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return type === vendorType.toLowerCase() || type === `${vendorType.toLowerCase()}+json`
}
