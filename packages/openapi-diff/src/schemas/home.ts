// Names gaps by the older document's components, because that's the document that readers know.
import { type Json, isObject, listOf, stepsOf } from '../json.ts'
import { type Component, type Gap, type Pair, nameOf } from './gap.ts'
import { type MeansTheSame, memoized } from './intern.ts'
import { resolve } from './normalize.ts'
import { keywordsOf, propertyOf, refIn } from './shape.ts'

/** A reference of the older document, which gaps are attributed to. */
export interface Home {
  /** Whether both documents refer to it, with the same sibling keywords. */
  readonly isSame: boolean
  /** Names a gap by the component, or a base of it. */
  readonly componentOf: (gap: Gap) => Component
}

/** Creates the function that finds the component to which a pair's gaps belong. */
export function createHomes(
  older: Json,
  newer: Json,
  isRequest: boolean,
  meansTheSame: MeansTheSame,
): (pair: Pair) => Home | null {
  return memoized((pair: Pair) => {
    const schemas = [pair.sent, pair.read]
    const [own, now] = isRequest ? schemas : schemas.toReversed()
    const [ref, other] = [refIn(own), refIn(now)]
    if (typeof ref !== 'string') return null
    const isSame = ref === other && (pair.sent === pair.read || schemas.every(isBare))
    // If a component was only renamed, it keeps its older name here.
    const isHere = ref === other || resolve(newer, ref) === undefined
    // If the component is unchanged, its siblings have the gaps.
    if (
      resolve(older, ref) === undefined ||
      (ref === other && !isSame && meansTheSame({ $ref: ref }))
    )
      return null
    // If a place describes its values itself now, and the component stays, the place has the gaps.
    if (!isHere && (other === null || isPart(own))) return null
    const renamed = isHere || isPart(now) ? '' : ` (now ${nameOf(other!)})`
    return { isSame, componentOf }

    function componentOf({ at, why }: Gap) {
      const home = isHere ? baseOf(ref!, at) : ref!
      return { ref: home, cause: `${nameOf(home)}${renamed}${at} ${why}` }
    }
  })

  /** The schema that has a gap's property: the component, or a base that both documents have. */
  function baseOf(ref: string, at: string) {
    const [name] = stepsOf(at)
    const homes = new Set([ref])
    // The set grows while it's read.
    for (const home of name === undefined ? [] : homes) {
      const [parts = [], others = []] = [older, newer].map((document) => {
        const schema = resolve(document, home)
        return isObject(schema) ? [schema, ...listOf(schema['allOf'])].filter(isObject) : []
      })
      const isHere = [...parts, ...others].some(
        (part) =>
          propertyOf(part, name!) !== undefined ||
          listOf(part['required']).includes(name!) ||
          (name === '*' && (part['additionalProperties'] ?? part['items']) !== undefined),
      )
      if (isHere) return home
      for (const { $ref } of parts)
        if (typeof $ref === 'string' && others.some((part) => part['$ref'] === $ref))
          homes.add($ref)
    }
    return ref
  }
}

/** Whether a reference is only a part of a schema, such as the alternative that has been joined with it. */
const isPart = (schema: unknown) => keywordsOf(schema as Json).length > 1

/** Whether a schema is a reference without other rules. */
function isBare(schema: unknown): boolean {
  if (!isObject(schema) || schema['nullable'] === true) return false
  const keywords = keywordsOf(schema).join()
  const parts = listOf(schema['allOf'])
  return keywords === '$ref' || (keywords === 'allOf' && parts.length === 1 && isBare(parts[0]))
}
