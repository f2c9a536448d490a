import type { Api } from '../compile/api.ts'
import { type Life, type Span, outageAt } from '../declare/life.ts'
import { frozen } from '../declare/nodes.ts'
import type { Settings } from '../declare/settings.ts'

/** A span in which no version opens or closes, and the state of the versions in it. */
export interface Period extends Span {
  /** The versions that are neither retired nor previews, lowest first. A brownout does not count. */
  readonly supported: readonly number[]
  readonly retired: readonly number[]
  /** The oldest version that is open, else the oldest in a brownout. Undefined when only retired versions and previews are left. */
  readonly oldest: number | undefined
}

/** The time of a request. */
export interface Clock {
  /** Whether a version or a route ends. If none does, the time is never read: it's {@link beforeAll}. */
  readonly isNeeded: boolean
  /** Starts a request: the time is read again when it is first asked for. */
  start(): void
  time(): number
  /** The span in which a life is closed at this time. Null when it is open. */
  outageOf(life: Life | null): Span | null
  period(): Period
}

/** A time before anything ends. */
export const beforeAll = -Infinity

export const canEnd = (life: Life | null): boolean => life !== null && life.closes < Infinity

/** Creates the clock of a matcher. It reads the time at most once per request. */
export function createClock({ settings, table }: Api, now: () => number = () => Date.now()): Clock {
  const isNeeded = settings.lives.some(canEnd) || table.some(({ routes }) => routes.some(({ life }) => canEnd(life)))
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
    return life === null || life.closes === Infinity ? null : outageAt(life, timeNow())
  }
}

/**
 * Creates the function that returns the period around a time. It computes a period again only when the time has crossed a
 * boundary, in either direction.
 */
function createCalendar({ versions, lives, previews }: Settings): (time: number) => Period {
  const boundaries: number[] = []
  for (const life of lives) for (const { from, until } of life?.closed ?? []) boundaries.push(from, until)
  let period: Period | undefined
  return (time) =>
    period !== undefined && time >= period.from && time < period.until ? period : (period = createPeriod(time))

  function createPeriod(time: number): Period {
    const closures = lives.map((life) => outageAt(life, time))
    const isRetired = (_: number, index: number): boolean => closures[index]?.until === Infinity
    const regular = (version: number): boolean => !previews.includes(version)
    const supported = versions.filter((version, index) => regular(version) && !isRetired(version, index))
    return {
      from: Math.max(...boundaries.filter((boundary) => boundary <= time)),
      until: Math.min(...boundaries.filter((boundary) => boundary > time)),
      supported: frozen(supported),
      retired: frozen(versions.filter(isRetired)),
      oldest: supported.find((version) => closures[versions.indexOf(version)] === null) ?? supported[0],
    }
  }
}
