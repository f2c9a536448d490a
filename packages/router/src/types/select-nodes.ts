// `only` and `except` of `inherit`, in types: 'users', 'users#destroy', 'users/posts', 'admin/users#show'.
import type { Extra, Namespace, Node, Scope, Verb } from '../declare/nodes.ts'
import type { TargetAction } from '../declare/paths-of.ts'
import type { TargetOf } from '../declare/options-of.ts'

/** `Items[Name]`, without the keys of `Items`: they are expensive to compute where a mapped type renames them. */
type Named<Items, Name> = Items extends { [_ in Name & string]: infer Item } ? Item : never

/** The names of nodes, and of those in scopes. */
export type NamesOf<N> = N extends { kind: 'scope'; nodes: readonly (infer Body)[] } ? NamesOf<Body> : NameOf<N>
/** The name of a node. */
type NameOf<N> = N extends { name: infer Name } ? Name : never

/** The nodes with the names. */
export type WithNames<N, Names> = WithName<N, { name: Names } | { kind: 'scope' }>
type WithName<N, Concerned> = N extends Concerned
  ? N extends Scope<infer Options, infer Body>
    ? Scope<Options, WithName<Body, Concerned>>
    : N
  : never

/** The nodes without what the paths name. Those of a resource may be actions: `#destroy`. */
export type WithoutPaths<N, Paths> = [Paths] extends [never]
  ? N
  : Remaining<
      N,
      Paths,
      ByFirstPart<Paths>,
      { name: Paths | keyof ByFirstPart<Paths> } | { kind: 'scope' | 'extra' | 'verb' }
    >

/** `{ users: '#destroy' | 'posts' }` for `'users#destroy' | 'users/posts'`: read once, not for every node. */
type ByFirstPart<Names> = { [Name in Names & string as FirstPart<Name>]: Rest<Name> }
/** `users` of `'users/posts'` and of `'users#show'`. */
export type FirstPart<Name> = Name extends `${infer First}/${string}`
  ? First
  : Name extends `${infer First}#${string}`
    ? First
    : Name
/** `posts` of `'users/posts'`, `#show` of `'users#show'`. */
type Rest<Name> = Name extends `${string}/${infer Below}`
  ? Below
  : Name extends `${string}#${infer Action}`
    ? `#${Action}`
    : never

/** `Concerned` comes first, because it is false for most nodes. */
type Remaining<N, Paths, Parts, Concerned> = N extends Concerned
  ? N extends { name: Paths }
    ? never
    : N extends Scope<infer Options, infer Body>
      ? Scope<Options, Remaining<Body, Paths, Parts, Concerned>>
      : N extends Extra<infer On, infer Body>
        ? Extra<On, Remaining<Body, Paths, Parts, Concerned>>
        : N extends Verb<infer Path, infer Options>
          ? [Extract<Paths, `#${TargetAction<TargetOf<Path, Options>>}`>] extends [never]
            ? N
            : never
          : Reduced<N, Named<Parts, NameOf<N>>>
  : N
type Reduced<N, Paths> =
  N extends Namespace<infer Name, infer Options, infer Body>
    ? Namespace<Name, Options, WithoutPaths<Body, Paths>>
    : N extends Node<infer Kind, infer Name, infer Options, infer Body>
      ? Node<Kind, Name, Options & { without: { [_ in ActionIn<Paths>]: true } }, WithoutPaths<Body, Paths>>
      : never
/** The actions among the paths. */
type ActionIn<Paths> = Paths extends `#${infer Name}` ? Name : never
