import type { Node } from 'oxc-parser'
import { type SourceFile, placeOf } from './parse.ts'
import { walk } from './walk.ts'

/** The files of its project that a file imports or requires, in its order: relative paths, and `@/` and the like. */
export function localImports({ program }: SourceFile): readonly string[] {
  const found: string[] = []
  walk(program, (node) => {
    const specifier = specifierOf(node)
    if (specifier !== null && /^(?:\.\.?|[@~#])\//.test(specifier)) found.push(specifier)
  })
  return found
}

/** The line of the first import whose specifier is wanted. */
export function lineOf(file: SourceFile, isWanted: (specifier: string) => boolean): number {
  let line = 0
  walk(file.program, (node) => {
    const specifier = specifierOf(node)
    if (line === 0 && specifier !== null && isWanted(specifier)) ({ line } = placeOf(file, node))
  })
  return line
}

function specifierOf(node: Node): string | null {
  const source = sourceOf(node)
  return source?.type === 'Literal' && typeof source.value === 'string' ? source.value : null
}

function sourceOf(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return node.source
    case 'TSExternalModuleReference':
      return node.expression
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require' ? node.arguments[0] : null
    default:
      return null
  }
}
