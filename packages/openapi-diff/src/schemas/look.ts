// Looks into a pair that doesn't fit, or that has a note.
import {
  type Choice,
  type Gap,
  type Pair,
  type Part,
  type Rule,
  nameOf,
  newAlternative,
  part,
  unclear,
} from './gap.ts'
import { memoized } from './intern.ts'
import { refIn } from './shape.ts'
import { isMajor } from './solve.ts'

/**
 * What to report about a pair: its own gaps, and the parts that have further ones.
 *
 * @param decide - decides a pair, as in `solve.ts`
 */
export function lookAt(
  pair: Pair,
  decide: (pair: Pair) => boolean,
  isRequest: boolean,
): Rule | null {
  if (decide(pair) && !pair.hasNote) return null
  const isGone = ({ kind }: Gap) => !isRequest && kind === 'gone'
  const isFitting = (inner: Part) => decide(inner.pair)
  const { gaps, parts, choice } = pair.rule!
  const seen: Rule = { gaps: [...gaps], parts: [] }
  const alternatives = parts.filter(({ isAlternative }) => isAlternative)
  if (alternatives.length > 1) lookAtUnion()
  for (const inner of parts)
    if (alternatives.length < 2 || !inner.isAlternative || isFitting(inner)) seen.parts.push(inner)
  if (choice !== undefined) lookAtChoice(choice)
  return seen

  function lookAtChoice({ candidates, isCounterpart, explain }: Choice) {
    let fitting = candidates.findIndex(decide)
    // Among the others that fit, one without a note is best.
    if (!isCounterpart) {
      const perfect = candidates.findIndex((candidate) => decide(candidate) && !candidate.hasNote)
      if (perfect >= 0) fitting = perfect
    }
    if (fitting < 0) {
      const explanation = explain()
      const isMinor = fitsBut(candidates, (own) => isGone(own) || !isMajor(own), decide)
      const isUnclear = fitsBut(candidates, (own) => own.isUnclear, decide)
      if ('why' in explanation) seen.gaps.push({ ...explanation, isMinor, isUnclear })
      else {
        const sizeOf = memoized((candidate: Pair) => [...gapsOf(candidate)].length)
        const [closest] = explanation.toSorted((one, other) => sizeOf(one) - sizeOf(other))
        seen.parts.push(part(closest!))
      }
    } else if (fitting === 0 || !isCounterpart) seen.parts.push(part(candidates[fitting]!))
    else {
      // The alternative that it was before doesn't fit any more, although a different one does.
      const ref = refIn(candidates[0]!.sent)
      const [first] = gapsOf(candidates[0]!)
      const what = ref === null ? '' : `as ${nameOf(ref)} `
      const why = first ? `: ${inWords(first)}` : ''
      seen.gaps.push(unclear(`${what}only matches a different alternative now${why}`))
    }
  }

  /**
   * A union, compared with a schema that isn't one. If a gap only concerns one component, it's
   * reported there. A response's property is only gone if no alternative has it.
   */
  function lookAtUnion() {
    const byAlternative = alternatives.map(({ pair: inner }) => [...gapsOf(inner, seen.parts)])
    for (const lost of byAlternative[0]!) {
      const isLost = (other: Gap) => isGone(other) && `${lost.at}/`.startsWith(`${other.at}/`)
      if (byAlternative.every((inner) => inner.some(isLost))) seen.gaps.push(lost)
    }
    for (const [index, inner] of byAlternative.entries()) {
      const left = inner.filter((other) => !isGone(other))
      const first =
        left.find(({ isUnclear, kind }) => !isUnclear && kind !== 'new-value') ?? left[0]
      const { sent, read, rule } = alternatives[index]!.pair
      // The others may have notes.
      if (left.length < inner.length) seen.parts.push(...rule!.parts.filter(isFitting))
      const ref = refIn(sent)
      if (first === undefined || ref === null || ref === refIn(read)) seen.gaps.push(...left)
      else {
        const why = `${newAlternative(ref, isRequest)}: ${inWords(first)}`
        seen.gaps.push({ ...first, at: '', why })
      }
    }
  }

  /**
   * The gaps of a pair and its parts that keep values from being read, the nearest first.
   *
   * @param components - gets what both documents say in the same way, because it's a component
   *   inside that differs. It's looked into without it
   */
  function* gapsOf(root: Pair, components?: Part[]) {
    const open = [part(root)]
    const visited = new Set<Pair>()
    for (const visit of open) {
      const { at, pair: failing } = visit
      if (visited.has(failing) || decide(failing)) continue
      visited.add(failing)
      if (components && failing.sent === failing.read) {
        components.push(visit)
        continue
      }
      const { rule } = failing
      for (const inner of rule!.gaps.filter(isMajor)) yield { ...inner, at: at + inner.at }
      for (const inner of rule!.parts) open.push(part(inner.pair, at + inner.at))
      const others = rule!.choice?.candidates ?? []
      if (others.length > 0 && !others.some(decide)) open.push(part(others[0]!, at))
    }
  }
}

/** What to report about a pair without its asides, if its parts have anything else that matters. */
export function withoutAsides(seen: Rule | null, look: (pair: Pair) => Rule | null): Rule | null {
  const main = seen?.gaps.filter(({ isAside }) => !isAside)
  if (seen === null || main!.length === seen.gaps.length) return seen
  // The set grows while it's read.
  const rules = new Set<Rule | null>([{ ...seen, gaps: main! }])
  for (const rule of rules) {
    const { gaps = [], parts = [] } = rule ?? {}
    if (gaps.some((own) => !own.isAside && (own.isUnclear || isMajor(own))))
      return { ...seen, gaps: main! }
    for (const inner of parts) rules.add(look(inner.pair))
  }
  return seen
}

/** Whether a value would fit a candidate, were it not for such gaps of the value itself. */
const fitsBut = (
  candidates: readonly Pair[],
  isSuch: (gap: Gap) => boolean,
  decide: (pair: Pair) => boolean,
) =>
  candidates.some(({ rule }) => {
    const { gaps, parts, choice } = rule!
    return (
      gaps.every(isSuch) &&
      parts.every((inner) => decide(inner.pair)) &&
      choice?.candidates.some(decide) !== false
    )
  })

const inWords = ({ at, why }: Gap) => `${at} ${why}`.trim()
