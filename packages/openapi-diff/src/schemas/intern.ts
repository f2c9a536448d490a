import { type Json, isObject } from '../json.ts'
import { ignoresSiblings, resolve, schemaRef } from './normalize.ts'

/** Returns the one object that stands for all JSON values with the same content, whatever the order of their keys. */
export type Intern = <T>(value: T) => T

/**
 * Creates the function that makes equal JSON values identical. Equality is then `===`, and what's been found out about a
 * value can be kept in a map. Interning an object again costs one look-up.
 *
 * @param spend - counts the characters that have been compared
 */
export function createIntern(spend: (characters: number) => void = () => {}): Intern {
  const ids = new Map<object, number>()
  const byText = new Map<string, object>()
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
    spend(text.length)
    const same = byText.get(text)
    if (same !== undefined) return same as T
    ids.set(copy, ids.size)
    byText.set(text, copy)
    return copy as T
  }

  /** What's inside is interned already, so a number is enough to say which object it is. */
  function textOf(value: unknown): string {
    if (typeof value === 'object' && value !== null) return `#${ids.get(value)}`
    return JSON.stringify(value) ?? 'undefined'
  }
}

/** Whether a value means the same in both documents: its references lead to equal values there. */
export type MeansTheSame = (value: unknown) => boolean

/**
 * @param before - interned with the function, like `after` and every value that the result is called with
 */
export function createMeansTheSame(before: Json, after: Json, intern: Intern): MeansTheSame {
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
  const changedRefs = findChangedRefs()
  return memoized((value) => !refsIn(value).some((ref) => changedRefs.has(ref)))

  /** The references that lead to different values, directly or through other references. */
  function findChangedRefs(): ReadonlySet<string> {
    // An anchor or an `$id` may be that of any schema that has one. The list around them can't be mistaken for a schema.
    const [identified, identifiedAfter] = [before, after].map((document) =>
      intern([identifiedIn(document)]),
    )
    const ids = new Set(Object.values(identified![0]!).map((schema) => (schema as Json)['$id']))
    const usersOf = new Map<string, string[]>()
    const changed = new Set(
      ignoresSiblings(before) === ignoresSiblings(after) ? [] : [withSiblings],
    )
    for (const ref of new Set([...refsIn(before), ...refsIn(after)])) {
      const [target, targetAfter] = [resolve(before, ref), resolve(after, ref)]
      const targets = [target ?? identified, targetAfter ?? identifiedAfter]
      // Nobody knows whether what isn't in the documents has changed.
      const isInside = ref === withSiblings || ref.startsWith('#') || ids.has(ref.split('#')[0])
      const isElsewhere = target === undefined && !isInside
      if (targets[0] !== targets[1] || isElsewhere) changed.add(ref)
      for (const inner of new Set(targets.flatMap(refsIn))) {
        const users = usersOf.get(inner) ?? []
        users.push(ref)
        usersOf.set(inner, users)
      }
    }
    // The set grows while it's read.
    for (const ref of changed) for (const user of usersOf.get(ref) ?? []) changed.add(user)
    return changed
  }
}

/** The schemas with an identifier, whatever their order is. */
function identifiedIn(document: Json): Json {
  const identified: Record<string, unknown> = {}
  const values = new Set<unknown>([document])
  // The set grows while it's read.
  for (const value of values) {
    if (
      isObject(value) &&
      ['$id', '$anchor', '$dynamicAnchor'].some((key) => typeof value[key] === 'string')
    )
      identified[JSON.stringify(value)] = value
    for (const inner of Object.values(value as object))
      if (typeof inner === 'object' && inner !== null) values.add(inner)
  }
  return identified
}

/** Stands for every reference that has other keywords beside it. */
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
