// What a route file means, as a type. `api()` computes it once, in its return type.
import type { Action, CollectionAction } from '../declare/actions.ts'
import type { Cache, Extra, Inherit, Namespace, Node, Resource, Resources, Verb, Version } from '../declare/nodes.ts'
import type { Plural, Singular } from './plural.ts'

/** Its number, unless it has no nodes: such a version answers 410 and has no controllers. */
type NumberOf<V extends Version> = [V['nodes'][number]] extends [never] ? never : V['name']

/** `{ 1: { users: { index: {}, show: { id: string } }, 'nests/nested': … }, 2: … }` */
export type TableOf<Versions extends readonly Version[], Allowed = Action, Shallow = false> = {
  [V in Versions[number] as NumberOf<V>]: Merged<
    RoutesOf<V['nodes'][number], Within<ApiScope<Allowed, Shallow>, V['options']>, Caches<Versions>>
  >
}

// ---- caches: every `inherit` replaced by the nodes that it repeats ------------------------------

/** The nodes of every cache, by name. A mapped type resolves each once, so a long chain of inherits is not deep. */
export type Caches<Versions extends readonly Version[]> = {
  [C in CachesIn<Versions[number]['nodes'][number]> as C['name']]: Expanded<C['nodes'][number], Caches<Versions>>
}

/** Tested first everywhere: nearly all nodes are of these kinds. */
export type PlainNode = Node<'resources' | 'resource' | 'verb'>

type CachesIn<N> = N extends PlainNode
  ? never
  : N extends Cache<infer As, infer Body>
    ? string extends As
      ? never
      : N | CachesIn<Body>
    : N extends Namespace<string, unknown, infer Body>
      ? CachesIn<Body>
      : never

type Expanded<N, AllCaches> = N extends PlainNode
  ? N
  : N extends Cache<string, infer Body>
    ? Expanded<Body, AllCaches>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? Selected<AllCaches[From & keyof AllCaches], Only, Except>
      : N

type Selected<N, Only, Except> = [Except] extends [never]
  ? string extends Only
    ? N
    : Extract<N, { name: Only }>
  : Exclude<Extract<N, { name: Only }>, { name: Except }>

// ---- scope: what encloses a node ----------------------------------------------------------------

interface Scope {
  folder: string
  actions: unknown
  shallow: unknown
  /** The parameters of the enclosing resources. */
  parents: unknown
}
interface ApiScope<Allowed, Shallow> {
  folder: ''
  actions: Allowed
  shallow: Shallow
  parents: never
}
interface Within<S extends Scope, Options, Folder extends string = ''> {
  folder: `${S['folder']}${Folder}`
  actions: SelectedActions<Options, S['actions']>
  shallow: OptionOf<Options, 'shallow', S['shallow']>
  parents: S['parents']
}
/** Inside a resource. Its own `only` and `except` do not apply to nested resources. */
interface Inside<S extends Scope, Options, Parents> {
  folder: S['folder']
  actions: S['actions']
  shallow: OptionOf<Options, 'shallow', S['shallow']>
  parents: Parents
}

type SelectedActions<Options, Default> = Options extends { only: infer Names }
  ? ElementOf<Names>
  : Options extends { except: infer Names }
    ? Exclude<Action, ElementOf<Names>>
    : Default
type OptionOf<Options, Key extends string, Default> = Options extends { [K in Key]: infer Value } ? Value : Default
type ElementOf<Names> = Names extends readonly (infer Name)[] ? Name : Names

// ---- routes: controller keys, actions and their parameters --------------------------------------

interface Entry<Key extends PropertyKey = PropertyKey, Actions = unknown> {
  key: Key
  actions: Actions
}
type Params<Names> = { [Name in Names & string]: string }
/** Equal resources share one type. */
type ActionParams<Names, OnCollection, OnMember> = {
  [Name in Names & string]: Params<Name extends CollectionAction ? OnCollection : OnMember>
}

