import { type Api, versionsOf } from './api.ts'
import { RouterError, listed } from './errors.ts'

/**
 * The media type of a version, as clients send it in `Accept` (RFC 6838, 3.2: vendor tree).
 *
 * @throws RouterError HV_UNKNOWN_VERSION for a version that is not declared
 * @example mediaType(routes, 2) // 'application/vnd.acme+json;version=2'
 */
export function mediaType(api: Api, version: number, suffix = 'json'): string {
  const known = versionsOf(api)
  if (!known.includes(version))
    throw new RouterError('HV_UNKNOWN_VERSION', `there is no version ${version}. Declared: ${listed(known)}.`, {
      version,
      known,
    })
  return `application/vnd.${api.options.vendorString}+${suffix};version=${version}`
}
