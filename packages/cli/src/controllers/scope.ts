// The names that code can use, and what their declarations say.
import { type Node, chainOf, nameOf, namesIn } from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'
import type { Modules } from './modules.ts'
import type { Mutations } from './mutations.ts'
import type { ObjectValue, Value } from './value.ts'

/** The files that have been read, and how deep the reader is in one of them. */
export interface Session {
  readonly modules: Modules
  readonly files: Map<string, OpenFile>
  depth: number
}

export interface OpenFile {
  readonly scope: Scope
  readonly mutations: Mutations
  exports: ObjectValue
}

/** What a name stands for, as its declaration says. */
export type Binding =
  | { readonly kind: 'import'; readonly from: string; readonly name: string }
  /** Also a class or a function. `path` leads into the value, for `const { a: { b } } = value`. Null when it cannot be followed. */
  | { readonly kind: 'variable'; readonly init: Node | null; readonly path: readonly string[] | null }
  | { readonly kind: 'value'; readonly value: () => Value }

/** The names that a file, a class or the body of a function declares. */
export interface Scope {
  readonly session: Session
  readonly file: SourceFile
  readonly bindings: ReadonlyMap<string, Binding>
  /** Values of bindings that have been read. */
  readonly values: Map<string, Value>
  readonly outer: Scope | null
}

export const createScope = (
  session: Session,
  file: SourceFile,
  statements: readonly Node[],
  outer: Scope | null = null,
  others: readonly (readonly [string, Binding])[] = [],
): Scope => ({
  session,
  file,
  bindings: new Map([...others, ...statements.flatMap(declared)]),
  values: new Map(),
  outer,
})

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
      return [[statement.id.name, { kind: 'variable', init: statement, path: [] }]]
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
