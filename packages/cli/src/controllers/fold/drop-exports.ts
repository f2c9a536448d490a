import type MagicString from 'magic-string'
import type { Class, ExportDefaultDeclaration, Expression, Node } from 'oxc-parser'
import { nameOf } from '../../modules/scope.ts'
import { type SourceFile, placeOf } from '../../syntax/parse.ts'
import { CannotFold } from './cannot-fold.ts'
import { endOfLine } from './end-of-line.ts'

/**
 * Turns the exports of a file into plain declarations.
 *
 * @param wanted - the exports that are used: exported name → the local name that they need
 * @returns top-level name → the name that it needs
 */
// oxlint-disable-next-line max-lines-per-function -- short functions that share the text
export function dropExports(
  file: SourceFile,
  text: MagicString,
  wanted: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>()
  const found = new Set<string>()
  const use = (exported: string, name: string): void => {
    found.add(exported)
    const local = wanted.get(exported)
    if (local !== undefined) renames.set(name, local)
  }
  const remove = ({ start, end }: Node): unknown => text.remove(start, endOfLine(file.text, end))

  for (const statement of file.program.body) {
    if (statement.type === 'ExportNamedDeclaration') dropNamed(statement)
    else if (statement.type === 'ExportDefaultDeclaration') dropDefault(statement)
    else if (statement.type === 'TSExportAssignment') dropWhole(statement, statement.expression)
    else if (statement.type === 'ExportAllDeclaration')
      throw new CannotFold('it re-exports another file', placeOf(file, statement))
    else if (statement.type === 'ExpressionStatement') {
      if ('directive' in statement && statement.directive) remove(statement)
      dropAssignment(statement, statement.expression)
    }
  }
  const missing = [...wanted.keys()].find((name) => !found.has(name))
  if (missing !== undefined)
    throw new CannotFold(`it does not show how it exports ${missing}`, placeOf(file, file.program))
  return renames

  function dropNamed(statement: Node & { type: 'ExportNamedDeclaration' }): void {
    const { declaration, specifiers, source } = statement
    if (source !== null) throw new CannotFold('it re-exports another file', placeOf(file, statement))
    if (declaration === null) {
      for (const { local, exported } of specifiers) use(nameOf(exported), nameOf(local))
      remove(statement)
      return
    }
    text.remove(statement.start, declaration.start)
    const names =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id }) => nameOf(id))
        : 'id' in declaration && declaration.id !== null
          ? [nameOf(declaration.id)]
          : []
    for (const name of names) use(name, name)
  }

  function dropDefault(statement: ExportDefaultDeclaration): void {
    const { declaration } = statement
    const local = wanted.get('default')
    if (declaration.type !== 'ClassDeclaration' && declaration.type !== 'FunctionDeclaration')
      return dropExpression('default', statement, declaration as Expression)
    text.remove(statement.start, declaration.start)
    if (declaration.id !== null) return use('default', declaration.id.name)
    found.add('default')
    const isFunction = declaration.type === 'FunctionDeclaration'
    const { abstract = false, decorators = [] } = declaration as Partial<Class>
    if (local === undefined || abstract || decorators.length > 0)
      throw new CannotFold('its default export has no name', placeOf(file, statement))
    if (isFunction) text.appendLeft(declaration.start, `const ${local} = `)
    else text.appendLeft(declaration.start + 'class'.length, ` ${local}`)
  }

  /** `export default value`, `module.exports = value`: a constant, unless the value has a name. */
  function dropExpression(exported: string, statement: Node, value: Node): void {
    if (value.type === 'Identifier') {
      use(exported, value.name)
      remove(statement)
      return
    }
    found.add(exported)
    const local = wanted.get(exported)
    if (local === undefined) remove(statement)
    else text.overwrite(statement.start, value.start, `const ${local} = `)
  }

  /** `module.exports = { A, B: C }` exports names, unless the whole object is used. */
  function dropWhole(statement: Node, value: Node): void {
    if (wanted.has('*') || value.type !== 'ObjectExpression') return dropExpression('*', statement, value)
    for (const property of value.properties) {
      if (property.type !== 'Property' || property.value.type !== 'Identifier')
        throw new CannotFold('it exports a value without a name', placeOf(file, property))
      use(nameOf(property.key), property.value.name)
    }
    remove(statement)
  }

  function dropAssignment(statement: Node, expression: Node): void {
    if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return
    const { left, right } = expression
    if (isModuleExports(left)) return dropWhole(statement, right)
    const { object } = left
    const isExports = isModuleExports(object) || (object.type === 'Identifier' && object.name === 'exports')
    if (isExports && !left.computed) dropExpression(nameOf(left.property), statement, right)
  }
}

const isModuleExports = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  !node.computed &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  nameOf(node.property) === 'exports'
