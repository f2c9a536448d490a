import type { Node } from 'oxc-parser'
import { nameOf } from '../../modules/scope.ts'

/** A statement that imports a file: exported name → local name. `*` is the whole module. */
export interface ImportOf {
  readonly statement: Node
  readonly from: string
  readonly source: Node
  readonly names: ReadonlyMap<string, string>
  /** `export * from`, without names, or `export { name } from`: what the file exports is exported again. */
  readonly reexports: boolean
}

/** What a top-level statement imports; null when it imports nothing. */
export function importIn(statement: Node): ImportOf | null {
  if (statement.type === 'ExportAllDeclaration' && statement.exported === null) {
    const { source } = statement
    return { statement, from: source.value, source, names: new Map(), reexports: true }
  }
  if (statement.type === 'ExportNamedDeclaration' && statement.source !== null) {
    const { source, specifiers } = statement
    const names = specifiers.map(({ local, exported }): [string, string] => [nameOf(local), nameOf(exported)])
    if (names.some(([local, exported]) => local !== exported)) return null
    return { statement, from: source.value, source, names: new Map(names), reexports: true }
  }
  if (statement.type === 'ImportDeclaration') {
    const names = statement.specifiers.map((one): [string, string] => {
      if (one.type === 'ImportSpecifier') return [nameOf(one.imported), one.local.name]
      return [one.type === 'ImportDefaultSpecifier' ? 'default' : '*', one.local.name]
    })
    const { source } = statement
    return { statement, from: source.value, source, names: new Map(names), reexports: false }
  }
  if (
    statement.type === 'TSImportEqualsDeclaration' &&
    statement.moduleReference.type === 'TSExternalModuleReference'
  ) {
    const source = statement.moduleReference.expression
    return { statement, from: source.value, source, names: new Map([['*', statement.id.name]]), reexports: false }
  }
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return null
  const { id, init } = statement.declarations[0]!
  const source = requiredBy(init)
  if (source === null) return null
  const from = String((source as { value?: unknown }).value)
  if (id.type === 'Identifier') return { statement, from, source, names: new Map([['*', id.name]]), reexports: false }
  if (id.type !== 'ObjectPattern') return null
  const names = new Map<string, string>()
  for (const property of id.properties) {
    if (property.type !== 'Property' || property.value.type !== 'Identifier') return null
    names.set(nameOf(property.key), property.value.name)
  }
  return { statement, from, source, names, reexports: false }
}

/** The text in `require('…')`. */
function requiredBy(node: Node | null): Node | null {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return null
  const [specifier] = node.arguments
  return specifier?.type === 'Literal' && typeof specifier.value === 'string' ? specifier : null
}
