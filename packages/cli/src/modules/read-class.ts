import type {
  CallExpression,
  Class,
  ClassElement,
  Function as FunctionNode,
  Node,
  PropertyDefinition,
} from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { calleeName } from './mutations.ts'
import { type Reader, memberName, unseen, unseenAt } from './reader.ts'
import { type Parts, emptyParts, spreadOf } from './read-object.ts'
import { type Binding, type Scope, createScope, nameOf, namesIn } from './scope.ts'
import {
  type ClassValue,
  type Member,
  type Members,
  type Unseen,
  type Value,
  lineageOf,
  noMembers,
  overlay,
  plain,
  passedOn,
  objectValue,
} from './value.ts'

/** Reads a class: its own members over those that it inherits. */
export function readClass(reader: Reader, node: Class, scope: Scope): ClassValue {
  const { file } = scope
  const parent = node.superClass === null ? null : readParent(reader, node.superClass, scope)
  const own = ownMembers(reader, node, parent?.members ?? noMembers, scope)
  const instance = overlay(parent?.members ?? noMembers, own.instance)
  return {
    kind: 'class',
    file,
    node,
    name: node.id?.name ?? null,
    parent: parent?.value ?? null,
    instance: {
      ...instance,
      unseen: own.instance.unseen ?? decorated(node, scope) ?? mergedInterface(node, scope) ?? instance.unseen,
    },
    statics: own.statics,
    ancestors: parent?.ancestors ?? [],
    passedBy: [],
  }
}

/** What a class gets from the expression after `extends`. */
export function readParent(reader: Reader, node: Node, scope: Scope): Parts & { readonly value: ClassValue | null } {
  const value = reader.evaluate(node, scope)
  const parent = value.kind === 'function' ? value.asClass() : value
  if (parent?.kind === 'class')
    return { value: parent, members: passedOn(parent.instance, scope.file.path), ancestors: lineageOf(parent) }
  if (parent?.kind === 'plain') return { value: null, ...emptyParts }
  const text = scope.file.text.slice(node.start, node.end).replace(/\s+/g, ' ')
  const reason = parent?.kind === 'unseen' ? parent.why : 'that is not a class'
  const hidden = unseenAt(scope, node, `it extends ${text}: ${reason}`)
  return { value: null, members: { known: new Map(), unseen: hidden }, ancestors: [] }
}

interface Own {
  readonly instance: Members
  readonly statics: ReadonlyMap<string, Member>
}

function ownMembers(reader: Reader, node: Class, inherited: Members, outer: Scope): Own {
  // What `this` has in a field and in the constructor. What the constructor assigns is not among it.
  const self = (): Value => {
    const members = overlay(inherited, { known: new Map([...methods, ...fields]), unseen: hidden })
    return objectValue(outer.file, placeOf(outer.file, node), { members, ancestors: [] })
  }
  const scope = createScope(outer.file, [], outer, new Map([['this', { kind: 'parameter', value: self }]]))
  const methods = new Map<string, Member>()
  const fields = new Map<string, Member>()
  const statics = new Map<string, Member>()
  let hidden: Unseen | null = null
  const via = [scope.file.path]

  for (const element of node.body.body) {
    const read = readElement(reader, node, element, scope)
    if (read === null) continue
    if ('unseen' in read) {
      hidden ??= read.unseen
      continue
    }
    const member: Member = { place: placeOf(scope.file, element), value: read.value, isOwn: read.isField, via }
    if (read.isStatic) statics.set(read.name, member)
    else (read.isField ? fields : methods).set(read.name, member)
  }
  const constructor = node.body.body.find(
    (element) => element.type === 'MethodDefinition' && element.kind === 'constructor' && element.value.body !== null,
  )
  const assigned =
    constructor?.type === 'MethodDefinition' ? membersOfThis(reader, constructor.value, scope) : noMembers
  const replaced = constructor?.type === 'MethodDefinition' ? returnedInstead(constructor.value, scope) : null
  return {
    // A field hides a method of the same name.
    instance: {
      known: new Map([...methods, ...fields, ...assigned.known]),
      unseen: hidden ?? assigned.unseen ?? replaced,
    },
    statics,
  }
}

