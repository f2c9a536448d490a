// The names and kinds of a file's own exports. No other file is read, and nothing is run.
import type { Class } from 'oxc-parser'
import type { ExportKind } from '@hv/router/controllers'
import { type Node, dottedName, withoutTypes } from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'

/** A file's exports, as far as its text shows them. Nothing is run, and no import is followed. */
export interface FileExports {
  /** `module`: `export …`, `commonjs`: `module.exports = …`, `assignment`: `export = …` */
  readonly syntax: 'module' | 'commonjs' | 'assignment'
  /** By name. What `module.exports` and `export =` export is also called `default`. */
  readonly kinds: ReadonlyMap<string, ExportKind>
  /** The members of `module.exports`. */
  readonly kindsInDefault: ReadonlyMap<string, ExportKind>
  readonly classes: ReadonlyMap<string, Class>
  /** Whether it also has exports that aren't listed here: types, and `export * from '…'`. */
  readonly hasMore: boolean
}

/**
 * Values by name. Null if the file's text doesn't show the value, because it's imported or taken
 * from an object: `export const { users } = controllers`.
 */
type Values = ReadonlyMap<string, Node | null>

export function exportsOf(file: SourceFile): FileExports {
  const { program, module, path } = file
  const declarations = declarationsIn(program.body)
  const assignment = program.body.find((node) => node.type === 'TSExportAssignment')
  if (assignment !== undefined) {
    const values = new Map([['default', valueOf(assignment.expression, declarations)]])
    return describe('assignment', values)
  }
  const isModule = program.body.some(({ type }) => type.startsWith('Export'))
  if (!isModule && !/\.m[jt]s$/.test(path)) return commonJsExports(file, declarations)

  const values = new Map<string, Node | null>()
  let hasMore = false
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    const name = entry.exportName.kind === 'Default' ? 'default' : entry.exportName.name
    const value = declarations.get(entry.localName.name ?? '') ?? null
    if (name === null || entry.isType || isTypeDeclaration(value)) hasMore = true
    else values.set(name, value)
  }
  const main = program.body.find((node) => node.type === 'ExportDefaultDeclaration')
  if (main !== undefined && values.has('default'))
    values.set('default', valueOf(main.declaration, declarations))
  return describe('module', values, new Map(), hasMore)
}

/**
 * Reads `module.exports = …`, `exports.users = …` and `module.exports.users = …`, outside of
 * functions.
 */
function commonJsExports({ program }: SourceFile, declarations: Values): FileExports {
  const members = new Map<string, Node | null>()
  let whole: Node | null | undefined
  for (const statement of program.body) {
    if (statement.type !== 'ExpressionStatement') continue
    const targets: string[] = []
    let expression: Node = statement.expression
    while (expression.type === 'AssignmentExpression' && expression.operator === '=') {
      targets.push((dottedName(expression.left) ?? '').replace(/^module\.exports/, 'exports'))
      expression = expression.right
    }
    const value = valueOf(expression, declarations)
    for (const target of targets) {
      if (target === 'exports') whole = value
      const [, name] = /^exports\.(.+)$/.exec(target) ?? []
      if (name !== undefined) members.set(name, value)
    }
  }
  if (whole?.type === 'ObjectExpression')
    for (const property of whole.properties)
      if (property.type === 'Property' && property.key.type === 'Identifier' && !property.computed)
        members.set(property.key.name, valueOf(property.value, declarations))
  if (whole !== undefined && whole?.type !== 'ObjectExpression')
    return describe('commonjs', new Map([['default', whole]]))
  return describe('commonjs', new Map(), members)
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

function describe(
  syntax: FileExports['syntax'],
  values: Values,
  members: Values = new Map(),
  hasMore = false,
): FileExports {
  const kinds = new Map([...values].map(([name, value]) => [name, kindOf(value)]))
  const kindsInDefault = new Map([...members].map(([name, value]) => [name, kindOf(value)]))
  if (members.size > 0) kinds.set('default', kindOfObject(kindsInDefault))
  const classes = new Map<string, Class>()
  for (const [name, value] of [...members, ...values])
    if (value?.type === 'ClassDeclaration' || value?.type === 'ClassExpression')
      classes.set(name, value)
  return { syntax, kinds, kindsInDefault, classes, hasMore }
}

/**
 * Returns a value's kind. For a call, such as `createUsers()`, it's a guess, because only running
 * the file would tell.
 */
function kindOf(value: Node | null): ExportKind {
  switch (value?.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return 'class'
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return 'function'
    case 'ObjectExpression': {
      const kinds = new Map<string, ExportKind>()
      for (const property of value.properties)
        if (property.type === 'Property' && property.key.type === 'Identifier')
          kinds.set(property.key.name, kindOf(withoutTypes(property.value)))
        else kinds.set('...', 'action')
      return kindOfObject(kinds)
    }
    case undefined:
    case 'Identifier':
    case 'AwaitExpression':
    case 'CallExpression':
      return 'action'
    default:
      return 'other'
  }
}

function kindOfObject(members: ReadonlyMap<string, ExportKind>): ExportKind {
  if (members.get('handler') === 'function') return 'action'
  return [...members.values()].some((kind) => kind === 'function' || kind === 'action')
    ? 'object'
    : 'other'
}
