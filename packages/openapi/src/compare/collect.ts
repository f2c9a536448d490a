// Lists the gaps of a pair that does not fit, and of those that fit for a doubtful reason.
import { type JsonSchema, isObject } from '@hv/router/internal'
import type { Choice, Pair, Part } from './solve.ts'
import { type Gap, gap, listOf } from './value-gaps.ts'

/** The gaps between a pair and the next references, and what they lead to. */
interface Area {
  readonly gaps: readonly Gap[]
  readonly exits: readonly Step[]
}

/** A pair on the way to all gaps, where it is, and what to say of its gaps. */
interface Step extends Part {
  readonly suffix: string
  readonly judged: boolean
}

const noOther = ', and no other alternative matches'
const onlyOther = '; only another alternative still matches'
const startAt = (pair: Pair): Step => ({ pair, at: '', suffix: '', judged: true })

/**
 * Creates the function that lists the gaps of a pair and of all that it depends on. What a reference leads to is listed once,
 * at the shortest path.
 *
 * @param decide - see `solve.ts`
 */
export function createCollect(decide: (pair: Pair) => boolean): (root: Pair) => readonly Gap[] {
  const areas = new Map<Pair, Area>()
  return (root) => {
    const found: Gap[] = []
    const seen = new Set<Pair>()
    const queue = [startAt(root)]
    for (const { pair, at, suffix, judged } of queue) {
      if (seen.has(pair)) continue
      seen.add(pair)
      const { gaps, exits } = areaOf(pair)
      for (const each of gaps)
        found.push({ ...each, at: at + each.at, why: each.why + suffix, judged: judged && each.judged })
      for (const exit of exits)
        if (!seen.has(exit.pair))
          queue.push({
            pair: exit.pair,
            at: at + exit.at,
            suffix: exit.suffix || suffix,
            judged: judged && exit.judged,
          })
    }
    return found
  }

  function areaOf(start: Pair): Area {
    let area = areas.get(start)
    if (area === undefined) areas.set(start, (area = explore(start, decide)))
    return area
  }
}

/** Reads a pair and its parts up to the next references. */
function explore(start: Pair, decide: (pair: Pair) => boolean): Area {
  const gaps: Gap[] = []
  const exits: Step[] = []
  const component = componentOf(start)
  const queue = [startAt(start)]
  for (const step of queue) {
    decide(step.pair)
    const { gaps: own, parts, choices } = step.pair.rule!
    for (const each of own) report(each, step)
    for (const { at, pair } of parts) enter(pair, { ...step, at: step.at + at })
    for (const choice of choices) choose(choice, step)
  }
  return { gaps, exits }

  function report(each: Gap, { at, suffix, judged }: Step): void {
    gaps.push({
      at: at + each.at,
      why: each.why + suffix,
      judged: judged && each.judged,
      kind: each.kind,
      component: component === null ? null : component + at + each.at,
    })
  }

  function choose({ candidates, isCounterpart }: Choice, step: Step): void {
    const fitting = candidates.findIndex(decide)
    if (candidates.length === 0) report(gap('', 'matches nothing'), step)
    else if (fitting < 0) enter(nearestOf(candidates), { ...step, suffix: noOther })
    else if (fitting === 0 || !isCounterpart) enter(candidates[fitting]!, step)
    else enter(candidates[0]!, { ...step, suffix: onlyOther, judged: false })
  }

  function enter(pair: Pair, step: Step): void {
    decide(pair)
    if (pair.fails || pair.hasNote) (componentOf(pair) === null ? queue : exits).push({ ...step, pair })
  }
}

/** The candidate with the fewest gaps of its own, else the first. */
const nearestOf = (candidates: readonly Pair[]): Pair =>
  candidates.toSorted((a, b) => a.rule!.gaps.length - b.rule!.gaps.length)[0]!

/** The name of the component to which one of the schemas refers, by itself or as an alternative of a union. */
function componentOf({ sent, read }: Pair): string | null {
  for (const schema of [sent, read])
    for (const { $ref } of [schema, ...listOf((schema as JsonSchema | undefined)?.['allOf'])].filter(isObject))
      if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  return null
}