type RoutesOf<Body, S extends Scope, AllCaches> = Entries<Expanded<Body, AllCaches>, S, AllCaches>
/** A union of two aliases: the compiler caches the result of each across versions. */
type Entries<N, S extends Scope, AllCaches> = N extends unknown
  ? OwnRoutes<N, S> | NestedRoutes<N, S, AllCaches>
  : never

type OwnRoutes<N, S extends Scope> =
  N extends Resources<infer Name, infer Options>
    ? Entry<
        ControllerKey<S, OptionOf<Options, 'controller', Name>>,
        ActionParams<
          SelectedActions<Options, S['actions']>,
          S['parents'],
          KeptParents<S, Options> | OptionOf<Options, 'param', 'id'>
        >
      >
    : N extends Resource<infer Name, infer Options>
      ? Entry<
          ControllerKey<S, OptionOf<Options, 'controller', Plural<Name>>>,
          ActionParams<Exclude<SelectedActions<Options, S['actions']>, 'index'>, S['parents'], S['parents']>
        >
      : N extends Verb<infer Path, infer Options>
        ? Target<S, Path, Options, '', S['parents']>
        : never

type NestedRoutes<N, S extends Scope, AllCaches> =
  N extends Node<string, unknown, unknown, never>
    ? never
    : N extends Resources<infer Name, infer Options, infer Body>
      ?
          | RoutesOf<Body, Inside<S, Options, KeptParents<S, Options> | ParentParam<Name, Options>>, AllCaches>
          | ExtraRoutes<
              Body,
              S,
              ControllerKey<S, OptionOf<Options, 'controller', Name>>,
              S['parents'],
              KeptParents<S, Options> | OptionOf<Options, 'param', 'id'>
            >
      : N extends Resource<infer Name, infer Options, infer Body>
        ?
            | RoutesOf<Body, Inside<S, Options, S['parents']>, AllCaches>
            | ExtraRoutes<
                Body,
                S,
                ControllerKey<S, OptionOf<Options, 'controller', Plural<Name>>>,
                S['parents'],
                S['parents']
              >
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? RoutesOf<Body, Within<S, Options, `${Name & string}/`>, AllCaches>
          : never

type ExtraRoutes<N, S extends Scope, Key extends string, OnCollection, OnMember> =
  N extends Extra<infer On, infer V>
    ? V extends Verb<infer Path, infer Options>
      ? Target<S, Path, Options, Key, On extends 'member' ? OnMember : OnCollection>
      : never
    : never

/** The action is `to: 'health#show'`, `to: 'show'`, or the path itself. */
type Target<S extends Scope, Path, Options, Key extends string, Parents> =
  OptionOf<Options, 'to', Path> extends `${infer Controller}#${infer Name}`
    ? Entry<ControllerKey<S, Controller>, { [A in Name]: Params<Parents | PathParams<Path>> }>
    : Entry<Key, { [A in OptionOf<Options, 'to', Path> & string]: Params<Parents | PathParams<Path>> }>
/** Paths are not parsed in types: a path with a parameter accepts any parameter name. */
type PathParams<Path> = Path extends `${string}:${string}` ? string : never

type ControllerKey<S extends Scope, Name> = `${S['folder']}${Name & string}`
/** Shallow routes do not keep the parameters of their parents. */
type KeptParents<S extends Scope, Options> =
  OptionOf<Options, 'shallow', S['shallow']> extends true ? never : S['parents']
/** `post_id`, or any `…_id` where the ending does not decide the singular. */
type ParentParam<Name, Options> =
  `${OptionOf<Options, 'singular', Singular<OptionOf<Options, 'as', Name>>> & string}_${OptionOf<Options, 'param', 'id'> & string}`

type Merged<E extends Entry> = MergedActions<{ [One in E as One['key']]: One['actions'] }>
type MergedActions<Table> = { [Key in keyof Table]: ActionsOfAny<Table[Key]> }
/** One object for several: every action of any of them, with the parameters of any. */
export type ActionsOfAny<Union> = {
  [Name in Union extends unknown ? keyof Union : never]: Union extends { [_ in Name]: infer P } ? P : never
}
