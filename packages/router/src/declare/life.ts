// A version's or route's life: when it's deprecated, when it ends, and what its responses say about
// that.
import { RouterError } from '../errors.ts'
import { frozen } from './nodes.ts'

/**
 * A `Date`, a day as `2027-07-01` (midnight UTC), or a time with a zone as `2027-07-01T12:00:00Z`
 * (RFC 3339).
 */
export type Instant = string | Date

/** When a version or a route is deprecated, and when it ends. */
export interface LifeOptions {
  /**
   * When clients should start to move. It can be in the past or in the future. It's sent as the
   * `Deprecation` header (RFC 9745).
   */
  readonly deprecated?: Instant
  /**
   * When it ends. It's sent as the `Sunset` header (RFC 8594). From then on, requests get a 410
   * response.
   */
  readonly sunset?: Instant
  /**
   * The URL of a page that explains how to move. It's sent as `Link` with `rel="deprecation"` and
   * `rel="sunset"`.
   */
  readonly docs?: string
  /** The version to move to. The 410 response mentions it. */
  readonly successor?: number
  /**
   * Rehearsals of the end: windows `[from, to)` in which requests get a 410 response with
   * `Retry-After`.
   */
  readonly brownouts?: readonly (readonly [from: Instant, to: Instant])[]
  /**
   * What happens after the sunset. `'serve'` only announces it, and requests are still served.
   *
   * @default 'gone'
   */
  readonly retire?: 'gone' | 'serve'
}

/** The names of the {@link LifeOptions}. */
export const lifeOptions = [
  'deprecated',
  'sunset',
  'docs',
  'successor',
  'brownouts',
  'retire',
] as const

/** A stretch of time, in milliseconds since 1970. It ends right before `until`. */
export interface Span {
  readonly from: number
  /** Infinity if it never ends. */
  readonly until: number
}

/** A version's or route's {@link LifeOptions}, resolved. Times are milliseconds since 1970. */
export interface Life {
  readonly deprecated: number | null
  readonly sunset: number | null
  readonly docs: string | null
  readonly successor: number | null
  readonly retire: 'gone' | 'serve' | null
  /**
   * When requests are rejected: in brownouts, and from the sunset on. They're sorted by start.
   * Brownouts don't overlap each other.
   */
  readonly outages: readonly Span[]
  /** When the first outage starts. Infinity if there's none. */
  readonly firstOutage: number
  /** `Deprecation`, `Sunset` and `Link`, as every response carries them. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads a node's dates.
 *
 * @returns null if it has none
 * @throws RouterError HV_DATE, HV_SUNSET, HV_BROWNOUT
 */
export function readLife(options: LifeOptions, where: string): Life | null {
  if (!lifeOptions.some((option) => options[option] !== undefined)) return null
  const { docs = null, successor = null, brownouts = [], retire = null } = options
  const read = (option: 'deprecated' | 'sunset'): number | null =>
    options[option] === undefined ? null : readInstant(options[option], option, where)
  const deprecated = read('deprecated')
  const sunset = read('sunset')
  const spans = brownouts.map((window): Span => {
    const from = readInstant(window[0], 'brownouts', where)
    const until = readInstant(window[1], 'brownouts', where)
    const brownoutError = (reason: 'no-time' | 'too-early' | 'too-late', limit = from) =>
      new RouterError('HV_BROWNOUT', {
        where,
        from: isoOf(from),
        to: isoOf(until),
        limit: isoOf(limit),
        reason,
      })
    if (from >= until) throw brownoutError('no-time')
    if (deprecated !== null && from < deprecated) throw brownoutError('too-early', deprecated)
    if (sunset !== null && until > sunset) throw brownoutError('too-late', sunset)
    return { from, until }
  })
  const isEnforced = sunset !== null && retire !== 'serve'
  const outages = [...(isEnforced ? [{ from: sunset, until: Infinity }] : []), ...spans]
  return createLife({ deprecated, sunset, docs, successor, retire, outages }, where)
}

/**
 * Adds a node's life to that of everything around the node. If both have a date, the earlier one
 * applies. If both have one of the other options, the inner node's does.
 *
 * @throws RouterError HV_SUNSET if the resulting sunset is before the resulting deprecation
 */
export function joinLives(outer: Life | null, inner: Life | null, where: string): Life | null {
  if (outer === null || inner === null) return inner ?? outer
  const retire = inner.retire ?? outer.retire
  // Everything inside the outer node ends with it, but what the outer node goes on serving only ends
  // if the inner node says so.
  const inside = inner.outages.filter(({ until }) => retire !== 'serve' || until < Infinity)
  return createLife(
    {
      deprecated: earlier(outer.deprecated, inner.deprecated),
      sunset: earlier(outer.sunset, inner.sunset),
      docs: inner.docs ?? outer.docs,
      successor: inner.successor ?? outer.successor,
      retire,
      outages: [...outer.outages, ...inside],
    },
    where,
  )
}

/** Returns the outage at a time: after the sunset or in a brownout. Null if requests are served. */
export const outageAt = (life: Life | null, time: number): Span | null =>
  life !== null && time >= life.firstOutage
    ? (life.outages.findLast(({ from, until }) => from <= time && time < until) ?? null)
    : null

/** `2027-07-01T00:00:00Z` (RFC 3339). */
export const isoOf = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '')

