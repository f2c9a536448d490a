import { isObject } from '@hv/router/internal'
import { type Document, resolve, schemaRef } from './normalize.ts'

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
      : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, intern<unknown>(inner)]))
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
    return typeof value === 'object' && value !== null ? `#${ids.get(value)}` : (JSON.stringify(value) ?? 'undefined')
  }
}

/** Whether a value means the same in both documents: its references lead to equal values there. */
export type MeansTheSame = (value: unknown) => boolean

/**
 * @param before - interned, like `after` and every value that the function is called with
 */
export function createMeansTheSame(before: Document, after: Document): MeansTheSame {
  const refsIn = createRefsIn()
  const [identified, identifiedAfter] = [before, after].map((document) => identifiedIn(document)) as [
    readonly unknown[],
    readonly unknown[],
  ]
  const isKept =
    identified.length === identifiedAfter.length && identifiedAfter.every((one) => identified.includes(one))
  const changed = findChanged()
  const results = new Map<unknown, boolean>()
  return (value) => {
    let result = results.get(value)
    if (result === undefined) results.set(value, (result = !refsIn(value).some((ref) => changed.has(ref))))
    return result
  }

  /** The references that lead to different values, directly or through other references. */
  function findChanged(): ReadonlySet<string> {
    const refs = new Set([...refsIn(before), ...refsIn(after)])
    const usedBy = new Map<string, string[]>()
    const found: string[] = []
    for (const ref of refs) {
      // What an anchor or the `$id` of a schema names may be any of those that have one.
      const targets = [
        resolve(before, ref) ?? identified,
        resolve(after, ref) ?? (isKept ? identified : identifiedAfter),
      ]
      if (targets[0] !== targets[1]) found.push(ref)
      for (const inner of new Set(targets.flatMap((target) => refsIn(target)))) {
        const users = usedBy.get(inner)
        if (users === undefined) usedBy.set(inner, [ref])
        else users.push(ref)
      }
    }
    const all = new Set(found)
    for (const ref of all) for (const user of usedBy.get(ref) ?? []) all.add(user) // grows while it is read
    return all
  }
}

/** The schemas with an identifier, each once. */
function identifiedIn(value: unknown, seen = new Set<unknown>()): readonly unknown[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const isIdentified =
    isObject(value) && ['$id', '$anchor', '$dynamicAnchor'].some((key) => typeof value[key] === 'string')
  return [...(isIdentified ? [value] : []), ...Object.values(value).flatMap((inner) => identifiedIn(inner, seen))]
}

/** Creates the function that lists the references in a value. Each object is read once. */
function createRefsIn(): (value: unknown) => readonly string[] {
  const lists = new Map<object, readonly string[]>()
  return refsIn

  function refsIn(value: unknown): readonly string[] {
    if (typeof value !== 'object' || value === null) return []
    const known = lists.get(value)
    if (known !== undefined) return known
    const refs = new Set(Object.values(value).flatMap((inner) => refsIn(inner)))
    for (const ref of isObject(value) ? [value['$ref'], value['$dynamicRef']] : [])
      if (typeof ref === 'string') refs.add(ref)
    if (isObject(value) && typeof value['propertyName'] === 'string' && isObject(value['mapping']))
      for (const target of Object.values(value['mapping'])) refs.add(schemaRef(String(target)))
    const list = [...refs]
    lists.set(value, list)
    return list
  }
}
