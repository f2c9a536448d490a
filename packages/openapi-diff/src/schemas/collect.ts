// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import type { Budget } from '../budget.ts'
import type { Gap, Pair, Rule } from './gap.ts'
import type { Home } from './home.ts'

/**
 * A pair and its parts, up to the next references: their gaps, and the steps that lead here from
 * other areas.
 */
interface Area {
  readonly gaps: Gap[]
  readonly entries: { readonly at: string; readonly from: Area }[]
}

/** A pair in an area. */
interface Visit {
  readonly pair: Pair
  readonly at: string
  /**
   * Whether it has taken a component's place. If so, only gaps of the whole value belong to the
   * area.
   */
  readonly isOutside: boolean
}

/** The places in one component where an inline schema is looked at. */
const maxPlaces = 200

/**
 * Lists the gaps of pairs and of everything that they depend on, the nearest first. A reference's
 * gaps are listed once per pair, at the shortest path. The paths are walked backwards, from the
 * gaps, because many pairs may lead to few gaps.
 *
 * @param look - reads a pair's gaps and parts. Null if there's nothing to report
 */
export function collectGaps(
  roots: ReadonlySet<Pair>,
  look: (pair: Pair) => Rule | null,
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
    // The areas that lead to the target, each over as few references as possible.
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
  function explore(area: Area, start: Pair, home: Home | null) {
    const placesByPair = new Map<Pair, Set<string>>()
    const queue: Visit[] = []
    if (home === null) enter(start, '', false)
    else queue.push({ pair: start, at: '', isOutside: false })
    for (const { pair, at, isOutside } of queue) {
      const { gaps, parts } = look(pair)!
      for (const gap of gaps) if (!isOutside || gap.at === '') report({ ...gap, at: at + gap.at })
      for (const part of parts)
        if (!isOutside || part.at === '') enter(part.pair, at + part.at, isOutside)
    }

    function enter(pair: Pair, at: string, isOutside: boolean) {
      if (look(pair) === null) return
      const inner = homeOf(pair)
      if (inner !== null) {
        const next = areas.get(pair) ?? { gaps: [], entries: [] }
        areas.set(pair, next)
        next.entries.push({ at, from: area })
        if (inner.isSame) return
      }
      const places = placesByPair.get(pair) ?? new Set()
      placesByPair.set(pair, places)
      // A recursion that isn't through a reference of both documents would never end.
      const outer = [...places].filter((place) => `${at}/`.startsWith(`${place}/`))
      if (places.has(at) || outer.length > 1 || places.size === maxPlaces) return
      places.add(at)
      queue.push({ pair, at, isOutside: isOutside || inner !== null })
    }

    function report(gap: Gap) {
      // If something else has taken a component's place, the change is in the schema around it.
      if (home?.isSame === false && gap.at === '') return
      area.gaps.push({ ...gap, component: home && home.componentOf(gap) })
    }
  }
}
