// What `inherit` repeats, in types: the nodes of versions and caches, without those that `only` and
// `except` leave out. In the examples, `users` stands for `Resources<'users'>`, and so on.
import type {
  AnyResource,
  Blocks,
  Cache,
  Extra,
  Inherit,
  Namespace,
  Scope,
  Verb,
  Version,
} from '../declare/nodes.ts'
import type { NamedTarget, PathsOf, TargetAction, TargetOf } from '../declare/options-of.ts'

/**
 * What `inherit` can repeat: the nodes of every version by number, and those of every cache by
 * name. A mapped type resolves each of them once, so a long chain of inherits isn't deep.
 *
 * @example
 * // version(1, cache({ as: 'v1' }, resources('users'))),
 * // version(2, { only: 'show' }, inherit({ from: 1 }), resources('tags'))
 * {
 *   versions: { 1: users; 2: Scope<{ only: 'show' }, users | tags> }
 *   caches: { v1: users }
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
/**
 * The nodes of a version or a cache: `users` for `1` and for `'v1'`, and `never` for `'v0'`. The
 * number 1 and a cache named `'1'` are different sources.
 */
type NodesOf<Source, All extends AnySources> = Source extends number
  ? All['versions'][Source & keyof All['versions']]
  : All['caches'][Source & keyof All['caches']]
/**
 * A version's options apply to its nodes as a scope's do: `Scope<{ only: 'show' }, users>` for
 * `version(2, { only: 'show' }, resources('users'))`, and `users` without options.
 */
type InScopeOf<Options, N> = [keyof Options] extends [never]
  ? N
  : Scope<Extract<Options, object>, N>

/**
 * A version's number: `1` for `version(1, resources('users'))`. `never` for a version without
 * nodes, because it's retired, and has neither routes nor controllers.
 */
export type NumberOf<V extends Version> = V extends Version
  ? [V['nodes'][number]] extends [never]
    ? never
    : V['name']
  : never

/** Nearly all nodes are of these kinds, so every type here looks for them first. */
type PlainNode = { kind: 'resources' | 'resource' | 'verb' }

/**
 * The caches in a node, which may be nested: `Cache<'a', Cache<'b', users> | tags> | Cache<'b',
 * users>` for `cache({ as: 'a' }, cache({ as: 'b' }, resources('users')), resources('tags'))`.
 */
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
 * A node with the nodes of its caches, and with those that an `inherit` repeats. If an `inherit` is
 * from the node's own version, it repeats nothing, because the type would be circular. `Checked`
 * reports it.
 *
 * @example
 * // version(1, cache({ as: 'v1' }, resources('users')))
 * // and, in version 2, namespace('admin', inherit({ from: 1 }))
 * Namespace<'admin', {}, users>
 */
export type Expanded<N, All extends AnySources, OwnVersion = never> = N extends PlainNode
  ? N
  : N extends Cache<string, infer Body>
    ? Expanded<Body, All, OwnVersion>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? string extends From | Except
        ? N // its value is unknown, so it adds no routes to the table
        : number extends From
          ? N // likewise
          : Selected<NodesOf<Exclude<From, OwnVersion>, All>, Only, Except>
      : N extends Scope<infer Options extends object, infer Body>
        ? Scope<Options, Expanded<Body, All, OwnVersion>>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? Namespace<Name, Options, Expanded<Body, All, OwnVersion>>
          : N

/** `users` for `users | tags`, with `only: 'users'` or `except: 'tags'`. */
type Selected<N, Only, Except> = [Except] extends [never]
  ? string extends Only
    ? N
    : WithNames<N, Only>
  : WithoutPaths<N, Except>

// ---- `only` and `except`: 'users', 'users#destroy', 'users/posts', 'admin/users#show' -----------

/**
 * `Items[Name]`. It doesn't compute the keys of `Items`, which is expensive if a mapped type
 * renames them.
 */
