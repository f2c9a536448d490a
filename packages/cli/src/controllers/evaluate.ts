// Reads what expressions stand for. What it does not understand is unseen, with the reason and the place.
import type {
  ArrowFunctionExpression,
  CallExpression,
  Class,
  Function as FunctionNode,
  ObjectExpression,
  Span,
} from 'oxc-parser'
import {
  type Node,
  chainOf,
  dottedName,
  innerOf,
  nameOf,
  namesIn,
  textOf,
  walk,
} from '../syntax/nodes.ts'
import { type Unseen, placeOf } from '../syntax/parse.ts'
import { type Scope, lookUp, once, pick } from './scope.ts'
import { usedMembers, usedValue, usesIn } from './uses.ts'
import {
  type ClassValue,
  type Member,
  type Members,
  type ObjectValue,
  type Value,
  hiddenBy,
  noMembers,
  overlay,
  plain,
  unseen,
  unseenMembers,
} from './value.ts'

/** Adds the names that statements declare to a scope. */
export function declareIn(scope: Scope, statements: readonly Node[]): void {
  const declare = (name: string, node: Node, read: () => Value): void => {
    const value = (): Value => usedValue(read(), scope.uses(name), scope.file)
    scope.values.set(name, once(value, unseen(scope, node, `${name} refers to itself`)))
  }
  for (const node of statements)
    switch (node.type) {
      case 'ImportDeclaration':
        for (const specifier of node.specifiers)
          declare(specifier.local.name, node, () => {
            const exported = scope.load(node.source.value, node, true)
            if (specifier.type === 'ImportNamespaceSpecifier') return exported
            const name =
              specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
            const isType =
              node.importKind === 'type' &&
              exported.kind === 'object' &&
              !exported.members.known.has(name)
            // As bump writes it: `export type UsersController = ReturnType<typeof createUsersController>`
            return pick(exported, isType ? `create${name}` : name, scope, node)
          })
        break
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        if (node.declaration !== null) declareIn(scope, [node.declaration])
        break
      case 'ClassDeclaration':
      case 'FunctionDeclaration':
        if (node.id !== null && node.declare !== true)
          declare(node.id.name, node, () => evaluate(node, scope))
        break
      case 'TSEnumDeclaration':
      case 'TSModuleDeclaration':
        declare(nameOf(node.id), node, () => unseen(scope, node, 'it is an enum or a namespace'))
        break
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          for (const [name, path] of namesIn(id, []))
            declare(name, node, () => {
              if (path === null)
                return unseen(scope, node, `${name} is declared in a way that is not supported`)
              const whole = init === null ? plain : evaluate(init, scope)
              return path.reduce((value, part) => pick(value, part, scope, node), whole)
            })
        break
      default:
    }
}

export function evaluate(expression: Node, scope: Scope): Value {
  const node = innerOf(expression)
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return readClass(node, scope)
    case 'ObjectExpression':
      return readObject(node, scope)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const call = once(() => resultOf(node, scope), unseen(scope, node, 'it calls itself'))
      return { kind: 'function', place: placeOf(scope.file, node), node, call }
    }
    case 'Identifier':
      return lookUp(node.name, scope, node)
    case 'Literal':
    case 'TemplateLiteral':
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'UpdateExpression':
      return plain
    case 'MemberExpression':
      if (chainOf(node)?.path.length === 0 || (node.computed && node.property.type !== 'Literal'))
        break
      return pick(evaluate(node.object, scope), nameOf(node.property), scope, node)
    case 'CallExpression':
      return evaluateCall(node, scope)
    case 'NewExpression':
      return instanceOf(evaluate(node.callee, scope), node, scope)
    default:
  }
  return unseen(scope, node, `${textOf(scope.file, node)} is not read`)
}

