import { type Api, assertApi } from '../compile/api.ts'
import { invalidOption } from '../errors.ts'
import type { Settings } from '../declare/settings.ts'
import { type Acceptable, createNegotiator } from './negotiate.ts'
import { maxHeaderLength } from './parse-accept.ts'

/**
 * Reduces an Accept header to the one header of all that mean the same to an API, for the key of a cache. The response to
 * the canonical header is the response to the original one, for every method and path.
 *
 * It does not know the `pinVersion` function of a router: responses that depend on it must not share a cache.
 *
 * @param api - the API
 * @param accept - the Accept header; undefined or null without one
 * @returns `''` for a header that means the same as none. The header itself if its meaning changes when versions end
 * @example canonicalAccept(routes, 'application/vnd.Acme+JSON ; version=2') // 'application/vnd.acme+json;version=2'
 * @example canonicalAccept(routes, 'text/html,application/xhtml+xml,*\/*;q=0.8') // '': a browser
 */
export function canonicalAccept(api: Api, accept: string | null | undefined): string {
  const { settings } = assertApi(api, 'canonicalAccept()')
  const header = accept ?? ''
  if (typeof header !== 'string')
    throw invalidOption('canonicalAccept()', 'accept', 'an Accept header', accept)
  // The default version may change as versions end.
  const defaults = settings.defaultsToOldest ? settings.versions : [settings.defaultVersion]
  const [canonical, ...others] = defaults.map((defaultVersion) =>
    reduce({ ...settings, defaultVersion }, header),
  )
  return others.every((other) => other === canonical) ? canonical! : header
}

function reduce(settings: Settings, header: string): string {
  const { vendorType } = settings
  const { acceptable, requested, malformed, lacksVersion } = createNegotiator(settings)(header)

  // 1. The versions that the header names, in its order. An excluded or undeclared one gets q=0, and one that counts
  // through a range without a version comes last.
  const named = requested.map((version) => {
    const rank = acceptable.findIndex((one) => one.version === version)
    if (acceptable[rank]?.source === 'explicit') return rangeOf(acceptable[rank], rank)
    return `${vendorType};version=${toDigits(version)};q=${rank < 0 ? 0 : 0.001}`
  })

  // 2. The ranges that leave the version to the default.
  const unnamed = acceptable.flatMap((one, rank) =>
    one.source === 'explicit' ? [] : [rangeOf(one, rank)],
  )

  // 3. What makes a header that allows no version a malformed one, or one that is not empty.
  const ranges = [...named, ...unnamed]
  // Once its versions have ended, a header allows none.
  const canEnd = acceptable.every(
    ({ index }) => (settings.lives[index]?.firstOutage ?? Infinity) < Infinity,
  )
  if (malformed && canEnd) ranges.push(`${vendorType};version=x`)
  if (ranges.length === 0 && !lacksVersion) ranges.push('*/*;q=0')

  const canonical = ranges.join()
  if (canonical === '*/*') return ''
  return canonical.length > maxHeaderLength ? header : canonical

  function rangeOf({ version, format, usesVendorType, source }: Acceptable, rank: number): string {
    const type = usesVendorType ? vendorType + (format === null ? '' : `+${format}`) : '*/*'
    return `${type}${source === 'explicit' ? `;version=${version}` : ''}${rank === 0 ? '' : `;q=${(1000 - rank) / 1000}`}`
  }
}

/** A version as a header contains it: `String(1e21)` is `1e+21`. */
const toDigits = (version: number): string =>
  Number.isFinite(version) ? BigInt(version).toString() : '9'.repeat(309)
