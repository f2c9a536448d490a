import { type Span, closureAt } from '../declare/life.ts'
import { frozen } from '../declare/nodes.ts'
import type { Settings } from '../declare/settings.ts'

/** What holds of the versions until one of them opens or closes. */
export interface Day extends Span {
  /** By version index: the span in which the version is closed. Null when it is open. */
  readonly closures: readonly (Span | null)[]
  /** The versions that are neither retired nor previews, lowest first. A brownout does not count. */
  readonly supported: readonly number[]
  readonly retired: readonly number[]
  /** The oldest version that is open, else the oldest in a brownout. Undefined when only retired versions and previews are left. */
  readonly oldest: number | undefined
}

/**
 * Creates the function that says which versions are open at a time. It computes the lists again only when the time has
 * crossed a boundary, in either direction.
 */
export function createCalendar({ versions, lives, previews }: Settings): (time: number) => Day {
  const turns: number[] = []
  for (const life of lives) for (const { from, until } of life?.closed ?? []) turns.push(from, until)
  let day: Day | undefined
  return (time) => (day !== undefined && time >= day.from && time < day.until ? day : (day = dayAt(time)))

  function dayAt(time: number): Day {
    const closures = lives.map((life) => closureAt(life, time))
    const isRetired = (_: number, index: number): boolean => closures[index]?.until === Infinity
    const regular = (version: number): boolean => !previews.includes(version)
    const supported = versions.filter((version, index) => regular(version) && !isRetired(version, index))
    return {
      from: Math.max(...turns.filter((turn) => turn <= time)),
      until: Math.min(...turns.filter((turn) => turn > time)),
      closures,
      supported: frozen(supported),
      retired: frozen(versions.filter(isRetired)),
      oldest: supported.find((version) => closures[versions.indexOf(version)] === null) ?? supported[0],
    }
  }
}