function evaluateCall(node: CallExpression, scope: Scope): Value {
  const name = dottedName(node.callee)
  const [first] = node.arguments
  if (name.endsWith('.bind') && node.callee.type === 'MemberExpression')
    return evaluate(node.callee.object, scope)
  if (name === 'require' && first?.type === 'Literal' && typeof first.value === 'string')
    return scope.load(first.value, node, false)
  if (first !== undefined && /^Object\.(?:freeze|seal|preventExtensions)$/.test(name))
    return evaluate(first, scope)
  const called = evaluate(node.callee, scope)
  const origin = called.kind === 'unseen' ? called.origin : undefined
  // `before` returns the actions of its first argument, `action` its last one, `change` no controller.
  if (first !== undefined && /^@hv\/router-\w+ before$/.test(origin ?? ''))
    return evaluate(first, scope)
  if (first !== undefined && /^@hv\/router-\w+ action$/.test(origin ?? ''))
    return evaluate(node.arguments.at(-1)!, scope)
  if (origin?.startsWith('@hv/router ')) return plain
  const result = called.kind === 'function' && !called.node.async ? called.call() : null
  if (result !== null && result.kind !== 'unseen') return result
  const why = `the result of ${textOf(scope.file, node.callee)}() is unknown`
  return { ...unseen(scope, node, why), isCalled: true }
}

function instanceOf(by: Value, node: Node, scope: Scope): Value {
  if (by.kind === 'unseen') return by
  if (by.kind !== 'class')
    return unseen(scope, node, `${textOf(scope.file, node)} is not an instance of a class`)
  return { kind: 'object', place: placeOf(scope.file, node), members: by.members }
}

/** What a function returns at its end. One that also returns elsewhere is not read. */
function resultOf(node: FunctionNode | ArrowFunctionExpression, outer: Scope): Value {
  const { body } = node
  const uses = body?.type === 'BlockStatement' ? usesIn(body) : outer.uses
  const scope: Scope = { ...outer, values: new Map(), uses, outer }
  for (const parameter of node.params)
    for (const [name] of namesIn(parameter))
      scope.values.set(name, () => argumentOf(name, parameter, outer))
  if (body === null || ('generator' in node && node.generator))
    return unseen(outer, node, 'it is a generator')
  if (body.type !== 'BlockStatement') return evaluate(body, scope)
  declareIn(scope, body.body)
  let returns = 0
  walk(body, (part) => {
    if (part.type === 'ReturnStatement') returns++
    return !/Function|^Class/.test(part.type)
  })
  const last = body.body.at(-1)
  if (returns !== 1 || last?.type !== 'ReturnStatement' || last.argument === null)
    return unseen(outer, node, 'the function does not return in one place, at its end')
  return evaluate(last.argument, scope)
}

/** An argument is known if its type is a class, or what a function returns: `(users: UsersController) => …`. */
function argumentOf(name: string, parameter: Node, scope: Scope): Value {
  const type =
    parameter.type === 'Identifier' ? parameter.typeAnnotation?.typeAnnotation : undefined
  if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const value = lookUp(type.typeName.name, scope, parameter)
    if (value.kind === 'class') return instanceOf(value, parameter, scope)
    if (value.kind === 'function') return value.call()
  }
  return unseen(scope, parameter, `${name} is an argument`)
}

/** A method, an accessor or a property, of a class or an object. */
interface Written extends Span {
  readonly type: string
  readonly key: Node
  readonly computed: boolean
  readonly kind?: string
  readonly value: Node | null
  readonly decorators?: readonly Node[]
}

/** The name of a member, and the member. Null for private names and symbols; `Unseen` when the name is computed. */
function readMember(
  written: Written,
  scope: Scope,
): readonly [name: string, Member] | Unseen | null {
  const { key, computed, kind, value, decorators: [decorator] = [] } = written
  if (key.type === 'PrivateIdentifier') return null
  if (computed && key.type !== 'Literal') {
    if (chainOf(key)?.root === 'Symbol') return null
    return unseen(scope, key, `the name [${textOf(scope.file, key)}] is computed`)
  }
  const name = nameOf(key)
  const read = (): Value => {
    if (kind === 'get' || kind === 'set') return unseen(scope, key, `${name} is a ${kind}ter`)
    if (kind === undefined && decorator !== undefined)
      return unseen(scope, decorator, `the decorator ${textOf(scope.file, decorator)} may set it`)
    return value === null ? plain : evaluate(value, scope)
  }
  // Methods, and the getter of an auto-accessor, are on the prototype.
  return [
    name,
    {
      place: placeOf(scope.file, written),
      value: read,
      isOwn: written.type.startsWith('Property'),
    },
  ]
}

