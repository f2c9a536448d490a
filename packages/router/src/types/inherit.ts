// What `inherit` repeats, in types: the nodes of versions and caches, without those that `only` and `except` leave out.
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

/**
 * What `inherit` can repeat: the nodes of every version by number, and those of every cache by name. A mapped type resolves each
 * of them once, so a long chain of inherits isn't deep.
 *
 * @example
 * // version(1, cache({ as: 'v1' }, resources('users'))), version(2, { only: 'show' }, inherit({ from: 1 }))
 * {
 *   versions: { 1: Resources<'users'>; 2: Scope<{ only: 'show' }, Resources<'users'>> }
 *   caches: { v1: Resources<'users'> }
 * }
 */
export interface Sources<Versions extends readonly Version[]> {
  versions: {
    [V in Versions[number] as V['name']]: InScopeOf<
      V['options'],
      Expanded<V['nodes'][number], Sources<Versions>, V['name']>
    >
  }
  caches: {
    [C in CachesIn<Versions[number]['nodes'][number]> as C['name']]: Expanded<
      C['nodes'][number],
      Sources<Versions>
    >
  }
}
interface AnySources {
  versions: unknown
  caches: unknown
}
/** The nodes of a version or a cache, `never` if there's no such source. */
type NodesOf<Source, All extends AnySources> = Source extends number
  ? All['versions'][Source & keyof All['versions']]
  : All['caches'][Source & keyof All['caches']]
/** A version's options apply to its nodes as a scope's do. */
type InScopeOf<Options, N> = [keyof Options] extends [never]
  ? N
  : Scope<Extract<Options, object>, N>

/** A version's number, unless it has no nodes: then it's retired, and has neither routes nor controllers. */
export type NumberOf<V extends Version> = V extends Version
  ? [V['nodes'][number]] extends [never]
    ? never
    : V['name']
  : never

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

/**
 * A node with the nodes of its caches, and with those that its `inherit` repeats. An `inherit` from the node's own version
 * repeats nothing here, because the type would be circular. `Checked` reports it.
 */
export type Expanded<N, All extends AnySources, OwnVersion = never> = N extends PlainNode
  ? N
  : N extends Cache<string, infer Body>
    ? Expanded<Body, All, OwnVersion>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? string extends From | Except
        ? N // not known: it adds no routes to the table
        : number extends From
          ? N
          : Selected<NodesOf<Exclude<From, OwnVersion>, All>, Only, Except>
      : N extends Scope<infer Options extends object, infer Body>
        ? Scope<Options, Expanded<Body, All, OwnVersion>>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? Namespace<Name, Options, Expanded<Body, All, OwnVersion>>
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

/** The versions, each replaced by a message when it inherits something that doesn't exist. */
export type Checked<Versions extends readonly Version[]> = {
  [I in keyof Versions]: VersionOrMessage<
    Versions[I],
    ProblemIn<Versions[I]['nodes'][number], Sources<Versions>>,
    Versions[number]
  >
}
type VersionOrMessage<V extends Version, Problem, Declared extends Version> = [Problem] extends [
  never,
]
  ? V
  : [Exclude<Problem, Exclude<NumberOf<Declared>, V['name']>>] extends [never]
    ? V
    : [Exclude<Problem & number, Exclude<NumberOf<Declared>, V['name']>>] extends [never]
      ? Exclude<Problem, number>
      : WrongVersion<
          Exclude<Problem & number, Exclude<NumberOf<Declared>, V['name']>>,
          V['name'],
          Declared['name']
        >
type WrongVersion<Source extends number, Heir extends number, Declared> =
  Source extends Exclude<Declared, Heir>
    ? `version ${Heir} inherits from version ${Source}, which has no routes any more. Move them into version ${Heir} first.`
    : `version ${Heir} inherits from version ${Source}, which isn't declared above it`

/**
 * A message for each cache and path that doesn't exist, and the number of each version that the node inherits from. Only
 * `Checked` can tell which of these are wrong.
 */
type ProblemIn<N, All extends AnySources> = N extends PlainNode
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? string extends Except
      ? never // of a call that does not compile
      : [Exclude<From, keyof All['caches'] | number>] extends [never]
        ?
            | Extract<From, number>
            | UnknownPaths<NodesOf<From, All>, From, string extends Only ? never : Only, Except>
        :
            | Extract<From, number>
            | `no cache is named '${Exclude<From, keyof All['caches'] | number> & string}'`
    : N extends
          | Cache<string, infer Body>
          | Namespace<string, unknown, infer Body>
          | Scope<object, infer Body>
      ? ProblemIn<Body, All>
      : never

type UnknownPaths<N, From, Only, Except> = [Only | Except] extends [never]
  ? never
  : NotIn<Exclude<Only | Except, NamesOf<N>>, From, Only, N>
type NotIn<Path, From, Only, N> = Path extends Only
  ? Message<From, Path>
  : Path extends PathsOf<WithNames<N, FirstPart<Path>>>
    ? never
    : Message<From, Path>
type Message<From, Path> = From extends number
  ? `version ${From} has no '${Path & string}'`
  : `cache '${From & string}' has no '${Path & string}'`
