import type { Node } from 'oxc-parser'
import { placeOf } from '../syntax/parse.ts'
import { unseen, unseenAt } from './reader.ts'
import type { Scope } from './scope.ts'
import { type Member, type ObjectValue, type Value, lineageOf, objectValue, plain } from './value.ts'

/** One of several values: what a condition chooses. An object has the members that all of them have. */
export function eitherOf(values: readonly Value[], node: Node, scope: Scope): Value {
  const [first] = values
  if (first === undefined) return plain
  if (values.length === 1) return first
  const hidden = unseen(scope, node, 'it depends on a condition')
  const objects = values.filter((value) => value.kind === 'object')
  if (objects.length === values.length) return eitherObject(objects, node, scope)
  const functions = values.filter((value) => value.kind === 'function')
  if (functions.length === values.length)
    return {
      ...functions[0]!,
      call: (args) =>
        eitherOf(
          functions.map((one) => one.call(args)),
          node,
          scope,
        ),
      asClass: () => null,
    }
  if (values.every(({ kind }) => kind === 'plain')) return plain
  // `wrap(a) : wrap(b)`, and a wrapped one beside a function.
  const areCalled = values.every((value) => value.kind === 'function' || (value.kind === 'unseen' && value.isCalled))
  return hidden.kind === 'unseen' && areCalled ? { ...hidden, isCalled: true } : hidden
}

function eitherObject(objects: readonly ObjectValue[], node: Node, scope: Scope): Value {
  const [first] = objects
  const known = new Map<string, Member>()
  for (const [name, member] of first!.members.known) {
    const all = objects.flatMap(({ members }) => members.known.get(name) ?? [])
    if (all.length < objects.length) continue
    const value = () =>
      eitherOf(
        all.map((one) => one.value()),
        node,
        scope,
      )
    known.set(name, { ...member, value, isOwn: all.every(({ isOwn }) => isOwn) })
  }
  const hidden = objects.find(({ members }) => members.unseen !== null)?.members.unseen ?? null
  const isEqual = objects.every(({ members }) => members.known.size === known.size)
  const unseenMembers = hidden ?? (isEqual ? null : unseenAt(scope, node, 'it depends on a condition'))
  const parts = { members: { known, unseen: unseenMembers }, ancestors: [...new Set(objects.flatMap(lineageOf))] }
  return objectValue(scope.file, placeOf(scope.file, node), parts)
}
