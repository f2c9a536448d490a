// What a route file means, as a type. `api()` computes it once, in its return type.
import type { ActionName, CollectionAction } from '../declare/actions.ts'
import type {
  Extra,
  Namespace,
  Resource,
  Resources,
  Scope,
  Verb,
  Version,
} from '../declare/nodes.ts'
import type { Expanded, NumberOf, Sources } from './inherit.ts'
import type { OptionOf, SelectedActions, TargetOf } from '../declare/options-of.ts'
import type { Plural, Singular } from '../declare/inflect.ts'

/** `{ 1: { users: { index: {}, show: { id: string } }, 'nests/nested': … }, 2: … }` */
export type TableOf<Versions extends readonly Version[], Options> = {
  [V in Versions[number] as NumberOf<V>]: Merged<
    Entries<
      Expanded<V['nodes'][number], Sources<Versions>>,
      Within<Within<Outermost, Options>, V['options']>
    >
  >
}

/**
 * The table, with versions that may not be declared as optional properties. If TypeScript doesn't
 * know their numbers, the table already has an index signature.
 */
export type WithOptional<Table, Numbers extends number> = [Numbers] extends [never]
  ? Table
  : number extends Numbers
    ? Table
    : Omit<Table, Numbers> & { [V in keyof Table & Numbers]?: Table[V] | undefined }
/** The numbers in a spread list, which may be empty: `2` for `...(flag ? [version(2)] : [])`. */
export type OptionalNumbers<Versions extends readonly Version[]> = number extends Versions['length']
  ? Versions extends readonly [Version, ...infer Rest extends readonly Version[]]
    ? OptionalNumbers<Rest>
    : Versions extends readonly [...infer Rest extends readonly Version[], Version]
      ? OptionalNumbers<Rest>
      : Versions[number]['name']
  : never

// ---- outer: what encloses a node ----------------------------------------------------------------

interface Outer {
  folder: string
  actions: unknown
  shallow: unknown
  /** The path's parameters, and those that don't belong to resources, which shallow routes keep. */
  params: unknown
  root: unknown
  /** The enclosing resource's controller, and the parameters of its collection and its members. */
  controller: string
  collection: unknown
  member: unknown
}
interface Outermost {
  folder: ''
  actions: ActionName
  shallow: false
  params: never
  root: never
  controller: ''
  collection: never
  member: never
}
interface Within<C extends Outer, Options, Folder extends string = ''> {
  folder: `${C['folder']}${Folder}`
  actions: SelectedActions<Options, C['actions']>
  shallow: OptionOf<Options, 'shallow', C['shallow']>
  params: C['params']
  root: C['root']
  controller: ''
  collection: never
  member: never
}
/** Inside a resource. Its `only` and `except` don't apply to nested resources. */
interface Inside<C extends Outer, Options, Controller extends string, Nested, Member> {
  folder: C['folder']
  actions: C['actions']
  shallow: OptionOf<Options, 'shallow', C['shallow']>
  params: Nested
  root: C['root']
  controller: Controller
  collection: C['params']
  member: Member
}
/** Inside a `scope`, which can be in a version or in a resource. */
interface Scoped<C extends Outer, Options, OwnParams> {
  folder: `${C['folder']}${Options extends { module: infer Module extends string } ? `${Module}/` : ''}`
  actions: SelectedActions<Options, C['actions']>
  shallow: OptionOf<Options, 'shallow', C['shallow']>
  params: C['params'] | OwnParams
  root: C['root'] | OwnParams
  controller: C['controller']
  collection: C['collection'] | OwnParams
  member: C['member'] | OwnParams
}

// ---- routes: controller keys, actions and their parameters --------------------------------------

interface Entry<Key extends PropertyKey = PropertyKey, Actions = unknown> {
  key: Key
  actions: Actions
}
type Params<Names> = { [Name in Names & string]: string }
/** Identical resources share one type. */
type ActionParams<Names, OnCollection, OnMember> = {
  [Name in Names & string]: Params<Name extends CollectionAction ? OnCollection : OnMember>
}

/** It's a union of two aliases, because TypeScript caches each result across versions. */
type Entries<N, C extends Outer> = N extends unknown ? OwnRoutes<N, C> | NestedRoutes<N, C> : never