type Named<Items, Name> = Items extends { [_ in Name & string]: infer Item } ? Item : never

/** `'users' | 'tags'` for `users | Scope<{}, tags>`: the names of nodes, and of those in scopes. */
type NamesOf<N> = N extends { kind: 'scope'; nodes: readonly (infer Body)[] }
  ? NamesOf<Body>
  : NameOf<N>
/** `'users'` for `users`. */
type NameOf<N> = N extends { name: infer Name } ? Name : never

/**
 * The nodes with the names. Scopes stay, and lose their other nodes.
 *
 * @example WithNames<users | Scope<{}, tags | keys>, 'tags'> // Scope<{}, tags>
 */
type WithNames<N, Names> = WithName<N, { name: Names } | { kind: 'scope' }>
type WithName<N, Concerned> = N extends Concerned
  ? N extends Scope<infer Options, infer Body>
    ? Scope<Options, WithName<Body, Concerned>>
    : N
  : never

/**
 * The nodes without what the paths name. Inside a resource, a path can be an action: `#destroy`.
 *
 * @example WithoutPaths<users | tags, 'tags' | 'users#show'> // users without its action show
 */
type WithoutPaths<N, Paths> = [Paths] extends [never]
  ? N
  : Remaining<
      N,
      Paths,
      ByFirstPart<Paths>,
      { name: Paths | keyof ByFirstPart<Paths> } | { kind: 'scope' | 'extra' | 'verb' }
    >

/**
 * `{ users: '#destroy' | 'posts' }` for `'users#destroy' | 'users/posts'`. It's computed once,
 * rather than for every node.
 */
type ByFirstPart<Names> = { [Name in Names & string as FirstPart<Name>]: Rest<Name> }
/** `'users'` for `'users/posts#show'`, for `'users#show'` and for `'users'`. */
type FirstPart<Name> = Name extends `${infer First}/${string}`
  ? First
  : Name extends `${infer First}#${string}`
    ? First
    : Name
/**
 * `'posts#show'` for `'users/posts#show'`, `'#show'` for `'users#show'`, and `never` for `'users'`.
 */
type Rest<Name> = Name extends `${string}/${infer Below}`
  ? Below
  : Name extends `${string}#${infer Action}`
    ? `#${Action}`
    : never

/**
 * `never` for a node that a path names. For any other node, the node without the parts that a path
 * names.
 *
 * @param Parts - the paths {@link ByFirstPart}
 * @param Concerned - matches every node that has something to leave out. It's tested first, because
 *   most nodes don't match
 */
type Remaining<N, Paths, Parts, Concerned> = N extends Concerned
  ? N extends { name: Paths }
    ? never
    : N extends Scope<infer Options, infer Body>
      ? Scope<Options, Remaining<Body, Paths, Parts, Concerned>>
      : N extends Extra<infer On, infer Body>
        ? Extra<On, Remaining<Body, Paths, Parts, Concerned>>
        : N extends Verb<infer Path, infer Options>
          ? [
              Extract<Paths, `#${TargetAction<TargetOf<Path, Options>>}` | NamedTarget<Options>>,
            ] extends [never]
            ? N
            : never
          : Reduced<N, Named<Parts, NameOf<N>>>
  : N
/**
 * A node without what the paths name inside it. Actions aren't nodes, so `without` tells
 * {@link TableOf} to leave them out.
 *
 * @example
 * // Reduced<Resources<'users', {}, posts | tags>, '#destroy' | 'posts'>
 * Resources<'users', { without: { destroy: true } }, tags>
 */
type Reduced<N, Paths> =
  N extends Namespace<infer Name, infer Options, infer Body>
    ? Namespace<Name, Options, WithoutPaths<Body, Paths>>
    : N extends AnyResource<infer Name, infer Options, infer Body>
      ? Blocks<
          Name,
          Options & { without: { [_ in ActionIn<Paths>]: true } },
          WithoutPaths<Body, Paths>
        >[N['kind']]
      : never
