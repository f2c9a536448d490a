// Finds what the code of a file does to a declared name later: `Users.prototype.index = …`, `Object.assign(users, …)`.
import type { AssignmentExpression, CallExpression, Node } from 'oxc-parser'
import { walk } from '../syntax/walk.ts'
import { nameOf } from './scope.ts'

/** The object itself, or the `prototype` of a class. */
type Part = 'self' | 'prototype'

interface Target {
  readonly of: string
  readonly on: Part
}

/** One change. `of` is the name that it changes; `module.exports` and `exports` are `#exports`. */
export type Change = { readonly of: string; readonly on: Part; readonly node: Node } & (
  | { readonly kind: 'set'; readonly key: Node; readonly computed: boolean; readonly value: Node }
  /** `Object.defineProperty`: the value is a descriptor. */
  | { readonly kind: 'define'; readonly key: Node; readonly descriptor: Node }
  | { readonly kind: 'merge'; readonly source: Node }
  | { readonly kind: 'replace'; readonly value: Node }
  /** The parent is an object, or the class whose prototype it is. */
  | { readonly kind: 'inherit'; readonly parent: Node }
  | { readonly kind: 'unseen'; readonly why: string }
  /** `exports.Users.prototype.index = …` changes the member `Users`. */
  | { readonly kind: 'within'; readonly member: string; readonly change: Change }
)

export const exportsName = '#exports'

/** The changes that some statements make, in their order. Those inside classes are not looked for. */
export function changesIn(statements: readonly Node[]): readonly Change[] {
  const changes: Change[] = []
  for (const statement of statements)
    walk(statement, (node) => {
      if (node.type === 'ClassBody') return false
      if (node.type === 'AssignmentExpression' && node.operator === '=') changes.push(...changeByAssignment(node))
      if (node.type === 'CallExpression') changes.push(...changesByCall(node))
      return true
    })
  for (const statement of statements) changes.push(...changesByUnknownCall(statement))
  const aliases = aliasesOfExports(statements)
  const others = otherNames(statements)
  return changes.flatMap((change) => {
    const other = others.get(change.of)
    return [
      change,
      ...(aliases.has(change.of) ? [{ ...change, of: exportsName }] : []),
      ...(other === undefined || (other.on === 'prototype' && change.on === 'prototype')
        ? []
        : [{ ...change, of: other.of, on: other.on === 'prototype' ? other.on : change.on }]),
    ]
  })
}

/** `const proto = Users.prototype`: what is done to `proto` is done to the prototype. */
function otherNames(statements: readonly Node[]): ReadonlyMap<string, Target> {
  const names = new Map<string, Target>()
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      const target = init === null ? null : targetOf(init)
      if (id.type === 'Identifier' && target !== null && target.of !== exportsName) names.set(id.name, target)
    }
  }
  return names
}

/** `const users = (module.exports = {})`: what is done to `users` is done to the exports. */
function aliasesOfExports(statements: readonly Node[]): ReadonlySet<string> {
  const aliases = new Set<string>()
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      let value: Node | null = init
      while (value?.type === 'AssignmentExpression' && targetOf(value.left)?.of !== exportsName) value = value.right
      const target = value?.type === 'AssignmentExpression' ? value.left : value
      const isExports = target !== null && targetOf(target)?.of === exportsName
      if (isExports && id.type === 'Identifier') aliases.add(id.name)
    }
  }
  return aliases
}

function changeByAssignment(node: AssignmentExpression): readonly Change[] {
  const { left, right: value } = node
  if (left.type === 'Identifier')
    return left.name === 'exports' ? [] : [{ of: left.name, on: 'self', kind: 'replace', value, node }]
  const replaced = targetOf(left)
  if (replaced !== null) return [{ ...replaced, kind: 'replace', value, node }]
  if (left.type !== 'MemberExpression') return []
  const target = targetOf(left.object)
  const set = { kind: 'set', key: left.property, computed: left.computed, value, node } as const
  return target === null ? changeOfMember(withoutTypes(left.object), set) : [{ ...target, ...set }]
}

