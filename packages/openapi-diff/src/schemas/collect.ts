// Lists the gaps of pairs that don't fit, and of those that fit for a doubtful reason.
import type { Budget } from '../budget.ts'
import { pointerTo } from '../json.ts'
import { type Gap, componentAt } from './gap.ts'
import { refIn } from './reader.ts'
import type { Choice, Pair } from './solve.ts'

/** What to say of gaps that are seen from further away. */
interface Way {
  /** The path to them. */
  readonly at: string
  /** How the reason ends. */
  readonly suffix: string
  readonly isUnclear: boolean
  /** They're in a tag, which tells alternatives apart, so a new value is a new alternative. */
  readonly isTag: boolean
}

const noWay: Way = { at: '', suffix: '', isUnclear: false, isTag: false }

/** A pair that may have gaps, and the way to it. */
interface Step extends Way {
  readonly pair: Pair
  /** The properties that tell the pair apart from a union's other alternatives. */
  readonly tags: readonly string[]
}

/** The gaps between a pair and the next references, and the steps from other areas that lead to it. */
interface Area {
  readonly gaps: Gap[]
  readonly entries: { readonly step: Way; readonly from: Area }[]
}

/** An area from which a target is reached. */
interface Visit {
  readonly hops: number
  /** The step to the next visit, which is nearer to the target. */
  readonly step: Way
  readonly next: Visit | null
}

/**
 * Lists the gaps of pairs and of everything that they depend on, the nearest first. A reference's gaps are listed once per pair,
 * at the shortest path. Many pairs may lead to few gaps, so the paths are walked from their ends.
 *
 * @param decide - decides a pair, as in `solve.ts`
 */
export function collectGaps(
  roots: readonly Pair[],
  decide: (pair: Pair) => boolean,
  budget: Budget,
): readonly (readonly Gap[])[] {
  const areas = new Map(roots.map((root) => [root, createArea()]))
  // The map grows while it's read.
  for (const [pair, area] of areas) {
    const { gaps, exits } = explore(pair, decide)
    area.gaps.push(...gaps)
    for (const step of exits) {
      const inner = areas.get(step.pair) ?? createArea()
      areas.set(step.pair, inner)
      inner.entries.push({ step, from: area })
    }
  }

  const starts = roots.map((root) => areas.get(root)!)
  const results = roots.map((): { readonly visit: Visit; readonly gaps: readonly Gap[] }[] => [])
  for (const target of areas.values()) {
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
}

const createArea = (): Area => ({ gaps: [], entries: [] })

/** The areas that lead to a target, over as few references as possible. */
function visitsTo(target: Area): ReadonlyMap<Area, Visit> {
  const visits = new Map<Area, Visit>([[target, { hops: 0, step: noWay, next: null }]])
  // The map grows while it's read.
  for (const [area, visit] of visits)
    for (const { step, from } of area.entries)
      if (!visits.has(from)) visits.set(from, { hops: visit.hops + 1, step, next: visit })
  return visits
}

function gapsAfter({ step, next }: Visit, gaps: readonly Gap[]): readonly Gap[] {
  if (next === null) return gaps
  let way = step
  for (let visit: Visit | null = next; visit !== null; visit = visit.next)
    way = join(way, visit.step)
  return gaps.map((gap) => along(way, gap))
}

const join = (first: Way, next: Way): Way => ({
  at: first.at + next.at,
  suffix: next.suffix || first.suffix,
  isUnclear: first.isUnclear || next.isUnclear,
  isTag: first.isTag || next.isTag,
})

/** A gap at the end of a way. There are many of them, and objects with the same keys in the same order are fast. */
function along({ at, suffix, isUnclear, isTag }: Way, gap: Gap): Gap {
  const { why, component } = gap
  const end = why.endsWith(suffix) ? '' : suffix
  return {
    at: at + gap.at,
    why: why + end,
    isUnclear: isUnclear || gap.isUnclear,
    kind: isTag && gap.kind === 'new-value' ? undefined : gap.kind,
    isMinor: gap.isMinor,
    component: component && end !== '' ? { ...component, cause: component.cause + end } : component,
  }
}

/** Reads a pair and its parts up to the next references, which are the exits. */
function explore(
  start: Pair,
  decide: (pair: Pair) => boolean,
): { readonly gaps: readonly Gap[]; readonly exits: readonly Step[] } {
  const gaps: Gap[] = []
  const exits: Step[] = []
  const ref = refOf(start)
  const replaced = new Set<Pair>()
  decide(start)
  const queue: Step[] = [{ ...noWay, pair: start, tags: [] }]
  for (const step of queue) {
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
  return { gaps, exits }

  /** @param isOfUnion - it's about the alternative that the reference is */
  function report(pairGap: Gap, step: Step, isOfUnion = false): void {
    const seen = along(step, pairGap)
    // What took the place of something that's no reference hasn't changed itself.
    const isReplaced = seen.at === '' && refIn(start.read) === null && !isOfUnion
    const component = ref === null || isReplaced ? null : componentAt(ref, seen)
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
    if (refOf(pair) !== null) exits.push(step)
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