/** `constructor() { return { … } }`: what is made is not an instance. */
function returnedInstead({ body }: FunctionNode, scope: Scope): Unseen | null {
  let found: Unseen | null = null
  for (const statement of body?.body ?? [])
    walk(statement, (part) => {
      if (/Function/.test(part.type) || part.type === 'ClassBody') return false
      if (part.type === 'ReturnStatement' && part.argument !== null && part.argument.type !== 'ThisExpression')
        found ??= unseenAt(scope, part, 'its constructor returns another object')
      return true
    })
  return found
}

type Element =
  | { readonly name: string; readonly isStatic: boolean; readonly isField: boolean; readonly value: Member['value'] }
  | { readonly unseen: Unseen }

/** A member that exists at run time; null for declarations, private names and setters. */
function readElement(reader: Reader, node: Class, element: ClassElement, scope: Scope): Element | null {
  if (element.type === 'StaticBlock')
    return touchesPrototype(element) ? hiddenBy(scope, element, 'a static block') : null
  if (element.type === 'TSIndexSignature') return hiddenBy(scope, element, 'an index signature')
  if (element.type.startsWith('TSAbstract')) return null
  const named = memberName(reader, element.key, element.computed, scope)
  if ('unseen' in named) return element.static ? null : named
  const { name } = named
  if (name === null) return null
  const { static: isStatic } = element

  if (element.type === 'MethodDefinition') {
    const { kind, value: method } = element
    if (method.body === null || kind === 'constructor' || kind === 'set') return null
    const value = () => {
      const read = reader.evaluate(method, scope)
      return kind === 'get' && read.kind === 'function' ? read.call([]) : read
    }
    return { name, isStatic, isField: false, value }
  }
  if (element.type === 'PropertyDefinition' && element.declare) return null
  const { value: initial } = element
  const value = () => {
    if (initial !== null) return reader.evaluate(initial, isStatic ? (scope.outer ?? scope) : scope)
    const isEmpty = element.type === 'PropertyDefinition' && !isStatic && !mayBeAssigned(node, element, name)
    return isEmpty ? plain : unseen(scope, element, `${name} gets its value elsewhere`)
  }
  return { name, isStatic, isField: true, value }
}

const hiddenBy = (scope: Scope, node: Node, what: string): Element => ({
  unseen: unseenAt(scope, node, `${what} may add members`),
})

function touchesPrototype(node: Node): boolean {
  let found = false
  walk(node, (inner) => {
    if (inner.type === 'Identifier' && inner.name === 'prototype') found = true
  })
  return found
}

/** `@Crud() class Users`: a decorator of a class may add members. */
function decorated({ decorators }: Class, scope: Scope): Unseen | null {
  const [first] = decorators
  if (first === undefined) return null
  const text = scope.file.text.slice(first.start, first.end).replace(/\s+/g, ' ')
  return unseenAt(scope, first, `the decorator ${text} may add members`)
}

/** Whether a field without an initializer may get a value: from a decorator, a parent, or code of the class. */
function mayBeAssigned(node: Class, field: PropertyDefinition, name: string): boolean {
  if (field.decorators.length > 0 || node.decorators.length > 0 || node.superClass !== null) return true
  let found = false
  walk(node.body, (part) => {
    if (part.type === 'CallExpression' && part.arguments.some(({ type }) => type === 'ThisExpression')) found = true
    if (part.type === 'AssignmentExpression' && part.left.type === 'MemberExpression')
      found ||= part.left.computed || nameOf(part.left.property) === name
    if (part.type === 'AssignmentExpression' && part.left.type.endsWith('Pattern')) found = true
    return !found
  })
  return found
}

/** `interface Users extends Auditable {}` beside `class Users`: members that mixins add at run time. */
function mergedInterface(node: Class, scope: Scope): Unseen | null {
  const { id } = node
  const merged = scope.statements
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .find((statement) => statement?.type === 'TSInterfaceDeclaration' && statement.id.name === id?.name)
  return merged ? unseenAt(scope, merged, `the interface ${id!.name} declares members that are added elsewhere`) : null
}

