// Types only: what a route file means. Computed once, in the return type of `api()`.
import type { Action, CollectionAction } from './actions.ts'
import type { Cache, Extra, Inherit, Namespace, Node, Resource, Resources, Verb, Version } from './dsl.ts'
import type { Plural, Singular } from './names.ts'

/** `{ 1: { users: { index: {}, show: { id: string } }, 'nests/nested': … }, 2: … }` */
export type TableOf<V extends readonly Version[], Allowed = Action, Shallow = false> = {
  [N in V[number] as N['name']]: Merged<
    Inside<N['nodes'][number], Within<Root<Allowed, Shallow>, N['options']>, Opened<V>>
  >
}

// ---- cache and inherit: every inherit replaced by what it repeats ---------------------------

/** A mapped type resolves each cache once, when it is asked for: a long chain of inherits is not deep. */
export type Opened<V extends readonly Version[]> = {
  [C in CachesIn<V[number]['nodes'][number]> as C['name']]: Open<C['nodes'][number], Opened<V>>
}
/** Asked first everywhere: nearly all nodes are these, and one question is cheaper than three. */
type Plain = Node<'resources' | 'resource' | 'verb'>
type CachesIn<N> = N extends Plain
  ? never
  : N extends Cache<infer As, infer Body>
    ? string extends As
      ? never
      : N | CachesIn<Body>
    : N extends Namespace<string, unknown, infer Body>
      ? CachesIn<Body>
      : never

type Open<N, Caches> = N extends Plain
  ? N
  : N extends Cache<string, infer Body>
    ? Open<Body, Caches>
    : N extends Inherit<infer From, infer Only, infer Except>
      ? Selected<Caches[From & keyof Caches], Only, Except>
      : N

type Selected<N, Only, Except> = [Except] extends [never]
  ? string extends Only
    ? N
    : Extract<N, { name: Only }>
  : Exclude<Extract<N, { name: Only }>, { name: Except }>

// ---- scope: what surrounds a node -------------------------------------------------------------

interface Scope {
  folder: string
  actions: unknown
  shallow: unknown
  parents: unknown
}
interface Root<Allowed, Shallow> {
  folder: ''
  actions: Allowed
  shallow: Shallow
  parents: never
}
interface Within<S extends Scope, O, Folder extends string = ''> {
  folder: `${S['folder']}${Folder}`
  actions: Chosen<O, S['actions']>
  shallow: Get<O, 'shallow', S['shallow']>
  parents: S['parents']
}
/** A resource's own `only` and `except` say nothing about what is nested in it. */
interface Under<S extends Scope, O, Parents> {
  folder: S['folder']
  actions: S['actions']
  shallow: Get<O, 'shallow', S['shallow']>
  parents: Parents
}

type Chosen<O, Default> = O extends { only: infer X }
  ? One<X>
  : O extends { except: infer X }
    ? Exclude<Action, One<X>>
    : Default
type Get<O, Key extends string, Default> = O extends { [K in Key]: infer Value } ? Value : Default
type One<X> = X extends readonly (infer E)[] ? E : X

// ---- entries: a controller, and actions with their params ----------------------------------------

interface Entry<Key extends PropertyKey = PropertyKey, Actions = unknown> {
  key: Key
  actions: Actions
}
type Params<Name> = { [N in Name & string]: string }
/** C: the params of index, create and new; M: of the others. Equal resources share one type. */
type Actions<A, C, M> = { [N in A & string]: Params<N extends CollectionAction ? C : M> }

type Inside<Body, S extends Scope, Caches> = Entries<Open<Body, Caches>, S, Caches>
/** A union of two aliases, because the compiler keeps their results from one version to the next. */
type Entries<N, S extends Scope, Caches> = N extends unknown ? Own<N, S> | Nested<N, S, Caches> : never

type Own<N, S extends Scope> =
  N extends Resources<infer Name, infer O>
    ? Entry<
        Key<S, Get<O, 'controller', Name>>,
        Actions<Chosen<O, S['actions']>, S['parents'], Kept<S, O> | Get<O, 'param', 'id'>>
      >
    : N extends Resource<infer Name, infer O>
      ? Entry<
          Key<S, Get<O, 'controller', Plural<Name>>>,
          Actions<Exclude<Chosen<O, S['actions']>, 'index'>, S['parents'], S['parents']>
        >
      : N extends Verb<infer Path, infer O>
        ? Target<S, Path, O, '', S['parents']>
        : never

