// The types of an older version's controllers: the newer ones, with older schemas.
//
// The examples have these schemas, written as the types of their values:
//
//   type UserV1 = { name: string }
//   type User = { fullName: string }
//   type Renamed = Became<UserV1, User>
import type { SchemaDirection, SchemaValue } from './schema.ts'

/** What the types need of a change. */
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
 * The controllers of the version before `Newer`. Changes are undone from the last one to the first.
 * If they aren't a tuple, the compiler doesn't know which changes there are, so every part of a
 * schema is unknown.
 *
 *   Before<{ users: { show: { schema: { body: User }; handler: H } } }, [Change<[Renamed]>]>
 *   → { users: { show: { schema: { body: UserV1 }; handler: H } } }
 */
export type Before<Newer, Changes extends readonly AnyChange[]> = Older<
  Newer,
  OfKind<StepsOf<Changes>, AnyBecame>,
  OfKind<StepsOf<Changes>, AnyStatusBecame>
>

/** `StepsOf<[Change<[A, B]>, Change<[C]>]>` → `[A, B, C]` */
type StepsOf<Changes extends readonly AnyChange[]> = Changes extends readonly [
  infer First extends AnyChange,
  ...infer Later extends readonly AnyChange[],
]
  ? readonly [...First['became'], ...StepsOf<Later>]
  : Changes extends readonly []
    ? readonly []
    : readonly object[]

/** `OfKind<[Renamed, StatusBecame<200, 201>], AnyBecame>` → `[Renamed]` */
type OfKind<Steps, Kind> = Steps extends readonly [infer Step, ...infer Later]
  ? Step extends Kind
    ? readonly [Step, ...OfKind<Later, Kind>]
    : OfKind<Later, Kind>
  : Steps extends readonly []
    ? readonly []
    : readonly Kind[]

/**
 * All steps share one mapped type, so that each controller and action costs the compiler only once.
 * A controller that no change touches keeps its type, because the compiler has already compared
 * that with the routes, in another version. A class loses its type, because otherwise it could be
 * listed in a Nest module.
 */
type Older<Newer, Steps extends readonly AnyBecame[], Statuses> = {
  readonly [Key in keyof Newer]: (
    Newer[Key] extends Function ? false : IsKept<ValuesIn<Newer[Key]>, Steps, Statuses>
  ) extends true
    ? Newer[Key]
    : OlderController<Newer[Key], Key, Steps, Statuses>
}
type OlderController<Newer, Key, Steps extends readonly AnyBecame[], Statuses> = {
  readonly [Name in keyof Newer]: OlderAction<
    Newer[Name],
    Steps,
    Statuses extends readonly []
      ? Statuses
      : StatusesAt<`${Key & string}.${Name & string}`, Statuses>
  >
}

/** A method stays as it is: only an action with a schema can change. */
type OlderAction<Action, Steps extends readonly AnyBecame[], Statuses> = Action extends {
  readonly schema: unknown
}
  ? {
      readonly [Name in keyof Action]: Name extends 'schema'
        ? OlderSchema<Action[Name], Steps, Statuses>
        : Action[Name]
    }
  : Action

/**
 * The values of a controller's schemas. They don't depend on the change, so the compiler computes
 * them once for all versions.
 *
 * `ValuesIn<{ index: { schema: { response: { 200: User[] } } } }>` → `Value<User[]>`
 */
type ValuesIn<Controller> = {
  [Name in keyof Controller]: ValuesOf<Controller[Name]>
}[keyof Controller]
type ValuesOf<Action> = Action extends { readonly schema: infer S }
  ? {
      [Part in keyof S]: Part extends RequestPart
        ? Value<SchemaValue<S[Part], 'output'>>
        : Part extends 'response'
          ? ResponsesIn<NonNullable<S[Part]>>
          : never
    }[keyof S]
  : never
type ResponsesIn<S> = { [Status in keyof S]: Value<SchemaValue<S[Status], 'output'>> }[keyof S]
type RequestPart = 'params' | 'querystring' | 'headers' | 'body'
/** Keeps values apart: in a union, `User | null` and `null` would be one. */
interface Value<V> {
  readonly value: V
}
/**
 * Whether no value and no status changes: `IsKept<Value<User[]>, [Renamed], []>` → `false`. The
 * compiler only looks into values that have all the names of a newer type, and few do.
 */
type IsKept<Values, Steps extends readonly AnyBecame[], Statuses> = number extends Steps['length']
  ? false
  : Statuses extends readonly []
    ? true extends MayContain<NamesIn<Values>, Steps[number]>
      ? true extends IsChanged<Values, Steps[number]>
        ? false
        : true
      : true
    : false
/** True or boolean if any of the values changes. */
type IsChanged<Values, Steps extends AnyBecame> =
  Values extends Value<infer V> ? ([V] extends [Without<V, Steps>] ? false : true) : never
/** True or boolean if the names include all the names of a newer type. */
type MayContain<Names, Steps extends AnyBecame> = Steps extends unknown
  ? NewerOf<Steps, 'output'> extends object
    ? NewerOf<Steps, 'output'> extends readonly unknown[]
      ? true
      : [keyof NewerOf<Steps, 'output'>] extends [Names]
        ? true
        : false
    : true
  : never
/** The names of a value's properties. Below six levels, any name may be there. */
type NamesIn<V, Level extends readonly 0[] = []> = Level['length'] extends 6
  ? PropertyKey
  : V extends readonly (infer Item)[]
    ? NamesIn<Item, [...Level, 0]>
    : V extends object
      ? keyof V | { [Key in keyof V]: NamesIn<V[Key], [...Level, 0]> }[keyof V]
      : never

