import { type Json, groupBy } from '../json.ts'
import { is30, isInside, mappingOf, resolve, schemaRef } from './normalize.ts'

/**
 * Returns the one object that stands for all JSON values with the same content, whatever the order
 * of their keys.
 */
export type Intern = <T>(value: T) => T

/**
 * Creates the function that makes equal JSON values identical. Equality is then `===`, and maps can
 * cache facts about a value. Interning an object again only costs a look-up.
 *
 * @param spend - counts the characters that have been compared
 */
export function createIntern(spend: (characters: number) => void): Intern {
  const ids = new Map<object, number>()
  const byText = new Map<string, object>()
  const quoted = memoized((name: string) => JSON.stringify(name))
  return intern

  function intern<T>(value: T): T {
    if (typeof value !== 'object' || value === null || ids.has(value)) return value
    const [copy, text] = Array.isArray(value) ? internList(value) : internObject(value as Json)
    spend(text.length)
    const same = byText.get(text)
    if (same !== undefined) return same as T
    ids.set(copy, ids.size)
    byText.set(text, copy)
    return copy as T
  }

  function internList(list: readonly unknown[]) {
    const copy = list.map(intern)
    return [copy, `[${copy.map(textOf).join()}]`] as const
  }

  function internObject(object: Json) {
    const entries = Object.entries(object).map(([name, inner]) => [name, intern(inner)] as const)
    const texts = entries.map(([name, inner]) => `${quoted(name)}:${textOf(inner)}`)
    return [Object.fromEntries(entries), texts.toSorted().join()] as const
  }

  /** Its contents are already interned, so each nested object is represented by its number. */
  function textOf(value: unknown) {
    if (typeof value === 'object' && value !== null) return `#${ids.get(value)}`
    return JSON.stringify(value) ?? 'undefined'
  }
}

/** Whether a value means the same in both documents, because its references have equal targets. */
export type MeansTheSame = (value: unknown) => boolean

/**
 * @param before - interned, like `after` and every value that the result is called with
 */
export function createMeansTheSame(before: Json, after: Json): MeansTheSame {
  const refsIn = memoized((value: unknown): ReadonlySet<string> => {
    const refs = new Set<string>()
    if (typeof value !== 'object' || value === null) return refs
    for (const inner of Object.values(value) as readonly unknown[])
      if (typeof inner === 'object') for (const ref of refsIn(inner)) refs.add(ref)
    const { $ref, $dynamicRef, propertyName, nullable } = value as Json
    for (const ref of [$ref, $dynamicRef]) if (typeof ref === 'string') refs.add(ref)
    // OpenAPI 3.0 reads a `$ref`'s siblings and `nullable` in another way than 3.1. No target is found
    // for `''`, so it counts as changed.
    const hasSiblings = typeof $ref === 'string' && Object.keys(value).length > 1
    if ((hasSiblings || nullable === true) && is30(before) !== is30(after)) refs.add('')
    if (typeof propertyName === 'string')
      for (const target of Object.values(mappingOf(value))) refs.add(schemaRef(String(target)))
    return refs
  })
  const changed = new Set<string>()
  const uses: (readonly [inner: string, user: string])[] = []
  for (const ref of new Set([...refsIn(before), ...refsIn(after)])) {
    const older = resolve(before, ref)
    const newer = resolve(after, ref)
    // A target outside of the documents may have changed, and so may what an identifier means.
    if (older !== newer || (older === undefined && !isInside(ref))) changed.add(ref)
    for (const inner of new Set([...refsIn(older), ...refsIn(newer)])) uses.push([inner, ref])
  }
  const usersOf = groupBy(uses, ([inner]) => inner)
  // The set grows while it's read.
  for (const ref of changed) for (const [, user] of usersOf.get(ref) ?? []) changed.add(user)
  return memoized((value: unknown) => [...refsIn(value)].every((ref) => !changed.has(ref)))
}

/** The function with its results kept, by identity: each value is read once. */
export function memoized<Value, Result>(read: (value: Value) => Result): (value: Value) => Result {
  const results = new Map<Value, Result>()
  return (value) => {
    if (!results.has(value)) results.set(value, read(value))
    return results.get(value)!
  }
}
