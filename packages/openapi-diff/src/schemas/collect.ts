// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import type { Budget } from '../budget.ts'
import type { Gap } from './gap.ts'
import type { Home } from './home.ts'
import { memoized } from './intern.ts'
import { type Step, lookAt, stepTo } from './look.ts'
import type { Sides } from './sides.ts'
import type { Pair } from './solve.ts'

/**
 * What's between a pair and the next references: its gaps, and the steps from other areas that lead
 * to it.
 */
interface Area {
  readonly gaps: Gap[]
  readonly entries: { readonly at: string; readonly from: Area }[]
}

/** An area from which a target is reached. */
interface Visit {
  readonly hops: number
  /** The path to the next visit, which is nearer to the target. */
  readonly at: string
  readonly next: Visit | null
}

/**
 * Lists the gaps of pairs and of everything that they depend on, the nearest first. A reference's
 * gaps are listed once per pair, at the shortest path. Many pairs may lead to few gaps, so the
 * paths are walked from their ends.
 *
 * @param decide - decides a pair, as in `solve.ts`
 */
export function collectGaps(
  roots: readonly Pair[],
  decide: (pair: Pair) => boolean,
  { direction, homeOf, causeOf }: Sides,
  budget: Budget,
): readonly (readonly Gap[])[] {
  const look = memoized((pair) => lookAt(pair as Pair, decide, direction))
  const areas = new Map<Pair, Area>()
  const starts = roots.map((root) => {
    const area: Area = { gaps: [], entries: [] }
    explore(area, root, null)
    return area
  })
  // The map grows while it's read.
  for (const [pair, area] of areas) explore(area, pair, homeOf(pair)!)

  const results = roots.map((): { readonly visit: Visit; readonly gaps: readonly Gap[] }[] => [])
  for (const target of [...starts, ...areas.values()]) {
    const { gaps } = target
    if (gaps.length === 0) continue
    const visits = visitsTo(target)
    budget.spend(visits.size / 16)
    for (const [index, start] of starts.entries()) {
      const visit = visits.get(start)
      if (visit === undefined) continue
      budget.spend(gaps.length * 10)
      results[index]!.push({ visit, gaps })
    }
  }
  return results.map((reached) =>
    reached
      .toSorted((a, b) => a.visit.hops - b.visit.hops)
      .flatMap(({ visit, gaps }) => gapsAfter(visit, gaps)),
  )

  /** Reads a pair and its parts up to the next references, where other areas start. */
  function explore(area: Area, start: Pair, home: Home | null): void {
    const seen = new Map<Pair, Set<string>>()
    const queue: Step[] = []
    if (home === null) enter(stepTo(start))
    else queue.push(stepTo(start))
    for (const step of queue) {
      const { gaps, steps } = look(step.pair)
      const isReplaced = step.pair === start && home?.isSame === false
      for (const pairGap of gaps) if (!isReplaced || pairGap.at !== '') report(pairGap, step)
      for (const { at, pair } of steps) enter({ pair, at: step.at + at })
    }

    function enter(step: Step): void {
      const { pair } = step
      decide(pair)
      if (!pair.fails && !pair.hasNote) return
      const inner = homeOf(pair)
      if (inner !== null) {
        // What took a component's place changed what's around it.
        if (!inner.isSame)
          for (const pairGap of look(pair).gaps) if (pairGap.at === '') report(pairGap, step)
        const next = areas.get(pair) ?? { gaps: [], entries: [] }
        areas.set(pair, next)
        next.entries.push({ at: step.at, from: area })
        return
      }
      const places = seen.get(pair) ?? new Set()
      if (!places.has(step.at)) queue.push(step)
      seen.set(pair, places.add(step.at))
    }

    function report(pairGap: Gap, { at }: Step): void {
      const seen = { ...pairGap, at: at + pairGap.at }
      area.gaps.push({ ...seen, component: home === null ? null : causeOf(home, seen) })
    }
  }
}

/** The areas that lead to a target, over as few references as possible. */
function visitsTo(target: Area): ReadonlyMap<Area, Visit> {
  const visits = new Map<Area, Visit>([[target, { hops: 0, at: '', next: null }]])
  // The map grows while it's read.
  for (const [area, visit] of visits)
    for (const { at, from } of area.entries)
      if (!visits.has(from)) visits.set(from, { hops: visit.hops + 1, at, next: visit })
  return visits
}

function gapsAfter({ at, next }: Visit, gaps: readonly Gap[]): readonly Gap[] {
  let way = at
  for (let visit = next; visit !== null; visit = visit.next) way += visit.at
  return gaps.map((inner) => ({ ...inner, at: way + inner.at }))
}
