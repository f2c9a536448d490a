import type { Api } from '../compile/api.ts'
import { type Life, type Span, outageAt } from '../declare/life.ts'

/** The versions' state at a request's time. */
export interface VersionStates {
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
  const { versions, previews, lives } = settings
  /**
   * Whether any version or route has outages. If none has, the clock is never read, and the time is
   * {@link beforeAll}.
   */
  const isNeeded =
    lives.some(hasOutages) ||
    table.some(({ routes }) => routes.some((route) => route.lives.some(hasOutages)))
  let time = Number.NaN // not read yet
  const unchanging = isNeeded ? null : readStates()

  return {
    isNeeded,
    start,
    time: timeNow,
    outageOf,
    versionStates: () => unchanging ?? readStates(),
  }

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

  function readStates(): VersionStates {
    const supported: number[] = []
    const retired: number[] = []
    for (const [index, version] of versions.entries())
      if (outageOf(lives[index]!)?.until === Infinity) retired.push(version)
      else if (!previews.includes(version)) supported.push(version)
    return { supported: Object.freeze(supported), retired: Object.freeze(retired) }
  }
}
