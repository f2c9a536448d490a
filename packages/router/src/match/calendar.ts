import { type Span, closureAt } from '../declare/life.ts'
import { frozen } from '../declare/nodes.ts'
import type { Settings } from '../declare/settings.ts'

/** A span in which no version opens or closes, and the state of the versions in it. */
export interface Period extends Span {
  /** By version index: the span in which the version is closed. Null when it is open. */
  readonly closures: readonly (Span | null)[]
  /** The versions that are neither retired nor previews, lowest first. A brownout does not count. */
  readonly supported: readonly number[]
  readonly retired: readonly number[]
  /** The oldest version that is open, else the oldest in a brownout. Undefined when only retired versions and previews are left. */
  readonly oldest: number | undefined
}

/**
 * Creates the function that returns the period around a time. It computes a period again only when the time has crossed a
 * boundary, in either direction.
 */
export function createCalendar({ versions, lives, previews }: Settings): (time: number) => Period {
  const boundaries: number[] = []
  for (const life of lives) for (const { from, until } of life?.closed ?? []) boundaries.push(from, until)
  let period: Period | undefined
  return (time) =>
    period !== undefined && time >= period.from && time < period.until ? period : (period = createPeriod(time))

  function createPeriod(time: number): Period {
    const closures = lives.map((life) => closureAt(life, time))
    const isRetired = (_: number, index: number): boolean => closures[index]?.until === Infinity
    const regular = (version: number): boolean => !previews.includes(version)
    const supported = versions.filter((version, index) => regular(version) && !isRetired(version, index))
    return {
      from: Math.max(...boundaries.filter((boundary) => boundary <= time)),
      until: Math.min(...boundaries.filter((boundary) => boundary > time)),
      closures,
      supported: frozen(supported),
      retired: frozen(versions.filter(isRetired)),
      oldest: supported.find((version) => closures[versions.indexOf(version)] === null) ?? supported[0],
    }
  }
}
