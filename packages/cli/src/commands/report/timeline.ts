import type { Life } from '@hv/router'
import { dateOf } from '../../route-file/lives.ts'
import type { VersionLife } from '../../route-file/route-file.ts'

/** A stretch of a version's bar. `left` and `width` are percentages. */
export interface Span {
  readonly kind: 'live' | 'preview' | 'deprecated' | 'brownout' | 'retired'
  readonly left: number
  readonly width: number
}

/** The dates of all versions on one scale. Positions are percentages. */
export interface Timeline {
  readonly today: number
  readonly ticks: readonly { readonly label: string; readonly left: number }[]
  /** By version, in the order in which they are drawn. */
  readonly spans: ReadonlyMap<number, readonly Span[]>
}

const day = 86_400_000

/** Puts the dates of the versions on a scale that has some room before the first and after the last. */
export function createTimeline(lives: readonly VersionLife[], now: number): Timeline {
  const dates = [now, ...lives.flatMap(({ life }) => datesOf(life))]
  const [first, last] = [Math.min(...dates), Math.max(...dates)]
  const room = Math.max(30 * day, (last - first) / 8)
  const [from, until] = [first - room, last + room]
  const at = (time: number): number => Math.min(100, Math.max(0, ((time - from) / (until - from)) * 100))
  const span = (kind: Span['kind'], start: number, end: number): readonly Span[] =>
    start < end ? [{ kind, left: at(start), width: at(end) - at(start) }] : []
  const spansOf = ({ life, isPreview }: VersionLife): readonly Span[] => {
    const closed = life?.closed ?? []
    const end = closed.find((window) => window.until === Infinity)?.from ?? Infinity
    const deprecated = Math.min(life?.deprecated ?? end, end)
    return [
      ...span(isPreview ? 'preview' : 'live', from, deprecated),
      ...span('deprecated', deprecated, end),
      ...brownoutsOf(life).flatMap((window) => span('brownout', window.from, window.until)),
      ...span('retired', end, Infinity),
    ]
  }
  return {
    today: at(now),
    ticks: ticksBetween(from, until).map((time) => ({ label: dateOf(time).slice(0, 7), left: at(time) })),
    spans: new Map(lives.map((version) => [version.number, spansOf(version)])),
  }
}

/** The windows of a life that end. */
export const brownoutsOf = (life: Life | null): Life['closed'] =>
  life?.closed.filter(({ until }) => until < Infinity) ?? []

const datesOf = (life: Life | null): readonly number[] =>
  [life?.deprecated, life?.sunset, ...brownoutsOf(life).flatMap(({ from, until }) => [from, until])].filter(
    (date) => typeof date === 'number',
  )

/** At most five first days of months, evenly spread. */
function ticksBetween(from: number, until: number): readonly number[] {
  const months = (until - from) / (30 * day)
  const step = [1, 2, 3, 6, 12].find((one) => months / one <= 5) ?? 12 * Math.ceil(months / 60)
  const start = new Date(from)
  const ticks: number[] = []
  for (let month = step > 11 ? 0 : start.getUTCMonth() - (start.getUTCMonth() % step); ; month += step) {
    const time = Date.UTC(start.getUTCFullYear(), month)
    if (time > until) return ticks
    if (time > from) ticks.push(time)
  }
}
