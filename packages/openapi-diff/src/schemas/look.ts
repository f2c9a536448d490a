// What a pair that doesn't fit consists of.
import { type Direction, type Gap, nameOf, unclear } from './gap.ts'
import { refIn } from './reader.ts'
import { type Pair, type Part, isMajor } from './solve.ts'

/** A pair that may have gaps, and where it is. */
export interface Step {
  readonly at: string
  readonly pair: Pair
}

export const stepTo = (pair: Pair): Step => ({ at: '', pair })

type Decide = (pair: Pair) => boolean

interface Look {
  readonly gaps: Gap[]
  readonly steps: Step[]
}

/** Tells a pair's own gaps from the pairs that have the others. */
export function lookAt(pair: Pair, decide: Decide, direction: Direction): Look {
  const { gaps, parts, choice } = pair.rule!
  const seen: Look = { gaps: [...gaps], steps: [] }
  const alternatives = parts.filter(({ isAlternative }) => isAlternative)
  const isUnion = alternatives.length > 1
  if (isUnion) seen.gaps.push(...unionGaps(alternatives, decide, direction, seen.steps))
  for (const part of parts)
    if (!isUnion || !alternatives.includes(part) || decide(part.pair)) seen.steps.push(part)
  if (choice === undefined) return seen
  const { candidates, isCounterpart } = choice
  let fitting = candidates.findIndex(decide)
  // Of others that fit, the best is one without a note.
  if (fitting > 0 || !isCounterpart) {
    const perfect = candidates.findIndex((candidate) => decide(candidate) && !candidate.hasNote)
    if (perfect >= 0) fitting = perfect
  }
  if (fitting < 0) {
    const explanation = choice.explain()
    if ('gap' in explanation) seen.gaps.push(explanation.gap)
    else seen.steps.push(stepTo(explanation.pair))
  } else if (fitting === 0 || !isCounterpart) seen.steps.push(stepTo(candidates[fitting]!))
  else seen.gaps.push(otherAlternative(candidates[0]!, decide))
  return seen
}

/**
 * Compares a union with what's no union. What concerns only one component is said of that, and a
 * response's property is gone if no alternative has it.
 *
 * @param steps - gets the components that have changed themselves
 */
function unionGaps(
  alternatives: readonly Part[],
  decide: Decide,
  direction: Direction,
  steps: Step[],
): readonly Gap[] {
  const isGone = ({ kind }: Gap): boolean => direction === 'response' && kind === 'gone'
  const change = direction === 'request' ? "isn't allowed any more" : 'is new'
  const all = alternatives.map(({ pair }) => [...gapsOf(pair, decide, steps)])
  const lost = all[0]!.filter(({ at }) =>
    all.every((gaps) => gaps.some((other) => isGone(other) && `${at}/`.startsWith(`${other.at}/`))),
  )
  const others = all.flatMap((gaps, index) => {
    const left = gaps.filter((found) => !isGone(found))
    const first = left.find(({ isUnclear, kind }) => !isUnclear && kind !== 'new-value') ?? left[0]
    const ref = refIn(alternatives[index]!.pair.sent)
    if (first === undefined || ref === null) return left
    const why = `may be ${nameOf(ref)}, which ${change}: ${`${first.at} ${first.why}`.trim()}`
    return { ...first, at: '', why }
  })
  return [...lost, ...others]
}

/** Says what's wrong with an alternative, although a different one fits. */
function otherAlternative(pair: Pair, decide: Decide): Gap {
  const ref = refIn(pair.sent)
  const [first] = gapsOf(pair, decide)
  const what = ref === null ? 'only' : `may be ${nameOf(ref)}, which only`
  const why = first === undefined ? '' : `: ${`${first.at} ${first.why}`.trim()}`
  return unclear(`${what} matches a different alternative now${why}`)
}

/**
 * The gaps of a pair and its parts that keep values from being read, the nearest first.
 *
 * @param components - gets the components of both documents. They're looked into without it
 */
function* gapsOf(root: Pair, decide: Decide, components?: Step[]): Generator<Gap> {
  const open = [stepTo(root)]
  const known = new Set<Pair>()
  for (const { at, pair } of open) {
    if (known.has(pair) || decide(pair)) continue
    known.add(pair)
    const ref = refIn(pair.sent)
    if (components && ref !== null && ref === refIn(pair.read)) {
      components.push({ at, pair })
      continue
    }
    const { gaps, parts, choice } = pair.rule!
    for (const inner of gaps.filter(isMajor)) yield { ...inner, at: at + inner.at }
    const first = choice?.candidates.some(decide) ? undefined : choice?.candidates[0]
    const next = first ? [...parts, stepTo(first)] : parts
    open.push(...next.map((step) => ({ at: at + step.at, pair: step.pair })))
  }
}
