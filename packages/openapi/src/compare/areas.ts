// Lists the gaps of areas, as they are seen from the areas that lead to them: each once, over as few references as possible.
import type { Gap } from './value-gaps.ts'

/** The gaps between a pair and the next references, and what they lead to. */
export interface Area {
  readonly gaps: readonly Gap[]
  readonly exits: Exit[]
  /** The areas that have an exit to this one. */
  readonly users: Area[]
}

/** Where the next area is, and what to say of its gaps. */
export interface Exit {
  readonly area: Area
  readonly at: string
  readonly suffix: string
  readonly judged: boolean
}

/** Reads all that an area leads to, the nearest first. */
export function gapsFrom(start: Area): readonly Gap[] {
  const last = new Map<Area, readonly [from: Area, exit: Exit] | null>([[start, null]])
  // The map grows while it is read.
  for (const [from] of last) for (const exit of from.exits) if (!last.has(exit.area)) last.set(exit.area, [from, exit])
  return [...last.keys()].flatMap((area) => {
    const way: Exit[] = []
    if (area.gaps.length > 0) for (let step = last.get(area); step; step = last.get(step[0])) way.push(step[1])
    return gapsAt(area, way.toReversed())
  })
}

/**
 * The same for several areas. Reads all that leads to each gap, which is less work when few gaps are seen from many areas.
 *
 * @param targets - the areas with gaps
 */
export function gapsFromAll(starts: readonly Area[], targets: readonly Area[]): readonly (readonly Gap[])[] {
  const seen = starts.map((): (readonly [hops: number, gaps: readonly Gap[]])[] => [])
  for (const target of targets) {
    const hops = hopsTo(target)
    const exits = new Map<Area, Exit>()
    for (const [index, start] of starts.entries()) {
      const count = hops.get(start)
      if (count !== undefined) seen[index]!.push([count, gapsAt(target, wayFrom(start, hops, exits))])
    }
  }
  return seen.map((list) => list.toSorted(([a], [b]) => a - b).flatMap(([, gaps]) => gaps))
}

/** How many references are between the areas that lead to a target and itself. */
function hopsTo(target: Area): ReadonlyMap<Area, number> {
  const hops = new Map([[target, 0]])
  // The map grows while it is read.
  for (const [area, count] of hops) for (const user of area.users) if (!hops.has(user)) hops.set(user, count + 1)
  return hops
}

/** @param exits - those that are known already */
function wayFrom(start: Area, hops: ReadonlyMap<Area, number>, exits: Map<Area, Exit>): readonly Exit[] {
  const way: Exit[] = []
  let area = start
  for (let left = hops.get(start)! - 1; left >= 0; left--) {
    const exit = exits.get(area) ?? area.exits.find((one) => hops.get(one.area) === left)!
    exits.set(area, exit)
    way.push(exit)
    ;({ area } = exit)
  }
  return way
}

/** The gaps of an area at the end of a way. */
function gapsAt({ gaps }: Area, way: readonly Exit[]): readonly Gap[] {
  if (way.length === 0 || gaps.length === 0) return gaps
  const at = way.map((exit) => exit.at).join('')
  const suffix = way.findLast((exit) => exit.suffix !== '')?.suffix ?? ''
  const judged = way.every((exit) => exit.judged)
  return gaps.map((each) => ({ ...each, at: at + each.at, why: each.why + suffix, judged: judged && each.judged }))
}
