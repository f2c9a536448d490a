// The names that code can use, and what they stand for.
import type { Span } from 'oxc-parser'
import type { SourceFile, Unseen } from '../syntax/parse.ts'
import type { Uses } from './uses.ts'
import { type Value, plain, unseen } from './value.ts'

/** The names that a file or the body of a function declares. */
export interface Scope {
  readonly file: SourceFile
  /** What an import or a `require` in the file gives. */
  readonly load: (specifier: string, node: Span, isImport: boolean) => Value
  readonly uses: Uses
  readonly values: Map<string, () => Value>
  readonly outer: Scope | null
}

export function lookUp(name: string, scope: Scope, node: Span): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const read = at.values.get(name)
    if (read !== undefined) return read()
  }
  return name === 'undefined' || name === 'Object'
    ? plain
    : unseen(scope, node, `${name} is not declared in this file`)
}

/** A member of an object, a module or a package. */
export function pick(value: Value, name: string, scope: Scope, node: Span): Value {
  if (value.kind === 'unseen')
    return value.origin === undefined ? value : { ...value, origin: `${value.origin} ${name}` }
  if (value.kind !== 'object') return unseen(scope, node, `${name} is unknown`)
  const member = value.members.known.get(name)
  if (member !== undefined) return member.value()
  return value.members.unseen ?? unseen(scope, node, `there is no ${name} in it`)
}

/** Reads a value once. `meanwhile` is what it seems to be while it is read. */
export function once(read: () => Value, meanwhile: Unseen): () => Value {
  let value: Value | undefined
  return () => {
    if (value === undefined) {
      value = meanwhile
      value = read()
    }
    return value
  }
}