type OwnRoutes<N, C extends Outer> =
  N extends Resources<infer Name, infer Options>
    ? WithKey<PluralActions<C, Options>, ControllerKey<C, OptionOf<Options, 'controller', Name>>>
    : N extends Resource<infer Name, infer Options>
      ? WithKey<
          SingularActions<C, Options>,
          ControllerKey<C, OptionOf<Options, 'controller', Plural<Name>>>
        >
      : N extends Verb<infer Path, infer Options>
        ? VerbRoute<C, Path, Options, C['params']>
        : never
/** `never` for a resource without actions, because it needs no controller. */
type WithKey<OwnActions, Key extends string> = OwnActions extends unknown
  ? Entry<Key, OwnActions>
  : never
/** Resources with the same options share their actions. */
type PluralActions<C extends Outer, Options> = ActionsOf<
  SelectedActions<Options, C['actions']>,
  C['params'],
  KeptParams<C, Options> | OptionOf<Options, 'param', 'id'>
>
type SingularActions<C extends Outer, Options> = ActionsOf<
  Exclude<SelectedActions<Options, C['actions']>, 'index'>,
  C['params'],
  C['params']
>
type ActionsOf<Names, OnCollection, OnMember> = [Names] extends [never]
  ? never
  : ActionParams<Names, OnCollection, OnMember>

type NestedRoutes<N, C extends Outer> = N extends { nodes: readonly never[] }
  ? never
  : N extends Resources<infer Name, infer Options, infer Body>
    ? Entries<
        Body,
        Inside<
          C,
          Options,
          OptionOf<Options, 'controller', Name> & string,
          KeptParams<C, Options> | ParentParam<Name, Options>,
          KeptParams<C, Options> | OptionOf<Options, 'param', 'id'>
        >
      >
    : N extends Resource<infer Name, infer Options, infer Body>
      ? Entries<
          Body,
          Inside<
            C,
            Options,
            OptionOf<Options, 'controller', Plural<Name>> & string,
            C['params'],
            C['params']
          >
        >
      : N extends Extra<infer On, infer V>
        ? ExtraRoutes<V, C, C[On & ('member' | 'collection')]>
        : N extends Namespace<infer Name, infer Options, infer Body>
          ? Entries<Body, Within<C, Options, `${Name & string}/`>>
          : N extends Scope<infer Options extends object, infer Body>
            ? Entries<Body, Scoped<C, Options, PathParams<OptionOf<Options, 'path', ''>>>>
            : never

type ExtraRoutes<V, C extends Outer, OuterParams> =
  V extends Verb<infer Path, infer Options> ? VerbRoute<C, Path, Options, OuterParams> : never

/** The target is `to: 'health#show'`, `to: 'show'`, or the path itself. */
type VerbRoute<C extends Outer, Path, Options, OuterParams> =
  TargetOf<Path, Options> extends `${infer Controller}#${infer Name}`
    ? VerbEntry<ControllerKey<C, Controller>, Name, OuterParams | PathParams<Path>>
    : VerbEntry<
        ControllerKey<C, C['controller']>,
        TargetOf<Path, Options>,
        OuterParams | PathParams<Path>
      >
type VerbEntry<Key extends string, Name, ParamNames> = Entry<
  Key,
  { [A in Name & string]: Params<ParamNames> }
>
/**
 * Types don't parse paths, so a path with a parameter accepts any parameter name. A glob is a
 * single parameter.
 */
type PathParams<Path> = Path extends `${string}:${string}`
  ? string
  : Path extends `${string}*${infer Name}`
    ? Name
    : never

type ControllerKey<C extends Outer, Name> = `${C['folder']}${Name & string}`
/** Shallow routes don't keep their parents' parameters. */
type KeptParams<C extends Outer, Options> =
  OptionOf<Options, 'shallow', C['shallow']> extends true ? C['root'] : C['params']
/** `post_id`, or any `…_id` if the ending doesn't decide the singular. */
type ParentParam<Name, Options> =
  `${OptionOf<Options, 'singular', Singular<OptionOf<Options, 'as', Name>>> & string}_${OptionOf<Options, 'param', 'id'> & string}`

type Merged<E extends Entry> = MergedActions<{ [Item in E as Item['key']]: Item['actions'] }>
type MergedActions<Table> = { [Key in keyof Table]: ActionsOfAny<Table[Key]> }
/**
 * Merges several objects: every action that any of them has, with the parameters of all that have
 * it.
 */
export type ActionsOfAny<Union> = {
  [Name in Union extends unknown ? keyof Union : never]: Union extends { [_ in Name]: infer P }
    ? P
    : never
}
