// What an expression of a source file stands for, as far as reading the file shows it.
import type { ArrowFunctionExpression, Class, Function as FunctionNode } from 'oxc-parser'
import { type Place, type SourceFile, type Unseen, placeOf } from '../syntax/parse.ts'

export type Value = ClassValue | ObjectValue | FunctionValue | { readonly kind: 'plain' } | Unseen

export interface ClassValue {
  readonly kind: 'class'
  readonly place: Place
  readonly node: Class
  readonly parent: ClassValue | null
  /** What an instance has. */
  readonly members: Members
  /** It has Nest's `@Controller()`, which adds no members. */
  readonly isNest: boolean
}

/** An object, a module or an instance. */
export interface ObjectValue {
  readonly kind: 'object'
  readonly place: Place
  readonly members: Members
}

export interface FunctionValue {
  readonly kind: 'function'
  readonly place: Place
  readonly node: FunctionNode | ArrowFunctionExpression
  /** What it returns. A promise counts as what it resolves to. */
  readonly call: () => Value
}

/** A member of an object or of the instances of a class. */
export interface Member {
  readonly place: Place
  readonly value: () => Value
  /** It belongs to the object itself, not to its prototype: a spread copies it. */
  readonly isOwn: boolean
}

export interface Members {
  readonly known: ReadonlyMap<string, Member>
  /** Why there may be more than the known ones. Null when there are not. */
  readonly unseen: Unseen | null
}

/** A value that is neither a controller nor an action: a number, a text, undefined. */
export const plain: Value = { kind: 'plain' }
export const noMembers: Members = { known: new Map(), unseen: null }
export const unseenMembers = (by: Unseen): Members => ({ known: new Map(), unseen: by })

export const unseen = (
  { file }: { readonly file: SourceFile },
  node: { readonly start: number },
  why: string,
): Unseen => ({ kind: 'unseen', why, place: placeOf(file, node) })

/** Puts members over those below. Members that are not seen may hide those below. */
export function overlay(lower: Members, upper: Members): Members {
  const kept = upper.unseen === null ? lower.known : hiddenBy(lower.known, upper.unseen)
  return { known: new Map([...kept, ...upper.known]), unseen: upper.unseen ?? lower.unseen }
}

/** Members whose values may have been replaced. */
export const hiddenBy = (known: Members['known'], by: Unseen): Members['known'] =>
  new Map([...known].map(([name, member]) => [name, { ...member, value: () => by }]))

/** Whether a value is an action: a function, or an object with a `handler`; `unseen` when it cannot be told. */
export function isAction(value: Value): boolean | Unseen {
  const { known, unseen: hidden } = value.kind === 'object' ? value.members : noMembers
  const handler =
    value.kind === 'object' ? (known.get('handler')?.value() ?? hidden ?? plain) : value
  if (handler.kind === 'class')
    return { kind: 'unseen', why: 'it is a class', place: handler.place }
  return handler.kind === 'unseen' ? handler : handler.kind === 'function'
}
