import MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { type SourceFile, SyntaxFault, parseFile, placeOf } from '../syntax/parse.ts'
import { styleOf } from '../syntax/style.ts'
import { walk } from '../syntax/walk.ts'
import { type CoreNames, coreNames } from './core-names.ts'
import { versionCall } from './inheritance.ts'
import { type RouteFile, versionNumbers } from './route-file.ts'

/**
 * The text of a route file with one more version, right below the one before.
 *
 * @param name the file as messages show it
 * @throws UsageError when the file does not write its versions in a way that can be extended
 */
export function addVersion(
  routeFile: RouteFile,
  name: string,
  base: number,
  next: number,
  caches: readonly string[],
): string {
  const source = parse(routeFile.path, name)
  const core = coreNames(source)
  if (versionNumbers(routeFile).includes(next)) {
    const declared = findVersion(source, core, routeFile, next)
    const at = declared === null ? name : `${name}:${placeOf(source, declared.items[declared.index]!).line}`
    throw new UsageError(`${at} declares version ${next} already. Run bump without --routes.`)
  }
  const place = findVersion(source, core, routeFile, base)
  if (place === null)
    throw new UsageError(
      `${name} has no version(${base}, …) to write version ${next} below. Run bump without --routes.`,
    )
  const text = new MagicString(source.text)
  const helper = (wanted: string): string => {
    const local = core.nameOf(wanted)
    if (local !== null) return local
    if (core.lastImported === null)
      throw new UsageError(
        `${name} does not import from '@hv/router' in a way that bump can extend by ${wanted}. Run bump without --routes.`,
      )
    text.appendLeft(core.lastImported.end, `, ${wanted}`)
    return wanted
  }
  const { quote } = styleOf(source)
  insertAfter(text, source, place, versionCall(next, caches, { nameOf: helper, quote }))
  return text.toString()
}

function parse(path: string, name: string): SourceFile {
  try {
    return parseFile(path)
  } catch (error) {
    if (error instanceof SyntaxFault) throw new UsageError(`${name}:${error.place.line} ${error.message}`)
    throw error
  }
}

/** One of the arguments of a call, or of the elements of an array. */
interface Listed {
  readonly list: Node
  readonly items: readonly Node[]
  readonly index: number
}

/** `version(n, …)` among the arguments of a call or in an array; else the argument of `api()` that is the version. */
function findVersion(source: SourceFile, core: CoreNames, { versions }: RouteFile, base: number): Listed | null {
  let written: Listed | null = null
  let counted: Listed | null = null
  const position = versions.findLastIndex(({ number }) => number === base) + 1 // after the options
  walk(source.program, (list) => {
    const items = list.type === 'CallExpression' ? list.arguments : list.type === 'ArrayExpression' ? list.elements : []
    const present = items.filter((item) => item !== null)
    const index = present.findLastIndex((item) => {
      if (!core.isCallOf(item, 'version')) return false
      const [number] = item.arguments
      return number?.type === 'Literal' && number.value === base
    })
    if (index >= 0) written = { list, items: present, index }
    const isWhole = present.length === versions.length + 1 && present.every(({ type }) => type !== 'SpreadElement')
    if (core.isCallOf(list, 'api') && isWhole && position > 0) counted = { list, items: present, index: position }
  })
  return written ?? counted
}

/** Writes an item after another one: on a line of its own when that one is, after a comment that ends its line. */
function insertAfter(text: MagicString, source: SourceFile, { list, items, index }: Listed, written: string): void {
  const item = items[index]!
  const lineStart = source.text.lastIndexOf('\n', item.start) + 1
  const before = source.text.slice(lineStart, item.start)
  const isOnOwnLine = before.trim() === ''
  const comma = commaBetween(source, item.end, items[index + 1]?.start ?? list.end - 1)
  if (comma === null) text.appendLeft(item.end, ',')
  const end = comma === null ? item.end : comma + 1
  const separator = isOnOwnLine ? styleOf(source).newline + before : ' '
  text.appendLeft(isOnOwnLine ? endOfComments(source, end) : end, separator + written + (comma === null ? '' : ','))
}

function commaBetween({ text, comments }: SourceFile, start: number, end: number): number | null {
  for (let at = text.indexOf(',', start); at >= 0 && at < end; at = text.indexOf(',', at + 1))
    if (!comments.some((comment) => comment.start <= at && at < comment.end)) return at
  return null
}

/** Where the comments end that follow on the same line. */
function endOfComments({ text, comments }: SourceFile, start: number): number {
  let end = start
  for (const comment of comments)
    if (comment.start >= end && /^[^\S\n]*$/.test(text.slice(end, comment.start))) end = comment.end
  return end
}