/** Reads an object literal, with what it spreads. */
function readObject(node: ObjectExpression, scope: Scope): ObjectValue {
  const parts = node.properties.map((property): Members => {
    if (property.type === 'SpreadElement') return spreadMembers(property.argument, scope)
    if (!property.computed && !property.method && nameOf(property.key) === '__proto__')
      return unseenMembers(unseen(scope, property, 'its prototype is set'))
    const member = readMember(property, scope)
    if (member === null) return noMembers
    return 'why' in member ? unseenMembers(member) : { known: new Map([member]), unseen: null }
  })
  const members = usedMembers(parts.reduce(overlay, noMembers), usesIn(node)('this'), scope.file)
  return { kind: 'object', place: placeOf(scope.file, node), members }
}

/** A spread copies own members, and not those of a prototype. */
function spreadMembers(source: Node, scope: Scope): Members {
  const value = evaluate(source, scope)
  if (value.kind === 'plain') return noMembers
  if (value.kind === 'object')
    return {
      ...value.members,
      known: new Map([...value.members.known].filter(([, { isOwn }]) => isOwn)),
    }
  const why = value.kind === 'unseen' ? `what is not seen: ${value.why}` : `a ${value.kind}`
  return unseenMembers(unseen(scope, source, `it spreads ${why}`))
}

/** Reads a class: its own members over those that it inherits. */
function readClass(node: Class, scope: Scope): ClassValue {
  const { file } = scope
  const parent = node.superClass === null ? plain : evaluate(node.superClass, scope)
  const inherited = inheritedMembers(parent, node, scope)
  const known = new Map(inherited.known)
  let hidden: Unseen | null = null
  for (const element of node.body.body) {
    if (element.type === 'StaticBlock' || isDeclaration(element) || element.static) continue
    const member = readMember(element as Written, scope)
    if (member === null) continue
    if ('why' in member) hidden ??= member
    // A field hides a method of the same name, also that of a class below.
    else if (member[1].isOwn || known.get(member[0])?.isOwn !== true) known.set(...member)
  }
  const decorators = node.decorators.map(({ expression }) => expression)
  const isNest = decorators.some((decorator) => isNestController(decorator, scope))
  if (decorators[0] !== undefined && !isNest)
    hidden ??= unseen(scope, node, `the decorator @${textOf(file, decorators[0])} may add members`)
  const members = usedByItself(node, scope, { known, unseen: hidden ?? inherited.unseen })
  const place = placeOf(file, node)
  return {
    kind: 'class',
    place,
    node,
    parent: parent.kind === 'class' ? parent : null,
    members,
    isNest,
  }
}

function isNestController(decorator: Node, scope: Scope): boolean {
  const value = decorator.type === 'CallExpression' ? evaluate(decorator.callee, scope) : plain
  return value.kind === 'unseen' && value.origin === '@nestjs/common Controller'
}

/** What a class gets from the expression after `extends`. */
function inheritedMembers(parent: Value, { superClass }: Class, scope: Scope): Members {
  if (parent.kind === 'class') return parent.members
  if (parent.kind === 'plain') return noMembers
  const reason = parent.kind === 'unseen' ? parent.why : 'that is not a class'
  return unseenMembers(
    unseen(scope, superClass!, `it extends ${textOf(scope.file, superClass!)}: ${reason}`),
  )
}

/** Constructors, overloads, and what only TypeScript sees. */
const isDeclaration = (element: Class['body']['body'][number]): boolean =>
  element.type.startsWith('TS') ||
  (element.type === 'PropertyDefinition' && element.declare === true) ||
  (element.type === 'MethodDefinition' &&
    (element.kind === 'constructor' || element.value.body === null))

/** What the code of a class does to `this`, in the constructor or elsewhere. */
function usedByItself({ body }: Class, { file }: Scope, members: Members): Members {
  const changed = usedMembers(members, usesIn(body)('this'), file)
  const made = body.body.find(
    (element) => element.type === 'MethodDefinition' && element.kind === 'constructor',
  )
  if (made === undefined || !/\breturn\b\s*[^\s;}]/.test(file.text.slice(made.start, made.end)))
    return changed
  const why = unseen({ file }, made, 'its constructor returns something')
  return { known: hiddenBy(changed.known, why), unseen: why }
}
