import type {
  ArrowFunctionExpression,
  BindingIdentifier,
  BindingPattern,
  Function as FunctionNode,
  Node,
  ParamPattern,
} from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { eitherOf } from './either.ts'
import { membersOfThis } from './read-constructor.ts'
import { type Reader, unseen } from './reader.ts'
import { type Binding, type Scope, createScope, nameOf, namesIn } from './scope.ts'
import {
  type Argument,
  type ClassValue,
  type FunctionValue,
  type Value,
  absent,
  lineageOf,
  objectValue,
  plain,
  requiredOf,
} from './value.ts'

/** Reads a function. What it returns is read when it is called. */
export function readFunction(
  reader: Reader,
  node: FunctionNode | ArrowFunctionExpression,
  scope: Scope,
): FunctionValue {
  return {
    kind: 'function',
    file: scope.file,
    name: node.id?.name ?? null,
    isArrow: node.type === 'ArrowFunctionExpression',
    place: placeOf(scope.file, node),
    isAsync: node.async,
    required: requiredOf(node.params),
    call: (args) => callFunction(reader, node, args, scope),
    asClass: () => (node.type === 'ArrowFunctionExpression' ? null : asClass(reader, node, scope)),
  }
}

/** A constructor function: a class as it was written before ES2015. */
function asClass(reader: Reader, node: FunctionNode, scope: Scope): ClassValue {
  const instance = membersOfThis(reader, node, scope)
  return {
    kind: 'class',
    file: scope.file,
    node,
    name: node.id?.name ?? null,
    parent: null,
    instance,
    statics: new Map(),
    ancestors: [],
    passedBy: [],
  }
}

function callFunction(
  reader: Reader,
  node: FunctionNode | ArrowFunctionExpression,
  args: readonly Argument[],
  scope: Scope,
): Value {
  const { body } = node
  if (body === null || node.generator) return unseen(scope, node, 'its result is unknown')
  const isBlock = body.type === 'BlockStatement'
  const statements = isBlock ? body.body : []
  // A default value sees the parameters, and not what the body declares.
  const outer: Scope = {
    file: scope.file,
    statements,
    bindings: parametersOf(reader, node, args, () => outer),
    values: new Map(),
    outer: scope,
  }
  const inner = createScope(scope.file, statements, outer)
  if (!isBlock) return reader.evaluate(body, inner)
  const returned = returnedIn(body, inner).map(([value, at]) => (value === null ? plain : reader.evaluate(value, at)))
  return eitherOf(mayEnd(body) ? [...returned, plain] : returned, node, scope)
}

/** What the `return` statements of a function return, with the scope of the block around each. */
function returnedIn(block: Node, scope: Scope): readonly (readonly [Node | null, Scope])[] {
  const returned: (readonly [Node | null, Scope])[] = []
  walk(block, (node) => {
    if (node === block) return true
    if (/Function/.test(node.type) || node.type === 'ClassBody') return false
    const own = scopeOf(node, scope)
    if (own !== null) {
      returned.push(...returnedIn(node, own))
      return false
    }
    if (node.type === 'ReturnStatement') returned.push([node.argument, scope])
    return true
  })
  return returned
}

/** The scope that a statement opens; null when it opens none. */
function scopeOf(node: Node, outer: Scope): Scope | null {
  switch (node.type) {
    case 'BlockStatement':
      return createScope(outer.file, node.body, outer)
    case 'SwitchStatement':
      return createScope(
        outer.file,
        node.cases.flatMap(({ consequent }) => consequent),
        outer,
      )
    case 'CatchClause':
      return createScope(outer.file, [], outer, unknownNames(namesIn(node.param), node))
    case 'ForStatement':
      return createScope(outer.file, node.init === null ? [] : [node.init], outer)
    case 'ForInStatement':
    case 'ForOfStatement': {
      const { left } = node
      const names = left.type === 'VariableDeclaration' ? left.declarations.flatMap(({ id }) => namesIn(id)) : []
      return createScope(outer.file, [], outer, unknownNames(names, node))
    }
    default:
      return null
  }
}

