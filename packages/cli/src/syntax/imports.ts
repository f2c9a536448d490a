import { type Node, walk } from './nodes.ts'
import type { SourceFile } from './parse.ts'

/** An import or `require` of another file. The node is the quoted specifier. */
export interface Import {
  readonly specifier: string
  readonly node: Node
}

/** The files of its project that a file imports or requires, in its order: relative paths, and `@/` and the like. */
export function localImports(file: SourceFile): readonly Import[] {
  const found: Import[] = []
  walk(file.program, (node) => {
    const source = sourceOf(node)
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    if (/^(?:\.\.?|[@~#])\//.test(source.value)) found.push({ specifier: source.value, node: source })
  })
  return found
}

function sourceOf(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source
    case 'TSExternalModuleReference':
      return node.expression
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require' ? node.arguments[0] : null
    default:
      return null
  }
}
