// The types of the controllers of an older version: those of the newer one, with the types of their older schemas.
import type { SchemaValue } from './schema.ts'

/** A change, as far as its types matter. */
interface AnyChange {
  readonly became: readonly AnyBecame[]
}
interface AnyBecame {
  readonly older: unknown
  readonly newer: unknown
}

/**
 * The controllers of the version before `Newer`. The changes are undone from the last one to the first. Of a list that is not a
 * tuple, the compiler does not know the changes: every part of a schema is then unknown.
 */
export type Before<Newer, Changes extends readonly AnyChange[]> = Changes extends readonly [
  ...infer Earlier extends readonly AnyChange[],
  { readonly became: infer B extends readonly AnyBecame[] },
]
  ? Before<Undone<Newer, B>, Earlier>
  : UnlessEmpty<Newer, Changes>

type Undone<Newer, B extends readonly AnyBecame[]> = B extends readonly [
  ...infer Earlier extends readonly AnyBecame[],
  { readonly older: infer O; readonly newer: infer N },
]
  ? Undone<Older<Newer, SchemaValue<O, 'output'>, SchemaValue<N, 'output'>>, Earlier>
  : UnlessEmpty<Newer, B>

type UnlessEmpty<Newer, List extends readonly unknown[]> = List extends readonly [] ? Newer : Older<Newer, unknown, any>

type Older<Newer, O, N> = {
  readonly [Key in keyof Newer]: { readonly [Name in keyof Newer[Key]]: OlderAction<Newer[Key][Name], O, N> }
}
type OlderAction<Action, O, N> = Action extends { readonly schema: infer S }
  ? Omit<Action, 'schema'> & { readonly schema: OlderSchema<S, O, N> }
  : Action
type OlderSchema<S, O, N> = {
  readonly [Part in keyof S]: Part extends 'params' | 'querystring' | 'headers' | 'body'
    ? OlderPart<S[Part], SchemaValue<S[Part], 'output'>, O, N>
    : Part extends 'response'
      ? { readonly [Status in keyof S[Part]]: OlderPart<S[Part][Status], SchemaValue<S[Part][Status], 'output'>, O, N> }
      : S[Part]
}

/** A part whose type does not contain the newer type stays the same. */
type OlderPart<S, V, O, N> = IsSame<V, Replaced<V, O, N>> extends true ? S : TypedSchema<Replaced<V, O, N>>

/** A schema of which only the type is known. */
export interface TypedSchema<V> {
  readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } }
}

type Replaced<V, O, N> = IsSame<V, N> extends true ? O : V extends unknown ? ReplacedMember<V, O, N> : never
/** One member of a union. Of scalars, the type does not show which of them is meant. */
type ReplacedMember<V, O, N> =
  IsSame<V, N> extends true
    ? N extends object
      ? O
      : O | N
    : V extends readonly (infer E)[]
      ? Replaced<E, O, N>[]
      : V extends object
        ? { [Key in keyof V]: Replaced<V[Key], O, N> }
        : V
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
