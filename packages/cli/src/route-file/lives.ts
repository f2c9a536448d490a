// The life of versions and routes, as the commands print it.
import type { Life } from '@hv/router'
import type { RouteFile, VersionLife } from './route-file.ts'

/** Of a version, or of a route in one. */
type Lifecycle = Pick<VersionLife, 'life' | 'isPreview'>

/** `2027-07-01`, or `2027-07-01T12:00:00Z` when it is not midnight. */
export const dateOf = (time: number): string =>
  new Date(time).toISOString().replace(/\.\d+/, '').replace('T00:00:00Z', '')

/** What clients can expect of a version or a route now. */
export type State = 'preview' | 'live' | 'deprecated' | 'brownout' | 'retired'

export function stateOf({ life, isPreview }: Lifecycle, now: number): State {
  const outage = life?.outages.find(({ from, until }) => from <= now && now < until)
  if (outage !== undefined) return outage.until === Infinity ? 'retired' : 'brownout'
  if (isPreview) return 'preview'
  return life !== null && life.deprecated !== null && life.deprecated <= now ? 'deprecated' : 'live'
}

/** `deprecated since 2027-01-01, ends on 2027-07-01, successor 2`. */
export function formatLife({ life, isPreview }: Lifecycle, now: number): string {
  const { deprecated = null, sunset = null, successor = null, outages = [] } = life ?? {}
  const brownout = outages.find(({ from, until }) => from <= now && now < until && until < Infinity)
  const isEnforced = outages.some(({ until }) => until === Infinity)
  const parts = [
    isPreview && 'preview',
    deprecated !== null &&
      `deprecated ${deprecated <= now ? 'since' : 'from'} ${dateOf(deprecated)}`,
    brownout !== undefined && `in a brownout until ${dateOf(brownout.until)}`,
    sunset !== null &&
      isEnforced &&
      `${sunset <= now ? 'retired since' : 'ends on'} ${dateOf(sunset)}`,
    sunset !== null && !isEnforced && `sunset (not enforced) ${dateOf(sunset)}`,
    successor !== null && `successor ${successor}`,
  ]
  return parts.filter((part) => part !== false).join(', ') || 'live'
}

export const lifeOfVersion = ({ lives }: RouteFile, version: number): Life | null =>
  lives.find(({ number }) => number === version)?.life ?? null