/**
 * `Thu, 01 Jul 2027 00:00:00 GMT`, an IMF-fixdate (RFC 9110, section 5.6.7). ECMAScript specifies
 * that `toUTCString` returns one.
 */
export const httpDateOf = (time: number): string => new Date(time).toUTCString()

function createLife(life: Omit<Life, 'firstOutage' | 'headers'>, where: string): Life {
  const { deprecated, sunset, docs } = life
  if (deprecated !== null && sunset !== null && sunset < deprecated)
    throw new RouterError('HV_SUNSET', {
      where,
      deprecated: isoOf(deprecated),
      sunset: isoOf(sunset),
    })
  const outages = joinBrownouts(life.outages)
  const headers: Life['headers'][number][] = []
  if (deprecated !== null) headers.push(['deprecation', `@${Math.floor(deprecated / 1000)}`])
  if (sunset !== null) headers.push(['sunset', httpDateOf(sunset)])
  if (docs !== null) {
    const linkTo = (relation: string) => `<${docs}>; rel="${relation}"; type="text/html"`
    // A page without a date also announces a deprecation (RFC 9745, section 3.1).
    const links = deprecated !== null || sunset === null ? [linkTo('deprecation')] : []
    if (sunset !== null) links.push(linkTo('sunset'))
    headers.push(['link', links.join(', ')])
  }
  const firstOutage = outages[0]?.from ?? Infinity
  return frozen<Life>({ ...life, outages, firstOutage, headers })
}

/** Joins brownouts that overlap or touch, because requests are only served after the last one. */
const joinBrownouts = (spans: readonly Span[]): readonly Span[] =>
  spans
    .toSorted((a, b) => a.from - b.from)
    .reduce<readonly Span[]>((joined, span) => {
      const last = joined.at(-1)
      return last === undefined || span.from > last.until || span.until === Infinity
        ? [...joined, span]
        : [...joined.slice(0, -1), { from: last.from, until: Math.max(last.until, span.until) }]
    }, [])

/** Without this check, an impossible day or a time without a zone would become a different time. */
function readInstant(received: Instant, option: string, where: string): number {
  const time = isInstant(received) ? Date.parse(received.toUpperCase()) : Number.NaN
  if (!(time >= year0 && time < year10000))
    throw new RouterError('HV_DATE', { where, option, received })
  return time
}

const year0 = Date.parse('0000-01-01')
const year10000 = Date.parse('+010000-01-01')

const instant =
  /^\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i

/** Nodes contain dates as text, see `frozen`. */
function isInstant(text: unknown): text is string {
  if (typeof text !== 'string' || !instant.test(text)) return false
  const day = text.slice(0, 10)
  return new Date(day).toJSON()?.startsWith(day) === true // 30 February would become 2 March
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
