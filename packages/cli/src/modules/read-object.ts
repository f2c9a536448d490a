import type { Node, ObjectExpression } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { type Reader, memberName, unseenAt } from './reader.ts'
import type { Scope } from './scope.ts'
import {
  type Member,
  type Members,
  type ObjectValue,
  type Value,
  noMembers,
  overlay,
  passedOn,
  objectValue,
  lineageOf,
} from './value.ts'

/** Reads an object literal, with what it spreads. */
export function readObject(reader: Reader, node: ObjectExpression, scope: Scope): ObjectValue {
  let read = emptyParts
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      read = withParts(read, spreadOf(reader.evaluate(property.argument, scope), property, scope))
      continue
    }
    const { key, computed, kind, value: node_ } = property
    const named = memberName(reader, key, computed, scope)
    if ('unseen' in named) {
      read = withParts(read, { members: { known: new Map(), unseen: named.unseen }, ancestors: [] })
      continue
    }
    if (named.name === null || kind === 'set') continue
    if (named.name === '__proto__' && !computed && !property.shorthand && !property.method) {
      const { members, ancestors } = inheritedFrom(reader.evaluate(node_, scope), property, scope)
      read = { members: overlay(members, read.members), ancestors: [...read.ancestors, ...ancestors] }
      continue
    }
    const value = () => {
      const held = reader.evaluate(node_, scope)
      return kind === 'get' && held.kind === 'function' ? held.call([]) : held
    }
    const member: Member = { place: placeOf(scope.file, property), value, isOwn: true, via: [scope.file.path] }
    read = withParts(read, { members: { known: new Map([[named.name, member]]), unseen: null }, ancestors: [] })
  }
  return objectValue(scope.file, placeOf(scope.file, node), read)
}

/** Members, and the files that they come from. */
export interface Parts {
  readonly members: Members
  readonly ancestors: readonly string[]
}

export const emptyParts: Parts = { members: noMembers, ancestors: [] }

/** Adds parts over others: the same name of the upper ones wins. */
export const withParts = (lower: Parts, upper: Parts): Parts => ({
  members: overlay(lower.members, upper.members),
  ancestors: [...lower.ancestors, ...upper.ancestors],
})

/** What `{ ...value }` and `Object.assign(…, value)` copy: own members, and not those of a prototype. */
export function spreadOf(value: Value, node: Node, scope: Scope): Parts {
  if (value.kind === 'object') {
    const { known, unseen } = passedOn(value.members, scope.file.path)
    const own = new Map([...known].filter(([, { isOwn }]) => isOwn))
    return { members: { known: own, unseen }, ancestors: lineageOf(value) }
  }
  if (value.kind === 'plain' || value.kind === 'text') return { members: noMembers, ancestors: [] }
  return {
    members: { known: new Map(), unseen: unseenAt(scope, node, `it spreads ${reasonOf(value)}`) },
    ancestors: [],
  }
}

/** What an object has from its prototype. */
export function inheritedFrom(value: Value, node: Node, scope: Scope): Parts {
  if (value.kind === 'object') {
    const { known, unseen } = passedOn(value.members, scope.file.path)
    const inherited = new Map([...known].map(([name, member]) => [name, { ...member, isOwn: false }]))
    return { members: { known: inherited, unseen }, ancestors: lineageOf(value) }
  }
  if (value.kind === 'plain') return { members: noMembers, ancestors: [] }
  return {
    members: { known: new Map(), unseen: unseenAt(scope, node, `it inherits from ${reasonOf(value)}`) },
    ancestors: [],
  }
}

const reasonOf = (value: Value): string =>
  value.kind === 'unseen' ? `what cannot be read: ${value.why}` : `a ${value.kind}`
