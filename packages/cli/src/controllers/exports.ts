// The names and values of a file's own exports. No other file is read, and nothing is run.
import { type Node, dottedName, withoutTypes } from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'

/**
 * Values by name. Null if the file's text doesn't show the value, because it's imported or taken
 * from an object: `export const { users } = controllers`.
 */
type Values = ReadonlyMap<string, Node | null>

/** A file's exports, as far as its text shows them. */
export interface FileExports {
  /** `module`: `export …`, `commonjs`: `module.exports = …`, `assignment`: `export = …` */
  readonly syntax: 'module' | 'commonjs' | 'assignment'
  /**
   * For CommonJS, at most `default`: what's assigned to `module.exports`. `*` is for exports
   * without values or names: types, and `export * from '…'`.
   */
  readonly values: Values
}

export function exportsOf({ program, module, path }: SourceFile): FileExports {
  const declarations = declarationsIn(program.body)
  const values = new Map<string, Node | null>()
  let syntax: FileExports['syntax'] = /\.m[jt]s$/.test(path) ? 'module' : 'commonjs'
  for (const node of program.body) {
    if (node.type === 'TSExportAssignment') return { syntax: 'assignment', values }
    if (node.type.startsWith('Export')) syntax = 'module'
    if (
      node.type === 'ExportDefaultDeclaration' &&
      node.declaration.type !== 'TSInterfaceDeclaration'
    )
      values.set('default', valueOf(node.declaration, declarations))
    if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const { left, right } = node.expression
      if (dottedName(left) === 'module.exports') values.set('default', valueOf(right, declarations))
    }
  }
  if (syntax === 'commonjs') return { syntax, values }

  for (const { exportName, localName, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    if (exportName.kind === 'Default') continue
    if (exportName.name === null || isType) values.set('*', null)
    else values.set(exportName.name, declarations.get(localName.name ?? '') ?? null)
  }
  return { syntax, values }
}

/** The variables, classes and functions that a file declares at its top level. */
function declarationsIn(statements: readonly Node[]): Values {
  const declarations = new Map<string, Node>()
  for (const statement of statements) {
    const node = ('declaration' in statement && statement.declaration) || statement
    if (node.type === 'ClassDeclaration' || node.type === 'FunctionDeclaration')
      declarations.set(node.id?.name ?? '', node)
    if (node.type !== 'VariableDeclaration') continue
    for (const { id, init } of node.declarations)
      if (id.type === 'Identifier' && init !== null) declarations.set(id.name, withoutTypes(init))
  }
  return declarations
}

function valueOf(expression: Node, declarations: Values): Node | null {
  const value = withoutTypes(expression)
  return value.type === 'Identifier' ? (declarations.get(value.name) ?? null) : value
}
