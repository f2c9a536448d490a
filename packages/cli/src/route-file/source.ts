import type MagicString from 'magic-string'
import type { CallExpression } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { type Node, dottedName, walk } from '../syntax/nodes.ts'
import { type SourceFile, parseFile, placeOf } from '../syntax/parse.ts'
import { styleOf } from '../syntax/style.ts'

/** A route file to edit. */
export interface RouteSource extends SourceFile {
  /** The file as messages show it. */
  readonly name: string
}

export function readRouteSource(path: string, name: string): RouteSource {
  const file = parseFile(path)
  if ('why' in file) throw new UsageError(`${name}:${file.place.line} ${file.why}`)
  return { ...file, name }
}

/** Whether a node is a call of a helper: `version(…)`, or `hv.version(…)`. */
export const isCallOf = (node: Node, helper: string): node is CallExpression =>
  node.type === 'CallExpression' &&
  new RegExp(`^(?:\\w+\\.)?${helper}$`).test(dottedName(node.callee))

/** Whether a node is `version(n, …)`. */
export function isVersion(node: Node, version: number): node is CallExpression {
  const [number] = isCallOf(node, 'version') ? node.arguments : []
  return number?.type === 'Literal' && number.value === version
}

/** The calls of a helper, in the order of the file. */
export function callsOf({ program }: RouteSource, helper: string): readonly CallExpression[] {
  const calls: CallExpression[] = []
  walk(program, (node) => {
    if (isCallOf(node, helper)) calls.push(node)
  })
  return calls
}

export const versionCalls = (source: RouteSource, version: number): readonly CallExpression[] =>
  callsOf(source, 'version').filter((call) => isVersion(call, version))

/** `file:line` of a node. */
export const whereIs = (source: RouteSource, node: Node | undefined): string =>
  node === undefined ? source.name : `${source.name}:${placeOf(source, node).line}`

/** Code as the file would write it: with its quotes, and with its name for a module of helpers. Imports the helpers that it lacks. */
export function writtenIn(source: RouteSource, text: MagicString, code: string): string {
  const call = [...callsOf(source, 'api'), ...callsOf(source, 'version')].at(-1)
  const [prefix] = /^\w+\./.exec(call === undefined ? '' : dottedName(call.callee)) ?? []
  const quoted = code.replaceAll("'", styleOf([source.text]).quote)
  const helper = /\w+(?=\()/g
  if (prefix !== undefined) return quoted.replace(helper, `${prefix}$&`)
  const imported = importOfHelpers.exec(source.text)
  const names: readonly string[] = imported?.[1]!.match(/\w+/g) ?? []
  const missing = code.match(helper)!.filter((name) => !names.includes(name))
  if (imported === null)
    throw new UsageError(
      `${source.name} does not import ${missing[0]} from '@hv/router'. Import it, and try again.`,
    )
  text.appendLeft(imported.indices![1]![1], missing.map((name) => `, ${name}`).join(''))
  return quoted
}

const importOfHelpers =
  /(?:import|const|let|var)\s*\{([^}]*?),?\s*\}\s*(?:from|=\s*require\()\s*['"]@hv\/router['"]/d

/** `inherit({ from: 'v1' })` */
export function inheritCall(caches: readonly string[]): string {
  const quoted = caches.map((name) => `'${name}'`)
  return `inherit({ from: ${quoted.length === 1 ? quoted[0] : `[${quoted.join(', ')}]`} })`
}

/** `version(2, cache({ as: 'v2' }, inherit({ from: 'v1' })))`: with a cache, which the version after it can inherit. */
export const versionCall = (number: number, caches: readonly string[]): string =>
  `version(${number}, cache({ as: 'v${number}' }, ${inheritCall(caches)}))`
