import type { Formats } from '../declare/settings.ts'
import { type Entry, type Trie, childOf, endpointAt, endpointsAt, entryOf, isPlace } from './trie.ts'

/** Where a path ends in the trie. */
export interface Place {
  readonly node: number
  /** Raw values of the params, in the order of the path. */
  readonly values: readonly string[]
  readonly extension: string | null
}

export type { Formats }

/** Every place that the path leads to, in order of preference. Empty: no version knows it. */
export function locate(trie: Trie, url: string, formats: Formats): readonly Place[] {
  const places: Place[] = []
  const query = url.indexOf('?')
  let end = query < 0 ? url.length : query
  if (end > 2 && url[end - 1] === '/') end-- // one slash at the end
  if (url.startsWith('/')) {
    if (end === 1) arrive(0, [], null)
    else walk(0, 1, [])
  }
  return places

  function walk(node: number, from: number, values: readonly string[]): void {
    const slash = url.indexOf('/', from)
    if (slash < 0 || slash >= end) return finish(node, from, values)
    const child = childOf(trie, node, url, from, slash)
    if (child !== 0) walk(child, slash + 1, values)
    const param = trie.params[node]!
    if (param !== 0 && isValue(from, slash)) walk(param, slash + 1, [...values, url.slice(from, slash)])
  }

  /** The last segment: whole, then without its extension. */
  function finish(node: number, from: number, values: readonly string[]): void {
    const dot = url.lastIndexOf('.', end - 1)
    const extension = dot < from ? '' : url.slice(dot + 1, end)
    const hasExtension = isFormat(extension, formats)
    const stem = hasExtension ? dot : end
    const whole = childOf(trie, node, url, from, end)
    if (whole !== 0) arrive(whole, values, null)
    const child = hasExtension ? childOf(trie, node, url, from, stem) : 0
    if (child !== 0) arrive(child, values, extension)
    const param = trie.params[node]!
    if (param !== 0 && isValue(from, stem))
      arrive(param, [...values, url.slice(from, stem)], hasExtension ? extension : null)
  }

  function arrive(node: number, values: readonly string[], extension: string | null): void {
    if (!isPlace(trie, node)) return
    const place = { node, values, extension }
    if (!trie.constrained[node] || isOpen(trie, place)) places.push(place)
  }

  /** A param is not empty; it holds dots only where extensions are limited. */
  function isValue(from: number, to: number): boolean {
    return from < to && (formats !== 'any' || !url.slice(from, to).includes('.'))
  }
}

/** An extension that counts. */
export const isFormat = (extension: string, formats: Formats): boolean =>
  formats === 'any' ? extension !== '' : formats !== false && formats.includes(extension)

/** The entry that serves a method in a version, as far as the constraints let the values through. */
export function entryAt(trie: Trie, { node, values }: Place, method: string, version: number): Entry | null {
  let entry = entryOf(trie, endpointAt(trie, node, method), version)
  while (entry !== null && !passes(entry, values)) entry = entry.next
  return entry
}

/** The values let some method of some version through. */
const isOpen = (trie: Trie, place: Place): boolean =>
  endpointsAt(trie, place.node).some((endpoint) =>
    Array.from({ length: trie.versions }, (_, version) => version).some(
      (version) => entryAt(trie, place, trie.methods[endpoint]!, version) !== null,
    ),
  )

/** A value that cannot be decoded passes: that it is malformed is said before anything else. */
const passes = ({ tests }: Entry, values: readonly string[]): boolean =>
  tests === null ||
  tests.every((test, i) => {
    const value = decodeOrNull(values[i]!)
    return test === undefined || value === null || test(value)
  })

export const decode = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)

export const isMalformed = ({ values, extension }: Place): boolean =>
  [...values, extension ?? ''].some((text) => decodeOrNull(text) === null)

function decodeOrNull(text: string): string | null {
  try {
    return decode(text)
  } catch {
    return null
  }
}
