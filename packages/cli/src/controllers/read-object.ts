import type { Node, ObjectExpression } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { type Reader, type Scope, memberName, unseen, unseenAt } from './scope.ts'
import { type Member, type Members, type ObjectValue, noMembers, overlay } from './value.ts'

/** Reads an object literal, with what it spreads. */
export function readObject(reader: Reader, node: ObjectExpression, scope: Scope): ObjectValue {
  let members = noMembers
  const add = (upper: Members): void => {
    members = overlay(members, upper)
  }
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      add(spread(property.argument))
      continue
    }
    const { key, computed, kind, value: held } = property
    const named = memberName(key, computed, scope)
    if ('unseen' in named) add({ known: new Map(), unseen: named.unseen })
    else if (named.name === '__proto__' && !computed && !property.method)
      add({ known: new Map(), unseen: unseenAt(scope, property, 'its prototype is set') })
    else if (named.name !== null && kind !== 'set') {
      const isGetter = kind === 'get'
      const value = () =>
        isGetter ? unseen(scope, property, `${named.name} is a getter`) : reader.evaluate(held, scope)
      const member: Member = { place: placeOf(scope.file, property), value, isOwn: true }
      add({ known: new Map([[named.name, member]]), unseen: null })
    }
  }
  return { kind: 'object', place: placeOf(scope.file, node), members }

  /** A spread copies own members, and not those of a prototype. */
  function spread(source: Node): Members {
    const value = reader.evaluate(source, scope)
    if (value.kind === 'plain') return noMembers
    if (value.kind !== 'object') {
      const why = value.kind === 'unseen' ? `what is not seen: ${value.why}` : `a ${value.kind}`
      return { known: new Map(), unseen: unseenAt(scope, source, `it spreads ${why}`) }
    }
    return { ...value.members, known: new Map([...value.members.known].filter(([, { isOwn }]) => isOwn)) }
  }
}
