// Finds the code that may change a value after its declaration. It isn't read, so what it may change is not checked.
import { groupBy } from '../group-by.ts'
import {
  type Node,
  chainOf,
  dottedName,
  innerOf,
  namesDeclaredBy,
  namesIn,
  textOf,
  walk,
} from '../syntax/nodes.ts'
import type { SourceFile } from '../syntax/parse.ts'
import { type Members, type Value, hiddenBy, unseen } from './value.ts'

/** Code that may change a value, or what a path leads to: `users.show = …`. */
interface Use {
  readonly node: Node
  readonly path: readonly (string | null)[]
  /** Other code gets it: `register(users)`. That may replace its members, and what is a function stays one. */
  readonly isPassed: boolean
}

/** The uses in a block by the name of what they may change: `users`, `this`, `exports`. */
export type Uses = (name: string) => readonly Use[]

/** A use of a name. `const all = { users }` gives `users` the alias `all`: a change to `all` may change `users`, too. */
interface NamedUse extends Use {
  readonly name: string
  readonly alias?: string
}

/** Finds the uses in a block, but not those of a name that an inner block declares for something else. */
export function usesIn(block: Node): Uses {
  const found: NamedUse[] = []
  walk(block, (node, around) => {
    if (node.type === 'TSParameterProperty')
      for (const [name] of namesIn(node))
        found.push({ name: 'this', node, path: [name], isPassed: false })
    const name =
      node.type === 'ThisExpression' ? 'this' : node.type === 'Identifier' ? node.name : null
    if (
      name === null ||
      around.some((inner, depth) => depth > 0 && namesDeclaredBy(inner).has(name))
    )
      return
    found.push(...usesOf(node, around))
  })
  const byName = groupBy(found, ({ name }) => name)
  return (name) =>
    (byName.get(name) ?? []).filter(({ alias }) => alias === undefined || byName.has(alias))
}

/** Finds how the code around a name may change the value that the name has. */
function usesOf(reference: Node, around: readonly Node[]): readonly NamedUse[] {
  let node = reference
  let depth = around.length
  const climbWhile = (isPart: (parent: Node) => boolean): void => {
    while (depth > 1 && isPart(around[depth - 1]!)) node = around[--depth]!
  }
  climbWhile(
    (parent) =>
      innerOf(parent) !== parent || (parent.type === 'MemberExpression' && parent.object === node),
  )
  const { root: name, path } = chainOf(node)!
  const whole = node
  climbWhile((parent) => holds(parent, node, whole))
  const [parent, outer] = [around[depth - 1]!, around.slice(1, depth - 1)]
  const effect = effectOf(parent, node, name, outer)
  if (effect === 'none') return []
  const use: NamedUse = { name, node: parent, path, isPassed: effect === 'passed' }
  if (parent.type !== 'VariableDeclarator') return [use]
  if (parent.id.type === 'ObjectPattern' && node === whole)
    return namesIn(parent.id, []).map(([, rest]) => ({ ...use, path: [...path, ...(rest ?? [])] }))
  const isOuter = outer.every(
    ({ type }) => type === 'VariableDeclaration' || type === 'ExportNamedDeclaration',
  )
  return [parent.id.type === 'Identifier' && isOuter ? { ...use, alias: parent.id.name } : use]
}

/** Whether a parent is a literal or a pattern that a node is in, or an assignment to what the module exports. */
function holds(parent: Node, node: Node, whole: Node): boolean {
  if (parent.type === 'Property') return parent.value === node
  if (parent.type === 'AssignmentPattern') return parent.left === node
  if (parent.type === 'SpreadElement') return node !== whole
  if (parent.type === 'AssignmentExpression')
    return parent.right === node && chainOf(parent.left)?.root === 'exports'
  return /^(?:Object|Array)(?:Expression|Pattern)$|^RestElement$/.test(parent.type)
}

const harmless =
  /^(?:before|action|require|Object\.(?:freeze|seal|preventExtensions|keys|values|entries|create))$/

/** What the parent of an expression does with its value. */
function effectOf(
  parent: Node,
  node: Node,
  name: string,
  outer: readonly Node[],
): 'none' | 'passed' | 'changed' {
  switch (parent.type) {
    case 'AssignmentExpression':
      if (isBound(parent.left, parent.right)) return 'none'
      return parent.right === node ? 'passed' : 'changed'
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.right === node ? 'passed' : 'changed'
    case 'UpdateExpression':
      return 'changed'
    case 'UnaryExpression':
      return parent.operator === 'delete' ? 'changed' : 'none'
    case 'CallExpression':
    case 'NewExpression': {
      const callee = dottedName(parent.callee)
      const isBind = callee.startsWith(`${name}.`) && callee.endsWith('.bind')
      return parent.callee === node || isBind || harmless.test(callee) ? 'none' : 'passed'
    }
    case 'VariableDeclarator':
      return parent.id === node ? 'none' : 'passed'
    case 'PropertyDefinition':
      return parent.value === node && (parent.static || name === 'this') ? 'passed' : 'none'
    case 'ArrowFunctionExpression':
      return parent.body === node ? 'passed' : 'none'
    case 'MemberExpression':
      return parent.object === node ? 'passed' : 'none' // `[users].forEach(…)`
    case 'ReturnStatement':
      return outer.some(({ type }) => type.includes('Function')) ? 'passed' : 'none'
    default:
      return harmlessParent.test(parent.type) ? 'none' : 'passed'
  }
}

const harmlessParent =
  /^TS|^Export|^Import|^Class|^Function|^(?:ExpressionStatement|BinaryExpression|IfStatement|Property|MethodDefinition|SpreadElement|CatchClause|LabeledStatement)$/

/** `this.index = this.index.bind(this)` changes nothing that matters. */
const isBound = (left: Node, right: Node): boolean =>
  right.type === 'CallExpression' && dottedName(right.callee) === `${dottedName(left)}.bind`

/** A value after all that code may do to it. */
export function usedValue(value: Value, uses: readonly Use[], file: SourceFile): Value {
  const isReplaced = ({ path: [first], isPassed }: Use): boolean =>
    first === undefined
      ? !isPassed
      : value.kind === 'function' && (first === 'prototype' || first === null)
  const replaced = uses.find(isReplaced)
  if (replaced !== undefined) return unseen({ file }, replaced.node, changedBy(replaced, file))
  if (value.kind !== 'object' && value.kind !== 'class') return value
  return { ...value, members: usedMembers(value.members, uses, file) }
}

export function usedMembers(members: Members, uses: readonly Use[], file: SourceFile): Members {
  let { known, unseen: hidden } = members
  for (const use of uses) {
    const why = unseen({ file }, use.node, changedBy(use, file))
    const name = use.path.find((part) => part !== 'prototype')
    if (typeof name === 'string') {
      const { isOwn } = (use.isPassed && known.get(name)) || { isOwn: true }
      known = new Map([...known, [name, { place: why.place, value: () => why, isOwn }]])
    } else {
      known = hiddenBy(known, why)
      hidden ??= why
    }
  }
  return { known, unseen: hidden }
}

const changedBy = ({ node }: Use, file: SourceFile): string =>
  `it may be changed by ${textOf(file, node)}`
