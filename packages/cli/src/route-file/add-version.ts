import MagicString from 'magic-string'
import { Visitor } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { type Node, dottedName } from '../syntax/nodes.ts'
import { type SourceFile, parseFile } from '../syntax/parse.ts'
import type { RouteFile } from './route-file.ts'
import { callsOf, isCallOf, isVersion } from './source.ts'

/** `version(2, inherit({ from: 1 }))` */
export const versionCall = (version: number, prefix = ''): string =>
  `${prefix}version(${version}, ${prefix}inherit({ from: ${version - 1} }))`

/** A route file's text with the version after `base`, right below it. */
export function addVersion(routeFile: RouteFile, base: number): string {
  const { path, name } = routeFile
  const file = parseFile(path)
  if ('why' in file) throw new UsageError(`${name}:${file.line} can't be read: ${file.why}`)
  const item = findItem(file, routeFile, base)
  if (item === null)
    throw new UsageError(`${name} has no version(${base}, …) in a list of versions`)
  const text = new MagicString(file.text)
  const call = versionCall(base + 1, importHelpers(file, text, name))
  const lineStart = /.*$/.exec(file.text.slice(0, item.start))![0]
  const lineEnd = /^(\s*,)?([^\S\n]*(?:\/\/.*|\/\*.*?\*\/))?(?=[^\S\n]*(?:\r?\n|$))/.exec(
    file.text.slice(item.end),
  )
  if (lineStart.trim() !== '' || lineEnd === null) {
    text.appendLeft(item.end, `, ${call}`)
    return text.toString()
  }
  // The version doesn't share its lines with others, so the next version goes on the line below,
  // after any comment.
  const [rest, comma = '', comment = ''] = lineEnd
  const added = `,${comment}${file.newline}${lineStart}${call}${comma.trim()}`
  if (rest === '') text.appendLeft(item.end, added)
  else text.overwrite(item.end, item.end + rest.length, added)
  return text.toString()
}

/**
 * Finds a version among `api()`'s arguments or in an array. It's a call of `version(n, …)`, or a
 * variable as the last argument: `api(options, v1, v2)`.
 */
function findItem({ program }: SourceFile, { settings }: RouteFile, version: number): Node | null {
  let item: Node | null = null
  const findCall = (items: readonly (Node | null)[]) =>
    items.findLast((node) => node !== null && isVersion(node, version))
  const visitor = new Visitor({
    ArrayExpression({ elements }) {
      item = findCall(elements) ?? item
    },
    CallExpression(call) {
      if (!isCallOf(call, 'api')) return
      const last = call.arguments.at(-1)
      const isLast = last?.type === 'Identifier' && settings.versions.at(-1) === version
      item = findCall(call.arguments) ?? (isLast ? last : item)
    },
  })
  visitor.visit(program)
  return item
}

/**
 * Imports the helpers that the file doesn't have yet, and returns `''`. If the file imports all
 * helpers under one name (`import * as hv`), there's nothing to add, and it returns `hv.`.
 */
function importHelpers(file: SourceFile, text: MagicString, name: string): string {
  const call = [...callsOf(file, 'api'), ...callsOf(file, 'version')].at(-1)
  const [prefix] = /^\w+\./.exec((call && dottedName(call.callee)) ?? '') ?? []
  if (prefix !== undefined) return prefix
  const imported =
    /(?:import|const|let|var)\s*\{([^}]*?),?\s*\}\s*(?:from|=\s*require\()\s*['"]@hv\/router['"]/d.exec(
      file.text,
    )
  if (imported === null) throw new UsageError(`${name} doesn't import version from '@hv/router'`)
  const names: readonly string[] = imported[1]!.match(/\w+/g) ?? []
  const missing = ['version', 'inherit'].filter((helper) => !names.includes(helper))
  text.appendLeft(imported.indices![1]![1], missing.map((helper) => `, ${helper}`).join(''))
  return ''
}
