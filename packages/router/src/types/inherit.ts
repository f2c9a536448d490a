// What `inherit` repeats, in types: the nodes of the caches, without those that `only` and `except` leave out.
import type {
  Cache,
  Extra,
  Inherit,
  Namespace,
  Node,
  Scope,
  Verb,
  Version,
} from '../declare/nodes.ts'
import type { PathsOf, TargetAction, TargetOf } from '../declare/options-of.ts'

/** The nodes of every cache, by name. A mapped type resolves each once, so a long chain of inherits is not deep. */
export type Caches<Versions extends readonly Version[]> = {
  [C in CachesIn<Versions[number]['nodes'][number]> as C['name']]: Expanded<
    C['nodes'][number],
    Caches<Versions>
  >
}

/** Tested first everywhere: nearly all nodes are of these kinds. */
type PlainNode = Node<'resources' | 'resource' | 'verb'>

type CachesIn<N> = N extends PlainNode
  ? never
  : N extends Cache<infer As, infer Body>
    ? string extends As
      ? never
      : N | CachesIn<Body>
    : N extends Namespace<string, unknown, infer Body> | Scope<object, infer Body>
      ? CachesIn<Body>
      : never

/** A node with the nodes of its caches, and with those that its `inherit` repeats. */
export type Expanded<N, AllCaches> = N extends PlainNode
  ? N
  : N extends Cache<string, infer Body>
    ? Expanded<Body, AllCaches>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? string extends From | Except
        ? N // not known: it adds no routes to the table
        : Selected<AllCaches[From & keyof AllCaches], Only, Except>
      : N extends Scope<infer Options extends object, infer Body>
        ? Scope<Options, Expanded<Body, AllCaches>>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? Namespace<Name, Options, Expanded<Body, AllCaches>>
          : N

type Selected<N, Only, Except> = [Except] extends [never]
  ? string extends Only
    ? N
    : WithNames<N, Only>
  : WithoutPaths<N, Except>

// ---- `only` and `except`: 'users', 'users#destroy', 'users/posts', 'admin/users#show' ----------------

/** `Items[Name]`, without the keys of `Items`: they are expensive to compute where a mapped type renames them. */
type Named<Items, Name> = Items extends { [_ in Name & string]: infer Item } ? Item : never

/** The names of nodes, and of those in scopes. */
type NamesOf<N> = N extends { kind: 'scope'; nodes: readonly (infer Body)[] }
  ? NamesOf<Body>
  : NameOf<N>
/** The name of a node. */
type NameOf<N> = N extends { name: infer Name } ? Name : never

/** The nodes with the names. */
type WithNames<N, Names> = WithName<N, { name: Names } | { kind: 'scope' }>
type WithName<N, Concerned> = N extends Concerned
  ? N extends Scope<infer Options, infer Body>
    ? Scope<Options, WithName<Body, Concerned>>
    : N
  : never

/** The nodes without what the paths name. Those of a resource may be actions: `#destroy`. */
type WithoutPaths<N, Paths> = [Paths] extends [never]
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
type FirstPart<Name> = Name extends `${infer First}/${string}`
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
      ? Node<
          Kind,
          Name,
          Options & { without: { [_ in ActionIn<Paths>]: true } },
          WithoutPaths<Body, Paths>
        >
      : never
/** The actions among the paths. */
type ActionIn<Paths> = Paths extends `#${infer Name}` ? Name : never

// ---- messages -----------------------------------------------------------------------------------

/** The versions, each replaced by a message when it inherits something that does not exist. */
export type Checked<Versions extends readonly Version[]> = {
  [I in keyof Versions]: OrMessage<
    Versions[I],
    MessageFor<Versions[I]['nodes'][number], Caches<Versions>>
  >
}
type OrMessage<V, Found> = [Found] extends [never] ? V : Found

type MessageFor<N, AllCaches> = N extends PlainNode
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? string extends Except
      ? never // of a call that does not compile
      : [Exclude<From, keyof AllCaches>] extends [never]
        ? UnknownPaths<
            AllCaches[From & keyof AllCaches],
            From,
            string extends Only ? never : Only,
            Except
          >
        : `no cache is named '${Exclude<From, keyof AllCaches> & string}'`
    : N extends
          | Cache<string, infer Body>
          | Namespace<string, unknown, infer Body>
          | Scope<object, infer Body>
      ? MessageFor<Body, AllCaches>
      : never

type UnknownPaths<N, From, Only, Except> = [Only | Except] extends [never]
  ? never
  : NotIn<Exclude<Only | Except, NamesOf<N>>, From, Only, N>
type NotIn<Path, From, Only, N> = Path extends Only
  ? Message<From, Path>
  : Path extends PathsOf<WithNames<N, FirstPart<Path>>>
    ? never
    : Message<From, Path>
type Message<From, Path> = `cache '${From & string}' has no '${Path & string}'`
