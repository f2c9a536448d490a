// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import { type Area, type Way, along, gapsFrom, gapsFromAll, noWay } from './areas.ts'
import { isObject, listOf } from '../json.ts'
import { type Choice, type Pair, noRule } from './solve.ts'
import { type Gap, gap } from './gap.ts'

/** A pair that may have gaps, and the way to it. */
interface Step extends Way {
  readonly pair: Pair
}

/**
 * Creates the function that lists the gaps of pairs and of everything they depend on. A reference's gaps are listed once per
 * pair, at the shortest path.
 *
 * @param decide - decides a pair, as in `solve.ts`
 */
export function createCollect(
  decide: (pair: Pair) => boolean,
): (roots: readonly Pair[]) => readonly (readonly Gap[])[] {
  const areas = new Map<Pair, Area>()
  return (roots) => {
    const starts = roots.map(areaOf)
    const targets = [...areas.values()].filter(({ gaps }) => gaps.length > 0)
    return starts.length < targets.length ? starts.map(gapsFrom) : gapsFromAll(starts, targets)
  }

  /** Explores a pair and everything that it leads to. */
  function areaOf(root: Pair): Area {
    const entered: (readonly [Pair, Area])[] = []
    const first = enter(root)
    // The list grows while it's read.
    for (const [pair, area] of entered) {
      const { gaps, steps } = explore(pair, decide)
      area.gaps.push(...gaps)
      for (const step of steps) {
        const exit = { ...step, area: enter(step.pair) }
        area.exits.push(exit)
        exit.area.users.push(area)
      }
    }
    return first

    function enter(pair: Pair): Area {
      const explored = areas.get(pair)
      if (explored !== undefined) return explored
      const area: Area = { gaps: [], exits: [], users: [] }
      areas.set(pair, area)
      entered.push([pair, area])
      return area
    }
  }
}

/** Reads a pair and its parts up to the next references. */
function explore(
  start: Pair,
  decide: (pair: Pair) => boolean,
): { readonly gaps: readonly Gap[]; readonly steps: readonly Step[] } {
  const gaps: Gap[] = []
  const steps: Step[] = []
  const component = componentOf(start)
  const queue: Step[] = [{ ...noWay, pair: start }]
  for (const step of queue) {
    decide(step.pair)
    const { gaps: pairGaps, parts, choices } = step.pair.rule!
    for (const pairGap of pairGaps) report(pairGap, step)
    for (const { at, pair } of parts) enter(pair, { ...step, at: step.at + at })
    for (const choice of choices) choose(choice, step)
  }
  return { gaps, steps }

  function report(pairGap: Gap, step: Step): void {
    const seen = along(step, pairGap)
    gaps.push({ ...seen, component: component === null ? null : component + seen.at })
  }

  function choose({ candidates, isSpelledOut, isCounterpart }: Choice, step: Step): void {
    const fitting = candidates.findIndex(decide)
    if (candidates.length === 0) report(gap('matches nothing'), step)
    else if (fitting < 0) {
      const nearest = nearestOf(isSpelledOut ? candidates.slice(0, -1) : candidates)
      enter(nearest, { ...step, suffix: ', and no other alternative matches' })
    } else if (fitting === 0 || !isCounterpart) enter(candidates[fitting]!, step)
    else
      enter(candidates[0]!, {
        ...step,
        suffix: '; only another alternative still matches',
        judged: false,
      })
  }

  function enter(pair: Pair, way: Way): void {
    decide(pair)
    if (pair.fails || pair.hasNote)
      (componentOf(pair) === null ? queue : steps).push({ ...way, pair })
  }
}

/** The candidate with the fewest differences, else the first. */
const nearestOf = (candidates: readonly Pair[]): Pair =>
  candidates.toSorted((a, b) => differencesIn(a) - differencesIn(b))[0]!

/** Objects with common properties differ little. An alternative that's a union differs as much as its nearest alternative. */
function differencesIn({ rule }: Pair, isInner = false): number {
  const { gaps, parts, choices } = rule ?? noRule
  const changed = parts.filter(({ pair }) => pair.sent !== pair.read).length
  const differences = gaps.length + (parts.length > 0 ? changed : 1e6)
  const candidates = isInner ? [] : choices.flatMap((choice) => choice.candidates)
  return Math.min(differences, ...candidates.map((pair) => differencesIn(pair, true)))
}

const componentOf = ({ sent, read }: Pair): string | null => namedIn(sent) ?? namedIn(read)

/** The name of the component that a schema refers to, by itself or as an alternative of a union. */
function namedIn(schema: unknown): string | null {
  if (!isObject(schema)) return null
  const { $ref, allOf } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  for (const part of listOf(allOf)) {
    const name = namedIn(part)
    if (name !== null) return name
  }
  return null
}
