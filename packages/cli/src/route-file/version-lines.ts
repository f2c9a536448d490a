import { type Node, walk } from '../syntax/nodes.ts'
import { parseFile } from '../syntax/parse.ts'
import { isVersion } from './source.ts'

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** Where a route file calls `version(n, …)`. Empty if its number isn't a literal there. */
export function linesOfVersion(path: string, version: number): readonly Lines[] {
  const file = parseFile(path)
  if ('why' in file) return []
  const calls: Node[] = []
  walk(file.program, (node) => {
    if (isVersion(node, version)) calls.push(node)
  })
  const lineAt = (offset: number): number => file.text.slice(0, offset).split('\n').length
  return calls.map(({ start, end }) => ({ from: lineAt(start), to: lineAt(end) }))
}
