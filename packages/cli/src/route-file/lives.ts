// Lifecycles of versions and routes, as the commands print them.
import type { Life } from '@hv/router'
import { isoOf, outageAt, shortDate } from '@hv/router/internal'

/** The lifecycle of a version, or of one of its routes. */
interface Lifecycle {
  readonly life: Life | null
  readonly isPreview: boolean
}

export interface VersionLife extends Lifecycle {
  readonly number: number
  readonly state: State
}

/** `2027-07-01`, or `2027-07-01T12:00:00Z` if it isn't midnight. */
export const dateOf = (time: number): string => shortDate(isoOf(time))

/** The announced sunset: `2027-07-01`. */
export const sunsetOf = (life: Life | null): string | undefined =>
  typeof life?.sunset === 'number' ? dateOf(life.sunset) : undefined

/** What clients can expect of a version or route now. */
export type State = 'preview' | 'live' | 'deprecated' | 'brownout' | 'retired'

export function stateOf({ life, isPreview }: Lifecycle, now: number): State {
  const outage = outageAt(life, now)
  if (outage !== null) return outage.until === Infinity ? 'retired' : 'brownout'
  if (isPreview) return 'preview'
  return (life?.deprecated ?? Infinity) <= now ? 'deprecated' : 'live'
}

/**
 * Returns the time from which requests get a 410 response. It's `Infinity` without a sunset, and
 * with `retire: 'serve'`, which announces a sunset without enforcing it.
 */
export const endOf = (life: Life | null): number =>
  life?.outages.find(({ until }) => until === Infinity)?.from ?? Infinity

/** `deprecated since 2027-01-01, ends on 2027-07-01, successor 2` */
export function formatLife({ life, isPreview }: Lifecycle, now: number): string {
  const { deprecated = null, sunset = null, successor = null } = life ?? {}
  const words: string[] = isPreview ? ['preview'] : []
  if (deprecated !== null)
    words.push(`deprecated ${deprecated <= now ? 'since' : 'from'} ${dateOf(deprecated)}`)
  const { until = Infinity } = outageAt(life, now) ?? {}
  if (until < Infinity) words.push(`in a brownout until ${dateOf(until)}`)
  if (sunset !== null && endOf(life) === Infinity)
    words.push(`sunset (not enforced) ${dateOf(sunset)}`)
  else if (sunset !== null)
    words.push(`${sunset <= now ? 'retired since' : 'ends on'} ${dateOf(sunset)}`)
  if (successor !== null) words.push(`successor ${successor}`)
  return words.join(', ') || 'live'
}
