// A route file's text: where it declares a version.
import type { CallExpression } from 'oxc-parser'
import { UsageError } from '../output.ts'
import { type Node, dottedName, walk } from '../syntax/nodes.ts'
import { type SourceFile, lineAt, parseFile } from '../syntax/parse.ts'

/** Parses a route file. `name` is the file as messages show it. */
export function readRouteSource(path: string, name: string): SourceFile {
  const file = parseFile(path)
  if ('why' in file) throw new UsageError(`${name}:${file.line} can't be read: ${file.why}`)
  return file
}

/** Whether a node calls a helper: `version(…)`, or `hv.version(…)`. */
export const isCallOf = (node: Node, helper: string): node is CallExpression =>
  node.type === 'CallExpression' && dottedName(node.callee)?.replace(/^\w+\./, '') === helper

/** Whether a node is `version(n, …)`. */
export function isVersion(node: Node, version: number): node is CallExpression {
  const [number] = isCallOf(node, 'version') ? node.arguments : []
  return number?.type === 'Literal' && number.value === version
}

/** The calls of a helper, in the file's order. */
export function callsOf({ program }: SourceFile, helper: string): readonly CallExpression[] {
  const calls: CallExpression[] = []
  walk(program, (node) => {
    if (isCallOf(node, helper)) calls.push(node)
  })
  return calls
}

/** The lines of a version's `version(n, …)`. None if the number isn't written there. */
export const versionLines = (
  file: SourceFile,
  version: number,
): readonly { readonly first: number; readonly last: number }[] =>
  callsOf(file, 'version')
    .filter((call) => isVersion(call, version))
    .map(({ start, end }) => ({ first: lineAt(file.text, start), last: lineAt(file.text, end) }))
