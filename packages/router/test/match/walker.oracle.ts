// The walker of the trie with objects instead of arrays: what `findPathMatches` does, without its speed.
import type { Api } from '../../src/index.ts'
import type { Formats } from '../../src/declare/settings.ts'
import { isFormat, segmentsOf } from '../../src/match/path.ts'

interface Node {
  readonly children: Map<string, Node>
  param: Node | null
  glob: Node | null
  pattern: string | null
}
export type Found = readonly [pattern: string, values: readonly string[], extension: string | null]

const createNode = (): Node => ({ children: new Map(), param: null, glob: null, pattern: null })

export function createTree(api: Api): Node {
  const root = createNode()
  for (const { pattern } of api.table.flatMap(({ routes }) => routes)) {
    let node = root
    for (const { text, kind } of segmentsOf(pattern)) {
      if (kind === 'param') node = node.param ??= createNode()
      else if (kind === 'glob') node = node.glob ??= createNode()
      else node = node.children.get(text) ?? node.children.set(text, createNode()).get(text)!
    }
    node.pattern ??= pattern
  }
  return root
}

/** Follows the segments of a path from a node, as do `values` up to it. Static children come before the parameter and the glob. */
export function walk(
  node: Node,
  segments: readonly string[],
  formats: Formats,
  values: readonly string[] = [],
): Found[] {
  const end = (
    at: Node | null | undefined,
    extension: string | null,
    ...value: string[]
  ): Found[] => (at?.pattern == null ? [] : [[at.pattern, [...values, ...value], extension]])
  const isValue = (text: string): boolean =>
    text !== '' && (formats !== 'any' || !text.includes('.'))
  const [segment, ...rest] = segments
  if (segment === undefined) return end(node, null)

  const [all, allExtension] = split(segments.join('/'), formats)
  const glob = segments.includes('') ? [] : end(node.glob, allExtension, all)
  if (rest.length > 0) {
    const child = node.children.get(segment)
    const below = child === undefined ? [] : walk(child, rest, formats, values)
    const param =
      node.param !== null && isValue(segment)
        ? walk(node.param, rest, formats, [...values, segment])
        : []
    return [...below, ...param, ...glob]
  }
  const [stem, extension] = split(segment, formats, 0)
  const whole = end(node.children.get(segment), null)
  const withoutExtension = extension === null ? [] : end(node.children.get(stem), extension)
  return [
    ...whole,
    ...withoutExtension,
    ...(isValue(stem) ? end(node.param, extension, stem) : []),
    ...glob,
  ]
}

/** Splits off the extension. A name that starts with its only dot is a name: `.env`. */
function split(
  text: string,
  formats: Formats,
  least = 1,
): [stem: string, extension: string | null] {
  const dot = text.lastIndexOf('.')
  const isExtension =
    dot - text.lastIndexOf('/') > least && isFormat(formats, text, dot + 1, text.length)
  return isExtension ? [text.slice(0, dot), text.slice(dot + 1)] : [text, null]
}
