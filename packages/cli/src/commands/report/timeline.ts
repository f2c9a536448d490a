import type { Life } from '@hv/router'
import { dateOf } from '../../route-file/lives.ts'
import type { VersionLife } from '../../route-file/route-file.ts'

/** The parts of a version's bar. */
export const kinds = ['live', 'preview', 'deprecated', 'brownout', 'retired'] as const

/** A part of a version's bar. `left` and `width` are percentages. */
export interface Part {
  readonly kind: (typeof kinds)[number]
  readonly left: number
  readonly width: number
}

const day = 86_400_000

/** Puts the dates of all versions on one scale, with some room before the first and after the last. Positions are percentages. */
export function createTimeline(lives: readonly VersionLife[], now: number) {
  const dates = lives.flatMap(({ life }) => [
    life?.deprecated ?? now,
    life?.sunset ?? now,
    ...brownoutsOf(life).map(({ until }) => until),
  ])
  const [first, last] = [Math.min(now, ...dates), Math.max(now, ...dates)]
  const room = Math.max(30 * day, (last - first) / 8)
  const [from, length] = [first - room, last - first + 2 * room]
  const at = (time: number): number => Math.min(100, Math.max(0, ((time - from) / length) * 100))
  const part = (kind: Part['kind'], start: number, end: number): readonly Part[] =>
    start < end ? [{ kind, left: at(start), width: at(end) - at(start) }] : []
  return {
    today: at(now),
    ticks: [10, 36, 63, 90].map((left) => ({
      label: dateOf(from + (length * left) / 100).slice(0, 10),
      left,
    })),
    partsOf({ life, isPreview }: VersionLife): readonly Part[] {
      const end = life?.outages.find(({ until }) => until === Infinity)?.from ?? Infinity
      const deprecated = Math.min(life?.deprecated ?? end, end)
      return [
        ...part(isPreview ? 'preview' : 'live', -Infinity, deprecated),
        ...part('deprecated', deprecated, end),
        ...brownoutsOf(life).flatMap((window) => part('brownout', window.from, window.until)),
        ...part('retired', end, Infinity),
      ]
    },
  }
}

/** The outages before the sunset. */
export const brownoutsOf = (life: Life | null): Life['outages'] =>
  life?.outages.filter(({ until }) => until < Infinity) ?? []
