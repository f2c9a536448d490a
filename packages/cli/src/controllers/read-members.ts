// Reads what classes and object literals write down: their members, over those that they inherit or spread.
import type { Class, ObjectExpression } from 'oxc-parser'
import { type Node, chainOf, nameOf, textOf } from '../syntax/nodes.ts'
import { placeOf } from '../syntax/parse.ts'
import { mutatedMembers, mutationsIn } from './mutations.ts'
import { type Reader, type Scope, originOf, unseen, unseenAt } from './scope.ts'
import {
  type ClassValue,
  type Member,
  type Members,
  type ObjectValue,
  type Unseen,
  type Value,
  hiddenBy,
  noMembers,
  overlay,
  plain,
} from './value.ts'

/** A method, an accessor or a property, of a class or an object. */
interface Written {
  readonly key: Node
  readonly computed: boolean
  readonly kind?: string
  readonly value: Node | null
  readonly decorators?: readonly Node[]
}

/** The name of a member and its value. Null for setters, private names and symbols; `Unseen` when the name is computed. */
function readMember(
  reader: Reader,
  { key, computed, kind, value, decorators: [decorator] = [] }: Written,
  scope: Scope,
): { readonly name: string; readonly value: () => Value } | Unseen | null {
  if (kind === 'set' || key.type === 'PrivateIdentifier') return null
  if (computed && key.type !== 'Literal') {
    if (chainOf(key)?.root === 'Symbol') return null
    return unseenAt(scope, key, `the name [${textOf(scope.file, key)}] is computed`)
  }
  const name = nameOf(key)
  const read = (): Value => {
    if (kind === 'get') return unseen(scope, key, `${name} is a getter`)
    if (kind === undefined && decorator !== undefined)
      return unseen(scope, decorator, `the decorator ${textOf(scope.file, decorator)} may set it`)
    return value === null ? plain : reader.evaluate(value, scope)
  }
  return { name, value: read }
}

/** Reads an object literal, with what it spreads. */
export function readObject(reader: Reader, node: ObjectExpression, scope: Scope): ObjectValue {
  const parts = node.properties.map((property): Members => {
    if (property.type === 'SpreadElement') return spreadMembers(reader, property.argument, scope)
    const { computed, key, method } = property
    if (!computed && !method && nameOf(key) === '__proto__')
      return { known: new Map(), unseen: unseenAt(scope, property, 'its prototype is set') }
    const member = readMember(reader, property, scope)
    if (member === null) return noMembers
    if ('why' in member) return { known: new Map(), unseen: member }
    const { name, value } = member
    return { known: new Map([[name, { place: placeOf(scope.file, property), value, isOwn: true }]]), unseen: null }
  })
  return { kind: 'object', place: placeOf(scope.file, node), members: parts.reduce(overlay, noMembers) }
}

/** A spread copies own members, and not those of a prototype. */
function spreadMembers(reader: Reader, source: Node, scope: Scope): Members {
  const value = reader.evaluate(source, scope)
  if (value.kind === 'plain') return noMembers
  if (value.kind === 'object')
    return { ...value.members, known: new Map([...value.members.known].filter(([, { isOwn }]) => isOwn)) }
  const why = value.kind === 'unseen' ? `what is not seen: ${value.why}` : `a ${value.kind}`
  return { known: new Map(), unseen: unseenAt(scope, source, `it spreads ${why}`) }
}

/** Reads a class: its own members over those that it inherits. */
export function readClass(reader: Reader, node: Class, scope: Scope): ClassValue {
  const { file } = scope
  const parent = node.superClass === null ? plain : reader.evaluate(node.superClass, scope)
  const inherited = inheritedMembers(parent, node, scope)
  const statics = new Set<string>()
  const methods = new Map<string, Member>()
  const fields = new Map<string, Member>()
  let hidden: Unseen | null = null
  for (const element of node.body.body) {
    if (element.type === 'StaticBlock' || element.type === 'TSIndexSignature' || isDeclaration(element)) continue
    const member = readMember(reader, element as Written, scope)
    if (member === null) continue
    if ('why' in member) hidden ??= member
    else if (element.static) statics.add(member.name)
    else {
      // The getter of an auto-accessor is on the prototype.
      const isOwn = element.type === 'PropertyDefinition'
      const group = isOwn ? fields : methods
      group.set(member.name, { place: placeOf(file, element), value: member.value, isOwn })
    }
  }
  const [decorator] = node.decorators
  const isNest = node.decorators.some(
    ({ expression }) =>
      expression.type === 'CallExpression' && originOf(expression.callee, scope) === '@nestjs/common Controller',
  )
  if (decorator !== undefined && !isNest)
    hidden ??= unseenAt(scope, decorator, `the decorator ${textOf(file, decorator)} may add members`)
  // A field hides a method of the same name.
  const known = new Map([...inherited.known, ...methods, ...fields])
  const members = mutatedByItself(node, scope, { known, unseen: hidden ?? inherited.unseen })
  return { kind: 'class', file, node, parent: parent.kind === 'class' ? parent : null, members, statics, isNest }
}

/** What a class gets from the expression after `extends`. */
function inheritedMembers(parent: Value, { superClass }: Class, scope: Scope): Members {
  if (parent.kind === 'class') return parent.members
  if (parent.kind === 'plain') return noMembers
  const reason = parent.kind === 'unseen' ? parent.why : 'that is not a class'
  const hidden = unseenAt(scope, superClass!, `it extends ${textOf(scope.file, superClass!)}: ${reason}`)
  return { known: new Map(), unseen: hidden }
}

/** Constructors, overloads, and what only TypeScript sees. */
const isDeclaration = (element: Class['body']['body'][number]): boolean =>
  element.type.startsWith('TS') ||
  (element.type === 'PropertyDefinition' && element.declare === true) ||
  (element.type === 'MethodDefinition' && (element.kind === 'constructor' || element.value.body === null))

/** What the code of a class does to `this`, in the constructor or elsewhere. */
function mutatedByItself({ body }: Class, { file }: Scope, members: Members): Members {
  const mutations = mutationsIn(body)('this').map((mutation) =>
    mutation.path[0] === 'prototype' ? { ...mutation, path: mutation.path.slice(1) } : mutation,
  )
  const changed = mutatedMembers(members, mutations, file)
  const made = body.body.find((element) => element.type === 'MethodDefinition' && element.kind === 'constructor')
  if (made === undefined || !/\breturn\b\s*[^\s;}]/.test(file.text.slice(made.start, made.end))) return changed
  const why: Unseen = { why: 'its constructor returns something', place: placeOf(file, made) }
  return { known: hiddenBy(changed.known, why), unseen: why }
}