/**
 * `OlderSchema<{ body: User; summary: string }, [Renamed], []>` → `{ body: UserV1; summary: string
 * }`
 */
type OlderSchema<S, Steps extends readonly AnyBecame[], Statuses> = {
  readonly [Part in keyof S]: Part extends RequestPart
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

/**
 * The changed statuses of one action.
 *
 *   type Created = StatusBecame<200, 201, ['users.create']>
 *   type Invalid = StatusBecame<400, 422, ['teams.create']>
 *   StatusesAt<'users.create', [Created, Invalid]> → [Created]
 */
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

/**
 * `WithOlderStatuses<{ 201: User; 404: Failure }, [StatusBecame<200, 201>]>` → `{ 200: User; 404:
 * Failure }`
 */
type WithOlderStatuses<S, Statuses> = {
  readonly [Status in keyof S as OlderStatus<Status, Statuses>]: S[Status]
}
/** `OlderStatus<202, [StatusBecame<200, 201>, StatusBecame<201, 202>]>` → `200` */
type OlderStatus<Status, Statuses> = Statuses extends readonly [
  ...infer Earlier,
  infer Last extends AnyStatusBecame,
]
  ? OlderStatus<Status extends Last['status']['newer'] ? Last['status']['older'] : Status, Earlier>
  : Status

/** A part that doesn't contain a newer type keeps its schema `S`. Its values have the type `V`. */
type OlderPart<S, V, Steps extends readonly AnyBecame[]> = number extends Steps['length']
  ? TypedSchema<unknown>
  : [V] extends [Without<V, Steps[number]>]
    ? S
    : SchemaBefore<S, Steps>

/** A schema of which only the type is known. */
export interface TypedSchema<V> {
  readonly '~standard': { readonly types?: { readonly input: V; readonly output: V } }
}
/**
 * An older version's schema. Its input and output differ if a property has a default, which a
 * request may leave out. The compiler only computes the one that it's asked for.
 */
export interface SchemaBefore<in out S, in out Steps> {
  readonly '~standard': {
    readonly types?: {
      readonly input: Undone<SchemaValue<S, 'input'>, Steps, 'input'>
      readonly output: Undone<SchemaValue<S, 'output'>, Steps, 'output'>
    }
  }
}

/**
 * A type before several steps, undone from the last one to the first.
 *
 *   Undone<{ items: V3[] }, [Became<V1, V2>, Became<V2, V3>], 'output'>
 *   → Undone<{ items: V2[] }, [Became<V1, V2>], 'output'>
 *   → { items: V1[] }
 */
type Undone<V, Steps, D extends SchemaDirection> = Steps extends readonly [
  ...infer Earlier,
  infer Last extends AnyBecame,
]
  ? Undone<Replaced<V, Last, D>, Earlier, D>
  : V

// To compare two types, the compiler copies their arguments, and TypeBox's are large. So the
// aliases below take a step's schemas instead of their values, and compare keys before anything
// else.

/**
 * A type with never in place of every newer type. It's only compared with the type itself, to see
 * whether that contains a newer one.
 *
 *   Without<{ user: User; id: string }, Renamed>          → { user: never; id: string }
 *   Without<User | null, Renamed>                         → null
 *   Without<string | null, Became<number, string | null>> → never: the union as a whole is newer
 */
type Without<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps> ? never : V extends unknown ? WithoutInside<V, Steps> : never
/** The same for one member of a union: `WithoutInside<User[], Renamed>` → `never[]` */
type WithoutInside<V, Steps extends AnyBecame> =
  true extends Matches<V, Steps>
    ? never
    : HasNoKeys<V> extends true
      ? V
      : { [Key in keyof V]: Without<V[Key], Steps> }
/** True or boolean if a type is the newer one of any step: `Matches<User, Renamed>` → `true` */
type Matches<V, Steps extends AnyBecame> = Steps extends unknown
  ? IsSame<V, NewerOf<Steps, 'output'>>
  : never

/**
 * A type with the older type in place of the newer one.
 *
 *   Replaced<{ user: User; id: string }, Renamed, 'output'> → { user: UserV1; id: string }
 *   Replaced<User | null, Renamed, 'output'>                → UserV1 | null
 *   Replaced<string, Became<number, string>, 'output'>      → number
 */
type Replaced<V, Step extends AnyBecame, D extends SchemaDirection> =
  IsSame<V, NewerOf<Step, D>> extends true
    ? OlderOf<Step, D>
    : V extends unknown
      ? ReplacedInside<V, Step, D>
      : never
/**
 * The same for one member of a union. A string in a union may be the newer schema's or a different
 * one, which its type doesn't show, so it may also stay a string.
 *
 *   ReplacedInside<User, Renamed, 'output'>                  → UserV1
 *   ReplacedInside<User[], Renamed, 'output'>                → UserV1[]
 *   ReplacedInside<string, Became<number, string>, 'output'> → number | string
 */
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

/**
 * Assignability isn't enough: `{ a?: string }` and `{ b?: string }` are assignable to each other.
 */
type IsSame<A, B> = [keyof A] extends [keyof B]
  ? [keyof B] extends [keyof A]
    ? IsIdentical<A, B>
    : false
  : false
type IsIdentical<A, B> = Exactly<A> extends Exactly<B> ? true : false
type Exactly<A> = <T>() => T extends A ? 1 : 2
