import { placeOf } from '../syntax/parse.ts'
import type { Mutation } from './mutation.ts'
import { eitherOf } from './either.ts'
import { type Parts, inheritedFrom, spreadOf, withParts } from './read-object.ts'
import { type Reader, memberName, unseen, unseenAt } from './reader.ts'
import type { Scope } from './scope.ts'
import { type ClassValue, type Member, type Value, overlay, objectValue } from './value.ts'

/** A value after all that the code of its file does to it. */
export function applyMutations(reader: Reader, value: Value, mutations: readonly Mutation[], scope: Scope): Value {
  const on = (part: Mutation['on']) => mutations.filter((mutation) => mutation.on === part)
  if (value.kind === 'object' && on('self').length > 0) {
    const made = on('self').every(({ kind }) => kind === 'within') ? value.made : null
    return { ...value, ...mutated(reader, value, on('self'), scope, true), made }
  }
  if (value.kind !== 'class' && value.kind !== 'function') return value
  const onPrototype = on('prototype')
  if (onPrototype.length === 0) return value
  const base = value.kind === 'class' ? value : value.asClass()
  return base === null ? value : mutatedClass(reader, base, onPrototype, scope)
}

function mutatedClass(reader: Reader, base: ClassValue, mutations: readonly Mutation[], scope: Scope): ClassValue {
  const { members, ancestors } = mutated(
    reader,
    { members: base.instance, ancestors: base.ancestors },
    mutations,
    scope,
    false,
  )
  return { ...base, instance: members, ancestors }
}

function mutated(
  reader: Reader,
  { members, ancestors }: Parts,
  mutations: readonly Mutation[],
  scope: Scope,
  isOwn: boolean,
): Parts {
  let read: Parts = { members, ancestors }
  for (const mutation of mutations) read = applied(reader, read, mutation, scope, isOwn)
  return read
}

function applied(reader: Reader, read: Parts, mutation: Mutation, scope: Scope, isOwn: boolean): Parts {
  const { node } = mutation
  const depends = () => unseen(scope, node, dependsOnCondition)
  const hidden = (why: string): Parts =>
    withParts(read, { members: { known: new Map(), unseen: unseenAt(scope, node, why) }, ancestors: [] })
  switch (mutation.kind) {
    case 'unseen':
      return hidden(mutation.why)
    case 'within': {
      const member = read.members.known.get(mutation.member)
      if (member === undefined) return read
      const value = () => applyMutations(reader, member.value(), [mutation.mutation], scope)
      const known = new Map([[mutation.member, { ...member, value }]])
      return withParts(read, { members: { known, unseen: null }, ancestors: [] })
    }
    case 'delete': {
      const named = memberName(reader, mutation.key, mutation.computed, scope)
      const member = 'unseen' in named || named.name === null ? undefined : read.members.known.get(named.name)
      if (member === undefined || 'unseen' in named || named.name === null) return read
      const known = new Map(read.members.known)
      if (mutation.isSure) known.delete(named.name)
      else known.set(named.name, { ...member, value: depends })
      return { ...read, members: { ...read.members, known } }
    }
    case 'merge':
      if (!mutation.isSure) return hidden(dependsOnCondition)
      return withParts(read, spreadOf(reader.evaluate(mutation.source, scope), node, scope))
    case 'replace': {
      const { members, ancestors } = inheritedFrom(reader.evaluate(mutation.value, scope), node, scope)
      const known = new Map([...members.known].filter(([name]) => name !== 'constructor'))
      const replaced = overlay({ known, unseen: members.unseen }, read.members)
      return { members: replaced, ancestors: [...read.ancestors, ...ancestors] }
    }
    case 'inherit': {
      const value = reader.evaluate(mutation.parent, scope)
      const parent = value.kind === 'function' ? (value.asClass() ?? value) : value
      const { members, ancestors } = inheritedFrom(parent.kind === 'class' ? prototypeOf(parent) : parent, node, scope)
      return { members: overlay(members, read.members), ancestors: [...read.ancestors, ...ancestors] }
    }
    default: {
      const named = memberName(reader, mutation.key, mutation.kind === 'define' || mutation.computed, scope)
      if ('unseen' in named) return hidden(named.unseen.why)
      if (named.name === null) return read
      const former = read.members.known.get(named.name)
      const written = () =>
        mutation.kind === 'set' ? reader.evaluate(mutation.value, scope) : defined(reader, mutation, scope)
      const value = () => {
        const held = former?.value()
        if (mutation.kind === 'set' && mutation.isFallback && held !== undefined && held.kind !== 'plain') return held
        if (mutation.isSure) return written()
        return held === undefined ? depends() : eitherOf([held, written()], node, scope)
      }
      const member: Member = { place: placeOf(scope.file, node), value, isOwn, via: [scope.file.path] }
      return withParts(read, { members: { known: new Map([[named.name, member]]), unseen: null }, ancestors: [] })
    }
  }
}

const dependsOnCondition = 'it depends on a condition'

/** What a descriptor holds: `{ value }` or `{ get }`. */
function defined(reader: Reader, { descriptor, node }: Mutation & { kind: 'define' }, scope: Scope): Value {
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
