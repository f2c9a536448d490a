// Lists the gaps of a pair that does not fit, and of those that fit for a doubtful reason.
import { type Area, type Way, along, gapsFrom, gapsFromAll, noWay } from './areas.ts'
import { type Json, isObject, listOf } from './json.ts'
import { type Choice, type Pair, noRule } from './solve.ts'
import { type Gap, gap } from './value-gaps.ts'

/** A pair on the way to all gaps. */
interface Step extends Way {
  readonly pair: Pair
}

/**
 * Creates the function that lists the gaps of pairs and of all that they depend on. What a reference leads to is listed once
 * per pair, at the shortest path.
 *
 * @param decide - see `solve.ts`
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

  /** Explores a pair and all that it leads to. */
  function areaOf(root: Pair): Area {
    const entered: (readonly [Pair, Area])[] = []
    const first = enter(root)
    // The list grows while it is read.
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
      const known = areas.get(pair)
      if (known !== undefined) return known
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
    const { gaps: own, parts, choices } = step.pair.rule!
    for (const each of own) report(each, step)
    for (const { at, pair } of parts) enter(pair, { ...step, at: step.at + at })
    for (const choice of choices) choose(choice, step)
  }
  return { gaps, steps }

  function report(each: Gap, step: Step): void {
    const found = along(step, each)
    gaps.push({ ...found, component: component === null ? null : component + found.at })
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

/** Few between objects with common properties. Of an alternative that is a union, those of its nearest one. */
function differencesIn({ rule }: Pair, isInner = false): number {
  const { gaps, parts, choices } = rule ?? noRule
  const changed = parts.filter(({ pair }) => pair.sent !== pair.read).length
  const own = gaps.length + (parts.length > 0 ? changed : 1e6)
  const inner = isInner
    ? []
    : choices.flatMap(({ candidates }) => candidates.map((one) => differencesIn(one, true)))
  return Math.min(own, ...inner)
}

const componentOf = ({ sent, read }: Pair): string | null => namedIn(sent) ?? namedIn(read)

/** The name of the component to which a schema refers, by itself or as an alternative of a union. */
function namedIn(schema: unknown): string | null {
  if (!isObject(schema)) return null
  const { $ref, allOf } = schema as Json
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  return listOf(allOf).reduce<string | null>((name, one) => name ?? namedIn(one), null)
}
