// Lists the gaps of a pair that does not fit, and of those that fit for a doubtful reason.
import { type JsonSchema, isObject } from '@hv/router/internal'
import type { Choice, Pair, Part } from './solve.ts'
import { type Gap, gap, listOf } from './value-gaps.ts'

/** The gaps between a pair and the next references, and what they lead to. */
interface Area {
  readonly gaps: readonly Gap[]
  readonly exits: readonly Step[]
  /** The areas that have an exit to this one. */
  readonly users: Area[]
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
 * Creates the function that lists the gaps of pairs and of all that they depend on, the nearest first. What a reference leads
 * to is listed once per pair, at the shortest path.
 *
 * @param decide - see `solve.ts`
 */
export function createCollect(
  decide: (pair: Pair) => boolean,
): (roots: readonly Pair[]) => ReadonlyMap<Pair, readonly Gap[]> {
  const areas = new Map<Pair, Area>()
  const areaAt = ({ pair }: Step): Area => areas.get(pair)!
  return (roots) => {
    exploreFrom(roots)
    const targets = [...areas.values()].filter(({ gaps }) => gaps.length > 0)

    return roots.length < targets.length ? collectForward(roots) : collectBackward(roots, targets)
  }

  function exploreFrom(roots: readonly Pair[]): void {
    const added: Area[] = []
    const queue = [...roots]
    for (const pair of queue) {
      if (areas.has(pair)) continue
      const area = explore(pair, decide)
      areas.set(pair, area)
      added.push(area)
      for (const exit of area.exits) queue.push(exit.pair)
    }
    for (const area of added) for (const exit of area.exits) areaAt(exit).users.push(area)
  }

  /** Reads all that each pair leads to. */
  function collectForward(roots: readonly Pair[]): ReadonlyMap<Pair, readonly Gap[]> {
    return new Map(
      roots.map((root) => {
        const start = areas.get(root)!
        const lastSteps = new Map<Area, readonly [from: Area, exit: Step] | null>([[start, null]])
        for (const [from] of lastSteps)
          // grows while it is read
          for (const exit of from.exits) if (!lastSteps.has(areaAt(exit))) lastSteps.set(areaAt(exit), [from, exit])
        const gaps = [...lastSteps.keys()].flatMap((area) => {
          const way: Step[] = []
          if (area.gaps.length > 0)
            for (let last = lastSteps.get(area); last; last = lastSteps.get(last[0])) way.push(last[1])
          return gapsAt(area, way.toReversed())
        })
        return [root, gaps]
      }),
    )
  }

  /** Reads all that leads to each gap, because few gaps are usually found from everywhere. */
  function collectBackward(roots: readonly Pair[], targets: readonly Area[]): ReadonlyMap<Pair, readonly Gap[]> {
    const found = new Map(roots.map((root) => [root, [] as (readonly [hops: number, gaps: readonly Gap[]])[]]))
    for (const target of targets) {
      const hops = hopsTo(target)
      const exits = new Map<Area, Step>()
      for (const [root, list] of found) {
        const start = areas.get(root)!
        const count = hops.get(start)
        if (count === undefined) continue
        const way: Step[] = []
        for (let area = start; area !== target; area = areaAt(way.at(-1)!)) {
          let exit = exits.get(area)
          if (exit === undefined) {
            const left = hops.get(area)! - 1
            exits.set(area, (exit = area.exits.find((one) => hops.get(areaAt(one)) === left)!))
          }
          way.push(exit)
        }
        list.push([count, gapsAt(target, way)])
      }
    }
    return new Map(
      [...found].map(([root, list]) => [root, list.toSorted(([a], [b]) => a - b).flatMap(([, gaps]) => gaps)]),
    )
  }
}

/** How many references are between the areas that lead to this one and itself. */
function hopsTo(target: Area): ReadonlyMap<Area, number> {
  const hops = new Map([[target, 0]])
  for (const [area, count] of hops)
    // grows while it is read
    for (const user of area.users) if (!hops.has(user)) hops.set(user, count + 1)
  return hops
}

/** The gaps of an area, as they are seen from the start of the way to it. */
function gapsAt({ gaps }: Area, way: readonly Step[]): readonly Gap[] {
  if (way.length === 0 || gaps.length === 0) return gaps
  const at = way.map((step) => step.at).join('')
  const suffix = way.findLast((step) => step.suffix !== '')?.suffix ?? ''
  const judged = way.every((step) => step.judged)
  return gaps.map((each) => ({ ...each, at: at + each.at, why: each.why + suffix, judged: judged && each.judged }))
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
  return { gaps, exits, users: [] }

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
