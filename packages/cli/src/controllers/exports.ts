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
  /** For CommonJS, at most `default`: what's assigned to `module.exports`. */
  readonly values: Values
  /** Whether it also has exports that aren't listed here: types, and `export * from '…'`. */
  readonly hasMore: boolean
}

export function exportsOf({ program, module, path }: SourceFile): FileExports {
  const declarations = declarationsIn(program.body)
  const values = new Map<string, Node | null>()
  let syntax: FileExports['syntax'] = /\.m[jt]s$/.test(path) ? 'module' : 'commonjs'
  let hasMore = false
  for (const node of program.body) {
    if (node.type === 'TSExportAssignment') return { syntax: 'assignment', values, hasMore }
    if (node.type.startsWith('Export')) syntax = 'module'
    if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const { left, right } = node.expression
      if (dottedName(left) === 'module.exports') values.set('default', valueOf(right, declarations))
    }
  }
  if (syntax === 'commonjs') return { syntax, values, hasMore }

  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    const name = entry.exportName.kind === 'Default' ? 'default' : entry.exportName.name
    const value = declarations.get(entry.localName.name ?? '') ?? null
    if (name === null || entry.isType || isTypeDeclaration(value)) hasMore = true
    else values.set(name, value)
  }
  const main = program.body.find((node) => node.type === 'ExportDefaultDeclaration')
  if (main !== undefined && values.has('default'))
    values.set('default', valueOf(main.declaration, declarations))
  return { syntax, values, hasMore }
}

/** Lists the values that a file declares at its top level. */
function declarationsIn(statements: readonly Node[]): Values {
  const declarations = new Map<string, Node | null>()
  for (const statement of statements) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier') declarations.set(id.name, init && withoutTypes(init))
    } else if (declaration !== null && 'id' in declaration) {
      const name = declaration.id?.type === 'Identifier' ? declaration.id.name : ''
      // An interface can have the same name as a value.
      if (!isTypeDeclaration(declaration) || !declarations.has(name))
        declarations.set(name, declaration)
    }
  }
  return declarations
}

const isTypeDeclaration = (node: Node | null): boolean =>
  node?.type === 'TSInterfaceDeclaration' || node?.type === 'TSTypeAliasDeclaration'

function valueOf(expression: Node, declarations: Values): Node | null {
  const value = withoutTypes(expression)
  return value.type === 'Identifier' ? (declarations.get(value.name) ?? null) : value
}
