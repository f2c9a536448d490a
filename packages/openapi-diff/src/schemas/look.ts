// What a pair that doesn't fit consists of.
import { type Direction, type Gap, gap, nameOf, unclear } from './gap.ts'
import { refIn } from './reader.ts'
import { type Choice, type Pair, type Part, isMajor, noRule } from './solve.ts'

/** A pair that may have gaps, and where it is. */
export interface Step {
  readonly at: string
  readonly pair: Pair
}

export const stepTo = (pair: Pair): Step => ({ at: '', pair })

interface Look {
  readonly gaps: Gap[]
  readonly steps: Step[]
}

/** Tells a pair's own gaps from the pairs that have the others. */
export function lookAt(pair: Pair, decide: (pair: Pair) => boolean, direction: Direction): Look {
  const { gaps, parts, choices, explain } = pair.rule!
  const seen: Look = { gaps: [...gaps], steps: [] }
  const change = direction === 'request' ? "isn't allowed any more" : 'is new'
  // If one component of a union is what was there, the others are new, or not there any more.
  const components = parts.filter(
    ({ isAlternative, pair: { sent } }) => isAlternative && refIn(sent),
  )
  const isPartly = components.some((part) => decide(part.pair))
  for (const part of parts)
    if (isPartly && components.includes(part) && !decide(part.pair))
      seen.gaps.push(gap(`may be ${nameOf(refIn(part.pair.sent)!)}, which ${change}`))
    else seen.steps.push({ ...stepTo(part.pair), at: part.at })
  const failed: Choice[] = []
  for (const choice of choices) {
    const { candidates, isCounterpart } = choice
    let fitting = candidates.findIndex(decide)
    // Of others that fit, the best is one without a note.
    if (fitting > 0 || !isCounterpart) {
      const perfect = candidates.findIndex((candidate) => decide(candidate) && !candidate.hasNote)
      if (perfect >= 0) fitting = perfect
    }
    if (fitting < 0) failed.push(choice)
    else if (fitting === 0 || !isCounterpart) seen.steps.push(stepTo(candidates[fitting]!))
    else seen.gaps.push(otherAlternative(candidates[0]!))
  }
  for (const explanation of failed.length > 0 ? explain!(failed) : [])
    if ('gap' in explanation) seen.gaps.push(explanation.gap)
    else seen.steps.push(stepTo(explanation.pair))
  return seen
}

/** Says what's wrong with an alternative, although a different one fits. */
function otherAlternative(pair: Pair): Gap {
  const [ref, first] = [refIn(pair.sent), firstGapOf(pair)]
  const what = ref === null ? 'only' : `may be ${nameOf(ref)}, which only`
  const why = first === undefined ? '' : `: ${`${first.at} ${first.why}`.trim()}`
  return unclear(`${what} matches a different alternative now${why}`)
}

/** The nearest gap of a pair or its parts that keeps values from being read. */
function firstGapOf(pair: Pair): Gap | undefined {
  const open: Part[] = [{ at: '', pair }]
  const seen = new Set<Pair>()
  for (const { at, pair: part } of open) {
    const { gaps, parts, choices } = part.rule ?? noRule
    const first = gaps.find(isMajor)
    if (first !== undefined) return { ...first, at: at + first.at }
    const inner = [...parts, ...choices.map(({ candidates }) => ({ at: '', pair: candidates[0]! }))]
    for (const next of inner)
      if (next.pair?.fails && !seen.has(next.pair)) {
        seen.add(next.pair)
        open.push({ at: at + next.at, pair: next.pair })
      }
  }
  return undefined
}
