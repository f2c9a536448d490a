// The types of the controllers of an older version: those of the newer one, with the types of their older schemas.
import type { SchemaDirection, SchemaValue } from './schema.ts'

/** A change, as far as its types matter. */
interface AnyChange {
  readonly became: readonly object[]
}
interface AnyBecame {
  readonly older: unknown
  readonly newer: unknown
}
interface AnyStatusBecame {
  readonly status: { readonly older: PropertyKey; readonly newer: PropertyKey }
  readonly only?: readonly string[]
}

/**
 * The controllers of the version before `Newer`. The changes are undone from the last one to the first. Of a list that is not a
 * tuple, the compiler does not know the changes: every part of a schema is then unknown.
 */
export type Before<Newer, Changes extends readonly AnyChange[]> = Older<
  Newer,
  OfKind<StepsOf<Changes>, AnyBecame>,
  OfKind<StepsOf<Changes>, AnyStatusBecame>
>

type StepsOf<Changes extends readonly AnyChange[]> = Changes extends readonly [
  infer One extends AnyChange,
  ...infer Later extends readonly AnyChange[],
]
  ? readonly [...One['became'], ...StepsOf<Later>]
  : Changes extends readonly []
    ? readonly []
    : readonly object[]
type OfKind<Steps, Kind> = Steps extends readonly [infer Step, ...infer Later]
  ? Step extends Kind
    ? readonly [Step, ...OfKind<Later, Kind>]
    : OfKind<Later, Kind>
  : Steps extends readonly []
    ? readonly []
    : readonly Kind[]

/** One mapped type for all steps: a controller and an action cost once. */
type Older<
  Newer,
  Steps extends readonly AnyBecame[],
  Statuses extends readonly AnyStatusBecame[],
> = {
  readonly [Key in keyof Newer]: {
    readonly [Name in keyof Newer[Key]]: OlderAction<
      Newer[Key][Name],
      Steps,
      Statuses extends readonly []
        ? Statuses
        : StatusesAt<`${Key & string}.${Name & string}`, Statuses>
    >
  }
}
type OlderAction<
  Action,
  Steps extends readonly AnyBecame[],
  Statuses extends readonly AnyStatusBecame[],
> = Action extends { readonly schema: unknown }
  ? {
      readonly [Name in keyof Action]: Name extends 'schema'
        ? OlderSchema<Action[Name], Steps, Statuses>
        : Action[Name]
    }
  : Action
type OlderSchema<
  S,
  Steps extends readonly AnyBecame[],
  Statuses extends readonly AnyStatusBecame[],
> = {
  readonly [Part in keyof S]: Part extends 'params' | 'querystring' | 'headers' | 'body'
    ? OlderPart<S[Part], SchemaValue<S[Part], 'output'>, Steps>
    : Part extends 'response'
      ? Statuses extends readonly []
        ? OlderResponses<S[Part], Steps>
        : WithOlderStatuses<OlderResponses<S[Part], Steps>, Statuses>
      : S[Part]
}
type OlderResponses<S, Steps extends readonly AnyBecame[]> = {
  readonly [Status in keyof S]: OlderPart<S[Status], SchemaValue<S[Status], 'output'>, Steps>
}

/** The changed statuses of one action. */
type StatusesAt<Where extends string, Statuses> = Statuses extends readonly [
  infer Step extends AnyStatusBecame,
  ...infer Later,
]
  ? Step extends { readonly only?: infer Only extends readonly string[] }
    ? Where extends Only[number]
      ? readonly [Step, ...StatusesAt<Where, Later>]
      : StatusesAt<Where, Later>
    : readonly [Step, ...StatusesAt<Where, Later>]
  : readonly []
type WithOlderStatuses<S, Statuses> = {
  readonly [Status in keyof S as OlderStatus<Status, Statuses>]: S[Status]
}
type OlderStatus<Status, Statuses> = Statuses extends readonly [
  ...infer Earlier,
  infer Last extends AnyStatusBecame,
]
  ? OlderStatus<Status extends Last['status']['newer'] ? Last['status']['older'] : Status, Earlier>
  : Status

/** A part that does not contain a newer type stays the same. */
type OlderPart<S, V, Steps extends readonly AnyBecame[]> = number extends Steps['length']
  ? TypedSchema<unknown>
  : [V] extends [Without<V, Steps[number]>]
    ? S
    : SchemaBefore<S, Steps>

/** A schema of which only the type is known. */
export interface TypedSchema<V> {
  readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } }
}
/** The schema of an older version. What has a default may be left out of its input. Each type is computed when it's asked for. */
export interface SchemaBefore<S, Steps> {
  readonly '~standard': {
    readonly types?: {
      readonly input: Undone<SchemaValue<S, 'input'>, Steps, 'input'>
      readonly output: Undone<SchemaValue<S, 'output'>, Steps, 'output'>
    }
  }
}

type Undone<V, Steps, D extends SchemaDirection> = Steps extends readonly [
  ...infer Earlier,
  infer Last extends AnyBecame,
]
  ? Undone<Replaced<V, Last, D>, Earlier, D>
  : V

// The compiler copies the arguments of a type that it compares, and those of TypeBox are large. So a step is passed as its
// schemas, not as their values, and keys are compared first.

/** The value, with never in place of every newer type. */
type Without<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps> ? never : V extends unknown ? WithoutInside<V, Steps> : never
type WithoutInside<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps>
    ? never
    : HasNoKeys<V> extends true
      ? V
      : { [Key in keyof V]: Without<V[Key], Steps> }
type Matches<V, Steps extends AnyBecame> = Steps extends unknown
  ? IsSame<V, NewerOf<Steps, 'output'>>
  : never

type Replaced<V, Step extends AnyBecame, D extends SchemaDirection> =
  IsSame<V, NewerOf<Step, D>> extends true
    ? OlderOf<Step, D>
    : V extends unknown
      ? ReplacedInside<V, Step, D>
      : never
/** One member of a union. Of scalars, the type does not show which of them is meant. */
type ReplacedInside<V, Step extends AnyBecame, D extends SchemaDirection> =
  IsSame<V, NewerOf<Step, D>> extends true
    ? NewerOf<Step, D> extends object
      ? OlderOf<Step, D>
      : OlderOf<Step, D> | V
    : HasNoKeys<V> extends true
      ? V
      : { [Key in keyof V]: Replaced<V[Key], Step, D> }

type NewerOf<Step extends AnyBecame, D extends SchemaDirection> = SchemaValue<Step['newer'], D>
type OlderOf<Step extends AnyBecame, D extends SchemaDirection> = SchemaValue<Step['older'], D>

/** True for null, unknown and any. */
type HasNoKeys<V> = [keyof V] extends [never] ? true : symbol extends keyof V ? true : false

/** Assignability in both directions is not enough: `{ a?: string }` and `{ b?: string }` are assignable to each other. */
type IsSame<A, B> = [keyof A] extends [keyof B]
  ? [keyof B] extends [keyof A]
    ? IsIdentical<A, B>
    : false
  : false
type IsIdentical<A, B> = Exactly<A> extends Exactly<B> ? true : false
type Exactly<A> = <T>() => T extends A ? 1 : 2
