import type {
  ArrowFunctionExpression,
  BindingIdentifier,
  BlockStatement,
  Function as FunctionNode,
  FunctionBody,
  Node,
  ParamPattern,
} from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { eitherOf } from './either.ts'
import { membersOfThis } from './read-class.ts'
import { type Reader, unseen } from './reader.ts'
import { type Binding, type Scope, createScope, nameOf, namesIn } from './scope.ts'
import {
  type Argument,
  type ClassValue,
  type FunctionValue,
  type Value,
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

/** A constructor function, as classes were written once. */
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
  if (body === null || node.generator) return unseen(scope, node, 'what it returns is not seen')
  const isBlock = body.type === 'BlockStatement'
  const parameters = parametersOf(reader, node.params, args, () => inner)
  const inner: Scope = createScope(scope.file, isBlock ? body.body : [], scope, parameters)
  if (!isBlock) return reader.evaluate(body, inner)
  const returned = returnedIn(body, inner).map(([value, at]) => (value === null ? plain : reader.evaluate(value, at)))
  return eitherOf(mayEnd(body) ? [...returned, plain] : returned, node, scope)
}

/** What the `return` statements of a function return, with the scope of the block around each. */
function returnedIn(block: BlockStatement | FunctionBody, scope: Scope): readonly (readonly [Node | null, Scope])[] {
  const returned: (readonly [Node | null, Scope])[] = []
  walk(block, (node) => {
    if (/Function/.test(node.type) || node.type === 'ClassBody') return node === block
    if (node.type === 'BlockStatement' && node !== block) {
      returned.push(...returnedIn(node, createScope(scope.file, node.body, scope)))
      return false
    }
    if (node.type === 'ReturnStatement') returned.push([node.argument, scope])
    return true
  })
  return returned
}

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

/** What the parameters stand for. A default value may name other parameters: it is read in the scope of the body. */
function parametersOf(
  reader: Reader,
  parameters: readonly ParamPattern[],
  args: readonly Argument[],
  scope: () => Scope,
): ReadonlyMap<string, Binding> {
  const bindings = new Map<string, Binding>()
  const bind = (name: string, value: Argument) => bindings.set(name, { kind: 'parameter', value })
  for (const [i, parameter] of parameters.entries()) {
    const given = args[i]
    const missing = (name: string) => unseen(scope(), parameter, `the argument ${name} is not seen`)
    if (parameter.type === 'Identifier')
      bind(parameter.name, given ?? (() => instanceOfType(reader, parameter, scope()) ?? missing(parameter.name)))
    else if (parameter.type === 'AssignmentPattern' && parameter.left.type === 'Identifier')
      bind(parameter.left.name, given ?? (() => reader.evaluate(parameter.right, scope())))
    else if (parameter.type === 'ObjectPattern')
      for (const property of parameter.properties) {
        const target = property.type === 'RestElement' ? property.argument : property.value
        const local = target.type === 'AssignmentPattern' ? target.left : target
        if (local.type !== 'Identifier') continue
        const key = property.type === 'Property' ? nameOf(property.key) : null
        bind(local.name, () => heldBy(given?.(), key) ?? missing(local.name))
      }
    else for (const name of namesIn(parameter)) bind(name, () => missing(name))
  }
  return bindings
}

const heldBy = (value: Value | undefined, key: string | null): Value | undefined =>
  value?.kind === 'object' && key !== null ? value.members.known.get(key)?.value() : undefined

/** An argument whose type is a class: `(users: UsersController) => …`. */
function instanceOfType(reader: Reader, parameter: BindingIdentifier, scope: Scope): Value | null {
  const type = parameter.typeAnnotation?.typeAnnotation
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return null
  const value = reader.lookUp(type.typeName.name, scope, parameter)
  if (value.kind !== 'class') return null
  const parts = { members: value.instance, ancestors: lineageOf(value) }
  return objectValue(scope.file, placeOf(scope.file, parameter), parts)
}
