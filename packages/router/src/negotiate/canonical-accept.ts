import type { Api } from '../compile/api.ts'
import { type Acceptable, createNegotiator } from './negotiate.ts'
import { maxHeaderLength } from './parse-accept.ts'

/**
 * Reduces an Accept header to the one header of all that mean the same to an API, for the key of a cache. The response to
 * the canonical header is the response to the original one, for every method and path.
 *
 * @param accept - the Accept header; undefined or null without one
 * @returns `''` when the default version applies as it does without a header
 * @example canonicalAccept(routes, 'application/vnd.Acme+JSON ; version=2') // 'application/vnd.acme+json;version=2'
 * @example canonicalAccept(routes, 'text/html,application/xhtml+xml,*\/*;q=0.8') // '': a browser
 */
export function canonicalAccept({ settings }: Api, accept: string | null | undefined): string {
  const { vendorType } = settings
  const { acceptable, requested, malformed } = createNegotiator(settings)(accept ?? '')

  // 1. The versions that the header names, in its order. An excluded or undeclared one gets q=0, and one that counts
  // through a less specific range comes last.
  const named = requested.map((version) => {
    const rank = acceptable.findIndex((one) => one.version === version && one.vendor)
    if (rank >= 0) return rangeOf(acceptable[rank]!, rank, true)
    const isAcceptable = acceptable.some((one) => one.version === version)
    return `${vendorType};version=${toDigits(version)};q=${isAcceptable ? 0.001 : 0}`
  })

  // 2. The ranges that select the default version without naming it.
  const unnamed = acceptable.flatMap((one, rank) =>
    one.vendor && requested.includes(one.version) ? [] : [rangeOf(one, rank, false)],
  )

  // 3. What makes a header that allows no version a malformed one, or one that is not empty.
  const allowsNone = acceptable.length === 0
  const last =
    allowsNone && malformed ? [`${vendorType};version=x`] : named.length + unnamed.length === 0 ? ['*/*;q=0'] : []

  const canonical = [...named, ...unnamed, ...last].join()
  if (canonical === '*/*') return ''
  return canonical.length > maxHeaderLength ? accept! : canonical

  function rangeOf({ version, format, vendor }: Acceptable, rank: number, isNamed: boolean): string {
    const type = vendor ? vendorType + (format === null ? '' : `+${format}`) : '*/*'
    return `${type}${isNamed ? `;version=${version}` : ''}${rank === 0 ? '' : `;q=${(1000 - rank) / 1000}`}`
  }
}

/** A version as a header contains it: `String(1e21)` is `1e+21`. */
const toDigits = (version: number): string => (Number.isFinite(version) ? BigInt(version).toString() : '9'.repeat(309))