const unknownNames = (names: readonly string[], node: Node): ReadonlyMap<string, Binding> =>
  new Map(names.map((name) => [name, { kind: 'unknown', node }]))

/** Whether the statement after this one may run. */
function mayEnd(node: Node): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false
    case 'BlockStatement':
      return node.body.every(mayEnd)
    case 'IfStatement':
      return node.alternate === null || mayEnd(node.consequent) || mayEnd(node.alternate)
    case 'TryStatement':
      if (node.finalizer !== null && !mayEnd(node.finalizer)) return false
      return mayEnd(node.block) || (node.handler !== null && mayEnd(node.handler.body))
    case 'SwitchStatement': {
      const hasDefault = node.cases.some(({ test }) => test === null)
      const last = node.cases.at(-1)
      return !hasDefault || last === undefined || last.consequent.every(mayEnd)
    }
    default:
      return true
  }
}

/** The values of the parameters. A default value may name other parameters: it is read in their scope. */
function parametersOf(
  reader: Reader,
  node: FunctionNode | ArrowFunctionExpression,
  args: readonly Argument[],
  scope: () => Scope,
): ReadonlyMap<string, Binding> {
  const bindings = new Map<string, Binding>()
  const isArrow = node.type === 'ArrowFunctionExpression'
  if (!isArrow)
    bindings.set('this', { kind: 'parameter', value: () => unseen(scope(), node, 'the value of this is unknown') })
  if (node.type === 'FunctionExpression' && node.id !== null) bindings.set(node.id.name, { kind: 'declaration', node })
  const parameters = node.params.filter((parameter) => parameter.type !== 'Identifier' || parameter.name !== 'this')
  for (const [i, parameter] of parameters.entries()) bind(parameter, args[i])
  return bindings

  function bind(pattern: ParamPattern | BindingPattern, given: Argument | undefined): void {
    if (pattern.type === 'Identifier') {
      const value = () => {
        const held = given?.() ?? absent
        return held === absent ? (instanceOfType(reader, pattern, scope()) ?? missing(pattern, pattern.name)) : held
      }
      bindings.set(pattern.name, { kind: 'parameter', value })
    } else if (pattern.type === 'AssignmentPattern') {
      const byDefault = () => reader.evaluate(pattern.right, scope())
      bind(pattern.left, () => {
        const value = given?.() ?? absent
        return value === absent ? byDefault() : value
      })
    } else if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties) {
        const isNamed = property.type === 'Property' && !property.computed
        if (isNamed)
          bind(property.value, given && (() => heldBy(reader, given(), nameOf(property.key), property, scope())))
        else bindUnseen(property.type === 'Property' ? property.value : property.argument)
      }
    else bindUnseen(pattern)
  }

  function bindUnseen(pattern: Node): void {
    for (const name of namesIn(pattern)) bindings.set(name, { kind: 'parameter', value: () => missing(pattern, name) })
  }

  function missing(pattern: Node, name: string): Value {
    return unseen(scope(), pattern, `the argument ${name} is unknown`)
  }
}

/** A member of an argument; `absent` when the argument has no such member. */
function heldBy(reader: Reader, value: Value, name: string, node: Node, scope: Scope): Value {
  if (value.kind !== 'object') return value === absent ? absent : reader.pick(value, name, scope, node)
  const { known, unseen: hidden } = value.members
  return known.has(name) || hidden !== null ? reader.pick(value, name, scope, node) : absent
}

/** An argument whose type is a class: `(users: UsersController) => …`. */
function instanceOfType(reader: Reader, parameter: BindingIdentifier, scope: Scope): Value | null {
  const type = parameter.typeAnnotation?.typeAnnotation
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return null
  const value = reader.lookUp(type.typeName.name, scope, parameter)
  if (value.kind !== 'class') return null
  const parts = { members: value.instance, ancestors: lineageOf(value) }
  return objectValue(scope.file, placeOf(scope.file, parameter), parts)
}
