// What gaps are called. Readers know the older document, so it's what refers to a gap there.
import { type Json, isObject, listOf, stepsOf } from '../json.ts'
import { type Component, type Direction, type Gap, componentAt, nameOf } from './gap.ts'
import { memoized } from './intern.ts'
import { isAnnotation, resolve } from './normalize.ts'
import { propertyOf, refIn } from './reader.ts'
import type { Pair } from './solve.ts'

/** A reference of the older document. */
export interface Home {
  readonly ref: string
  /** What the newer document refers to instead: ` (now Bot)`. Empty for the component itself. */
  readonly now: string
  /** Both documents refer to it, and say the same beside it. */
  readonly isSame: boolean
}

/** Creates the functions that name the gaps between two documents. */
export function createNames(sent: Json, read: Json, direction: Direction) {
  const isSent = memoized((ref) => resolve(sent, ref as string) !== undefined)
  const isRead = memoized((ref) => resolve(read, ref as string) !== undefined)
  return { homeOf, causeOf }

  function homeOf(pair: Pair): Home | null {
    const refs = [refIn(pair.sent), refIn(pair.read)]
    const [ref, newer] = direction === 'request' ? refs : refs.toReversed()
    if (typeof ref !== 'string') return null
    if (ref === newer) {
      const isSame = pair.sent === pair.read || (isBare(pair.sent) && isBare(pair.read))
      return { ref, now: '', isSame }
    }
    const [isInSent, isInRead] = [isSent(ref), isRead(ref)]
    if (!(direction === 'request' ? isInSent : isInRead)) return null
    // What only has another name now is still called as before.
    const now = typeof newer === 'string' ? ` (now ${nameOf(newer)})` : ' (replaced)'
    return { ref, now: isInSent && isInRead ? now : '', isSame: false }
  }

  function causeOf({ ref, now }: Home, gap: Gap): Component {
    const [name] = stepsOf(gap.at)
    const home = name === undefined || now !== '' ? ref : baseOf(ref, name)
    return componentAt(home, now, gap)
  }

  /** The schema that has a property: the component, or a base that it has in both documents. */
  function baseOf(ref: string, name: string): string {
    const homes = new Set([ref])
    // The set grows while it's read.
    for (const home of homes) {
      const documents = [sent, read].map((document) => {
        const schema = resolve(document, home)
        return isObject(schema) ? [schema, ...listOf(schema['allOf'])].filter(isObject) : []
      })
      const isHere = documents
        .flat()
        .some(
          (part) => propertyOf(part, name) !== undefined || listOf(part['required']).includes(name),
        )
      if (isHere) return home
      const [bases, others] = documents.map((parts) => parts.map(({ $ref }) => $ref))
      for (const $ref of bases!)
        if (typeof $ref === 'string' && others!.includes($ref)) homes.add($ref)
    }
    return ref
  }
}

/** Whether a schema is a reference without other rules. */
function isBare(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const [key, ...others] = Object.keys(schema).filter((keyword) => !isAnnotation(keyword))
  const parts = listOf(schema['allOf'])
  return others.length === 0 && (key === '$ref' || (parts.length === 1 && isBare(parts[0])))
}
