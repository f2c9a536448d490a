import type { BindingPattern, Class, Function as FunctionNode, Node, TSEnumDeclaration } from 'oxc-parser'
import type { SourceFile } from '../syntax/parse.ts'
import type { Argument, Value } from './value.ts'

/** What a name stands for, as its declaration says. */
export type Binding =
  | { readonly kind: 'import'; readonly from: string; readonly name: string }
  | { readonly kind: 'require'; readonly from: string }
  | { readonly kind: 'declaration'; readonly node: Class | FunctionNode }
  | { readonly kind: 'enum'; readonly node: TSEnumDeclaration }
  /** `path` leads into the value, for `const { a: { b } } = value`. */
  | {
      readonly kind: 'variable'
      readonly init: Node | null
      readonly path: readonly string[]
      readonly isConst: boolean
    }
  | { readonly kind: 'parameter'; readonly value: Argument }
  | { readonly kind: 'unknown'; readonly node: Node }

/** The names that a file, or the body of a function, declares. */
export interface Scope {
  readonly file: SourceFile
  readonly statements: readonly Node[]
  readonly bindings: ReadonlyMap<string, Binding>
  /** Values of bindings that have been read. */
  readonly values: Map<string, Value>
  readonly outer: Scope | null
}

/** Creates the scope of a file or a function from its statements. Parameters count as declarations. */
export const createScope = (
  file: SourceFile,
  statements: readonly Node[],
  outer: Scope | null,
  parameters: ReadonlyMap<string, Binding> = new Map(),
): Scope => ({ file, statements, bindings: bindingsOf(statements, parameters), values: new Map(), outer })

function bindingsOf(
  statements: readonly Node[],
  parameters: ReadonlyMap<string, Binding>,
): ReadonlyMap<string, Binding> {
  const bindings = new Map(parameters)
  for (const statement of statements) for (const [name, binding] of declared(statement)) bindings.set(name, binding)
  return bindings
}

/** The names that a block declares for itself. */
export const namesDeclaredIn = (statements: readonly Node[]): readonly string[] =>
  statements.flatMap((statement) => declared(statement).map(([name]) => name))

function declared(statement: Node): readonly (readonly [string, Binding])[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.flatMap((specifier): readonly (readonly [string, Binding])[] => {
        if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') return []
        const name =
          specifier.type === 'ImportSpecifier'
            ? nameOf(specifier.imported)
            : specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*'
        return [[specifier.local.name, { kind: 'import', from: statement.source.value, name }]]
      })
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return statement.declaration === null ? [] : declared(statement.declaration)
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
      return statement.id === null || statement.declare === true
        ? []
        : [[statement.id.name, { kind: 'declaration', node: statement }]]
    case 'TSEnumDeclaration':
      return [[statement.id.name, { kind: 'enum', node: statement }]]
    case 'TSImportEqualsDeclaration': {
      const { id, moduleReference } = statement
      const binding: Binding =
        moduleReference.type === 'TSExternalModuleReference'
          ? { kind: 'require', from: moduleReference.expression.value }
          : { kind: 'unknown', node: statement }
      return [[id.name, binding]]
    }
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) =>
        inPattern(id, init, [], statement.kind === 'const' || statement.kind.endsWith('using')),
      )
    default:
      return []
  }
}

function inPattern(
  pattern: BindingPattern,
  init: Node | null,
  path: readonly string[],
  isConst: boolean,
): readonly (readonly [string, Binding])[] {
  if (pattern.type === 'Identifier') return [[pattern.name, { kind: 'variable', init, path, isConst }]]
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((property) =>
      property.type === 'Property' && !property.computed
        ? inPattern(property.value, init, [...path, nameOf(property.key)], isConst)
        : [],
    )
  return pattern.type === 'AssignmentPattern' && pattern.left.type === 'Identifier'
    ? [[pattern.left.name, { kind: 'unknown', node: pattern }]]
    : []
}

/** All names that a pattern declares. */
export function namesIn(pattern: Node | null): readonly string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === 'Property' ? property.value : property.argument),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    case 'TSParameterProperty':
      return namesIn(pattern.parameter)
    default:
      return []
  }
}

/** The name that a key or an export name spells out. */
export function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
}
