import type { Api } from '../compile/api.ts'
import { type Life, type Span, outageAt } from '../declare/life.ts'
import { frozen } from '../declare/nodes.ts'
import type { Settings } from '../declare/settings.ts'

/** A span in which no version's outage starts or ends, and the versions' state in it. */
export interface Period extends Span {
  /**
   * The versions that are neither retired nor previews, lowest first. A version in a brownout is
   * still supported.
   */
  readonly supported: readonly number[]
  readonly retired: readonly number[]
}

/** A request's time. */
export type Clock = ReturnType<typeof createClock>

/** A time before every outage. */
export const beforeAll = -Infinity

const hasOutages = (life: Life | null): boolean => life !== null && life.firstOutage < Infinity

/** Creates a matcher's clock. It reads the time at most once per request. */
export function createClock({ settings, table }: Api, now: () => number = () => Date.now()) {
  /**
   * Whether any version or route has outages. If none has, the clock is never read, and the time is
   * {@link beforeAll}.
   */
  const isNeeded =
    settings.lives.some(hasOutages) ||
    table.some(({ routes }) => routes.some(({ lives }) => lives.some(hasOutages)))
  const periodAt = createCalendar(settings)
  let time = Number.NaN // not read yet
  return { isNeeded, start, time: timeNow, outageOf, period: () => periodAt(timeNow()) }

  /** Starts a request. The first call of another function will read the time again. */
  function start(): void {
    if (isNeeded) time = Number.NaN
  }

  function timeNow(): number {
    if (!isNeeded) return beforeAll
    if (Number.isNaN(time)) time = now()
    return time
  }

  /** Returns the outage at this time, or null if there's none. */
  function outageOf(life: Life | null): Span | null {
    return hasOutages(life) ? outageAt(life, timeNow()) : null
  }
}

/**
 * Creates the function that returns the period around a time. It keeps the last period until the
 * time leaves it, in either direction, because a clock can go back.
 */
function createCalendar({ versions, lives, previews }: Settings): (time: number) => Period {
  const boundaries: number[] = []
  for (const life of lives)
    for (const { from, until } of life?.outages ?? []) boundaries.push(from, until)
  let period: Period | undefined
  return (time) => {
    if (period === undefined || time < period.from || time >= period.until)
      period = createPeriod(time)
    return period
  }

  function createPeriod(time: number): Period {
    const outages = lives.map((life) => outageAt(life, time))
    const retired = versions.filter((_version, index) => outages[index]?.until === Infinity)
    const supported = versions.filter(
      (version) => !retired.includes(version) && !previews.includes(version),
    )
    return {
      from: Math.max(...boundaries.filter((boundary) => boundary <= time)),
      until: Math.min(...boundaries.filter((boundary) => boundary > time)),
      supported: frozen(supported),
      retired: frozen(retired),
    }
  }
}
