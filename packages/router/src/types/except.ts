// `except` of `inherit`, in types: 'users', 'users#destroy', 'users/posts', 'admin/users#show'.
import type { Extra, Node, Scope, Verb } from '../declare/nodes.ts'
import type { TargetAction } from '../declare/except-names.ts'
import type { TargetOf } from '../declare/options-of.ts'

/** A node without some of its actions or nested nodes. `Names` are relative to it: `'#destroy' | 'posts'`. */
export interface Without<N = unknown, Names = unknown> extends Node<'without', NameOf<N>, Names, N> {}
/** The name of a node. */
export type NameOf<N> = N extends { name: infer Name } ? Name : never

/** `Items[Name]`, without the keys of `Items`: they are expensive to compute where a mapped type renames them. */
export type Named<Items, Name> = Items extends { [_ in Name & string]: infer Item } ? Item : never

/** The nodes of a cache or a namespace, without those that the names exclude. */
export type WithoutNames<N, Names> = [Names] extends [never]
  ? N
  : Remaining<N, { name: Names }, ByFirstPart<Names>, { name: Names | keyof ByFirstPart<Names> }>

/** The same for the nodes of a resource, where a name may also be that of an action: `'#preview'`. */
export type WithoutNamesInside<N, Names> = [Names] extends [never] ? N : RemainingInside<N, Names>

/** `{ users: '#destroy' | 'posts' }` for `'users#destroy' | 'users/posts'`: read once, not for every node. */
type ByFirstPart<Names> = { [Name in Names & string as FirstPart<Name>]: Rest<Name> }
/** `users` of `'users/posts'` and of `'users#show'`. */
export type FirstPart<Name> = Name extends `${infer First}/${string}`
  ? First
  : Name extends `${infer First}#${string}`
    ? First
    : Name
/** `posts` of `'users/posts'`, `#show` of `'users#show'`. */
export type Rest<Name> = Name extends `${string}/${infer Below}`
  ? Below
  : Name extends `${string}#${infer Action}`
    ? `#${Action}`
    : never

/** The names of actions among the names. */
export type ActionIn<Names> = Names extends `#${infer Name}` ? Name : never

/** `Concerned` comes first, because it is false for most nodes. */
type Remaining<N, Gone, Parts, Concerned> = N extends Concerned
  ? N extends Gone
    ? never
    : Reduced<N, Named<Parts, NameOf<N>>>
  : N
type Reduced<N, Names> =
  N extends Without<infer Inner, infer Earlier> ? Without<Inner, Earlier | Names> : Without<N, Names>

type RemainingInside<N, Names> =
  N extends Extra<infer On, infer Body>
    ? Extra<On, RemainingInside<Body, Names>>
    : N extends Scope<infer Options, infer Body, infer Name>
      ? Scope<Options, RemainingInside<Body, Names>, Name>
      : N extends Verb<infer Path, infer Options>
        ? [Extract<Names, Path | `#${TargetAction<TargetOf<Path, Options>>}`>] extends [never]
          ? N
          : never
        : WithoutNames<N, Names>
