// A route file's text: where it declares a version.
import { type CallExpression, Visitor } from 'oxc-parser'
import { type Node, dottedName } from '../syntax/nodes.ts'
import { type SourceFile, lineAt } from '../syntax/parse.ts'

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
  const visitor = new Visitor({
    CallExpression(call) {
      if (isCallOf(call, helper)) calls.push(call)
    },
  })
  visitor.visit(program)
  return calls
}

/**
 * The lines in which a route file calls `version(n, …)`, counted from 1. Empty if its number isn't
 * a literal there.
 */
export function linesOfVersion(file: SourceFile, version: number) {
  const calls = callsOf(file, 'version').filter((call) => isVersion(call, version))
  return calls.map(({ start, end }) => ({
    from: lineAt(file.text, start),
    to: lineAt(file.text, end),
  }))
}