/** `'destroy'` for `'#destroy' | 'posts'`. */
type ActionIn<Paths> = Paths extends `#${infer Name}` ? Name : never

// ---- messages -----------------------------------------------------------------------------------

/**
 * The versions, but with a message in place of each version that inherits something that doesn't
 * exist. TypeScript then reports that version, and shows the message as the type that it expected.
 *
 * @param All - also the versions, because in a spread list's part of a mapped type, `Versions` are
 *   only those of the list
 * @example
 * // version(1, resources('users')), version(2, inherit({ from: 3 }))
 * [Version<1, …>, "version 2 inherits from version 3, which isn't declared above it"]
 */
export type Checked<
  Versions extends readonly Version[],
  All extends readonly Version[] = Versions,
> = {
  [I in keyof Versions]: VersionOrMessage<
    Versions[I],
    ProblemIn<Versions[I]['nodes'][number], Sources<All>>,
    All[number]
  >
}
/**
 * A number isn't a problem if it's a different version that has nodes. For most versions, the first
 * line already decides.
 */
type VersionOrMessage<V extends Version, Problem, Declared extends Version> = [Problem] extends [
  never,
]
  ? V
  : number extends Problem | V['name']
    ? V // only known at run time
    : OrMessage<V, Exclude<Problem, Exclude<NumberOf<Declared>, V['name']>>, Declared['name']>
/** If a version is wrong, messages about its paths would only confuse. */
type OrMessage<V extends Version, Problem, Declared> = [Problem] extends [never]
  ? V
  : [Extract<Problem, number>] extends [never]
    ? Problem
    : WrongVersion<Extract<Problem, number>, V['name'], Declared>
/** If the wrong version is declared, it's a tombstone or the heir itself. */
type WrongVersion<Source extends number, Heir extends number, Declared> =
  Source extends Exclude<Declared, Heir>
    ? `version ${Heir} inherits from version ${Source}, which has no routes any more. Move them into version ${Heir} first.`
    : `version ${Heir} inherits from version ${Source}, which isn't declared above it`

/**
 * A message for each cache and path that doesn't exist, and the number of each version that the
 * node inherits from, because only `Checked` knows which of these are wrong.
 *
 * @example
 * // inherit({ from: [1, 'v1'], except: 'users#list' })
 * 1 | "version 1 has no 'users#list'" | "cache 'v1' has no 'users#list'"
 */
type ProblemIn<N, All extends AnySources> = N extends PlainNode
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? string extends Except
      ? never // the call doesn't compile anyway
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

/** Messages for the paths that none of the nodes has. Most inherits have no paths. */
type UnknownPaths<N, From, Only, Except> = [Only | Except] extends [never]
  ? never
  : NotIn<Exclude<Only | Except, NamesOf<N>>, From, Only, N>
/** `only` can only name the nodes themselves, and `except` can name everything in them. */
type NotIn<Path, From, Only, N> = Path extends Only
  ? Message<From, Path>
  : Path extends PathsOf<WithNames<N, FirstPart<Path>>>
    ? never
    : Path extends TargetsOf<N>
      ? never
      : WithTargets<Message<From, Path>, Extract<TargetsOf<N>, `${Path & string}#${string}`>>
/** A controller's key isn't a name, but the targets of its verbs are. */
type WithTargets<Text extends string, Targets> = [Targets] extends [never]
  ? Text
  : `${Text}, only '${Targets & string}'`
/** The targets of verbs outside of resources and namespaces: `users#destroy`. */
type TargetsOf<N> =
  N extends Verb<string, infer Options>
    ? NamedTarget<Options>
    : N extends Scope<object, infer Body>
      ? TargetsOf<Body>
      : never
type Message<From, Path> = From extends number
  ? `version ${From} has no '${Path & string}'`
  : `cache '${From & string}' has no '${Path & string}'`
