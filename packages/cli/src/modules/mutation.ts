// What one expression changes in a declared value: `Users.prototype.index = …`, `Object.assign(users, …)`.
import type { AssignmentExpression, CallExpression, Node } from 'oxc-parser'
import { nameOf } from './scope.ts'

/** The object itself, or the `prototype` of a class. */
type Part = 'self' | 'prototype'

/** A declared value, or the prototype of a declared class. */
export interface Target {
  readonly of: string
  readonly on: Part
}

/**
 * One mutation. `of` is the name that it changes; `module.exports` and `exports` are `#exports`. `isSure` is false if it
 * depends on a condition, a loop or the call of a function.
 */
export type Mutation = {
  readonly of: string
  readonly on: Part
  readonly node: Node
  readonly isSure: boolean
} & Effect

type Effect =
  | {
      readonly kind: 'set'
      readonly key: Node
      readonly computed: boolean
      readonly value: Node
      /** `users.show ??= …`: what is there stays. */
      readonly isFallback: boolean
    }
  /** `Object.defineProperty`: the value is a descriptor. */
  | { readonly kind: 'define'; readonly key: Node; readonly descriptor: Node }
  | { readonly kind: 'delete'; readonly key: Node; readonly computed: boolean }
  | { readonly kind: 'merge'; readonly source: Node }
  | { readonly kind: 'replace'; readonly value: Node }
  /** The parent is an object, or the class whose prototype it is. */
  | { readonly kind: 'inherit'; readonly parent: Node }
  | { readonly kind: 'unseen'; readonly why: string }
  /** `exports.Users.prototype.index = …` changes the member `Users`. */
  | { readonly kind: 'within'; readonly member: string; readonly mutation: Mutation }

/** The name of `module.exports` and `exports` in {@link Mutation}. */
export const exportsName = '#exports'

/** `users.index = …`, `module.exports = …`: the mutation, or none. */
export function mutationByAssignment(node: AssignmentExpression): readonly Mutation[] {
  const { left, operator, right: value } = node
  const isFallback = operator === '??=' || operator === '||='
  if (operator !== '=' && operator !== '&&=' && !isFallback) return []
  const isSure = operator === '='
  if (left.type === 'Identifier')
    return left.name === 'exports' ? [] : [{ of: left.name, on: 'self', kind: 'replace', value, node, isSure }]
  const replaced = targetOf(left)
  if (replaced !== null) return [{ ...replaced, kind: 'replace', value, node, isSure }]
  if (left.type !== 'MemberExpression') return []
  const { property: key, computed } = left
  return mutationOfMember(left.object, node, { kind: 'set', key, computed, value, isFallback }, isSure || isFallback)
}

/** `delete users.index`: the argument is `users.index`. */
export function mutationByDelete(node: Node): readonly Mutation[] {
  if (node.type !== 'MemberExpression') return []
  return mutationOfMember(node.object, node, { kind: 'delete', key: node.property, computed: node.computed }, true)
}

/** A mutation of `users.index`, `Users.prototype.index`, or of these inside an exported member. */
function mutationOfMember(written: Node, node: Node, effect: Effect, isSure: boolean): readonly Mutation[] {
  const target = targetOf(written)
  if (target !== null) return [{ ...target, ...effect, node, isSure }]
  const object = withoutTypes(written)
  if (object.type !== 'MemberExpression' || object.computed) return []
  const isPrototype = nameOf(object.property) === 'prototype'
  const member = isPrototype ? withoutTypes(object.object) : object
  if (member.type !== 'MemberExpression' || member.computed) return []
  const owner = targetOf(member.object)
  if (owner === null) return []
  const name = nameOf(member.property)
  const mutation: Mutation = { ...effect, of: name, on: isPrototype ? 'prototype' : 'self', node, isSure }
  return [{ ...owner, kind: 'within', member: name, mutation, node, isSure }]
}

/** `Object.assign(users, …)`, `Object.defineProperty(users, …)`, `inherits(Users, Base)`. */
export function mutationsByCall(node: CallExpression): readonly Mutation[] {
  const [first, ...rest] = node.arguments
  const callee = calleeName(node)
  if (first === undefined || callee === null) return []
  const common = { node, isSure: true }
  if (callee === '__exportStar') return [{ of: exportsName, on: 'self', kind: 'merge', source: first, ...common }]
  const target = targetOf(first)
  if (target === null) return []
  const [second, third] = rest
  if (callee === 'Object.assign') return rest.map((source) => ({ ...target, kind: 'merge', source, ...common }))
  if (/^(?:Object|Reflect)\.defineProperty$/.test(callee) && second !== undefined && third !== undefined)
    return [{ ...target, kind: 'define', key: second, descriptor: third, ...common }]
  if (callee === 'Reflect.deleteProperty' && second !== undefined)
    return [{ ...target, kind: 'delete', key: second, computed: true, ...common }]
  if (/^(?:Object|Reflect)\.setPrototypeOf$/.test(callee) && second !== undefined)
    return [{ ...target, kind: 'inherit', parent: second, ...common }]
  if (/(?:^|\.)inherits$/.test(callee) && second !== undefined)
    return [{ ...target, on: 'prototype', kind: 'inherit', parent: second, ...common }]
  return []
}

/** `applyMixins(Users, […])`: a function that gets the object may add anything to it. */
export function mutationsByUnknownCall(expression: Node): readonly Mutation[] {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression
  if (call.type !== 'CallExpression' || mutationsByCall(call).length > 0) return []
  const callee = calleeName(call)
  if (callee !== null && /^Object\.(?:freeze|seal|preventExtensions|defineProperty)$|^console\./.test(callee)) return []
  return call.arguments.flatMap((argument): readonly Mutation[] => {
    const target = targetOf(argument)
    if (target === null) return []
    const name = target.of === exportsName ? 'module.exports' : target.of
    const why = `${callee ?? 'a function'}() may add to ${name}`
    const mutation = { of: target.of, kind: 'unseen', why, node: call, isSure: true } as const
    return [
      { ...mutation, on: 'self' },
      { ...mutation, on: 'prototype' },
    ]
  })
}

/** `Users` and `Users.prototype`; `exports` and `module.exports`. */
export function targetOf(written: Node): Target | null {
  const node = withoutTypes(written)
  if (node.type === 'Identifier') return { of: node.name === 'exports' ? exportsName : node.name, on: 'self' }
  if (node.type !== 'MemberExpression' || (node.computed && node.property.type !== 'Literal')) return null
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
