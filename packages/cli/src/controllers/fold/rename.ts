import type MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import { namesIn } from '../../modules/scope.ts'
import { type SourceFile, placeOf } from '../../syntax/parse.ts'
import { walk } from '../../syntax/walk.ts'
import { CannotFold } from './cannot-fold.ts'

/**
 * Renames a top-level name of a file wherever the file uses it.
 *
 * @throws CannotFold when an inner scope declares the name too
 */
export function rename(file: SourceFile, text: MagicString, name: string, to: string): void {
  const topLevel = new Set<Node>(file.program.body.map((statement) => declarationOf(statement) ?? statement))
  const keys = new Set<Node>()
  walk(file.program, (node) => {
    if (isExportOfNames(node)) return false
    if (!topLevel.has(node) && innerNames(node, topLevel).includes(name))
      throw new CannotFold(`it declares ${name} more than once`, placeOf(file, node))
    for (const key of keysOf(node)) keys.add(key)
    if (node.type === 'Property' && node.shorthand) {
      keys.add(node.value)
      if (node.key.type !== 'Identifier' || node.key.name !== name) return true
      if (node.value.type !== 'Identifier') throw new CannotFold(`it assigns to ${name}`, placeOf(file, node))
      text.overwrite(node.start, node.end, `${name}: ${to}`)
    }
    if (node.type === 'Identifier' && node.name === name && !keys.has(node))
      text.overwrite(node.start, node.start + name.length, to) // a type annotation may follow
    return true
  })
}

/** `export { a }` and `export default a`: `dropExports` has removed it. */
const isExportOfNames = (node: Node): boolean =>
  (node.type === 'ExportNamedDeclaration' && node.declaration === null) ||
  (node.type === 'ExportDefaultDeclaration' && node.declaration.type === 'Identifier')

/** The declaration that a statement exports; null when it exports none. */
export const declarationOf = (statement: Node): Node | null =>
  statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    ? statement.declaration
    : null

/** The parts of a node that are names of members, not of variables. */
function keysOf(node: Node): readonly Node[] {
  const { computed } = node as { computed?: boolean }
  if (computed === true) return []
  switch (node.type) {
    case 'MemberExpression':
      return [node.property]
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractMethodDefinition':
    case 'TSAbstractPropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return [node.key]
    case 'TSQualifiedName':
      return [node.right]
    case 'ImportSpecifier':
      return [node.imported]
    case 'ExportSpecifier':
      return [node.exported]
    default:
      return []
  }
}

/** The names that a node declares inside the file: parameters, variables of blocks, inner functions and classes. */
function innerNames(node: Node, topLevel: ReadonlySet<Node>): readonly string[] {
  const { params } = node as { params?: unknown }
  const parameters = Array.isArray(params) ? (params as Node[]).flatMap(namesIn) : []
  switch (node.type) {
    case 'VariableDeclaration':
      return topLevel.has(node) ? [] : node.declarations.flatMap(({ id }) => namesIn(id))
    case 'CatchClause':
      return namesIn(node.param)
    case 'TSTypeParameter':
      return [node.name.name]
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return [...parameters, ...(node.id === null ? [] : [node.id.name])]
    default:
      return parameters
  }
}
