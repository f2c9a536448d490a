// What the readers of classes, objects and exports share: names, and the function that reads the values behind them.
import type { Span } from 'oxc-parser'
import { type Node, chainOf, nameOf } from '../syntax/nodes.ts'
import { type SourceFile, placeOf } from '../syntax/parse.ts'
import { type Unseen, type Value, unseenValue } from './value.ts'

/** What a name stands for, as its declaration says. */
export type Binding =
  | { readonly kind: 'import'; readonly from: string; readonly name: string }
  | { readonly kind: 'declaration'; readonly node: Node }
  /** `path` leads into the value, for `const { a: { b } } = value`. Null when it cannot be followed. */
  | { readonly kind: 'variable'; readonly init: Node | null; readonly path: readonly string[] | null }
  | { readonly kind: 'value'; readonly value: () => Value }

/** The names that a file, a class or the body of a function declares. */
export interface Scope {
  readonly file: SourceFile
  readonly bindings: ReadonlyMap<string, Binding>
  /** Values of bindings that have been read. */
  readonly values: Map<string, Value>
  readonly outer: Scope | null
}

export const createScope = (
  file: SourceFile,
  statements: readonly Node[],
  outer: Scope | null = null,
  others: readonly (readonly [string, Binding])[] = [],
): Scope => ({ file, bindings: new Map([...others, ...statements.flatMap(declared)]), values: new Map(), outer })

/** The names that a statement declares. */
function declared(statement: Node): readonly (readonly [string, Binding])[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.map((specifier) => {
        const isNamed = specifier.type === 'ImportSpecifier'
        const other = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
        const name = isNamed ? nameOf(specifier.imported) : other
        return [specifier.local.name, { kind: 'import', from: statement.source.value, name }] as const
      })
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return statement.declaration === null ? [] : declared(statement.declaration)
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
      if (statement.id === null || statement.declare === true) return []
      return [[statement.id.name, { kind: 'declaration', node: statement }]]
    case 'TSEnumDeclaration':
      return [[statement.id.name, { kind: 'variable', init: null, path: [] }]]
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) =>
        namesIn(id, []).map(([name, path]) => [name, { kind: 'variable', init, path }] as const),
      )
    default:
      return []
  }
}

/** The names that a pattern declares, and the path into its value; null where it cannot be followed. */
export function namesIn(
  pattern: Node | null,
  path: readonly string[] | null = null,
): readonly (readonly [name: string, path: readonly string[] | null])[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [[pattern.name, path]]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => {
        if (property.type !== 'Property') return namesIn(property.argument)
        return namesIn(property.value, property.computed || path === null ? null : [...path, nameOf(property.key)])
      })
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => namesIn(element))
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

/** Reads values. The readers of each kind of expression call it for the expressions inside. */
export interface Reader {
  evaluate(node: Node, scope: Scope): Value
  /** The value of a name, after all that the file does to it. */
  lookUp(name: string, scope: Scope, node: Span): Value
  /** What `require(specifier)` or, for `isImport`, `import * from specifier` gives. */
  load(specifier: string, scope: Scope, node: Span, isImport: boolean): Value
  /** A member of an object or a module. */
  pick(value: Value, name: string, scope: Scope, node: Span): Value
}

export const unseenAt = (scope: Scope, node: Span, why: string): Unseen => ({ why, place: placeOf(scope.file, node) })

export const unseen = (scope: Scope, node: Span, why: string): Value => unseenValue(unseenAt(scope, node, why))

/** The package of a function that is imported or required, and its name there: `@hv/router-fastify action`. */
export function originOf(callee: Node, scope: Scope): string {
  const { root = '', path = [] } = chainOf(callee) ?? {}
  let at: Scope | null = scope
  while (at !== null && !at.bindings.has(root)) at = at.outer
  const binding = at?.bindings.get(root)
  if (binding?.kind === 'import') return `${binding.from} ${[binding.name, ...path].join('.').replace('*.', '')}`
  if (binding?.kind !== 'variable' || binding.init?.type !== 'CallExpression') return ''
  const { callee: loader, arguments: list } = binding.init
  const [specifier] = chainOf(loader)?.root === 'require' ? list : []
  return specifier?.type === 'Literal'
    ? `${String(specifier.value)} ${[...(binding.path ?? []), ...path].join('.')}`
    : ''
}
