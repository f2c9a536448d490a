import type { Node } from 'oxc-parser'
import type { SourceFile } from './parse.ts'
import { walk } from './walk.ts'

/** The relative paths that a file imports or requires, in its order. */
export function relativeImports({ program }: SourceFile): readonly string[] {
  const found: string[] = []
  walk(program, (node) => {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('./') || specifier?.startsWith('../')) found.push(specifier)
  })
  return found
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

export const usesRequire = ({ program }: SourceFile): boolean => {
  let found = false
  walk(program, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require')
      found = true
  })
  return found
}
