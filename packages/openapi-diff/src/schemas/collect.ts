// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import type { Budget } from '../budget.ts'
import type { Gap } from './gap.ts'
import type { Home } from './home.ts'
import type { Look } from './look.ts'
import type { Pair, Part } from './pair.ts'

/**
 * What's between a pair and the next references: its gaps, and the steps from other areas that lead
 * to it.
 */
interface Area {
  readonly gaps: Gap[]
  readonly entries: { readonly at: string; readonly from: Area }[]
}

/** An inline schema may stand in many places of a component. */
const mostPlaces = 200

/**
 * Lists the gaps of pairs and of everything that they depend on, the nearest first. A reference's
 * gaps are listed once per pair, at the shortest path. Many pairs may lead to few gaps, so the
 * paths are walked from their ends.
 *
 * @param look - null for a pair about which there's nothing to say
 */
export function collectGaps(
  roots: ReadonlySet<Pair>,
  look: (pair: Pair) => Look | null,
  homeOf: (pair: Pair) => Home | null,
  budget: Budget,
): ReadonlyMap<Pair, readonly Gap[]> {
  const areas = new Map<Pair, Area>()
  const starts = [...roots].map((root) => {
    const area: Area = { gaps: [], entries: [] }
    explore(area, root, null)
    const reached: { readonly hops: number; readonly gaps: readonly Gap[] }[] = []
    return { root, area, reached }
  })
  // The map grows while it's read.
  for (const [pair, area] of areas) explore(area, pair, homeOf(pair))

  for (const target of [...starts.map(({ area }) => area), ...areas.values()]) {
    if (target.gaps.length === 0) continue
    // The areas that lead to the target, over as few references as possible.
    const visits = new Map([[target, { hops: 0, way: '' }]])
    for (const [area, { hops, way }] of visits)
      for (const { at, from } of area.entries)
        if (!visits.has(from)) visits.set(from, { hops: hops + 1, way: at + way })
    budget.spend(visits.size / 16)
    for (const { area, reached } of starts) {
      const visit = visits.get(area)
      if (visit === undefined) continue
      budget.spend(target.gaps.length * 10)
      const gaps = target.gaps.map((inner) => ({ ...inner, at: visit.way + inner.at }))
      reached.push({ hops: visit.hops, gaps })
    }
  }
  return new Map(
    starts.map(({ root, reached }) => {
      const sorted = reached.toSorted((a, b) => a.hops - b.hops)
      return [root, sorted.flatMap(({ gaps }) => gaps)]
    }),
  )

  /** Reads a pair and its parts up to the next references, where other areas start. */
  function explore(area: Area, start: Pair, home: Home | null): void {
    const known = new Map<Pair, Set<string>>()
    const queue: Part[] = []
    const first = { at: '', pair: start }
    if (home === null) enter(first)
    else queue.push(first)
    for (const part of queue) {
      const { gaps, parts } = look(part.pair)!
      const isReplaced = part.pair === start && home?.isSame === false
      for (const gap of gaps) if (!isReplaced || gap.at !== '') report(gap, part)
      for (const { at, pair } of parts) enter({ pair, at: part.at + at })
    }

    function enter(part: Part): void {
      const { at, pair } = part
      const seen = look(pair)
      if (seen === null) return
      const inner = homeOf(pair)
      if (inner === null) {
        const places = known.get(pair) ?? new Set()
        known.set(pair, places)
        // A recursion without references of both documents would lead here for ever.
        const outer = [...places].filter((place) => `${at}/`.startsWith(`${place}/`))
        if (places.has(at) || outer.length > 1 || places.size === mostPlaces) return
        places.add(at)
        queue.push(part)
        return
      }
      // What took a component's place changed what's around it.
      if (!inner.isSame) for (const gap of seen.gaps) if (gap.at === '') report(gap, part)
      const next = areas.get(pair) ?? { gaps: [], entries: [] }
      areas.set(pair, next)
      next.entries.push({ at, from: area })
    }

    function report(gap: Gap, part: Part): void {
      const placed = { ...gap, at: part.at + gap.at }
      area.gaps.push({ ...placed, component: home && home.componentOf(placed) })
    }
  }
}
