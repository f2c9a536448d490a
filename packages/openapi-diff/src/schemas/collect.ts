// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import { type Area, type Way, along, gapsFrom, gapsFromAll, noWay } from './areas.ts'
import { pointerTo } from '../json.ts'
import { refIn } from './reader.ts'
import type { Choice, Pair } from './solve.ts'
import { type Gap, componentAt } from './gap.ts'

/** A pair that may have gaps, and the way to it. */
interface Step extends Way {
  readonly pair: Pair
  /** The properties that tell the pair apart from a union's other alternatives. */
  readonly tags: readonly string[]
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
  const ref = refOf(start)
  const replaced = new Set<Pair>()
  const queue: Step[] = [{ ...noWay, pair: start, tags: [] }]
  for (const step of queue) {
    decide(step.pair)
    const { gaps: pairGaps, parts, choices, explain } = step.pair.rule!
    for (const pairGap of pairGaps) report(pairGap, step)
    for (const { at, pair } of parts) {
      const isTag = step.isTag || step.tags.some((name) => at === pointerTo([name]))
      // The alternatives of a union are told apart by the same tags.
      const tags = at === '' ? step.tags : []
      enter({ ...step, pair, at: step.at + at, isTag, tags })
    }
    const failed = choices.filter((choice) => !choose(choice, step))
    for (const explanation of failed.length > 0 ? explain!(failed) : [])
      if ('gap' in explanation) report(explanation.gap, step, true)
      else enter({ ...step, ...explanation, suffix: explanation.suffix || step.suffix })
  }
  return { gaps, steps }

  /** @param isOfUnion - it's about the alternative that the reference is */
  function report(pairGap: Gap, step: Step, isOfUnion = false): void {
    const seen = along(step, pairGap)
    // What took the place of something that's no reference hasn't changed itself.
    const isReplaced = seen.at === '' && refIn(start.read) === null && !isOfUnion
    const component = ref === null || isReplaced ? null : componentAt(ref, seen.at)
    gaps.push({ ...seen, component })
  }

  /** Whether a candidate fits. */
  function choose({ candidates, isCounterpart }: Choice, step: Step): boolean {
    let fitting = candidates.findIndex(decide)
    if (fitting < 0) return false
    // Of others that fit, the best is one without a note.
    if (fitting > 0 || !isCounterpart) {
      const perfect = candidates.findIndex((pair) => decide(pair) && !pair.hasNote)
      if (perfect >= 0) fitting = perfect
    }
    if (fitting === 0 || !isCounterpart) enter({ ...step, pair: candidates[fitting]! })
    else {
      const suffix = '; only another alternative still matches'
      enter({ ...step, pair: candidates[0]!, suffix, isUnclear: true })
    }
    return true
  }

  function enter(step: Step): void {
    const { pair } = step
    decide(pair)
    if (!pair.fails && !pair.hasNote) return
    if (refOf(pair) !== null) steps.push(step)
    else if (refIn(pair.read) === null) queue.push(step)
    else if (!replaced.has(pair)) {
      // Something that's no reference may be compared with a recursive schema.
      replaced.add(pair)
      queue.push(step)
    }
  }
}

/** The reference behind which a pair is: that of the sent schema, which a new alternative has alone. */
const refOf = ({ sent }: Pick<Pair, 'sent'>): string | null => refIn(sent)
