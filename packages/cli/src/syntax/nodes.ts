// What nodes of the syntax tree say: names, chains of names, their text.
import { type Node, visitorKeys } from 'oxc-parser'
import type { SourceFile } from './parse.ts'

export type { Node }

/** Visits a node and everything below it, with the nodes around it. A visitor that returns false skips what is below. */
export function walk(
  node: Node,
  visit: (node: Node, around: readonly Node[]) => boolean | void,
  around: readonly Node[] = [],
): void {
  if (visit(node, around) === false) return
  const fields = node as unknown as Readonly<
    Record<string, Node | readonly (Node | null)[] | null | undefined>
  >
  const children = (visitorKeys[node.type] ?? []).flatMap((key) => fields[key] ?? [])
  for (const child of children) if (child !== null) walk(child, visit, [...around, node])
}

/** The name that a key or an export name spells out. */
export function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
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
        return namesIn(
          property.value,
          property.computed || path === null ? null : [...path, nameOf(property.key)],
        )
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

const declaredNames = new WeakMap<Node, ReadonlySet<string>>()

/** The names that a function or a block declares for what is in it. */
export function namesDeclaredBy(node: Node): ReadonlySet<string> {
  const found = declaredNames.get(node)
  if (found !== undefined) return found
  const statements = node.type === 'BlockStatement' ? node.body : []
  const declared = statements.flatMap((statement): readonly (Node | null)[] => {
    if (statement.type === 'VariableDeclaration') return statement.declarations.map(({ id }) => id)
    return 'id' in statement ? [statement.id] : []
  })
  const parameters = 'params' in node && Array.isArray(node.params) ? (node.params as Node[]) : []
  const names = new Set(
    [...declared, ...parameters].flatMap((pattern) => namesIn(pattern).map(([name]) => name)),
  )
  declaredNames.set(node, names)
  return names
}

/** The first line of a node, shortened. */
export function textOf({ text }: SourceFile, { start, end }: Node): string {
  const line = text.slice(start, end).replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** An expression without its types. */
export function innerOf(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return innerOf(node.expression)
    default:
      return node
  }
}

/** Where an expression leads: `Users.prototype.show` is `Users`, then `prototype` and `show`. A computed name is null. */
export interface Chain {
  readonly root: string
  readonly path: readonly (string | null)[]
}

/** `module.exports` counts as `exports`. */
export function chainOf(expression: Node): Chain | null {
  const node = innerOf(expression)
  if (node.type === 'Identifier') return { root: node.name, path: [] }
  if (node.type === 'ThisExpression') return { root: 'this', path: [] }
  if (node.type === 'AssignmentExpression') return chainOf(node.left)
  if (node.type !== 'MemberExpression') return null
  const chain = chainOf(node.object)
  if (chain === null) return null
  const name = node.computed && node.property.type !== 'Literal' ? null : nameOf(node.property)
  if (chain.root === 'module' && chain.path.length === 0 && name === 'exports')
    return { root: 'exports', path: [] }
  return { root: chain.root, path: [...chain.path, name] }
}

/** The chain of an expression as it is written: `Object.assign`. Empty for other expressions. */
export function dottedName(expression: Node): string {
  const chain = chainOf(expression)
  return chain === null ? '' : [chain.root, ...chain.path].join('.')
}
