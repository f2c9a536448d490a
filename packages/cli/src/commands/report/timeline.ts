import type { Life } from '@hv/router'
import { type State, type VersionLife, dateOf, endOf } from '../../route-file/lives.ts'

/** What a part of a version's bar means. */
export const kinds: readonly State[] = ['live', 'preview', 'deprecated', 'brownout', 'retired']

/** A part of a version's bar. `left` and `width` are percentages of the whole timeline. */
export interface Part {
  readonly kind: State
  readonly left: number
  readonly width: number
}

const day = 86_400_000

/** Puts all versions' dates on one scale, with room at both ends. Positions are percentages. */
export function createTimeline(lives: readonly VersionLife[], now: number) {
  const dates = lives.flatMap(({ life }) => [
    life?.deprecated ?? now,
    life?.sunset ?? now,
    ...brownoutsOf(life).map(({ until }) => until),
  ])
  const first = Math.min(now, ...dates)
  const last = Math.max(now, ...dates)
  const room = Math.max(30 * day, (last - first) / 8)
  const start = first - room
  const length = last - first + 2 * room

  const positionOf = (time: number) => Math.min(100, Math.max(0, ((time - start) / length) * 100))
  const part = (kind: State, from: number, until: number): readonly Part[] => {
    const left = positionOf(from)
    return from < until ? [{ kind, left, width: positionOf(until) - left }] : []
  }
  const partsOf = ({ life, isPreview }: VersionLife): readonly Part[] => {
    const end = endOf(life)
    const deprecated = Math.min(life?.deprecated ?? end, end)
    return [
      ...part(isPreview ? 'preview' : 'live', -Infinity, deprecated),
      ...part('deprecated', deprecated, end),
      ...brownoutsOf(life).flatMap(({ from, until }) => part('brownout', from, until)),
      ...part('retired', end, Infinity),
    ]
  }
  const ticks = [10, 36, 63, 90].map((left) => ({
    label: dateOf(start + (length * left) / 100).slice(0, 10),
    left,
  }))
  return { today: positionOf(now), ticks, partsOf }
}

/** The outages before the sunset. */
export const brownoutsOf = (life: Life | null): Life['outages'] =>
  life?.outages.filter(({ until }) => until < Infinity) ?? []
