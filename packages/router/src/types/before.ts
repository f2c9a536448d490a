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
export type Before<Newer, Changes extends readonly AnyChange[]> = Older<Newer, StepsOf<Changes>>

type StepsOf<Changes extends readonly AnyChange[]> = Changes extends readonly [
  { readonly became: infer Became extends readonly AnyBecame[] },
  ...infer Later extends readonly AnyChange[],
]
  ? readonly [...Became, ...StepsOf<Later>]
  : Changes extends readonly []
    ? readonly []
    : readonly AnyBecame[]

/** One mapped type for all steps: a controller and an action cost once. */
type Older<Newer, Steps extends readonly AnyBecame[]> = {
  readonly [Key in keyof Newer]: { readonly [Name in keyof Newer[Key]]: OlderAction<Newer[Key][Name], Steps> }
}
type OlderAction<Action, Steps extends readonly AnyBecame[]> = Action extends { readonly schema: unknown }
  ? { readonly [Name in keyof Action]: Name extends 'schema' ? OlderSchema<Action[Name], Steps> : Action[Name] }
  : Action
type OlderSchema<S, Steps extends readonly AnyBecame[]> = {
  readonly [Part in keyof S]: Part extends 'params' | 'querystring' | 'headers' | 'body'
    ? OlderPart<S[Part], SchemaValue<S[Part], 'output'>, Steps>
    : Part extends 'response'
      ? {
          readonly [Status in keyof S[Part]]: OlderPart<S[Part][Status], SchemaValue<S[Part][Status], 'output'>, Steps>
        }
      : S[Part]
}

/** A part that does not contain a newer type stays the same. */
type OlderPart<S, V, Steps extends readonly AnyBecame[]> = number extends Steps['length']
  ? TypedSchema<unknown>
  : [V] extends [Without<V, Steps[number]>]
    ? S
    : TypedSchema<Undone<V, Steps>>

/** A schema of which only the type is known. */
export interface TypedSchema<V> {
  readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } }
}

type Undone<V, Steps> = Steps extends readonly [...infer Earlier, infer Last extends AnyBecame]
  ? Undone<Replaced<V, Last>, Earlier>
  : V

// The compiler copies the arguments of a type that it compares, and those of TypeBox are large. So a step is passed as its
// schemas, not as their values, and keys are compared first.

/** The value, with never in place of every newer type. */
type Without<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps> ? never : V extends unknown ? WithoutInside<V, Steps> : never
type WithoutInside<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps> ? never : HasNoKeys<V> extends true ? V : { [Key in keyof V]: Without<V[Key], Steps> }
type Matches<V, Steps extends AnyBecame> = Steps extends unknown ? IsSame<V, NewerOf<Steps>> : never

type Replaced<V, Step extends AnyBecame> =
  IsSame<V, NewerOf<Step>> extends true ? OlderOf<Step> : V extends unknown ? ReplacedInside<V, Step> : never
/** One member of a union. Of scalars, the type does not show which of them is meant. */
type ReplacedInside<V, Step extends AnyBecame> =
  IsSame<V, NewerOf<Step>> extends true
    ? NewerOf<Step> extends object
      ? OlderOf<Step>
      : OlderOf<Step> | V
    : HasNoKeys<V> extends true
      ? V
      : { [Key in keyof V]: Replaced<V[Key], Step> }

type NewerOf<Step extends AnyBecame> = SchemaValue<Step['newer'], 'output'>
type OlderOf<Step extends AnyBecame> = SchemaValue<Step['older'], 'output'>

/** True for null, unknown and any. */
type HasNoKeys<V> = [keyof V] extends [never] ? true : symbol extends keyof V ? true : false

/** Assignability in both directions is not enough: `{ a?: string }` and `{ b?: string }` are assignable to each other. */
type IsSame<A, B> = [keyof A] extends [keyof B] ? ([keyof B] extends [keyof A] ? IsIdentical<A, B> : false) : false
type IsIdentical<A, B> = Exactly<A> extends Exactly<B> ? true : false
type Exactly<A> = <T>() => T extends A ? 1 : 2