type Nested<N, S extends Scope, Caches> =
  N extends Node<string, unknown, unknown, never>
    ? never
    : N extends Resources<infer Name, infer O, infer Body>
      ?
          | Inside<Body, Under<S, O, Kept<S, O> | ParentParam<Name, O>>, Caches>
          | Extras<Body, S, Key<S, Get<O, 'controller', Name>>, S['parents'], Kept<S, O> | Get<O, 'param', 'id'>>
      : N extends Resource<infer Name, infer O, infer Body>
        ?
            | Inside<Body, Under<S, O, S['parents']>, Caches>
            | Extras<Body, S, Key<S, Get<O, 'controller', Plural<Name>>>, S['parents'], S['parents']>
        : N extends Namespace<infer Name, infer O, infer Body>
          ? Inside<Body, Within<S, O, `${Name & string}/`>, Caches>
          : never

type Extras<N, S extends Scope, Key extends string, C, M> =
  N extends Extra<infer On, infer V>
    ? V extends Verb<infer Path, infer O>
      ? Target<S, Path, O, Key, On extends 'member' ? M : C>
      : never
    : never

/** `to: 'health#show'`, `to: 'show'`, or the path itself is the action. */
type Target<S extends Scope, Path, O, Here extends string, P> =
  Get<O, 'to', Path> extends `${infer Controller}#${infer Action}`
    ? Entry<Key<S, Controller>, { [A in Action]: Params<P | PathParams<Path>> }>
    : Entry<Here, { [A in Get<O, 'to', Path> & string]: Params<P | PathParams<Path>> }>
/** Paths are not parsed in types: one with a param has any param. */
type PathParams<Path> = Path extends `${string}:${string}` ? string : never

type Key<S extends Scope, Name> = `${S['folder']}${Name & string}`
type Kept<S extends Scope, O> = Get<O, 'shallow', S['shallow']> extends true ? never : S['parents']
/** `post_id`; any `…_id` where letters alone do not tell the singular. */
type ParentParam<Name, O> =
  `${Get<O, 'singular', Singular<Get<O, 'as', Name>>> & string}_${Get<O, 'param', 'id'> & string}`

type Merged<E extends Entry> = Flat<{ [X in E as X['key']]: X['actions'] }>
type Flat<T> = { [K in keyof T]: Union<T[K]> }
/** Several entries of one controller become one: the actions of all, and per action the params of any. */
export type Union<A> = { [N in A extends unknown ? keyof A : never]: A extends { [_ in N]: infer P } ? P : never }

// ---- what api() refuses -----------------------------------------------------------------------------

type Problem<N, Caches> = N extends Plain
  ? never
  : N extends Inherit<infer From, infer Only, infer Except>
    ? [Exclude<From, keyof Caches>] extends [never]
      ? NotIn<Caches[From & keyof Caches], From, (string extends Only ? never : Only) | Except>
      : `no cache is named '${Exclude<From, keyof Caches> & string}'`
    : N extends Cache<string, infer Body>
      ? Problem<Body, Caches>
      : N extends Namespace<string, unknown, infer Body>
        ? Problem<Body, Caches>
        : never
type NotIn<N, From, Name> =
  Name extends Get<N, 'name', never> ? never : `cache '${From & string}' has no '${Name & string}'`

/** A version with a problem would have to be the text of it. */
export type Checked<V extends readonly Version[]> = {
  [I in keyof V]: Sound<V[I], Problem<V[I]['nodes'][number], Opened<V>>>
}
type Sound<V, P> = [P] extends [never] ? V : P

// ---- controllers ------------------------------------------------------------------------------------

/** A framework names its handler once; `this['params']` is filled in per action. */
export interface HandlerKind {
  readonly params: unknown
  readonly handler: unknown
  readonly options: unknown
}
type Handler<K extends HandlerKind, P> = (K & { readonly params: P })['handler']
/** A method, or an object with a handler and the framework's own options for its route. */
export type ActionOf<K extends HandlerKind, P> = Handler<K, P> | ({ readonly handler: Handler<K, P> } & K['options'])
export type Controller<K extends HandlerKind, A> = { [N in keyof A]: ActionOf<K, A[N]> }
export type Controllers<T, K extends HandlerKind> = { [V in keyof T]: { [R in keyof T[V]]: Controller<K, T[V][R]> } }

// ---- URL helpers ------------------------------------------------------------------------------------

type Format = { format?: string }
type Href<P> = {} extends P ? (params?: Values<P> & Format) => string : (params: Values<P> & Format) => string
/** Per path of the action: one that stands at two paths takes the params of either. */
type Values<P> = P extends unknown ? { [N in keyof P]: string | number } : never
type InAny<T> = { [V in keyof T]: keyof T[V] }[keyof T]
export type Hrefs<T> = { [R in InAny<T>]: HrefsOf<Union<Of<T[keyof T], R>>> }
type Of<V, R extends PropertyKey> = V extends { [_ in R]: infer A } ? A : never
type HrefsOf<A> = { [N in keyof A]: Href<A[N]> }
