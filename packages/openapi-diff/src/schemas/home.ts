// What gaps are called. Readers know the older document, so it's what refers to a gap there.
import { type Json, isObject, listOf, stepsOf } from '../json.ts'
import { type Component, type Direction, type Gap, componentAt, nameOf } from './gap.ts'
import { memoized } from './intern.ts'
import { isAnnotation, resolve } from './normalize.ts'
import type { Pair } from './pair.ts'
import { propertyOf, refIn } from './reader.ts'

/** A reference of the older document. */
export interface Home {
  readonly ref: string
  /** What the newer document refers to instead: ` (now Bot)`. Empty for the component itself. */
  readonly now: string
  /** Both documents refer to it, and say the same beside it. */
  readonly isSame: boolean
}

export type HomeOf = (pair: Pair) => Home | null

/**
 * Creates the function that tells where the gaps of pairs belong.
 *
 * @param isUnchanged - whether a reference means the same in both documents
 */
export function createHomes(
  older: Json,
  newer: Json,
  direction: Direction,
  isUnchanged: (ref: string) => boolean,
): HomeOf {
  return memoized((pair: Pair) => {
    const refs = [refIn(pair.sent), refIn(pair.read)]
    const [ref, other] = direction === 'request' ? refs : refs.toReversed()
    if (typeof ref !== 'string') return null
    if (ref === other) {
      const isSame = pair.sent === pair.read || (isBare(pair.sent) && isBare(pair.read))
      // What's beside a component that's unchanged has the gaps.
      return !isSame && isUnchanged(ref) ? null : { ref, now: '', isSame }
    }
    if (resolve(older, ref) === undefined) return null
    // What only has another name now is still called as before.
    const now = typeof other === 'string' ? ` (now ${nameOf(other)})` : ' (replaced)'
    return { ref, now: resolve(newer, ref) === undefined ? '' : now, isSame: false }
  })
}

/** Whether a schema is a reference without other rules. */
function isBare(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const [key, ...others] = Object.keys(schema).filter((keyword) => !isAnnotation(keyword))
  const parts = listOf(schema['allOf'])
  return others.length === 0 && (key === '$ref' || (parts.length === 1 && isBare(parts[0])))
}

/** Names a gap by the component that has its property, or a base that it has in both documents. */
export function componentOf(
  { ref, now }: Home,
  gap: Gap,
  documents: readonly [Json, Json],
): Component {
  const [name] = stepsOf(gap.at)
  const homes = new Set([ref])
  // The set grows while it's read.
  for (const home of name === undefined || now !== '' ? [] : homes) {
    const [parts = [], others = []] = documents.map((document) => {
      const schema = resolve(document, home)
      return isObject(schema) ? [schema, ...listOf(schema['allOf'])].filter(isObject) : []
    })
    const isHere = [...parts, ...others].some(
      (part) => propertyOf(part, name!) !== undefined || listOf(part['required']).includes(name!),
    )
    if (isHere) return componentAt(home, now, gap)
    for (const { $ref } of parts)
      if (typeof $ref === 'string' && others.some((other) => other['$ref'] === $ref))
        homes.add($ref)
  }
  return componentAt(ref, now, gap)
}
