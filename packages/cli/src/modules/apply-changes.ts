import { placeOf } from '../syntax/parse.ts'
import type { Change } from './changes.ts'
import { eitherOf } from './either.ts'
import { type Parts, inheritedFrom, spreadOf, withParts } from './read-object.ts'
import { type Reader, memberName, unseen, unseenAt } from './reader.ts'
import type { Scope } from './scope.ts'
import { type ClassValue, type Member, type Value, overlay, objectValue } from './value.ts'

/** A value after all that the code of its file does to it. */
export function applyChanges(reader: Reader, value: Value, changes: readonly Change[], scope: Scope): Value {
  const on = (part: Change['on']) => changes.filter((change) => change.on === part)
  if (value.kind === 'object' && on('self').length > 0) {
    const made = on('self').every(({ kind }) => kind === 'within') ? value.made : null
    return { ...value, ...changed(reader, value, on('self'), scope, true), made }
  }
  if (value.kind !== 'class' && value.kind !== 'function') return value
  const onPrototype = on('prototype')
  if (onPrototype.length === 0) return value
  const base = value.kind === 'class' ? value : value.asClass()
  return base === null ? value : changedClass(reader, base, onPrototype, scope)
}

function changedClass(reader: Reader, base: ClassValue, changes: readonly Change[], scope: Scope): ClassValue {
  const { members, ancestors } = changed(
    reader,
    { members: base.instance, ancestors: base.ancestors },
    changes,
    scope,
    false,
  )
  return { ...base, instance: members, ancestors }
}

function changed(
  reader: Reader,
  { members, ancestors }: Parts,
  changes: readonly Change[],
  scope: Scope,
  isOwn: boolean,
): Parts {
  let read: Parts = { members, ancestors }
  for (const change of changes) read = applied(reader, read, change, scope, isOwn)
  return read
}

function applied(reader: Reader, read: Parts, change: Change, scope: Scope, isOwn: boolean): Parts {
  const { node } = change
  const depends = () => unseen(scope, node, dependsOnCondition)
  const hidden = (why: string): Parts =>
    withParts(read, { members: { known: new Map(), unseen: unseenAt(scope, node, why) }, ancestors: [] })
  switch (change.kind) {
    case 'unseen':
      return hidden(change.why)
    case 'within': {
      const member = read.members.known.get(change.member)
      if (member === undefined) return read
      const value = () => applyChanges(reader, member.value(), [change.change], scope)
      const known = new Map([[change.member, { ...member, value }]])
      return withParts(read, { members: { known, unseen: null }, ancestors: [] })
    }
    case 'delete': {
      const named = memberName(reader, change.key, change.computed, scope)
      const member = 'unseen' in named || named.name === null ? undefined : read.members.known.get(named.name)
      if (member === undefined || 'unseen' in named || named.name === null) return read
      const known = new Map(read.members.known)
      if (change.isSure) known.delete(named.name)
      else known.set(named.name, { ...member, value: depends })
      return { ...read, members: { ...read.members, known } }
    }
    case 'merge':
      if (!change.isSure) return hidden(dependsOnCondition)
      return withParts(read, spreadOf(reader.evaluate(change.source, scope), node, scope))
    case 'replace': {
      const { members, ancestors } = inheritedFrom(reader.evaluate(change.value, scope), node, scope)
      const known = new Map([...members.known].filter(([name]) => name !== 'constructor'))
      const replaced = overlay({ known, unseen: members.unseen }, read.members)
      return { members: replaced, ancestors: [...read.ancestors, ...ancestors] }
    }
    case 'inherit': {
      const value = reader.evaluate(change.parent, scope)
      const parent = value.kind === 'function' ? (value.asClass() ?? value) : value
      const { members, ancestors } = inheritedFrom(parent.kind === 'class' ? prototypeOf(parent) : parent, node, scope)
      return { members: overlay(members, read.members), ancestors: [...read.ancestors, ...ancestors] }
    }
    default: {
      const named = memberName(reader, change.key, change.kind === 'define' || change.computed, scope)
      if ('unseen' in named) return hidden(named.unseen.why)
      if (named.name === null) return read
      const former = read.members.known.get(named.name)
      const written = () =>
        change.kind === 'set' ? reader.evaluate(change.value, scope) : defined(reader, change, scope)
      const value = () => {
        const held = former?.value()
        if (change.kind === 'set' && change.isFallback && held !== undefined && held.kind !== 'plain') return held
        if (change.isSure) return written()
        return held === undefined ? depends() : eitherOf([held, written()], node, scope)
      }
      const member: Member = { place: placeOf(scope.file, node), value, isOwn, via: [scope.file.path] }
      return withParts(read, { members: { known: new Map([[named.name, member]]), unseen: null }, ancestors: [] })
    }
  }
}

const dependsOnCondition = 'it depends on a condition'

/** What a descriptor holds: `{ value }` or `{ get }`. */
function defined(reader: Reader, { descriptor, node }: Change & { kind: 'define' }, scope: Scope): Value {
  const value = reader.evaluate(descriptor, scope)
  if (value.kind !== 'object') return unseen(scope, node, 'the property descriptor is unknown')
  const held = value.members.known.get('value')?.value()
  if (held !== undefined) return held
  const getter = value.members.known.get('get')?.value()
  return getter?.kind === 'function' ? getter.call([]) : unseen(scope, node, 'the property has no value here')
}

/** `Users.prototype`: what instances inherit. */
export function prototypeOf({ file, instance, node, ancestors }: ClassValue): Value {
  const known = new Map([...instance.known].filter(([, { isOwn }]) => !isOwn))
  const place = placeOf(file, node)
  return objectValue(file, place, { members: { known, unseen: instance.unseen }, ancestors })
}
