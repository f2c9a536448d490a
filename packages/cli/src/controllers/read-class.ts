import type { Class, ClassElement, Node, PropertyDefinition } from 'oxc-parser'
import { type SourceFile, nameOf, placeOf } from '../syntax/parse.ts'
import { changedMembers, changesIn, textOf } from './changes.ts'
import { type Reader, type Scope, memberName, unseen, unseenAt } from './scope.ts'
import {
  type ClassValue,
  type Member,
  type Members,
  type Unseen,
  type Value,
  hiddenBy,
  noMembers,
  plain,
} from './value.ts'

/** Reads a class: its own members over those that it inherits. */
export function readClass(reader: Reader, node: Class, outer: Scope): ClassValue {
  const { file } = outer
  const parent = node.superClass === null ? null : readParent(reader, node.superClass, outer)
  const inherited = parent?.members ?? noMembers
  const statics = new Set<string>()
  const methods = new Map<string, Member>()
  const fields = new Map<string, Member>()
  let hidden: Unseen | null = null

  for (const element of node.body.body) {
    const found = readElement(reader, element, outer)
    if (found === null) continue
    if ('unseen' in found) hidden ??= found.unseen
    else if (found.isStatic) statics.add(found.name)
    else {
      const { name, isField: isOwn, value } = found
      const member: Member = { place: placeOf(file, element), value, isOwn }
      ;(isOwn ? fields : methods).set(name, member)
    }
  }
  // A field hides a method of the same name.
  const own = new Map([...methods, ...fields])
  const members: Members = {
    known: new Map([...inherited.known, ...own]),
    unseen: hidden ?? addedBy(node, outer) ?? inherited.unseen,
  }
  return {
    kind: 'class',
    file,
    node,
    parent: parent?.value ?? null,
    members: changedByItself(node, outer, members),
    statics,
  }
}

/** What a class gets from the expression after `extends`. */
function readParent(
  reader: Reader,
  node: Node,
  scope: Scope,
): { readonly members: Members; readonly value: ClassValue | null } {
  const value = reader.evaluate(node, scope)
  if (value.kind === 'class') return { value, members: value.members }
  if (value.kind === 'plain') return { value: null, members: noMembers }
  const reason = value.kind === 'unseen' ? value.why : 'that is not a class'
  const hidden = unseenAt(scope, node, `it extends ${textOf(scope.file, node)}: ${reason}`)
  return { value: null, members: { known: new Map(), unseen: hidden } }
}

type Element =
  | { readonly name: string; readonly isStatic: boolean; readonly isField: boolean; readonly value: Member['value'] }
  | { readonly unseen: Unseen }

/** A member that exists at run time; null for declarations, private names and setters. */
function readElement(reader: Reader, element: ClassElement, scope: Scope): Element | null {
  if (
    element.type !== 'MethodDefinition' &&
    element.type !== 'PropertyDefinition' &&
    element.type !== 'AccessorProperty'
  )
    return null
  if (element.type === 'PropertyDefinition' && element.declare === true) return null
  if (element.type === 'MethodDefinition') {
    if (element.kind === 'constructor' || element.kind === 'set' || element.value.body === null) return null
  }
  const named = memberName(element.key, element.computed, scope)
  if ('unseen' in named) return named
  if (named.name === null) return null
  const common = { name: named.name, isStatic: element.static }
  if (element.type === 'MethodDefinition') {
    const isGetter = element.kind === 'get'
    const value = (): Value =>
      isGetter ? unseen(scope, element, `${named.name} is a getter`) : reader.evaluate(element.value, scope)
    return { ...common, isField: false, value }
  }
  // The getter of an auto-accessor is on the prototype.
  return { ...common, isField: element.type === 'PropertyDefinition', value: () => fieldValue(reader, element, scope) }
}

function fieldValue(
  reader: Reader,
  { value, decorators }: Pick<PropertyDefinition, 'value' | 'decorators'>,
  scope: Scope,
): Value {
  const [decorator] = decorators
  if (decorator !== undefined)
    return unseen(scope, decorator, `the decorator ${textOf(scope.file, decorator)} may set it`)
  return value === null ? plain : reader.evaluate(value, scope)
}

/** A class with Nest's `@Controller()`: its decorators declare things and add no members. */
export const isNestController = ({ decorators }: Class, { program }: SourceFile): boolean =>
  decorators.some(({ expression }) => {
    if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') return false
    const { name } = expression.callee
    return program.body.some(
      (statement) =>
        statement.type === 'ImportDeclaration' &&
        statement.source.value === '@nestjs/common' &&
        statement.specifiers.some(
          (specifier) =>
            specifier.type === 'ImportSpecifier' &&
            specifier.local.name === name &&
            nameOf(specifier.imported) === 'Controller',
        ),
    )
  })

/** A decorator of a class may add members. */
function addedBy(node: Class, scope: Scope): Unseen | null {
  const [decorator] = node.decorators
  if (decorator === undefined || isNestController(node, scope.file)) return null
  return unseenAt(scope, decorator, `the decorator ${textOf(scope.file, decorator)} may add members`)
}

/** What the code of a class does to `this`, in the constructor or elsewhere. */
function changedByItself({ body }: Class, { file }: Scope, members: Members): Members {
  const changes = changesIn(body)('this').map((change) =>
    change.path[0] === 'prototype' ? { ...change, path: change.path.slice(1) } : change,
  )
  const changed = changedMembers(members, changes, file)
  const made = body.body.find((element) => element.type === 'MethodDefinition' && element.kind === 'constructor')
  if (made === undefined || !/\breturn\b\s*[^\s;}]/.test(file.text.slice(made.start, made.end))) return changed
  const why: Unseen = { why: 'its constructor returns something', place: placeOf(file, made) }
  return { known: hiddenBy(changed.known, why), unseen: why }
}
