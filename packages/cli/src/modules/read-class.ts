import type { Class, ClassElement, Node, PropertyDefinition } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { walk } from '../syntax/walk.ts'
import { membersOfThis, returnedInstead } from './read-constructor.ts'
import { type Reader, memberName, unseen, unseenAt } from './reader.ts'
import { type Parts, emptyParts } from './read-object.ts'
import { type Scope, createScope, nameOf } from './scope.ts'
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
  // What `this` has in a field and in the constructor, without what the constructor assigns.
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
