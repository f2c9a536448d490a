// Lists the gaps of areas, as they're seen from the areas that lead to them: each once, over as few references as possible.
import type { Gap } from './gap.ts'

/** The gaps between a pair and the next references, and what these lead to. */
export interface Area {
  readonly gaps: Gap[]
  readonly exits: Exit[]
  /** The areas that have an exit to this one. */
  readonly users: Area[]
}

/** What to say of gaps that are seen from further away. */
export interface Way {
  /** The path to them. */
  readonly at: string
  /** How the reason ends. */
  readonly suffix: string
  readonly isUnclear: boolean
  /** They're in a tag, which tells alternatives apart, so a new value is a new alternative. */
  readonly isTag: boolean
}

/** Where the next area is, and what to say of its gaps. */
interface Exit extends Way {
  readonly area: Area
}

export const noWay: Way = { at: '', suffix: '', isUnclear: false, isTag: false }

/** A gap at the end of a way. There are many of them, and objects with the same keys in the same order are fast. */
export const along = ({ at, suffix, isUnclear, isTag }: Way, gap: Gap): Gap => ({
  at: at + gap.at,
  why: gap.why.endsWith(suffix) ? gap.why : gap.why + suffix,
  isUnclear: isUnclear || gap.isUnclear,
  kind: isTag && gap.kind === 'new-value' ? undefined : gap.kind,
  isMinor: gap.isMinor,
  component: gap.component,
})

const join = (first: Way, next: Way): Way => ({
  at: first.at + next.at,
  suffix: next.suffix || first.suffix,
  isUnclear: first.isUnclear || next.isUnclear,
  isTag: first.isTag || next.isTag,
})

/** Lists all gaps that an area leads to, the nearest first. */
export function gapsFrom(start: Area): readonly Gap[] {
  const ways = new Map([[start, noWay]])
  // The map grows while it's read.
  for (const [area, way] of ways)
    for (const exit of area.exits) if (!ways.has(exit.area)) ways.set(exit.area, join(way, exit))
  return [...ways].flatMap(([area, way]) => gapsAt(area, way))
}

/**
 * The same for several areas. It walks back from each gap, which is less work when many areas lead to few gaps.
 *
 * @param targets - the areas with gaps
 */
export function gapsFromAll(
  starts: readonly Area[],
  targets: readonly Area[],
): readonly (readonly Gap[])[] {
  const seen = starts.map((): (readonly [hops: number, gaps: readonly Gap[]])[] => [])
  for (const target of targets) {
    const ways = waysTo(target)
    for (const [index, start] of starts.entries()) {
      const [hops, way] = ways.get(start) ?? []
      if (way !== undefined) seen[index]!.push([hops!, gapsAt(target, way)])
    }
  }
  return seen.map((list) => list.toSorted(([a], [b]) => a - b).flatMap(([, gaps]) => gaps))
}

/** The ways to a target from all areas that lead to it, over as few references as possible. Of several, the first. */
function waysTo(target: Area): ReadonlyMap<Area, readonly [hops: number, way: Way]> {
  const ways = new Map<Area, readonly [hops: number, way: Way]>([[target, [0, noWay]]])
  // The map grows while it's read.
  for (const [area, [hops]] of ways)
    for (const user of area.users)
      if (!ways.has(user)) {
        const exit = user.exits.find((candidate) => ways.get(candidate.area)?.[0] === hops)!
        ways.set(user, [hops + 1, join(exit, ways.get(exit.area)![1])])
      }
  return ways
}

const gapsAt = ({ gaps }: Area, way: Way): readonly Gap[] =>
  way === noWay ? gaps : gaps.map((gap) => along(way, gap))