/** What a constructor, or a constructor function, assigns to `this`. */
export function membersOfThis(reader: Reader, node: FunctionNode, scope: Scope): Members {
  const inner = createScope(scope.file, node.body?.body ?? [], scope, argumentsOf(reader, node, scope))
  const known = new Map<string, Member>()
  let hidden: Unseen | null = null
  const add = (name: string, at: Node, value: Member['value']) =>
    known.set(name, { place: placeOf(scope.file, at), value, isOwn: true, via: [scope.file.path] })

  for (const parameter of node.params)
    if (parameter.type === 'TSParameterProperty') {
      const { parameter: declared } = parameter
      const pattern = declared.type === 'AssignmentPattern' ? declared.left : declared
      if (pattern.type === 'Identifier')
        add(pattern.name, parameter, () => unseen(scope, parameter, `${pattern.name} is passed to the constructor`))
    }
  const aliases = new Set<string>()
  const isThis = (part: Node): boolean =>
    part.type === 'ThisExpression' || (part.type === 'Identifier' && aliases.has(part.name))

  let mayRun = true
  for (const statement of node.body?.body ?? []) {
    read(statement, mayRun)
    mayRun &&= !mayReturn(statement)
  }
  return { known, unseen: hidden }

  function read(within: Node, isSure: boolean): void {
    walk(within, (part) => {
      if (part.type === 'ClassBody' || part.type === 'FunctionExpression' || part.type === 'FunctionDeclaration')
        return false
      if (isSure && isConditional(part)) {
        read(part, false)
        return false
      }
      if (part.type === 'VariableDeclarator' && part.init?.type === 'ThisExpression' && part.id.type === 'Identifier')
        aliases.add(part.id.name)
      if (part.type === 'AssignmentExpression' && part.left.type === 'MemberExpression' && isThis(part.left.object)) {
        const named = memberName(reader, part.left.property, part.left.computed, inner)
        const value = () =>
          isSure ? reader.evaluate(part.right, inner) : unseen(inner, part, 'it depends on a condition')
        if ('unseen' in named) hidden ??= named.unseen
        else if (named.name !== null) add(named.name, part, value)
      }
      if (part.type === 'CallExpression' && part.arguments.some(isThis)) {
        const added = addedBy(reader, part, inner)
        for (const [name, member] of added.known) add(name, part, member.value)
        hidden ??= added.unseen
      }
      return true
    })
  }
}

/** The arguments of a constructor. They are seen where they have a default. */
function argumentsOf(reader: Reader, { params }: FunctionNode, scope: Scope): ReadonlyMap<string, Binding> {
  return new Map(
    params.flatMap((parameter) => {
      const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
      const byDefault =
        pattern.type === 'AssignmentPattern' && pattern.left.type === 'Identifier' ? pattern.right : null
      return namesIn(pattern).map((name) => {
        const value = () =>
          byDefault === null
            ? unseen(scope, parameter, `${name} is passed to the constructor`)
            : reader.evaluate(byDefault, scope)
        return [name, { kind: 'parameter', value }] as const
      })
    }),
  )
}

/** Whether what is inside may not run when the constructor does. */
const isConditional = ({ type }: Node): boolean =>
  /^(?:If|For|ForIn|ForOf|While|DoWhile|Switch)Statement$/.test(type) ||
  /^(?:CatchClause|ConditionalExpression|LogicalExpression|ArrowFunctionExpression)$/.test(type)

/** Whether what follows may not run. `if (!new.target) return new Users()` runs it for the new object. */
function mayReturn(statement: Node): boolean {
  let found = false
  walk(statement, (part) => {
    if (part.type === 'ReturnStatement' && part.argument?.type !== 'NewExpression') found = true
    return !found && !/^(?:ClassBody|FunctionExpression|FunctionDeclaration|ArrowFunctionExpression)$/.test(part.type)
  })
  return found
}

/** What a call that gets `this` adds: `Object.assign(this, …)`, `Base.call(this)`. */
function addedBy(reader: Reader, node: CallExpression, scope: Scope): Members {
  const name = calleeName(node) ?? 'a function'
  const hidden: Members = { known: new Map(), unseen: unseenAt(scope, node, `${name}(this) may add members`) }
  if (name === 'Object.assign')
    return node.arguments.slice(1).reduce((members: Members, source) => {
      return overlay(members, spreadOf(reader.evaluate(source, scope), source, scope).members)
    }, noMembers)
  if (node.callee.type !== 'MemberExpression') return hidden
  const method = nameOf(node.callee.property)
  if (method === 'bind') return noMembers
  if (method !== 'call' && method !== 'apply') return hidden
  const called = reader.evaluate(node.callee.object, scope)
  const made = called.kind === 'function' ? called.asClass() : called
  if (made?.kind !== 'class') return hidden
  const { known, unseen: within } = made.instance
  return { known: new Map([...known].filter(([, { isOwn }]) => isOwn)), unseen: within }
}
