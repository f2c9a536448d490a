import type { Api } from '../compile/api.ts'
import { type Life, type Span, outageAt } from '../declare/life.ts'
import { frozen } from '../declare/nodes.ts'
import type { Settings } from '../declare/settings.ts'

/** A span in which no outage of a version starts or ends, and the state of the versions in it. */
export interface Period extends Span {
  /** The versions that are neither retired nor previews, lowest first. A brownout does not count. */
  readonly supported: readonly number[]
  readonly retired: readonly number[]
}

/** The time of a request. */
export interface Clock {
  /** Whether a version or a route has outages. If none has, the time is never read: it's {@link beforeAll}. */
  readonly isNeeded: boolean
  /** Starts a request: the time is read again when it is first asked for. */
  start(): void
  time(): number
  /** The outage at this time. Null when there is none. */
  outageOf(life: Life | null): Span | null
  period(): Period
}

/** A time before every outage. */
export const beforeAll = -Infinity

const hasOutages = (life: Life | null): boolean => life !== null && life.firstOutage < Infinity

/** Creates the clock of a matcher. It reads the time at most once per request. */
export function createClock({ settings, table }: Api, now: () => number = () => Date.now()): Clock {
  const isNeeded =
    settings.lives.some(hasOutages) ||
    table.some(({ routes }) => routes.some(({ life }) => hasOutages(life)))
  const periodAt = createCalendar(settings)
  let time = Number.NaN // not read yet
  return { isNeeded, start, time: timeNow, outageOf, period: () => periodAt(timeNow()) }

  function start(): void {
    if (isNeeded) time = Number.NaN
  }

  function timeNow(): number {
    if (!isNeeded) return beforeAll
    if (Number.isNaN(time)) time = now()
    return time
  }

  function outageOf(life: Life | null): Span | null {
    return life === null || life.firstOutage === Infinity ? null : outageAt(life, timeNow())
  }
}

/**
 * Creates the function that returns the period around a time. It computes a period again only when the time has crossed a
 * boundary, in either direction.
 */
function createCalendar({ versions, lives, previews }: Settings): (time: number) => Period {
  const boundaries: number[] = []
  for (const life of lives)
    for (const { from, until } of life?.outages ?? []) boundaries.push(from, until)
  let period: Period | undefined
  return (time) =>
    period !== undefined && time >= period.from && time < period.until
      ? period
      : (period = createPeriod(time))

  function createPeriod(time: number): Period {
    const outages = lives.map((life) => outageAt(life, time))
    const isRetired = (_: number, index: number): boolean => outages[index]?.until === Infinity
    const regular = (version: number): boolean => !previews.includes(version)
    const supported = versions.filter(
      (version, index) => regular(version) && !isRetired(version, index),
    )
    return {
      from: Math.max(...boundaries.filter((boundary) => boundary <= time)),
      until: Math.min(...boundaries.filter((boundary) => boundary > time)),
      supported: frozen(supported),
      retired: frozen(versions.filter(isRetired)),
    }
  }
}