function changeOfMember(object: Node, set: Omit<Change & { kind: 'set' }, 'of' | 'on'>): readonly Change[] {
  if (object.type !== 'MemberExpression' || object.computed) return []
  const isPrototype = nameOf(object.property) === 'prototype'
  const member = isPrototype ? withoutTypes(object.object) : object
  if (member.type !== 'MemberExpression' || member.computed) return []
  const owner = targetOf(member.object)
  if (owner === null) return []
  const name = nameOf(member.property)
  const change: Change = { ...set, of: name, on: isPrototype ? 'prototype' : 'self' }
  return [{ ...owner, kind: 'within', member: name, change, node: set.node }]
}

function changesByCall(node: CallExpression): readonly Change[] {
  const [first, ...rest] = node.arguments
  const callee = calleeName(node)
  if (first === undefined || callee === null) return []
  if (callee === '__exportStar') return [{ of: exportsName, on: 'self', kind: 'merge', source: first, node }]
  const target = targetOf(first)
  if (target === null) return []
  const [second, third] = rest
  if (callee === 'Object.assign') return rest.map((source) => ({ ...target, kind: 'merge', source, node }))
  if (/^(?:Object|Reflect)\.defineProperty$/.test(callee) && second !== undefined && third !== undefined)
    return [{ ...target, kind: 'define', key: second, descriptor: third, node }]
  if (/^(?:Object|Reflect)\.setPrototypeOf$/.test(callee) && second !== undefined)
    return [{ ...target, kind: 'inherit', parent: second, node }]
  if (/(?:^|\.)inherits$/.test(callee) && second !== undefined)
    return [{ ...target, on: 'prototype', kind: 'inherit', parent: second, node }]
  return []
}

/** `applyMixins(Users, […])`: a function that gets the object may add anything to it. */
function changesByUnknownCall(statement: Node): readonly Change[] {
  if (statement.type !== 'ExpressionStatement') return []
  const call = statement.expression.type === 'AwaitExpression' ? statement.expression.argument : statement.expression
  if (call.type !== 'CallExpression' || changesByCall(call).length > 0) return []
  const callee = calleeName(call)
  if (callee !== null && /^Object\.(?:freeze|seal|preventExtensions|defineProperty)$|^console\./.test(callee)) return []
  return call.arguments.flatMap((argument): readonly Change[] => {
    const target = targetOf(argument)
    if (target === null) return []
    const name = target.of === exportsName ? 'module.exports' : target.of
    const why = `${callee ?? 'a function'}() may add to ${name}`
    return (['self', 'prototype'] as const).map((on) => ({ of: target.of, on, kind: 'unseen', why, node: call }))
  })
}

/** `Users` and `Users.prototype`; `exports` and `module.exports`. */
function targetOf(written: Node): Target | null {
  const node = withoutTypes(written)
  if (node.type === 'Identifier') return { of: node.name === 'exports' ? exportsName : node.name, on: 'self' }
  if (node.type !== 'MemberExpression' || node.computed) return null
  const property = nameOf(node.property)
  if (node.object.type === 'Identifier' && node.object.name === 'module' && property === 'exports')
    return { of: exportsName, on: 'self' }
  const target = property === 'prototype' ? targetOf(node.object) : null
  return target?.on === 'self' ? { of: target.of, on: 'prototype' } : null
}

/** `Users.prototype as any` without the type. */
function withoutTypes(node: Node): Node {
  const isTyped =
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSNonNullExpression' ||
    node.type === 'TSTypeAssertion'
  return isTyped ? withoutTypes(node.expression) : node
}

/** `inherits`, `Object.assign`; null for what is not a plain name. */
export function calleeName({ callee }: CallExpression): string | null {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && !callee.computed && callee.object.type === 'Identifier'
    ? `${callee.object.name}.${nameOf(callee.property)}`
    : null
}
