import { type Json, isObject } from './json.ts'
import { ignoresSiblings, resolve, schemaRef } from './normalize.ts'

/** Returns the one object that stands for all JSON values with the same content, whatever the order of their keys. */
export type Intern = <T>(value: T) => T

/**
 * Creates the function that makes equal JSON values identical. Equality is then `===`, and what was found out about a value
 * can be kept in a map. Interning an object again costs one look-up.
 */
export function createIntern(): Intern {
  const ids = new Map<object, number>()
  const known = new Map<string, object>()
  return intern

  function intern<T>(value: T): T {
    if (typeof value !== 'object' || value === null || ids.has(value)) return value
    const copy: object = Array.isArray(value)
      ? value.map((element: unknown) => intern(element))
      : Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, intern<unknown>(inner)]),
        )
    const text = Array.isArray(copy)
      ? `[${copy.map(textOf).join()}]`
      : Object.entries(copy)
          .map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`)
          .toSorted()
          .join()
    const same = known.get(text)
    if (same !== undefined) return same as T
    ids.set(copy, ids.size)
    known.set(text, copy)
    return copy as T
  }

  function textOf(value: unknown): string {
    return typeof value === 'object' && value !== null
      ? `#${ids.get(value)}`
      : (JSON.stringify(value) ?? 'undefined')
  }
}

/** Whether a value means the same in both documents: its references lead to equal values there. */
export type MeansTheSame = (value: unknown) => boolean

/**
 * @param before - interned with the function, like `after` and every value that the result is called with
 */
export function createMeansTheSame(before: Json, after: Json, intern: Intern): MeansTheSame {
  /** The references in a value. */
  const refsIn = memoized((value: unknown): readonly string[] => {
    if (typeof value !== 'object' || value === null) return []
    const refs = new Set(
      Object.values(value).flatMap((inner) => (typeof inner === 'object' ? refsIn(inner) : [])),
    )
    if (!isObject(value)) return [...refs]
    const { $ref, $dynamicRef, propertyName, mapping } = value
    for (const ref of [$ref, $dynamicRef]) if (typeof ref === 'string') refs.add(ref)
    if (typeof $ref === 'string' && Object.keys(value).length > 1) refs.add(withSiblings)
    if (typeof propertyName === 'string' && isObject(mapping))
      for (const target of Object.values(mapping)) refs.add(schemaRef(String(target)))
    return [...refs]
  })
  const changed = findChanged()
  return memoized((value) => !refsIn(value).some((ref) => changed.has(ref)))

  /** The references that lead to different values, directly or through other references. */
  function findChanged(): ReadonlySet<string> {
    // What an anchor or the `$id` of a schema names may be any of those that have one. No schema is a list.
    const [identified, identifiedAfter] = [before, after].map((document) =>
      intern([identifiedIn(document)]),
    )
    const usedBy = new Map<string, string[]>()
    const all = new Set(ignoresSiblings(before) === ignoresSiblings(after) ? [] : [withSiblings])
    for (const ref of new Set([...refsIn(before), ...refsIn(after)])) {
      const targets = [resolve(before, ref) ?? identified, resolve(after, ref) ?? identifiedAfter]
      if (targets[0] !== targets[1]) all.add(ref)
      for (const inner of new Set(targets.flatMap(refsIn))) {
        const users = usedBy.get(inner) ?? []
        users.push(ref)
        usedBy.set(inner, users)
      }
    }
    for (const ref of all) for (const user of usedBy.get(ref) ?? []) all.add(user) // grows while it is read
    return all
  }
}

/** The schemas with an identifier, whatever their order is. */
function identifiedIn(document: Json): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const values = new Set<unknown>([document])
  // The set grows while it is read.
  for (const value of values) {
    if (
      isObject(value) &&
      ['$id', '$anchor', '$dynamicAnchor'].some((key) => typeof value[key] === 'string')
    )
      found[JSON.stringify(value)] = value
    for (const inner of Object.values(value as object))
      if (typeof inner === 'object' && inner !== null) values.add(inner)
  }
  return found
}

/** Stands for every reference with other keywords beside it. */
const withSiblings = '$ref with siblings'

/** The function with its results kept, by identity: each value is read once. */
export function memoized<Result>(read: (value: unknown) => Result): (value: unknown) => Result {
  const results = new Map<unknown, Result>()
  return (value) => {
    let result = results.get(value)
    if (result === undefined) results.set(value, (result = read(value)))
    return result
  }
}
