// Small helpers for JSON values and JSON Pointers, which everything else here uses.

/** A JSON object of unknown content: a document, a part of it, or a schema. */
export type Json = Readonly<Record<string, unknown>>

/** A part of a document. */
export interface Node {
  readonly document: Json
  /** JSON Pointer into the document. Null if the document doesn't have the part. */
  readonly pointer: string | null
  /** The value, with references followed. Empty if there's none. */
  readonly value: Json
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two JSON values are equal. The order of keys counts, unless both are interned. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : []

/** The items of each key, in their order. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** @example GET /a, GET /b, GET /c and 4 more */
export function abridged<Item>(
  items: readonly Item[],
  max: number,
  textOf: (item: Item) => string,
): string {
  const texts = items.slice(0, max).map(textOf).join(', ')
  return items.length > max ? `${texts} and ${items.length - max} more` : texts
}

/** The steps of a JSON Pointer (RFC 6901): `/a~1b/0` has `a/b` and `0`. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The JSON Pointer with these steps. */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Undoes a `$ref`'s percent-encoding. A text with an invalid escape stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
