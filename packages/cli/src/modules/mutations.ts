// Finds how the code of a file changes a declared value: `Users.prototype.index = …`, `Object.assign(users, …)`.
import type {
  ArrowFunctionExpression,
  AssignmentExpression,
  CallExpression,
  Function as FunctionNode,
  Node,
} from 'oxc-parser'
import { walk } from '../syntax/walk.ts'
import { nameOf, namesDeclaredIn, namesIn } from './scope.ts'

/** The object itself, or the `prototype` of a class. */
type Part = 'self' | 'prototype'

interface Target {
  readonly of: string
  readonly on: Part
}

/**
 * One mutation. `of` is the name that it changes; `module.exports` and `exports` are `#exports`. `isSure` is false for what a
 * condition, a loop or a call of a function decides.
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

/** The mutations that some statements make, in their order. Those inside classes are not looked for. */
export function mutationsIn(statements: readonly Node[]): readonly Mutation[] {
  const mutations = statements.flatMap((statement) => mutationsOf(statement, topLevel))
  const aliases = aliasesOfExports(statements)
  const others = otherNames(statements)
  return mutations.flatMap((mutation) => {
    const other = others.get(mutation.of)
    return [
      mutation,
      ...(aliases.has(mutation.of) ? [{ ...mutation, of: exportsName }] : []),
      ...(other === undefined || (other.on === 'prototype' && mutation.on === 'prototype')
        ? []
        : [{ ...mutation, of: other.of, on: other.on === 'prototype' ? other.on : mutation.on }]),
    ]
  })
}

/** What surrounds a piece of code. */
interface Surroundings {
  /** Names that are declared anew inside. */
  readonly shadowed: ReadonlySet<string>
  readonly isSure: boolean
  /** It runs while the file is loaded, as far as that is seen. */
  readonly isRun: boolean
}

const topLevel: Surroundings = { shadowed: new Set(), isSure: true, isRun: true }

function mutationsOf(node: Node, outside: Surroundings): readonly Mutation[] {
  const mutations: Mutation[] = []
  const around = surroundingsIn(node, outside) ?? outside
  const add = (found: readonly Mutation[]) => {
    const isShadowed = (of: string): boolean => around.shadowed.has(of === exportsName ? 'exports' : of)
    for (const mutation of found)
      if (!isShadowed(mutation.of)) mutations.push({ ...mutation, isSure: mutation.isSure && around.isSure })
  }
  const unsure: Surroundings = { ...around, isSure: false }
  const inside = (part: Node | null, inner: Surroundings) => {
    if (part !== null) mutations.push(...mutationsOf(part, inner))
  }
  walk(node, (part) => {
    switch (part.type) {
      case 'ClassBody':
        return false
      case 'IfStatement':
      case 'ConditionalExpression':
        inside(part.test, around)
        inside(part.consequent, unsure)
        inside(part.alternate, unsure)
        return false
      case 'LogicalExpression':
        inside(part.left, around)
        inside(part.right, unsure)
        return false
      case 'CallExpression':
        add(mutationsByCall(part))
        for (const called of [part.callee, ...part.arguments]) {
          if (isFunction(called)) {
            const inner = insideFunction(called, around, called === part.callee)
            for (const within of [...called.params, called.body]) inside(within, inner)
          } else inside(called, around)
          if (called.type === 'ArrowFunctionExpression' && around.isRun) add(mutationsByUnknownCall(called.body))
        }
        return false
      case 'ExpressionStatement':
        if (around.isRun) add(mutationsByUnknownCall(part.expression))
        return true
      case 'AssignmentExpression':
        add(mutationByAssignment(part))
        return true
      case 'UnaryExpression':
        if (part.operator === 'delete') add(mutationByDelete(part.argument))
        return true
    }
    if (part === node || surroundingsIn(part, around) === null) return true
    inside(part, around)
    return false
  })
  return mutations
}

/** Null for what opens no surroundings of its own. */
const surroundingsIn = (node: Node, around: Surroundings): Surroundings | null =>
  isFunction(node) ? insideFunction(node, { ...around, isRun: false }, false) : insideBlock(node, around)

const isFunction = (node: Node): node is FunctionNode | ArrowFunctionExpression =>
  node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression'

function insideFunction(
  { body, params }: FunctionNode | ArrowFunctionExpression,
  around: Surroundings,
  isCalled: boolean,
): Surroundings {
  const own = body?.type === 'BlockStatement' ? namesDeclaredIn(body.body) : []
  return { ...around, ...shadowing(around, [...params.flatMap(namesIn), ...own]), isSure: around.isSure && isCalled }
}

/** Null for what is not a block. */
function insideBlock(node: Node, around: Surroundings): Surroundings | null {
  switch (node.type) {
    case 'BlockStatement':
      return { ...around, ...shadowing(around, namesDeclaredIn(node.body)) }
    case 'CatchClause':
      return { ...around, ...shadowing(around, namesIn(node.param)), isSure: false }
    case 'SwitchStatement':
      return { ...around, isSure: false }
    case 'ForStatement':
      return { ...around, ...shadowing(around, node.init === null ? [] : namesDeclaredIn([node.init])), isSure: false }
    case 'ForInStatement':
    case 'ForOfStatement':
      return { ...around, ...shadowing(around, namesDeclaredIn([node.left])), isSure: false }
    case 'WhileStatement':
      return { ...around, isSure: false }
    default:
      return null
  }
}

const shadowing = ({ shadowed }: Surroundings, names: readonly string[]): Pick<Surroundings, 'shadowed'> => ({
  shadowed: names.length === 0 ? shadowed : new Set([...shadowed, ...names]),
})

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

function mutationByAssignment(node: AssignmentExpression): readonly Mutation[] {
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

function mutationByDelete(node: Node): readonly Mutation[] {
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

function mutationsByCall(node: CallExpression): readonly Mutation[] {
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
function mutationsByUnknownCall(expression: Node): readonly Mutation[] {
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
function targetOf(written: Node): Target | null {
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
